/** Solves, submissions and completed problems of members. `practice/activity.ts` counts them by day. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SqlBool, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { preparedForMany, upsertInto } from './bulk.ts';
import { handlesOf } from './handles.ts';
import { countRows, type Query } from './listings.ts';
import { perShape, prepared } from './prepared.ts';
import { type ProblemFacts, readProblemFacts } from './problems.ts';
import type { RevisionScope } from './revisions.ts';
import { deleteRowsOfProblems } from './rows.ts';
import { type State, shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    first_solves: FirstSolvesTable;
  }
}

/** When a member first solved a problem, by an accepted submission or a mark. */
export interface FirstSolvesTable {
  user_id: bigint;
  problem_id: bigint;
  at: string;
  /** Submissions with a verdict up to the first solve at the judge; 0 where none is stored. */
  tries: bigint;
}

/** `until` is not included. */
export interface TimeRange {
  from: string;
  until: string;
}

/** All times of RFC 3339 sort between these two texts. */
export const allTime: TimeRange = { from: '', until: '~' };

export type MemberTimeRange = { userId: bigint } & TimeRange;

export const upsertFirstSolves = upsertInto('first_solves', (insert) =>
  insert.onConflict((conflict) =>
    conflict
      .columns(['user_id', 'problem_id'])
      .doUpdateSet(({ ref }) => ({ at: ref('excluded.at'), tries: ref('excluded.tries') }))
      .where(sql<SqlBool>`first_solves.at <> excluded.at OR first_solves.tries <> excluded.tries`),
  ),
);

export const deleteFirstSolves = (tx: Db, userId: bigint, problemIds: readonly bigint[]) =>
  deleteRowsOfProblems(tx, 'first_solves', userId, problemIds);

export function firstSolvesIn(db: Db, userId: bigint, { from, until }: TimeRange) {
  return db
    .selectFrom('first_solves')
    .where('first_solves.user_id', '=', userId)
    .where('at', '>=', from)
    .where('at', '<', until);
}

export function latestFirstSolves(db: Db, userId: bigint, limit: number) {
  return firstSolvesIn(db, userId, allTime)
    .select('first_solves.problem_id')
    .orderBy('at', 'desc')
    .orderBy('first_solves.problem_id', 'desc')
    .limit(limit);
}

export function listLatestTopics(db: Db, userId: bigint, limit: number) {
  return latestFirstSolves(db, userId, limit)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .select('problems.tags')
    .execute();
}

export const listFirstSolves = prepared((db, { userId, ...range }: MemberTimeRange) =>
  firstSolvesIn(db, userId, range)
    .innerJoin('problems', 'problems.id', 'first_solves.problem_id')
    .select(['at', 'source', 'rating'])
    .orderBy('at'),
);

export const listFirstSolveTries = prepared((db, { userId }: { userId: bigint }) =>
  db.selectFrom('first_solves').select(['problem_id', 'at', 'tries']).where('user_id', '=', userId),
);

