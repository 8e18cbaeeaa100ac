/** Contests and rounds that a member took alone, and how each of their rated problems ended there. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { ownHandles, participationsUnder } from './contests.ts';
import { engineOf } from './engine.ts';
import { countedHandles } from './handles.ts';
import type { ProblemRow } from './problems.ts';
import { participants, type RoundTimes } from './rounds.ts';
import type { Db } from './tables.ts';

/** One for each contest: what was sent first decides whether it was taken live. */
export interface Taking {
  id: bigint;
  key: string;
  title: string;
  first_at: string;
  over_at: string;
  isVirtual: boolean;
  isGym: boolean;
}

export interface TakingRow {
  contestId: bigint;
  problemId: bigint;
  source: string;
  rating: number;
  tags: string;
  isSolved: boolean;
}

function sentAlone(db: Db, isOwn: RawBuilder<SqlBool>, source: string) {
  const sent = participationsUnder(db, isOwn, source, [
    'matched.id',
    'handle_id',
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

const isLive = sql<SqlBool>`coalesce(participation, '') <> 'virtual'`;
const firstAt = sql<string>`min(submitted_at)`;
const firstLiveAt = sql<string | null>`min(CASE WHEN ${isLive} THEN submitted_at END)`;

function overAt(db: Db) {
  const start = sql<string>`CASE WHEN ${firstLiveAt} = ${firstAt} THEN coalesce(starts_at, ${firstAt}) ELSE ${firstAt} END`;
  return engineOf(db).momentAfter(start, sql.ref('duration_s'));
}

/** The latest comes first. */
export async function listTakings(db: Db, memberId: bigint, source: string): Promise<Taking[]> {
  const rows = await sentAlone(db, ownHandles(db, memberId, source), source)
    .innerJoin('contests', 'contests.id', 'participations.id')
    .select(['contests.id', 'key', 'title', 'is_gym'])
    .select([firstAt.as('first_at'), firstLiveAt.as('live_at'), overAt(db).as('over_at')])
    .groupBy(['contests.id', 'key', 'title', 'is_gym', 'starts_at', 'duration_s'])
    .orderBy(firstAt, 'desc')
    .orderBy('contests.id', 'desc')
    .execute();
  return rows.map(({ live_at, is_gym, ...row }) => ({
    ...row,
    isVirtual: live_at !== row.first_at,
    isGym: is_gym === 1n,
  }));
}

/**
 * Of all others, how many took a contest with the problem, and how many of them solved it there. Of each person the first
 * such contest counts, once it is over, if they had not solved the problem before.
 */
export async function countTakers(
  db: Db,
  { id, source }: Pick<ProblemRow, 'id' | 'source'>,
  besides: bigint,
  now: number,
): Promise<{ count: number; solved: number }> {
  const others = countedHandles(db, [source]).where('user_id', '<>', besides).select('handles.id');
  const solvedAs = (isKind: RawBuilder<SqlBool>) =>
    sql<number>`max(CASE WHEN verdict_class = 'solved' AND participations.problem_id = ${id} AND ${isKind} THEN 1 ELSE 0 END)`;
  const contests = db.selectFrom('contest_problems').select('contest_id').where('problem_id', '=', id);
  // The sign makes SQLite read the submissions to these problems, instead of all of all people.
  const problems = db.selectFrom('contest_problems').select('problem_id').where('contest_id', 'in', contests);
  const rows = await sentAlone(db, sql`+handle_id IN ${others}`, source)
    .innerJoin('handles', 'handles.id', 'participations.handle_id')
    .innerJoin('contests', 'contests.id', 'participations.id')
    .leftJoin('first_solves', (join) =>
      join.onRef('first_solves.user_id', '=', 'handles.user_id').on('first_solves.problem_id', '=', id),
    )
    .where('participations.id', 'in', contests)
    .where('participations.problem_id', 'in', problems)
    .select(['handles.user_id', firstAt.as('first_at'), firstLiveAt.as('live_at'), overAt(db).as('over_at')])
    .select([solvedAs(isLive).as('live'), solvedAs(sql`NOT ${isLive}`).as('virtual')])
    .groupBy(['handles.user_id', 'contests.id', 'starts_at', 'duration_s', 'at'])
    .having((eb) => eb.or([eb('at', 'is', null), eb('at', '>=', firstAt)]))
    .orderBy(firstAt, 'desc')
    .execute();
  const taken = rows.filter(({ over_at }) => Date.parse(over_at) <= now);
  // A later row of the map replaces an earlier one, so that the first contest of a person stays.
  const isSolved = new Map(
    taken.map((row) => [row.user_id, Number(row.live_at === row.first_at ? row.live : row.virtual)]),
  );
  return { count: isSolved.size, solved: isSolved.values().reduce((sum, one) => sum + one, 0) };
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
  const solves = await sentAlone(db, ownHandles(db, memberId, source), source)
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
    return { contestId: contest_id, problemId: id, source, rating: Number(rating), tags, isSolved };
  });
}

export type RoundTakingRow = TakingRow & RoundTimes & { name: string; isSent: boolean };

/** The problems of the rounds without teams that the member joined, without those solved before the start; the latest round comes first. */
export async function listRoundTakingRows(db: Db, memberId: bigint): Promise<RoundTakingRow[]> {
  const isCounted = sql<SqlBool>`handle_id IN (SELECT id FROM handles WHERE user_id = ${memberId})
    AND is_team = 0 AND coalesce(participation, '') <> 'team' AND verdict_class IN ('tried', 'solved')
    AND submitted_at >= starts_at AND submitted_at < ends_at
    AND submitted_at >= hours_from AND submitted_at < hours_until`;
  const columns = [
    'name',
    'starts_at',
    'ends_at',
    'freeze_minutes',
    'is_shown',
    'source',
    'rating',
    'tags',
  ] as const;
  const rows = await participants(db)
    .innerJoin('round_problems', 'round_problems.round_id', 'rounds.id')
    .innerJoin('problems', 'problems.id', 'round_problems.problem_id')
    .leftJoin('solves', (join) => join.onRef('solves.problem_id', '=', 'problems.id').on(isCounted))
    .leftJoin('first_solves', (join) =>
      join.onRef('first_solves.problem_id', '=', 'problems.id').on('first_solves.user_id', '=', memberId),
    )
    .select(['rounds.id as contestId', 'problems.id as problemId', ...columns])
    .select(sql<string | null>`min(verdict_class)`.as('verdict'))
    .where('round_people.user_id', '=', memberId)
    .where('teams_day', 'is', null)
    .where(sql<SqlBool>`(at IS NULL OR at >= starts_at)`)
    .groupBy(['rounds.id', 'problems.id', ...columns])
    .orderBy('starts_at', 'desc')
    .execute();
  return rows.flatMap(({ verdict, rating, ...row }) =>
    rating === null
      ? []
      : { ...row, rating: Number(rating), isSolved: verdict === 'solved', isSent: verdict !== null },
  );
}
