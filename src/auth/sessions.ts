/** Sessions of the website: a random cookie, of which the store has the digest. */
import { hash, randomBytes } from 'node:crypto';
import {
  deleteExpired,
  findSession,
  insertSession,
  renewSession,
  type SignedInRow,
} from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';

/** A session ends when it was not used for so long. */
export const sessionMs = 30 * 86_400_000;
/** How exact the date of the last use is. */
const seenEveryMs = 3_600_000;

/** Where a session is opened from. */
export interface Opening {
  /** The User-Agent header. */
  browser: string;
  network: string;
}

/** 256 random bits, as they stand in a cookie or an address. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hexadecimal: all that the store has of a secret. */
export function secretDigest(secret: string): string {
  return hash('sha256', secret);
}

/** Opens a session; answers the value of its cookie. */
export async function openSession(tx: Db, userId: bigint, { browser, network }: Opening): Promise<string> {
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
  return secret;
}

/** The session of a cookie, if it is good. Its date of last use is written at most once an hour. */
export async function readSession(
  store: Store,
  secret: string | undefined,
): Promise<SignedInRow | undefined> {
  if (secret === undefined || !/^[\w-]{43}$/.test(secret)) return undefined;
  const now = Date.now();
  const at = new Date(now).toISOString();
  const found = await findSession(store.reader, secretDigest(secret), at);
  if (found && Date.parse(found.seen_at) + seenEveryMs < now) {
    const until = new Date(now + sessionMs).toISOString();
    await store.writeBeside((tx) => renewSession(tx, found.id, at, until));
  }
  return found;
}
