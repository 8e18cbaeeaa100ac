/**
 * Reads the live feed of a judge: one request brings the newest submissions of all members. It adds submissions and
 * finishes pending ones; each handle's own list decides, only less often while the feed has no gap.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { dayMs, minuteMs } from '../durations.ts';
import { message } from '../errors.ts';
import { faultKindOf, oddAnswer } from '../judges/faults.ts';
import { readRows } from '../judges/fields.ts';
import {
  contestRowsAtMost,
  type FeedRow,
  type FeedUser,
  type JudgeClient,
  type JudgeFile,
  type Submission,
  type SubmissionFeed,
} from '../judges/judge.ts';
import { judgeOf, siteOf } from '../judges/judges.ts';
import { renameHandle } from '../practice/handles.ts';
import { listJudgeAddresses } from '../practice/judge-addresses.ts';
import { listJudgesWithoutLive } from '../practice/live-settings.ts';
import { fold } from '../store/case-folding.ts';
import { type HandlesTable, listSyncedHandles } from '../store/handles.ts';
import {
  deleteLiveFeed,
  findLiveFeed,
  freshFeed,
  type LiveFeed,
  type PendingRow,
  saveLiveFeed,
} from '../store/live-feeds.ts';
import { listHandlesInRounds } from '../store/rounds.ts';
import { findSolves } from '../store/solves.ts';
import type { Store } from '../store/store.ts';
import {
  advanceSync,
  findSync,
  freshSync,
  type HandleActivity,
  hasSolveAfter,
  listContestants,
  listHandleActivity,
  listPendingAfter,
  listSyncs,
  type SyncSubject,
  urgentDueAt,
} from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { listUpcoming } from '../store/upcoming.ts';
import { type JudgeClientOptions, siteClient } from './judge-client.ts';
import {
  hasGap,
  isAsleep,
  isFrozen,
  isLive,
  isMissed,
  isRefused,
  onDayOf,
  pauseOf,
  pendingPauseMs,
  readableRows,
  retryMs,
  rowCount,
  skewMs,
  sweepMs,
  withAnswer,
  withContest,
  withDelay,
  withFailure,
  withGap,
  withKnownIds,
  withSweep,
  workMs,
} from './live-rules.ts';
import { nextDueAt, usualPauseMs } from './sync-intervals.ts';
import { importResults } from './sync-runs.ts';

export interface LiveOptions {
  judgeUrls?: ReadonlyMap<string, string> | undefined;
  /** Received megabytes a day for each judge; 0 for no feed. */
  liveMb?: number | undefined;
  signal: AbortSignal;
  log(level: 'warn', sentence: string): void;
  /** Tests use a fixed pause between two turns. */
  pace?: JudgeClientOptions['pace'] & { liveMs?: number };
}

interface Context {
  store: Store;
  source: string;
  feed: SubmissionFeed;
  ask: JudgeClient;
  signal: AbortSignal;
  log: LiveOptions['log'];
  now: number;
  /** Whether the limit of bytes is reached. */
  isSpent?: boolean;
}

const checkMs = 5_000;
const megabyte = 1_000_000;
const roundLeadMs = minuteMs;
const roundStartMs = 15 * minuteMs;

/** Until the signal, or until the feed is switched off. */
export async function readLiveFeed(store: Store, source: string, options: LiveOptions): Promise<void> {
  const feed = judgeOf(source)?.api?.feed;
  const { liveMb = 0, judgeUrls, signal, pace, log } = options;
  if (!feed) return;
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
  };
  while (!signal.aborted) {
    const stored = await findLiveFeed(store.reader, source);
    if (liveMb === 0 || (await listJudgesWithoutLive(store.reader)).has(source)) {
      if (stored) await endLive(store, source);
      return;
    }
    const now = Date.now();
    const state = onDayOf(stored ?? freshFeed, now);
    const { isNear, running } = await roundsAt(store.reader, source, now);
    const limits = {
      bytes: liveMb * megabyte,
      isRoundNear: isNear,
      isRoundRunning: running.size > 0,
      contests: isRefused(state) ? await readableContests(store.reader, source, state, now) : [],
    };
    const { pauseMs, isSlowed } = pauseOf(feed, state, limits, now);
    const waitMs = state.triedAt + (pace?.liveMs ?? pauseMs) - now;
    if (waitMs > 0) {
      await sleep(Math.min(waitMs, checkMs), undefined, { signal }).catch(() => {});
      continue;
    }
    const addresses = await listJudgeAddresses(store.reader, judgeUrls);
    const clientPace = { ...pace, retries: 0 };
    const client = { signal, pace: clientPace, onBytes, isFirst: true };
    const ask = siteClient(store, siteOf(source, ''), addresses, client);
    const context = { store, source, feed, ask, signal, log, now, isSpent: state.bytes >= limits.bytes };
    const next = await takeTurn(context, state);
    signal.throwIfAborted();
    const answers = next.answers + (bytes > 0 ? 1 : 0);
    const figures = { bytes: next.bytes + bytes, answers, isSlowed, limit: limits.bytes };
    await store.writeConcurrently((tx) => saveLiveFeed(tx, source, { ...next, ...figures }));
    bytes = 0;
  }
}

