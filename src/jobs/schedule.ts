/** Syncs what is due at judges and feeds of contests, in one of the processes that share a database. */

import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../durations.ts';
import { type ContestFeed, calendarFeed, calendarMiB, contestFeeds } from '../judges/contest-feeds.ts';
import { faultKindOf, isUnavailable } from '../judges/faults.ts';
import { type JudgeClient, roundHandlesPerRequest } from '../judges/judge.ts';
import { isSynced, type JudgeSite, judgeOf, siteOf, sitesOf } from '../judges/judges.ts';
import { addressOfJudge, listJudgeAddresses } from '../practice/judge-addresses.ts';
import { type FeedSetting, readFeeds, syncOfFeed } from '../practice/upcoming.ts';
import { fold } from '../store/case-folding.ts';
import { findHandle, type HandlesTable, listSourcesOfHandles } from '../store/handles.ts';
import { findLiveFeed } from '../store/live-feeds.ts';
import { findRoundsNow, type HandleInRound, listHandlesInRounds } from '../store/rounds.ts';
import { inTransaction, type Store } from '../store/store.ts';
import {
  deleteSync,
  findSync,
  freshSync,
  type HandleTask,
  isDue,
  isUrgent,
  listDueHandles,
  listJudgeSyncs,
  pauseSubject,
  requestSyncOf,
  type SyncSubject,
  type SyncTask,
} from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { consecutiveFaults, type JudgeClientOptions, judgeClient, siteClient } from './judge-client.ts';
import { type LeadOptions, pollIntervalMs, pollUntilAborted, runAsLeader } from './lease.ts';
import { type LiveOptions, readLiveFeed, seenTogether } from './live-feeds.ts';
import { isLive } from './live-rules.ts';
import { afterRoundMs, dueInRound, roundIntervalMs, roundRetryMs } from './sync-intervals.ts';
import {
  cursorOf,
  importResults,
  listCatalogueTasks,
  pauseJudge,
  recordRun,
  syncAge,
  syncCatalogue,
  syncFeed,
  syncHandle,
  syncRatings,
  syncRenames,
} from './sync-runs.ts';

export interface ScheduleOptions extends LeadOptions {
  judgeUrls?: LiveOptions['judgeUrls'];
  liveMb?: LiveOptions['liveMb'];
  /** Tests use shorter ones. `roundMs` is the interval of requests for a person in a running round. */
  pace?: LiveOptions['pace'] & { roundMs?: number };
}

export const syncLease = 'sync';
const handlesPerQuery = 50;
/** Judges are synced in parallel, so that a slow one delays no other. */
export async function runSyncSchedule(store: Store, options: ScheduleOptions): Promise<void> {
  const { pollMs = pollIntervalMs } = options;
  await runAsLeader(store, { name: syncLease, work: 'syncing' }, options, async (leading) => {
    const stopping = new AbortController();
    const signal = AbortSignal.any([leading, stopping.signal]);
    const runs = new Map<string, Promise<void>>();
    const faults: unknown[] = [];
    try {
      while (!signal.aborted) {
        for (const source of await listSourcesOfHandles(store.reader))
          for (const [name, work] of Object.entries({
            [source]: syncJudge,
            [`${source} live`]: readLiveFeed,
          })) {
            if (runs.has(name)) continue;
            const run = work(store, source, { ...options, signal })
              .catch((fault) => {
                if (!signal.aborted) faults.push(fault);
                stopping.abort();
              })
              .finally(() => runs.delete(name));
            runs.set(name, run);
          }
        await sleep(pollMs, undefined, { signal }).catch(() => {});
      }
    } finally {
      stopping.abort();
      await Promise.all(runs.values());
    }
    if (faults.length > 0) throw faults[0];
  });
}

/**
 * A failed task is retried after its own pause and delays no other. Handles come before a stored catalogue and before
 * failed tasks, because a judge may take minutes to fail.
 */
