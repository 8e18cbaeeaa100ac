/** listProblems and getProblem: everyone sees every problem; two filters speak of the actor's own practice. */
import {
  countProblems,
  listProblemKeys,
  listProblemsAsJson,
  listProblems as listRows,
  problemAxes,
  problemSortFields,
} from '../store/problem-lists.ts';
import { findProblem } from '../store/problems.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Handler } from './handlers.ts';

export const listProblems: Handler<'listProblems'> = {
  expects: () => ['problems'],
  handle: ({ actor, query }) => {
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
    const { memberId: _, ...filters } = filter;
    const isUnfiltered = Object.values(filters).every((value) => value === undefined);
    return {
      scopes,
      isForEveryone: scopes.length === 1,
      sortFields: problemSortFields,
      ties: ['id'],
      axes: problemAxes(filter),
      find: (db, [id = 0n]) => findProblem(db, id),
      list: (db, page) => listRows(db, filter, page),
      ...(isUnfiltered && { listAsJson: (db, columns, part) => listProblemsAsJson(db, columns, part) }),
      listKeys: (db, page) => listProblemKeys(db, filter, page),
      count: (db, window) => countProblems(db, filter, window),
    };
  },
};

export const getProblem: Handler<'getProblem'> = {
  expects: () => ['problems'],
  handle: ({ id }) => ({
    scopes: ['problems'],
    isForEveryone: true,
    find: (db) => findProblem(db, id),
  }),
};
