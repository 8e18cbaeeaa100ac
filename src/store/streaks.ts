/** Days in a row on which a member solved something for the first time, or did a review, and the first day of all. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ActivityRow } from './activity-tables.ts';
import { runCompiled } from './bulk.ts';
import type { Db } from './tables.ts';

/** Whether a day counts for a streak. */
export const isOfStreak = sql<SqlBool>`(first_solves > 0 OR reviews > 0)`;

/** A row of days, by its last one. */
export interface Run {
  length: bigint;
  last: bigint;
}

/** The newest run until a day and the longest one, the later of two as long. A day that never came (`skipped`) ends no run. */
export async function findRuns(
  db: Db,
  userId: bigint,
  until: number,
  skipped: readonly number[],
): Promise<{ newest: Run | undefined; longest: Run | undefined }> {
  const place = skipped.reduce<RawBuilder<unknown>>(
    (sum, day) => sql`${sum} - CASE WHEN day > ${sql.lit(day)} THEN 1 ELSE 0 END`,
    sql`day`,
  );
  const { rows } = await sql<Run>`
    WITH runs AS (
      SELECT count(*) AS length, max(day) AS last
      FROM (
        SELECT day, ${place} - row_number() OVER (ORDER BY day) AS run
        FROM activity WHERE user_id = ${userId} AND day <= ${BigInt(until)} AND ${isOfStreak}
      ) AS days
      GROUP BY run
    )
    SELECT * FROM (SELECT 0 AS place, length, last FROM runs ORDER BY last DESC LIMIT 1) AS newest
    UNION ALL
    SELECT * FROM (SELECT 1 AS place, length, last FROM runs ORDER BY length DESC, last DESC LIMIT 1) AS longest
    ORDER BY place`.execute(db);
  return { newest: rows[0], longest: rows[1] };
}

/** A member's days from one to another on which anything was done, the newest first; only those of streaks where `isStreak`. */
export async function listDays(
  db: Db,
  userId: bigint,
  { from, to, isStreak }: DaysFilter,
  limit: number,
): Promise<ActivityRow[]> {
  return daysMatching(db, userId, { from, to, isStreak })
    .selectAll()
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
}

export async function countDays(db: Db, userId: bigint, filter: DaysFilter): Promise<number> {
  const row = await daysMatching(db, userId, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0n);
}

interface DaysFilter {
  from: number | undefined;
  to: number | undefined;
  isStreak: boolean;
}

function daysMatching(db: Db, userId: bigint, { from, to, isStreak }: DaysFilter) {
  let query = db.selectFrom('activity').where('user_id', '=', userId);
  if (from !== undefined) query = query.where('day', '>=', BigInt(from));
  if (to !== undefined) query = query.where('day', '<=', BigInt(to));
  return isStreak ? query.where(isOfStreak) : query;
}

/** The first day until this one on which a member did anything; undefined where there is none. */
export async function findFirstActiveDay(db: Db, userId: bigint, until: number): Promise<number | undefined> {
  const [first] = await runCompiled<Pick<ActivityRow, 'day'>>(
    db,
    'firstActiveDay',
    [userId, BigInt(until)],
    () =>
      db
        .selectFrom('activity')
        .select('day')
        .where('user_id', '=', userId)
        .where('day', '<=', 0n)
        .orderBy('day')
        .limit(sql.lit(1)),
  );
  return first && Number(first.day);
}
