/** What a member sent to a problem, as its page and the list show it. */
import { sql } from 'kysely';
import { runCompiled, runForMany } from './bulk.ts';
import { handlesOf } from './handles.ts';
import type { HandlesTable, SolvesTable } from './judged-tables.ts';
import type { Db } from './tables.ts';

/** A kept submission as a problem's history shows it. */
export type ShownSolve = Omit<SolvesTable, 'problem_id'> & Pick<HandlesTable, 'source' | 'name'>;

/** A member's kept submissions to one problem, the newest first. */
export async function listSolvesOfProblem(
  db: Db,
  userId: bigint,
  problemId: bigint,
  limit: number,
): Promise<ShownSolve[]> {
  return runCompiled(db, 'listSolvesOfProblem', [problemId, userId, limit], () =>
    db
      .selectFrom('solves')
      .innerJoin('handles', 'handles.id', 'solves.handle_id')
      .select(['source', 'name', 'handle_id', 'submission_id', 'key', 'verdict_class', 'verdict'])
      .select(['submitted_at', 'contest', 'participation', 'language', 'way'])
      .where('problem_id', '=', problemId)
      .where('handle_id', 'in', handlesOf(db, userId))
      .orderBy('submitted_at', 'desc')
      .orderBy('submission_id', 'desc')
      .limit(limit),
  );
}

/** What a member sent to a problem, in figures. */
export interface Tries {
  problem_id: bigint;
  sent: bigint;
  last_at: string;
}

/** Of those of these problems to which the member sent anything. */
export async function listTries(db: Db, userId: bigint, problemIds: readonly bigint[]): Promise<Tries[]> {
  return runForMany(db, 'listTries', [userId], problemIds, (some) =>
    db
      .selectFrom('solves')
      .select('problem_id')
      .select([sql<bigint>`count(*)`.as('sent'), sql<string>`max(submitted_at)`.as('last_at')])
      .where('handle_id', 'in', handlesOf(db, userId))
      .where('problem_id', 'in', some)
      .groupBy('problem_id'),
  ) as Promise<Tries[]>;
}

/** The first solve, and which of all submissions to the problem it was. */
export interface FirstSolve {
  at: string;
  place: bigint;
}

/** When a member solved a problem first, and with which of their submissions to it. */
export async function findFirstSolve(
  db: Db,
  userId: bigint,
  problemId: bigint,
): Promise<FirstSolve | undefined> {
  const own = () =>
    db
      .selectFrom('solves')
      .where('problem_id', '=', problemId)
      .where('handle_id', 'in', handlesOf(db, userId));
  const [row] = await runCompiled<{ at: string }>(db, 'findFirstSolve', [problemId, userId, 'solved'], () =>
    own()
      .where('verdict_class', '=', 'solved')
      .orderBy('submitted_at')
      .limit(sql.lit(1))
      .select('submitted_at as at'),
  );
  if (!row) return undefined;
  const [counted] = await runCompiled<{ place: bigint }>(db, 'countUntil', [problemId, userId, row.at], () =>
    own().where('submitted_at', '<=', row.at).select(sql<bigint>`count(*)`.as('place')),
  );
  return { at: row.at, place: counted?.place ?? 0n };
}
