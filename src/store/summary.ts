/** How many rows a database holds, for `garden doctor`, `garden serve` and backups. */
import { countRows } from './keyset.ts';
import type { Db } from './tables.ts';

/** Counts members, problems, and tokens that are neither revoked nor expired. */
export async function summary(db: Db) {
  const valid = db
    .selectFrom('tokens')
    .where('revoked_at', 'is', null)
    .where(({ eb }) => eb('expires_at', 'is', null).or('expires_at', '>', new Date().toISOString()));
  return {
    members: await countRows(db.selectFrom('members')),
    problems: await countRows(db.selectFrom('problems')),
    tokens: await countRows(valid),
  };
}

/** Counts the members and problems that came with the sample. */
export async function countSample(db: Db) {
  return {
    members: await countRows(db.selectFrom('members').where('is_sample', '=', 1n)),
    problems: await countRows(db.selectFrom('problems').where('is_sample', '=', 1n)),
  };
}
