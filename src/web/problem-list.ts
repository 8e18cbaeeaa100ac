/** The list of problems: filters in the address, a table with the member's marks, numbered pages. */
import { html } from 'hono/html';
import { judgeOf } from '../judges/addresses.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import {
  countProblems,
  listProblemIds,
  listProblemPage,
  listSources,
  listTopics,
} from '../store/problem-pages.ts';
import type { ProblemRow } from '../store/problems.ts';
import { findStatusPairs } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { changeBar } from './changes.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import {
  difficulty,
  judgeKey,
  markForm,
  type OwnMarks,
  shownState,
  star,
  states,
  stateWords,
  statusControl,
  thousands,
  topics,
} from './parts.ts';
import { addressOf, filterOf, keysOf, type ProblemQuery, readProblemQuery } from './problem-query.ts';
import type { Answer, MemberVisit, PageRoute } from './visits.ts';

export const listPath = '/problem_list/';

export const problemListPages: readonly PageRoute<MemberVisit>[] = [
  { path: listPath, show: showList },
  { path: '/problem_list/random/', show: showRandom },
];

/** A member's marks on these problems. */
export async function marksOf(db: Db, memberId: bigint, ids: readonly bigint[]) {
  const statuses = await findStatusPairs(db, memberId, ids);
  const bookmarks = await findBookmarks(db, memberId, ids);
  const statusById = new Map(statuses.map((row) => [row.problem_id, row]));
  const bookmarkById = new Map(bookmarks.map((row) => [row.problem_id, row]));
  return (id: bigint): OwnMarks => ({
    status: statusById.get(id),
    isBookmarked: bookmarkById.has(id),
    note: bookmarkById.get(id)?.note ?? null,
  });
}

async function showList(visit: MemberVisit): Promise<Answer> {
  const { store, member, site } = visit;
  const { reader } = store;
  const query = readProblemQuery(visit.query);
  const filter = filterOf(query, member.user_id);
  const total = Number(await countProblems(reader, filter));
  const pages = Math.max(1, Math.ceil(total / query.perPage));
  const page = Math.min(query.page, pages);
  const place = { offset: (page - 1) * query.perPage, limit: query.perPage };
  const rows = await listProblemPage(reader, filter, keysOf(query), place);
  const marks = await marksOf(
    reader,
    member.user_id,
    rows.map(({ id }) => id),
  );
  const here = { ...query, page };
  const root = site.basePath + listPath;
  const isFiltered = addressOf(query, { perPage: 25, order: '' }) !== '';
  const sources = await listSources(reader);
  const content =
    sources.length === 0
      ? emptyGarden(member.role === 'staff')
      : html`${filters(query, sources, await listTopics(reader), root)}
<div class="found"><p data-total="${total}"><b>${thousands.format(total)}</b> ${total === 1 ? 'problem' : 'problems'}</p>${isFiltered ? html`<ul class="chosen">${chosen(query, root)}<li><a href="${root}">Clear</a></li></ul>` : ''}</div>
${total === 0 ? nothingFound(root) : table(visit, here, rows, marks)}
${total === 0 ? '' : pager(here, { total, pages, shown: rows.length }, root)}`;
  const random = html`<a class="button" href="${root}random/${addressOf(query)}">${icon('random')}<span>Random</span></a>`;
  return {
    html: frame(
      visit,
      {
        title: 'Problems',
        current: listPath,
        kind: 'p-problems',
        bar: await changeBar(visit, listPath + addressOf(here, { page })),
      },
      html`${pageHead('Problems', { actions: random })}${content}`,
    ),
  };
}

async function showRandom({ store, member, query: asked }: MemberVisit): Promise<Answer> {
  const query = readProblemQuery(asked);
  const ids = await listProblemIds(store.reader, filterOf(query, member.user_id));
  const id = ids[Math.floor(Math.random() * ids.length)];
  return { to: id === undefined ? listPath + addressOf(query) : `/problem_list/problem/${id}/` };
}

