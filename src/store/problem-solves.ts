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

/** What a member sent to one problem, and when they solved it first. */
export interface Sent {
  sent: bigint;
  /** The moment of the first solve; null if there is none. */
  first_at: string | null;
  /** Which of the submissions that was. */
  place: bigint;
}

export async function countSent(db: Db, userId: bigint, problemId: bigint): Promise<Sent> {
  const [row] = await runCompiled<Sent>(db, 'countSent', [problemId, userId], () =>
    db
      .with('own', (own) =>
        own
          .selectFrom('solves')
          .select(['submitted_at', 'verdict_class'])
          .where('problem_id', '=', problemId)
          .where('handle_id', 'in', handlesOf(db, userId)),
      )
      .with('first', (first) =>
        first
          .selectFrom('own')
          .select(sql<string | null>`min(submitted_at)`.as('at'))
          .where('verdict_class', '=', sql.lit('solved')),
      )
      .selectFrom('own')
      .select([
        sql<bigint>`count(*)`.as('sent'),
        sql<string | null>`(SELECT at FROM first)`.as('first_at'),
        sql<bigint>`count(*) FILTER (WHERE submitted_at <= (SELECT at FROM first))`.as('place'),
      ]),
  );
  return row ?? { sent: 0n, first_at: null, place: 0n };
}
