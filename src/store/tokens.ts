/** Tokens: digest, member, scopes and expiry. The token itself is never stored. */

import { sql } from 'kysely';
import { countRows } from './listings.ts';
import type { MembersTable } from './members.ts';
import { prepared } from './prepared.ts';
import { bumpRevisions } from './revisions.ts';
import { findRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    tokens: TokensTable;
  }
}

export interface TokensTable {
  id: bigint;
  user_id: bigint;
  name: string;
  digest: string;
  /** Space-separated. */
  scopes: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
}

export type Credential = Omit<TokensTable, 'name' | 'created_at' | 'last_used_at'> &
  Pick<MembersTable, 'role' | 'is_disabled'>;

const credentialsBetween = prepared((db, { from, to }: { from: string; to: string }) =>
  db
    .selectFrom('tokens')
    .innerJoin('members', 'members.id', 'tokens.user_id')
    .select(['tokens.id', 'digest', 'user_id', 'scopes', 'expires_at', 'revoked_at', 'role', 'is_disabled'])
    .where('digest', '>=', from)
    .where('digest', '<', to),
);

/** The caller compares the rest of the digest in constant time, which an index look-up does not do. */
export const findCredentials = (db: Db, digestStart: string): Promise<Credential[]> =>
  // "g" sorts after every hexadecimal digit.
  credentialsBetween(db, { from: digestStart, to: `${digestStart}g` });

export async function insertToken(tx: Db, row: TokensTable): Promise<void> {
  await tx.insertInto('tokens').values(row).execute();
  await bumpRevisions(tx, ['credentials']);
}

export async function countValidTokens(db: Db, userId: bigint, now: string): Promise<bigint> {
  return countRows(
    db
      .selectFrom('tokens')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)])),
  );
}

export async function listTokens(
  db: Db,
  userId: bigint | undefined,
): Promise<(Omit<TokensTable, 'digest'> & { username: string })[]> {
  let query = db
    .selectFrom('tokens')
    .innerJoin('members', 'members.id', 'tokens.user_id')
    .select(['tokens.id', 'user_id', 'username', 'name', 'scopes'])
    .select(['tokens.created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .orderBy('tokens.id');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return query.execute();
}

/** False if the member has no such token. A token that was revoked before keeps its date. */
export async function setTokenRevoked(tx: Db, id: bigint, now: string, userId?: bigint): Promise<boolean> {
  let query = tx
    .updateTable('tokens')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('id', '=', id);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  const rows = await query.returning('id').execute();
  if (rows.length > 0) await bumpRevisions(tx, ['credentials']);
  return rows.length > 0;
}

export async function revokeTokensOf(tx: Db, userId: bigint, now: string): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
  await bumpRevisions(tx, ['credentials']);
}

// Another process may have written a later time.
const noteTokenUse = prepared((tx, { id, at }: { id: bigint; at: string }) =>
  tx
    .updateTable('tokens')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)])),
);

export async function saveTokenUses(tx: Db, uses: ReadonlyMap<bigint, string>): Promise<void> {
  // Sorted, because two processes that lock the same tokens in different orders could deadlock.
  for (const [id, at] of [...uses].sort(([one], [other]) => (one < other ? -1 : 1)))
    await noteTokenUse(tx, { id, at });
}

/** Whether the token may still act. Its expiry was checked when the request began. */
export async function isTokenValid(db: Db, id: bigint): Promise<boolean> {
  const [row] = await validTokens(db, { id });
  return row !== undefined;
}

const validTokens = prepared((db, { id }: { id: bigint }) =>
  db
    .selectFrom('tokens')
    .innerJoin('members', 'members.id', 'tokens.user_id')
    .select('tokens.id')
    .where('tokens.id', '=', id)
    .where('revoked_at', 'is', null)
    .where('is_disabled', '=', sql.lit(0n)),
);

export const findToken = (db: Db, id: bigint) => findRow(db, 'tokens', { id });
