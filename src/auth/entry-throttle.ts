/**
 * Slows down the guessing of passwords, by account and by network, and counts what one network may begin: new accounts, visits to
 * providers and to a demo. A browser in which the member has signed in before has a count of its own (`sessions.ts`), and failures
 * from networks where the member was never signed in do not count for one where they are, so nobody can lock a member out (OWASP
 * Authentication Cheat Sheet, "Account Lockout"). The counts are in the database: they hold for all processes of a server and over
 * its restarts.
 */
import { minuteMs } from '../durations.ts';
import { type ErrorKey, localizedError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';
import { countAttempts, readAttempts, takeAttemptsBack } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { secretDigest } from './tokens.ts';

const windowMs = 15 * minuteMs;
/**
 * Wrong passwords within a window: in one browser that the account was used in, for one account from one network, from all
 * unknown networks, and of one network in all; accounts that one network may make while sign-up is open, and visits to
 * providers that it may begin or end, and to a public demo: a class in a room.
 */
const limits = { device: 10, pair: 10, account: 50, network: 100, signUp: 60, openId: 300, look: 60 };

type Key = readonly [kind: keyof typeof limits, name: string];

export interface Attempt {
  username: string;
  network: string;
  /** The device cookie of the browser, if it is one of this account. */
  device: string | undefined;
  /** Whether the member is signed in from this network. */
  isKnown: boolean;
}

export type EntryThrottle = ReturnType<typeof entryThrottle>;

export function entryThrottle(store: Store, now: () => number = Date.now) {
  /** Counts a try for each key; answers the digests of the keys. Throws tooManyRequests where one of them is used up. */
  async function begin(keys: readonly Key[], advice: ErrorKey): Promise<string[]> {
    const at = now();
    // A name that was typed may be a password in the wrong field.
    const digests = keys.map((key) => secretDigest(key.join(' ')));
    const moments = [at, at + windowMs].map((one) => new Date(one).toISOString()) as [string, string];
    const refuseAbove = (counts: readonly number[], more: number) => {
      const isUsedUp = keys.some(([kind], place) => (counts[place] ?? 0) + more > limits[kind]);
      if (isUsedUp) throw localizedError(advice);
    };
    // A refused try writes nothing, so it does not delay other writers.
    refuseAbove(await readAttempts(store.reader, digests, moments[0]), 1);
    refuseAbove(await store.writeBeside((tx) => countAttempts(tx, digests, ...moments)), 0);
    return digests;
  }

  return {
    /** Counts an account that somebody makes without an invitation. Throws tooManyRequests. */
    async beginSignUp(network: string): Promise<void> {
      await begin([['signUp', network]], 'tooManyRequests.signUp');
    },
    /** Counts a visit to a place where people sign in elsewhere. Throws tooManyRequests. */
    async beginVisit(network: string): Promise<void> {
      await begin([['openId', network]], 'tooManyRequests.openId');
    },
    /** Counts a visit to a public demo. Throws tooManyRequests. */
    async beginLook(network: string): Promise<void> {
      await begin([['look', network]], 'tooManyRequests.demo');
    },
    /** Counts an attempt as a failure; answers what takes that back once the password was right. Throws tooManyRequests. */
    async begin({ username, network, device, isKnown }: Attempt): Promise<(tx: Db) => Promise<void>> {
      const account = fold(username.slice(0, 64));
      const pair = ['pair', `${network} ${account}`] as const;
      const keys: readonly Key[] = device
        ? [['device', device]]
        : isKnown
          ? [pair]
          : [['network', network], ['account', account], pair];
      const digests = await begin(keys, 'tooManyRequests.passwords');
      return (tx) => takeAttemptsBack(tx, digests);
    },
  };
}
