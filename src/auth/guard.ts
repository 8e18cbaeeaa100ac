/** From the Authorization header to the member it acts for. Credentials are checked before anything is looked up. */
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { Store } from '../store/open.ts';
import type { Db } from '../store/tables.ts';
import { type Credential, findCredentials } from '../store/tokens.ts';
import { isWellFormedToken, tokenDigest } from './secrets.ts';

/** On whose behalf a request is answered, and how far it reaches. */
export interface Actor {
  memberId: bigint;
  isStaff: boolean;
  scopes: ReadonlySet<string>;
  tokenId: bigint;
}

/** What is remembered of a token that was good. */
export interface Verdict {
  actor: Actor;
  digest: Buffer;
  /** Milliseconds since 1970; Infinity for never. */
  expiresAt: number;
  /** The revision of the credentials that it was read at, or an earlier one. */
  revision: bigint;
}

export interface Guard {
  /** Reads a bearer token (RFC 6750 §2.1). Throws missingToken or invalidToken; all reasons for the latter look alike. */
  authenticate(authorization: string | undefined, now: number): Promise<Actor>;
  /** What is remembered of the token; it holds only while the credentials have that revision, and until it expires. */
  recall(authorization: string | undefined): Verdict | undefined;
}

const remembered = 10_000;

/** A guard with a memory: a token is looked up again only once something about any token or member changed. */
export function guardOf(store: Store): Guard {
  const verdicts = new LRUCache<string, Verdict>({ max: remembered });
  const recall = (digest: Buffer) => {
    const verdict = verdicts.get(startOf(digest));
    return verdict && timingSafeEqual(verdict.digest, digest) ? verdict : undefined;
  };
  return {
    authenticate: async (authorization, now) => {
      const token = bearerToken(authorization);
      if (token === undefined) {
        throw new AppError(
          'missingToken',
          'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
        );
      }
      if (!isWellFormedToken(token)) throw invalidToken();
      const digest = Buffer.from(tokenDigest(token), 'hex');
      // Before the look-up: a verdict may be older than it says, never newer.
      const [revision = 0n] = await store.revisions(['credentials']);
      let verdict = recall(digest);
      if (verdict?.revision !== revision) {
        const credential = await credentialOf(store.reader, digest);
        verdict = verdictOf(credential, digest, revision);
      }
      if (!verdict || verdict.expiresAt <= now) throw invalidToken();
      verdicts.set(startOf(digest), verdict);
      return verdict.actor;
    },
    recall: (authorization) => {
      const token = bearerToken(authorization);
      return token === undefined ? undefined : recall(Buffer.from(tokenDigest(token), 'hex'));
    },
  };
}

/** Half of a digest: an index compares in a time that depends on how much is alike, so it never gets the whole. */
function startOf(digest: Buffer): string {
  return digest.toString('hex', 0, digest.length / 2);
}

function bearerToken(authorization = ''): string | undefined {
  if (authorization.startsWith('Bearer pgt_')) return authorization.slice(7);
  // The parser has trimmed the value; matching its end loosely would take quadratic time on a run of blanks.
  const [, scheme, token] = /^([^ ]+) +(.+)$/s.exec(authorization) ?? [];
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** Looks a token up by half of its digest and compares the whole in a time that tells nothing of what is kept. */
async function credentialOf(db: Db, digest: Buffer): Promise<Credential | undefined> {
  const candidates = await findCredentials(db, startOf(digest));
  return candidates.find((candidate) => timingSafeEqual(Buffer.from(candidate.digest, 'hex'), digest));
}

function verdictOf(
  credential: Credential | undefined,
  digest: Buffer,
  revision: bigint,
): Verdict | undefined {
  if (!credential || credential.revoked_at !== null || credential.is_disabled !== 0n) return undefined;
  return {
    actor: {
      memberId: credential.user_id,
      isStaff: credential.role === 'staff',
      scopes: new Set(credential.scopes.split(' ')),
      tokenId: credential.id,
    },
    digest,
    expiresAt: credential.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(credential.expires_at),
    revision,
  };
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