/** Own lists are read in their usual intervals again. */
async function endLive(store: Store, source: string): Promise<void> {
  await store.write(async (tx) => {
    await deleteLiveFeed(tx, source);
    for (const row of await listSyncs(tx)) {
      const { handle_id, task } = row;
      if (row.source !== source || task !== 'submissions' || handle_id === null || row.fault !== null)
        continue;
      const dueAt = await nextDueAt(tx, row, Date.parse(row.tried_at ?? '') || Date.now());
      await advanceSync(tx, { source, task: 'submissions', handle_id }, dueAt);
    }
  });
}

async function roundsAt(db: Db, source: string, now: number) {
  const moment = (ms: number) => new Date(ms).toISOString();
  const rows = await listUpcoming(db, { from: moment(now - dayMs), until: moment(now + roundLeadMs) });
  const ofJudge = rows.filter((row) => row.source === source && row.cancelled_at === null);
  const running = ofJudge.filter((row) => Date.parse(row.starts_at) + 1000 * Number(row.duration_s) > now);
  const isNear = ofJudge.some(({ starts_at }) => Date.parse(starts_at) > now - roundStartMs);
  return { isNear, running: new Set(running.map(({ key }) => key)) };
}

/** Running contests with a member in them. */
async function readableContests(db: Db, source: string, state: LiveFeed, now: number): Promise<string[]> {
  const { running } = await roundsAt(db, source, now);
  const shown = [...running].filter((one) => !state.refusedContests.includes(one));
  if (!judgeOf(source)?.api?.feed?.ofContest) return [];
  const contestants = await listContestants(db, source, shown, momentOf(now - dayMs));
  return [...new Set(contestants.flatMap(({ contest }) => contest ?? []))];
}

/**
 * Until when (RFC 3339) the submissions of all people in rounds are here by one request for everybody; undefined where
 * only own lists tell.
 */
export async function seenTogether(db: Db, source: string, now: number): Promise<string | undefined> {
  const feed = await findLiveFeed(db, source);
  const rounds = await findSync(db, { source, task: 'rounds', handle_id: null });
  const moments = [isLive(feed, now) ? momentOf(feed?.completeAt ?? 0) : '', rounds?.good_at ?? ''];
  const latest = moments.toSorted().at(-1) ?? '';
  return now - Date.parse(latest) < togetherMs ? latest : undefined;
}

const togetherMs = 2 * minuteMs;

/** One request as a rule. What it brought is stored; the state that it answers is not yet. */
export async function takeTurn(context: Context, before: LiveFeed): Promise<LiveFeed> {
  const { feed, signal, log, now, source } = context;
  const span = { now: momentOf(now), endedAfter: momentOf(now) };
  const plays = (await listHandlesInRounds(context.store.reader, source, span)).length > 0;
  let state = before;
  if (context.isSpent) return sweep(context, withGap({ ...state, triedAt: now }));
  if (now - state.triedAt < retryMs(state)) {
    const { contests } = state;
    for (const contest of await readableContests(context.store.reader, source, state, now))
      if (now - (state.contests[contest]?.at ?? 0) >= feed.intervalMs)
        state = await readContest(context, state, contest, contestRowsAtMost);
    return state.contests !== contests && now - state.sweptAt < sweepMs ? state : sweep(context, state);
  }
  const wasAsleep = isAsleep(state, now);
  if (plays) state = { ...state, onlineAt: now };
  else if (wasAsleep && feed.users) {
    state = await lookForPeople(context, state);
    if (isAsleep(state, now) && (state.gapFrom !== null || state.goodAt === now)) return state;
  }
  try {
    state = await poll(context, state, wasAsleep);
  } catch (error) {
    signal.throwIfAborted();
    if (faultKindOf(error) === undefined) throw error;
    log('warn', `${source} live feed: ${(error as Error).message}`);
    state = withFailure(state, now);
  }
  const isMissing = state.gapFrom !== null && now - state.sweptAt >= sweepMs;
  return isMissing ? sweep(context, state) : state;
}

