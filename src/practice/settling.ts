/**
 * Judges' words, first solves, the ends of timers and review cards follow from a member's words, submissions, reviews and timers. A
 * function that writes one of those four settles their problems in the same transaction.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { deleteFirstSolves, type FirstSolvesTable, keepFirstSolves } from '../store/activity.ts';
import {
  deleteCards,
  keepCards,
  listCarded,
  listSentTo,
  type ReviewCardsTable,
  type SentTo,
} from '../store/reviews.ts';
import { bumpRevisions } from '../store/revisions.ts';
import { deleteRowsOn } from '../store/rows.ts';
import { listMatches, listReached, matchSolves } from '../store/solves.ts';
import type { State, StatusesTable } from '../store/statuses.ts';
import { findStatusPairs, insertStatuses, shownStateOf, updateStatus } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import {
  listReviewsAndTimers,
  type StandingReview,
  type StandingTimer,
  updateTimer,
} from '../store/timers.ts';
import { type Days, daysOf } from './days.ts';
import { readDayRule } from './preferences.ts';
import { cardOf } from './review-cards.ts';
import { endOf, solvedIn } from './timer-rules.ts';

/* The order of statuses: which one is further. */

/** From untouched to done. A problem that was put aside counts less than one in work. */
const order: readonly State[] = ['not_started', 'ignored', 'skipped', 'reading', 'practicing', 'complete'];

/** A member's or a judge's word on a problem, with its time; nulls if there is none. */
export type Word = readonly [status: State | null, at: string | null];

/** Stands behind all times. */
const noTime = '~';

/** The further of two words with its date; of two alike the earlier, and one with a date before one without. */
export function furtherWord(one: Word, other: Word): Word {
  const ranks = [rank(one[0]), rank(other[0])] as const;
  if (ranks[0] !== ranks[1]) return ranks[0] > ranks[1] ? one : other;
  return (one[1] ?? noTime) <= (other[1] ?? noTime) ? one : other;
}

export function isAsFar(one: State | null, other: State | null): boolean {
  return rank(one) >= rank(other);
}

function rank(status: State | null): number {
  return status === null ? -1 : order.indexOf(status);
}

/*
 * The judge's word of a status, computed from the kept submissions: complete since the first solve, or else practicing since
 * the first try. Imports move it forward alone; it goes back when a handle is unlinked.
 */

export type JudgesWords = ReadonlyMap<bigint, Word | undefined>;

/**
 * The word of a member's kept submissions on each of these problems, as if one handle were not linked. A problem of which they say
 * nothing is left out.
 */
export async function judgesWords(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  // No handle has the id 0.
  withoutHandle = 0n,
): Promise<JudgesWords> {
  const reached = await listReached(db, problemIds, { userId, withoutHandle });
  const byProblem = Map.groupBy(reached, ({ problem_id }) => problem_id);
  return new Map([...byProblem].map(([id, sent]) => [id, saidBy(sent)]));
}

/** Complete since the first submission that was accepted, or else practicing since the first try. */
function saidBy(sent: readonly SentTo[] = []): Word | undefined {
  const first = (verdictClass: SentTo['verdict_class']) =>
    earliest(sent.filter((one) => one.verdict_class === verdictClass).map((one) => one.submitted_at));
  const [solved, tried] = [first('solved'), first('tried')];
  if (solved !== undefined) return ['complete', solved];
  return tried === undefined ? undefined : ['practicing', tried];
}

const earliest = (moments: readonly string[]) => moments.toSorted()[0];

export type JudgesWord = Pick<
  StatusesTable,
  'judge_status' | 'judge_at' | 'overtaken_status' | 'overtaken_at' | 'listed_by'
>;

export const noJudgesWord: JudgesWord = {
  judge_status: null,
  judge_at: null,
  overtaken_status: null,
  overtaken_at: null,
  listed_by: null,
};

/**
 * The judge's word where submissions said `before` and say `after` now. A word that submissions set follows them, also back, as
 * after a hack or when a handle is unlinked. One that came from elsewhere, such as an import of statuses, only moves forward: it
 * is kept while submissions say as much or more, and comes back when they say less.
 */
export function following(
  current: JudgesWord,
  before: Word | undefined,
  after: Word | undefined,
): JudgesWord {
  const { judge_status, judge_at, overtaken_status, overtaken_at, listed_by } = current;
  if (isSaid(current, before)) {
    if (after && isAsFar(after[0], overtaken_status))
      return { ...judgesWordOf(current), judge_status: after[0], judge_at: after[1] };
    return { ...noJudgesWord, judge_status: overtaken_status, judge_at: overtaken_at, listed_by };
  }
  if (!after || !isAsFar(after[0], judge_status)) return judgesWordOf(current);
  const said = { judge_status: after[0], judge_at: after[1], listed_by };
  // A word that an archive brought is the word of its submissions.
  if (isSaid(current, after)) return { ...said, overtaken_status, overtaken_at };
  return { ...said, overtaken_status: judge_status, overtaken_at: judge_at };
}

