/** The tabs of Problems. */
import { readPreferences, type SavedView, type Switch } from '../../practice/preferences.ts';
import type { ProblemCounter } from '../../store/problem-lists.ts';
import { attr, type Html, html } from '../markup.ts';
import { listSwitchesPath, listsPath, problemsPath, reviewPath } from '../paths.ts';
import type { MemberVisit } from '../request/visits.ts';
import { thousands } from '../words/formats.ts';
import { words } from '../words/words.ts';
import { form } from './form.ts';
import { tabList } from './frame.ts';
import { icon } from './icons.ts';
import { defaultPageSize, filterOf, type ProblemQuery, queryString, readProblemQuery } from './problem-query.ts';

/** Each count costs a statement, so only the first tabs have one. */
const countedAtMost = 5;

export const builtInViews = (): readonly SavedView[] => [
  { name: words('views.upsolve'), query: '?status=tried' },
  { name: words('filters.starred'), query: '?bookmarked=true' },
];

export const viewQuery = (query: ProblemQuery) => queryString({ ...query, perPage: defaultPageSize });
export const queryOf = ({ query }: SavedView) => readProblemQuery(new URLSearchParams(query));

export interface CurrentList {
  query: ProblemQuery;
  total: number;
  views: readonly SavedView[];
  counter: ProblemCounter;
}

/** Only a member's own marks are few enough to be counted for each tab. */
function isLimitedToMarks({ status, isBookmarked }: ProblemQuery): boolean {
  return isBookmarked || (status !== '' && status !== 'unsolved' && status !== 'not_started');
}

export async function problemTabs(visit: MemberVisit, current: string, list?: CurrentList): Promise<Html> {
  const { store, site, member } = visit;
  const { basePath } = site;
  const root = basePath + problemsPath;
  const currentView = list && viewQuery(list.query);
  const views = list?.views ?? (await readPreferences(store.reader, member.user_id)).views;
  const tab = (href: string, name: Html | string, isCurrent: boolean) =>
    html`<li><a href="${basePath}${href}"${attr('aria-current', isCurrent && 'page')}>${name}</a></li>`;
  const tabOf = async (view: SavedView, index: number) => {
    const filters = queryOf(view);
    const isCounted = list && index < countedAtMost && isLimitedToMarks(filters);
    const count =
      view.query === currentView
        ? list?.total
        : isCounted
          ? await list.counter.countFound(await filterOf(visit, filters))
          : undefined;
    const number = count !== undefined && html`<span class="n" data-count="${count}">${thousands.format(count)}</span>`;
    return tab(problemsPath + view.query, html`<bdi>${view.name}</bdi>${number}`, view.query === currentView);
  };
  const builtIn = builtInViews();
  const all = [...builtIn, ...views];
  const tabs: Html[] = [];
  for (const [index, view] of all.entries()) tabs.push(await tabOf(view, index));
  const isNew = currentView && !all.some((view) => view.query === currentView);
  return tabList(
    words('frame.problems'),
    html`
      ${tab(problemsPath, words('frame.allProblems'), currentView === '')}
      ${tab(listsPath, words('lists.title'), current === listsPath)}
      ${tabs.slice(0, builtIn.length)}
      ${tab(reviewPath, words('review.title'), current === reviewPath)}
      ${tabs.slice(builtIn.length)}
      <li>
        <a class="add" href="${root}views/${currentView ?? ''}">
          ${isNew ? html`${icon('plus')}${words('views.saveThis')}` : words('views.views')}
        </a>
      </li>`,
  );
}

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
  return form(visit, { to: listSwitchesPath, className: 'show', hidden: { from } }, html`${buttons}`);
}
