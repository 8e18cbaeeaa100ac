/** The table of problems with the member's marks, and the bar that changes the selected rows. */

import { parseInt64 } from '../../contract/common.ts';
import { publicAliases } from '../../judges/judges.ts';
import { isUndated, type MarkVersions, versionOf } from '../../practice/marks.ts';
import { type Preferences, readPreferences } from '../../practice/preferences.ts';
import { type Chance, readChances } from '../../practice/strength.ts';
import { findBookmarks } from '../../store/bookmarks.ts';
import type { ProblemInList } from '../../store/lists.ts';
import { findSolvedCounts, type ProblemRow } from '../../store/problems.ts';
import { listTries, type Tries } from '../../store/solves.ts';
import { findStatuses, type State } from '../../store/statuses.ts';
import type { Db } from '../../store/tables.ts';
import { attr, type Html, html } from '../markup.ts';
import { problemPath, problemsPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { commaList, thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { chanceCell, modelsFor } from './chance.ts';
import { moment } from './dates.ts';
import { shownDifficulty } from './difficulty.ts';
import { form } from './form.ts';
import { icon } from './icons.ts';
import { linkButton } from './links.ts';
import {
  commonStates,
  type Forms,
  judgeKey,
  type ProblemMarks,
  rareStates,
  shownState,
  star,
  stateLabel,
  statusControl,
  topics,
} from './marks.ts';
import { pager } from './pager.ts';
import { defaultPageSize, type ProblemQuery, pageSizes, queryString } from './problem-query.ts';

/** A page has 200 rows at most; a form may combine several pages. */
const picksAtMost = 1000;

export function selectionValue(id: bigint, { status }: ProblemMarks): string {
  return `${id}:${versionOf(status)}`;
}

export interface SelectedRows {
  ids: readonly bigint[];
  versions: MarkVersions;
}

export function readSelectedRows(form: URLSearchParams): SelectedRows {
  const versions = new Map<bigint, string>();
  for (const value of form.getAll('pick').slice(0, picksAtMost)) {
    const [digits = '', status = ''] = value.slice(0, 100).split(':');
    const id = parseInt64(digits);
    if (id === undefined) continue;
    versions.set(id, status);
  }
  return { ids: [...versions.keys()], versions };
}

export interface RowExtra {
  number?: number;
  tags?: readonly (string | Html)[];
}

type RowMarks = ProblemMarks & {
  tries?: Tries | undefined;
  solvedBy?: bigint | undefined;
  memo?: string | null;
} & RowExtra;

export async function findMarks(
  db: Db,
  memberId: bigint,
  ids: readonly bigint[],
): Promise<(id: bigint) => ProblemMarks> {
  const statuses = await findStatuses(db, memberId, ids);
  const bookmarks = await findBookmarks(db, memberId, ids);
  const statusById = new Map(statuses.map((row) => [row.problem_id, row]));
  const bookmarkById = new Map(bookmarks.map((row) => [row.problem_id, row]));
  return (id) => ({ status: statusById.get(id), bookmark: bookmarkById.get(id) });
}

interface TableContext {
  forms: Forms;
  marks(id: bigint): RowMarks;
  preferences: Preferences;
  /** Undefined for a table without the column, which a member chooses, or without a problem for it. */
  chances: ReadonlyMap<bigint, Chance> | undefined;
}

export async function problemRowsOf(
  visit: MemberVisit,
  problems: readonly ProblemRow[],
  from: string,
): Promise<TableContext> {
  const { reader } = visit.store;
  const { user_id } = visit.member;
  const ids = problems.map(({ id }) => id);
  const marks = await findMarks(reader, user_id, ids);
  const tries = new Map((await listTries(reader, ids, { userId: user_id })).map((row) => [row.problem_id, row]));
  const solvedBy = await findSolvedCounts(reader, ids);
  const preferences = await readPreferences(reader, user_id);
  const { showsChances } = preferences;
  const unsolved = problems.filter(({ id }) => shownState(marks(id)) !== 'complete');
  const chances = showsChances && (await readChances(reader, user_id, modelsFor(preferences), unsolved, Date.now()));
  return {
    forms: { ...visit, from },
    marks: (id) => ({ ...marks(id), tries: tries.get(id), solvedBy: solvedBy.get(id) }),
    preferences,
    chances: chances && chances.size > 0 ? chances : undefined,
  };
}

export const columns = [
  { name: 'title', text: 'problems.problem', className: 'c-title' },
  { name: 'source_key', text: 'problems.key', className: 'c-key' },
  { name: 'rating', text: 'problems.difficulty', className: 'c-diff' },
] as const;

export function problemTable(context: TableContext, query: ProblemQuery, problems: readonly ProblemRow[]): Html {
  const sortedBy = query.order.replace(/^-/, '');
  const isDescending = query.order.startsWith('-');
  const head = ({ name, text, className }: (typeof columns)[number]) => {
    const isSorted = sortedBy === name;
    const order = !isSorted ? name : isDescending ? '' : `-${name}`;
    return html`
      <th
        role="columnheader" scope="col"
        class="${className}"${attr('aria-sort', isSorted && (isDescending ? 'descending' : 'ascending'))}
      >
        <a href="${context.forms.site.basePath}${problemsPath}${queryString(query, { order })}">
          ${words(text)}
          ${isSorted && icon('down', isDescending ? '' : 'turned')}
        </a>
      </th>`;
  };
  const pickAll = html`
    <label class="pick for-script">
      <input type="checkbox" data-pick-all autocomplete="off">
      <span class="sr">${words('problems.selectAll')}</span>
    </label>`;
  const rows = problems.map((row) => problemRow(context, row, context.marks(row.id)));
  return table(context, words('frame.problems'), columns.map(head), rows, pickAll);
}

function table(
  { chances }: TableContext,
  caption: string,
  sortedBy: readonly Html[],
  rows: readonly Html[],
  pickAll?: Html,
): Html {
  return html`
    <table class="rows problems" role="table">
      <caption class="sr">${caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          <td role="cell" class="c-pick">${pickAll}</td>
          <th role="columnheader" scope="col" class="c-status">${words('problems.status')}</th>
          <td role="cell" class="c-star"></td>
          ${sortedBy}
          ${chances && html`<th role="columnheader" scope="col" class="c-chance">${words('chance.column')}</th>`}
          <th role="columnheader" scope="col" class="c-topics">${words('problem.topicsTitle')}</th>
          <th role="columnheader" scope="col" class="c-solved num">${words('problems.solvedBy')}</th>
          <th role="columnheader" scope="col" class="c-last">${words('problems.last')}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">${rows}</tbody>
    </table>`;
}

function problemRow({ forms, preferences, chances }: TableContext, row: ProblemRow, marks: RowMarks): Html {
  const { id, title } = row;
  const { basePath } = forms.site;
  const state = shownState(marks);
  const isSolved = state === 'complete';
  return html`
    <tr role="row" id="p${id}" data-problem="${id}" data-status="${state}" data-state="${state}">
      <td role="cell" class="c-pick">
        <label class="pick">
          <input type="checkbox" name="pick" value="${selectionValue(id, marks)}" form="bulk" autocomplete="off">
          <span class="sr">${words('problems.select', { title })}</span>
        </label>
      </td>
      <td role="cell" class="c-status">${statusControl(forms, id, title, marks)}</td>
      <td role="cell" class="c-star">${star(forms, id, title, marks)}</td>
      <th role="rowheader" scope="row" class="c-title">
        ${marks.number !== undefined && html`<span class="faint num">${marks.number}.</span> `}
        <a href="${basePath}${problemPath(id)}" title="${title}">${title}</a>
        ${titleIcons(row, marks, basePath)}
        ${marks.tags?.map((tag) => html` <span class="tag">${tag}</span>`)}
        ${marks.memo && html`<span class="memo"><bdi>${marks.memo}</bdi></span>`}
      </th>
      <td role="cell" class="c-key">${judgeKey(row)}</td>
      <td role="cell" class="c-diff">${shownDifficulty(row, preferences.hidesRatings && !isSolved)}</td>
      ${chances && html`<td role="cell" class="c-chance">${chanceCell(chances.get(id))}</td>`}
      <td role="cell" class="c-topics">${topics(row, isSolved || !preferences.hidesTopics, basePath)}</td>
      <td role="cell" class="c-solved num">${marks.solvedBy !== undefined && thousands.format(marks.solvedBy)}</td>
      <td role="cell" class="c-last">${lastActivity(marks)}</td>
    </tr>`;
}

function titleIcons(
  { id, title, source, aliases }: ProblemRow,
  { bookmark }: ProblemMarks,
  basePath: string,
): Html | undefined {
  const aliasKeys = publicAliases(source, aliases);
  if (!bookmark?.note && aliasKeys.length === 0) return undefined;
  const aliasText = words('problem.sameAs', { keys: commaList(aliasKeys) });
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
      aliasKeys.length > 0 &&
      html`<span class="mark-twin" title="${aliasText}">${icon('twin')}<span class="sr">${aliasText}</span></span>`
    }`;
}

function lastActivity({ status, tries }: RowMarks): Html | undefined {
  const at = [status?.self_at, status?.judge_at, tries?.last_at].reduce((latest, at) =>
    (at ?? '') > (latest ?? '') ? at : latest,
  );
  if (!at) return isUndated(status) ? html`<span class="faint">${words('marks.dayUnknown')}</span>` : undefined;
  const how = status?.how
    ? words(`how.short.${status.how}`)
    : tries && words('problems.tries', { count: tries.submissions });
  return html`${moment(at)}${how && html` <span class="faint">${how}</span>`}`;
}

/** The checkboxes of the rows belong to this form. */
export function bulkBar(forms: Forms, query: ProblemQuery, total: number): Html {
  const to = `${problemsPath}bulk/${queryString(query)}`;
  const button = (name: string, text: string, kind = '') =>
    html`<button class="button${kind}" name="do" value="${name}">${text}</button>`;
  const option = (state: State) => html`<option value="${state}">${stateLabel(state)}</option>`;
  const content = html`
    <p><b></b> ${words('bulk.selected')}</p>
    <div class="actions">
      <label class="sr" for="bulk-to">${words('bulk.newStatus')}</label>
      <select id="bulk-to" name="to">
        <option value="">${words('bulk.markAs')}</option>
        ${commonStates.map(option)}
        <optgroup label="${words('frame.more')}">${rareStates.map(option)}</optgroup>
      </select>
      ${button('mark', words('problems.apply'))}
      ${button('star', words('keys.star'), ' quiet')}
      ${button('list', words('lists.add'), ' quiet')}
      ${linkButton(forms.site.basePath + to, words('bulk.allFound', { count: total }), { kind: 'quiet' })}
    </div>`;
  const options = { to, id: 'bulk', className: 'bulk', label: words('bulk.label'), hidden: { from: forms.from } };
  return form(forms, options, content);
}

export function pageLinks(
  query: ProblemQuery,
  { total, pages, shown }: { total: number; pages: number; shown: number },
  basePath: string,
): Html {
  const root = basePath + problemsPath;
  const { page, perPage } = query;
  const first = (page - 1) * perPage + 1;
  const address = queryString(query);
  const link = (to: string, text: string) =>
    html` <span aria-hidden="true">·</span> <a class="clear" href="${root}${to}/${address}">${text}</a>`;
  const change = link('bulk', total === 1 ? words('follow.change') : words('bulk.changeAll', { count: total }));
  const add = link('lists/add', total === 1 ? words('lists.add') : words('lists.addAll', { count: total }));
  return pager({
    label: words('pages.label'),
    page,
    pages,
    href: (to) => root + queryString(query, { page: to }),
    summary: html`${words('pages.rows', { first, last: first + shown - 1, total })}${change}${add}`,
    perPage: {
      label: words('pages.perPage'),
      size: perPage,
      sizes: pageSizes,
      action: root,
      query: queryString({ ...query, perPage: defaultPageSize }),
    },
  });
}

export async function problemTables(visit: MemberVisit, problems: readonly ProblemInList[], from: string) {
  const context = await problemRowsOf(visit, problems, from);
  const { forms, marks } = context;
  const heads = columns.map(
    ({ text, className }) => html`<th role="columnheader" scope="col" class="${className}">${words(text)}</th>`,
  );
  return {
    forms,
    isSolved: ({ id }: ProblemInList) => shownState(marks(id)) === 'complete',
    table(tableProblems: readonly ProblemInList[], caption: string, extra?: (row: ProblemInList) => RowExtra): Html {
      const rowOf = (row: ProblemInList) =>
        problemRow(context, row, { ...marks(row.id), memo: row.memo, ...extra?.(row) });
      return table(context, caption, heads, tableProblems.map(rowOf));
    },
  };
}
