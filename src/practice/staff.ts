/** How staff act on the website: only while they are staff, and in one transaction with a row of the staff log. */
import { localizedError } from '../errors.ts';
import { findMembersByIds } from '../store/members.ts';
import { insertStaffDeed, type StaffDeed } from '../store/staff-log.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

/** A deed, and the members to whom it was done: a row of the log each, or one row where it was done to nobody. */
type Deed = readonly [what: StaffDeed, ...memberIds: bigint[]];

/**
 * Does the work and logs it, as a deed that may depend on what the work answers. Throws unknownPath, and changes
 * nothing, for a member who is no longer staff by then.
 */
export async function asStaff<T>(
  { store, member: { user_id: actor_id } }: { store: Store; member: { user_id: bigint } },
  work: (tx: Db) => Promise<T>,
  deed: StaffDeed | ((result: T) => Deed),
): Promise<T> {
  return store.write(async (tx) => {
    const [actor] = await findMembersByIds(tx, [actor_id]);
    if (actor?.role !== 'staff' || actor.is_disabled !== 0n)
      throw localizedError('unknownPath.administrator');
    const result = await work(tx);
    const [what, ...memberIds] = typeof deed === 'string' ? [deed] : deed(result);
    for (const member_id of memberIds.length > 0 ? memberIds : [null])
      await insertStaffDeed(tx, { what, actor_id, member_id });
    return result;
  });
}
