/** listRecords and getRecord: a member sees their own record, staff see all. */
import { countRecords, findRecord, listRecords as listRows, recordSortFields } from '../store/members.ts';
import type { Handler } from './handlers.ts';

export const listRecords: Handler<'listRecords'> = async ({ store, actor, query }) => {
  const filter = {
    id: actor.isStaff ? undefined : actor.memberId,
    q: query.q,
    role: query.role,
    updatedSince: query.updated_since,
  };
  return {
    scopes: ['records'],
    sortFields: recordSortFields,
    ties: ['id'],
    list: (page) => listRows(store.reader, filter, page),
    count: () => countRecords(store.reader, filter),
  };
};

export const getRecord: Handler<'getRecord'> = async ({ store, actor, id }) => ({
  scopes: ['records'],
  find: async () => (actor.isStaff || actor.memberId === id ? findRecord(store.reader, id) : undefined),
});
