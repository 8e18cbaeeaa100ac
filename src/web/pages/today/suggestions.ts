/** The panels of suggestions: three problems a day for each judge, with their reasons. */

import { judgeName } from '../../../judges/judges.ts';
import { solvesAtLeast } from '../../../practice/level.ts';
import { versionOf } from '../../../practice/marks.ts';
import type { Preferences } from '../../../practice/preferences.ts';
import type { JudgeSuggestions, ProblemSuggestion } from '../../../practice/suggestions.ts';
import { shownDifficulty } from '../../kit/difficulty.ts';
import { actions } from '../../kit/form.ts';
import { icon } from '../../kit/icons.ts';
import { countLink, linkButton } from '../../kit/links.ts';
import { type Forms, judgeKey, markForm, problemLink, webLink } from '../../kit/marks.ts';
import { panel } from '../../kit/panel.ts';
import { queryFor, queryString } from '../../kit/problem-query.ts';
import { startTimerForm } from '../../kit/timer.ts';
import { attr, type Html, html } from '../../markup.ts';
import { problemPath, problemsPath, uploadPath } from '../../paths.ts';
import { richWords, words } from '../../words/words.ts';

interface SuggestionContext {
  forms: Forms;
  preferences: Preferences;
  /** By problem, how many people solved it at its judge. */
  solvedCounts: ReadonlyMap<bigint, bigint>;
}

export function suggestionPanels(suggestionsByJudge: readonly JudgeSuggestions[], context: SuggestionContext): Html {
  const headingOf = (source: string) => words('next.title', { judge: judgeName(source) });
  return html`${suggestionsByJudge.map(({ source, suggestions }) => {
    const beside = html`<p>${words('next.sub')}</p>`;
    return panel(
      { id: `next-${source}`, heading: headingOf(source), beside, more: { 'data-next': source } },
      html`<ol class="next">${suggestions.map((one) => suggestionItem(one, context))}</ol>`,
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
      <p class="next-needed">${triedBoxes({ triedCount: solvesAtLeast, solvedCount })}<span>${count}</span></p>
      ${actions(
        linkButton(basePath + uploadPath, words('next.import'), { symbol: 'upload', kind: 'small' }),
        linkButton(easyProblems, words('today.find'), { kind: 'small quiet' }),
      )}`,
  );
}

function suggestionItem(suggestion: ProblemSuggestion, { forms, preferences, solvedCounts }: SuggestionContext): Html {
  const { kind, problem } = suggestion;
  const { id, title, source } = problem;
  const { basePath } = forms.site;
  const solvedBy = solvedCounts.get(id);
  const kindWord = words(`next.kind.${kind}`);
  const judge = judgeName(source);
  const screenReaderText = (text: string) => html`<span class="sr">: ${text}</span>`;
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
      ${triedBoxes(suggestion)}
      <p class="soft">${reasonText(suggestion, preferences.hidesRatings, basePath)}</p>
      <div class="actions">
        ${startTimerForm(forms, problem, problemPath(id), 'small')}
        ${webLink(problem.url, open, 'button small')}
        <details class="menu" name="menu">
          <summary class="button small">
            ${icon('more')}
            <span class="sr">${words('frame.more')}: ${title}</span>
          </summary>
          <div class="menu-panel">
            <ul>
              <li>
                <a href="${basePath}${rangeLink(suggestion, 'not_started')}">
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

const boxesAtMost = 24;

/** A box for each problem that the member tried. Screen readers skip it: the reason says the same. */
function triedBoxes({
  triedCount,
  solvedCount,
}: Pick<ProblemSuggestion, 'triedCount' | 'solvedCount'>): Html | undefined {
  if (triedCount > boxesAtMost) return undefined;
  const boxes = Array.from(
    { length: triedCount },
    (_, index) => html`<i${attr('class', index < solvedCount && 'on')}></i>`,
  );
  return html`<span class="tally${triedCount === 0 ? ' none' : ''}" aria-hidden="true">${boxes}</span>`;
}

function reasonText(suggestion: ProblemSuggestion, isHidden: boolean, root: string): Html | string {
  const { triedCount, solvedCount, range } = suggestion;
  const [from, to] = range;
  if (triedCount === 0) return isHidden ? words('next.reasonNewHidden') : words('next.reasonNew', { from, to });
  const figure = (count: number, status: 'complete' | 'attempted') =>
    countLink(count, root + rangeLink(suggestion, status));
  const [ofSolved, ofTried] = [figure(solvedCount, 'complete'), figure(triedCount, 'attempted')];
  return isHidden
    ? richWords('next.reasonHidden', { solved: ofSolved, tried: ofTried })
    : richWords('next.reason', { solved: ofSolved, tried: ofTried, from, to });
}

/** A link to the problems in the rating range of the suggestion. */
function rangeLink(
  { problem: { source }, range: [ratingMin, ratingMax] }: ProblemSuggestion,
  status: 'not_started' | 'complete' | 'attempted',
): string {
  return problemsPath + queryString(queryFor({ source, status, ratingMin, ratingMax }));
}