function filters(
  query: ProblemQuery,
  sources: readonly string[],
  all: readonly { tag: string; count: bigint }[],
  root: string,
): Html {
  const option = (value: string, text: string, current: string) =>
    html`<option value="${value}"${value === current ? html` selected` : ''}>${text}</option>`;
  const tick = (name: string, list: readonly string[]) => (tag: string) =>
    html`<label class="tick"><input type="checkbox" name="${name}" value="${tag}"${list.includes(tag) ? html` checked` : ''}><span>${tag}</span></label>`;
  const menu = (label: string, count: number, panel: Html) =>
    html`<details class="menu" name="menu"><summary class="button"><span>${label}${count > 0 ? html`<b>${count}</b>` : ''}</span>${icon('down')}</summary><div class="menu-panel">${panel}</div></details>`;
  const names = all.map(({ tag }) => tag);
  return html`<form class="filters" action="${root}" role="search" aria-label="Problems">
<label class="field-search"><span class="sr">Title, key or link</span>${icon('search')}<input type="search" name="q" value="${query.q}" placeholder="Title, key or link" autocomplete="off"></label>
<div class="filter-set">
<label class="pick-one"><span class="sr">Judge</span><select name="source">${option('', 'Any judge', query.source)}${sources.map((source) => option(source, judgeOf(source)?.name ?? source, query.source))}</select></label>
<label class="pick-one"><span class="sr">Status</span><select name="status">${option('', 'Any status', query.status)}${option('unsolved', 'Not solved', query.status)}${option('tried', 'Tried, not solved', query.status)}${states.map((state) => option(state, stateWords[state], query.status))}</select></label>
<fieldset class="range"><legend class="sr">Rating</legend><label><span class="sr">Rating from</span><input type="text" inputmode="numeric" name="rating_min" value="${query.ratingMin ?? ''}" placeholder="1400" size="4"></label><span aria-hidden="true">–</span><label><span class="sr">Rating to</span><input type="text" inputmode="numeric" name="rating_max" value="${query.ratingMax ?? ''}" placeholder="1700" size="4"></label></fieldset>
${menu('Topics', query.tags.length, html`<fieldset class="ticks"><legend>All of these</legend>${names.map(tick('tag', query.tags))}</fieldset>`)}
${menu('Without', query.withoutTags.length, html`<fieldset class="ticks"><legend>None of these</legend>${names.map(tick('without_tag', query.withoutTags))}</fieldset>`)}
<label class="tick"><input type="checkbox" name="bookmarked" value="true"${query.isBookmarked ? html` checked` : ''}><span>Starred</span></label>
${query.order ? html`<input type="hidden" name="order" value="${query.order}">` : ''}${query.perPage === 25 ? '' : html`<input type="hidden" name="per_page" value="${query.perPage}">`}
<button class="button">Apply</button></div></form>`;
}

/** The filters that are set, each a link without it. */
function chosen(query: ProblemQuery, root: string): Html[] {
  const chips: [string, Partial<ProblemQuery>][] = [];
  if (query.q) chips.push([`“${query.q}”`, { q: '' }]);
  if (query.source) chips.push([judgeOf(query.source)?.name ?? query.source, { source: '' }]);
  const status = { unsolved: 'Not solved', tried: 'Tried, not solved', ...stateWords };
  if (query.status) chips.push([status[query.status], { status: '' }]);
  if (query.ratingMin !== undefined || query.ratingMax !== undefined) {
    const text = `Rating ${query.ratingMin ?? ''}–${query.ratingMax ?? ''}`;
    chips.push([text, { ratingMin: undefined, ratingMax: undefined }]);
  }
  for (const tag of query.tags) chips.push([tag, { tags: query.tags.filter((one) => one !== tag) }]);
  for (const tag of query.withoutTags)
    chips.push([`without ${tag}`, { withoutTags: query.withoutTags.filter((one) => one !== tag) }]);
  if (query.isBookmarked) chips.push(['Starred', { isBookmarked: false }]);
  return chips.map(
    ([text, without]) =>
      html`<li><a class="chip on" href="${root}${addressOf(query, without)}">${text}${icon('close')}<span class="sr">, remove this filter</span></a></li>`,
  );
}

