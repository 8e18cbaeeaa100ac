/** The filters above the problem list: the form whose fields stand in the address, and the chips that take them away again. */
import { html } from 'hono/html';
import { judgeOf } from '../judges/addresses.ts';
import type { CatalogueFacts } from '../store/problem-counts.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import { stateIcon, states, stateWords, thousands } from './parts.ts';
import { addressOf, listPath, type ProblemQuery, statusWords } from './problem-query.ts';

const menu = (label: string, count: number, panel: Html, kind = '') =>
  html`<details class="menu${kind}" name="menu"><summary class="button"><span>${label}${count > 0 ? html`<b>${count}</b>` : ''}</span>${icon('down')}</summary><div class="menu-panel">${panel}<div class="menu-foot"><button class="button primary small">Show problems</button></div></div></details>`;

const radio = (name: string, value: string, current: string, text: Html | string, count?: bigint) =>
  html`<label class="tick"><input type="radio" name="${name}" value="${value}"${value === current ? html` checked` : ''}>${text}${count === undefined ? '' : html`<span class="faint num">${thousands.format(count)}</span>`}</label>`;

export function filterForm(query: ProblemQuery, { sources, topics }: CatalogueFacts, basePath: string): Html {
  // A topic that the address names stays in its menu, however rare.
  const listed = new Set(topics.map(({ tag }) => tag));
  const rare = [...query.tags, ...query.withoutTags].filter((tag) => !listed.has(tag));
  const all = [...new Set(rare).values().map((tag) => ({ tag, count: undefined })), ...topics];
  const topicTicks = (name: string, legend: string, chosen: readonly string[]) =>
    html`<fieldset class="ticks pair long"><legend>${legend}</legend>${all.map(({ tag, count }) => html`<label class="tick"><input type="checkbox" name="${name}" value="${tag}"${chosen.includes(tag) ? html` checked` : ''}><span>${tag}</span>${count === undefined ? '' : html`<span class="faint num">${thousands.format(count)}</span>`}</label>`)}</fieldset>`;
  const judges = sources.map(({ source, count }) =>
    radio('source', source, query.source, html`<span>${judgeOf(source)?.name ?? source}</span>`, count),
  );
  const statuses = states.map((name) =>
    radio('status', name, query.status, html`${stateIcon(name)}<span>${stateWords[name]}</span>`),
  );
  return html`<form class="filters" action="${basePath}${listPath}" role="search" aria-label="Filter problems">
<label class="field-search"><span class="sr">Title, key or link</span>${icon('search')}<input type="search" name="q" value="${query.q}" placeholder="Title, key or link" autocomplete="off" maxlength="200"></label>
<input type="checkbox" class="sr toggle" id="more-filters"><label class="button toggle-label" for="more-filters">${icon('filter')}<span>Filters</span>${countOf(query) > 0 ? html`<b>${countOf(query)}</b>` : ''}</label>
<div class="filter-set">
${menu('Judge', query.source === '' ? 0 : 1, html`<fieldset class="ticks"><legend>Judge</legend>${radio('source', '', query.source, html`<span>Any judge</span>`)}${judges}</fieldset>`)}
${menu('Status', (query.status === '' ? 0 : 1) + (query.isBookmarked ? 1 : 0), html`<fieldset class="ticks"><legend>Your status</legend>${radio('status', '', query.status, html`<span>Any status</span>`)}${radio('status', 'unsolved', query.status, html`<span>${statusWords.unsolved}</span>`)}${radio('status', 'tried', query.status, html`<span>${statusWords.tried}</span>`)}${statuses}</fieldset><fieldset class="ticks"><legend>Only</legend><label class="tick"><input type="checkbox" name="bookmarked" value="true"${query.isBookmarked ? html` checked` : ''}><span>Starred</span></label></fieldset>`)}
<fieldset class="range"><legend class="sr">Rating</legend><span aria-hidden="true">Rating</span><input type="number" name="rating_min" value="${query.ratingMin ?? ''}" min="0" max="10000" step="1" aria-label="Rating from"><span aria-hidden="true">–</span><input type="number" name="rating_max" value="${query.ratingMax ?? ''}" min="0" max="10000" step="1" aria-label="Rating to"></fieldset>
${menu('Topics', query.tags.length, topicTicks('tag', 'Topics: all of these', query.tags), ' end')}
${menu('Without', query.withoutTags.length, topicTicks('without_tag', 'Topics: none of these', query.withoutTags), ' end')}
${query.order ? html`<input type="hidden" name="order" value="${query.order}">` : ''}${query.perPage === 25 ? '' : html`<input type="hidden" name="per_page" value="${query.perPage}">`}<button class="button">Apply</button>
</div></form>`;
}

/** How many filters are set beside the search. */
function countOf(query: ProblemQuery): number {
  return chipsOf({ ...query, q: '' }).length;
}

/** The filters that are set, in words, each with what takes it away. */
export function chipsOf(query: ProblemQuery): [text: string, without: Partial<ProblemQuery>][] {
  const chips: [string, Partial<ProblemQuery>][] = [];
  if (query.q) chips.push([`“${query.q}”`, { q: '' }]);
  if (query.source) chips.push([judgeOf(query.source)?.name ?? query.source, { source: '' }]);
  if (query.status) chips.push([statusWords[query.status], { status: '' }]);
  const { ratingMin: least, ratingMax: most } = query;
  if (least !== undefined || most !== undefined) {
    const range =
      most === undefined ? `from ${least}` : least === undefined ? `to ${most}` : `${least}–${most}`;
    chips.push([`Rating ${range}`, { ratingMin: undefined, ratingMax: undefined }]);
  }
  for (const tag of query.tags) chips.push([tag, { tags: query.tags.filter((one) => one !== tag) }]);
  for (const tag of query.withoutTags)
    chips.push([`without ${tag}`, { withoutTags: query.withoutTags.filter((one) => one !== tag) }]);
  if (query.isBookmarked) chips.push(['Starred', { isBookmarked: false }]);
  return chips;
}

export function chosenFilters(query: ProblemQuery, basePath: string): Html | string {
  const chips = chipsOf(query);
  if (chips.length === 0) return html`<span class="chosen"></span>`;
  const root = basePath + listPath;
  return html`<ul class="chosen" aria-label="Filters in force">${chips.map(([text, without]) => html`<li><a class="chip on" href="${root}${addressOf(query, without)}">${text}<span class="sr">, remove</span>${icon('close')}</a></li>`)}<li><a class="clear" href="${root}">Clear</a></li></ul>`;
}
