/** Stored submissions, from which judge statuses are derived. The rule is in `practice/derivation.ts`. */
import { type SqlBool, sql } from 'kysely';
import type { TimeRange } from './activity.ts';
import { insertMany, preparedForMany } from './bulk.ts';
import type { HandlesTable } from './handles.ts';
import { handleOrder, handlesOf } from './handles.ts';
import { columnOf, countRows, type Page, paged, sortField } from './listings.ts';
import { prepared } from './prepared.ts';
import { updateRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    solves: SolvesTable;
  }
}

export interface SolvesTable {
  handle_id: bigint;
  submission_id: string;
  /** Null while no catalogue here has the problem. */
  problem_id: bigint | null;
  /** The judge's key of the problem. */
  key: string;
  verdict_class: VerdictClass;
  verdict: string | null;
  submitted_at: string;
  contest: string | null;
  participation: Participation | null;
  is_team: bigint;
  /** The judge's own id of the team that sent it, if the judge says so. */
  judge_team: string | null;
  /** When the virtual contest of the submission began, if its judge says so. */
  virtual_began_at: string | null;
  language: string | null;
  origin: SubmissionOrigin;
}

/** `pending` is not final; `void`, such as a compile error, says nothing about the solution. */
export type VerdictClass = 'pending' | 'void' | 'tried' | 'solved';

export type Participation = 'contest' | 'virtual' | 'practice' | 'team';

/** This garden's sync, the member's own browser, or a file. */
export type SubmissionOrigin = 'server' | 'browser' | 'file';

/** How many of the moments (RFC 3339) are not after a submission. */
export const spanBetween = (moments: readonly string[]) =>
  sql<bigint>`${sql.join(
    moments.map((at) => sql`CASE WHEN submitted_at < ${at} THEN 0 ELSE 1 END`),
    sql` + `,
  )}`;

/** A row for all alike submissions between two of the moments; `submitted_at` is the first of them. */
export const foldedSolves = (db: Db, moments: readonly string[]) =>
  db
    .selectFrom('handles')
    .innerJoin('solves', 'solves.handle_id', 'handles.id')
    .select(['problem_id', 'source', 'verdict_class', 'contest', 'participation', 'is_team'])
    .select([sql<string>`min(submitted_at)`.as('submitted_at'), sql<bigint>`count(*)`.as('count')])
    .groupBy(['problem_id', 'source', 'verdict_class', 'contest', 'participation', 'is_team'])
    .groupBy(spanBetween(moments));

export const findSolves = preparedForMany(
  (db, submissionIds: readonly string[], { handleId }: { handleId: bigint }) =>
    db
      .selectFrom('solves')
      .selectAll()
      .where('handle_id', '=', handleId)
      .where('submission_id', 'in', submissionIds),
);

export const findSolvesAt = preparedForMany(
  (db, times: readonly string[], { handleId }: { handleId: bigint }) =>
    db.selectFrom('solves').selectAll().where('handle_id', '=', handleId).where('submitted_at', 'in', times),
);

export const deleteSolves = preparedForMany(
  (tx, submissionIds: readonly string[], { handleId }: { handleId: bigint }) =>
    tx.deleteFrom('solves').where('handle_id', '=', handleId).where('submission_id', 'in', submissionIds),
);

/** Submissions whose id, which ends with the key that their problem had at first, has another key now. */
export async function listRenamedKeys(
  db: Db,
  source: string,
): Promise<{ submission_id: string; key: string }[]> {
  return db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'solves.handle_id')
    .select(['submission_id', 'key'])
    .where('source', '=', source)
    .where(sql<SqlBool>`submission_id NOT LIKE '%-' || key`)
    .execute();
}

export async function insertSolves(tx: Db, rows: readonly SolvesTable[]): Promise<void> {
  // The order of the primary key is the order of the table.
  const isBefore = (a: SolvesTable, b: SolvesTable) =>
    a.handle_id === b.handle_id ? a.submission_id < b.submission_id : a.handle_id < b.handle_id;
  const ordered = rows.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  await insertMany(tx, 'solves', ordered);
}

export async function updateSolve(tx: Db, row: SolvesTable): Promise<void> {
  await updateRow(tx, 'solves', ['handle_id', 'submission_id'], row);
}

export async function listProblemsOfHandle(db: Db, handleId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectFrom('solves')
    .select('problem_id')
    .distinct()
    .where('handle_id', '=', handleId)
    .where('problem_id', 'is not', null)
    .execute();
  return rows.map(({ problem_id }) => problem_id as bigint);
}

export async function countProblemsOfHandle(
  db: Db,
  handleId: bigint,
): Promise<{ solved: bigint; tried: bigint }> {
  const { rows } = await sql<{ solved: bigint; tried: bigint }>`
    SELECT count(CASE WHEN is_solved = 1 THEN 1 END) AS solved, count(CASE WHEN is_solved = 0 THEN 1 END) AS tried
    FROM (
      SELECT max(CASE verdict_class WHEN 'solved' THEN 1 ELSE 0 END) AS is_solved
      FROM solves
      WHERE handle_id = ${handleId} AND problem_id IS NOT NULL AND verdict_class IN ('tried', 'solved')
      GROUP BY problem_id
    ) AS problems`.execute(db);
  return rows[0] ?? { solved: 0n, tried: 0n };
}

