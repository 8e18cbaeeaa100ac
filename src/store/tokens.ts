/** Tokens as they are kept: a digest, whose they are, what they may do and until when. Never the token itself. */
import { runCompiled } from './bulk.ts';
import { bumpRevisions } from './revisions.ts';
import type { Db, TokensTable } from './tables.ts';

export interface Credential {
  id: bigint;
  digest: string;
  user_id: bigint;
  scopes: string;
  expires_at: string | null;
  revoked_at: string | null;
  role: 'member' | 'staff';
  is_disabled: bigint;
}

/**
 * The tokens whose digests begin like this, hardly ever more than one, together with what their members may do. The
 * caller compares the rest: an index compares in a time that depends on how much is alike.
 */
export async function findCredentials(db: Db, digestStart: string): Promise<Credential[]> {
  // "g" stands after every hexadecimal digit.
  return runCompiled<Credential>(db, 'findCredentials', [digestStart, `${digestStart}g`], () =>
    db
      .selectFrom('tokens')
      .innerJoin('members', 'members.id', 'tokens.user_id')
      .select([
        'tokens.id',
        'tokens.digest',
        'tokens.user_id',
        'tokens.scopes',
        'tokens.expires_at',
        'tokens.revoked_at',
        'members.role',
        'members.is_disabled',
      ])
      .where('tokens.digest', '>=', digestStart)
      .where('tokens.digest', '<', `${digestStart}g`),
  );
}

export async function insertToken(tx: Db, row: TokensTable): Promise<void> {
  await tx.insertInto('tokens').values(row).execute();
  await bumpRevisions(tx, ['credentials']);
}

/** All tokens with their members' names, or one member's. */
export async function listTokens(
  db: Db,
  userId: bigint | undefined,
): Promise<(Omit<TokensTable, 'digest'> & { username: string })[]> {
  let query = db
    .selectFrom('tokens')
    .innerJoin('members', 'members.id', 'tokens.user_id')
    .select([
      'tokens.id',
      'tokens.user_id',
      'members.username',
      'tokens.name',
      'tokens.scopes',
      'tokens.created_at',
      'tokens.expires_at',
      'tokens.revoked_at',
      'tokens.last_used_at',
    ])
    .orderBy('tokens.id');
  if (userId !== undefined) query = query.where('tokens.user_id', '=', userId);
  return query.execute();
}

/** Says whether there is such a token; one that was revoked before keeps its date. */
export async function revokeToken(tx: Db, id: bigint, now: string): Promise<boolean> {
  const rows = await tx
    .updateTable('tokens')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('id', '=', id)
    .returning('id')
    .execute();
  if (rows.length > 0) await bumpRevisions(tx, ['credentials']);
  return rows.length > 0;
}

export async function noteTokenUses(tx: Db, uses: ReadonlyMap<bigint, string>): Promise<void> {
  // In one order, or two processes that note the same tokens could wait for each other.
  for (const [id, at] of [...uses].sort(([one], [other]) => (one < other ? -1 : 1))) {
    // Another process may have written down a later one.
    await runCompiled(tx, 'noteTokenUse', [at, id, at], () =>
      tx
        .updateTable('tokens')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', at)])),
    );
  }
}
