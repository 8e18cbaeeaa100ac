/**
 * Contests to come and the feeds that list them. A contest that is moved stays the same row, and one that no feed lists
 * any more is cancelled.
 */
import { dayMs } from '../durations.ts';
import { cancelledPhase, findContestsByKeys, setContestPhase, updateContest } from '../store/contests.ts';
import { deleteSetting, getSetting, listSettings, setSetting } from '../store/settings.ts';
import { inTransaction } from '../store/store.ts';
import { deleteSync } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import {
  deleteFeedListings,
  deleteListing,
  deleteUpcomingBefore,
  insertListings,
  insertUpcoming,
  listUpcoming,
  listUpcomingWithFeeds,
  type UpcomingContestsTable,
  updateUpcoming,
} from '../store/upcoming.ts';
import { longestTitle, plainLine } from './added-problems.ts';
import { isCancelled } from './solve-settings.ts';

export interface FeedSetting {
  name: string;
  key?: string;
  calendar?: { address: string; title: string };
}

const prefix = 'contest_feed_';
const calendarPrefix = 'calendar-';
/** Numbers are not used again, because members may have hidden the contests of a former calendar. */
const lastCalendarSetting = 'last_calendar';
export const calendarsAtMost = 10;

export async function readFeeds(db: Db): Promise<FeedSetting[]> {
  const rows = await listSettings(db, prefix);
  return rows.map(({ name, value }) => ({ name: name.slice(prefix.length), ...JSON.parse(value) }));
}

export async function saveFeed(tx: Db, { name, ...rest }: FeedSetting): Promise<void> {
  await setSetting(tx, prefix + name, JSON.stringify(rest));
  await deleteSync(tx, syncOfFeed(name));
}

/** Returns undefined if there are too many. The same address gets the new title. */
export async function addCalendar(
  tx: Db,
  calendar: { address: string; title: string },
): Promise<string | undefined> {
  const all = (await readFeeds(tx)).filter((one) => one.calendar);
  const same = all.find((one) => one.calendar?.address === calendar.address);
  if (!same && all.length >= calendarsAtMost) return undefined;
  const numbers = all.map(({ name }) => Number(name.slice(calendarPrefix.length)));
  const number = Math.max(Number((await getSetting(tx, lastCalendarSetting)) ?? 0), ...numbers) + 1;
  const name = same?.name ?? `${calendarPrefix}${number}`;
  if (!same) await setSetting(tx, lastCalendarSetting, String(number));
  await saveFeed(tx, { name, calendar });
  return name;
}

/** Returns false if it is off. */
export async function removeFeed(tx: Db, name: string): Promise<boolean> {
  if ((await getSetting(tx, prefix + name)) === undefined) return false;
  await deleteSetting(tx, prefix + name);
  await deleteFeedListings(tx, name);
  await deleteSync(tx, syncOfFeed(name));
  return true;
}

export const syncOfFeed = (name: string) => ({ source: name, task: 'upcoming', handle_id: null }) as const;

type FeedContest = Pick<
  UpcomingContestsTable,
  'source' | 'key' | 'title' | 'url' | 'starts_at' | 'duration_s'
>;

interface FeedAnswer {
  contests: readonly FeedContest[];
  /** Whether a contest that is missing does not take place. */
  isComplete: boolean;
  /** RFC 3339; contests that began since then are listed too. */
  startsAfter?: string;
}

/** Contests that start later are left out until they come nearer. */
const aheadMs = 90 * dayMs;
/** Calendars that are fetched seldom still get past contests. */
const pastMs = 90 * dayMs;

const contestMapKey = ({ source, key }: Pick<FeedContest, 'source' | 'key'>) => `${source} ${key}`;

/**
 * Returns how many contests were new, changed or cancelled. Of several feeds that of the contest's own judge counts, or
 * else the first.
 */
