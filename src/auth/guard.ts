/** From the Authorization header to the member it acts for. Credentials are checked before anything is looked up. */
import { AppError } from '../errors.ts';
import type { Db } from '../store/tables.ts';
import { findCredential } from '../store/tokens.ts';
import { isWellFormedToken, tokenDigest } from './secrets.ts';

/** On whose behalf a request is answered, and how far it reaches. */
export interface Actor {
  memberId: bigint;
  isStaff: boolean;
  scopes: ReadonlySet<string>;
  tokenId: bigint;
}

/** Reads a bearer token (RFC 6750 §2.1). Throws missingToken or invalidToken; all reasons for the latter look alike. */
export async function authenticate(db: Db, authorization: string | undefined, now: Date): Promise<Actor> {
  // The parser has trimmed the value; matching its end loosely would take quadratic time on a run of blanks.
  const [, scheme, token] = /^([^ ]+) +(.+)$/s.exec(authorization ?? '') ?? [];
  if (token === undefined || scheme?.toLowerCase() !== 'bearer') {
    throw new AppError(
      'missingToken',
      'This needs a token: send "Authorization: Bearer pgt_…"; garden token create makes one.',
    );
  }
  const credential = isWellFormedToken(token) ? await findCredential(db, tokenDigest(token)) : undefined;
  const isGood =
    credential !== undefined &&
    credential.revoked_at === null &&
    credential.is_disabled === 0n &&
    (credential.expires_at === null || credential.expires_at > now.toISOString());
  if (!isGood) {
    throw new AppError(
      'invalidToken',
      'This token is malformed, unknown, expired or revoked; garden token create makes a new one.',
    );
  }
  return {
    memberId: credential.user_id,
    isStaff: credential.role === 'staff',
    scopes: new Set(credential.scopes.split(' ')),
    tokenId: credential.id,
  };
}

/** Throws missingScope where the token does not have it. */
export function requireScope(actor: Actor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw new AppError(
    'missingScope',
    `This token lacks the scope ${scope}; make one that has it with garden token create.`,
  );
}
