/** Asks the feeds of contests that administrators switched on, in one process of all that share a database. */
import { type ContestFeed, calendarFeed, contestFeeds, longestCalendar } from '../judges/contest-feeds.ts';
import { judgePlaces } from '../practice/judge-places.ts';
import { type FeedSetting, readFeeds, syncOfFeed } from '../practice/upcoming.ts';
import type { Store } from '../store/store.ts';
import { isDue, listJudgeSyncs } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { type AskOptions, askerOf } from './asking.ts';
import { keepLooking, type LeadOptions } from './lease.ts';
import { want } from './schedule.ts';
import { syncFeed } from './sync-runs.ts';

interface FeedOptions {
  judgeUrls: ReadonlyMap<string, string> | undefined;
  /** Origins that may be private: the operator says so, and nobody else. */
  inside: ReadonlySet<string>;
  log(level: 'warn', sentence: string): void;
  signal?: AbortSignal | undefined;
  /** Shorter ones are for tests. */
  pace?: AskOptions['pace'];
}

/** Goes on until the signal. */
export const keepContests = (store: Store, options: FeedOptions & LeadOptions): Promise<void> =>
  keepLooking(store, { name: 'contests', work: 'asking for contests' }, options, (signal) =>
    askFeeds(store, { ...options, signal }, Date.now()),
  );

/** Has a feed asked at once. */
export const askFeedNow = (tx: Db, name: string) => want(tx, syncOfFeed(name));

function feedOf({ name, calendar }: FeedSetting): ContestFeed | undefined {
  return calendar ? calendarFeed(name, calendar.title, calendar.address) : contestFeeds.get(name);
}

/** Asks the feeds that are due now, one after another. What fails has a pause of its own, and keeps no other from being asked. */
export async function askFeeds(store: Store, options: FeedOptions, now: number): Promise<void> {
  const { judgeUrls, inside, signal, pace, log } = options;
  const settings = await readFeeds(store.reader);
  if (settings.length === 0) return;
  const syncs = await listJudgeSyncs(store.reader);
  const places = await judgePlaces(store.reader, judgeUrls);
  for (const setting of settings) {
    const { task, source } = syncOfFeed(setting.name);
    const sync = syncs.find((row) => row.source === source && row.task === task);
    const feed = feedOf(setting);
    if (!feed || (sync && !isDue(sync, now))) continue;
    const { calendar } = setting;
    const place = calendar
      ? { url: calendar.address, mayBePrivate: inside.has(new URL(calendar.address).origin) }
      : places.get(setting.name);
    const size = calendar ? { answerMiB: longestCalendar } : {};
    // A feed that has failed is asked once, and waits for its next pause.
    const retries = sync && sync.failures === 0n ? {} : { retries: 0 };
    const ask = askerOf(store, feed, { place, signal, pace: { ...size, ...retries, ...pace } });
    try {
      await syncFeed(store, setting, feed, ask);
    } catch (error) {
      signal?.throwIfAborted();
      log('warn', `${setting.name} contests: ${(error as Error).message}`);
    }
  }
}
