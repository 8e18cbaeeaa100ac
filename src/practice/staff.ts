/** How staff act on the website: only while they are staff, and in one transaction with a row of the staff log. */
import { localizedError } from '../errors.ts';
import { findMembersByIds } from '../store/members.ts';
import { changedBy } from '../store/program-feeds.ts';
import { insertStaffAction, type StaffDeed } from '../store/staff-log.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

type Deed = readonly [what: StaffDeed, ...memberIds: bigint[]];

/** Throws unknownPath, and changes nothing, for a member who is no longer staff. */
export async function asStaff<T>(
  { store, member: { user_id: actor_id } }: { store: Store; member: { user_id: bigint } },
  work: (tx: Db) => Promise<T>,
  deed: StaffDeed | ((result: T) => Deed | undefined),
): Promise<T> {
  return store.write(async (tx) => {
    const [actor] = await findMembersByIds(tx, [actor_id]);
    if (actor?.role !== 'staff' || actor.is_disabled !== 0n)
      throw localizedError('unknownPath.administrator');
    const result = await changedBy('staff', work)(tx);
    const acts = typeof deed === 'string' ? ([deed] as const) : deed(result);
    if (!acts) return result;
    const [what, ...memberIds] = acts;
    for (const member_id of memberIds.length > 0 ? memberIds : [null])
      await insertStaffAction(tx, { what, actor_id, member_id });
    return result;
  });
}
