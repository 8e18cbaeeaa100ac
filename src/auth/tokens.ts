/** Bearer tokens: `pgt_` for the nine operations or `pgw_` for programs, 30 random base62 characters and their CRC-32. */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { dayMs } from '../durations.ts';
import { documentedError, invalidValue, localizedError } from '../errors.ts';
import { reserveIds } from '../store/ids.ts';
import { beginFeed } from '../store/program-feeds.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import {
  countValidTokens,
  findCredentials,
  insertToken,
  saveTokenUses,
  setTokenRevoked,
} from '../store/tokens.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tokenPattern = /^(pg[tw])_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** `pgt` reads by the nine operations, `pgw` reads and writes the practice of its member. */
export type TokenKind = 'pgt' | 'pgw';

export const tokenDays = { usual: 90, longest: 365 } as const;
const tokensAtMost = 100;

interface NewToken {
  userId: bigint;
  name: string;
  scopes: readonly string[];
  lifetimeMs: number | undefined;
}

/** Throws invalidValue. */
export async function makeToken(store: Store, { userId, name, scopes, lifetimeMs }: NewToken) {
  if (lifetimeMs !== undefined && (lifetimeMs <= 0 || lifetimeMs > tokenDays.longest * dayMs)) {
    throw invalidValue(
      `A token can be valid for 1 second to ${tokenDays.longest} days, or without limit with --no-expiry.`,
    );
  }
  if (name.trim() === '' || name.length > 100) {
    throw invalidValue('A token needs a name of 1 to 100 characters that says what it is for: use --name.');
  }
  const kind = kindOfScopes(scopes);
  const token = newToken(kind);
  const now = Date.now();
  const createdAt = new Date(now).toISOString();
  const expiresAt = lifetimeMs === undefined ? null : new Date(now + lifetimeMs).toISOString();
  const id = await store.write(async (tx) => {
    if ((await countValidTokens(tx, userId, createdAt)) >= BigInt(tokensAtMost))
      throw localizedError('invalidValue.tokens', { most: tokensAtMost });
    const [id] = await reserveIds(tx, 'tokens', 1);
    if (id === undefined) throw new Error('no id was given');
    await insertToken(tx, {
      id,
      user_id: userId,
      name,
      digest: secretDigest(token),
      scopes: scopes.join(' '),
      created_at: createdAt,
      expires_at: expiresAt,
      revoked_at: null,
      last_used_at: null,
    });
    if (kind === 'pgw') await beginFeed(tx, userId);
    return id;
  });
  return { id, token, expiresAt };
}

export function revokeToken(store: Store, id: bigint, userId?: bigint): Promise<boolean> {
  return store.writeConcurrently((tx) => setTokenRevoked(tx, id, new Date().toISOString(), userId));
}

/** Throws invalidValue for scopes of both kinds. */
function kindOfScopes(scopes: readonly string[]): TokenKind {
  const ofPrograms = scopes.filter((scope) => scope.startsWith('practice:')).length;
  if (ofPrograms === 0) return 'pgt';
  if (ofPrograms < scopes.length) throw localizedError('invalidValue.tokenKinds');
  return 'pgw';
}

export function newToken(kind: TokenKind): string {
  const random = Array.from({ length: 30 }, () => alphabet[randomInt(62)]).join('');
  return `${kind}_${random}${checksum(random)}`;
}

/** Undefined for a text that is not well-formed. */
export function kindOfToken(text: string): TokenKind | undefined {
  const [, kind, random, digits] = tokenPattern.exec(text) ?? [];
  return random !== undefined && checksum(random) === digits ? (kind as TokenKind) : undefined;
}

export function secretDigest(secret: string): string {
  return hash('sha256', secret);
}

function checksum(text: string): string {
  let quotient = crc32(text);
  let digits = '';
  while (digits.length < 6) {
    digits = alphabet[quotient % 62] + digits;
    quotient = Math.floor(quotient / 62);
  }
  return digits;
}

export interface Actor {
  memberId: bigint;
  isStaff: boolean;
  scopes: ReadonlySet<string>;
  tokenId: bigint;
}

export interface Authenticated {
  actor: Actor;
  revisionScopes: readonly RevisionScope[];
  revisions: readonly bigint[];
}

type RevisionScopesOf = (actor: Actor) => readonly RevisionScope[];

export type Guard = ReturnType<typeof tokenGuard>;

/** Times are milliseconds since 1970. */
interface CachedToken {
  actor: Actor;
  expiresAt: number;
  /** May be older than the token, never newer. */
  revision: bigint;
  usedAt: number;
}

