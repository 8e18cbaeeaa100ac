/**
 * Slows down the guessing of passwords, by account and by network. Failures from networks where the member was never signed
 * in do not count for one where they are, so nobody elsewhere can lock a member out (OWASP Authentication Cheat Sheet,
 * "Account Lockout").
 */
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';

const windowMs = 15 * 60_000;
/** Wrong passwords within a window: for one account from one network, from all unknown networks, and of one network in all. */
const wrong = { pair: 10, account: 50, network: 100 };
/** And the accounts that one network may make while sign-up is open: a class in one room. */
const limits = { ...wrong, signUp: 60 };
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

  return {
    /** Counts an account that somebody makes without an invitation. Throws tooManyRequests. */
    beginSignUp(network: string) {
      const made = countOf(['signUp', network]);
      if (made.failures++ < limits.signUp) return;
      const advice = 'Too many accounts were made from your network; wait a quarter of an hour.';
      throw new AppError('tooManyRequests', advice);
    },
    /** Counts an attempt as a failure until it succeeds. `isKnown`: the member is signed in from this network. Throws tooManyRequests. */
    begin(username: string, network: string, isKnown: boolean) {
      const account = fold(username.slice(0, 64));
      const pair = ['pair', `${network} ${account}`] as const;
      const keys = isKnown ? [pair] : [['network', network] as const, ['account', account] as const, pair];
      // A network that is over its limit makes no further keys.
      for (const key of keys) {
        if (countOf(key).failures >= limits[key[0]]) {
          throw new AppError(
            'tooManyRequests',
            'There were too many wrong passwords; wait a quarter of an hour, or ask staff for a reset link.',
          );
        }
      }
      const counted = keys.map(countOf);
      for (const count of counted) count.failures++;
      return {
        /** The password was right. */
        succeeded() {
          for (const count of counted) count.failures--;
        },
      };
    },
  };
}
