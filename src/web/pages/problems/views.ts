/** Saved views: the tabs above the problem list, and the page where a member saves, renames and deletes their own. */

import {
  deleteView,
  longestViewName,
  readPreferences,
  type SavedView,
  savedViewsAtMost,
  saveView,
} from '../../../practice/preferences.ts';
import { type Faults, textField } from '../../kit/form.ts';
import { frame, pageHead } from '../../kit/frame.ts';
import { icon } from '../../kit/icons.ts';
import { readProblemQuery } from '../../kit/problem-query.ts';
import { given, kept, queryOf } from '../../kit/problem-tabs.ts';
import { html } from '../../markup.ts';
import { listPath } from '../../paths.ts';
import { field } from '../../road/fields.ts';
import type { Answer, MemberVisit, PageRoute } from '../../road/visits.ts';
import { richWords, words } from '../../words/words.ts';
import { chipsOf } from './filters.ts';

const viewsPath = `${listPath}views/`;

export const problemViewPages: readonly PageRoute<MemberVisit>[] = [
  { path: viewsPath, show: (visit) => showViews(visit), change: takeView },
];

async function showViews(visit: MemberVisit, faults: Faults = {}, name = ''): Promise<Answer> {
  const { store, member, site, antiForgery } = visit;
  const { basePath } = site;
  const { views } = await readPreferences(store.reader, member.user_id);
  const query = readProblemQuery(visit.query);
  const address = kept(query);
  const filters = chipsOf(query).map(([text]) => text);
  if (query.order) filters.push(words('views.by', { order: query.order.replace(/^-/, '').replace('_', ' ') }));
  const save = html`
    <section class="panel" aria-labelledby="save-title">
      <div class="panel-head"><h2 id="save-title">${words('views.saveThis')}</h2></div>
      <p class="soft">${filters.join(', ')}</p>
      <form class="form" method="post" action="${basePath}${viewsPath}${address}">
        ${antiForgery}
        ${textField(words('planting.name'), 'name', faults, {
          value: name,
          hint: words('views.nameHint'),
          hasFocus: true,
        })}
        <div class="actions">
          <button class="button primary">${words('profile.save')}</button>
          <a class="button quiet" href="${basePath}${listPath}${address}">${words('views.back')}</a>
        </div>
      </form>
    </section>`;
  const row = (view: SavedView) =>
    html`
      <li data-view="${view.name}">
        <span>
          <a href="${basePath}${listPath}${view.query}">${view.name}</a> <span class="soft">
            ${chipsOf(queryOf(view))
              .map(([text]) => text)
              .join(', ')}
          </span>
        </span>
        <form method="post" action="${basePath}${viewsPath}${address}">
          ${antiForgery}
          <button class="button small quiet danger" name="delete" value="${view.name}">
            ${icon('trash')}
            <span>${richWords('views.delete', { name: view.name })}</span>
          </button>
        </form>
      </li>`;
  const none = html`<p class="soft">${words('views.none')}</p>`;
  const content = html`
    ${pageHead(words('views.title'), { crumbs: [[`${basePath}${listPath}`, words('frame.problems')]] })}
    <div class="stack">
      ${address === '' ? '' : save}
      <section class="panel" aria-labelledby="views-title">
        <div class="panel-head">
          <h2 id="views-title">${words('views.yours')}</h2>
          <p>${words('views.countOf', { count: views.length, most: savedViewsAtMost })}</p>
        </div>
        ${views.length === 0 ? none : html`<ul class="view-list">${views.map(row)}</ul>`}
      </section>
    </div>`;
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
    await deleteView(store, user_id, deleted);
    return { to: viewsPath + query };
  }
  const name = field(form, 'name', 1000).replaceAll('\0', '').toWellFormed().replace(/\s+/g, ' ').trim();
  const isTaken = [...given().map((view) => view.name), words('frame.allProblems')].includes(name);
  const refuse = (sentence: string) => showViews(visit, { name: sentence }, name);
  if (query === '') return { to: listPath };
  if (name === '') return refuse(words('views.nameIt'));
  if (name.length > longestViewName) return refuse(words('form.atMost', { longest: longestViewName }));
  if (isTaken) return refuse(words('views.taken'));
  const isSaved = await saveView(store, user_id, { name, query });
  if (!isSaved) return refuse(words('views.full', { most: savedViewsAtMost }));
  return { to: listPath + query };
}
