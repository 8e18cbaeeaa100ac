/** Problems without any mark of a member, and how many of a range they tried. What to suggest is decided in `practice/next.ts`. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { byFilters } from './problem-lists.ts';
import type { ProblemRow } from './problems.ts';
import { problemColumns } from './problems.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

/** How many problems of the judge with a rating in this range the member tried, and solved, whenever that was. */
export async function countTried(
  db: Db,
  userId: bigint,
  source: string,
  [from, to]: readonly [from: number, to: number],
): Promise<{ tried: number; solved: number }> {
  // Along the index problems_by_filters, with a look-up each, which CROSS JOIN has SQLite do in this order: few problems are in
  // such a range, and a long history is not read.
  const [counts] = await runCompiled<{ tried: bigint; solved: bigint }>(
    db,
    'countTried',
    [userId, source, BigInt(from), BigInt(to), 'complete', 'practicing'],
    () =>
      db
        .selectFrom('problems')
        .crossJoin('statuses')
        .select([
          sql<bigint>`count(*)`.as('tried'),
          sql<bigint>`count(*) FILTER (WHERE ${shownStatus} = ${sql.lit('complete')})`.as('solved'),
        ])
        .whereRef('statuses.problem_id', '=', 'problems.id')
        .where('statuses.user_id', '=', userId)
        .where(sql<SqlBool>`problems.is_sample >= 0`)
        .where('source', '=', source)
        .where('rating', '>=', BigInt(from))
        .where('rating', '<=', BigInt(to))
        .where(shownStatus, 'in', ['complete', 'practicing']),
  );
  return { tried: Number(counts?.tried ?? 0n), solved: Number(counts?.solved ?? 0n) };
}

const prime = 1_000_003n;

/** A problem of the judge with a rating in this range that has no status and no star of the member. `day` picks another each day. */
export async function findUntouched(
  db: Db,
  userId: bigint,
  source: string,
  [from, to]: readonly [from: number, to: number],
  day: number,
): Promise<ProblemRow | undefined> {
  // Another order of the ids each day and for each member.
  const shuffle = 1n + ((BigInt(day) * 104_729n + userId * 7919n) % (prime - 1n));
  const parameters = [source, BigInt(from), BigInt(to), userId, userId, prime, shuffle, prime];
  const markOf = (table: 'statuses' | 'bookmarks') =>
    db
      .selectFrom(table)
      .select('problem_id')
      .where('user_id', '=', userId)
      .where(sql<SqlBool>`problem_id = problems.id`);
  const rows = await runCompiled(db, 'findUntouched', parameters, () =>
    db
      .selectFrom('problems')
      .select(problemColumns)
      .where(byFilters)
      .where('source', '=', source)
      .where('rating', '>=', BigInt(from))
      .where('rating', '<=', BigInt(to))
      .where(({ not, exists }) => not(exists(markOf('statuses'))))
      .where(({ not, exists }) => not(exists(markOf('bookmarks'))))
      .orderBy(sql`(problems.id % ${prime}) * ${shuffle} % ${prime}`)
      .orderBy('problems.id')
      .limit(sql.lit(1)),
  );
  return rows[0] as ProblemRow | undefined;
}
