/** The panels of suggestions: three problems a day for each judge, with their chances. */

import { judgeName } from '../../../judges/judges.ts';
import type { JudgeSuggestions, ProblemSuggestion } from '../../../practice/chance-suggestions.ts';
import { solvesAtLeast } from '../../../practice/level.ts';
import { versionOf } from '../../../practice/marks.ts';
import type { Preferences } from '../../../practice/preferences.ts';
import type { StrengthAnswer } from '../../../practice/strength.ts';
import { basisText, chanceWithReason, pieces } from '../../kit/chance.ts';
import { shownDifficulty } from '../../kit/difficulty.ts';
import { actions } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { linkButton } from '../../kit/links.ts';
import { type Forms, judgeKey, markForm, problemLink, webLink } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { queryFor, queryString } from '../../kit/problem-query.ts';
import { startTimerForm } from '../../kit/timer.ts';
import { type Html, html } from '../../markup.ts';
import { problemPath, problemsPath, uploadPath } from '../../paths.ts';
import { afterColon } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';

interface SuggestionContext {
  forms: Forms;
  /** The problem whose timer runs. */
  timedId: bigint | undefined;
  preferences: Preferences;
  /** By problem, how many people solved it at its judge. */
  solvedCounts: ReadonlyMap<bigint, bigint>;
}

export function suggestionPanels(suggestionsByJudge: readonly JudgeSuggestions[], context: SuggestionContext): Html {
  const headingOf = (source: string) => words('next.title', { judge: judgeName(source) });
  return html`${suggestionsByJudge.map(({ source, suggestions, strength }) => {
    const beside = html`<p>${words('next.sub')}</p>`;
    return panel(
      { id: `next-${source}`, heading: headingOf(source), beside, more: { 'data-next': source } },
      html`
        <ol class="next">${suggestions.map((one) => suggestionItem(one, strength, context))}</ol>
        ${strength && strength.strength === undefined && html`<p class="faint small">${basisText(strength)}</p>`}`,
    );
  })}`;
}

/** The panel before the first suggestions: how many more problems the member has to solve for them. */
export function missingSolvesPanel(missing: number, basePath: string): Html | undefined {
  if (missing === 0) return undefined;
  const solvedCount = solvesAtLeast - missing;
  const count = words('next.ofNeeded', { solved: solvedCount, needed: solvesAtLeast });
  const easyProblems = `${basePath}${problemsPath}?order=rating&rating_min=0`;
  return panel(
    { id: 'next', heading: words('next.nothing'), more: { 'data-next': '' } },
    html`
      <p class="soft">${words('next.nothingText')}</p>
      <p class="next-needed">${pieces(solvesAtLeast, solvedCount)}<span>${count}</span></p>
      ${actions(
        linkButton(basePath + uploadPath, words('next.import'), { symbol: 'upload', kind: 'small' }),
        linkButton(easyProblems, words('today.find'), { kind: 'small quiet' }),
      )}`,
  );
}

function suggestionItem(
  suggestion: ProblemSuggestion,
  strength: StrengthAnswer | undefined,
  { forms, timedId, preferences, solvedCounts }: SuggestionContext,
): Html {
  const { kind, problem, chance } = suggestion;
  const { id, title, source } = problem;
  const { basePath } = forms.site;
  const solvedBy = solvedCounts.get(id);
  const kindWord = words(`next.kind.${kind}`);
  const judge = judgeName(source);
  const screenReaderText = (text: string) => html`<span class="sr">${afterColon(text)}</span>`;
  const open = html`
    ${icon('out')}
    <span>${words('next.open')}${screenReaderText(words('contests.openOn', { title, judge }))}</span>`;
  const skipButton = html`<button name="status" value="skipped">${richWords('next.no', { title })}</button>`;
  return html`
    <li data-problem="${id}" data-kind="${kind}">
      <p class="kind">${kindWord}</p>
      <h3>${problemLink(basePath, problem)}</h3>
      <p class="facts">
        ${judgeKey(problem)}
        ${shownDifficulty(problem, preferences.hidesRatings)}
        ${solvedBy !== undefined && html`<span class="faint">${words('next.solvedBy', { count: solvedBy })}</span>`}
      </p>
      ${chance !== undefined && strength && chanceWithReason(basePath, { ...strength, chance }, words('chance.drawn'))}
      <div class="actions">
        ${id !== timedId && startTimerForm(forms, problem, problemPath(id), 'small')}
        ${webLink(problem.url, open, 'button small')}
        <details class="menu end" name="menu">
          <summary class="button small">
            ${icon('more')}
            <span class="sr">${words('contests.stateOf', { title: words('frame.more'), state: title })}</span>
          </summary>
          <div class="menu-panel">
            <ul>
              <li>
                <a href="${basePath}${rangeLink(suggestion)}">
                  ${words('next.more')}
                  ${screenReaderText(words('next.moreOf', { kind: kindWord, judge }))}
                </a>
              </li>
            </ul>
            ${markForm(forms, id, versionOf(undefined), skipButton)}
          </div>
        </details>
      </div>
    </li>`;
}

/** A link to the problems in the rating range of the suggestion. */
function rangeLink({ problem: { source }, range: [from, to] }: ProblemSuggestion): string {
  const range = { ratingMin: Math.ceil(from), ratingMax: Math.floor(to) };
  return problemsPath + queryString(queryFor({ source, status: 'not_started', ...range }));
}
