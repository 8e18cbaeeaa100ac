/** listProblems and getProblem: everyone sees every problem. */
import { Problem } from '../contract/problems.ts';
import { columnsOf } from '../contract/rows.ts';
import { problemListing, problemSortFields } from '../store/problem-lists.ts';
import { findProblem, problemItem } from '../store/problems.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Handler } from './handlers.ts';

export const listProblems: Handler<'listProblems'> = {
  prefetchedScopes: () => ['problems'],
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
    const revisionScopes: RevisionScope[] = ['problems'];
    if (query.status !== undefined) revisionScopes.push(`statuses:${actor.memberId}`);
    if (query.bookmarked !== undefined) revisionScopes.push(`bookmarks:${actor.memberId}`);
    return {
      revisionScopes,
      isForEveryone: revisionScopes.length === 1,
      tieBreakers: ['id'],
      find: (db, [id = 0n]) => findProblem(db, id),
      sortFields: problemSortFields,
      listing: () => problemListing(filter),
    };
  },
};

const problemQuery = problemItem(columnsOf(Problem));

export const getProblem: Handler<'getProblem'> = {
  prefetchedScopes: () => ['problems'],
  handle: ({ id }) => ({
    revisionScopes: ['problems'],
    isForEveryone: true,
    find: (store) => store.readItem(problemQuery, { id }),
  }),
};