export function judgesWordOf({
  judge_status,
  judge_at,
  overtaken_status,
  overtaken_at,
  listed_by,
}: JudgesWord): JudgesWord {
  return { judge_status, judge_at, overtaken_status, overtaken_at, listed_by };
}

/** Whether the judge's word is what submissions say, and came from nowhere else. */
export function isSaid(
  { judge_status, judge_at }: Pick<StatusesTable, 'judge_status' | 'judge_at'>,
  said: Word | undefined,
): boolean {
  return (said?.[0] ?? null) === judge_status && (said?.[1] ?? null) === judge_at;
}

/* Settling some problems of a member. */

/** So many take about 10 ms, and other requests go on between them. */
const atOnce = 200;

type Statuses = ReadonlyMap<bigint, StatusesTable>;

/** The judge's word on a problem, from the one that it had and what its submissions say now. */
export type NextWord = (current: JudgesWord, said: Word | undefined, problemId: bigint) => JudgesWord;

/** Settles these problems of a member; `known` are their statuses, if they are known. */
export async function settle(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  known?: Statuses,
): Promise<void> {
  for await (const ids of portions([...new Set(problemIds)])) {
    const statuses = known ?? byProblem(await findStatusPairs(tx, userId, ids));
    await settleSome(tx, userId, ids, statuses, await readSent(tx, userId, ids));
  }
}

/** Settles the cards of a member after the rule of their days has changed: cards count in days. */
export async function settleDays(tx: Db, userId: bigint): Promise<void> {
  await settle(tx, userId, await listCarded(tx, userId));
}

/** Settles these problems, whose submissions may have changed, with the judge's words on them. */
export async function settleSubmissions(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  next: NextWord,
): Promise<void> {
  let hasChanged = false;
  for await (const ids of portions([...new Set(problemIds)])) {
    const statuses = byProblem(await findStatusPairs(tx, userId, ids));
    const sent = await readSent(tx, userId, ids);
    const nextOf: NextOf = (current, id) => next(current, saidBy(sent.get(id)), id);
    if (await setJudgesWords(tx, userId, ids, statuses, nextOf)) hasChanged = true;
    await settleSome(tx, userId, ids, statuses, sent);
  }
  if (hasChanged) await bumpRevisions(tx, ['statuses', `statuses:${userId}`]);
}

export async function* portions<T>(list: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < list.length; start += atOnce) {
    yield list.slice(start, start + atOnce);
    if (list.length > atOnce) await nextTurn();
  }
}

export function byProblem<Row extends { problem_id: bigint }>(rows: readonly Row[]): Map<bigint, Row> {
  return new Map(rows.map((row) => [row.problem_id, row]));
}

export async function readSent(tx: Db, userId: bigint, ids: readonly bigint[]) {
  return Map.groupBy(await listSentTo(tx, ids, { userId }), ({ problem_id }) => problem_id);
}

type NextOf = (current: JudgesWord, problemId: bigint) => JudgesWord;

/** Writes the judge's words, into `statuses` as well. Answers whether any changed. */
async function setJudgesWords(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  statuses: Map<bigint, StatusesTable>,
  next: NextOf,
): Promise<boolean> {
  const added: StatusesTable[] = [];
  const empty: bigint[] = [];
  let hasChanged = false;
  for (const problem_id of problemIds) {
    const current = statuses.get(problem_id);
    const kept = judgesWordOf(current ?? noJudgesWord);
    const word = next(kept, problem_id);
    if (isSameWord(word, kept)) continue;
    hasChanged = true;
    const own = { self_status: null, self_at: null, how: null };
    const row = { ...(current ?? { user_id: userId, problem_id, ...own }), ...word };
    statuses.set(problem_id, row);
    if (!current) added.push(row);
    else if (row.judge_status !== null || row.self_status !== null) await updateStatus(tx, row);
    else {
      empty.push(problem_id);
      statuses.delete(problem_id);
    }
  }
  await insertStatuses(tx, added);
  await deleteRowsOn(tx, 'statuses', userId, empty);
  return hasChanged;
}

function isSameWord(one: JudgesWord, other: JudgesWord): boolean {
  return (Object.keys(noJudgesWord) as (keyof JudgesWord)[]).every((column) => one[column] === other[column]);
}

