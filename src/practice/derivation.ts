/**
 * Judge statuses, first solves, the ends of timers and review cards follow from a member's marks, submissions, reviews
 * and timers. Who writes one of those four derives what follows in the same transaction.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { deleteFirstSolves, type FirstSolvesTable, upsertFirstSolves } from '../store/activity.ts';
import {
  deleteCards,
  listProblemsWithCard,
  listSubmissionsForReview,
  noHandle,
  type ReviewCardsTable,
  type SubmissionForReview,
  upsertCards,
} from '../store/reviews.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { listNewMatches, matchSolves } from '../store/solves.ts';
import type { State, StatusesTable } from '../store/statuses.ts';
import { shownStateOf, statusRepository } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { listReviewsAndTimers, updateTimer, type ValidReview, type ValidTimer } from '../store/timers.ts';
import { type Days, daysOf } from './days.ts';
import { readDayRule } from './preferences.ts';
import { cardOf } from './review-cards.ts';
import { endOfTimer, findSolveDuring } from './timer-rules.ts';

/** A problem that was put aside ranks below one in work. */
export const statesByProgress: readonly State[] = [
  'not_started',
  'ignored',
  'skipped',
  'reading',
  'practicing',
  'complete',
];

/** The moment is that since which the status holds. */
export type DatedStatus = readonly [status: State | null, at: string | null];

/** Sorts behind all times. */
const noTime = '~';

/** Of two equal statuses the earlier wins, and a dated one wins over an undated one. */
export function furtherStatus(one: DatedStatus, other: DatedStatus): DatedStatus {
  const ranks = [rank(one[0]), rank(other[0])] as const;
  if (ranks[0] !== ranks[1]) return ranks[0] > ranks[1] ? one : other;
  return (one[1] ?? noTime) <= (other[1] ?? noTime) ? one : other;
}

export function isAtLeastAsFar(one: State | null, other: State | null): boolean {
  return rank(one) >= rank(other);
}

function rank(status: State | null): number {
  return status === null ? -1 : statesByProgress.indexOf(status);
}

/*
 * A judge status is complete since the first accepted submission, or else practicing since the first try. Imports only
 * move it forward; unlinking a handle moves it back.
 */

export type VerdictStatuses = ReadonlyMap<bigint, DatedStatus>;

export async function verdictStatuses(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  withoutHandle?: bigint,
): Promise<VerdictStatuses> {
  const submissions = await readSubmissionsByProblem(db, userId, problemIds, withoutHandle);
  return new Map([...submissions].map(([id, some]) => [id, verdictStatus(some)]));
}

function verdictStatus(submissions: readonly SubmissionForReview[]): DatedStatus {
  const solved = submissions.filter(({ verdict_class }) => verdict_class === 'solved');
  const moments = (solved.length > 0 ? solved : submissions).map(({ submitted_at }) => submitted_at);
  return [solved.length > 0 ? 'complete' : 'practicing', earliest(moments)];
}

const earliest = (moments: readonly string[]) => moments.toSorted()[0] ?? '';

export type JudgeStatus = Pick<
  StatusesTable,
  'judge_status' | 'judge_at' | 'earlier_status' | 'earlier_at' | 'solved_list_source'
>;

export const noJudgeStatus: JudgeStatus = {
  judge_status: null,
  judge_at: null,
  earlier_status: null,
  earlier_at: null,
  solved_list_source: null,
};

/**
 * A status that submissions set follows them, also back, as after a hack. One from elsewhere, such as an import of
 * statuses, only moves forward: it is stored while submissions show as much or more, and comes back when they show
 * less.
 */
export function mergeVerdicts(
  current: JudgeStatus,
  before: DatedStatus | undefined,
  after: DatedStatus | undefined,
): JudgeStatus {
  const { judge_status, judge_at, earlier_status, earlier_at, solved_list_source } = current;
  if (isFromSubmissions(current, before)) {
    if (after && isAtLeastAsFar(after[0], earlier_status))
      return { ...judgeStatusOf(current), judge_status: after[0], judge_at: after[1] };
    return {
      ...noJudgeStatus,
      judge_status: earlier_status,
      judge_at: earlier_at,
      solved_list_source,
    };
  }
  if (!after || !isAtLeastAsFar(after[0], judge_status)) return judgeStatusOf(current);
  const next = { judge_status: after[0], judge_at: after[1], solved_list_source };
  // A judge status from an archive is that of its submissions.
  if (isFromSubmissions(current, after)) return { ...next, earlier_status, earlier_at };
  return { ...next, earlier_status: judge_status, earlier_at: judge_at };
}

export function judgeStatusOf({
  judge_status,
  judge_at,
  earlier_status,
  earlier_at,
  solved_list_source,
}: JudgeStatus): JudgeStatus {
  return {
    judge_status,
    judge_at,
    earlier_status,
    earlier_at,
    solved_list_source,
  };
}