async function syncJudge(store: Store, source: string, options: ScheduleOptions): Promise<void> {
  const judge = judgeOf(source);
  if (!judge?.api) return;
  const { judgeUrls, signal, pace, log } = options;
  const judgeAddresses = await listJudgeAddresses(store.reader, judgeUrls);
  const address = judgeAddresses.get(source);
  const ask = judgeClient(store, judge, { address, signal, ...(pace && { pace }) });
  /** A task that never succeeded, or failed last time, waits for its next pause instead of being retried. */
  const askWithoutRetries = judgeClient(store, judge, {
    address,
    signal,
    pace: { ...pace, retries: 0 },
  });
  /** An unknown or unlinked handle is no fault. */
  const faultOf = async (what: string, run: Promise<unknown>): Promise<Error | undefined> => {
    try {
      await run;
    } catch (error) {
      signal.throwIfAborted();
      if (faultKindOf(error) === 'unknown handle' || (error as { code?: string }).code === 'unknownItem')
        return;
      log('warn', `${source} ${what}: ${(error as Error).message}`);
      return error as Error;
    }
    return undefined;
  };
  const due = await dueTasks(store, source);
  const runTasks = async (tasksToRun: typeof due) => {
    for (const { task, succeededLast } of tasksToRun)
      await faultOf(task, runTask(store, source, task, succeededLast ? ask : askWithoutRetries));
  };
  const sites = isSynced(judge) ? sitesOf(source) : [];
  const syncHandles = async (site: JudgeSite, atMost: number, listOthers = dueHandles) => {
    const client = siteClient(store, site, judgeAddresses, { signal, ...(pace && { pace }) });
    const givesUp = consecutiveFaults();
    let handle: HandlesTable | undefined;
    for (let count = 0; count < atMost; count++) {
      signal.throwIfAborted();
      await faultOf('rounds', syncRounds(store, site, client, options));
      const before = handle?.id;
      const others = async () => (await listOthers(store, site)).filter(({ id }) => id !== before);
      handle = await nextHandle(store, site, others, options);
      if (!handle) break;
      const rest = await isReconciled(store, handle);
      const startedAt = Date.now();
      const fault = await faultOf('submissions', syncHandle(store, handle, client));
      const tookMs = Date.now() - startedAt;
      if (rest) await sleep(Math.min(restShare * tookMs, restAtMostMs), undefined, { signal });
      if (givesUp(fault) && fault) {
        await pauseJudge(store, site.name, fault);
        break;
      }
    }
  };
  await runTasks(due.filter(({ runsLast }) => !runsLast));
  for (const site of sites) await syncHandles(site, handlesPerRun);
  const { ratings } = judge.api;
  const ratingOptions: JudgeClientOptions = {
    address: addressOfJudge(judgeAddresses, `${source}-ratings`),
    site: ratings,
    signal,
    pace: { ...pace, retries: 0 },
  };
  const askRatings = judgeClient(store, judge, ratingOptions);
  const givesUpRatings = consecutiveFaults();
  for (const handle of ratings ? await dueHandles(store, siteOf(source, ''), 'ratings') : []) {
    signal.throwIfAborted();
    if (givesUpRatings(await faultOf('ratings', syncRatings(store, handle, askRatings)))) break;
    if ((await isRoundHandleDue(store, sites, options)) || (await isListUrgent(store, sites))) break;
  }
  for (const task of due.filter(({ runsLast: isLast }) => isLast)) {
    for (const site of sites) await syncHandles(site, handlesPerQuery, async () => []);
    await runTasks([task]);
  }
}

/** So much longer than a request for a handle beside a live feed its judge is left alone, at least three of five requests. */
const restShare = 1.5;
const restAtMostMs = 10_000;

