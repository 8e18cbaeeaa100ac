/** Asks a judge for the problems of one contest, while a page waits for the answer. */
import { refused } from '../errors.ts';
import type { ApiKey, AskedContest } from '../judges/judge.ts';
import { judgeOf } from '../judges/judges.ts';
import type { Store } from '../store/store.ts';
import { type AskOptions, askerOf, whileWaiting } from './asking.ts';

/** The members who wait for an answer. A second request of one would only keep others from the judge. */
const waiting = new WeakMap<Store, Set<bigint>>();

/** The contest as its judge tells it. Throws judgeFailed, and badSetting where the member waits for another one. */
export async function askContest(
  store: Store,
  memberId: bigint,
  { source, contest, key }: { source: string; contest: string; key: ApiKey | undefined },
  place: AskOptions['place'],
): Promise<AskedContest> {
  const judge = judgeOf(source);
  if (!judge?.api?.contest) throw refused('badSetting.contestLink');
  const now = waiting.get(store) ?? new Set();
  waiting.set(store, now);
  if (now.has(memberId)) throw refused('badSetting.contestWaits');
  now.add(memberId);
  try {
    return await judge.api.contest(askerOf(store, judge, { place, pace: whileWaiting }), contest, key);
  } finally {
    now.delete(memberId);
  }
}
