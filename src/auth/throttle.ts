/**
 * Slows down the guessing of passwords, by account and by network. Failures from networks where the member was never signed
 * in do not count for one where they are, so nobody elsewhere can lock a member out (OWASP Authentication Cheat Sheet,
 * "Account Lockout").
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';

const windowMs = 15 * 60_000;
/**
 * Wrong passwords within a window: for one account from one network, from all unknown networks, and of one network in all;
 * and accounts that one network may make while sign-up is open: a class in one room.
 */
const limits = { pair: 10, account: 50, network: 100, signUp: 60 };
/** The keys seen last of each kind: made-up names cannot fill the memory, nor lock out anybody whose name is not among them. */
const keysAtMost = 20_000;

export type SignInThrottle = ReturnType<typeof signInThrottle>;

type Kind = keyof typeof limits;
interface Count {
  failures: number;
  begunAt: number;
}

export function signInThrottle(now: () => number = () => performance.now()) {
  const newCounts = () => new LRUCache<string, Count>({ max: keysAtMost });
  const counts = { pair: newCounts(), account: newCounts(), network: newCounts(), signUp: newCounts() };

  function countOf([kind, key]: readonly [Kind, string]): Count {
    const found = counts[kind].get(key);
    if (found && now() - found.begunAt <= windowMs) return found;
    const fresh = { failures: 0, begunAt: now() };
    counts[kind].set(key, fresh);
    return fresh;
  }

  /** Throws tooManyRequests where one of the keys is used up, and makes no key behind it. */
  function begin(keys: readonly (readonly [Kind, string])[], advice: string): Count[] {
    for (const key of keys) {
      if (countOf(key).failures >= limits[key[0]]) throw new AppError('tooManyRequests', advice);
    }
    const counted = keys.map(countOf);
    for (const count of counted) count.failures++;
    return counted;
  }

  return {
    /** Counts an account that somebody makes without an invitation. Throws tooManyRequests. */
    beginSignUp(network: string) {
      begin(
        [['signUp', network]],
        'Too many accounts were made from your network; wait a quarter of an hour.',
      );
    },
    /** Counts an attempt as a failure until it succeeds. `isKnown`: the member is signed in from this network. Throws tooManyRequests. */
    begin(username: string, network: string, isKnown: boolean) {
      const account = fold(username.slice(0, 64));
      const pair = ['pair', `${network} ${account}`] as const;
      const counted = begin(
        isKnown ? [pair] : [['network', network], ['account', account], pair],
        'There were too many wrong passwords; wait a quarter of an hour, or ask staff for a reset link.',
      );
      return {
        /** The password was right. */
        succeeded() {
          for (const count of counted) count.failures--;
        },
      };
    },
  };
}
