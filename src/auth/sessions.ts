/** Sessions of the website: a random cookie, of which the store has the digest. */
import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import { findPasswordHash } from '../store/members.ts';
import {
  deleteExpired,
  findSession,
  insertSession,
  renewSession,
  type SignedInRow,
} from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { newDevice } from './devices.ts';
import { secretDigest } from './tokens.ts';

/** A session ends when it was not used for so long. */
export const sessionMs = 30 * 86_400_000;
/** How exact the date of the last use is. */
const seenEveryMs = 3_600_000;

/** The browser and network in which a session is opened. */
export interface Opening {
  /** The User-Agent header. */
  browser: string;
  network: string;
  /** The value of the browser's device cookie. */
  device: string | undefined;
}

/** The values of the cookies that a browser gets with a session. Only a member with a password has a device cookie. */
export interface Opened {
  session: string;
  device: string | undefined;
}

/** 256 random bits, as they stand in a cookie or an address. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether this can be such a secret. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Opens a session; answers the values of its cookies. */
export async function openSession(tx: Db, userId: bigint, { browser, network }: Opening): Promise<Opened> {
  const secret = newSecret();
  const now = Date.now();
  const at = new Date(now).toISOString();
  await deleteExpired(tx, at);
  await insertSession(tx, {
    user_id: userId,
    digest: secretDigest(secret),
    browser: browser.slice(0, 300),
    network,
    created_at: at,
    seen_at: at,
    expires_at: new Date(now + sessionMs).toISOString(),
  });
  const passwordHash = await findPasswordHash(tx, userId);
  return { session: secret, device: passwordHash === null ? undefined : newDevice(passwordHash) };
}

/** The member of a cookie, if its session is good. The date of last use is written at most once an hour; the cookie must then last longer too. */
export async function readSession(
  store: Store,
  secret: string | undefined,
): Promise<{ member: SignedInRow | undefined; isRenewed: boolean }> {
  if (secret === undefined || !isSecret(secret)) return { member: undefined, isRenewed: false };
  const now = Date.now();
  const at = new Date(now).toISOString();
  const member = await findSession(store.reader, secretDigest(secret), at);
  const isRenewed = member !== undefined && Date.parse(member.seen_at) + seenEveryMs < now;
  if (isRenewed) {
    const until = new Date(now + sessionMs).toISOString();
    try {
      await store.writeBeside((tx) => renewSession(tx, member.id, at, until));
    } catch (error) {
      // Pages can be read also while nothing can be written.
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      return { member, isRenewed: false };
    }
  }
  return { member, isRenewed };
}