function table(
  visit: MemberVisit,
  query: ProblemQuery,
  rows: readonly ProblemRow[],
  marks: (id: bigint) => OwnMarks,
): Html {
  const { site, antiForgery } = visit;
  const root = site.basePath + listPath;
  const from = listPath + addressOf(query, { page: query.page });
  const forms = { basePath: site.basePath, antiForgery, from };
  const head = (name: string, text: string, className = '') => {
    const isSorted = query.order.replace(/^-/, '') === name;
    const isDown = isSorted && query.order.startsWith('-');
    const next = isSorted && !isDown ? `-${name}` : name;
    const sort = isSorted ? (isDown ? 'descending' : 'ascending') : 'none';
    return html`<th scope="col" role="columnheader" class="${className}" aria-sort="${sort}"><a href="${root}${addressOf(query, { order: next })}">${text}</a></th>`;
  };
  return html`<table class="rows" role="table"><caption class="sr">Problems</caption>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Status</th><th scope="col" role="columnheader"><span class="sr">Star</span></th>${head('title', 'Problem')}${head('source_key', 'Key')}${head('rating', 'Difficulty')}<th scope="col" role="columnheader" class="topics">Topics</th></tr></thead>
<tbody role="rowgroup">${rows.map((row) => tableRow(row, marks(row.id), root, forms))}</tbody></table>`;
}

function tableRow(
  row: ProblemRow,
  marks: OwnMarks,
  root: string,
  forms: { basePath: string; antiForgery: Html; from: string },
): Html {
  const { id, title } = row;
  const state = shownState(marks);
  const hrefOf = (tag: string) => `${root}?${new URLSearchParams({ tag })}`;
  const note = marks.note
    ? html`<a class="mark-note" href="${root}problem/${id}/#note">${icon('note')}<span class="sr">Note on ${title}</span></a>`
    : '';
  return html`<tr role="row" id="p${id}" data-problem="${id}" data-status="${state}" data-state="${state}"><td role="cell" class="c-status">${markForm(forms, id, marks)}${statusControl(title, marks, `m${id}`)}</td><td role="cell" class="c-star">${star(title, marks, `m${id}`)}</td><th scope="row" role="rowheader" class="c-title"><a href="${root}problem/${id}/">${title}</a>${note}</th><td role="cell" class="c-key">${judgeKey(row)}</td><td role="cell" class="c-diff">${difficulty(row)}</td><td role="cell" class="c-topics topics">${topics(row, { isOpen: false, hrefOf })}</td></tr>`;
}

function pager(
  query: ProblemQuery,
  { total, pages, shown }: { total: number; pages: number; shown: number },
  root: string,
): Html {
  const { page, perPage } = query;
  const first = (page - 1) * perPage + 1;
  const near = [1, page - 1, page, page + 1, pages];
  const numbers = [...new Set(near)].filter((one) => one >= 1 && one <= pages);
  const link = (to: number, text: Html | string, className = '') =>
    html`<a${className ? html` class="${className}"` : ''} href="${root}${addressOf(query, { page: to })}">${text}</a>`;
  return html`<nav class="pager" aria-label="Pages"><p>${thousands.format(first)}–${thousands.format(first + shown - 1)} of ${thousands.format(total)}</p>
<ul>${page > 1 ? html`<li>${link(page - 1, html`${icon('left')}<span>Previous</span>`)}</li>` : ''}${numbers.map((one, place) => html`${place > 0 && one - (numbers[place - 1] ?? 0) > 1 ? html`<li aria-hidden="true">…</li>` : ''}<li>${one === page ? html`<span aria-current="page">${one}</span>` : link(one, String(one))}</li>`)}${page < pages ? html`<li>${link(page + 1, html`<span>Next</span>${icon('right')}`)}</li>` : ''}</ul>
<ul class="sizes" aria-label="Rows on a page">${[25, 50, 100, 200].map((size) => html`<li>${size === perPage ? html`<span aria-current="true">${size}</span>` : html`<a href="${root}${addressOf(query, { perPage: size })}">${size}<span class="sr"> rows</span></a>`}</li>`)}</ul></nav>`;
}

function nothingFound(root: string): Html {
  return html`<div class="panel empty"><h2>No problem matches</h2><p class="soft">Take a filter away, or look for another word.</p><div class="actions"><a class="button" href="${root}">Clear all filters</a></div></div>`;
}

function emptyGarden(isStaff: boolean): Html {
  return html`<div class="panel empty"><h2>No problems here yet</h2><p class="soft">${isStaff ? html`A garden begins with a catalogue. From the command line: <code>garden import codeforces-problems FILE</code>` : 'Staff will import them.'}</p></div>`;
}
