/** OpenID Connect: providers, accounts of members there, and browsers that are signing in. */

import { countRows } from './listings.ts';
import { deleteRows, findRow, listRows, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface OpenIdProvidersTable {
  key: string;
  name: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  /** `domain` and `claim` look at a claim, `joined` at accounts that members joined themselves. */
  admits: 'nobody' | 'everyone' | 'domain' | 'claim' | 'joined';
  claim: string;
  /** The value that the claim must have, or the domain. */
  wanted: string;
  makes_members: bigint;
  name_claim: string;
  changed_at: string;
}

export interface OpenIdAccountsTable {
  provider: string;
  /** The provider's id of the person (OpenID Connect Core §5.7). */
  subject: string;
  user_id: bigint;
  label: string | null;
  joined_at: string;
  used_at: string;
}

/** Authorization requests: sign-ins at a provider that have begun. */
export interface OpenIdVisitsTable {
  /** SHA-256 of a secret cookie of the browser and the state. */
  browser: string;
  user_id: bigint | null;
  provider: string;
  purpose: 'sign-in' | 'join' | 'proof';
  state: string;
  nonce: string;
  /** RFC 7636 §4.1. */
  verifier: string;
  goes_to: string;
  invitation_id: bigint | null;
  joins_group: bigint;
  begun_at: string;
}

declare module './tables.ts' {
  interface Tables {
    openid_providers: OpenIdProvidersTable;
    openid_accounts: OpenIdAccountsTable;
    openid_visits: OpenIdVisitsTable;
  }
}

export async function listProviders(db: Db): Promise<OpenIdProvidersTable[]> {
  return db.selectFrom('openid_providers').selectAll().orderBy('name').orderBy('key').execute();
}

export const findProvider = (db: Db, key: string) => findRow(db, 'openid_providers', { key });

export const saveProvider = (tx: Db, row: OpenIdProvidersTable) =>
  upsertRow(tx, 'openid_providers', ['key'], row);

export const deleteProvider = (tx: Db, key: string) => deleteRows(tx, 'openid_providers', { key });

export async function insertAuthorizationRequest(
  tx: Db,
  visit: OpenIdVisitsTable,
  before: string,
): Promise<void> {
  await tx.deleteFrom('openid_visits').where('begun_at', '<', before).execute();
  await upsertRow(tx, 'openid_visits', ['browser'], visit);
}

export async function consumeAuthorizationRequest(
  tx: Db,
  browsers: readonly string[],
): Promise<OpenIdVisitsTable | undefined> {
  return tx.deleteFrom('openid_visits').where('browser', 'in', browsers).returningAll().executeTakeFirst();
}

export const findAccount = (db: Db, provider: string, subject: string) =>
  findRow(db, 'openid_accounts', { provider, subject });

export const listAccounts = (db: Db, userId: bigint) => listRows(db, 'openid_accounts', { user_id: userId });

export async function insertAccount(tx: Db, row: OpenIdAccountsTable): Promise<void> {
  await tx.insertInto('openid_accounts').values(row).execute();
}

export const saveAccountUse = (
  tx: Db,
  { provider, subject, label, used_at }: Omit<OpenIdAccountsTable, 'user_id' | 'joined_at'>,
) => updateRows(tx, 'openid_accounts', { provider, subject }, { label, used_at });

export const deleteAccount = (tx: Db, userId: bigint, provider: string) =>
  deleteRows(tx, 'openid_accounts', { user_id: userId, provider });

/** `only` counts those who could not sign in otherwise. */
export async function countAccounts(
  db: Db,
  provider: string,
  host: string | undefined,
): Promise<{ all: bigint; only: bigint }> {
  const accounts = db.selectFrom('openid_accounts').where('provider', '=', provider);
  const others = db
    .selectFrom('openid_accounts as others')
    .innerJoin('openid_providers', 'openid_providers.key', 'others.provider')
    .select('others.user_id')
    .where('others.provider', '!=', provider)
    .where('admits', '!=', 'nobody');
  const passkeys = db.selectFrom('passkeys').select('passkeys.user_id');
  const only = accounts
    .innerJoin('members', 'members.id', 'openid_accounts.user_id')
    .where('password_hash', 'is', null)
    .where('openid_accounts.user_id', 'not in', others)
    .where('openid_accounts.user_id', 'not in', passkeys.where('passkeys.host', '=', host ?? ''));
  return { all: await countRows(accounts), only: await countRows(only) };
}
