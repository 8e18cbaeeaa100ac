/** When a member solved a problem first, and after how many tries: in figures, and as filters of the problem list. */

import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { type Between, firstSolvedIn } from './activity.ts';
import { runCompiled } from './bulk.ts';
import { type ProblemFacts, readProblemFacts } from './catalogue.ts';
import { greatestId, leastId } from './ids.ts';
import type { Query } from './keyset.ts';
import { countRows } from './keyset.ts';
import type { State } from './statuses.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

/** A stretch of time in which an hour of the member's clocks is always at the same times of day in UTC. */
export interface ClockHour {
  from: string;
  until: string;
  /** Such as `17:00:00`; an hour that begins before midnight and ends after it is two of these. */
  startsAt: string;
  endsAt: string;
}

/** Conditions on a problem on which the member has a status. Moments are from the first one on, and before the second one. */
export interface HistoryFilter {
  /** When the status that shows was said; of a problem that is solved, when it was first solved. */
  status?: Between | undefined;
  /** When it was first solved by the member's clocks. */
  hours?: readonly ClockHour[] | undefined;
  /** How many submissions its first solve took. */
  triesMin?: number | undefined;
  triesMax?: number | undefined;
}
/** The moment of the status that shows; of one that is solved, that of the first solve. */
export const reachedAt = sql<string>`case when statuses.self_status = 'complete' and statuses.judge_status = 'complete'
  and statuses.judge_at < statuses.self_at then statuses.judge_at else coalesce(statuses.self_at, statuses.judge_at) end`;

/** The kept submissions with a ruling, up to the first one that solved it. The index of submissions by problem has all of it. */
const triesOf = (
  memberId: bigint,
) => sql<bigint>`(select count(*) from solves where solves.problem_id = statuses.problem_id
  and solves.handle_id in (select handles.id from handles where handles.user_id = ${memberId})
  and solves.verdict_class in ('tried', 'solved')
  and solves.submitted_at <= case when statuses.judge_status = 'complete' then statuses.judge_at else '9999' end)`;

export const states: readonly State[] = [
  'not_started',
  'reading',
  'practicing',
  'complete',
  'skipped',
  'ignored',
];

/** Whether a status that shows is the one that is asked for. */
export function isStatus(shown: State, asked: State | 'unsolved' | 'attempted'): boolean {
  return statesOf(asked).includes(shown);
}

export function statesOf(asked: State | 'unsolved' | 'attempted'): readonly State[] {
  if (asked === 'unsolved') return states.filter((state) => state !== 'complete');
  return asked === 'attempted' ? ['complete', 'practicing'] : [asked];
}

/** Those of a member's statuses that meet the conditions. */
export function withHistory<Table extends 'statuses' | 'bookmarks'>(
  db: Db,
  query: Query<Table>,
  memberId: bigint,
  { status, hours, triesMin, triesMax }: HistoryFilter = {},
): Query<Table> {
  let narrowed = query;
  if (status !== undefined) narrowed = narrowed.where(isWithin(db, memberId, status));
  if (hours !== undefined) narrowed = narrowed.where(shownStatus, '=', 'complete').where(atHours(hours));
  if (triesMin !== undefined) narrowed = narrowed.where(triesOf(memberId), '>=', BigInt(triesMin));
  if (triesMax !== undefined) narrowed = narrowed.where(triesOf(memberId), '<=', BigInt(triesMax));
  return narrowed;
}

/** First solves are read along their index, once for all rows. */
function isWithin(db: Db, memberId: bigint, between: Between) {
  const said = sql`coalesce(statuses.self_at, statuses.judge_at)`;
  const solved = firstSolvedIn(db, memberId, between).select('first_solves.problem_id');
  return sql<SqlBool>`(case when ${shownStatus} = 'complete' then statuses.problem_id in (${solved})
    else ${said} >= ${between.from} and ${said} < ${between.until} end)`;
}

/** The time of day is looked at first: most moments end there. */
function atHours(hours: readonly ClockHour[]) {
  const times = Map.groupBy(hours, ({ startsAt, endsAt }) => `${startsAt} ${endsAt}`);
  const alternatives = Array.from(times.values(), (stretches) => {
    const { startsAt = '', endsAt = '' } = stretches[0] ?? {};
    const within = stretches.map(
      ({ from, until }) => sql<SqlBool>`(${reachedAt} >= ${from} and ${reachedAt} < ${until})`,
    );
    const clock = sql`substr(${reachedAt}, 12, 8)`;
    return sql<SqlBool>`(${clock} >= ${startsAt} and ${clock} < ${endsAt} and (${sql.join(within, sql` or `)}))`;
  });
  return alternatives.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
}

