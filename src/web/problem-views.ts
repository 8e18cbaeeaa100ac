/** Saved views: the tabs above the problem list, and the page where a member saves, renames and deletes their own. */
import { html } from 'hono/html';
import {
  deleteView,
  longestViewName,
  readPreferences,
  type SavedView,
  savedViewsAtMost,
  saveView,
} from '../practice/preferences.ts';
import type { ProblemCounter } from '../store/problem-pages.ts';
import { reviewPath } from './dashboard/queues.ts';
import { field } from './fields.ts';
import { thousands } from './formats.ts';
import { type Faults, textField } from './forms.ts';
import { frame, pageHead } from './frame.ts';
import { icon } from './icons.ts';
import type { Html } from './layout.ts';
import { listsPath } from './lists/paths.ts';
import { chipsOf } from './problem-filters.ts';
import { addressOf, filterOf, listPath, type ProblemQuery, readProblemQuery } from './problem-query.ts';
import type { Answer, MemberVisit, PageRoute } from './visits.ts';
import { richWords, words } from './words.ts';

const viewsPath = `${listPath}views/`;
/** The first tabs; each number costs a statement. */
const countedAtMost = 5;

export const problemViewPages: readonly PageRoute<MemberVisit>[] = [
  { path: viewsPath, show: (visit) => showViews(visit), change: takeView },
];

/** Views that every member has. */
const given: readonly SavedView[] = [
  { name: words('views.upsolve'), query: '?status=tried' },
  { name: words('filters.starred'), query: '?bookmarked=true' },
];

/** What a view keeps of a list: filters and order, but neither the page nor its size. */
const kept = (query: ProblemQuery) => addressOf({ ...query, perPage: 25 });

const queryOf = ({ query }: SavedView) => readProblemQuery(new URLSearchParams(query));

/** The list of problems as it is open: what it asks for, and how much it found. */
interface OpenList {
  query: ProblemQuery;
  total: number;
  views: readonly SavedView[];
  counter: ProblemCounter;
}

/**
 * The tabs of Problems. Views have numbers where the member's own marks list the problems, and where the list is open and counted
 * already; a page beside the list has none.
 */
export async function problemTabs(visit: MemberVisit, current: string, list?: OpenList): Promise<Html> {
  const { store, site, member } = visit;
  const { basePath } = site;
  const root = basePath + listPath;
  const here = list && kept(list.query);
  const views = list?.views ?? (await readPreferences(store.reader, member.user_id)).views;
  const tab = (href: string, name: Html | string, isHere: boolean) =>
    html`<li><a href="${basePath}${href}"${isHere ? html` aria-current="page"` : ''}>${name}</a></li>`;
  const tabOf = async (view: SavedView, place: number) => {
    const viewed = queryOf(view);
    const isCounted = list && place < countedAtMost && isOfOwnMarks(viewed);
    const count =
      view.query === here
        ? list?.total
        : isCounted
          ? await list.counter.found(await filterOf(visit, viewed))
          : undefined;
    const number =
      count === undefined
        ? ''
        : html`<span class="n" data-count="${count}">${thousands.format(count)}</span>`;
    return tab(listPath + view.query, html`<bdi>${view.name}</bdi>${number}`, view.query === here);
  };
  const fixed: Html[] = [];
  for (const [place, view] of given.entries()) fixed.push(await tabOf(view, place));
  const saved: Html[] = [];
  for (const [place, view] of views.entries()) saved.push(await tabOf(view, given.length + place));
  const isNew = here && ![...given, ...views].some((view) => view.query === here);
  return html`<nav class="tabs" aria-label="${words('frame.problems')}" tabindex="0"><ul>${tab(listPath, words('frame.allProblems'), here === '')}${tab(listsPath, words('lists.title'), current === listsPath)}${fixed}${tab(reviewPath, words('review.title'), current === reviewPath)}${saved}<li><a class="add" href="${root}views/${here ?? ''}">${isNew ? html`${icon('plus')}${words('views.saveThis')}` : words('views.views')}</a></li></ul></nav>`;
}

/** A member has few marks beside a catalogue, so these are counted at once; the others would be counted along all problems. */
function isOfOwnMarks({ status, isBookmarked }: ProblemQuery): boolean {
  return isBookmarked || (status !== '' && status !== 'unsolved' && status !== 'not_started');
}

async function showViews(visit: MemberVisit, faults: Faults = {}, name = ''): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { basePath } = site;
  const { views } = await readPreferences(store.reader, member.user_id);
  const query = readProblemQuery(visit.query);
  const address = kept(query);
  const filters = chipsOf(query).map(([text]) => text);
  if (query.order)
    filters.push(words('views.by', { order: query.order.replace(/^-/, '').replace('_', ' ') }));
  const save = html`<section class="panel" aria-labelledby="save-title"><div class="panel-head"><h2 id="save-title">${words('views.saveThis')}</h2></div>
<p class="soft">${filters.join(', ')}</p>
<form class="form" method="post" action="${basePath}${viewsPath}${address}">${antiForgery}${textField(words('planting.name'), 'name', faults, { value: name, hint: words('views.nameHint'), hasFocus: true })}
<div class="actions"><button class="button primary">${words('profile.save')}</button><a class="button quiet" href="${basePath}${listPath}${address}">${words('views.back')}</a></div></form></section>`;
  const row = (view: SavedView) =>
    html`<li data-view="${view.name}"><span><a href="${basePath}${listPath}${view.query}">${view.name}</a> <span class="soft">${chipsOf(
      queryOf(view),
    )
      .map(([text]) => text)
      .join(
        ', ',
      )}</span></span><form method="post" action="${basePath}${viewsPath}${address}">${antiForgery}<button class="button small quiet danger" name="delete" value="${view.name}">${icon('trash')}<span>${richWords('views.delete', { name: view.name })}</span></button></form></li>`;
  const none = html`<p class="soft">${words('views.none')}</p>`;
  const content = html`${pageHead(words('views.title'), { crumbs: [[`${basePath}${listPath}`, words('frame.problems')]] })}
<div class="stack">${address === '' ? '' : save}<section class="panel" aria-labelledby="views-title"><div class="panel-head"><h2 id="views-title">${words('views.yours')}</h2><p>${words('views.countOf', { count: views.length, most: savedViewsAtMost })}</p></div>${views.length === 0 ? none : html`<ul class="view-list">${views.map(row)}</ul>`}</section></div>`;
  const isRefused = Object.keys(faults).length > 0;
  return {
    html: frame(visit, { title: words('views.title'), current: listPath, kind: 'p-views' }, content),
    ...(isRefused && { status: 422 }),
  };
}

async function takeView(visit: MemberVisit): Promise<Answer> {
  const { store, member, form } = visit;
  const query = kept(readProblemQuery(visit.query));
  const { user_id } = member;
  const deleted = form.get('delete');
  if (deleted !== null) {
    await store.write((tx) => deleteView(tx, user_id, deleted));
    return { to: viewsPath + query };
  }
  const name = field(form, 'name', 1000).replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim();
  const isTaken = [...given.map((view) => view.name), words('frame.allProblems')].includes(name);
  const refuse = (sentence: string) => showViews(visit, { name: sentence }, name);
  if (query === '') return { to: listPath };
  if (name === '') return refuse(words('views.nameIt'));
  if (name.length > longestViewName) return refuse(words('form.atMost', { longest: longestViewName }));
  if (isTaken) return refuse(words('views.taken'));
  const isSaved = await store.write((tx) => saveView(tx, user_id, { name, query }));
  if (!isSaved) return refuse(words('views.full', { most: savedViewsAtMost }));
  return { to: listPath + query };
}