export async function countSolvesByKey(db: Db, handleId: bigint): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('solves')
    .select((eb) => ['key', eb.fn.countAll<bigint>().as('count')])
    .where('handle_id', '=', handleId)
    .groupBy('key')
    .execute();
  return new Map(rows.map(({ key, count }) => [key, Number(count)]));
}

export function countSolves(db: Db, handleId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('solves').where('handle_id', '=', handleId));
}

export async function listUnmatchedKeys(db: Db, handleId: bigint): Promise<string[]> {
  const rows = await db
    .selectFrom('solves')
    .select('key')
    .distinct()
    .where('problem_id', 'is', null)
    .where('handle_id', '=', handleId)
    .execute();
  return rows.map(({ key }) => key);
}

export async function countSolvesUntil(db: Db, handleId: bigint, moment: string): Promise<number> {
  const rows = db.selectFrom('solves').where('handle_id', '=', handleId).where('submitted_at', '<', moment);
  return Number(await countRows(rows));
}

export async function lastSubmittedAt(db: Db, handleId: bigint): Promise<string | null> {
  const row = await db
    .selectFrom('solves')
    .select((eb) => eb.fn.max('submitted_at').as('at'))
    .where('handle_id', '=', handleId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * A subquery: in a join PostgreSQL would read all keys of the judge for each submission, because it has no statistics of rows of
 * the same import.
 */
const problemOfKey = (source: unknown) => sql<bigint | null>`(
  SELECT problem_id FROM problem_keys WHERE problem_keys.source = ${source} AND problem_keys.key = solves.key)`;

type Match = Pick<HandlesTable, 'source' | 'user_id'> & { handle_id: bigint; problem_id: bigint };

export async function listNewMatches(db: Db): Promise<Match[]> {
  const { rows } = await sql<Match>`
    SELECT DISTINCT * FROM (
      SELECT handles.source, handles.user_id, handle_id, ${problemOfKey(sql.ref('handles.source'))} AS problem_id
      FROM solves JOIN handles ON handles.id = solves.handle_id WHERE solves.problem_id IS NULL
    ) AS matches WHERE problem_id IS NOT NULL`.execute(db);
  return rows;
}

export const solveOrder = [
  ...handleOrder,
  sortField('submission_id', 'text', sql.ref('solves.submission_id')),
];

export async function exportSolves(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'solves.handle_id')
    .select(['user_id', 'source', 'name_key', 'name as handle', 'submission_id', 'key', 'verdict_class'])
    .select([
      'verdict',
      'submitted_at',
      'contest',
      'participation',
      'is_team',
      'judge_team',
      'virtual_began_at',
      'language',
      'origin',
    ])
    .select(columnOf('members', 'username', 'handles.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  const { keys, after, limit } = page;
  if (!after) return paged(query, page).execute();
  // Engines find no place between the submissions of several handles in an index: each page would look at all of them.
  const others = { ...page, after: after.slice(0, handleOrder.length) };
  const ofHandle = handleOrder.reduce(
    (rows, { expression }, at) => rows.where(sql<SqlBool>`${expression} = ${after[at]}`),
    query,
  );
  const rest = { keys: keys.slice(handleOrder.length), after: after.slice(handleOrder.length), limit };
  const rows = await paged(ofHandle, rest).execute();
  const more = limit - rows.length;
  return more === 0 ? rows : rows.concat(await paged(query, { ...others, limit: more }).execute());
}

export async function matchSolves(tx: Db, handleId: bigint, source: string): Promise<void> {
  await tx
    .updateTable('solves')
    .set({ problem_id: problemOfKey(source) })
    .where('problem_id', 'is', null)
    .where('handle_id', '=', handleId)
    .where(problemOfKey(source), 'is not', null)
    .execute();
}

export async function moveSolvesOfHandle(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx
    .updateTable('solves')
    .set({ handle_id: to })
    .where('handle_id', '=', from)
    .where('submission_id', 'not in', (eb) =>
      eb.selectFrom('solves as others').select('others.submission_id').where('others.handle_id', '=', to),
    )
    .execute();
}

export type ShownSolve = Omit<SolvesTable, 'problem_id' | 'virtual_began_at' | 'judge_team'> &
  Pick<HandlesTable, 'source' | 'name'>;

export const listSolvesOfProblem = prepared(
  (db, { userId, problemId, limit }: { userId: bigint; problemId: bigint; limit: number }) =>
    db
      .selectFrom('solves')
      .innerJoin('handles', 'handles.id', 'solves.handle_id')
      .select(['source', 'name', 'handle_id', 'submission_id', 'key', 'verdict_class', 'verdict'])
      .select(['submitted_at', 'contest', 'participation', 'is_team', 'language', 'origin'])
      .where('problem_id', '=', problemId)
      .where('handle_id', 'in', handlesOf(db, userId))
      .orderBy('submitted_at', 'desc')
      .orderBy('submission_id', 'desc')
      .limit(limit),
);

export interface Tries {
  problem_id: bigint;
  submissions: bigint;
  last_at: string;
}

export const listTries = preparedForMany(
  (db, problemIds: readonly bigint[], { userId }: { userId: bigint }) =>
    db
      .selectFrom('solves')
      .select('problem_id')
      .select([sql<bigint>`count(*)`.as('submissions'), sql<string>`max(submitted_at)`.as('last_at')])
      .where('handle_id', 'in', handlesOf(db, userId))
      .where('problem_id', 'in', problemIds)
      .groupBy('problem_id')
      .$castTo<Tries>(),
);

export interface SubmissionCounts {
  submissions: bigint;
  first_at: string | null;
  /** How many submissions came up to the first solve, which is included. */
  place: bigint;
  /** How many files of own code the member has with the problem. */
  solutions: bigint;
}

const submissionCounts = prepared((db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
  db
    .with('own_solves', (cte) =>
      cte
        .selectFrom('solves')
        .select(['submitted_at', 'verdict_class'])
        .where('problem_id', '=', problemId)
        .where('handle_id', 'in', handlesOf(db, userId)),
    )
    .with('first', (cte) =>
      cte
        .selectFrom('own_solves')
        .select(sql<string | null>`min(submitted_at)`.as('at'))
        .where('verdict_class', '=', sql.lit('solved')),
    )
    .selectFrom('own_solves')
    .select([
      sql<bigint>`count(*)`.as('submissions'),
      sql<string | null>`(SELECT at FROM first)`.as('first_at'),
      sql<bigint>`count(*) FILTER (WHERE submitted_at <= (SELECT at FROM first))`.as('place'),
      sql<bigint>`(
        SELECT count(*) FROM solutions
        WHERE user_id = ${userId} AND problem_id = ${problemId} AND removed_at IS NULL)`.as('solutions'),
    ]),
);

export async function countSubmissionsOn(
  db: Db,
  ids: { userId: bigint; problemId: bigint },
): Promise<SubmissionCounts> {
  const [row] = await submissionCounts(db, ids);
  return row ?? { submissions: 0n, first_at: null, place: 0n, solutions: 0n };
}

export type ListedSolve = ShownSolve & { problem_id: bigint | null; title: string | null };

export interface SubmissionCursor {
  at: string;
  id: string;
}

/** Counts what a sync does not get again: submissions from a file or browser, and all but the newest. */
export async function countUnsyncableSolves(db: Db, handleId: bigint, newestAtMost: number): Promise<number> {
  const all = db.selectFrom('solves').where('handle_id', '=', handleId);
  if (newestAtMost === Number.POSITIVE_INFINITY)
    return Number(await countRows(all.where('origin', '<>', 'server')));
  const newest = await all
    .select('origin')
    .orderBy('submitted_at', 'desc')
    .orderBy('submission_id', 'desc')
    .limit(newestAtMost)
    .execute();
  return Number(await countRows(all)) - newest.filter(({ origin }) => origin === 'server').length;
}

export async function countSubmissions(db: Db, userId: bigint, { from, until }: TimeRange): Promise<number> {
  const rows = db
    .selectFrom('solves')
    .where('handle_id', 'in', handlesOf(db, userId))
    .where('submitted_at', '>=', from)
    .where('submitted_at', '<', until);
  return Number(await countRows(rows));
}

/** Newest first. Each handle is read along its index, so a page costs the same in a long history. */
export async function listSubmissions(
  db: Db,
  userId: bigint,
  { from, until }: TimeRange,
  after: SubmissionCursor | undefined,
  limit: number,
): Promise<ListedSolve[]> {
  const submissions: ListedSolve[] = [];
  for (const { id } of await handlesOf(db, userId).execute()) {
    let query = db
      .selectFrom('solves')
      .innerJoin('handles', 'handles.id', 'solves.handle_id')
      .leftJoin('problems', 'problems.id', 'solves.problem_id')
      .select(['handles.source', 'handles.name', 'handle_id', 'submission_id', 'key', 'verdict_class'])
      .select([
        'verdict',
        'submitted_at',
        'contest',
        'participation',
        'is_team',
        'language',
        'origin',
        'problem_id',
        'title',
      ])
      .where('handle_id', '=', id)
      .where('submitted_at', '>=', from)
      .where('submitted_at', '<', until);
    if (after)
      query = query
        .where('submitted_at', '<=', after.at)
        .where(sql<SqlBool>`(submitted_at, submission_id) < (${after.at}, ${after.id})`);
    submissions.push(
      ...(await query
        .orderBy('submitted_at', 'desc')
        .orderBy('submission_id', 'desc')
        .limit(limit)
        .execute()),
    );
  }
  const sortKeyOf = ({ submitted_at, submission_id }: ListedSolve) => `${submitted_at}\0${submission_id}`;
  return submissions.toSorted((one, other) => (sortKeyOf(one) < sortKeyOf(other) ? 1 : -1)).slice(0, limit);
}
