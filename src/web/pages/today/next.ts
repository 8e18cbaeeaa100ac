/** Suggestions: three problems a day for each judge, with the reason in figures and the way to more like them. */

import { judgeName } from '../../../judges/judges.ts';
import { solvesAtLeast } from '../../../practice/level.ts';
import { versionOf } from '../../../practice/marks.ts';
import type { Next, Suggestion } from '../../../practice/next.ts';
import type { Preferences } from '../../../practice/preferences.ts';
import { figureLink } from '../../kit/day-links.ts';
import { shownDifficulty } from '../../kit/difficulty.ts';
import { icon } from '../../kit/icons.ts';
import { type Forms, hiddenFields, judgeKey, webLink } from '../../kit/marks.ts';
import { addressOf, readProblemQuery } from '../../kit/problem-query.ts';
import { type Html, html } from '../../markup.ts';
import { listPath, problemPath, uploadPath } from '../../paths.ts';
import { richWords, words } from '../../words/words.ts';

/** What the panels need besides the problems. */
interface Shown {
  forms: Forms;
  preferences: Preferences;
  /** How many solved a problem at its judge. */
  solvedCounts: ReadonlyMap<bigint, bigint>;
}

export function nextPanels(all: readonly Next[], shown: Shown): Html {
  return html`${all.map((next) => nextPanel(next, shown))}`;
}

/** What is there before the first suggestions: how many solved problems of those that they need there are. */
export function nextToCome(missing: number, basePath: string): Html | '' {
  if (missing === 0) return '';
  const solved = solvesAtLeast - missing;
  const count = words('next.ofNeeded', { solved, needed: solvesAtLeast });
  return html`
    <section class="panel" aria-labelledby="next" data-next>
      <div class="panel-head"><h2 id="next">${words('next.nothing')}</h2></div>
      <p class="soft">${words('next.nothingText')}</p>
      <p class="next-needed">${tally({ tried: solvesAtLeast, solved })}<span>${count}</span></p>
      <p class="actions">
        <a class="button small" href="${basePath}${uploadPath}">
          ${icon('upload')}
          <span>${words('next.import')}</span>
        </a>
        <a class="button small quiet" href="${basePath}${listPath}?order=rating&amp;rating_min=0">
          ${words('today.find')}
        </a>
      </p>
    </section>`;
}

function nextPanel({ source, suggestions }: Next, shown: Shown): Html {
  const title = words('next.title', { judge: judgeName(source) });
  return html`
    <section class="panel" aria-labelledby="next-${source}" data-next="${source}">
      <div class="panel-head"><h2 id="next-${source}">${title}</h2><p>${words('next.sub')}</p></div>
      <ol class="next">${suggestions.map((one) => suggestionItem(one, shown))}</ol>
    </section>`;
}

function suggestionItem(suggestion: Suggestion, { forms, preferences, solvedCounts }: Shown): Html {
  const { kind, problem } = suggestion;
  const { id, title, source } = problem;
  const path = `${forms.basePath}${problemPath(id)}`;
  const solvedBy = solvedCounts.get(id);
  const kindWord = words(`next.kind.${kind}`);
  const judge = html`
    ${icon('out')}
    <span>
      ${words('next.open')}
      <span class="sr">: ${words('contests.openOn', { title, judge: judgeName(source) })}</span>
    </span>`;
  const open = webLink(problem.url, judge, 'button small');
  return html`
    <li data-problem="${id}" data-kind="${kind}">
      <p class="kind">${kindWord}</p>
      <h3><a href="${path}">${title}</a></h3>
      <p class="facts">
        ${judgeKey(problem)}
        ${shownDifficulty(problem, preferences.hidesRatings)}
        ${solvedBy === undefined ? '' : html`<span class="faint">${words('next.solvedBy', { count: solvedBy })}</span>`}
      </p>
      ${tally(suggestion)}
      <p class="soft">${reason(suggestion, preferences.hidesRatings, forms.basePath)}</p>
      <div class="actions">
        ${open}
        <details class="menu" name="menu">
          <summary class="button small">
            ${icon('more')}
            <span class="sr">${words('frame.more')}: ${title}</span>
          </summary>
          <div class="menu-panel">
            <ul>
              <li>
                <a href="${forms.basePath}${listOf(suggestion, 'not_started')}">
                  ${words('next.more')}
                  <span class="sr">: ${words('next.moreOf', { kind: kindWord, judge: judgeName(source) })}</span>
                </a>
              </li>
            </ul>
            <form method="post" action="${path}">
              ${hiddenFields(forms, versionOf(undefined))}
              <button name="status" value="skipped">${richWords('next.no', { title })}</button>
            </form>
          </div>
        </details>
      </div>
    </li>`;
}

const boxesAtMost = 24;

/** A box for each problem that the member tried, the solved ones full; the sentence below says the same. */
function tally({ tried, solved }: Pick<Suggestion, 'tried' | 'solved'>): Html | '' {
  if (tried > boxesAtMost) return '';
  const boxes = Array.from({ length: tried }, (_, place) => html`<i${place < solved ? html` class="on"` : ''}></i>`);
  return html`<span class="tally${tried === 0 ? ' none' : ''}" aria-hidden="true">${boxes}</span>`;
}

/** Its figures lead to the problems that they count. */
function reason(suggestion: Suggestion, isHidden: boolean, root: string): Html | string {
  const { tried, solved, range } = suggestion;
  const [from, to] = range;
  if (tried === 0) return isHidden ? words('next.reasonNewHidden') : words('next.reasonNew', { from, to });
  const figure = (count: number, status: 'complete' | 'attempted') =>
    figureLink(count, root + listOf(suggestion, status));
  const [ofSolved, ofTried] = [figure(solved, 'complete'), figure(tried, 'attempted')];
  return isHidden
    ? richWords('next.reasonHidden', { solved: ofSolved, tried: ofTried })
    : richWords('next.reason', { solved: ofSolved, tried: ofTried, from, to });
}

/** The list of those in the range from which the problem was taken. */
function listOf(
  { problem: { source }, range: [ratingMin, ratingMax] }: Suggestion,
  status: 'not_started' | 'complete' | 'attempted',
): string {
  const query = readProblemQuery(new URLSearchParams({ source, status }));
  return listPath + addressOf(query, { ratingMin, ratingMax });
}
