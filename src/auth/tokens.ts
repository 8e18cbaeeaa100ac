/** Creates tokens. */
import { badSetting } from '../errors.ts';
import { giveIds } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import { insertToken } from '../store/tokens.ts';
import { newToken, tokenDigest } from './secrets.ts';

export const defaultLifetimeMs = 90 * 86_400_000;
const longestLifetimeMs = 365 * 86_400_000;

export interface NewToken {
  userId: bigint;
  name: string;
  scopes: readonly string[];
  /** Undefined for a token that never expires. */
  lifetimeMs: number | undefined;
}

/** Creates a token and stores only its digest. Throws badSetting for a lifetime over a year, or an empty or overlong name. */
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
      digest: tokenDigest(token),
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