/** Whether a live feed has what is new of the handle, and nobody waits for its own list. */
async function isReconciled(store: Store, { source, id }: HandlesTable): Promise<boolean> {
  if (!isLive(await findLiveFeed(store.reader, source), Date.now())) return false;
  const row = await findSync(store.reader, { source, task: 'submissions', handle_id: id });
  return (row?.good_at ?? null) !== null && !isUrgent(row);
}

/** Where the judge shows what several people submitted to several problems, one request is enough for a round. */
async function syncRounds(
  store: Store,
  site: JudgeSite,
  ask: JudgeClient,
  { pace }: ScheduleOptions,
): Promise<void> {
  const { source } = site;
  const ofRound = judgeOf(source)?.api?.ofRound;
  if (!ofRound) return;
  const subject = { source, task: 'rounds', handle_id: null } as const;
  const last = await findSync(store.reader, subject);
  const now = Date.now();
  const roundMs = pace?.roundMs ?? roundIntervalMs;
  if (now - Date.parse(last?.tried_at ?? '') < (last?.fault ? roundRetryMs : roundMs)) return;
  const span = { now: isoTime(now), endedAfter: isoTime(now - afterRoundMs) };
  const handles = await listHandlesInRounds(store.reader, source, span);
  if (handles.length === 0) return;
  await recordRun(store, subject, async () => {
    const { keys, from } = await findRoundsNow(store.reader, source, span);
    const byName = Map.groupBy(handles, ({ name_key }) => name_key);
    let news = 0;
    for (let start = 0; start < byName.size; start += roundHandlesPerRequest) {
      const names = [...byName.keys()].slice(start, start + roundHandlesPerRequest);
      const cursors = names.map((name) => cursorOf(byName.get(name)?.find(({ cursor }) => cursor !== null)));
      const request = { handles: names, cursors, keys, from: new Date(from), until: new Date(now) };
      const submissions = Map.groupBy(await ofRound(ask, request), (one) => fold(one.handles[0] ?? ''));
      for (const name of names)
        for (const handle of byName.get(name) ?? [])
          news += await importResults(store, handle, submissions.get(name) ?? [], { addsOnly: true });
    }
    return [undefined, { news: BigInt(news) }];
  });
}

/** After this many handles the judge's lists get a turn, even while handles take all its time. */
const handlesPerRun = 2 * handlesPerQuery;

async function nextHandle(
  store: Store,
  site: JudgeSite,
  listOthers: () => Promise<HandlesTable[]>,
  options: ScheduleOptions,
): Promise<HandlesTable | undefined> {
  const { playing: inRound, first } = await handlesInRoundsAt(store, site, options);
  if (first) return first;
  const inRoundIds = new Set(inRound.map(({ id }) => id));
  // They are listed anew each time, so that nobody who waits for an own list stands behind those that are only due.
  return (await listOthers()).find(({ id }) => !inRoundIds.has(id));
}

/** `first` has been due longest; undefined while the site is paused. */
async function handlesInRoundsAt(
  store: Store,
  { source, name: siteName }: JudgeSite,
  { pace }: ScheduleOptions,
) {
  const now = Date.now();
  const seen = await seenTogether(store.reader, source, now);
  const span = { now: isoTime(now), endedAfter: isoTime(now - (seen ? checkedAfterMs : afterRoundMs)) };
  // Where one request for all brings what they submit, each own list is read once after the end.
  const needsList = ({ ends_at, tried_at }: HandleInRound) =>
    !seen || (Date.parse(ends_at) <= now && tried_at !== null && tried_at < ends_at);
  const inRound = (await listHandlesInRounds(store.reader, source, span)).filter(
    (one) => siteOf(source, one.name).name === siteName && needsList(one),
  );
  const roundMs = pace?.roundMs ?? roundIntervalMs;
  const due = inRound
    .map((handle) => ({ handle, dueAt: dueInRound(handle, roundMs) }))
    .filter(({ dueAt }) => dueAt <= now)
    .toSorted((a, b) => a.dueAt - b.dueAt);
  const maySync = due.length > 0 && !(await isPaused(store, siteName, roundRetryMs));
  return { playing: inRound, first: maySync ? due[0]?.handle : undefined };
}

