/** The rules of live feeds, without any request: how much is asked how often, and what an answer says. */
import { dayMs, minuteMs } from '../durations.ts';
import type { FeedRow, SubmissionFeed } from '../judges/judge.ts';
import type { LiveFeed } from '../store/live-feeds.ts';

const asleepAfterMs = 15 * minuteMs;
/** The interval of looking whether somebody is online, and of looking for people while rows are missing. */
export const sweepMs = 5 * minuteMs;
/** Of a row without a verdict that has left the answers: most verdicts come within a minute or two of the submission. */
export const pendingPauseMs = (ageMs: number): number => (ageMs < 5 * minuteMs ? minuteMs : 2 * minuteMs);
/** Who has just submitted works on the next problem for a while. */
export const workMs = 6 * minuteMs;
const nearRoundMs = 15_000;
const leastIntervalMs = 4_000;
const leastRows = 100;
const failuresUntilOff = 3;
const retryAtMostMs = 30 * minuteMs;
/** Judges' clocks may differ from ours. */
export const skewMs = 2 * minuteMs;
const frozenMs = 15 * minuteMs;

export const isAsleep = ({ onlineAt }: LiveFeed, now: number): boolean => now - onlineAt > asleepAfterMs;

export const isRefused = ({ failures }: Pick<LiveFeed, 'failures'>): boolean => failures >= failuresUntilOff;

/** After this time a feed that refuses is tried again. */
export const retryMs = ({ failures }: LiveFeed): number =>
  isRefused({ failures }) ? Math.min(retryAtMostMs, minuteMs * 2 ** (failures - failuresUntilOff)) : 0;

/** Whether all submissions until a moment ago are here, so that own lists need not be read for them. */
export const isLive = (feed: LiveFeed | undefined, now: number): boolean =>
  feed !== undefined &&
  feed.gapFrom === null &&
  !isRefused(feed) &&
  Math.abs(now - feed.completeAt) < asleepAfterMs;

/** Half as many again as will have come, and back to the oldest submission without a verdict that can be reached. */
export function rowCount(state: LiveFeed, atMost: number, now: number): number {
  const news = 1.5 * state.rowsPerSecond * Math.max(0, (now - state.goodAt) / 1000) + 50;
  const reachable = state.pending
    .map(({ id }) => state.newestId - id)
    .filter((back) => news + back <= atMost);
  return Math.min(atMost, Math.max(leastRows, Math.ceil(news + Math.max(0, ...reachable))));
}

export interface LiveLimits {
  /** Received bytes a day. */
  bytes: number;
  isRoundNear: boolean;
  isRoundRunning: boolean;
  /** Running contests that are read while the feed is refused. */
  contests?: readonly string[];
}

/** The pause after the last request, and whether the limit of bytes makes it longer. */
export function pauseOf(
  { intervalMs, rowsAtMost }: SubmissionFeed,
  state: LiveFeed,
  { bytes, isRoundNear, isRoundRunning, contests = [] }: LiveLimits,
  now: number,
): { pauseMs: number; isSlowed: boolean } {
  const left = bytes - state.bytes;
  if (isRefused(state)) {
    const nextReads = contests.map((one) => (state.contests[one]?.at ?? 0) + intervalMs);
    const nextAt = Math.min(state.sweptAt + sweepMs, ...(left > 0 ? nextReads : []));
    return { pauseMs: Math.min(retryMs(state), nextAt - state.triedAt), isSlowed: false };
  }
  if (left <= 0) return { pauseMs: sweepMs, isSlowed: true };
  if (isAsleep(state, now)) return { pauseMs: sweepMs, isSlowed: false };
  const windowMs = (600 * rowsAtMost) / state.rowsPerSecond;
  const usual = Math.max(leastIntervalMs, Math.min(isRoundNear ? nearRoundMs : intervalMs, windowMs));
  if (isRoundNear || isRoundRunning) return { pauseMs: usual, isSlowed: false };
  // The rest of the day gets what is left of the limit in equal parts. A gap would take more, for the own lists.
  const equal = ((state.bytes / Math.max(1, state.answers)) * (dayMs - (now % dayMs))) / left;
  const affordable = Math.min(equal, windowMs);
  return { pauseMs: Math.max(usual, affordable), isSlowed: affordable > usual };
}

/** The figures of a day begin anew. Moments that are still to come were set while the clock was ahead. */
export function onDayOf(stored: LiveFeed, now: number): LiveFeed {
  const state = { ...stored };
  for (const name of moments) if (Number(state[name]) > now) state[name] = name === 'grownAt' ? now : 0;
  const day = new Date(now).toISOString().slice(0, 10);
  return day === state.day
    ? state
    : { ...state, day, bytes: 0, answers: 0, gaps: 0, delays: {}, isSlowed: false };
}

const moments = ['triedAt', 'goodAt', 'grownAt', 'completeAt', 'gapFrom', 'onlineAt', 'sweptAt'] as const;

/** Rows that are doubled or in disorder are the same to these rules; those without an id or of another time are dropped. */
export const readableRows = (rows: readonly FeedRow[], now: number): FeedRow[] =>
  rows.filter(({ id, at }) => Number.isSafeInteger(id) && at > 0 && at < now + dayMs);

