/** How often something was tried lately, by the digest of who tried what; a count ends a while after the first try. */
import { sql } from 'kysely';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    attempts: AttemptsTable;
  }
}

/** How often something was tried, such as a password for one account from one network. */
export interface AttemptsTable {
  /** SHA-256 of who tried what, in hexadecimal. */
  digest: string;
  tries: bigint;
  /** When the count ends. */
  expires_at: string;
}

/** The counts of these keys, in their order; 0 for a key that has none. `now` as RFC 3339. */
export async function readAttempts(db: Db, digests: readonly string[], now: string): Promise<number[]> {
  const rows = await db
    .selectFrom('attempts')
    .select(['digest', 'tries'])
    .where('digest', 'in', digests)
    .where('expires_at', '>', now)
    .execute();
  return inOrder(digests, rows);
}

/** Counts one try for each of these keys, and answers the counts. A count that begins now lasts until `expiresAt`. */
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
  return inOrder(digests, rows);
}

/** Takes one try back from each of these keys. */
export async function takeAttemptsBack(tx: Db, digests: readonly string[]): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ tries: eb('tries', '-', 1n) }))
    .where('digest', 'in', digests)
    .execute();
}

function inOrder(digests: readonly string[], rows: readonly { digest: string; tries: bigint }[]): number[] {
  return digests.map((digest) => Number(rows.find((row) => row.digest === digest)?.tries ?? 0n));
}