/** Own lists of three hundred people take so long after the end. */
const checkedAfterMs = 30 * minuteMs;

async function isRoundHandleDue(store: Store, sites: readonly JudgeSite[], options: ScheduleOptions) {
  for (const site of sites) if ((await handlesInRoundsAt(store, site, options)).first) return true;
  return false;
}

/** Whether somebody waits for the own list, or a submission for its verdict. */
async function isListUrgent(store: Store, sites: readonly JudgeSite[]): Promise<boolean> {
  for (const site of sites) {
    const [{ source, id } = { source: '', id: null }] = await dueHandles(store, site);
    const subject = { source, task: 'submissions', handle_id: id } as const;
    if (id !== null && isUrgent(await findSync(store.reader, subject))) return true;
  }
  return false;
}

const isoTime = (ms: number) => new Date(ms).toISOString();

/**
 * Milliseconds since 1970 of the next request for people of a running round whose judge does not answer; undefined if
 * it answers.
 */
export async function unavailableUntil(
  db: Db,
  source: string,
  handles: readonly Pick<HandleInRound, 'tried_at' | 'due_at' | 'fault'>[],
): Promise<number | undefined> {
  const pause = await findSync(db, pauseSubject(source));
  const isSilent = handles.length > 0 && handles.every(({ fault }) => isUnavailable(fault));
  if (!isSilent && (!pause || isDue(pause, Date.now()))) return undefined;
  return Math.min(...(pause ? [pause] : handles).map((one) => dueInRound(one, roundIntervalMs)));
}

const tasks = ['problems', 'contests', 'gyms', 'renames', 'age'] as const;
type Task = (typeof tasks)[number];
interface DueTask {
  task: Task;
  succeededLast: boolean;
  runsLast: boolean;
}

async function dueTasks(store: Store, source: string): Promise<DueTask[]> {
  const due: DueTask[] = [];
  // One statement, so that tasks that become due together run in the same turn.
  const rows = (await listJudgeSyncs(store.reader)).filter((row) => row.source === source);
  const catalogueTasks = await listCatalogueTasks(store.reader, source);
  for (const task of tasks) {
    const isCatalogueTask = task !== 'renames' && task !== 'age';
    if (!isCatalogueTask && !judgeOf(source)?.api?.[task]) continue;
    const subject = { source, task, handle_id: null };
    const row = rows.find((one) => one.task === task);
    const { failures, good_at } = row ?? freshSync(subject);
    if (row && !isDue(row, Date.now())) continue;
    if (isCatalogueTask && !catalogueTasks.includes(task)) {
      // Nobody needs the task any more, so its last fault is forgotten.
      if (row) await store.writeConcurrently((tx) => deleteSync(tx, subject));
      continue;
    }
    const isCatalogue = task === 'problems' || task === 'contests';
    const isLast = task === 'gyms' || failures > 0n || (isCatalogue && good_at !== null);
    due.push({ task, succeededLast: failures === 0n && good_at !== null, runsLast: isLast });
  }
  return due;
}

function runTask(store: Store, source: string, task: Task, ask: JudgeClient): Promise<unknown> {
  if (task === 'renames') return syncRenames(store, source, ask);
  return task === 'age' ? syncAge(store, source, ask) : syncCatalogue(store, source, task, ask);
}

async function dueHandles(
  store: Store,
  { source, name, branch }: JudgeSite,
  task: HandleTask = 'submissions',
) {
  const isSitePaused = await isPaused(store, name, Number.POSITIVE_INFINITY);
  const other = judgeOf(source)?.api?.branch;
  const branchFilter = other && { start: other.handlePrefix, isMatch: branch !== undefined };
  const when = isSitePaused ? 'wanted' : Date.now();
  return listDueHandles(store.reader, source, when, handlesPerQuery, { task, namePrefix: branchFilter });
}

