/**
 * Solves and submissions of members, each with its moment: first solves, all solves, and all submissions. `practice/activity.ts`
 * puts them into days. Also a member's own history: what they completed, reached and tried, and since when.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { preparedForMany, upsertInto } from './bulk.ts';
import { handlesOf } from './handles.ts';
import { countRows, type Query } from './listings.ts';
import { perShape, prepared } from './prepared.ts';
import { type ProblemFacts, readProblemFacts } from './problems.ts';
import type { RevisionScope } from './revisions.ts';
import { deleteRowsOn } from './rows.ts';
import { type State, shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    first_solves: FirstSolvesTable;
  }
}

/** The first moment at which a member solved a problem: by a submission that was accepted, or by a word. */
export interface FirstSolvesTable {
  user_id: bigint;
  problem_id: bigint;
  at: string;
  /** The kept submissions with a ruling, up to the judge's first one that solved it; 0 where none is kept. */
  tries: bigint;
}

/** Moments from one to another, the second one not included. */
export interface TimeRange {
  from: string;
  until: string;
}

export const allTime: TimeRange = { from: '', until: '~' };

/** A member, and a time of theirs. */
type MembersTime = { userId: bigint } & TimeRange;

/** Writes when a member first solved these problems, and after how many tries. */
export const keepFirstSolves = upsertInto('first_solves', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['user_id', 'problem_id'])
      .doUpdateSet(({ ref }) => ({ at: ref('excluded.at'), tries: ref('excluded.tries') }))
      .where(sql<SqlBool>`first_solves.at <> excluded.at OR first_solves.tries <> excluded.tries`),
  ),
);

export const deleteFirstSolves = (tx: Db, userId: bigint, problemIds: readonly bigint[]) =>
  deleteRowsOn(tx, 'first_solves', userId, problemIds);

/** The problems that a member solved first in this time. */
export function firstSolvedIn(db: Db, userId: bigint, { from, until }: TimeRange) {
  return db
    .selectFrom('first_solves')
    .where('first_solves.user_id', '=', userId)
    .where('at', '>=', from)
    .where('at', '<', until);
}

/** The problems that a member solved last for the first time, the newest first. */
export function latestFirstSolved(db: Db, userId: bigint, limit: number) {
  return firstSolvedIn(db, userId, allTime)
    .select('first_solves.problem_id')
    .orderBy('at', 'desc')
    .orderBy('first_solves.problem_id', 'desc')
    .limit(limit);
}

/** The topics of these problems, one text of topics for each. */
export function listLatestTopics(db: Db, userId: bigint, limit: number) {
  return latestFirstSolved(db, userId, limit)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .select('problems.tags')
    .execute();
}

/** First solves with what says how hard they were, in their order. */
export const listFirstSolves = prepared((db, { userId, ...between }: MembersTime) =>
  firstSolvedIn(db, userId, between)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .select(['at', 'source', 'rating'])
    .orderBy('at'),
);

/** When a member solved something for the first time, in order. */
export const listOwnFirstSolves = prepared((db, { userId, ...between }: MembersTime) =>
  firstSolvedIn(db, userId, between).select('at').orderBy('at'),
);

/** When a member first solved each problem, and after how many tries. */
export const listFirstTries = prepared((db, { userId }: { userId: bigint }) =>
  db.selectFrom('first_solves').select(['problem_id', 'at', 'tries']).where('user_id', '=', userId),
);

/** When several members solved something for the first time. */
export const listFirstSolvedAt = preparedForMany(
  (db, userIds: readonly bigint[], { from, until }: TimeRange) =>
    db
      .selectFrom('first_solves')
      .select(['user_id', 'at'])
      .where('at', '>=', from)
      .where('at', '<', until)
      .where('user_id', 'in', userIds)
      .orderBy('user_id')
      .orderBy('at'),
);

/** When a word said that a problem is solved, the member's or the judge's. */
function wordsIn(db: Db, userId: bigint, { from, until }: TimeRange) {
  const said = (status: 'self_status' | 'judge_status', at: 'self_at' | 'judge_at') =>
    db
      .selectFrom('statuses')
      .select((eb) => ['problem_id', eb.ref(at).$notNull().as('at')])
      .where('user_id', '=', userId)
      .where(status, '=', sql.lit('complete'))
      .where(at, '>=', from)
      .where(at, '<', until);
  return said('self_status', 'self_at').unionAll(said('judge_status', 'judge_at'));
}

