/**
 * Slows down the guessing of passwords, by account and by network. Failures from networks where the member was never signed
 * in do not count for one where they are, so nobody can lock a member out of their own browser (OWASP Authentication Cheat
 * Sheet, "Account Lockout").
 */

import { AppError } from '../errors.ts';
import { fold } from '../store/case-folding.ts';

const windowMs = 15 * 60_000;
/** Wrong passwords within a window: for one account from one network, from all unknown networks, and of one network in all. */
const limits = { pair: 10, account: 50, network: 100 };
/** Accounts that one network may make within a window while sign-up is open: a class in one room. */
const signUpsAtMost = 60;
/** Further keys share one count, so that made-up names cannot fill the memory. */
const keysAtMost = 20_000;

export type SignInThrottle = ReturnType<typeof signInThrottle>;

export function signInThrottle(now: () => number = () => performance.now()) {
  const counts = new Map<string, number>();
  let begunAt = now();

  /** Adds to the count of this key within the window, and answers it. */
  function add(key: string, by: number): number {
    const known = counts.has(key) || counts.size < keysAtMost ? key : 'others';
    const count = Math.max(0, (counts.get(known) ?? 0) + by);
    counts.set(known, count);
    return count;
  }

  function forgetOld() {
    if (now() - begunAt <= windowMs) return;
    counts.clear();
    begunAt = now();
  }

  return {
    /** Counts an account that somebody makes without an invitation. Throws tooManyRequests. */
    beginSignUp(network: string) {
      forgetOld();
      if (add(`join ${network}`, 1) <= signUpsAtMost) return;
      const advice = 'Too many accounts were made from your network; wait a quarter of an hour.';
      throw new AppError('tooManyRequests', advice);
    },
    /** Counts an attempt as a failure until it succeeds. `isKnown`: the member is signed in from this network. Throws tooManyRequests. */
    begin(username: string, network: string, isKnown: boolean) {
      forgetOld();
      const account = fold(username.slice(0, 64));
      const keys = [[`pair ${network} ${account}`, limits.pair]] as [string, number][];
      if (!isKnown) keys.push([`account ${account}`, limits.account], [`network ${network}`, limits.network]);
      const isOver = keys.map(([key, limit]) => add(key, 1) > limit).includes(true);
      if (isOver) {
        throw new AppError(
          'tooManyRequests',
          'There were too many wrong passwords; wait a quarter of an hour, or ask staff for a reset link.',
        );
      }
      return {
        /** The password was right. */
        succeeded() {
          for (const [key] of keys) add(key, -1);
        },
      };
    },
  };
}