export const saveListing = inTransaction(
  async (tx: Db, feed: string, answer: FeedAnswer, now: number): Promise<number> => {
    const at = new Date(now).toISOString();
    const { contests, isComplete, startsAfter = at } = answer;
    const existing = await listUpcomingWithFeeds(tx);
    const byName = new Map(existing.map((row) => [contestMapKey(row), row]));
    const newContests: FeedContest[] = [];
    let changeCount = 0;
    for (const { source, key, title, url, starts_at, duration_s } of contests) {
      const entry = { source, key, title, url, starts_at, duration_s };
      const row = byName.get(contestMapKey(entry));
      if (!row) {
        if (isNear(entry, now)) newContests.push(entry);
        continue;
      }
      if (!row.feeds.includes(feed)) await insertListings(tx, [{ contest_id: row.id, feed }]);
      const isAuthoritative = row.told_by === feed || source === feed || !row.feeds.includes(row.told_by);
      if (!isAuthoritative && row.cancelled_at === null) continue;
      const { feeds: _, ...before } = row;
      const next = { ...before, ...entry, told_by: feed, cancelled_at: null };
      if (isSame(before, next)) continue;
      const isChange = !isSame({ ...before, told_by: feed }, next);
      if (isChange) changeCount++;
      await updateUpcoming(tx, isChange ? withNextSequence(next, at) : next);
      if (isChange) await updateKnownContest(tx, next);
    }
    const names = new Set(contests.map(contestMapKey));
    const missing = existing.filter(
      (row) => row.feeds.includes(feed) && row.starts_at > startsAfter && !names.has(contestMapKey(row)),
    );
    for (const { feeds, ...row } of isComplete ? missing : []) {
      await deleteListing(tx, { contest_id: row.id, feed });
      // A list of contests to come says nothing about one that should have begun.
      const [other] = feeds.filter((one) => one !== feed && row.starts_at > at);
      if (other === undefined) {
        const next = withNextSequence({ ...row, cancelled_at: at }, at);
        await updateUpcoming(tx, next);
        await updateKnownContest(tx, next);
        changeCount++;
      } else if (row.told_by === feed) await updateUpcoming(tx, { ...row, told_by: other });
    }
    const defaults = { sequence: 0n, changed_at: at, cancelled_at: null };
    await insertUpcoming(
      tx,
      feed,
      newContests.map((entry) => ({ ...entry, ...defaults })),
    );
    await deleteUpcomingBefore(tx, new Date(now - pastMs).toISOString());
    return changeCount + newContests.length;
  },
);

async function updateKnownContest(tx: Db, next: UpcomingContestsTable): Promise<void> {
  const { source, key, starts_at, duration_s, cancelled_at } = next;
  const [row] = await findContestsByKeys(tx, source, [key]);
  if (!row || row.is_gym === 1n) return;
  if (cancelled_at !== null) await setContestPhase(tx, row.id, cancelledPhase);
  else if (row.phase === null || isCancelled(row)) {
    const { search_text: _, ...before } = row;
    const title = plainLine(next.title, longestTitle);
    await updateContest(tx, { ...before, title, starts_at, duration_s, phase: null });
  }
}

const withNextSequence = (row: UpcomingContestsTable, at: string): UpcomingContestsTable => ({
  ...row,
  sequence: row.sequence + 1n,
  changed_at: at,
});

function isSame(one: UpcomingContestsTable, other: UpcomingContestsTable): boolean {
  const names = ['title', 'url', 'starts_at', 'duration_s', 'told_by', 'cancelled_at'] as const;
  return names.every((name) => one[name] === other[name]);
}

function isNear({ starts_at, duration_s }: FeedContest, now: number): boolean {
  const start = Date.parse(starts_at);
  return start + Number(duration_s) * 1000 > now && start < now + aheadMs;
}

/** Only people of the sample see its contests. */
export const sampleFeed = 'sample';
/** No stored contest lasts longer. */
const longestMs = 14 * dayMs;

export const endOfContest = ({
  starts_at,
  duration_s,
}: Pick<FeedContest, 'starts_at' | 'duration_s'>): number =>
  Date.parse(starts_at) + Number(duration_s) * 1000;

/** Times are in milliseconds since 1970. */
export async function listContestsAhead(
  db: Db,
  { from, until, isSample }: { from: number; until: number; isSample: boolean },
): Promise<UpcomingContestsTable[]> {
  const at = (ms: number) => new Date(ms).toISOString();
  const rows = await listUpcoming(db, { from: at(from - longestMs), until: at(until) });
  return rows.filter((row) => endOfContest(row) > from && (isSample || row.told_by !== sampleFeed));
}
