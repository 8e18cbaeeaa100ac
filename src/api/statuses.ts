/** listProblemStatuses and getProblemStatus: the actor's own, or for staff another member's. */
import { problemExists } from '../store/problems.ts';
import { countStatuses, findStatus, listStatuses, type StatusRow, statusSortFields } from '../store/statuses.ts';
import { type Handler, whoseRows } from './handlers.ts';

export const listProblemStatuses: Handler<'listProblemStatuses'> = async ({ store, actor, query }) => {
  const user = await whoseRows(store.reader, actor, query.user);
  const filter = { user, status: query.status, updatedSince: query.updated_since };
  return {
    scopes: [user === undefined ? 'statuses' : `statuses:${user}`],
    sortFields: statusSortFields,
    ties: ['id', 'user'],
    list: (page) => listStatuses(store.reader, filter, page),
    count: () => countStatuses(store.reader, filter),
  };
};

export const getProblemStatus: Handler<'getProblemStatus'> = async ({ store, actor, id, query }) => {
  const user = (await whoseRows(store.reader, actor, query.user)) ?? actor.memberId;
  let row: StatusRow | undefined = await findStatus(store.reader, user, id);
  if (!row && (await problemExists(store.reader, id))) {
    row = { id, user, problem: id, status: 'not_started', origin: null, updated_at: null };
  }
  return { scopes: ['problems', `statuses:${user}`], row };
};
