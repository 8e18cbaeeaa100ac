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
/**
 * `pair` is an account in a network, `network` counts the accounts with a wrong password there, and `look` is a visit to
 * a demo. The last four allow for a class in one network.
 */
const limits = { device: 10, pair: 10, account: 50, network: 100, signUp: 60, openId: 300, look: 60 };
const passwordAdvice = 'tooManyRequests.passwords';

type Key = readonly [kind: keyof typeof limits, name: string];

export interface Attempt {
  username: string;
  network: string;
  device: string | undefined;
  isKnown: boolean;
}

export interface CountedAttempt {
  /** Takes the count back after a right password. */
  succeed(tx: Db): Promise<void>;
  /** Throws tooManyRequests where only the right password would have been let in. */
  fail(): undefined;
}

export type EntryThrottle = ReturnType<typeof entryThrottle>;

export function entryThrottle(store: Store, now: () => number = Date.now) {
  const digestsOf = (keys: readonly Key[]) => {
    const at = now();
    return {
      // A typed username may be a password in the wrong field.
      digests: keys.map((key) => secretDigest(key.join(' '))),
      window: [at, at + windowMs].map((one) => new Date(one).toISOString()) as [string, string],
    };
  };

  async function begin(keys: readonly Key[], advice: ErrorKey) {
    const { digests, window } = digestsOf(keys);
    const refuseAbove = (counts: readonly number[], additional: number) => {
      const isUsedUp = keys.some(([kind], index) => (counts[index] ?? 0) + additional > limits[kind]);
      if (isUsedUp) throw localizedError(advice);
    };
    // Refused attempts write nothing, so they delay nobody.
    refuseAbove(await readAttempts(store.reader, digests, window[0]), 1);
    const counts = await store.writeConcurrently((tx) => countAttempts(tx, digests, ...window));
    refuseAbove(counts, 0);
    return { digests, counts };
  }

  /** Where the account is known, the right password is let in; wrong ones get the same answers as anywhere else. */
  async function beginByPassword(
    pair: Key,
    account: Key,
    network: Key,
    isKnown: boolean,
  ): Promise<CountedAttempt> {
    const { digests, window } = digestsOf([pair, account, network]);
    const [tries = 0, ofAccount = 0, accounts = 0] = await readAttempts(store.reader, digests, window[0]);
    const isFull = accounts >= limits.network;
    const isOver = isFull || ofAccount >= limits.account;
    const refuse = () => {
      throw localizedError(passwordAdvice);
    };
    // The first try of an account is checked in any network, because others there may mistype their passwords. The
    // password of a refused try is checked too, so that the time of the answer does not tell where an account is known.
    const isRefused = !isKnown && isOver && (tries > 0 || ofAccount >= limits.account);
    const counted = await begin(isKnown || isRefused ? [pair] : [pair, account], passwordAdvice);
    if (isRefused) return { succeed: async () => refuse(), fail: refuse };
    const isFirst = counted.counts[0] === 1;
    const others = digests.filter((_, index) => (index === 1 && isKnown) || (index === 2 && isFirst));
    if (others.length > 0) await store.writeConcurrently((tx) => countAttempts(tx, others, ...window));
    return {
      succeed: (tx) => uncountAttempts(tx, [...counted.digests, ...others]),
      fail: () => (isOver ? refuse() : undefined),
    };
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
    /** Throws tooManyRequests. */
    async begin({ username, network, device, isKnown }: Attempt): Promise<CountedAttempt> {
      const account = fold(username.slice(0, 64));
      const pair = ['pair', `${network} ${account}`] as const;
      if (!device) return beginByPassword(pair, ['account', account], ['network', network], isKnown);
      const { digests } = await begin([['device', device]], passwordAdvice);
      return { succeed: (tx) => uncountAttempts(tx, digests), fail: () => undefined };
    },
  };
}
