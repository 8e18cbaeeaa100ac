/** Tokens as they are kept: a digest, whose they are, what they may do and until when. Never the token itself. */
import { runCompiled } from './bulk.ts';
import type { Db, TokensTable } from './tables.ts';

export interface Credential {
  id: bigint;
  user_id: bigint;
  scopes: string;
  expires_at: string | null;
  revoked_at: string | null;
  role: 'member' | 'staff';
  is_disabled: bigint;
}

/** The token with this digest together with what its member may do. */
export async function findCredential(db: Db, digest: string): Promise<Credential | undefined> {
  const [row] = await runCompiled<Credential>(db, 'findCredential', [digest], () =>
    db
      .selectFrom('tokens')
      .innerJoin('members', 'members.id', 'tokens.user_id')
      .select([
        'tokens.id',
        'tokens.user_id',
        'tokens.scopes',
        'tokens.expires_at',
        'tokens.revoked_at',
        'members.role',
        'members.is_disabled',
      ])
      .where('tokens.digest', '=', digest),
  );
  return row;
}

export async function insertToken(tx: Db, row: TokensTable): Promise<void> {
  await tx.insertInto('tokens').values(row).execute();
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
  const token = await tx.selectFrom('tokens').select('revoked_at').where('id', '=', id).executeTakeFirst();
  if (!token) return false;
  if (token.revoked_at === null) {
    await tx.updateTable('tokens').set({ revoked_at: now }).where('id', '=', id).execute();
  }
  return true;
}

export async function noteTokenUses(tx: Db, uses: ReadonlyMap<bigint, string>): Promise<void> {
  for (const [id, at] of uses) {
    await runCompiled(tx, 'noteTokenUse', [at, id], () =>
      tx.updateTable('tokens').set({ last_used_at: at }).where('id', '=', id),
    );
  }
}
