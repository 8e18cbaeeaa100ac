/** Passkeys in the store: the public half of each key, and the challenges that browsers are about to answer. */

import { giveIds } from './ids.ts';
import { countRows } from './listings.ts';
import type { MembersTable } from './members.ts';
import { deleteRows, listRows, putRow, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

/** A key pair of which a device of the member has the secret half (WebAuthn). */
export interface PasskeysTable {
  id: bigint;
  user_id: bigint;
  /** The id that the device gave it, in base64url. */
  credential_id: string;
  /** The host for which it was made (RP ID). Browsers offer it nowhere else. */
  host: string;
  /** As COSE (RFC 9052), in base64url. */
  public_key: string;
  /** How often the device said that it had signed; 0 for one that does not count. */
  counter: bigint;
  /** How browsers reach the device, such as `internal hybrid`. */
  transports: string;
  name: string;
  made_at: string;
  used_at: string | null;
}

/** A browser that was asked to sign something, which it may answer once. */
export interface PasskeyChallengesTable {
  /** SHA-256 of what only this browser has. */
  browser: string;
  /** The member who adds a passkey; null for somebody who signs in. */
  user_id: bigint | null;
  challenge: string;
  begun_at: string;
}

declare module './tables.ts' {
  interface Tables {
    passkeys: PasskeysTable;
    passkey_challenges: PasskeyChallengesTable;
  }
}

export const listPasskeys = (db: Db, userId: bigint) => listRows(db, 'passkeys', { user_id: userId }, 'id');

/** How many passkeys a member has for this host, without the one with the id `except`. */
export async function countPasskeys(db: Db, userId: bigint, host: string, except = 0n): Promise<bigint> {
  const own = db.selectFrom('passkeys').where('user_id', '=', userId);
  return countRows(own.where('host', '=', host).where('id', '!=', except));
}

export type SigningPasskey = PasskeysTable & Pick<MembersTable, 'username' | 'password_hash' | 'is_disabled'>;

/** The passkey that a device calls so, with its member. */
export async function findPasskey(db: Db, credentialId: string): Promise<SigningPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .innerJoin('members', 'members.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select(['username', 'password_hash', 'is_disabled'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** Keeps a passkey; returns whether no other has its credential id. */
export async function insertPasskey(tx: Db, row: Omit<PasskeysTable, 'id'>): Promise<boolean> {
  const [id = 0n] = await giveIds(tx, 'passkeys', 1);
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('passkeys')
    .values({ ...row, id })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Notes that a passkey was used; returns false, and notes nothing, where its counter has not gone up (WebAuthn §6.1.1). */
export async function noteSigning(tx: Db, id: bigint, counter: bigint, usedAt: string): Promise<boolean> {
  let query = tx.updateTable('passkeys').set({ counter, used_at: usedAt }).where('id', '=', id);
  query = counter === 0n ? query.where('counter', '=', 0n) : query.where('counter', '<', counter);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Returns whether the member has this passkey. */
export const setPasskeyName = (tx: Db, userId: bigint, id: bigint, name: string) =>
  updateRows(tx, 'passkeys', { id, user_id: userId }, { name });

/** Deletes one passkey of a member, or all; returns whether there was one. */
export const deletePasskeys = (tx: Db, userId: bigint, id?: bigint) =>
  deleteRows(tx, 'passkeys', { user_id: userId, ...(id !== undefined && { id }) });

/** Keeps a browser's challenge in place of its earlier one; those of all browsers that are older than `before` are forgotten. */
export async function saveChallenge(tx: Db, row: PasskeyChallengesTable, before: string): Promise<void> {
  await tx.deleteFrom('passkey_challenges').where('begun_at', '<', before).execute();
  await putRow(tx, 'passkey_challenges', ['browser'], row);
}

/** Takes a browser's challenge away, so that it is answered once only. */
export async function takeChallenge(tx: Db, browser: string): Promise<PasskeyChallengesTable | undefined> {
  return tx.deleteFrom('passkey_challenges').where('browser', '=', browser).returningAll().executeTakeFirst();
}
