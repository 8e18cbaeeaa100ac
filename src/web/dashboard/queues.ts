/** The queues of a member, as tabs above each; those that are views of the problem list lead there. */
import { html } from 'hono/html';
import { historyPath } from '../history-tabs.ts';
import type { Html } from '../layout.ts';
import { listPath } from '../problem-query.ts';
import type { MemberVisit, PageRoute } from '../visits.ts';
import { words } from '../words.ts';

export const reviewPath = '/dashboard/review/';

const views: readonly (readonly [path: string, view: string])[] = [
  ['/dashboard/upsolve/', `${listPath}?status=tried`],
  ['/dashboard/bookmarks/', `${listPath}?bookmarked=true`],
];

export const queuePages: readonly PageRoute<MemberVisit>[] = views.map(([path, to]) => ({
  path,
  show: async () => ({ to }),
}));

const tabs: readonly (readonly [path: string, name: string])[] = [
  [reviewPath, words('review.title')],
  ['/dashboard/upsolve/', words('views.upsolve')],
  ['/dashboard/bookmarks/', words('filters.starred')],
  [historyPath, words('frame.history')],
];

export function queueTabs(basePath: string, current: string): Html {
  return html`<nav class="tabs" aria-label="${words('review.queues')}" tabindex="0"><ul>${tabs.map(([path, name]) => html`<li><a href="${basePath}${path}"${path === current ? html` aria-current="page"` : ''}>${name}</a></li>`)}</ul></nav>`;
}
