/** How often judges are contacted: the interval of each kind of sync, after faults, and in running rounds. */
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { judgeOf } from '../judges/judges.ts';
import { findLastParticipation } from '../store/contests.ts';
import { listRatingsOfHandle } from '../store/ratings.ts';
import type { HandleInRound } from '../store/rounds.ts';
import { lastSubmittedAt } from '../store/solves.ts';
import type { SyncsTable } from '../store/syncs.ts';
import type { Db } from '../store/tables.ts';

export const afterContestMs = 2 * hourMs;

const faultPauseAtMostMs = 6 * hourMs;

export async function nextDueAt(db: Db, row: SyncsTable, now = Date.now()): Promise<bigint> {
  if (row.task === 'ratings' && row.handle_id !== null && row.fault === null)
    return withJitter(now, await ratingsPause(db, row.source, row.handle_id, now));
  const last = row.handle_id === null ? null : await lastSubmittedAt(db, row.handle_id);
  const { recentLimit } = judgeOf(row.source)?.api ?? {};
  const pauseByActivity = pauseOfTask(row, last === null ? undefined : now - Date.parse(last));
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
  if (task !== 'submissions') return dayMs;
  if (idleMs < dayMs) return 15 * minuteMs;
  if (idleMs < 14 * dayMs) return 2 * hourMs;
  return dayMs;
}

function pauseAfterFault({ fault, failures }: SyncsTable): number {
  // An unknown handle stays so until its member corrects it.
  if (fault === 'unknown handle') return dayMs;
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
