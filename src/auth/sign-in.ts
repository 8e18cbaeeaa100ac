/** Sign-in by password, and the visitors of a demo. */
import { hourMs } from '../durations.ts';
import { deleteEntryLinks } from '../store/entry.ts';
import { findPassword, setPasswordHash } from '../store/members.ts';
import { deletePasskeys } from '../store/passkeys.ts';
import { deleteSession, deleteSessionsOf, isKnownNetwork, type SignedInRow } from '../store/sessions.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { revokeTokensOf } from '../store/tokens.ts';
import type { CountedAttempt, EntryThrottle } from './entry-throttle.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { type Client, isDeviceOf, openSession, type SessionCookies } from './sessions.ts';

/* Visitors of a demo share an account and must not learn about each other. */
const demoClient = { browser: '', network: '', device: undefined };
const demoSession = { lifetimeMs: hourMs, sessionsAtMost: 500 };

export const signInToDemo = inTransaction((tx: Db, userId: bigint) =>
  openSession(tx, userId, demoClient, demoSession),
);

export interface NewPassword {
  password: string;
  endsTokens: boolean;
}

export async function changeOwnPassword(
  store: Store,
  userId: bigint,
  { password, endsTokens }: NewPassword,
  client: Client,
  redeem?: (tx: Db) => Promise<void>,
): Promise<SessionCookies> {
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    await redeem?.(tx);
    await changePassword(tx, userId, hash, endsTokens);
    return openSession(tx, userId, client);
  });
}

/**
 * Ends sessions and reset links; with `endsTokens` also tokens and passkeys, which somebody with the old password may
 * have made.
 */
export async function changePassword(
  tx: Db,
  userId: bigint,
  hash: string,
  endsTokens: boolean,
): Promise<void> {
  await setPasswordHash(tx, userId, hash);
  await deleteSessionsOf(tx, userId);
  await deleteEntryLinks(tx, 'reset', userId);
  if (!endsTokens) return;
  await revokeTokensOf(tx, userId, new Date().toISOString());
  await deletePasskeys(tx, userId);
}

/** Undefined for an unknown member or wrong password, after the same time. Throws tooManyRequests and overloaded. */
export async function signIn(
  store: Store,
  throttle: EntryThrottle,
  { username, password }: { username: string; password: string },
  client: Client,
  previousSession: SignedInRow | undefined,
): Promise<SessionCookies | undefined> {
  // PostgreSQL accepts no NUL.
  const member = !username.includes('\0') ? await findPassword(store.reader, username) : undefined;
  const attempt = await beginAttempt(store, throttle, username, member, client);
  const isRight = await isPassword(password, member?.password_hash);
  if (!member || !isRight || member.is_disabled !== 0n) return attempt.fail();
  return store.write(async (tx) => {
    await attempt.succeed(tx);
    if (previousSession) await deleteSession(tx, previousSession.user_id, previousSession.id);
    return openSession(tx, member.id, client);
  });
}

/** Throws tooManyRequests and overloaded. */
export async function verifyPassword(
  store: Store,
  throttle: EntryThrottle,
  { username }: Pick<SignedInRow, 'username'>,
  password: string,
  client: Client,
): Promise<boolean> {
  const { reader } = store;
  const member = await findPassword(reader, username);
  const attempt = await beginAttempt(store, throttle, username, member, client);
  const isRight = await isPassword(password, member?.password_hash);
  if (isRight) await store.writeConcurrently(attempt.succeed);
  else attempt.fail();
  return isRight;
}

/** An unknown username takes the same queries with this id, which hides whether the member exists. */
const unknownMemberId = 0n;

export async function beginAttempt(
  { reader }: Store,
  throttle: EntryThrottle,
  username: string,
  member: { id: bigint; password_hash: string | null } | undefined,
  { network, device }: Client,
): Promise<CountedAttempt> {
  const isKnown = await isKnownNetwork(
    reader,
    member?.id ?? unknownMemberId,
    network,
    new Date().toISOString(),
  );
  const hash = member?.password_hash ?? '';
  const isValid = device !== undefined && hash !== '' && isDeviceOf(device, hash);
  return throttle.begin({ username, network, device: isValid ? device : undefined, isKnown });
}
