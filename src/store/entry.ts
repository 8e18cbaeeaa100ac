/** Entry: one-time addresses, of which only digests are stored, and counts of recent attempts. */

import { sql } from 'kysely';
import { deleteRows, insertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    entry_links: EntryLinksTable;
  }
}

export interface EntryLinksTable {
  id: bigint;
  kind: 'setup' | 'invitation' | 'reset' | 'demo';
  digest: string;
  user_id: bigint | null;
  role: 'member' | 'staff';
  uses_left: bigint;
  made_by: bigint | null;
  created_at: string;
  expires_at: string;
}

export const insertEntryLink = (tx: Db, row: Omit<EntryLinksTable, 'id'>) =>
  insertRow(tx, 'entry_links', row);

/** Links that the command line made have no maker; others are valid while their maker is staff. */
const validLinks = (db: Db, now: string) =>
  db
    .selectFrom('entry_links')
    .where('expires_at', '>', now)
    .where('uses_left', '>', 0n)
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('made_by', 'is', null),
        exists(
          selectFrom('members')
            .select('members.id')
            .whereRef('members.id', '=', 'entry_links.made_by')
            .where('members.role', '=', 'staff')
            .where('members.is_disabled', '=', 0n),
        ),
      ]),
    );

export async function findEntryLink(
  db: Db,
  key: { digest: string } | { id: bigint },
  now: string,
): Promise<EntryLinksTable | undefined> {
  const valid = validLinks(db, now).selectAll();
  const match = 'id' in key ? valid.where('id', '=', key.id) : valid.where('digest', '=', key.digest);
  return match.executeTakeFirst();
}

/** False if no use was left: of several callers at once only as many succeed. */
export async function useEntryLink(tx: Db, id: bigint): Promise<boolean> {
  const valid = validLinks(tx, new Date().toISOString()).select('entry_links.id');
  const { numUpdatedRows } = await tx
    .updateTable('entry_links')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1n) }))
    .where('id', '=', id)
    .where('id', 'in', valid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type OpenLink = EntryLinksTable & { maker: string | null; member: string | null };

export async function listOpenLinks(db: Db, now: string, userId?: bigint): Promise<OpenLink[]> {
  const open = validLinks(db, now)
    .leftJoin('members as makers', 'makers.id', 'entry_links.made_by')
    .leftJoin('members as owners', 'owners.id', 'entry_links.user_id')
    .selectAll('entry_links')
    .select(['makers.username as maker', 'owners.username as member'])
    .where('kind', 'in', ['invitation', 'reset'])
    .orderBy('entry_links.id', 'desc');
  return (userId === undefined ? open : open.where('user_id', '=', userId)).execute();
}

export const deleteEntryLink = (tx: Db, id: bigint) => deleteRows(tx, 'entry_links', { id });

export const deleteEntryLinks = (tx: Db, kind: EntryLinksTable['kind'], userId?: bigint) =>
  deleteRows(tx, 'entry_links', { kind, ...(userId !== undefined && { user_id: userId }) });

/* Counts of recent attempts; a count ends a while after its first attempt. */

declare module './tables.ts' {
  interface Tables {
    attempts: AttemptsTable;
  }
}

export interface AttemptsTable {
  digest: string;
  tries: bigint;
  expires_at: string;
}

export async function readAttempts(db: Db, digests: readonly string[], now: string): Promise<number[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['digest', 'tries'])
    .where('digest', 'in', digests)
    .where('expires_at', '>', now)
    .execute();
  return triesInOrder(digests, rows);
}

export async function countAttempts(
  tx: Db,
  digests: readonly string[],
  now: string,
  expiresAt: string,
): Promise<number[]> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute();
  const rows = await tx
    .insertInto('attempts')
    .values(digests.map((digest) => ({ digest, tries: 1n, expires_at: expiresAt })))
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ tries: sql`attempts.tries + 1` }))
    .returning(['digest', 'tries'])
    .execute();
  return triesInOrder(digests, rows);
}

export async function uncountAttempts(tx: Db, digests: readonly string[]): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1n) }))
    .where('digest', 'in', digests)
    .execute();
}

function triesInOrder(
  digests: readonly string[],
  rows: readonly { digest: string; tries: bigint }[],
): number[] {
  return digests.map((digest) => Number(rows.find((row) => row.digest === digest)?.tries ?? 0n));
}
