/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { problemExists } from '../store/problems.ts';
import { findStatus, type StatusRow, statusListing } from '../store/statuses.ts';
import { assertVisible, type Handler, scopesOf, whoseRows } from './handlers.ts';

export const listProblemStatuses: Handler<'listProblemStatuses'> = {
  expects: ({ memberId }) => [`statuses:${memberId}`],
  handle: ({ actor, query }) => {
    const user = whoseRows(actor, query.user);
    const filter = { user, status: query.status, updatedSince: query.updated_since };
    return {
      scopes: scopesOf('statuses', actor, user),
      ties: ['id', 'user'],
      assertVisible: (db) => assertVisible(db, actor, user),
      ...statusListing(filter),
    };
  },
};

export const getProblemStatus: Handler<'getProblemStatus'> = {
  expects: ({ memberId }) => ['problems', `statuses:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    return {
      scopes: ['problems', ...scopesOf('statuses', actor, user)],
      assertVisible: (db) => assertVisible(db, actor, user),
      find: async (db) =>
        (await findStatus(db, user, id)) ?? ((await problemExists(db, id)) ? untouched(user, id) : undefined),
    };
  },
};

function untouched(user: bigint, problem: bigint): StatusRow {
  return { id: problem, user, problem, status: 'not_started', origin: null, updated_at: null };
}
