/** What a member tried lately, and problems that they never touched. What to offer of these is decided in `practice/next.ts`. */
import { type SqlBool, sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { byFilters } from './problem-lists.ts';
import type { ProblemRow } from './problems.ts';
import { problemColumns } from './problems.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

/** A rated problem on which the member is trying, or that they solved. */
export interface Try {
  source: string;
  rating: bigint;
  isSolved: boolean;
  /** When the word that shows was said: RFC 3339. */
  at: string;
}

/** The words that count are those that were said last: to read all of a long history would take too long. */
const wordsAtMost = 300;

/** The member's latest tries, by the words that show. */
export async function listTries(db: Db, userId: bigint): Promise<Try[]> {
  const at = sql<string>`coalesce(self_at, judge_at)`;
  const parameters = [userId, wordsAtMost, 'complete', 'practicing'];
  const rows = await runCompiled(db, 'listLatestTries', parameters, () => {
    // Along the index statuses_by_time.
    const latest = db
      .selectFrom('statuses')
      .select(['problem_id', shownStatus.as('status'), at.as('at')])
      .where('user_id', '=', userId)
      .orderBy(at, 'desc')
      .limit(wordsAtMost);
    return db
      .selectFrom(latest.as('latest'))
      .innerJoin('problems', 'problems.id', 'latest.problem_id')
      .select(['problems.source', 'problems.rating', 'latest.status', 'latest.at'])
      .where('problems.rating', 'is not', null)
      .where('latest.status', 'in', ['complete', 'practicing']);
  });
  return rows.map(({ source, rating, status, at }) => ({
    source,
    at,
    rating: rating as bigint,
    isSolved: status === 'complete',
  }));
}

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

/** A problem of the judge with a rating in this range that the member has no word on. `day` picks another each day. */
export async function findUntouched(
  db: Db,
  userId: bigint,
  source: string,
  [from, to]: readonly [from: number, to: number],
  day: number,
): Promise<ProblemRow | undefined> {
  // Another order of the ids each day and for each member.
  const shuffle = 1n + ((BigInt(day) * 104_729n + userId * 7919n) % (prime - 1n));
  const parameters = [
    source,
    BigInt(Math.round(from)),
    BigInt(Math.round(to)),
    userId,
    prime,
    shuffle,
    prime,
  ];
  const rows = await runCompiled(db, 'findUntouched', parameters, () =>
    db
      .selectFrom('problems')
      .select(problemColumns)
      .where(byFilters)
      .where('source', '=', source)
      .where('rating', '>=', BigInt(Math.round(from)))
      .where('rating', '<=', BigInt(Math.round(to)))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('statuses')
              .select('statuses.problem_id')
              .where('statuses.user_id', '=', userId)
              .whereRef('statuses.problem_id', '=', 'problems.id'),
          ),
        ),
      )
      .orderBy(sql`(problems.id % ${prime}) * ${shuffle} % ${prime}`)
      .orderBy('problems.id')
      .limit(sql.lit(1)),
  );
  return rows[0] as ProblemRow | undefined;
}
