/** The tabs of Problems: all of them, lists, the views, and what is due for review. */
import { readPreferences, type SavedView, type Switch } from '../../practice/preferences.ts';
import type { ProblemCounter } from '../../store/problem-lists.ts';
import { attr, type Html, html } from '../markup.ts';
import { listPath, listsPath, reviewPath, switchPath } from '../paths.ts';
import type { MemberVisit } from '../road/visits.ts';
import { thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { form } from './form.ts';
import { tabList } from './frame.ts';
import { icon } from './icons.ts';
import { filterOf, type ProblemQuery, queryString, readProblemQuery, usualPageSize } from './problem-query.ts';

/** The first tabs; each number costs a statement. */
const countedAtMost = 5;

/** Views that every member has. */
export const builtInViews = (): readonly SavedView[] => [
  { name: words('views.upsolve'), query: '?status=tried' },
  { name: words('filters.starred'), query: '?bookmarked=true' },
];

/** A view keeps the filters and the order of a list, but neither the page nor its size. */
export const viewQuery = (query: ProblemQuery) => queryString({ ...query, perPage: usualPageSize });
export const queryOf = ({ query }: SavedView) => readProblemQuery(new URLSearchParams(query));

/** The list of problems as it is open: what it asks for, and how much it found. */
export interface OpenList {
  query: ProblemQuery;
  total: number;
  views: readonly SavedView[];
  counter: ProblemCounter;
}

/**
 * A member has few marks beside a catalogue, so these are counted at once; the others would be counted along all
 * problems.
 */
function isOfOwnMarks({ status, isBookmarked }: ProblemQuery): boolean {
  return isBookmarked || (status !== '' && status !== 'unsolved' && status !== 'not_started');
}

/**
 * The tabs of Problems. Views have numbers where the member's own marks list the problems, and where the list is open
 * and counted already; a page beside the list has none.
 */
export async function problemTabs(visit: MemberVisit, current: string, list?: OpenList): Promise<Html> {
  const { store, site, member } = visit;
  const { basePath } = site;
  const root = basePath + listPath;
  const here = list && viewQuery(list.query);
  const views = list?.views ?? (await readPreferences(store.reader, member.user_id)).views;
  const tab = (href: string, name: Html | string, isHere: boolean) =>
    html`<li><a href="${basePath}${href}"${attr('aria-current', isHere && 'page')}>${name}</a></li>`;
  const tabOf = async (view: SavedView, place: number) => {
    const viewed = queryOf(view);
    const isCounted = list && place < countedAtMost && isOfOwnMarks(viewed);
    const count =
      view.query === here
        ? list?.total
        : isCounted
          ? await list.counter.found(await filterOf(visit, viewed))
          : undefined;
    const number = count !== undefined && html`<span class="n" data-count="${count}">${thousands.format(count)}</span>`;
    return tab(listPath + view.query, html`<bdi>${view.name}</bdi>${number}`, view.query === here);
  };
  const everybodys = builtInViews();
  const all = [...everybodys, ...views];
  const tabs: Html[] = [];
  for (const [place, view] of all.entries()) tabs.push(await tabOf(view, place));
  const isNew = here && !all.some((view) => view.query === here);
  return tabList(
    words('frame.problems'),
    html`
      ${tab(listPath, words('frame.allProblems'), here === '')}
      ${tab(listsPath, words('lists.title'), current === listsPath)}
      ${tabs.slice(0, everybodys.length)}
      ${tab(reviewPath, words('review.title'), current === reviewPath)}
      ${tabs.slice(everybodys.length)}
      <li>
        <a class="add" href="${root}views/${here ?? ''}">
          ${isNew ? html`${icon('plus')}${words('views.saveThis')}` : words('views.views')}
        </a>
      </li>`,
  );
}

/* The switches of what stays hidden in lists of problems. */

export function switchForm(
  visit: MemberVisit,
  from: string,
  switches: readonly (readonly [name: Switch, label: string, isOn: boolean])[],
): Html {
  const buttons = switches.map(
    ([name, label, isOn]) =>
      html`
        <button class="switch" role="switch" aria-checked="${String(isOn)}" name="${name}" value="${String(!isOn)}">
          <span class="track" aria-hidden="true"></span>
          <span>${label}</span>
        </button>`,
  );
  return form(visit, { to: switchPath, className: 'show', hidden: { from } }, html`${buttons}`);
}