/** Writes first solves, the ends of timers and review cards. */
async function settleSome(
  tx: Db,
  userId: bigint,
  ids: readonly bigint[],
  statuses: Statuses,
  sent: ReadonlyMap<bigint, readonly SentTo[]>,
): Promise<void> {
  const solved = new Map(
    ids
      .map((id) => [id, solvedAt(statuses.get(id), sent.get(id))] as const)
      .filter(([, at]) => at.length > 0),
  );
  const first = [...solved].map(
    ([problem_id, at]): FirstSolvesTable => ({
      user_id: userId,
      problem_id,
      at: earliest(at) ?? '',
      tries: triesUntil(statuses.get(problem_id), sent.get(problem_id)),
    }),
  );
  await keepFirstSolves(tx, first);
  await deleteFirstSolves(
    tx,
    userId,
    ids.filter((id) => !solved.has(id)),
  );
  const isCarded = (id: bigint) => solved.has(id) && shownStateOf(statuses.get(id)) === 'complete';
  const carded = ids.filter(isCarded);
  const { reviews, timers } = await listReviewsAndTimers(tx, userId, ids);
  const facts = { statuses, solved, sent, reviews, timers: await settleTimers(tx, timers, sent) };
  await keepCards(tx, await cardsOf(tx, userId, carded, facts));
  await deleteCards(
    tx,
    userId,
    ids.filter((id) => !isCarded(id)),
  );
}

/** All moments at which a problem was solved; none where it is only known to be solved. */
function solvedAt(status: StatusesTable | undefined, sent: readonly SentTo[] = []): string[] {
  const moments = sent.filter((one) => one.verdict_class === 'solved').map((one) => one.submitted_at);
  if (status?.self_status === 'complete' && status.self_at !== null) moments.push(status.self_at);
  if (status?.judge_status === 'complete' && status.judge_at !== null) moments.push(status.judge_at);
  return moments;
}

/** How many submissions were sent until the judge said that one of them solved the problem, or in all. */
function triesUntil(status: StatusesTable | undefined, sent: readonly SentTo[] = []): bigint {
  const until = status?.judge_status === 'complete' ? status.judge_at : null;
  return BigInt(sent.filter(({ submitted_at }) => submitted_at <= (until ?? noTime)).length);
}

/** Writes which submissions ended these timers, and answers them so. */
async function settleTimers(
  tx: Db,
  timers: readonly StandingTimer[],
  sent: ReadonlyMap<bigint, readonly SentTo[]>,
): Promise<StandingTimer[]> {
  const settled: StandingTimer[] = [];
  for (const timer of timers) {
    const solved_at = solvedIn(timer, sent.get(timer.problem_id));
    if (solved_at !== timer.solved_at) await updateTimer(tx, { id: timer.id, solved_at });
    settled.push({ ...timer, solved_at });
  }
  return settled;
}

interface Facts {
  statuses: Statuses;
  solved: ReadonlyMap<bigint, readonly string[]>;
  sent: ReadonlyMap<bigint, readonly SentTo[]>;
  reviews: readonly StandingReview[];
  timers: readonly StandingTimer[];
}

async function cardsOf(
  tx: Db,
  userId: bigint,
  ids: readonly bigint[],
  { statuses, solved, sent, ...rest }: Facts,
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
        sent: sent.get(problem_id),
        solved: solved.get(problem_id) ?? [],
        reviews: reviews.get(problem_id) ?? [],
        timed: (timers.get(problem_id) ?? []).flatMap((timer) => {
          const end = endOf(timer);
          return timer.grade === null || end === null
            ? []
            : { grade: timer.grade, day: days.at(Date.parse(end)) };
        }),
      },
      days,
    ),
  }));
}

/** Gives kept submissions the problems that were not here when they came, and answers how many problems that were. */
export async function matchKept(tx: Db): Promise<number> {
  const matches = await listMatches(tx);
  for (const [userId, found] of Map.groupBy(matches, (match) => match.user_id)) {
    const ids = found.map(({ problem_id }) => problem_id);
    const before = await judgesWords(tx, userId, ids);
    const handles = new Map(found.map(({ handle_id, source }) => [handle_id, source]));
    for (const [handleId, source] of handles) await matchSolves(tx, handleId, source);
    await settleSubmissions(tx, userId, ids, (current, said, id) => following(current, before.get(id), said));
  }
  return new Set(matches.map(({ problem_id }) => problem_id)).size;
}

/* The members and problems of which an import changes anything, collected while it goes on and settled once at its end. */

export type Followed = ReturnType<typeof collectFollowed>;

export function collectFollowed() {
  const problems = new Map<bigint, Set<bigint>>();
  const recounted = new Set<bigint>();

  return {
    /** A member's marks on these problems, what they sent to them, or reviews of them. */
    solves: (userId: bigint, problemIds: Iterable<bigint>) => {
      const ids = problems.get(userId) ?? new Set();
      for (const id of problemIds) ids.add(id);
      problems.set(userId, ids);
    },
    /** When the days of a member begin. */
    days: (userId: bigint) => void recounted.add(userId),
    settle: async (tx: Db): Promise<void> => {
      for (const [userId, ids] of problems) await settle(tx, userId, [...ids]);
      for (const userId of recounted) await settleDays(tx, userId);
    },
  };
}
