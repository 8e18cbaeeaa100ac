/** Finds the member for whom a bearer token acts. A token's form and checksum are checked before the store is asked. */
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Store } from '../store/store.ts';
import { type Credential, findCredentials } from '../store/tokens.ts';
import { isWellFormedToken, tokenDigest } from './secrets.ts';

/** The member for whom a request is answered, and the scopes of the token. */
export interface Actor {
  memberId: bigint;
  isStaff: boolean;
  scopes: ReadonlySet<string>;
  tokenId: bigint;
}

/** An actor, with the revisions at which the token was valid. */
export interface Authenticated {
  actor: Actor;
  /** The revision of the scope `credentials`. */
  revision: bigint;
  /** The revisions of the scopes that `alongWith` returned, in the same order. */
  revisions: readonly bigint[];
}

export interface Guard {
  /**
   * Checks a bearer token (RFC 6750 §2.1), and reads the revisions of further scopes, which may depend on the actor, in the
   * same query. `now` is in milliseconds since 1970. Throws missingToken or invalidToken, whose message is the same for every
   * reason.
   */
  authenticate(
    authorization: string | undefined,
    now: number,
    alongWith: (actor: Actor) => readonly RevisionScope[],
  ): Promise<Authenticated>;
}

/** A valid token that the guard remembers. */
interface KnownToken {
  actor: Actor;
  digest: Buffer;
  /** Milliseconds since 1970; Infinity for never. */
  expiresAt: number;
  /** The revision of `credentials` at which the token was read, or an earlier one. */
  revision: bigint;
}

/** An entry takes less than a kilobyte. Only valid tokens have one, so a client cannot fill the memory with others. */
const knownAtMost = 10_000;

/** A guard that remembers valid tokens. It looks one up again only after the revision of `credentials` has changed. */
export function guardOf(store: Store): Guard {
  const known = new LRUCache<string, KnownToken>({ max: knownAtMost });
  return {
    authenticate: async (authorization, now, alongWith) => {
      const digest = digestOf(authorization);
      const start = startOf(digest);
      let found = known.get(start);
      if (found && !timingSafeEqual(found.digest, digest)) found = undefined;
      for (;;) {
        // The revision is read before the token, so the remembered revision may be too old, never too new.
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

/** Throws missingToken without a bearer token, invalidToken for one with a wrong form or checksum. */
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
  // Node's parser has trimmed the value. A pattern with ` *$` would take quadratic time on a run of blanks.
  const [, scheme, token] = /^([^ ]+) +(.+)$/s.exec(authorization) ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** Half of a digest. The time of an index look-up depends on how many characters match, so the index never gets the whole. */
function startOf(digest: Buffer): string {
  return digest.toString('hex', 0, digest.length / 2);
}

/** Looks a token up by half of its digest and compares the whole in constant time. */
async function look(store: Store, digest: Buffer, revision: bigint): Promise<KnownToken | undefined> {
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

/** Throws missingScope if the token lacks the scope. */
export function requireScope(actor: Actor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw new AppError(
    'missingScope',
    `This token lacks the scope ${scope}; make one that has it with garden token create.`,
  );
}
