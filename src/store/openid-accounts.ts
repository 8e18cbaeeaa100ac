/** Which accounts elsewhere are a member's. */
import { countRows } from './keyset.ts';
import type { OpenIdAccountsTable } from './openid-tables.ts';
import type { Db } from './tables.ts';

export async function findAccount(
  db: Db,
  provider: string,
  subject: string,
): Promise<OpenIdAccountsTable | undefined> {
  return db
    .selectFrom('openid_accounts')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function listAccounts(db: Db, userId: bigint): Promise<OpenIdAccountsTable[]> {
  return db.selectFrom('openid_accounts').selectAll().where('user_id', '=', userId).execute();
}

export async function insertAccount(tx: Db, row: OpenIdAccountsTable): Promise<void> {
  await tx.insertInto('openid_accounts').values(row).execute();
}

/** Notes that an account was used, and what it is called now. */
export async function noteUse(
  tx: Db,
  { provider, subject, label, used_at }: Omit<OpenIdAccountsTable, 'user_id' | 'joined_at'>,
): Promise<void> {
  await tx
    .updateTable('openid_accounts')
    .set({ label, used_at })
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .execute();
}

/** Takes a member's account at a provider away; returns whether there was one. */
export async function deleteAccount(tx: Db, userId: bigint, provider: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('openid_accounts')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many members have an account at a provider, and how many of them have neither a password nor another account. */
export async function countAccounts(db: Db, provider: string): Promise<{ all: bigint; only: bigint }> {
  const own = db.selectFrom('openid_accounts').where('provider', '=', provider);
  const others = db
    .selectFrom('openid_accounts as others')
    .select('others.user_id')
    .where('others.provider', '!=', provider);
  const only = own
    .innerJoin('members', 'members.id', 'openid_accounts.user_id')
    .where('password_hash', 'is', null)
    .where('openid_accounts.user_id', 'not in', others);
  return { all: await countRows(own), only: await countRows(only) };
}
