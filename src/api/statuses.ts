/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { columnsOf, jsonWriter } from '../contract/rows.ts';
import { ProblemStatus } from '../contract/statuses.ts';
import { problemExists } from '../store/problems.ts';
import { fewStatuses, statusItem, statusListing, statusSortFields } from '../store/statuses.ts';
import { type Handler, memberRows, whoseRows } from './handlers.ts';

const few = fewStatuses(columnsOf(ProblemStatus));

export const listProblemStatuses: Handler<'listProblemStatuses'> = {
  expects: ({ memberId }) => [`statuses:${memberId}`],
  handle: ({ actor, query }) => {
    const user = whoseRows(actor, query.user);
    return {
      ...memberRows('statuses', actor, user),
      tieBreakers: ['id', 'user'],
      findFew: (store) => (user === undefined ? undefined : store.readItem(few, { user })),
      sortFields: statusSortFields,
      listing: () => statusListing({ user, status: query.status, updatedSince: query.updated_since }),
    };
  },
};

const status = statusItem(columnsOf(ProblemStatus));
const write = jsonWriter(ProblemStatus);

export const getProblemStatus: Handler<'getProblemStatus'> = {
  expects: ({ memberId }) => ['problems', `statuses:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    const rows = memberRows('statuses', actor, user);
    return {
      ...rows,
      scopes: ['problems', ...rows.scopes],
      find: async (store) => {
        const json = await store.readItem(status, { user, problem: id });
        if (json !== undefined || !(await problemExists(store.reader, id))) return json;
        return write({ id, user, problem: id, status: 'not_started', origin: null, updated_at: null });
      },
    };
  },
};