/** Only valid tokens are cached, so this is below 10 MB. */
const cachedAtMost = 10_000;

export function tokenGuard(store: Store, kind: TokenKind) {
  const usedTokens = new Set<CachedToken>();
  // The key is the digest, so that the look-up's time reveals nothing.
  const cache = new LRUCache<string, CachedToken>({ max: cachedAtMost });

  function accept(
    token: CachedToken,
    now: number,
    revisionScopes: readonly RevisionScope[],
    revisions: readonly bigint[],
  ): Authenticated | undefined {
    if (token.revision !== revisions[0]) return undefined;
    if (token.expiresAt <= now) throw documentedError('invalidToken', kind);
    token.usedAt = now;
    usedTokens.add(token);
    return { actor: token.actor, revisionScopes, revisions };
  }

  async function lookUp(
    digest: string,
    now: number,
    revisionScopesOf: RevisionScopesOf,
  ): Promise<Authenticated> {
    for (;;) {
      // The revision is read first, so that it is never newer than the token.
      const [revision = 0n] = await store.revisions(['credentials']);
      const token = await findToken(store, digest, revision);
      if (!token) throw documentedError('invalidToken', kind);
      cache.set(digest, token);
      const keys = ['credentials', ...revisionScopesOf(token.actor)] as const;
      const authenticated = accept(token, now, keys, await store.revisions(keys));
      if (authenticated) return authenticated;
    }
  }

  return {
    kind,
    authenticate(
      authorization: string | undefined,
      now: number,
      revisionScopesOf: RevisionScopesOf,
    ): Authenticated | Promise<Authenticated> {
      const token = bearerToken(authorization, kind);
      const digest = secretDigest(token);
      const cached = cache.get(digest);
      if (!cached) {
        if (kindOfToken(token) !== kind) throw documentedError('invalidToken', kind);
        return lookUp(digest, now, revisionScopesOf);
      }
      const keys = ['credentials', ...revisionScopesOf(cached.actor)] as const;
      const read = store.revisions(keys);
      // SQLite answers without a promise.
      if (!(read instanceof Promise))
        return accept(cached, now, keys, read) ?? lookUp(digest, now, revisionScopesOf);
      return read.then(
        (revisions) => accept(cached, now, keys, revisions) ?? lookUp(digest, now, revisionScopesOf),
      );
    },
    async flushUses(): Promise<void> {
      if (usedTokens.size === 0) return;
      const uses = [...usedTokens];
      usedTokens.clear();
      const dates = uses.map(({ actor, usedAt }) => [actor.tokenId, new Date(usedAt).toISOString()] as const);
      try {
        await store.writeConcurrently((tx) => saveTokenUses(tx, new Map(dates)));
      } catch (error) {
        for (const token of uses) usedTokens.add(token);
        throw error;
      }
    },
  };
}

function bearerToken(authorization = '', kind: TokenKind): string {
  if (authorization.startsWith(`Bearer ${kind}_`)) return authorization.slice(7);
  // A pattern that ends in ` *$` would take quadratic time on blanks.
  const [, scheme, token] = /^([^ ]+) +(.+)$/s.exec(authorization) ?? [];
  if (token !== undefined && scheme?.toLowerCase() === 'bearer') return token;
  throw documentedError('missingToken', kind);
}

/** An index look-up's time reveals how much matched, so half of the digest is compared in constant time. */
async function findToken(store: Store, digest: string, revision: bigint): Promise<CachedToken | undefined> {
  const candidates = await findCredentials(store.reader, digest.slice(0, digest.length / 2));
  const credential = candidates.find((one) => timingSafeEqual(Buffer.from(one.digest), Buffer.from(digest)));
  if (!credential || credential.revoked_at !== null || credential.is_disabled !== 0n) return undefined;
  const { id, user_id, role, scopes, expires_at } = credential;
  return {
    actor: { memberId: user_id, isStaff: role === 'staff', scopes: scopesOf(scopes), tokenId: id },
    expiresAt: expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at),
    revision,
    usedAt: 0,
  };
}

function scopesOf(text: string): ReadonlySet<string> {
  const scopes = new Set(text.split(' '));
  if (scopes.has('practice:mark')) scopes.add('practice:read');
  return scopes;
}

export function requireScope(actor: Actor, scope: string): void {
  if (!actor.scopes.has(scope)) throw documentedError('missingScope', scope);
}