/** Whether rows may be missing before the oldest one. */
export function hasGap(
  { newestId, completeAt }: LiveFeed,
  rows: readonly FeedRow[],
  wasAsleep: boolean,
): boolean {
  if (newestId === 0 || rows.some(({ id }) => id <= newestId)) return false;
  return !wasAsleep || Math.min(...rows.map(({ at }) => at)) > completeAt - skewMs;
}

/** An id that was too large, or a judge that counts anew, would hide all later submissions: after a while they are a gap. */
export const withKnownIds = (state: LiveFeed, rows: readonly FeedRow[], now: number): LiveFeed =>
  isFrozen(state, now) && rows.every(({ id }) => id < state.newestId)
    ? { ...state, newestId: -1, newestAt: 0 }
    : state;

/** After an answer whose rows are stored. */
export function withAnswer(
  state: LiveFeed,
  rows: readonly FeedRow[],
  isIncomplete: boolean,
  now: number,
): LiveFeed {
  const newest = rows.reduce((one, row) => (row.id > one.id ? row : one), {
    id: state.newestId,
    at: state.newestAt,
  });
  const times = rows.map(({ at }) => at);
  const spanMs = Math.max(1000, Math.max(...times) - Math.min(...times));
  const next: LiveFeed = {
    ...state,
    newestId: newest.id,
    newestAt: newest.at,
    grownAt: newest.id > state.newestId ? now : state.grownAt,
    triedAt: now,
    goodAt: now,
    failures: 0,
    failedAt: 0,
    rowsPerSecond: rows.length > 1 ? ((rows.length - 1) * 1000) / spanMs : state.rowsPerSecond,
  };
  if (isIncomplete)
    return { ...next, gaps: state.gaps + 1, gapFrom: state.gapFrom ?? state.completeAt, gapUntil: now };
  if (state.gapFrom !== null) return { ...next, gapUntil: state.gapUntil ?? now };
  // An answer from a cache may be older than the one before.
  const isStale = Math.max(...rows.map(({ id }) => id)) < state.newestId;
  return isStale ? next : { ...next, completeAt: now };
}

/** After an answer of a running contest, which has no more rows than `atMost`. */
export function withContest(
  state: LiveFeed,
  contest: string,
  { rows, atMost }: { rows: readonly FeedRow[]; atMost: number },
  now: number,
): LiveFeed {
  const before = state.contests[contest]?.newestId ?? Number.NEGATIVE_INFINITY;
  const isWhole = rows.length < atMost || rows.some(({ id }) => id <= before);
  const read = {
    newestId: Math.max(before, 0, ...rows.map(({ id }) => id)),
    at: now,
    wholeAt: isWhole ? now : 0,
  };
  return { ...state, contests: { ...state.contests, [contest]: read } };
}

/** A feed that gets no new rows although many were to be expected shows none of ours either. */
export const isFrozen = (state: LiveFeed, now: number): boolean =>
  state.grownAt > 0 &&
  now - state.grownAt > Math.max(frozenMs, 100_000 / Math.max(state.rowsPerSecond, 1e-9));

export function withFailure(state: LiveFeed, now: number): LiveFeed {
  const next = {
    ...state,
    triedAt: now,
    failures: state.failures + 1,
    failedAt: state.failures === 0 ? now : state.failedAt,
  };
  return isRefused(next) ? withGap(next) : next;
}

/** A gap that goes on, as long as the feed cannot be read. */
export const withGap = (state: LiveFeed): LiveFeed => ({
  ...state,
  gapFrom: state.gapFrom ?? state.completeAt,
  gapUntil: null,
});

export interface Sweepable {
  /** In milliseconds since 1970; 0 for never. */
  triedAt: number;
  /** In milliseconds since 1970; undefined where the judge does not say. */
  onlineAt: number | undefined;
  /** The end of the usual pause of those of whom it does not say. */
  dueAt: number;
}

/** Whether the own list is read now because rows of the feed are missing. */
export function isMissed({ gapFrom, gapUntil }: LiveFeed, one: Sweepable, now: number): boolean {
  if (gapFrom === null || one.triedAt >= (gapUntil ?? now)) return false;
  if (one.onlineAt === undefined)
    return one.dueAt <= now || (gapUntil !== null && one.dueAt - one.triedAt < dayMs);
  return one.onlineAt >= gapFrom - skewMs && one.onlineAt + skewMs >= one.triedAt;
}

/** After everybody was asked for: a gap with an end is closed once nobody's own list is missing. */
export function withSweep(state: LiveFeed, missed: number, now: number): LiveFeed {
  const isClosed = missed === 0 && state.gapUntil !== null;
  const closed = { gapFrom: null, gapUntil: null, completeAt: state.goodAt };
  return { ...state, sweptAt: now, missed, ...(isClosed && closed) };
}

/** Two digits are enough for what is shown. */
export function withDelay(delays: LiveFeed['delays'], ms: number): LiveFeed['delays'] {
  const key = Number(Math.max(0, Math.round(ms / 1000)).toPrecision(2));
  return { ...delays, [key]: (delays[key] ?? 0) + 1 };
}

/** In seconds: within this time came the share of the solves; undefined without any. */
export function delayAt(delays: LiveFeed['delays'], share: number): number | undefined {
  // Keys that are whole numbers come in their order (ECMAScript, OrdinaryOwnPropertyKeys).
  const all = Object.entries(delays).flatMap(([seconds, count]) =>
    Array.from({ length: count }, () => Number(seconds)),
  );
  return all[Math.ceil(share * all.length) - 1];
}