export const listFirstSolveTimesOfMembers = preparedForMany(
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

function solvedMarks(db: Db, userId: bigint, { from, until }: TimeRange) {
  const marked = (status: 'self_status' | 'judge_status', at: 'self_at' | 'judge_at') =>
    db
      .selectFrom('statuses')
      .select((eb) => ['problem_id', eb.ref(at).$notNull().as('at')])
      .where('user_id', '=', userId)
      .where(status, '=', sql.lit('complete'))
      .where(at, '>=', from)
      .where(at, '<', until);
  return marked('self_status', 'self_at').unionAll(marked('judge_status', 'judge_at'));
}

/** Everything that a member solved, repeatedly as well, by marks or accepted submissions. */
export function solvedWithin(db: Db, userId: bigint, range: TimeRange) {
  const accepted = db
    .selectFrom('solves')
    .select((eb) => [eb.ref('problem_id').$notNull().as('problem_id'), eb.ref('submitted_at').as('at')])
    .where('handle_id', 'in', handlesOf(db, userId))
    .where('submitted_at', '>=', range.from)
    .where('submitted_at', '<', range.until)
    .where('verdict_class', '=', sql.lit('solved'))
    // The sign stops SQLite from reading the index of problems.
    .where(sql<boolean>`+problem_id IS NOT NULL`);
  return solvedMarks(db, userId, range).unionAll(accepted);
}

export const listSolvedMarks = prepared((db, { userId, ...range }: MemberTimeRange) =>
  solvedMarks(db, userId, range),
);

/** `solved` is the id of the problem if the submission was accepted. */
export type SubmissionMoment = { at: string; solved: bigint | null };

const submissionsPerRead = 5000;

const submissionMoments = prepared(
  (db, { handleId, from, until, offset }: { handleId: bigint; offset: number } & TimeRange) =>
    db
      .selectFrom('solves')
      .select('submitted_at as at')
      .select(sql<bigint | null>`CASE verdict_class WHEN 'solved' THEN problem_id END`.as('solved'))
      .where('handle_id', '=', handleId)
      .where('submitted_at', '>=', from)
      .where('submitted_at', '<', until)
      .orderBy('submitted_at')
      .orderBy('submission_id')
      .limit(submissionsPerRead)
      .offset(offset),
);

/** Reads along an index, in windows between which other requests run. */
export async function* listSubmissionMoments(
  db: Db,
  userId: bigint,
  { from, until }: TimeRange,
): AsyncGenerator<SubmissionMoment[]> {
  for (const { id } of await handlesOf(db, userId).execute())
    for (let [at, offset] = [from, 0]; ; ) {
      const rows = await submissionMoments(db, { handleId: id, from: at, until, offset });
      yield rows;
      const last = rows.at(-1)?.at;
      if (last === undefined || rows.length < submissionsPerRead) break;
      await nextTurn();
      // The next window begins at the last time of this one, after the submissions of that time that were read.
      offset = rows.length - rows.findIndex((one) => one.at === last) + (last === at ? offset : 0);
      at = last;
    }
}

export async function findFirstActivity(db: Db, userId: bigint): Promise<string | undefined> {
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

export interface HistoryFilter {
  status?: TimeRange | undefined;
  triesMin?: number | undefined;
  triesMax?: number | undefined;
}
/** When the shown status was set: the earlier time if both statuses say that the problem is solved; null if unknown. */
export const statusSetAt = sql<string | null>`case when statuses.self_status is null
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

export function matchesStatus(shown: State, filter: State | 'unsolved' | 'attempted'): boolean {
  return statesOf(filter).includes(shown);
}

export function statesOf(filter: State | 'unsolved' | 'attempted'): readonly State[] {
  if (filter === 'unsolved') return stateOrder.filter((state) => state !== 'complete');
  return filter === 'attempted' ? ['complete', 'practicing'] : [filter];
}

export function withHistory<Table extends 'statuses' | 'bookmarks'>(
  db: Db,
  query: Query<Table>,
  memberId: bigint,
  { status, triesMin, triesMax }: HistoryFilter = {},
): Query<Table> {
  let filtered = query;
  if (status !== undefined) filtered = filtered.where(isStatusSetIn(db, memberId, status));
  if (triesMin !== undefined) filtered = filtered.where(triesOf(memberId), '>=', BigInt(triesMin));
  if (triesMax !== undefined) filtered = filtered.where(triesOf(memberId), '<=', BigInt(triesMax));
  return filtered;
}

/** Up to the first solve, or all if there is none with a time. */
const triesOf = (memberId: bigint) => sql<bigint>`coalesce((
  select tries from first_solves
  where first_solves.user_id = ${memberId} and first_solves.problem_id = statuses.problem_id), (
  select count(*) from solves where solves.problem_id = statuses.problem_id and verdict_class in ('tried', 'solved')
  and handle_id in (select id from handles where handles.user_id = ${memberId})))`;

function isStatusSetIn(db: Db, memberId: bigint, range: TimeRange) {
  const setAt = sql`coalesce(statuses.self_at, statuses.judge_at)`;
  const solved = firstSolvesIn(db, memberId, range).select('first_solves.problem_id');
  return sql<SqlBool>`(case when ${shownStatus} = 'complete' then statuses.problem_id in (${solved})
    else ${setAt} >= ${range.from} and ${setAt} < ${range.until} end)`;
}

export interface Completion {
  problem_id: bigint;
  completed_at: string | null;
}

export interface CompletedProblem extends Completion {
  facts: ProblemFacts;
  /** The judge status, if it has a time. */
  judged: State | null;
}

export const completedBy = (db: Db, userId: bigint) => rowsWithStatus(db, userId, 'complete');

function rowsWithStatus(db: Db, userId: bigint, status: State) {
  // A literal keeps the parameter out of the compiled statements.
  return db
    .selectFrom('statuses')
    .where('statuses.user_id', '=', userId)
    .where(shownStatus, '=', sql.lit(status));
}

export const countCompleted = (db: Db, userId: bigint) => countRows(completedBy(db, userId));

/** One cache for each database, found by its kysely adapter. A row takes about 100 bytes. */
const caches = new WeakMap<object, LRUCache<string, CompletedProblem[]>>();
const maxCachedRows = 50_000;

export const listCompleted = (db: Db, userId: bigint, revisions?: MemberRevisions) =>
  listWithStatus(db, userId, 'complete', revisions);

export const listPracticing = (db: Db, userId: bigint) => listWithStatus(db, userId, 'practicing');

const problemsWithStatus = perShape((status: State) =>
  prepared((db, { userId }: { userId: bigint }) =>
    rowsWithStatus(db, userId, status).select([
      'statuses.problem_id',
      statusSetAt.as('completed_at'),
      sql<State | null>`case when statuses.judge_at is not null then statuses.judge_status end`.as('judged'),
    ]),
  ),
);

async function listWithStatus(
  db: Db,
  userId: bigint,
  status: State,
  revisions?: MemberRevisions,
): Promise<readonly CompletedProblem[]> {
  const { problems, statuses } = revisions ?? (await readRevisions(db, userId));
  const read = async () => {
    const rows = await problemsWithStatus(status)(db, { userId });
    return withFacts(db, rows, problems);
  };
  if (db.isTransaction) return read();
  const { adapter } = db.getExecutor();
  const cache =
    caches.get(adapter) ??
    new LRUCache({ maxSize: maxCachedRows, sizeCalculation: (rows) => rows.length + 1 });
  caches.set(adapter, cache);
  const key = `${userId} ${status} ${statuses} ${problems}`;
  const rows = cache.get(key) ?? (await read());
  cache.set(key, rows);
  return rows;
}

const revisionsOfMember = prepared((db, { statuses, solves }: Record<'statuses' | 'solves', RevisionScope>) =>
  db.selectFrom('revisions').selectAll().where('scope', 'in', ['problems', statuses, solves]),
);

export interface MemberRevisions {
  problems: bigint;
  statuses: bigint;
  /** Of submissions. */
  solves: bigint;
}

export async function readRevisions(db: Db, userId: bigint): Promise<MemberRevisions> {
  const [statuses, solves] = [`statuses:${userId}`, `solves:${userId}`] as const;
  const rows = await revisionsOfMember(db, { statuses, solves });
  const revisionOf = (name: string) => rows.find(({ scope }) => scope === name)?.revision ?? 0n;
  return { problems: revisionOf('problems'), statuses: revisionOf(statuses), solves: revisionOf(solves) };
}

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
  return rows.flatMap((row, index) => {
    const problem = facts[index];
    return problem ? { ...row, facts: problem } : [];
  });
}
