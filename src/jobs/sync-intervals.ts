/** How often judges are contacted: the interval of each kind of sync, after faults, and in running rounds. */
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { judgeOf } from '../judges/judges.ts';
import { findLastParticipation } from '../store/contests.ts';
import { findLiveFeed } from '../store/live-feeds.ts';
import { listRatingsOfHandle } from '../store/ratings.ts';
import type { HandleInRound } from '../store/rounds.ts';
import { lastSubmittedAt } from '../store/solves.ts';
import type { SyncsTable } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';
import { isLive } from './live-rules.ts';

export const afterContestMs = 2 * hourMs;

const faultPauseAtMostMs = 6 * hourMs;

export async function nextDueAt(db: Db, row: SyncsTable, now = Date.now()): Promise<bigint> {
  if (row.task === 'ratings' && row.handle_id !== null && row.fault === null)
    return withJitter(now, await ratingsPause(db, row.source, row.handle_id, now));
  const last = row.handle_id === null ? null : await lastSubmittedAt(db, row.handle_id);
  const { recentLimit } = judgeOf(row.source)?.api ?? {};
  const idleMs = last === null ? undefined : now - Date.parse(last);
  const pauseByActivity = (await livePause(db, row, idleMs, now)) ?? pauseOfTask(row, idleMs);
  const pauseWithoutFault =
    row.handle_id === null || !recentLimit
      ? pauseByActivity
      : Math.min(pauseByActivity, recentLimit.intervalAtMostMs);
  const pauseMs = row.fault === null ? pauseWithoutFault : pauseAfterFault(row);
  return withJitter(now, pauseMs);
}

/** Up to a fifth is subtracted, so that syncs drift apart, and none is later than documented. */
function withJitter(now: number, pauseMs: number): bigint {
  return BigInt(Math.round(now + pauseMs * (0.8 + 0.2 * Math.random())));
}

/** Beside a live feed own lists are read for what it may lack, and for hacks and system tests after a contest. */
async function livePause(
  db: Db,
  { source, task, handle_id }: SyncsTable,
  idleMs = Number.POSITIVE_INFINITY,
  now: number,
): Promise<number | undefined> {
  const feed = judgeOf(source)?.api?.feed;
  if (!feed || task !== 'submissions' || handle_id === null) return undefined;
  if (!isLive(await findLiveFeed(db, source), now)) return undefined;
  const pauseMs = feed.ownListMs[idleMs < dayMs ? 'active' : 'others'];
  const lastContest = await findLastParticipation(db, handle_id, source);
  const sinceContestMs = lastContest === null ? Number.POSITIVE_INFINITY : now - Date.parse(lastContest);
  return sinceContestMs < rulingsMs
    ? Math.min(pauseMs, rulingsMs * (1 + Math.random()) - sinceContestMs)
    : pauseMs;
}

/** Hacks and system tests are over so long after a submission in a contest, or up to twice as long. */
const rulingsMs = 4 * hourMs;

/** A day; less after a contest until the judge has changed the rating. */
async function ratingsPause(db: Db, source: string, handleId: bigint, now: number): Promise<number> {
  const lastContest = await findLastParticipation(db, handleId, source);
  if (lastContest === null || now - Date.parse(lastContest) > 2 * dayMs) return dayMs;
  const isRated = (await listRatingsOfHandle(db, handleId)).some(({ rated_at }) => rated_at >= lastContest);
  return isRated ? dayMs : afterContestMs;
}

function pauseOfTask({ task, source }: SyncsTable, idleMs = Number.POSITIVE_INFINITY): number {
  if (task === 'age') return hourMs;
  if (task === 'upcoming') return 2 * hourMs;
  if (task === 'contests' && judgeOf(source)?.api?.parseUpcoming) return 6 * hourMs;
  // Single contests show their problems some time after the end.
  if (task === 'contests' && !judgeOf(source)?.api?.contests) return 2 * hourMs;
  if (task === 'rounds') return roundIntervalMs;
  return task === 'submissions' ? usualPauseMs(idleMs) : dayMs;
}

/** `idleMs` is the time since the last submission. */
export function usualPauseMs(idleMs: number): number {
  if (idleMs < dayMs) return 15 * minuteMs;
  if (idleMs < 14 * dayMs) return 2 * hourMs;
  return dayMs;
}

function pauseAfterFault({ fault, failures }: SyncsTable): number {
  // The judge may not know a new name at once; then an unknown handle stays so until its member corrects it.
  if (fault === 'unknown handle') return failures > 1n ? dayMs : minuteMs;
  const firstMs = fault === 'refused' ? hourMs : 5 * minuteMs;
  return Math.min(firstMs * 2 ** Math.max(Number(failures) - 1, 0), faultPauseAtMostMs);
}

/**
 * The interval for handles in running rounds, which pages and documents state. Thirty handles take Codeforces a
 * minute.
 */
export const roundSeconds = 75;
/** A handle is due this much earlier because its request is queued. No result gets older than 90 seconds. */
const requestQueueMs = 9_000;
export const roundIntervalMs = roundSeconds * 1_000 - requestQueueMs;
export const roundRetryMs = 5 * minuteMs;
export const afterRoundMs = 5 * minuteMs;

export function dueInRound(
  { tried_at, due_at, fault }: Pick<HandleInRound, 'tried_at' | 'due_at' | 'fault'>,
  roundMs: number,
): number {
  if (tried_at === null || due_at === null || due_at === 0n) return 0;
  const tried = Date.parse(tried_at);
  if (fault === 'unknown handle') return Number(due_at);
  return fault === null ? tried + roundMs : Math.min(Number(due_at), tried + roundRetryMs);
}