export function isFromSubmissions(
  { judge_status, judge_at }: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  verdict: DatedStatus | undefined,
): boolean {
  return (verdict?.[0] ?? null) === judge_status && (verdict?.[1] ?? null) === judge_at;
}

/** So many problems take about 10 ms, and other requests go on between portions. */
const portionSize = 200;

type Statuses = ReadonlyMap<bigint, StatusesTable>;

export type NextJudgeStatus = (
  current: JudgeStatus,
  verdict: DatedStatus | undefined,
  problemId: bigint,
) => JudgeStatus;

export const mergeWith =
  (before: VerdictStatuses): NextJudgeStatus =>
  (current, verdict, id) =>
    mergeVerdicts(current, before.get(id), verdict);

/** A caller that has read the statuses passes them as `loaded`. */
export async function derive(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  loaded?: Statuses,
): Promise<void> {
  for await (const ids of portions([...new Set(problemIds)])) {
    const statuses = loaded ?? byProblem(await statusRepository.findMany(tx, userId, ids));
    await derivePortion(tx, userId, ids, statuses, await readSubmissionsByProblem(tx, userId, ids));
  }
}

export async function deriveCards(tx: Db, userId: bigint): Promise<void> {
  await derive(tx, userId, await listProblemsWithCard(tx, userId));
}

export async function deriveStatuses(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  next: NextJudgeStatus,
): Promise<void> {
  if (await updateStatuses(tx, userId, problemIds, next))
    await bumpRevisions(tx, ['statuses', `statuses:${userId}`]);
}

export type StatusReport = (
  problemId: bigint,
  before: StatusesTable | undefined,
  after: StatusesTable | undefined,
) => void;

/** Answers whether any changed; the caller bumps the revisions then. */
export async function updateStatuses(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  next: NextJudgeStatus,
  report?: StatusReport,
): Promise<boolean> {
  let hasChanged = false;
  for await (const ids of portions([...new Set(problemIds)])) {
    const statuses = byProblem(await statusRepository.findMany(tx, userId, ids));
    const submissions = await readSubmissionsByProblem(tx, userId, ids);
    const changed: StatusesTable[] = [];
    for (const id of ids) {
      const [before, ownSubmissions] = [statuses.get(id), submissions.get(id)];
      const row = before ?? { user_id: userId, problem_id: id, ...noStatus };
      const judge = next(judgeStatusOf(row), ownSubmissions && verdictStatus(ownSubmissions), id);
      if (!isSame(row, judge)) {
        const after = { ...row, ...judge };
        changed.push(after);
        statuses.set(id, after);
      }
      report?.(id, before, statuses.get(id));
    }
    await statusRepository.save(tx, changed);
    hasChanged ||= changed.length > 0;
    await derivePortion(tx, userId, ids, statuses, submissions);
  }
  return hasChanged;
}

export const noStatus = { self_status: null, self_at: null, ...noJudgeStatus, how: null };

const isSame = (one: JudgeStatus, other: JudgeStatus) =>
  (Object.keys(noJudgeStatus) as (keyof JudgeStatus)[]).every((column) => one[column] === other[column]);

export async function* portions<T>(list: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < list.length; start += portionSize) {
    yield list.slice(start, start + portionSize);
    if (list.length > portionSize) await nextTurn();
  }
}

export function byProblem<Row extends { problem_id: bigint }>(rows: readonly Row[]): Map<bigint, Row> {
  return new Map(rows.map((row) => [row.problem_id, row]));
}

export async function readSubmissionsByProblem(
  tx: Db,
  userId: bigint,
  ids: readonly bigint[],
  withoutHandle = noHandle,
) {
  const submissions = await listSubmissionsForReview(tx, ids, { userId, withoutHandle });
  return Map.groupBy(submissions, ({ problem_id }) => problem_id);
}

async function derivePortion(
  tx: Db,
  userId: bigint,
  ids: readonly bigint[],
  statuses: Statuses,
  submissions: ReadonlyMap<bigint, readonly SubmissionForReview[]>,
): Promise<void> {
  const solvedAt = new Map(
    ids
      .map((id) => [id, solveMoments(statuses.get(id), submissions.get(id))] as const)
      .filter(([, at]) => at.length > 0),
  );
  const first = [...solvedAt].map(
    ([problem_id, at]): FirstSolvesTable => ({
      user_id: userId,
      problem_id,
      at: earliest(at),
      tries: triesUntil(statuses.get(problem_id), submissions.get(problem_id)),
    }),
  );
  await upsertFirstSolves(tx, first);
  await deleteFirstSolves(
    tx,
    userId,
    ids.filter((id) => !solvedAt.has(id)),
  );
  const hasCard = (id: bigint) => solvedAt.has(id) && shownStateOf(statuses.get(id)) === 'complete';
  const withCard = ids.filter(hasCard);
  const { reviews, timers } = await listReviewsAndTimers(tx, userId, ids);
  const inputs = {
    statuses,
    solvedAt,
    submissions,
    reviews,
    timers: await deriveTimers(tx, timers, submissions),
  };
  await upsertCards(tx, await cardsOf(tx, userId, withCard, inputs));
  await deleteCards(
    tx,
    userId,
    ids.filter((id) => !hasCard(id)),
  );
}

