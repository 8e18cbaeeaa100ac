/** The addresses of a member's queues; those that are views of the problem list lead there. */
import { listPath } from '../../paths.ts';
import type { MemberVisit, PageRoute } from '../../road/visits.ts';

const views: readonly (readonly [path: string, view: string])[] = [
  ['/dashboard/upsolve/', `${listPath}?status=tried`],
  ['/dashboard/bookmarks/', `${listPath}?bookmarked=true`],
];

export const queuePages: readonly PageRoute<MemberVisit>[] = views.map(([path, to]) => ({
  path,
  show: async () => ({ to }),
}));
