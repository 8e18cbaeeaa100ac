/** The timer of a member, which pages start, pause and stop, and an accepted submission ends (`timer-rules.ts`). */
import { minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { judgeOf } from '../judges/judges.ts';
import { findProblem, type ProblemRow } from '../store/problems.ts';
import type { Grade } from '../store/reviews.ts';
import { findStatuses, shownStateOf } from '../store/statuses.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { listTimeModels } from '../store/time-models.ts';
import {
  findOpenTimer,
  findTimer,
  insertTimer,
  listEndedTimers,
  type Outcome,
  type TimersTable,
  type TitledTimer,
  updateTimer,
} from '../store/timers.ts';
import { derive } from './derivation.ts';
import { readLevels } from './level.ts';
import { isMarkedAs, setStatus, undo } from './marks.ts';
import {
  countsForUsual,
  isForgotten,
  isPaused,
  longestMinutes,
  minutesOf,
  outcomeOf,
  pausesAtMost,
  pausesOf,
  suggestedGrade,
  timeBandOf,
  usualMinutes,
  versionOfTimer,
} from './timer-rules.ts';

type TimerStart = { timer: TimersTable } | { conflict: TitledTimer };

/** A running timer of another problem is stopped if its id is `replacedId`. Throws unknownItem. */
export const startTimer = inTransaction(
  async (
    tx: Db,
    memberId: bigint,
    problemId: bigint,
    now: Date,
    replacedId?: bigint,
  ): Promise<TimerStart> => {
    if (!(await findProblem(tx, problemId))) throw localizedError('unknownItem.problem');
    const open = await findOpenTimer(tx, memberId);
    if (open && open.solved_at === null) {
      if (open.problem_id === problemId && !isForgotten(open, now.getTime())) return { timer: open };
      if (open.id !== replacedId) return { conflict: open };
      if (isForgotten(open, now.getTime()))
        await updateTimer(tx, { id: open.id, undone_at: now.toISOString() });
      else await stop(tx, open, 'unsolved', now);
    }
    // If the judge takes the solve back later, the timer counts as unsolved.
    if (open && open.solved_at !== null)
      await updateTimer(tx, { id: open.id, stopped_at: open.solved_at, outcome: 'unsolved' });
    const timer = await insertTimer(tx, {
      user_id: memberId,
      problem_id: problemId,
      started_at: now.toISOString(),
      pauses: '[]',
      stopped_at: null,
      outcome: null,
      solved_at: null,
      grade: null,
      change_id: null,
      undone_at: null,
    });
    const other = timer ?? (await findOpenTimer(tx, memberId));
    if (!other) throw localizedError('preconditionFailed.timer');
    return { timer: other };
  },
);

/** Throws unknownItem, and preconditionFailed if the timer is not as the page showed it. */
const withVersion = <A extends unknown[]>(work: (tx: Db, timer: TitledTimer, ...rest: A) => Promise<void>) =>
  inTransaction(async (tx: Db, memberId: bigint, id: bigint, version: string, ...rest: A): Promise<void> => {
    const timer = await findTimer(tx, memberId, id);
    if (!timer) throw localizedError('unknownItem.timer');
    if (versionOfTimer(timer) !== version) throw localizedError('preconditionFailed.timer');
    await work(tx, timer, ...rest);
  });

const isOpen = ({ stopped_at, solved_at, undone_at }: TimersTable) =>
  stopped_at === null && solved_at === null && undone_at === null;

/** Throws unknownItem, preconditionFailed and invalidValue. */
export const pauseTimer = withVersion(async (tx, timer, now: Date) => {
  if (!isOpen(timer)) throw localizedError('preconditionFailed.timer');
  const pauses = pausesOf(timer);
  if (!isPaused(timer) && pauses.length >= 2 * pausesAtMost)
    throw localizedError('invalidValue.timerPauses', { most: pausesAtMost });
  await updateTimer(tx, { id: timer.id, pauses: JSON.stringify([...pauses, now.toISOString()]) });
});

/** How a timer ended. `minutes` is for a forgotten one, and `end` for one whose end was undone, in ms since 1970. */
interface TimerEnd {
  outcome: Outcome;
  minutes?: number | undefined;
  end?: number;
}

/** Throws unknownItem, preconditionFailed and invalidValue. */
export const stopTimer = withVersion(
  async (tx, timer, { outcome, minutes, end: formerEnd = Number.NaN }: TimerEnd, now: Date) => {
    if (!isOpen(timer)) throw localizedError('preconditionFailed.timer');
    const isPast = formerEnd >= Date.parse(timer.started_at) && formerEnd <= now.getTime();
    const stopped = isPast ? new Date(formerEnd) : now;
    if (!isForgotten(timer, stopped.getTime())) return stop(tx, timer, outcome, stopped);
    if (minutes === undefined || !(minutes >= 1 && minutes <= longestMinutes))
      throw localizedError('invalidValue.timerMinutes', { most: longestMinutes });
    const end = new Date(Date.parse(timer.started_at) + minutes * minuteMs);
    return stop(tx, { ...timer, pauses: '[]' }, outcome, end);
  },
);

async function stop(tx: Db, timer: TimersTable, outcome: Outcome, end: Date): Promise<void> {
  const { id, user_id, problem_id } = timer;
  const pauses = isPaused(timer) ? [...pausesOf(timer), end.toISOString()] : pausesOf(timer);
  const change_id = (await markOutcome(tx, timer, outcome)) ?? null;
  await updateTimer(tx, {
    id,
    outcome,
    change_id,
    stopped_at: end.toISOString(),
    pauses: JSON.stringify(pauses),
  });
  await derive(tx, user_id, [problem_id]);
}

async function markOutcome(
  tx: Db,
  { user_id, problem_id }: TimersTable,
  outcome: Outcome,
): Promise<bigint | undefined> {
  const [row] = await findStatuses(tx, user_id, [problem_id]);
  const shown = shownStateOf(row);
  const set = (status: 'complete' | 'practicing', how?: 'editorial') =>
    setStatus(tx, { memberId: user_id, problemIds: [problem_id], status, how });
  if (outcome === 'unsolved')
    return ['not_started', 'reading'].includes(shown) ? (await set('practicing')).batch : undefined;
  if (outcome === 'editorial') return (await set('complete', 'editorial')).batch;
  return shown === 'complete' || isMarkedAs(row, 'complete') ? undefined : (await set('complete')).batch;
}

/** Throws unknownItem and preconditionFailed. */
export const discardTimer = withVersion(async (tx, { id, user_id, problem_id }, now: Date) => {
  await updateTimer(tx, { id, undone_at: now.toISOString() });
  await derive(tx, user_id, [problem_id]);
});

/**
 * A stopped timer runs on, without the mark that stopping it made. Throws unknownItem, and preconditionFailed if
 * another timer runs.
 */
export const undoTimer = withVersion(
  async (tx, { id, user_id, problem_id, undone_at, stopped_at, change_id }) => {
    if (undone_at === null && stopped_at === null) throw localizedError('preconditionFailed.timer');
    const isReopened = undone_at === null || stopped_at === null;
    if (isReopened && (await findOpenTimer(tx, user_id)))
      throw localizedError('preconditionFailed.timerRuns');
    if (undone_at !== null) await updateTimer(tx, { id, undone_at: null });
    else {
      if (change_id !== null) await undo(tx, user_id, change_id);
      await updateTimer(tx, { id, stopped_at: null, outcome: null, grade: null, change_id: null });
    }
    await derive(tx, user_id, [problem_id]);
  },
);

/** Throws unknownItem and preconditionFailed. */
export const gradeTimer = withVersion(async (tx, { id, user_id, problem_id }, grade: Grade) => {
  await updateTimer(tx, { id, grade });
  await derive(tx, user_id, [problem_id]);
});

export interface UsualTime {
  from: number;
  to: number;
  timerCount: number;
  minutes: number | undefined;
}

export interface GradeSuggestion {
  grade: Grade;
  minutes: number;
  usual: UsualTime | undefined;
}

/** Undefined if too few timers show what is usual, or this one did not end solved. */
export async function suggestionFor(
  db: Db,
  timer: TimersTable,
  problem: { source: string; rating: bigint | null },
): Promise<GradeSuggestion | undefined> {
  const minutes = minutesOf(timer, 0);
  const outcome = outcomeOf(timer);
  if (outcome === 'editorial') return { grade: 'again', minutes, usual: undefined };
  const usual =
    outcome === 'solved'
      ? usualTimeOf(await listEndedTimers(db, { userId: timer.user_id }), problem, timer.id)
      : undefined;
  if (usual?.minutes === undefined) return undefined;
  return { grade: suggestedGrade(minutes, usual.minutes), minutes, usual };
}

/** The timer `exceptId` does not count. */
export function usualTimeOf(
  ended: readonly TitledTimer[],
  { source, rating }: { source: string; rating: bigint | null },
  exceptId?: bigint,
): UsualTime | undefined {
  if (rating === null) return undefined;
  const band = timeBandOf(Number(rating));
  const minutes = ended
    .filter(
      (one) =>
        one.source === source && one.rating !== null && timeBandOf(Number(one.rating)).from === band.from,
    )
    .filter((one) => countsForUsual(one) && one.id !== exceptId)
    .map((one) => minutesOf(one, 0));
  return { ...band, timerCount: minutes.length, minutes: usualMinutes(minutes) };
}

const nearbyRating = 100;
type RatedProblem = Pick<ProblemRow, 'id' | 'source' | 'rating'>;

/**
 * How long a problem takes the member: the median of what they timed near its rating, or else the judge's model at their
 * `level`.
 */
export async function readMinutes(
  db: Db,
  memberId: bigint,
  problems: readonly RatedProblem[],
  endedTimers?: readonly TitledTimer[],
): Promise<(problem: RatedProblem) => { minutes: number; level?: number } | undefined> {
  const ended = (endedTimers ?? (await listEndedTimers(db, { userId: memberId }))).filter(countsForUsual);
  const medians = new Map<string, number | undefined>();
  const ownMinutes = ({ source, rating }: RatedProblem) => {
    const key = `${source} ${rating}`;
    if (rating === null || medians.has(key)) return medians.get(key);
    const isNear = (one: TitledTimer) => Math.abs(Number(one.rating) - Number(rating)) <= nearbyRating;
    const near = ended.filter((one) => one.source === source && one.rating !== null && isNear(one));
    medians.set(key, usualMinutes(near.map((one) => minutesOf(one, 0))));
    return medians.get(key);
  };
  const modelled = problems.filter(({ source }) => judgeOf(source)?.predictedSeconds !== undefined);
  const rows = await listTimeModels(
    db,
    modelled.map(({ id }) => id),
  );
  const models = new Map(rows.map((model) => [model.problem_id, model]));
  const levels = rows.length === 0 ? [] : await readLevels(db, memberId);
  return (problem) => {
    const minutes = ownMinutes(problem);
    if (minutes !== undefined) return { minutes };
    const model = models.get(problem.id);
    const level = levels.find(({ source }) => source === problem.source)?.level;
    const seconds = model && level !== undefined && judgeOf(problem.source)?.predictedSeconds?.(model, level);
    return level === undefined || !seconds
      ? undefined
      : { minutes: Math.max(1, Math.round(seconds / 60)), level };
  };
}

/* Undoing what a program did to a timer. */

interface TimerPart {
  kind: 'timer';
  part_id: bigint;
  /** The states of the timer, for `restoreTimer`. */
  before: string | null;
  after: string | null;
}

const timerText = ({ id, user_id, problem_id, ...state }: TimersTable) => {
  const { started_at, pauses, stopped_at, outcome, solved_at, grade, change_id, undone_at } = state;
  const ids = { id: String(id), change_id: change_id === null ? null : String(change_id) };
  return JSON.stringify({ ...ids, started_at, pauses, stopped_at, outcome, solved_at, grade, undone_at });
};

/** The state of a timer as a text, for `restoreTimer`. */
async function readTimerText(db: Db, memberId: bigint, id: bigint): Promise<string | null> {
  const timer = await findTimer(db, memberId, id);
  return timer ? timerText(timer) : null;
}

/** Without a state before, the timer is discarded. Throws unknownItem, and preconditionFailed if it changed since. */
export async function restoreTimer(
  tx: Db,
  memberId: bigint,
  id: bigint,
  { before, after }: { before: string | null; after: string | null },
): Promise<void> {
  const timer = await findTimer(tx, memberId, id);
  if (!timer) throw localizedError('unknownItem.timer');
  if (timerText(timer) !== after) throw localizedError('preconditionFailed.timer');
  if (before === null) await updateTimer(tx, { id, undone_at: new Date().toISOString() });
  else {
    const { id: _, change_id, ...state } = JSON.parse(before);
    const isOpenAgain = state.stopped_at === null && state.undone_at === null;
    const open = isOpenAgain ? await findOpenTimer(tx, memberId) : undefined;
    if (open && open.id !== id) throw localizedError('preconditionFailed.timerRuns');
    await updateTimer(tx, { id, ...state, change_id: change_id === null ? null : BigInt(change_id) });
  }
  await derive(tx, memberId, [timer.problem_id]);
}

type ChangedPart = TimerPart | { kind: 'marks'; part_id: bigint | null };

/** What `work` did to the timer of the member: the one that was open before, and the one that is open after. */
export async function partsOfTimers(
  tx: Db,
  memberId: bigint,
  work: () => Promise<unknown>,
): Promise<ChangedPart[]> {
  const former = await findOpenTimer(tx, memberId);
  await work();
  const current = await findOpenTimer(tx, memberId);
  const parts: ChangedPart[] = [];
  if (former) {
    const [before, after] = [timerText(former), await readTimerText(tx, memberId, former.id)];
    if (after !== before) parts.push({ kind: 'timer', part_id: former.id, before, after });
    const { change_id = null } = (await findTimer(tx, memberId, former.id)) ?? {};
    if (former.change_id === null) parts.push({ kind: 'marks', part_id: change_id });
  }
  if (current && current.id !== former?.id)
    parts.push({ kind: 'timer', part_id: current.id, before: null, after: timerText(current) });
  return parts;
}

/** A time that ended now, without a timer; undefined while a timer of the problem runs. */
export async function insertEndedTimer(
  tx: Db,
  memberId: bigint,
  problemId: bigint,
  { minutes, outcome }: { minutes: number; outcome: Outcome },
): Promise<TimerPart | undefined> {
  const now = Date.now();
  const open = await findOpenTimer(tx, memberId);
  if (open?.problem_id === problemId && open.solved_at === null) return undefined;
  const timer = await insertTimer(tx, {
    user_id: memberId,
    problem_id: problemId,
    started_at: new Date(now - minutes * minuteMs).toISOString(),
    pauses: '[]',
    stopped_at: new Date(now).toISOString(),
    outcome,
    solved_at: null,
    grade: null,
    change_id: null,
    undone_at: null,
  });
  if (!timer) return undefined;
  await derive(tx, memberId, [problemId]);
  return {
    kind: 'timer',
    part_id: timer.id,
    before: null,
    after: await readTimerText(tx, memberId, timer.id),
  };
}
