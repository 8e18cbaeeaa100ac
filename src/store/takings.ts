/** Contests that a member took alone, live or virtually, and how each of their rated problems ended there. */
import { type SqlBool, sql } from 'kysely';
import { participations } from './contests.ts';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';

/** One for each contest: what was sent first decides whether it was taken live. */
export interface Taking {
  id: bigint;
  key: string;
  title: string;
  first_at: string;
  over_at: string;
  isVirtual: boolean;
}

export interface TakingRow {
  contestId: bigint;
  problemId: bigint;
  rating: number;
  tags: string;
  isSolved: boolean;
}

function sentAlone(db: Db, memberId: bigint, source: string) {
  const sent = participations(db, { memberId, source }, [
    'matched.id',
    'submitted_at',
    'participation',
    'is_team',
    'verdict_class',
    'solves.problem_id',
  ]);
  return sent.where(
    sql<SqlBool>`is_team = 0 AND coalesce(participation, '') <> 'team' AND verdict_class <> 'void'`,
  );
}

/** The latest comes first. */
export async function listTakings(db: Db, memberId: bigint, source: string): Promise<Taking[]> {
  const live = sql<
    string | null
  >`min(CASE WHEN coalesce(participation, '') <> 'virtual' THEN submitted_at END)`;
  const taken = sentAlone(db, memberId, source)
    .select(['participations.id', sql<string>`min(submitted_at)`.as('first_at'), live.as('live_at')])
    .groupBy('participations.id')
    .as('taken');
  const start = sql<string>`CASE WHEN live_at = first_at THEN coalesce(starts_at, first_at) ELSE first_at END`;
  const rows = await db
    .selectFrom(taken)
    .innerJoin('contests', 'contests.id', 'taken.id')
    .select(['contests.id', 'key', 'title', 'first_at', 'live_at'])
    .select(engineOf(db).momentAfter(start, sql.ref('duration_s')).as('over_at'))
    .orderBy('first_at', 'desc')
    .orderBy('contests.id', 'desc')
    .execute();
  return rows.map(({ live_at, ...row }) => ({ ...row, isVirtual: live_at !== row.first_at }));
}

/** All rated problems of the contests except those that the member had solved before. */
export async function listTakingRows(
  db: Db,
  memberId: bigint,
  source: string,
  takings: readonly Taking[],
): Promise<TakingRow[]> {
  if (takings.length === 0) return [];
  const problemsOfTakings = db.selectFrom('contest_problems').where(
    'contest_id',
    'in',
    takings.map(({ id }) => id),
  );
  // With the contests themselves as the condition, SQLite looks each of them up for each submission.
  const solves = await sentAlone(db, memberId, source)
    .where('problem_id', 'in', problemsOfTakings.select('problem_id'))
    .where('verdict_class', '=', 'solved')
    .select(['participations.id', 'problem_id', 'participation'])
    .distinct()
    .execute();
  const problems = await problemsOfTakings
    .innerJoin('problems', 'problems.id', 'contest_problems.problem_id')
    .leftJoin('first_solves', (join) =>
      join.onRef('first_solves.problem_id', '=', 'problems.id').on('first_solves.user_id', '=', memberId),
    )
    .select(['contest_id', 'problems.id', 'rating', 'tags', 'at'])
    .distinct()
    .where('rating', 'is not', null)
    .where('source', '=', source)
    .execute();
  const solved = new Set(
    solves.map(({ id, problem_id, participation }) => `${id} ${problem_id} ${participation === 'virtual'}`),
  );
  const byId = new Map(takings.map((taking) => [taking.id, taking]));
  return problems.flatMap(({ contest_id, id, rating, tags, at }) => {
    const taking = byId.get(contest_id);
    if (!taking || (at !== null && at < taking.first_at)) return [];
    const isSolved = solved.has(`${contest_id} ${id} ${taking.isVirtual}`);
    return { contestId: contest_id, problemId: id, rating: Number(rating), tags, isSolved };
  });
}
