/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { columnsOf, jsonWriter } from '../contract/rows.ts';
import { ProblemStatus } from '../contract/statuses.ts';
import { problemExists } from '../store/problems.ts';
import { statusesAsJson, statusItem, statusListing, statusSortFields } from '../store/statuses.ts';
import { type Handler, memberAccess, requestedMember } from './handlers.ts';

const fewQuery = statusesAsJson(columnsOf(ProblemStatus));

export const listProblemStatuses: Handler<'listProblemStatuses'> = {
  prefetchedScopes: ({ memberId }) => [`statuses:${memberId}`],
  handle: ({ actor, query }) => {
    const user = requestedMember(actor, query.user);
    return {
      ...memberAccess('statuses', actor, user),
      tieBreakers: ['id', 'user'],
      findIfFew: (store) => store.readItem(fewQuery, { user: actor.memberId }),
      sortFields: statusSortFields,
      listing: () => statusListing({ user, status: query.status, updatedSince: query.updated_since }),
    };
  },
};

const statusQuery = statusItem(columnsOf(ProblemStatus));
const writeJson = jsonWriter(ProblemStatus);

export const getProblemStatus: Handler<'getProblemStatus'> = {
  prefetchedScopes: ({ memberId }) => ['problems', `statuses:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    const access = memberAccess('statuses', actor, user);
    return {
      ...access,
      revisionScopes: ['problems', ...access.revisionScopes],
      find: async (store) => {
        const json = await store.readItem(statusQuery, { user, problem: id });
        if (json !== undefined || !(await problemExists(store.reader, id))) return json;
        return writeJson({ id, user, problem: id, status: 'not_started', origin: null, updated_at: null });
      },
    };
  },
};
