/** How people get in: with a password, or through a one-time address that makes a member or a password. */
import { hourMs } from '../durations.ts';
import { type AppError, refused } from '../errors.ts';
import {
  deleteEntryLink,
  deleteEntryLinks,
  type EntryLinksTable,
  findEntryLink,
  insertEntryLink,
  listOpenLinks,
  type OpenLink,
  useEntryLink,
} from '../store/entry.ts';
import { findPassword, hasMembers, setPasswordHash } from '../store/members.ts';
import { deletePasskeys } from '../store/passkeys.ts';
import { deleteSession, deleteSessionsOf, isKnownNetwork, type SignedInRow } from '../store/sessions.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { revokeTokensOf } from '../store/tokens.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { isDeviceOf, isSecret, newSecret, type Opened, type Opening, openSession } from './sessions.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
import { secretDigest } from './tokens.ts';

/** The id of no member, for whom the same questions are asked. */
const nobody = 0n;

export interface NewLink {
  kind: EntryLinksTable['kind'];
  /** The member who gets a password or is signed in. */
  userId?: bigint;
  role: 'member' | 'staff';
  uses: number;
  lifetimeMs: number;
  madeBy?: bigint;
}

export const usesAtMost = 999;

/** For how many people an address shall work; undefined for a text that is no number from 1 to `usesAtMost`. */
export function usesIn(text: string): number | undefined {
  const uses = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  return uses > 0 && uses <= usesAtMost ? uses : undefined;
}

/** Makes a one-time address; answers the secret that stands in it. */
export async function makeEntryLink(tx: Db, link: NewLink): Promise<string> {
  const secret = newSecret();
  const now = Date.now();
  await insertEntryLink(tx, {
    kind: link.kind,
    digest: secretDigest(secret),
    user_id: link.userId ?? null,
    role: link.role,
    uses_left: BigInt(link.uses),
    made_by: link.madeBy ?? null,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + link.lifetimeMs).toISOString(),
  });
  return secret;
}

/** Ends an invitation, or the address of a new password; answers it as it was, or undefined where there is none open. */
export async function endEntryLink(tx: Db, id: bigint): Promise<OpenLink | undefined> {
  const link = (await listOpenLinks(tx, new Date().toISOString())).find((one) => one.id === id);
  return link && (await deleteEntryLink(tx, id)) ? link : undefined;
}

/** The link of this secret, if it is of this kind and still good. */
export async function readEntryLink(
  db: Db,
  kind: EntryLinksTable['kind'],
  secret: string,
): Promise<EntryLinksTable | undefined> {
  if (!isSecret(secret)) return undefined;
  const link = await findEntryLink(db, { digest: secretDigest(secret) }, new Date().toISOString());
  if (link?.kind !== kind) return undefined;
  // The command line may have made the first member meanwhile.
  return kind === 'setup' && (await hasMembers(db)) ? undefined : link;
}

/** The invitation of an address that was pasted, whole or its end, if it is still good. */
export async function readInvitation(db: Db, text: string): Promise<EntryLinksTable | undefined> {
  const [key = ''] = /[\w-]{43}(?=\/?$)/.exec(text.trim()) ?? [];
  return readEntryLink(db, 'invitation', key);
}

/** The error for a one-time address that no longer works, for any reason; it says how to get a new one. */
export function spent(kind: EntryLinksTable['kind']): AppError {
  return refused(`unknownItem.${kind}Link`);
}

/** Uses a one-time address once. Throws unknownItem. */
export async function takeLink(tx: Db, { id, kind }: EntryLinksTable): Promise<void> {
  if (!(await useEntryLink(tx, id))) throw spent(kind);
}

interface NewPassword {
  password: string;
  endsTokens: boolean;
}

