/** How staff act: in one transaction with the row of the log, and only while they are staff. */
import { findMembersByIds } from '../../../store/members.ts';
import { insertStaffDeed, type StaffDeed } from '../../../store/staff-log.ts';
import type { Db } from '../../../store/tables.ts';
import { type MemberVisit, nothingHere } from '../../road/visits.ts';

/** What was done, and to which members: a row of the log each, or one row where it was done to nobody. */
interface Deed {
  what: StaffDeed;
  memberIds?: readonly bigint[];
}

/** Does the work and logs it. A member who is no longer staff by then changes nothing. */
export async function act<T>(
  { store, member, path }: MemberVisit,
  work: (tx: Db) => Promise<Deed & { result: T }>,
): Promise<T> {
  return store.write(async (tx) => {
    const [actor] = await findMembersByIds(tx, [member.user_id]);
    if (actor?.role !== 'staff' || actor.is_disabled !== 0n) throw nothingHere(path);
    const { what, memberIds = [null], result } = await work(tx);
    for (const member_id of memberIds) await insertStaffDeed(tx, { what, actor_id: member.user_id, member_id });
    return result;
  });
}