const peopleWatched = 300;
const sweptAtMost = 20 * peopleWatched;

/** While nobody is online, nothing can be missed; of more people than one request shows, the feed tells. */
async function lookForPeople(context: Context, state: LiveFeed): Promise<LiveFeed> {
  const { store, source, now } = context;
  const people = await listHandleActivity(store.reader, source, peopleWatched + 1);
  const users = await usersOf(context, people.slice(0, peopleWatched));
  const onlineAt = users
    ? Math.max(0, ...[...users.values()].map((one) => Math.min(now, one.onlineAt)))
    : now;
  const next = { ...state, triedAt: now, onlineAt: Math.max(state.onlineAt, onlineAt) };
  const isComplete = people.length <= peopleWatched && isAsleep(next, now) && state.gapFrom === null;
  return isComplete ? { ...next, completeAt: now, goodAt: now } : next;
}

/** Undefined where the judge does not say. Handles that have another name there get it. */
async function usersOf(
  { store, source, feed, ask, signal }: Context,
  handles: readonly HandleActivity[],
): Promise<ReadonlyMap<string, FeedUser> | undefined> {
  const known = handles.filter(({ fault }) => fault !== 'unknown handle').map(({ name }) => name);
  const users = known.length > 0 ? await feed.users?.(ask, known).catch(() => undefined) : new Map();
  signal.throwIfAborted();
  for (const [before, { name }] of users ?? [])
    if (fold(name) !== fold(before)) await renameHandle(store, source, before, name);
  return users;
}

async function poll(context: Context, stored: LiveFeed, wasAsleep: boolean): Promise<LiveFeed> {
  const { feed, ask, store, source, now } = context;
  const isFirst = stored.newestId === 0 || wasAsleep;
  const count = isFirst ? feed.rowsAtMost : rowCount(stored, feed.rowsAtMost, now);
  const read = async (rows: number) => {
    const { rows: all, cursor = null } = await feed.newest(ask, rows, stored.cursor ?? undefined);
    const readable = readableRows(all, now);
    // A judge that has submissions shows some.
    if (readable.length === 0 && stored.newestId > 0)
      throw oddAnswer(feedName(source), message('odd.noSubmissions'));
    return { rows: readable, cursor };
  };
  let answer = await read(count);
  const before = withKnownIds(stored, answer.rows, now);
  if (hasGap(before, answer.rows, wasAsleep) && count < feed.rowsAtMost) answer = await read(feed.rowsAtMost);
  const { rows, cursor } = answer;
  const isIncomplete = hasGap(before, rows, wasAsleep);
  const state = { ...withAnswer(before, rows, isIncomplete, now), cursor, contests: {} };
  const hasOlder =
    state.newestId === before.newestId &&
    (isFrozen(state, now) || (await hasSolveAfter(store.reader, source, momentOf(state.newestAt + skewMs))));
  if (hasOlder) throw oddAnswer(feedName(source), message('odd.noSubmissions'));
  const saved = await saveRows(context, before, state, rows);
  return askAboutPending(context, saved, isIncomplete);
}

const feedName = (source: string) => judgeOf(source)?.site ?? source;
const momentOf = (ms: number) => new Date(ms).toISOString();

/** Rows of strangers are dropped by their handles alone. */
async function saveRows(
  context: Context,
  before: LiveFeed,
  state: LiveFeed,
  rows: readonly FeedRow[],
): Promise<LiveFeed> {
  const { store, source, now } = context;
  const rowsByName = new Map<string, FeedRow[]>();
  for (const row of rows)
    for (const name of new Set(row.handles.map(fold)))
      rowsByName.set(name, [...(rowsByName.get(name) ?? []), row]);
  const handles = await listSyncedHandles(store.reader, [...rowsByName.keys()], { source });
  let { delays, onlineAt } = state;
  const pending = new Map(state.pending.map((one) => [`${one.handleId} ${one.id}`, one]));
  for (const handle of new Map(handles.map((one) => [one.id, one])).values()) {
    const own = rowsByName.get(handle.name_key) ?? [];
    onlineAt = Math.max(onlineAt, ...own.map(({ at }) => Math.min(now, at)));
    const { news, unjudged, finished } = await saveRowsOf(context, handle, own);
    for (const one of finished) pending.delete(`${handle.id} ${one}`);
    for (const { id, contest } of unjudged) {
      const { requestedAt = 0 } = pending.get(`${handle.id} ${id}`) ?? {};
      const row = { id: Number(id), handleId: Number(handle.id), contest, requestedAt, seenAt: now };
      pending.set(`${handle.id} ${id}`, row);
    }
    for (const { submission, wasPending } of before.newestId > 0 ? news : [])
      if (submission.verdictClass === 'solved')
        delays = withDelay(delays, now - (wasPending ? before.goodAt : Date.parse(submission.submittedAt)));
  }
  return { ...state, delays, onlineAt, pending: [...pending.values()].slice(-pendingAtMost) };
}

