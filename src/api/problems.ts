/** listProblems and getProblem: everyone sees every problem; two filters speak of the actor's own practice. */
import {
  countProblems,
  findProblem,
  listProblems as listRows,
  problemSortFields,
} from '../store/problems.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Handler } from './handlers.ts';

export const listProblems: Handler<'listProblems'> = async ({ store, actor, query }) => {
  const filter = {
    source: query.source,
    tags: query.tag,
    ratingMin: query.rating_min,
    ratingMax: query.rating_max,
    q: query.q,
    updatedSince: query.updated_since,
    memberId: actor.memberId,
    status: query.status,
    isBookmarked: query.bookmarked,
  };
  const scopes: RevisionScope[] = ['problems'];
  if (query.status !== undefined) scopes.push(`statuses:${actor.memberId}`);
  if (query.bookmarked !== undefined) scopes.push(`bookmarks:${actor.memberId}`);
  return {
    scopes,
    isForEveryone: scopes.length === 1,
    sortFields: problemSortFields,
    ties: ['id'],
    find: ([id = 0n]) => findProblem(store.reader, id),
    list: (page) => listRows(store.reader, filter, page),
    count: () => countProblems(store.reader, filter),
  };
};

export const getProblem: Handler<'getProblem'> = async ({ store, id }) => ({
  scopes: ['problems'],
  isForEveryone: true,
  find: () => findProblem(store.reader, id),
});
