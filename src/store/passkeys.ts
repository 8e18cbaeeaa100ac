/** Passkeys: the public half of each key, and the challenges for browsers. */

import { reserveIds } from './ids.ts';
import { countRows } from './listings.ts';
import type { MembersTable } from './members.ts';
import { deleteRows, listRows, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface PasskeysTable {
  id: bigint;
  user_id: bigint;
  credential_id: string;
  /** The RP ID. Browsers offer the passkey on no other host. */
  host: string;
  /** As COSE (RFC 9052), in base64url. */
  public_key: string;
  /** How often the device says that it signed; 0 for one that does not count. */
  counter: bigint;
  transports: string;
  name: string;
  made_at: string;
  used_at: string | null;
}

export interface PasskeyChallengesTable {
  /** SHA-256 of a secret cookie of the browser and the challenge. */
  browser: string;
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

export async function countPasskeys(db: Db, userId: bigint, host: string, except = 0n): Promise<bigint> {
  const passkeys = db.selectFrom('passkeys').where('user_id', '=', userId);
  return countRows(passkeys.where('host', '=', host).where('id', '!=', except));
}

export type PasskeyWithMember = PasskeysTable & Pick<MembersTable, 'is_disabled'>;

export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyWithMember | undefined> {
  return db
    .selectFrom('passkeys')
    .innerJoin('members', 'members.id', 'passkeys.user_id')
    .selectAll('passkeys')
    .select('is_disabled')
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

export async function insertPasskey(tx: Db, row: Omit<PasskeysTable, 'id'>): Promise<boolean> {
  const [id = 0n] = await reserveIds(tx, 'passkeys', 1);
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('passkeys')
    .values({ ...row, id })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/**
 * False, and writes nothing, where a counter has not gone up (WebAuthn §6.1.1). A passkey that its device begins to
 * synchronize stops counting and sends 0.
 */
export async function savePasskeyUse(tx: Db, id: bigint, counter: bigint, usedAt: string): Promise<boolean> {
  let query = tx.updateTable('passkeys').set({ counter, used_at: usedAt }).where('id', '=', id);
  if (counter !== 0n) query = query.where('counter', '<', counter);
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export const setPasskeyName = (tx: Db, userId: bigint, id: bigint, name: string) =>
  updateRows(tx, 'passkeys', { id, user_id: userId }, { name });

export const deletePasskeys = (tx: Db, userId: bigint, id?: bigint) =>
  deleteRows(tx, 'passkeys', { user_id: userId, ...(id !== undefined && { id }) });

export async function saveChallenge(tx: Db, row: PasskeyChallengesTable, before: string): Promise<void> {
  await tx.deleteFrom('passkey_challenges').where('begun_at', '<', before).execute();
  await upsertRow(tx, 'passkey_challenges', ['browser'], row);
}

export async function takeChallenge(
  tx: Db,
  browsers: readonly string[],
): Promise<PasskeyChallengesTable | undefined> {
  return tx
    .deleteFrom('passkey_challenges')
    .where('browser', 'in', browsers)
    .returningAll()
    .executeTakeFirst();
}
