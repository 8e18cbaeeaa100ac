/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { problemExists } from '../store/problems.ts';
import { findStatus, statusListing } from '../store/statuses.ts';
import { type Handler, rowsOf, whoseRows } from './handlers.ts';

export const listProblemStatuses: Handler<'listProblemStatuses'> = {
  expects: ({ memberId }) => [`statuses:${memberId}`],
  handle: ({ actor, query }) => {
    const user = whoseRows(actor, query.user);
    return {
      ...rowsOf('statuses', actor, user),
      ties: ['id', 'user'],
      ...statusListing({ user, status: query.status, updatedSince: query.updated_since }),
    };
  },
};

export const getProblemStatus: Handler<'getProblemStatus'> = {
  expects: ({ memberId }) => ['problems', `statuses:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    const rows = rowsOf('statuses', actor, user);
    return {
      scopes: ['problems', ...rows.scopes],
      assertVisible: rows.assertVisible,
      find: async (db) => {
        const found = await findStatus(db, user, id);
        if (found || !(await problemExists(db, id))) return found;
        return { id, user, problem: id, status: 'not_started', origin: null, updated_at: null };
      },
    };
  },
};
