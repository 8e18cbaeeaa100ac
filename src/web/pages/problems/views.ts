/** The page where a member saves and deletes views, which are named filters of the problem list. */

import {
  deleteView,
  longestViewName,
  readPreferences,
  type SavedView,
  savedViewsAtMost,
  saveView,
} from '../../../practice/preferences.ts';
import { actions, button, type Faults, form, formActions, hasFaults, textField } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { findProblemLink, linkButton } from '../../kit/links.ts';
import { panel } from '../../kit/panel.ts';
import { type ProblemQuery, readProblemQuery } from '../../kit/problem-query.ts';
import { columns } from '../../kit/problem-table.ts';
import { builtInViews, queryOf, viewQuery } from '../../kit/problem-tabs.ts';
import { html } from '../../markup.ts';
import { problemsPath } from '../../paths.ts';
import { fieldText } from '../../request/fields.ts';
import type { MemberVisit, PageResult, PageRoute } from '../../request/visits.ts';
import { commaList } from '../../words/formats.ts';
import { richWords, words } from '../../words/words.ts';
import { chipsOf } from './filters.ts';

const viewsPath = `${problemsPath}views/`;

export const problemViewPages: readonly PageRoute<MemberVisit>[] = [
  { path: viewsPath, get: (visit) => showViews(visit), post: submitView },
];

async function showViews(visit: MemberVisit, faults: Faults = {}, name = ''): Promise<PageResult> {
  const { store, member, site } = visit;
  const { basePath } = site;
  const { views } = await readPreferences(store.reader, member.user_id);
  const query = readProblemQuery(visit.query);
  const address = viewQuery(query);
  const to = viewsPath + address;
  const filterTexts = (filter: ProblemQuery) => chipsOf(filter).map(([text]) => text);
  const filters = filterTexts(query);
  const order = query.order.replace(/^-/, '');
  const column = columns.find((one) => one.name === order);
  if (order) filters.push(words('views.by', { order: column ? words(column.text) : order.replace('_', ' ') }));
  const back = linkButton(basePath + problemsPath + address, words('views.back'), { kind: 'quiet' });
  const save = form(
    visit,
    { to, className: 'form' },
    html`
      ${textField(words('planting.name'), 'name', faults, {
        value: name,
        hint: words('views.nameHint'),
        hasFocus: true,
      })}
      ${formActions(words('profile.save'), back)}`,
  );
  const row = (view: SavedView) => {
    const label = richWords('views.delete', { name: view.name });
    return html`
      <li data-view="${view.name}">
        <span>
          <a href="${basePath}${problemsPath}${view.query}">${view.name}</a> <span class="soft">
            ${commaList(filterTexts(queryOf(view)))}
          </span>
        </span>
        ${form(visit, { to }, button(label, 'small quiet danger', ['delete', view.name], 'trash'))}
      </li>`;
  };
  const beside = html`<p>${words('views.countOf', { count: views.length, most: savedViewsAtMost })}</p>`;
  const title = words('views.title');
  const content = html`
    ${pageHead(title, { crumbs: [[basePath + problemsPath, words('frame.problems')]] })}
    <div class="stack">
      ${
        address !== '' &&
        panel(
          { id: 'save-title', heading: words('views.saveThis') },
          html`<p class="soft">${commaList(filters)}</p>${save}`,
        )
      }
      ${panel(
        { id: 'views-title', heading: words('views.yours'), beside },
        views.length === 0
          ? html`<p class="soft">${words('views.none')}</p>${actions(findProblemLink(basePath))}`
          : html`<ul class="view-list">${views.map(row)}</ul>`,
      )}
    </div>`;
  return {
    html: frame(visit, { title, current: problemsPath, kind: 'p-views' }, content),
    ...(hasFaults(faults) && { status: 422 }),
  };
}

async function submitView(visit: MemberVisit): Promise<PageResult> {
  const { store, member, form: values } = visit;
  const query = viewQuery(readProblemQuery(visit.query));
  const { user_id } = member;
  const viewToDelete = values.get('delete');
  if (viewToDelete !== null) {
    await deleteView(store, user_id, viewToDelete);
    return { to: viewsPath + query };
  }
  const name = fieldText(values, 'name', 1000).replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim();
  const isReserved = [...builtInViews().map((view) => view.name), words('frame.allProblems')].includes(name);
  const refuse = (sentence: string) => showViews(visit, { name: sentence }, name);
  if (query === '') return { to: problemsPath };
  if (name === '') return refuse(words('views.nameIt'));
  if (name.length > longestViewName) return refuse(words('form.atMost', { longest: longestViewName }));
  if (isReserved) return refuse(words('views.taken'));
  const isSaved = await saveView(store, user_id, { name, query });
  if (!isSaved) return refuse(words('views.full', { most: savedViewsAtMost }));
  return { to: problemsPath + query };
}

/** Old addresses of pages that are filters of the problem list now. */
export const oldQueuePages: readonly PageRoute<MemberVisit>[] = [
  { path: '/dashboard/upsolve/', get: async () => ({ to: `${problemsPath}?status=tried` }) },
  { path: '/dashboard/bookmarks/', get: async () => ({ to: `${problemsPath}?bookmarked=true` }) },
];
