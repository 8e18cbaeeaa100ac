/** Ends what feeds of programs store of things that are gone. */
import { dayMs } from '../durations.ts';
import { deleteGoneItems, goneDays } from '../store/program-feeds.ts';
import type { Store } from '../store/store.ts';
import { type LeadOptions, pollUntilAborted } from './lease.ts';

export const runFeedExpiry = (store: Store, options: LeadOptions): Promise<void> =>
  pollUntilAborted(
    store,
    { name: 'program feeds', work: 'ending what feeds of programs store' },
    { ...options, pollMs: dayMs },
    async () => void (await expireFeeds(store, Date.now())),
  );

export const expireFeeds = (store: Store, now: number) =>
  store.writeConcurrently((tx) => deleteGoneItems(tx, new Date(now - goneDays * dayMs).toISOString()));
