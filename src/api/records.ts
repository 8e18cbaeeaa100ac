/** listRecords and getRecord: a member sees their own record, staff see all. */
import { findRecord, recordListing } from '../store/members.ts';
import type { Handler } from './handlers.ts';

export const listRecords: Handler<'listRecords'> = ({ actor, query }) => {
  const filter = {
    id: actor.isStaff ? undefined : actor.memberId,
    q: query.q,
    role: query.role,
    updatedSince: query.updated_since,
  };
  return {
    // A member's own, so that its entity tag does not show when another record changes.
    scopes: [actor.isStaff ? 'records' : `records:${actor.memberId}`],
    ties: ['id'],
    find: async (db, [id = 0n]) => (actor.isStaff || actor.memberId === id ? findRecord(db, id) : undefined),
    ...recordListing(filter),
  };
};

export const getRecord: Handler<'getRecord'> = ({ actor, id }) => ({
  scopes: [actor.isStaff ? 'records' : `records:${actor.memberId}`],
  find: async (db) => (actor.isStaff || actor.memberId === id ? findRecord(db, id) : undefined),
});
