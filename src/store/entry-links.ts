/** One-time addresses in the store. The secret in the address is never stored, only its digest. */
import { giveIds } from './ids.ts';
import type { Db, EntryLinksTable } from './tables.ts';

export async function insertEntryLink(tx: Db, row: Omit<EntryLinksTable, 'id'>): Promise<bigint> {
  const [id = 0n] = await giveIds(tx, 'entry_links', 1);
  await tx
    .insertInto('entry_links')
    .values({ ...row, id })
    .execute();
  return id;
}

/** Links that have neither expired nor are used up. `now` as RFC 3339. */
const goodLinks = (db: Db, now: string) =>
  db.selectFrom('entry_links').selectAll().where('expires_at', '>', now).where('uses_left', '>', 0n);

/** The good link with this digest or this id. */
export async function findEntryLink(
  db: Db,
  by: { digest: string } | { id: bigint },
  now: string,
): Promise<EntryLinksTable | undefined> {
  const good = goodLinks(db, now);
  const found = 'id' in by ? good.where('id', '=', by.id) : good.where('digest', '=', by.digest);
  return found.executeTakeFirst();
}

/** Takes one use of the link away; returns whether one was left, which of several callers at once only as many see. */
export async function useEntryLink(tx: Db, id: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('entry_links')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1n) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0n)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The links of a kind that are still good, the newest first. */
export async function listEntryLinks(
  db: Db,
  kind: EntryLinksTable['kind'],
  now: string,
): Promise<EntryLinksTable[]> {
  return goodLinks(db, now).where('kind', '=', kind).orderBy('id', 'desc').execute();
}

export async function deleteEntryLink(tx: Db, id: bigint): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('entry_links').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Removes the links of a kind, for one member if `userId` is given: the next one made is the only one. */
export async function deleteEntryLinks(
  tx: Db,
  kind: EntryLinksTable['kind'],
  userId?: bigint,
): Promise<void> {
  let query = tx.deleteFrom('entry_links').where('kind', '=', kind);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  await query.execute();
}
