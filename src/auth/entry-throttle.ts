/**
 * Limits the guessing of passwords. Known browsers and networks have their own counts, so that nobody can lock a member
 * out (OWASP Authentication Cheat Sheet, "Account Lockout").
 */
import { minuteMs } from '../durations.ts';
import { type ErrorKey, localizedError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { countAttempts, readAttempts, uncountAttempts } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { secretDigest } from './tokens.ts';

const windowMs = 15 * minuteMs;
/** `pair` is an account in a network, and `look` a visit to a demo. The last three allow for a class in one network. */
const limits = { device: 10, pair: 10, account: 50, network: 100, signUp: 60, openId: 300, look: 60 };

type Key = readonly [kind: keyof typeof limits, name: string];

export interface Attempt {
  username: string;
  network: string;
  device: string | undefined;
  isKnown: boolean;
}

export type EntryThrottle = ReturnType<typeof entryThrottle>;

export function entryThrottle(store: Store, now: () => number = Date.now) {
  async function begin(keys: readonly Key[], advice: ErrorKey): Promise<string[]> {
    const at = now();
    // A typed username may be a password in the wrong field.
    const digests = keys.map((key) => secretDigest(key.join(' ')));
    const windowTimes = [at, at + windowMs].map((one) => new Date(one).toISOString()) as [string, string];
    const refuseAbove = (counts: readonly number[], additional: number) => {
      const isUsedUp = keys.some(([kind], index) => (counts[index] ?? 0) + additional > limits[kind]);
      if (isUsedUp) throw localizedError(advice);
    };
    // Refused attempts write nothing, so they delay nobody.
    refuseAbove(await readAttempts(store.reader, digests, windowTimes[0]), 1);
    refuseAbove(await store.writeConcurrently((tx) => countAttempts(tx, digests, ...windowTimes)), 0);
    return digests;
  }

  return {
    /** Throws tooManyRequests. */
    async beginSignUp(network: string): Promise<void> {
      await begin([['signUp', network]], 'tooManyRequests.signUp');
    },
    /** Throws tooManyRequests. */
    async beginOpenId(network: string): Promise<void> {
      await begin([['openId', network]], 'tooManyRequests.openId');
    },
    /** Throws tooManyRequests. */
    async beginDemo(network: string): Promise<void> {
      await begin([['look', network]], 'tooManyRequests.demo');
    },
    /** The function that it returns takes the count back after a right password. Throws tooManyRequests. */
    async begin({ username, network, device, isKnown }: Attempt): Promise<(tx: Db) => Promise<void>> {
      const account = fold(username.slice(0, 64));
      const pair = ['pair', `${network} ${account}`] as const;
      const keys: readonly Key[] = device
        ? [['device', device]]
        : isKnown
          ? [pair]
          : [['network', network], ['account', account], pair];
      const digests = await begin(keys, 'tooManyRequests.passwords');
      return (tx) => uncountAttempts(tx, digests);
    },
  };
}