const pendingAtMost = 1_000;

async function saveRowsOf(
  { store, source, feed, signal }: Context,
  handle: HandlesTable,
  rows: readonly FeedRow[],
) {
  const file = judgeOf(source)?.files['submissions'] as JudgeFile<'submissions', Submission>;
  const values = [...new Map(rows.map(({ id, value }) => [id, value])).values()];
  const submissions = readRows(values, (value) => file.entryOf(value)).values;
  const ids = submissions.map(({ id }) => id);
  const stored = new Map(
    (await findSolves(store.reader, ids, { handleId: handle.id })).map((row) => [row.submission_id, row]),
  );
  const isFinal = (id: string) => (stored.get(id)?.verdict_class ?? 'pending') !== 'pending';
  const changed = submissions.filter(
    ({ id, verdict }) => !isFinal(id) && (!stored.has(id) || stored.get(id)?.verdict !== verdict),
  );
  signal.throwIfAborted();
  if (changed.length > 0) await saveNews(store, handle, feed, changed);
  const isUnjudged = ({ id, verdictClass, verdict }: Submission) =>
    !isFinal(id) && verdictClass === 'pending' && judgeOf(source)?.verdicts?.[verdict ?? ''] !== 'accepted';
  return {
    news: feed.isHint
      ? []
      : changed.map((submission) => ({ submission, wasPending: stored.has(submission.id) })),
    unjudged: submissions.filter(isUnjudged),
    finished: submissions.filter((one) => !isUnjudged(one)).map(({ id }) => id),
  };
}

async function saveNews(
  store: Store,
  handle: HandlesTable,
  { isHint }: SubmissionFeed,
  submissions: readonly Submission[],
): Promise<void> {
  const subject: SyncSubject = { source: handle.source, task: 'submissions', handle_id: handle.id };
  // Hundreds of members in one answer hold the loop for no longer than one of them.
  await nextTurn();
  if (isHint) {
    await store.writeConcurrently((tx) => advanceSync(tx, subject, urgentDueAt(Date.now())));
    return;
  }
  try {
    await importResults(store, handle, submissions, { addsOnly: true });
  } catch (error) {
    // The handle was renamed or unlinked meanwhile, or its rows are no longer of one person.
    if (!['unknownItem', 'badFile'].includes((error as { code?: string }).code ?? '')) throw error;
    return;
  }
  await store.writeConcurrently(async (tx) => {
    const row = (await findSync(tx, subject)) ?? freshSync(subject);
    if (row.good_at !== null) await advanceSync(tx, subject, await nextDueAt(tx, row));
  });
}

const gateMs = 10_000;

/** A verdict that came after the row had left the answers is in the list of the contest, or else in the own list. */
async function askAboutPending(context: Context, state: LiveFeed, isIncomplete: boolean): Promise<LiveFeed> {
  const { store, source, feed, now } = context;
  const isOutside = ({ seenAt }: PendingRow) => seenAt !== now;
  const { running } = await roundsAt(store.reader, source, now);
  const wanted = state.pending.filter((one) => isIncomplete || isOutside(one));
  const contests = [...new Set(wanted.flatMap(({ contest }) => contest ?? []))].filter(
    (contest) => running.has(contest) && !state.refusedContests.includes(contest),
  );
  let next = { ...state, refusedContests: state.refusedContests.filter((one) => running.has(one)) };
  for (const contest of feed.ofContest ? contests : []) {
    const ids = wanted.flatMap((one) => (one.contest === contest ? one.id : []));
    // While this request waits at the gate, as many rows come as in seconds of the contest.
    const reserve = 50 + Math.ceil((gateMs * state.rowsPerSecond) / 1000);
    const count = isIncomplete ? contestRowsAtMost : state.newestId - Math.min(...ids) + reserve;
    next = await readContest(context, next, contest, Math.min(count, contestRowsAtMost));
  }
  const pending: PendingRow[] = [];
  for (const one of next.pending) {
    if (!isOutside(one)) pending.push(one);
    else {
      const kept = await askOwner(context, one);
      if (kept) pending.push(kept);
    }
  }
  return { ...next, pending };
}