/** Changes the password of the member of a reset address; answers the new cookies. Throws unknownItem. */
export async function acceptReset(
  store: Store,
  link: EntryLinksTable,
  wanted: NewPassword,
  opening: Opening,
): Promise<Opened> {
  if (link.user_id === null) throw spent('reset');
  return changeOwnPassword(store, link.user_id, wanted, opening, (tx) => takeLink(tx, link));
}

/** Signs the member of a demo address in. Throws unknownItem. */
export async function acceptDemo(store: Store, link: EntryLinksTable, opening: Opening): Promise<Opened> {
  return store.write(async (tx) => {
    if (link.user_id === null) throw spent('demo');
    await takeLink(tx, link);
    return openSession(tx, link.user_id, opening);
  });
}

/* Visitors of a public demo share an account: none of them may learn about another, and a crowd may come. */
const nobodyKnown = { browser: '', network: '', device: undefined };
const visit = { lastsMs: hourMs, atMost: 500 };

/** Signs a visitor of a public demo in as its member, for an hour. */
export const lookAround = inTransaction((tx: Db, userId: bigint) =>
  openSession(tx, userId, nobodyKnown, visit),
);

/** Gives a member another password, where `permit` does not throw; answers the new cookies. */
export async function changeOwnPassword(
  store: Store,
  userId: bigint,
  { password, endsTokens }: NewPassword,
  opening: Opening,
  permit?: (tx: Db) => Promise<void>,
): Promise<Opened> {
  const hash = await hashPassword(password);
  return store.write(async (tx) => {
    await permit?.(tx);
    await changePassword(tx, userId, hash, endsTokens);
    return openSession(tx, userId, opening);
  });
}

/**
 * Stores the hash of a password. It ends every session of the member, the addresses that would give another password, and the
 * tokens and passkeys if that is wanted: somebody who knew the password may have made one.
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

/**
 * Signs a member in; answers their cookies, or undefined where there is no such member or the password is another, which take
 * the same time. A session that the browser had ends. Throws tooManyRequests and overloaded.
 */
export async function signIn(
  store: Store,
  throttle: SignInThrottle,
  { username, password }: { username: string; password: string },
  opening: Opening,
  before: SignedInRow | undefined,
): Promise<Opened | undefined> {
  // PostgreSQL takes no text with a NUL.
  const found = !username.includes('\0') ? await findPassword(store.reader, username) : undefined;
  const takeBack = await beginAttempt(store, throttle, username, found, opening);
  const isRight = await isPassword(password, found?.password_hash);
  if (!found || !isRight || found.is_disabled !== 0n) return undefined;
  return store.write(async (tx) => {
    await takeBack(tx);
    if (before) await deleteSession(tx, before.user_id, before.id);
    return openSession(tx, found.id, opening);
  });
}

/**
 * Whether this is the password of a member who is signed in, and confirms something by it; slowed down as signing in is. Throws
 * tooManyRequests and overloaded.
 */
export async function hasPassword(
  store: Store,
  throttle: SignInThrottle,
  { username }: Pick<SignedInRow, 'username'>,
  password: string,
  opening: Opening,
): Promise<boolean> {
  const { reader } = store;
  const found = await findPassword(reader, username);
  const takeBack = await beginAttempt(store, throttle, username, found, opening);
  const isRight = await isPassword(password, found?.password_hash);
  if (isRight) await store.writeBeside(takeBack);
  return isRight;
}

/**
 * Counts a try to get into this account, or into none that there is; answers what takes that back. Throws tooManyRequests.
 */
export async function beginAttempt(
  { reader }: Store,
  throttle: SignInThrottle,
  username: string,
  found: { id: bigint; password_hash: string | null } | undefined,
  { network, device }: Opening,
): Promise<(tx: Db) => Promise<void>> {
  const isKnown = await isKnownNetwork(reader, found?.id ?? nobody, network, new Date().toISOString());
  const hash = found?.password_hash ?? '';
  const isOwn = device !== undefined && hash !== '' && isDeviceOf(device, hash);
  return throttle.begin({ username, network, device: isOwn ? device : undefined, isKnown });
}
