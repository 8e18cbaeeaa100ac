/** Kept submissions, which judges' words are computed from. The rule is in `practice/solves.ts`. */
import { sql } from 'kysely';
import { insertMany, runForMany, updateRow } from './bulk.ts';
import { handleOrder, handlesOf } from './handles.ts';
import type { HandlesTable, SolvesTable } from './judged-tables.ts';
import { countRows, type Page, paged, sortField } from './keyset.ts';
import { columnOf } from './listings.ts';
import type { SentTo } from './reviews.ts';
import type { Db } from './tables.ts';

/** No handle has this id. */
const noHandle = 0n;

/** Those of these submissions that are kept of the handle. */
export async function findSolves(
  db: Db,
  handleId: bigint,
  submissionIds: readonly string[],
): Promise<SolvesTable[]> {
  return runForMany(db, 'findSolves', [handleId], submissionIds, (some) =>
    db.selectFrom('solves').selectAll().where('handle_id', '=', handleId).where('submission_id', 'in', some),
  );
}

export async function insertSolves(tx: Db, rows: readonly SolvesTable[]): Promise<void> {
  // In the order of the primary key, which is the order of the table.
  const ordered = rows.toSorted((a, b) => (a.submission_id < b.submission_id ? -1 : 1));
  await insertMany(tx, 'solves', ordered);
}

export async function updateSolve(tx: Db, row: SolvesTable): Promise<void> {
  await updateRow(tx, 'solves', ['handle_id', 'submission_id'], row);
}

/** The first try and the first solve of each of these problems, by any handle of the member but one. */
export async function listReached(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  withoutHandle = noHandle,
): Promise<SentTo[]> {
  const parameters = ['tried', 'solved', userId, withoutHandle];
  return runForMany(db, 'listReached', parameters, problemIds, (some) =>
    db
      .selectFrom('solves')
      .select(['problem_id', 'verdict_class', sql<string>`min(submitted_at)`.as('submitted_at')])
      .where('verdict_class', 'in', ['tried', 'solved'])
      .where('handle_id', 'in', handlesOf(db, userId))
      .where('handle_id', '!=', withoutHandle)
      .where('problem_id', 'in', some)
      .groupBy(['problem_id', 'verdict_class']),
  ) as Promise<SentTo[]>;
}

/** The problems to which anything was sent under the handle. */
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

/** How many problems were solved and only tried under a handle. */
export async function countReached(db: Db, handleId: bigint): Promise<{ solved: bigint; tried: bigint }> {
  const { rows } = await sql<{ solved: bigint; tried: bigint }>`
    SELECT count(CASE WHEN is_solved = 1 THEN 1 END) AS solved, count(CASE WHEN is_solved = 0 THEN 1 END) AS tried
    FROM (
      SELECT max(CASE verdict_class WHEN 'solved' THEN 1 ELSE 0 END) AS is_solved
      FROM solves
      WHERE handle_id = ${handleId} AND problem_id IS NOT NULL AND verdict_class IN ('tried', 'solved')
      GROUP BY problem_id
    ) AS reached`.execute(db);
  return rows[0] ?? { solved: 0n, tried: 0n };
}

export function countSolves(db: Db, handleId: bigint): Promise<bigint> {
  return countRows(db.selectFrom('solves').where('handle_id', '=', handleId));
}

/** The keys under which something was sent with the handle whose problems are not known. */
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

/** How many submissions of the handle were sent before this moment. */
export async function countSolvesUntil(db: Db, handleId: bigint, moment: string): Promise<number> {
  const row = await db
    .selectFrom('solves')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('handle_id', '=', handleId)
    .where('submitted_at', '<', moment)
    .executeTakeFirst();
  return Number(row?.count ?? 0n);
}

/** When something was last sent under the handle. */
export async function lastSubmittedAt(db: Db, handleId: bigint): Promise<string | null> {
  const row = await db
    .selectFrom('solves')
    .select((eb) => eb.fn.max('submitted_at').as('at'))
    .where('handle_id', '=', handleId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/**
 * The problem that the judge's catalogue has by now for a submission. PostgreSQL, which knows no figures of rows that the same
 * import wrote, would read all keys of the judge for each submission if this were a join.
 */
const problemNow = (source: unknown) => sql<bigint | null>`(
  SELECT problem_id FROM problem_keys WHERE problem_keys.source = ${source} AND problem_keys.key = solves.key)`;

/** A problem to which submissions of a handle were sent before it was known. */
type Match = Pick<HandlesTable, 'source' | 'user_id'> & { handle_id: bigint; problem_id: bigint };

export async function listMatches(db: Db): Promise<Match[]> {
  // Every import of problems asks this, and to build the query takes longer than to run it.
  const { rows } = await sql<Match>`
    SELECT DISTINCT * FROM (
      SELECT handles.source, handles.user_id, handle_id, ${problemNow(sql.ref('handles.source'))} AS problem_id
      FROM solves JOIN handles ON handles.id = solves.handle_id WHERE solves.problem_id IS NULL
    ) AS matches WHERE problem_id IS NOT NULL`.execute(db);
  return rows;
}

/** The order of exported submissions, which is the same in every garden for those of one member. */
export const solveOrder = [
  ...handleOrder,
  sortField('submission_id', 'text', sql.ref('solves.submission_id')),
];

/** Submissions with their handles and the names of their members, for exports. */
export async function listKeyedSolves(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'solves.handle_id')
    .select(['user_id', 'source', 'name_key', 'name as handle', 'submission_id', 'key', 'verdict_class'])
    .select(['verdict', 'submitted_at', 'contest', 'participation', 'language', 'way'])
    .select(columnOf('members', 'username', 'handles.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}

/** Gives the submissions of a handle at this judge the problems that are known by now. */
export async function matchSolves(tx: Db, handleId: bigint, source: string): Promise<void> {
  await tx
    .updateTable('solves')
    .set({ problem_id: problemNow(source) })
    .where('problem_id', 'is', null)
    .where('handle_id', '=', handleId)
    .where(problemNow(source), 'is not', null)
    .execute();
}

/** Moves all submissions to one problem to another. */
export async function moveSolves(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx.updateTable('solves').set({ problem_id: to }).where('problem_id', '=', from).execute();
}

/** Moves the submissions of a handle to another of the same member, apart from those that it has already. */
export async function moveSolvesOfHandle(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx
    .updateTable('solves')
    .set({ handle_id: to })
    .where('handle_id', '=', from)
    .where('submission_id', 'not in', (eb) =>
      eb.selectFrom('solves as theirs').select('theirs.submission_id').where('theirs.handle_id', '=', to),
    )
    .execute();
}