/** All that a member solved in this time, again as well: by words, and by submissions that were accepted. */
export function solvedWithin(db: Db, userId: bigint, between: TimeRange) {
  const accepted = db
    .selectFrom('solves')
    .select((eb) => [eb.ref('problem_id').$notNull().as('problem_id'), eb.ref('submitted_at').as('at')])
    .where('handle_id', 'in', handlesOf(db, userId))
    .where('submitted_at', '>=', between.from)
    .where('submitted_at', '<', between.until)
    .where('verdict_class', '=', sql.lit('solved'))
    // The sign keeps SQLite from reading all submissions to any problem along their index.
    .where(sql<boolean>`+problem_id IS NOT NULL`);
  return wordsIn(db, userId, between).unionAll(accepted);
}

/** When words said that a problem is solved. */
export const listWordsIn = prepared((db, { userId, ...between }: MembersTime) =>
  wordsIn(db, userId, between),
);

/** When something was sent, and the problem that it solved; null where it solved none that is known. */
export type SubmissionMoment = { at: string; solved: bigint | null };

const sentAtOnce = 5000;

const sentBetween = prepared(
  (db, { handleId, from, until, passed }: { handleId: bigint; passed: number } & TimeRange) =>
    db
      .selectFrom('solves')
      .select('submitted_at as at')
      .select(sql<bigint | null>`CASE verdict_class WHEN 'solved' THEN problem_id END`.as('solved'))
      .where('handle_id', '=', handleId)
      .where('submitted_at', '>=', from)
      .where('submitted_at', '<', until)
      .orderBy('submitted_at')
      .orderBy('submission_id')
      .limit(sentAtOnce)
      .offset(passed),
);

/** All that a member sent, each handle's in its order. Read along an index in windows, between which other requests go on. */
export async function* listSubmissionMoments(
  db: Db,
  userId: bigint,
  { from, until }: TimeRange,
): AsyncGenerator<SubmissionMoment[]> {
  for (const { id } of await handlesOf(db, userId).execute())
    for (let [at, passed] = [from, 0]; ; ) {
      const rows = await sentBetween(db, { handleId: id, from: at, until, passed });
      yield rows;
      const last = rows.at(-1)?.at;
      if (last === undefined || rows.length < sentAtOnce) break;
      await nextTurn();
      // The next window begins behind all that was sent at the moment of the last one.
      passed = rows.length - rows.findIndex((one) => one.at === last) + (last === at ? passed : 0);
      at = last;
    }
}

