/** The contests of a page, each with its problems in cells. Every mark is a button of one form below the grid. */

import { judgeName, judgeOf } from '../../../judges/addresses.ts';
import { versionOf } from '../../../practice/marks.ts';
import { phaseAt, tookOf, triesOf } from '../../../practice/taking-part.ts';
import type { GridContest, GridPlace, GridSolve } from '../../../store/contest-grid.ts';
import type { StatusesTable } from '../../../store/tables.ts';
import { difficulty } from '../../kit/difficulty.ts';
import { icon } from '../../kit/icons.ts';
import { shownState, stateIcon, stateWords, webLink } from '../../kit/marks.ts';
import { moment } from '../../kit/moments.ts';
import { type Html, html } from '../../markup.ts';
import { listPath, problemPath } from '../../paths.ts';
import { lazily } from '../../words/formats.ts';
import { words } from '../../words/words.ts';

export const markForm = 'mark';
/** What is beyond waits behind a line: a page of them would be one contest long. */
const cellsAtMost = 26;

export interface Grid {
  basePath: string;
  places: ReadonlyMap<bigint, readonly GridPlace[]>;
  /** How the member took part in each contest in which they did. */
  taken: ReadonlyMap<bigint, 'live' | 'virtual'>;
  statusOf(id: bigint): StatusesTable | undefined;
  solvesOf(id: bigint): readonly GridSolve[];
  hidesRatings: boolean;
  now: number;
}

const order = lazily(() => new Intl.Collator('en', { numeric: true }));

export function contestList(contests: readonly GridContest[], grid: Grid): Html {
  return html`<ol class="contest-list">${contests.map((one) => contestItem(one, grid))}</ol>`;
}

function contestItem(contest: GridContest, grid: Grid): Html {
  const { id, source, key, title, starts_at } = contest;
  const places = (grid.places.get(id) ?? []).toSorted((a, b) => order().compare(a.position, b.position));
  const problems = new Set(places.flatMap((place) => place.id ?? []));
  const solved = [...problems].filter((one) => stateOf(one, grid) === 'complete').length;
  const isDone = problems.size > 0 && solved === problems.size;
  const list = `${grid.basePath}${listPath}?${new URLSearchParams({ source, contest: key })}`;
  const phase = phaseAt(contest, grid.now);
  const taken = grid.taken.get(id);
  const facts = [
    starts_at === null ? words('contests.noStart') : moment(starts_at, 'date'),
    ...(phase === 'over' ? [] : [html`<b class="phase">${words(`contests.phase.${phase}`)}</b>`]),
    ...(taken ? [words(`contests.taken.${taken}`)] : []),
  ];
  const page = judgeOf(source)?.contestPage?.(key) ?? null;
  const out = webLink(
    page,
    html`${icon('out')}<span class="sr">${words('contests.openOn', { title, judge: judgeName(source) })}</span>`,
    'out',
  );
  const count =
    problems.size === 0
      ? html`<span class="faint">${words('contests.notYet')}</span>`
      : html`
        <a data-count="${solved}" href="${list}&amp;status=complete">
          <b>${solved}</b>
          <span class="sr"> ${words('contests.solvedIn', { title })}</span>
        </a> ${words('contests.of')} <a data-count="${problems.size}" href="${list}">
          ${problems.size}
          <span class="sr"> ${words('contests.problemsIn', { title })}</span>
        </a>
        ${isDone ? icon('check', 'done') : ''}`;
  const cell = (place: GridPlace) => placeCell(contest, place, grid);
  const first = places.slice(0, cellsAtMost);
  const rest = places.slice(cellsAtMost);
  return html`
    <li class="contest" id="c${id}" data-contest="${key}">
      <div class="contest-head">
        <h2><a href="${list}" title="${title}">${shortTitle(contest)}</a> ${out}</h2>
        <p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
        <p class="num count">${count}</p>
      </div>
      ${first.length === 0 ? '' : html`<ol class="cells">${first.map(cell)}</ol>`}
      ${
        rest.length === 0
          ? ''
          : html`
            <details class="rest">
              <summary>${words('contests.more', { count: rest.length })}</summary>
              <ol class="cells">${rest.map(cell)}</ol>
            </details>`
      }
    </li>`;
}

/** The judge's name before a title says nothing among contests of that judge. */
function shortTitle({ source, title }: GridContest): string {
  const name = `${judgeOf(source)?.name} `;
  return title.startsWith(name) && title.length > name.length ? title.slice(name.length) : title;
}

const stateOf = (id: bigint, grid: Grid) => shownState({ status: grid.statusOf(id), bookmark: undefined });

function placeCell(contest: GridContest, place: GridPlace, grid: Grid): Html {
  const { position } = place;
  if (place.id === null)
    return html`
      <li class="cell gone">
        <span class="letter">${position}</span>
        <span class="title faint">${words('contests.notHere', { key: place.key })}</span>
      </li>`;
  const { id, title } = place;
  const status = grid.statusOf(id);
  const state = stateOf(id, grid);
  const isSolved = state === 'complete';
  const sent = grid.solvesOf(id);
  const took = isSolved ? tookOf(contest, sent) : undefined;
  const tries = isSolved ? 0 : triesOf(sent);
  const word = took
    ? words(`contests.took.${took}`)
    : tries > 0
      ? words('contests.tries', { count: tries })
      : state === 'complete' || state === 'not_started'
        ? ''
        : stateWords[state];
  const isOwnWord = (status?.self_status ?? null) !== null && status?.judge_status !== 'complete';
  const said = words('contests.stateOf', { title, state: stateWords[state] });
  const action = words(isSolved ? 'marks.takeBackOf' : 'marks.markSolvedOf', { title });
  const next = isSolved ? 'not_started' : 'complete';
  return html`
    <li
      class="cell" id="c${contest.id}-${id}" data-problem="${id}"
      data-status="${state}"${took ? html` data-took="${took}"` : ''}
    >
      <a href="${grid.basePath}${problemPath(id)}" title="${title}">
        <span class="letter">${position}</span> <span class="title">${title}</span>
      </a>
      <p class="meta">${grid.hidesRatings && !isSolved ? '' : difficulty(place)}<span class="took">${word}</span></p>
      <button
        class="status-mark" form="${markForm}" name="${markForm}"
        value="${id}:${next}:${versionOf(status)}:${contest.id}"
        title="${words(isSolved ? 'marks.takeBack' : 'marks.markSolved')}"
      >
        ${stateIcon(state, isOwnWord)}
        <span class="sr">${said}. ${action}</span>
      </button>
    </li>`;
}
