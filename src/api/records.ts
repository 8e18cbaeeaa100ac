/** listRecords and getRecord: a member sees their own record, staff see all. */
import type { Actor } from '../auth/tokens.ts';
import { UserRecord } from '../contract/records.ts';
import { columnsOf } from '../contract/rows.ts';
import { findRecord, recordItem, recordListing, recordSortFields } from '../store/members.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Handler } from './handlers.ts';

export const listRecords: Handler<'listRecords'> = {
  prefetchedScopes: (actor) => [visibleRecords(actor)],
  handle: ({ actor, query }) => {
    const filter = {
      id: actor.isStaff ? undefined : actor.memberId,
      q: query.q,
      role: query.role,
      updatedSince: query.updated_since,
    };
    return {
      revisionScopes: [visibleRecords(actor)],
      tieBreakers: ['id'],
      find: async (db, [id = 0n]) =>
        actor.isStaff || actor.memberId === id ? findRecord(db, id) : undefined,
      sortFields: recordSortFields,
      listing: () => recordListing(filter),
    };
  },
};

const recordQuery = recordItem(columnsOf(UserRecord));

export const getRecord: Handler<'getRecord'> = {
  prefetchedScopes: (actor) => [visibleRecords(actor)],
  handle: ({ actor, id }) => ({
    revisionScopes: [visibleRecords(actor)],
    find: (store) =>
      actor.isStaff || actor.memberId === id ? store.readItem(recordQuery, { id }) : undefined,
  }),
};

/** An entity tag must not reveal that another record changed. */
function visibleRecords({ isStaff, memberId }: Actor): RevisionScope {
  return isStaff ? 'records' : `records:${memberId}`;
}