/* The problems that a member has completed: those whose status shows so, and since when. */

export interface Completion {
  problem_id: bigint;
  /** When the first of the words that say so said it. */
  completed_at: string;
}

/** A completed problem with all by which it counts for goals, levels and topics. */
export type CompletedProblem = Completion & ProblemFacts;

/** A row for each problem that a member has completed. */
export function completedBy(db: Db, userId: bigint) {
  // As a literal, so that the compiled statements have no parameter for it.
  return db
    .selectFrom('statuses')
    .where('statuses.user_id', '=', userId)
    .where(shownStatus, '=', sql.lit('complete'));
}

export const countCompleted = (db: Db, userId: bigint) => countRows(completedBy(db, userId));

/** All of them, in no order. The facts of the problems are kept in memory for each revision of the problems. */
export async function listCompleted(db: Db, userId: bigint): Promise<CompletedProblem[]> {
  const rows = await runCompiled<Completion & { revision: bigint | null }>(
    db,
    'listCompleted',
    ['problems', userId],
    () =>
      completedBy(db, userId)
        .select(['statuses.problem_id', reachedAt.as('completed_at')])
        .select((eb) =>
          eb.selectFrom('revisions').select('revision').where('scope', '=', 'problems').as('revision'),
        ),
  );
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ problem_id }) => problem_id);
  // No row stands for the revision 0.
  const facts = await readProblemFacts(db, first.revision ?? 0n, ids);
  return rows.flatMap(({ problem_id, completed_at }) => {
    const known = facts.get(problem_id);
    return known
      ? [{ problem_id, completed_at, source: known.source, rating: known.rating, tags: known.tags }]
      : [];
  });
}

/** The topics of the last ones, one text of topics for each. */
export function listLatestTopics(db: Db, userId: bigint, limit: number) {
  return completedBy(db, userId)
    .innerJoin('problems', 'problems.id', 'statuses.problem_id')
    .select('problems.tags')
    .orderBy(reachedAt, 'desc')
    .orderBy('statuses.problem_id', 'desc')
    .limit(limit)
    .execute();
}

/** The last ones, the newest first. */
export function latestCompleted(db: Db, userId: bigint, limit: number) {
  return completedBy(db, userId)
    .select('problem_id')
    .orderBy(reachedAt, 'desc')
    .orderBy('problem_id', 'desc')
    .limit(limit);
}

/* All that a member solved or tries to solve, for the pictures of their progress. */

export interface ReachedRow {
  id: bigint;
  source: string;
  title: string;
  rating: bigint | null;
  /** A JSON list. */
  tags: string;
  status: State;
  /** The moment of the first solve of a solved problem; of another one the moment of the status. */
  at: string;
  /** When the member solved it first; null if they did not. */
  first_at: string | null;
  /** Kept submissions with a ruling up to the first solve. */
  tries: bigint;
}

/** Read along the primary key in parts, each a few milliseconds long, so that other requests are answered meanwhile. */
const readAtOnce = 1500n;

export async function listReachedProblems(db: Db, userId: bigint): Promise<ReachedRow[]> {
  const found: ReachedRow[] = [];
  for (let from = leastId; ; ) {
    const some = await readPart(db, userId, from);
    found.push(...some);
    const last = some.at(-1);
    if (!last || BigInt(some.length) < readAtOnce || last.id === greatestId) return found;
    from = last.id + 1n;
    await setImmediate();
  }
}

function readPart(db: Db, userId: bigint, from: bigint): Promise<ReachedRow[]> {
  const parameters = [userId, userId, from, 'complete', 'practicing', readAtOnce];
  return runCompiled<ReachedRow>(db, 'listReachedProblems', parameters, () =>
    db
      .selectFrom('statuses')
      .innerJoin('problems', 'problems.id', 'statuses.problem_id')
      .leftJoin('first_solves', (join) =>
        join
          .onRef('first_solves.user_id', '=', 'statuses.user_id')
          .onRef('first_solves.problem_id', '=', 'statuses.problem_id'),
      )
      .select(['problems.id', 'problems.source', 'problems.title', 'problems.rating', 'problems.tags'])
      .select([
        shownStatus.as('status'),
        reachedAt.as('at'),
        'first_solves.at as first_at',
        triesOf(userId).as('tries'),
      ])
      .where('statuses.user_id', '=', userId)
      .where('statuses.problem_id', '>=', from)
      .where(shownStatus, 'in', ['complete', 'practicing'])
      .orderBy('statuses.problem_id')
      .limit(readAtOnce),
  );
}