async function readContest(
  context: Context,
  state: LiveFeed,
  contest: string,
  atMost: number,
): Promise<LiveFeed> {
  const { source, feed, ask, signal, log, now } = context;
  try {
    const { rows: all = [] } = (await feed.ofContest?.(ask, contest, atMost)) ?? {};
    const rows = readableRows(all, now);
    const goodAt = Math.max(state.goodAt, state.contests[contest]?.at ?? 0);
    const saved = await saveRows(context, { ...state, goodAt }, state, rows);
    return withContest(saved, contest, { rows, atMost }, now);
  } catch (error) {
    signal.throwIfAborted();
    log('warn', `${source} contest ${contest}: ${(error as Error).message}`);
    if (['busy', 'down'].includes(faultKindOf(error) ?? '')) return state;
    return { ...state, refusedContests: [...state.refusedContests, contest] };
  }
}

/** Undefined once the submission has a final verdict, or is gone. */
async function askOwner({ store, source, now }: Context, one: PendingRow): Promise<PendingRow | undefined> {
  const handle_id = BigInt(one.handleId);
  const [row] = await findSolves(store.reader, [String(one.id)], { handleId: handle_id });
  const sentAt = Date.parse(row?.submitted_at ?? '');
  if (row?.verdict_class !== 'pending' || now - sentAt > dayMs) return undefined;
  if (now - Math.max(sentAt, one.requestedAt) < pendingPauseMs(now - sentAt)) return one;
  const dueAt = urgentDueAt(now);
  await store.writeConcurrently((tx) => advanceSync(tx, { source, task: 'submissions', handle_id }, dueAt));
  return { ...one, requestedAt: now };
}

/** While rows are missing, the own lists of those who were online meanwhile come first. */
async function sweep(context: Context, state: LiveFeed): Promise<LiveFeed> {
  const { store, source, now, signal } = context;
  const recent = (await listHandleActivity(store.reader, source, sweptAtMost)).filter(
    ({ last_at }) => last_at !== null && now - Date.parse(last_at) < 14 * dayMs,
  );
  const users = context.isSpent ? undefined : await usersOf(context, recent);
  signal.throwIfAborted();
  const missed = recent.filter(({ name, tried_at, last_at }) => {
    const triedAt = Date.parse(tried_at ?? '') || 0;
    const dueAt = triedAt + usualPauseMs(now - Date.parse(last_at ?? ''));
    return isMissed(state, { triedAt, dueAt, onlineAt: users && (users.get(name)?.onlineAt ?? 0) }, now);
  });
  const inContests = state.gapUntil === null ? await contestantsIn(context, state) : new Set<bigint>();
  await store.writeConcurrently(async (tx) => {
    for (const { id, tried_at, last_at } of missed) {
      if (inContests.has(id)) continue;
      // Those of whom nothing was to be expected longest ago come first, also before lists that are due.
      const readAt = Math.max(Date.parse(tried_at ?? '') || 0, Date.parse(last_at ?? '') + workMs || 0);
      const dueAt = BigInt(Math.max(2, Math.min(now, readAt) - dayMs));
      await advanceSync(tx, { source, task: 'submissions', handle_id: id }, dueAt);
    }
  });
  const seen = Math.max(0, ...[...(users?.values() ?? [])].map(({ onlineAt }) => Math.min(now, onlineAt)));
  const onlineAt = users ? Math.max(state.onlineAt, seen) : isRefused(state) ? now : state.onlineAt;
  const swept = withSweep({ ...state, onlineAt }, missed.length, now);
  return state.gapUntil === null ? swept : withOwnPending(context, swept);
}

/** Those whose submissions the lists of running contests bring meanwhile. */
async function contestantsIn({ store, source, now }: Context, state: LiveFeed): Promise<Set<bigint>> {
  const whole = Object.keys(state.contests).filter(
    (one) => now - (state.contests[one]?.wholeAt ?? 0) < togetherMs,
  );
  const rows = await listContestants(store.reader, source, whole, momentOf(now - dayMs));
  return new Set(rows.map(({ handle_id }) => handle_id));
}

/** What own lists brought without a verdict since a gap may never have been in an answer of the feed. */
async function withOwnPending({ store, source, now }: Context, state: LiveFeed): Promise<LiveFeed> {
  const known = new Set(state.pending.map(({ handleId, id }) => `${handleId} ${id}`));
  const pending = (await listPendingAfter(store.reader, source, momentOf(now - dayMs)))
    .map(({ submission_id, handle_id, contest }) => ({
      id: Number(submission_id),
      handleId: Number(handle_id),
      contest,
      requestedAt: 0,
    }))
    .filter(({ handleId, id }) => !known.has(`${handleId} ${id}`));
  return { ...state, pending: [...pending, ...state.pending].slice(-pendingAtMost) };
}