async function isPaused(store: Store, name: string, atMostMs: number): Promise<boolean> {
  const pause = await findSync(store.reader, pauseSubject(name));
  if (!pause || isDue(pause, Date.now())) return false;
  return Date.now() - Date.parse(pause.tried_at ?? '') < atMostMs;
}

/** Newer results than this are not fetched again. */
const freshMs = 30_000;

export const requestSync = inTransaction(
  async (tx: Db, userId: bigint, handleId: bigint): Promise<boolean> => {
    const handle = await findHandle(tx, handleId);
    if (handle?.user_id !== userId) return false;
    await requestUnlessFresh(tx, { source: handle.source, task: 'submissions', handle_id: handleId });
    if (judgeOf(handle.source)?.api?.ratings)
      await requestUnlessFresh(tx, { source: handle.source, task: 'ratings', handle_id: handleId });
    return true;
  },
);

export async function requestCatalogueSync(tx: Db, source: string): Promise<void> {
  const requested: SyncTask[] = [...(await listCatalogueTasks(tx, source)), 'age'];
  for (const task of requested) await requestUnlessFresh(tx, { source, task, handle_id: null });
}

async function requestUnlessFresh(tx: Db, subject: SyncSubject): Promise<void> {
  const { tried_at = null } = (await findSync(tx, subject)) ?? {};
  if (tried_at === null || Math.abs(Date.now() - Date.parse(tried_at)) > freshMs)
    await requestSyncOf(tx, subject);
}

interface FeedOptions {
  judgeUrls: ReadonlyMap<string, string> | undefined;
  privateOrigins: ReadonlySet<string>;
  log(level: 'warn', sentence: string): void;
  signal?: AbortSignal | undefined;
  pace?: JudgeClientOptions['pace'];
}

export const runContestFeeds = (store: Store, options: FeedOptions & LeadOptions): Promise<void> =>
  pollUntilAborted(store, { name: 'contests', work: 'asking for contests' }, options, (signal) =>
    fetchFeeds(store, { ...options, signal }, Date.now()),
  );

export const requestFeedSync = (tx: Db, name: string) => requestUnlessFresh(tx, syncOfFeed(name));

function feedOf({ name, calendar }: FeedSetting): ContestFeed | undefined {
  return calendar ? calendarFeed(name, calendar.title, calendar.address) : contestFeeds.get(name);
}

export async function fetchFeeds(store: Store, options: FeedOptions, now: number): Promise<void> {
  const { judgeUrls, privateOrigins, signal, pace, log } = options;
  const settings = await readFeeds(store.reader);
  if (settings.length === 0) return;
  const syncs = await listJudgeSyncs(store.reader);
  const judgeAddresses = await listJudgeAddresses(store.reader, judgeUrls);
  for (const setting of settings) {
    const { task, source } = syncOfFeed(setting.name);
    const sync = syncs.find((row) => row.source === source && row.task === task);
    const feed = feedOf(setting);
    if (!feed || (sync && !isDue(sync, now))) continue;
    const { calendar } = setting;
    const address = calendar
      ? { url: calendar.address, mayBePrivate: privateOrigins.has(new URL(calendar.address).origin) }
      : judgeAddresses.get(setting.name);
    const size = calendar ? { answerMiB: calendarMiB } : {};
    // A feed that failed last time is not retried before its next pause.
    const retries = sync && sync.failures === 0n ? {} : { retries: 0 };
    const ask = judgeClient(store, feed, {
      address,
      signal,
      pace: { ...size, ...retries, ...pace },
    });
    try {
      await syncFeed(store, setting, feed, ask);
    } catch (error) {
      signal?.throwIfAborted();
      log('warn', `${setting.name} contests: ${(error as Error).message}`);
    }
  }
}
