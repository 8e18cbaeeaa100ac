/** From the Authorization header to the member it acts for. Credentials are checked before anything is looked up. */
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import { type Credential, findCredentials } from '../store/tokens.ts';
import { isWellFormedToken, tokenDigest } from './secrets.ts';

/** On whose behalf a request is answered, and how far it reaches. */
export interface Actor {
  memberId: bigint;
  isStaff: boolean;
  scopes: ReadonlySet<string>;
  tokenId: bigint;
}

/** An actor, and what was the case when the credentials were found good. */
export interface Authenticated {
  actor: Actor;
  /** Of the credentials. */
  revision: bigint;
  /** The revisions of the scopes that were asked for along with them, in their order. */
  revisions: readonly bigint[];
}

export interface Guard {
  /**
   * Reads a bearer token (RFC 6750 §2.1), and in the same question to the store the revisions of further scopes, which may
   * depend on the actor. `now` in milliseconds since 1970. Throws missingToken or invalidToken; all reasons for the latter
   * look alike.
   */
  authenticate(
    authorization: string | undefined,
    now: number,
    alongWith: (actor: Actor) => readonly RevisionScope[],
  ): Promise<Authenticated>;
}

/** What is remembered of a token that was good. */
interface Known {
  actor: Actor;
  digest: Buffer;
  /** Milliseconds since 1970; Infinity for never. */
  expiresAt: number;
  /** The revision of the credentials that it was read at, or an earlier one. */
  revision: bigint;
}

/** Each takes less than a kilobyte, whatever was sent: only good tokens are remembered, by their digest. */
const knownAtMost = 10_000;

/** A guard with a memory: a token is looked up again only once something about any token or member changed. */
export function guardOf(store: Store): Guard {
  const known = new LRUCache<string, Known>({ max: knownAtMost });
  return {
    authenticate: async (authorization, now, alongWith) => {
      const digest = digestOf(authorization);
      const start = startOf(digest);
      let found = known.get(start);
      if (found && !timingSafeEqual(found.digest, digest)) found = undefined;
      for (;;) {
        // Before the look-up: what is remembered may be older than it says, never newer.
        const scopes = found ? alongWith(found.actor) : [];
        const [revision = 0n, ...revisions] = await store.revisions(['credentials', ...scopes]);
        if (found?.revision === revision) {
          if (found.expiresAt <= now) throw invalidToken();
          return { actor: found.actor, revision, revisions };
        }
        found = await look(store, digest, revision);
        if (!found) throw invalidToken();
        known.set(start, found);
      }
    },
  };
}

/** Throws missingToken where no bearer token was sent, invalidToken where its form or checksum is wrong. */
function digestOf(authorization: string | undefined): Buffer {
  const token = bearerToken(authorization);
  if (token === undefined) {
    throw new AppError(
      'missingToken',
      'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
    );
  }
  if (!isWellFormedToken(token)) throw invalidToken();
  return Buffer.from(tokenDigest(token), 'hex');
}

function bearerToken(authorization = ''): string | undefined {
  if (authorization.startsWith('Bearer pgt_')) return authorization.slice(7);
  // The parser has trimmed the value; matching its end loosely would take quadratic time on a run of blanks.
  const [, scheme, token] = /^([^ ]+) +(.+)$/s.exec(authorization) ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** Half of a digest: an index compares in a time that depends on how much is alike, so it never gets the whole. */
function startOf(digest: Buffer): string {
  return digest.toString('hex', 0, digest.length / 2);
}

/** Looks a token up by half of its digest and compares the whole in a time that tells nothing of what is kept. */
async function look(store: Store, digest: Buffer, revision: bigint): Promise<Known | undefined> {
  const candidates = await findCredentials(store.reader, startOf(digest));
  const credential = candidates.find((one) => timingSafeEqual(Buffer.from(one.digest, 'hex'), digest));
  if (!credential || credential.revoked_at !== null || credential.is_disabled !== 0n) return undefined;
  return { actor: actorOf(credential), digest, expiresAt: expiryOf(credential), revision };
}

function actorOf({ id, user_id, role, scopes }: Credential): Actor {
  return { memberId: user_id, isStaff: role === 'staff', scopes: new Set(scopes.split(' ')), tokenId: id };
}

function expiryOf({ expires_at }: Credential): number {
  return expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
}

function invalidToken(): AppError {
  return new AppError(
    'invalidToken',
    'This token is malformed, unknown, expired or revoked; garden token create makes a new one.',
  );
}

/** Throws missingScope where the token does not have it. */
export function requireScope(actor: Actor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw new AppError(
    'missingScope',
    `This token lacks the scope ${scope}; make one that has it with garden token create.`,
  );
}
