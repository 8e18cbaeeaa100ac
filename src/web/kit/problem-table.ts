/**
 * The table of problems with the member's marks in it, its numbered pages, and the bar that changes the ticked rows.
 */

import { parseInt64 } from '../../contract/common.ts';
import { knownAliases } from '../../judges/judges.ts';
import { isUndated, type SeenVersions, versionOf } from '../../practice/marks.ts';
import { type Preferences, readPreferences } from '../../practice/preferences.ts';
import { findBookmarks } from '../../store/bookmarks.ts';
import type { ProblemInList } from '../../store/lists.ts';
import { findSolvedCounts, type ProblemRow } from '../../store/problems.ts';
import { listTries, type Tries } from '../../store/solves.ts';
import { findStatuses, type State } from '../../store/statuses.ts';
import type { Db } from '../../store/tables.ts';
import { attr, type Html, html } from '../markup.ts';
import { listPath, problemPath } from '../paths.ts';
import type { MemberVisit } from '../road/visits.ts';
import { commaList, thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { moment } from './dates.ts';
import { shownDifficulty } from './difficulty.ts';
import { form } from './form.ts';
import { icon } from './icons.ts';
import { linkButton } from './links.ts';
import {
  type Forms,
  firstStates,
  judgeKey,
  moreStates,
  type OwnMarks,
  shownState,
  star,
  stateWord,
  statusControl,
  topics,
} from './marks.ts';
import { pager } from './pager.ts';
import { type ProblemQuery, pageSizes, queryString, usualPageSize } from './problem-query.ts';

/* Ticked rows as they stand in a form: each problem with what its page showed of it. */

/** A page has at most 200 rows; a form may have been put together from several. */
const picksAtMost = 1000;

/** Id and version of the status. */
export function pickValue(id: bigint, { status }: OwnMarks): string {
  return `${id}:${versionOf(status)}`;
}

export interface Picks {
  ids: readonly bigint[];
  seen: SeenVersions;
}

/** The rows that are ticked in a form; values that no page of ours has are left out. */
export function readPicks(form: URLSearchParams): Picks {
  const seen = new Map<bigint, string>();
  for (const value of form.getAll('pick').slice(0, picksAtMost)) {
    const [digits = '', status = ''] = value.slice(0, 100).split(':');
    const id = parseInt64(digits);
    if (id === undefined) continue;
    seen.set(id, status);
  }
  return { ids: [...seen.keys()], seen };
}

/** Parts that only a row of an assignment has. */
export interface RowExtra {
  /** The place in the list, where the rows are not in its order. */
  number?: number;
  tags?: readonly (string | Html)[];
}

/** The parts of a row beside the problem; the judge counts how many solved it. */
type RowMarks = OwnMarks & {
  tries?: Tries | undefined;
  solvedBy?: bigint | undefined;
  /** The note of a list about the problem. */
  memo?: string | null;
} & RowExtra;

export async function marksOf(db: Db, memberId: bigint, ids: readonly bigint[]): Promise<(id: bigint) => OwnMarks> {
  const statuses = await findStatuses(db, memberId, ids);
  const bookmarks = await findBookmarks(db, memberId, ids);
  const statusById = new Map(statuses.map((row) => [row.problem_id, row]));
  const bookmarkById = new Map(bookmarks.map((row) => [row.problem_id, row]));
  return (id) => ({ status: statusById.get(id), bookmark: bookmarkById.get(id) });
}

/** All that rows of a table show beside the problems. */
interface Rows {
  forms: Forms;
  marks(id: bigint): RowMarks;
  preferences: Preferences;
}

/** The rows of these problems; `from` is the page to which their forms go back. */
export async function problemRowsOf(visit: MemberVisit, ids: readonly bigint[], from: string): Promise<Rows> {
  const { reader } = visit.store;
  const { user_id } = visit.member;
  const marks = await marksOf(reader, user_id, ids);
  const tries = new Map((await listTries(reader, ids, { userId: user_id })).map((one) => [one.problem_id, one]));
  const solvedBy = await findSolvedCounts(reader, ids);
  return {
    forms: { ...visit, from },
    marks: (id) => ({ ...marks(id), tries: tries.get(id), solvedBy: solvedBy.get(id) }),
    preferences: await readPreferences(reader, user_id),
  };
}

/** The columns by which the table is sorted. */
export const columns = [
  { name: 'title', text: 'problems.problem', className: 'c-title' },
  { name: 'source_key', text: 'problems.key', className: 'c-key' },
  { name: 'rating', text: 'problems.difficulty', className: 'c-diff' },
] as const;

export function problemTable(shown: Rows, query: ProblemQuery, problems: readonly ProblemRow[]): Html {
  const sorted = query.order.replace(/^-/, '');
  const isDown = query.order.startsWith('-');
  const head = ({ name, text, className }: (typeof columns)[number]) => {
    const isSorted = sorted === name;
    const order = !isSorted ? name : isDown ? '' : `-${name}`;
    return html`
      <th
        role="columnheader" scope="col"
        class="${className}"${attr('aria-sort', isSorted && (isDown ? 'descending' : 'ascending'))}
      >
        <a href="${shown.forms.site.basePath}${listPath}${queryString(query, { order })}">
          ${words(text)}
          ${isSorted && icon('down', isDown ? '' : 'turned')}
        </a>
      </th>`;
  };
  const pickAll = html`
    <label class="pick for-script">
      <input type="checkbox" data-pick-all autocomplete="off">
      <span class="sr">${words('problems.selectAll')}</span>
    </label>`;
  const rows = problems.map((one) => problemRow(shown, one, shown.marks(one.id)));
  return table(words('frame.problems'), columns.map(head), rows, pickAll);
}

function table(caption: string, sorted: readonly Html[], rows: readonly Html[], pickAll?: Html): Html {
  return html`
    <table class="rows problems" role="table">
      <caption class="sr">${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <td role="cell" class="c-pick">${pickAll}</td>
          <th role="columnheader" scope="col" class="c-status">${words('problems.status')}</th>
          <td role="cell" class="c-star"></td>
          ${sorted}
          <th role="columnheader" scope="col" class="c-topics">${words('problem.topicsTitle')}</th>
          <th role="columnheader" scope="col" class="c-solved num">${words('problems.solvedBy')}</th>
          <th role="columnheader" scope="col" class="c-last">${words('problems.last')}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">${rows}</tbody>
    </table>`;
}

function problemRow({ forms, preferences }: Rows, row: ProblemRow, marks: RowMarks): Html {
  const { id, title } = row;
  const { basePath } = forms.site;
  const state = shownState(marks);
  const isSolved = state === 'complete';
  return html`
    <tr role="row" id="p${id}" data-problem="${id}" data-status="${state}" data-state="${state}">
      <td role="cell" class="c-pick">
        <label class="pick">
          <input type="checkbox" name="pick" value="${pickValue(id, marks)}" form="bulk" autocomplete="off">
          <span class="sr">${words('problems.select', { title })}</span>
        </label>
      </td>
      <td role="cell" class="c-status">${statusControl(forms, id, title, marks)}</td>
      <td role="cell" class="c-star">${star(forms, id, title, marks)}</td>
      <th role="rowheader" scope="row" class="c-title">
        ${marks.number !== undefined && html`<span class="faint num">${marks.number}.</span> `}
        <a href="${basePath}${problemPath(id)}" title="${title}">${title}</a>
        ${signs(row, marks, basePath)}
        ${marks.tags?.map((tag) => html` <span class="tag">${tag}</span>`)}
        ${marks.memo && html`<span class="memo"><bdi>${marks.memo}</bdi></span>`}
      </th>
      <td role="cell" class="c-key">${judgeKey(row)}</td>
      <td role="cell" class="c-diff">${shownDifficulty(row, preferences.hidesRatings && !isSolved)}</td>
      <td role="cell" class="c-topics">${topics(row, isSolved || !preferences.hidesTopics, basePath)}</td>
      <td role="cell" class="c-solved num">${marks.solvedBy !== undefined && thousands.format(marks.solvedBy)}</td>
      <td role="cell" class="c-last">${last(marks)}</td>
    </tr>`;
}

/** The signs behind a title: that there is a note, and that other keys name the same problem. */
function signs({ id, title, source, aliases }: ProblemRow, { bookmark }: OwnMarks, basePath: string): Html | undefined {
  const twins = knownAliases(source, aliases);
  if (!bookmark?.note && twins.length === 0) return undefined;
  const same = words('problem.sameAs', { keys: commaList(twins) });
  return html`
    ${
      bookmark?.note &&
      html`
        <a class="mark-note" href="${basePath}${problemPath(id)}#your-note" title="${words('problems.hasNote')}">
          ${icon('note')}
          <span class="sr">${words('problems.noteOn', { title })}</span>
        </a>`
    }
    ${
      twins.length > 0 &&
      html`<span class="mark-twin" title="${same}">${icon('twin')}<span class="sr">${same}</span></span>`
    }`;
}

/** When the member marked the problem or sent something to it last, and how it was solved, or how much was sent. */
function last({ status, tries }: RowMarks): Html | undefined {
  const at = [status?.self_at, status?.judge_at, tries?.last_at].reduce((one, other) =>
    (other ?? '') > (one ?? '') ? other : one,
  );
  if (!at) return isUndated(status) ? html`<span class="faint">${words('marks.dayUnknown')}</span>` : undefined;
  const how = status?.how ? words(`how.short.${status.how}`) : tries && words('problems.tries', { count: tries.sent });
  return html`${moment(at)}${how && html` <span class="faint">${how}</span>`}`;
}

/** The bar for the ticked rows; their boxes belong to its form. */
export function bulkBar(forms: Forms, query: ProblemQuery, total: number): Html {
  const to = `${listPath}bulk/${queryString(query)}`;
  const button = (name: string, text: string, kind = '') =>
    html`<button class="button${kind}" name="do" value="${name}">${text}</button>`;
  const option = (state: State) => html`<option value="${state}">${stateWord(state)}</option>`;
  const content = html`
    <p><b></b> ${words('bulk.selected')}</p>
    <div class="actions">
      <label class="sr" for="bulk-to">${words('bulk.newStatus')}</label>
      <select id="bulk-to" name="to">
        <option value="">${words('bulk.markAs')}</option>
        ${firstStates.map(option)}
        <optgroup label="${words('frame.more')}">${moreStates.map(option)}</optgroup>
      </select>
      ${button('mark', words('problems.apply'))}
      ${button('star', words('keys.star'), ' quiet')}
      ${button('list', words('lists.add'), ' quiet')}
      ${linkButton(forms.site.basePath + to, words('bulk.allFound', { count: total }), { kind: 'quiet' })}
    </div>`;
  const options = { to, id: 'bulk', className: 'bulk', label: words('bulk.label'), hidden: { from: forms.from } };
  return form(forms, options, content);
}

/** Which rows these are, links to the other pages, and how many rows a page has. */
export function pageLinks(
  query: ProblemQuery,
  { total, pages, shown }: { total: number; pages: number; shown: number },
  basePath: string,
): Html {
  const root = basePath + listPath;
  const { page, perPage } = query;
  const first = (page - 1) * perPage + 1;
  const address = queryString(query);
  const link = (to: string, text: string) =>
    html` <span aria-hidden="true">·</span> <a class="clear" href="${root}${to}/${address}">${text}</a>`;
  const change = link('bulk', words('bulk.changeAll', { count: total }));
  const add = link('lists/add', words('lists.addAll', { count: total }));
  return pager({
    label: words('pages.label'),
    page,
    pages,
    href: (to) => root + queryString(query, { page: to }),
    facts: html`${words('pages.rows', { first, last: first + shown - 1, total })}${change}${add}`,
    perPage: {
      label: words('pages.perPage'),
      chosen: perPage,
      sizes: pageSizes,
      action: root,
      query: queryString({ ...query, perPage: usualPageSize }),
    },
  });
}

/*
 * The problems of a list as a table with the member's own marks: on the page of the list, as an assignment, and on
 * Today.
 */

/** The tables of these problems; `from` is the page to which their forms go back. */
export async function listedProblems(visit: MemberVisit, listed: readonly ProblemInList[], from: string) {
  const shown = await problemRowsOf(
    visit,
    listed.map(({ id }) => id),
    from,
  );
  const { forms, marks } = shown;
  const heads = columns.map(
    ({ text, className }) => html`<th role="columnheader" scope="col" class="${className}">${words(text)}</th>`,
  );
  return {
    forms,
    isSolved: ({ id }: ProblemInList) => shownState(marks(id)) === 'complete',
    table(some: readonly ProblemInList[], caption: string, extra?: (one: ProblemInList) => RowExtra): Html {
      const row = (one: ProblemInList) => problemRow(shown, one, { ...marks(one.id), memo: one.memo, ...extra?.(one) });
      return table(caption, heads, some.map(row));
    },
  };
}
