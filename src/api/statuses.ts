/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { problemExists } from '../store/problems.ts';
import {
  countStatuses,
  findStatus,
  listStatuses,
  type StatusRow,
  statusSortFields,
} from '../store/statuses.ts';
import { assertVisible, type Handler, scopesOf, whoseRows } from './handlers.ts';

export const listProblemStatuses: Handler<'listProblemStatuses'> = async ({ store, actor, query }) => {
  const user = whoseRows(actor, query.user);
  const filter = { user, status: query.status, updatedSince: query.updated_since };
  return {
    scopes: scopesOf('statuses', actor, user),
    sortFields: statusSortFields,
    ties: ['id', 'user'],
    assertVisible: () => assertVisible(store.reader, actor, user),
    list: (page) => listStatuses(store.reader, filter, page),
    count: () => countStatuses(store.reader, filter),
  };
};

export const getProblemStatus: Handler<'getProblemStatus'> = async ({ store, actor, id, query }) => {
  const user = query.user ?? actor.memberId;
  await assertVisible(store.reader, actor, user);
  return {
    scopes: ['problems', ...scopesOf('statuses', actor, user)],
    find: async () =>
      (await findStatus(store.reader, user, id)) ??
      ((await problemExists(store.reader, id)) ? untouched(user, id) : undefined),
  };
};

function untouched(user: bigint, problem: bigint): StatusRow {
  return { id: problem, user, problem, status: 'not_started', origin: null, updated_at: null };
}
