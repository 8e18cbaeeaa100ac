/** Sessions of the website, and device cookies. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { dayMs, hourMs } from '../durations.ts';
import { AppError } from '../errors.ts';
import { findPasswordHash } from '../store/members.ts';
import {
  deleteExpired,
  deleteSession,
  deleteSessionsOf,
  findSession,
  insertSession,
  listSessions,
  renewSession,
  type SignedInRow,
} from '../store/sessions.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { secretDigest } from './tokens.ts';

/*
 * A device cookie shows that a browser was used for this account before (OWASP, "Slow Down Online Guessing Attacks with
 * Device Cookies"). A new password ends it, because the password's hash signs it.
 */

export function newDevice(passwordHash: string): string {
  const nonce = randomBytes(16).toString('base64url');
  return `${nonce}.${signatureOf(passwordHash, nonce).toString('base64url')}`;
}

export function isDeviceOf(device: string, passwordHash: string): boolean {
  const [, nonce, signature] = /^([\w-]{22})\.([\w-]{43})$/.exec(device) ?? [];
  if (nonce === undefined || signature === undefined) return false;
  return timingSafeEqual(signatureOf(passwordHash, nonce), Buffer.from(signature, 'base64url'));
}

function signatureOf(passwordHash: string, nonce: string): Buffer {
  return createHmac('sha256', passwordHash).update(`device ${nonce}`).digest();
}

export const sessionDays = 30;
export const sessionMs = sessionDays * dayMs;
const renewAfterMs = hourMs;

export interface Client {
  browser: string;
  network: string;
  device: string | undefined;
}

export interface SessionCookies {
  session: string;
  device: string | undefined;
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Digests of sessions that the proxy's header opened have this prefix, so their cookies fail without the proxy. */
const proxyPrefix = 'proxy:';
const digestOf = (secret: string, isByProxy: boolean) =>
  (isByProxy ? proxyPrefix : '') + secretDigest(secret);

export const isByProxy = ({ digest }: { digest: string }): boolean => digest.startsWith(proxyPrefix);

interface SessionKind {
  isByProxy?: boolean;
  lifetimeMs?: number;
  sessionsAtMost?: number;
}

export async function openSession(
  tx: Db,
  userId: bigint,
  { browser, network }: Client,
  { isByProxy: hasProxy = false, lifetimeMs = sessionMs, sessionsAtMost }: SessionKind = {},
): Promise<SessionCookies> {
  const secret = newSecret();
  const now = Date.now();
  const at = new Date(now).toISOString();
  await deleteExpired(tx, at);
  if (sessionsAtMost !== undefined) {
    const sameKind = (await listSessions(tx, userId, at)).filter((one) => isByProxy(one) === hasProxy);
    for (const { id } of sameKind.slice(sessionsAtMost - 1)) await deleteSession(tx, userId, id);
  }
  await insertSession(tx, {
    user_id: userId,
    digest: digestOf(secret, hasProxy),
    browser: browser.slice(0, 300),
    network,
    created_at: at,
    seen_at: at,
    expires_at: new Date(now + lifetimeMs).toISOString(),
  });
  const passwordHash = await findPasswordHash(tx, userId);
  return { session: secret, device: passwordHash === null ? undefined : newDevice(passwordHash) };
}

export const endSession = inTransaction(deleteSession);
export const endOtherSessions = inTransaction(deleteSessionsOf);

/** After a renewal the browser's cookie must last longer too. */
export async function readSession(
  store: Store,
  secret: string | undefined,
  hasProxy = false,
): Promise<{ member: SignedInRow | undefined; isRenewed: boolean }> {
  if (secret === undefined || !isSecret(secret)) return { member: undefined, isRenewed: false };
  const now = Date.now();
  const at = new Date(now).toISOString();
  const member = await findSession(store.reader, digestOf(secret, hasProxy), at);
  const isRenewed = member !== undefined && Date.parse(member.seen_at) + renewAfterMs < now;
  if (isRenewed) {
    const expiresAt = new Date(now + sessionMs).toISOString();
    try {
      await store.writeConcurrently((tx) => renewSession(tx, member.id, at, expiresAt));
    } catch (error) {
      // Pages stay readable while nothing can be written.
      if (!(error instanceof AppError) || error.status !== 503) throw error;
      return { member, isRenewed: false };
    }
  }
  return { member, isRenewed };
}