/** The first moment at which a member solved, sent or reviewed anything, or a word of theirs says so. */
export async function findFirstMoment(db: Db, userId: bigint): Promise<string | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    SELECT min(at) AS at FROM (
      SELECT min(at) AS at FROM first_solves WHERE user_id = ${userId}
      UNION ALL
      SELECT (SELECT min(submitted_at) FROM solves WHERE handle_id = handles.id) FROM handles WHERE user_id = ${userId}
      UNION ALL
      SELECT min(made_at) FROM reviews
        WHERE user_id = ${userId} AND undone_at IS NULL AND grade NOT IN ('later', 'never')
    ) AS first`.execute(db);
  return rows[0]?.at ?? undefined;
}

/* When a member solved a problem first, and after how many tries: in figures, and as filters of the problem list. */

/** Conditions on a problem on which the member has a status. Moments are from the first one on, and before the second one. */
export interface HistoryFilter {
  /** When the status that shows was said; of a problem that is solved, when it was first solved. */
  status?: TimeRange | undefined;
  /** How many submissions its first solve took; 0 where that is not known. */
  triesMin?: number | undefined;
  triesMax?: number | undefined;
}
/**
 * The moment of the status that shows. Where both words say that the problem is solved, that of the earlier one; null where
 * nobody knows the day.
 */
export const reachedAt = sql<string | null>`case when statuses.self_status is null
  or (statuses.self_status = 'complete' and statuses.judge_status = 'complete'
    and coalesce(statuses.judge_at < statuses.self_at, statuses.self_at is null))
  then statuses.judge_at else statuses.self_at end`;

export const stateOrder: readonly State[] = [
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
  if (asked === 'unsolved') return stateOrder.filter((state) => state !== 'complete');
  return asked === 'attempted' ? ['complete', 'practicing'] : [asked];
}

/** Those of a member's statuses that meet the conditions. */
export function withHistory<Table extends 'statuses' | 'bookmarks'>(
  db: Db,
  query: Query<Table>,
  memberId: bigint,
  { status, triesMin, triesMax }: HistoryFilter = {},
): Query<Table> {
  let narrowed = query;
  if (status !== undefined) narrowed = narrowed.where(isWithin(db, memberId, status));
  if (triesMin !== undefined) narrowed = narrowed.where(triesOf(memberId), '>=', BigInt(triesMin));
  if (triesMax !== undefined) narrowed = narrowed.where(triesOf(memberId), '<=', BigInt(triesMax));
  return narrowed;
}

/** Nobody knows the tries of a problem that is not solved, or whose first solve has no moment: 0. */
const triesOf = (memberId: bigint) => sql<bigint>`coalesce((
  select tries from first_solves
  where first_solves.user_id = ${memberId} and first_solves.problem_id = statuses.problem_id), 0)`;

/** First solves are read along their index, once for all rows. */
function isWithin(db: Db, memberId: bigint, between: TimeRange) {
  const said = sql`coalesce(statuses.self_at, statuses.judge_at)`;
  const solved = firstSolvedIn(db, memberId, between).select('first_solves.problem_id');
  return sql<SqlBool>`(case when ${shownStatus} = 'complete' then statuses.problem_id in (${solved})
    else ${said} >= ${between.from} and ${said} < ${between.until} end)`;
}

/* The problems that a member has completed: those whose status shows so, and since when. */

export interface Completion {
  problem_id: bigint;
  /** When the first of the words that say so said it; null where nobody knows the day. */
  completed_at: string | null;
}

/** A completed problem with all by which it counts for goals, levels and topics. */
export interface CompletedProblem extends Completion {
  facts: ProblemFacts;
  /** What the judge says of the problem, where it says since when. */
  judged: State | null;
}

/** A row for each problem that a member has completed. */
export const completedBy = (db: Db, userId: bigint) => showing(db, userId, 'complete');

function showing(db: Db, userId: bigint, status: State) {
  // As a literal, so that the compiled statements have no parameter for it.
  return db
    .selectFrom('statuses')
    .where('statuses.user_id', '=', userId)
    .where(shownStatus, '=', sql.lit(status));
}

export const countCompleted = (db: Db, userId: bigint) => countRows(completedBy(db, userId));

/** By the adapter of a database: rows of members at a revision. Each takes some 100 bytes. */
const kept = new WeakMap<object, LRUCache<string, CompletedProblem[]>>();
const rowsKept = 50_000;

/** All problems that a member has completed, in no order. */
export const listCompleted = (db: Db, userId: bigint) => listShown(db, userId, 'complete');

/** All problems that a member tries to solve, in no order. */
export const listPracticing = (db: Db, userId: bigint) => listShown(db, userId, 'practicing');

const problemsShowing = perShape((status: State) =>
  prepared((db, { userId }: { userId: bigint }) =>
    showing(db, userId, status).select([
      'statuses.problem_id',
      reachedAt.as('completed_at'),
      sql<State | null>`case when statuses.judge_at is not null then statuses.judge_status end`.as('judged'),
    ]),
  ),
);

/** Kept in memory for a revision of the member's statuses and of the problems. */
async function listShown(db: Db, userId: bigint, status: State): Promise<readonly CompletedProblem[]> {
  const { problems, statuses } = await readRevisions(db, userId);
  const read = async () => {
    const rows = await problemsShowing(status)(db, { userId });
    return withFacts(db, rows, problems);
  };
  if (db.isTransaction) return read();
  const { adapter } = db.getExecutor();
  const known =
    kept.get(adapter) ?? new LRUCache({ maxSize: rowsKept, sizeCalculation: (rows) => rows.length + 1 });
  kept.set(adapter, known);
  const name = `${userId} ${status} ${statuses} ${problems}`;
  const rows = known.get(name) ?? (await read());
  known.set(name, rows);
  return rows;
}

const revisionsBeside = prepared((db, { scope }: { scope: RevisionScope }) =>
  db.selectFrom('revisions').selectAll().where('scope', 'in', ['problems', scope]),
);

async function readRevisions(db: Db, userId: bigint): Promise<{ problems: bigint; statuses: bigint }> {
  const rows = await revisionsBeside(db, { scope: `statuses:${userId}` });
  // No row stands for the revision 0.
  const of = (name: string) => rows.find(({ scope }) => scope === name)?.revision ?? 0n;
  return { problems: of('problems'), statuses: of(`statuses:${userId}`) };
}

/** The rows with the facts of their problems; those whose problem was deleted since are left out. */
async function withFacts<Row extends { problem_id: bigint }>(
  db: Db,
  rows: readonly Row[],
  revision: bigint,
): Promise<(Row & { facts: ProblemFacts })[]> {
  const facts = await readProblemFacts(
    db,
    revision,
    rows.map(({ problem_id }) => problem_id),
  );
  return rows.flatMap((row, place) => {
    const known = facts[place];
    return known ? { ...row, facts: known } : [];
  });
}
