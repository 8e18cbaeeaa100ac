/** When a member solved a problem first, and after how many tries: in figures, and as filters of the problem list. */

import { setImmediate } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
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

/** By the adapter of a database: what members have completed at each revision. A row takes some 200 bytes. */
const kept = new WeakMap<object, LRUCache<string, CompletedProblem[]>>();
const rowsKept = 50_000;

/** All of them, in no order, kept in memory for a revision of the member's statuses and of the problems. */
export async function listCompleted(db: Db, userId: bigint): Promise<readonly CompletedProblem[]> {
  const { problems, statuses } = await readRevisions(db, userId);
  if (db.isTransaction) return readCompleted(db, userId, problems);
  const { adapter } = db.getExecutor();
  const known =
    kept.get(adapter) ?? new LRUCache({ maxSize: rowsKept, sizeCalculation: (rows) => rows.length + 1 });
  kept.set(adapter, known);
  const name = `${userId} ${statuses} ${problems}`;
  const rows = known.get(name) ?? (await readCompleted(db, userId, problems));
  known.set(name, rows);
  return rows;
}

async function readRevisions(db: Db, userId: bigint): Promise<{ problems: bigint; statuses: bigint }> {
  const rows = await runCompiled(db, 'revisionsOfCompleted', ['problems', `statuses:${userId}`], () =>
    db
      .selectFrom('revisions')
      .selectAll()
      .where('scope', 'in', ['problems', `statuses:${userId}`]),
  );
  // No row stands for the revision 0.
  const of = (name: string) => rows.find(({ scope }) => scope === name)?.revision ?? 0n;
  return { problems: of('problems'), statuses: of(`statuses:${userId}`) };
}

async function readCompleted(db: Db, userId: bigint, revision: bigint): Promise<CompletedProblem[]> {
  const rows = await runCompiled(db, 'listCompleted', [userId], () =>
    completedBy(db, userId).select(['statuses.problem_id', reachedAt.as('completed_at')]),
  );
  return withFacts(db, rows, revision);
}

/** Those whose problem was deleted since are left out. */
async function withFacts<Row extends { problem_id: bigint }>(
  db: Db,
  rows: readonly Row[],
  revision: bigint,
): Promise<(Row & ProblemFacts)[]> {
  const ids = rows.map(({ problem_id }) => problem_id);
  const facts = await readProblemFacts(db, revision, ids);
  return rows.flatMap((row) => {
    const known = facts.get(row.problem_id);
    return known ? Object.assign(row, known) : [];
  });
}

/* All that a member solved or tries to solve, for the pictures of their progress. */

export interface ReachedProblem extends ProblemFacts {
  problem_id: bigint;
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

/** In the order of the problems' ids. */
export async function listReachedProblems(db: Db, userId: bigint): Promise<ReachedProblem[]> {
  const { problems } = await readRevisions(db, userId);
  const found: ReachedProblem[] = [];
  for (let from = leastId; ; ) {
    const some = await readPart(db, userId, from);
    found.push(...(await withFacts(db, some, problems)));
    const last = some.at(-1);
    if (!last || BigInt(some.length) < readAtOnce || last.problem_id === greatestId) return found;
    from = last.problem_id + 1n;
    await setImmediate();
  }
}

type ReachedRow = Omit<ReachedProblem, keyof ProblemFacts>;

function readPart(db: Db, userId: bigint, from: bigint): Promise<ReachedRow[]> {
  const parameters = [userId, userId, from, 'complete', 'practicing', readAtOnce];
  return runCompiled<ReachedRow>(db, 'listReachedProblems', parameters, () =>
    db
      .selectFrom('statuses')
      .leftJoin('first_solves', (join) =>
        join
          .onRef('first_solves.user_id', '=', 'statuses.user_id')
          .onRef('first_solves.problem_id', '=', 'statuses.problem_id'),
      )
      .select(['statuses.problem_id', shownStatus.as('status'), reachedAt.as('at')])
      .select(['first_solves.at as first_at', triesOf(userId).as('tries')])
      .where('statuses.user_id', '=', userId)
      .where('statuses.problem_id', '>=', from)
      .where(shownStatus, 'in', ['complete', 'practicing'])
      .orderBy('statuses.problem_id')
      .limit(readAtOnce),
  );
}
