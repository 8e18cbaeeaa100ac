/** The addresses by which people join a group. The secret in the address is never stored, only its digest. */
import type { GroupLinksTable } from './group-tables.ts';
import { makerCoaches } from './groups.ts';
import { giveIds } from './ids.ts';
import type { Db } from './tables.ts';

export async function insertGroupLink(tx: Db, row: Omit<GroupLinksTable, 'id'>): Promise<void> {
  const [id = 0n] = await giveIds(tx, 'group_links', 1);
  await tx
    .insertInto('group_links')
    .values({ ...row, id })
    .execute();
}

/** The good link with this digest. `now` as RFC 3339. */
export async function findGroupLink(
  db: Db,
  digest: string,
  now: string,
): Promise<GroupLinksTable | undefined> {
  return good(db, now).selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** A link with the name that its maker has now. */
export type OpenGroupLink = GroupLinksTable & { maker: string | null };

/** The links of a group that are still good, the newest first. */
export async function listGroupLinks(db: Db, groupId: bigint, now: string): Promise<OpenGroupLink[]> {
  return good(db, now)
    .leftJoin('members as makers', 'makers.id', 'group_links.made_by')
    .selectAll('group_links')
    .select('makers.username as maker')
    .where('group_id', '=', groupId)
    .orderBy('group_links.id', 'desc')
    .execute();
}

/** Links that have neither expired nor are used up, and whose maker still coaches the group. */
function good(db: Db, now: string) {
  return db
    .selectFrom('group_links')
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0n)
    .where(({ eb, or }) => or([eb('made_by', 'is', null), makerCoaches('group_links')]));
}

/** Takes one use of the link away; returns whether one was left, which of several callers at once only as many see. */
export async function takeGroupLinkUse(tx: Db, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('group_links')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1n) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0n)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteGroupLink(tx: Db, groupId: bigint, id: bigint): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('group_links')
    .where('id', '=', id)
    .where('group_id', '=', groupId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteGroupLinks(tx: Db, groupId: bigint): Promise<void> {
  await tx.deleteFrom('group_links').where('group_id', '=', groupId).execute();
}

/** Removes the links of a group that nobody can use any more. */
export async function deleteSpentGroupLinks(tx: Db, groupId: bigint, now: string): Promise<void> {
  await tx
    .deleteFrom('group_links')
    .where('group_id', '=', groupId)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('uses_left', '=', 0n)]))
    .execute();
}