function solveMoments(
  status: StatusesTable | undefined,
  submissions: readonly SubmissionForReview[] = [],
): string[] {
  const moments = submissions.filter((one) => one.verdict_class === 'solved').map((one) => one.submitted_at);
  if (status?.self_status === 'complete' && status.self_at !== null) moments.push(status.self_at);
  if (status?.judge_status === 'complete' && status.judge_at !== null) moments.push(status.judge_at);
  return moments;
}

/** Empty if no solve has a time. */
export const firstSolveAt = (...solves: Parameters<typeof solveMoments>): string =>
  earliest(solveMoments(...solves));

function triesUntil(
  status: StatusesTable | undefined,
  submissions: readonly SubmissionForReview[] = [],
): bigint {
  const until = status?.judge_status === 'complete' ? status.judge_at : null;
  return BigInt(submissions.filter(({ submitted_at }) => submitted_at <= (until ?? noTime)).length);
}

async function deriveTimers(
  tx: Db,
  timers: readonly ValidTimer[],
  submissions: ReadonlyMap<bigint, readonly SubmissionForReview[]>,
): Promise<ValidTimer[]> {
  const ended: ValidTimer[] = [];
  for (const timer of timers) {
    const solved_at = findSolveDuring(timer, submissions.get(timer.problem_id));
    if (solved_at !== timer.solved_at) await updateTimer(tx, { id: timer.id, solved_at });
    ended.push({ ...timer, solved_at });
  }
  return ended;
}

interface CardInputs {
  statuses: Statuses;
  solvedAt: ReadonlyMap<bigint, readonly string[]>;
  submissions: ReadonlyMap<bigint, readonly SubmissionForReview[]>;
  reviews: readonly ValidReview[];
  timers: readonly ValidTimer[];
}

async function cardsOf(
  tx: Db,
  userId: bigint,
  ids: readonly bigint[],
  { statuses, solvedAt, submissions, ...rest }: CardInputs,
): Promise<ReviewCardsTable[]> {
  if (ids.length === 0) return [];
  const days: Days = daysOf(await readDayRule(tx, userId));
  const reviews = Map.groupBy(rest.reviews, ({ problem_id }) => problem_id);
  const timers = Map.groupBy(rest.timers, ({ problem_id }) => problem_id);
  return ids.map((problem_id) => ({
    user_id: userId,
    problem_id,
    ...cardOf(
      {
        how: statuses.get(problem_id)?.how ?? null,
        submissions: submissions.get(problem_id),
        solved: solvedAt.get(problem_id) ?? [],
        reviews: reviews.get(problem_id) ?? [],
        timerGrades: (timers.get(problem_id) ?? []).flatMap((timer) => {
          const end = endOfTimer(timer);
          return timer.grade === null || end === null
            ? []
            : { grade: timer.grade, day: days.at(Date.parse(end)) };
        }),
      },
      days,
    ),
  }));
}

/** Links stored submissions to problems that came later, and returns the number of these. */
export async function linkStoredSubmissions(tx: Db): Promise<number> {
  const matches = await listNewMatches(tx);
  for (const [userId, rows] of Map.groupBy(matches, (match) => match.user_id)) {
    const ids = rows.map(({ problem_id }) => problem_id);
    const before = await verdictStatuses(tx, userId, ids);
    const handles = new Map(rows.map(({ handle_id, source }) => [handle_id, source]));
    for (const [handleId, source] of handles) await matchSolves(tx, handleId, source);
    await deriveStatuses(tx, userId, ids, mergeWith(before));
  }
  return new Set(matches.map(({ problem_id }) => problem_id)).size;
}

/* Collects what an import changes, to derive it once at the end. */

export type PendingDerivations = ReturnType<typeof collectDerivations>;

export function collectDerivations() {
  const problems = new Map<bigint, Set<bigint>>();
  const memberIds = new Set<bigint>();

  return {
    addProblems: (userId: bigint, problemIds: Iterable<bigint>) => {
      const ids = problems.get(userId) ?? new Set();
      for (const id of problemIds) ids.add(id);
      problems.set(userId, ids);
    },
    addMember: (userId: bigint) => void memberIds.add(userId),
    derive: async (tx: Db): Promise<void> => {
      for (const [userId, ids] of problems) await derive(tx, userId, [...ids]);
      for (const userId of memberIds) await deriveCards(tx, userId);
    },
  };
}
