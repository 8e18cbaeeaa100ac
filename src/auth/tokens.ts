/** Tokens: `pgt_`, 30 random base62 characters, and 6 for their CRC-32. The store has only their SHA-256 digests. */
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { badSetting } from '../errors.ts';
import { giveIds } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import { insertToken } from '../store/tokens.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenPattern = /^pgt_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export const defaultLifetimeMs = 90 * 86_400_000;
const longestLifetimeMs = 365 * 86_400_000;

export interface NewToken {
  userId: bigint;
  name: string;
  scopes: readonly string[];
  /** Undefined for never. */
  lifetimeMs: number | undefined;
}

/** Throws badSetting. */
export async function makeToken(store: Store, { userId, name, scopes, lifetimeMs }: NewToken) {
  if (lifetimeMs !== undefined && (lifetimeMs <= 0 || lifetimeMs > longestLifetimeMs)) {
    throw badSetting('A token expires within 1 second to 365 days; --no-expiry makes one that never does.');
  }
  if (name.trim() === '' || name.length > 100) {
    throw badSetting('A token needs a name of 1 to 100 characters that says what it is for: give --name.');
  }
  const token = newToken();
  const now = Date.now();
  const expiresAt = lifetimeMs === undefined ? null : new Date(now + lifetimeMs).toISOString();
  const id = await store.writeBeside(async (tx) => {
    const [given] = await giveIds(tx, 'tokens', 1);
    if (given === undefined) throw new Error('no id was given');
    await insertToken(tx, {
      id: given,
      user_id: userId,
      name,
      digest: secretDigest(token),
      scopes: scopes.join(' '),
      created_at: new Date(now).toISOString(),
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    });
    return given;
  });
  return { id, token, expiresAt };
}

/** About 178 random bits. */
export function newToken(): string {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(62)]).join('');
  return `pgt_${random}${checksum(random)}`;
}

/** A typing error then costs no look-up. */
export function isWellFormedToken(text: string): boolean {
  const [, random, sum] = tokenPattern.exec(text) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** SHA-256 in hexadecimal: all that the store has of a token, a session's cookie or a one-time address. */
export function secretDigest(secret: string): string {
  return hash('sha256', secret);
}

/** CRC-32 (IEEE) in base62, most significant first, padded to six. */
function checksum(text: string): string {
  let rest = crc32(text);
  let sum = '';
  while (sum.length < 6) {
    sum = alphabet[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}
