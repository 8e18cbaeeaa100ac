/**
 * What members did on each of their days: one row a day in `activity`, and one a day and solved problem in `solved_days`. Days are
 * numbers, as `practice/days.ts` makes them; which rows have to be counted anew is decided in `practice/activity.ts`.
 */
import { sql } from 'kysely';
import type { ActivityRow, SolvedDaysTable } from './activity-tables.ts';
import { insertMany, runCompiled, runForMany } from './bulk.ts';
import { handlesOf } from './handles.ts';
import type { Db } from './tables.ts';

/** A member's days from one to another, both included; days on which nothing was done have no row. */
export async function listActivity(
  db: Db,
  userId: bigint,
  from: number,
  until: number,
): Promise<ActivityRow[]> {
  return runCompiled<ActivityRow>(db, 'listActivity', [userId, BigInt(from), BigInt(until)], () =>
    db
      .selectFrom('activity')
      .selectAll()
      .where('user_id', '=', userId)
      .where('day', '>=', BigInt(from))
      .where('day', '<=', BigInt(until))
      .orderBy('day'),
  );
}

/** The days on which a member solved these problems. */
export function listSolvedDays(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<SolvedDaysTable[]> {
  return runForMany(db, 'listSolvedDays', [userId], problemIds, (some) =>
    db.selectFrom('solved_days').selectAll().where('user_id', '=', userId).where('problem_id', 'in', some),
  );
}

/** Who solved these problems on which days. */
export function listSolversOf(
  db: Db,
  problemIds: readonly bigint[],
): Promise<Pick<SolvedDaysTable, 'user_id' | 'day'>[]> {
  return runForMany(db, 'listSolversOf', [], problemIds, (some) =>
    db.selectFrom('solved_days').select(['user_id', 'day']).where('problem_id', 'in', some),
  );
}

/** Replaces the days on which a member solved these problems. */
export async function replaceSolvedDays(
  tx: Db,
  userId: bigint,
  problemIds: readonly bigint[],
  rows: readonly SolvedDaysTable[],
): Promise<void> {
  await runForMany(tx, 'deleteSolvedDays', [userId], problemIds, (some) =>
    tx.deleteFrom('solved_days').where('user_id', '=', userId).where('problem_id', 'in', some),
  );
  await insertMany(tx, 'solved_days', rows);
}

const sentAtOnce = 5000;

/**
 * How much a member sent at which moments between two, the second one not included. Read in windows, between which other requests
 * go on.
 */
export async function* listSent(
  db: Db,
  userId: bigint,
  from: string,
  until: string,
): AsyncGenerator<{ submitted_at: string; count: bigint }[]> {
  const handles = await handlesOf(db, userId).execute();
  for (const { id } of handles)
    for (let after = from; ; ) {
      const rows = await runCompiled<{ submitted_at: string; count: bigint }>(
        db,
        'listSent',
        [id, after, until, sentAtOnce],
        () =>
          db
            .selectFrom('solves')
            .select((eb) => ['submitted_at', eb.fn.countAll<bigint>().as('count')])
            .where('handle_id', '=', id)
            .where('submitted_at', '>=', after)
            .where('submitted_at', '<', until)
            .groupBy('submitted_at')
            .orderBy('submitted_at')
            .limit(sentAtOnce),
      );
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < sentAtOnce) break;
      // The next text after it: times are all of one length.
      after = `${last.submitted_at} `;
    }
}

/** The first and the last moment at which a member sent anything, or one handle of theirs did. */
export async function sentSpan(
  db: Db,
  userId: bigint,
  handleId?: bigint,
): Promise<readonly [from: string, until: string] | undefined> {
  let query = db
    .selectFrom('solves')
    .select((eb) => [eb.fn.min('submitted_at').as('from'), eb.fn.max('submitted_at').as('until')])
    .where('handle_id', 'in', handlesOf(db, userId));
  if (handleId !== undefined) query = query.where('handle_id', '=', handleId);
  const row = await query.executeTakeFirst();
  return row?.from && row.until ? [row.from, row.until] : undefined;
}

/** The problems that a member may have solved: those with a status, and those to which something was sent. */
export async function listTouchedProblems(db: Db, userId: bigint): Promise<bigint[]> {
  const rows = await db
    .selectFrom('statuses')
    .select('problem_id')
    .where('user_id', '=', userId)
    .union(
      db
        .selectFrom('solves')
        .select(sql<bigint>`problem_id`.as('problem_id'))
        .where('problem_id', 'is not', null)
        .where('handle_id', 'in', handlesOf(db, userId)),
    )
    .execute();
  return rows.map(({ problem_id }) => problem_id);
}

/** Takes away all that is counted of a member. */
export async function clearActivity(tx: Db, userId: bigint): Promise<void> {
  await tx.deleteFrom('solved_days').where('user_id', '=', userId).execute();
  await tx.deleteFrom('activity').where('user_id', '=', userId).execute();
}

interface Counted {
  day: bigint;
  solved: bigint;
  first_solves: bigint;
}

interface Rated {
  day: bigint;
  source: string;
  rating: bigint;
}

/** Counts anew what a member solved on these days, after the days of problems or their ratings changed. */
export async function countSolvedAnew(tx: Db, userId: bigint, days: Iterable<bigint>): Promise<void> {
  const some = [...new Set(days)];
  const counted = await runForMany<bigint, Counted>(tx, 'countSolvedOn', [userId], some, (part) =>
    tx
      .selectFrom('solved_days')
      .select((eb) => ['day', eb.fn.countAll<bigint>().as('solved')])
      .select(sql<bigint>`CAST(sum(is_first) AS BIGINT)`.as('first_solves'))
      .where('user_id', '=', userId)
      .where('day', 'in', part)
      .groupBy('day'),
  );
  const rated = await runForMany<bigint, Rated>(tx, 'hardestOn', [userId], some, (part) =>
    tx
      .selectFrom('solved_days')
      .innerJoin('problems', 'problems.id', 'solved_days.problem_id')
      .select((eb) => ['day', 'source', eb.fn.max('rating').$castTo<bigint>().as('rating')])
      .where('user_id', '=', userId)
      .where(sql`is_first`, '=', sql.lit(1))
      .where('rating', 'is not', null)
      .where('day', 'in', part)
      .groupBy(['day', 'source']),
  );
  const counts = new Map(counted.map((row) => [row.day, row]));
  const ratings = Map.groupBy(rated, ({ day }) => day);
  await changeDays(tx, userId, some, (row) => {
    const { solved = 0n, first_solves = 0n } = counts.get(row.day) ?? {};
    return { ...row, solved, first_solves, hardest: hardestText(ratings.get(row.day) ?? []) };
  });
}

/** Sets how much a member sent on these days. */
export async function setSubmissions(
  tx: Db,
  userId: bigint,
  counts: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  await changeDays(tx, userId, [...counts.keys()], (row) => ({
    ...row,
    submissions: counts.get(row.day) ?? 0n,
  }));
}

/** Sets how many reviews a member did on these days. */
export async function setReviews(tx: Db, userId: bigint, counts: ReadonlyMap<bigint, bigint>): Promise<void> {
  await changeDays(tx, userId, [...counts.keys()], (row) => ({ ...row, reviews: counts.get(row.day) ?? 0n }));
}

/** The highest rating of each judge, as JSON. */
function hardestText(rated: readonly Rated[]): string | null {
  if (rated.length === 0) return null;
  const ordered = rated.toSorted((one, other) => (one.source < other.source ? -1 : 1));
  return `{${ordered.map(({ source, rating }) => `${JSON.stringify(source)}:${rating}`).join()}}`;
}

async function changeDays(
  tx: Db,
  userId: bigint,
  days: readonly bigint[],
  change: (row: ActivityRow) => ActivityRow,
): Promise<void> {
  const found = await runForMany<bigint, ActivityRow>(tx, 'findActivity', [userId], days, (some) =>
    tx.selectFrom('activity').selectAll().where('user_id', '=', userId).where('day', 'in', some),
  );
  const known = new Map(found.map((row) => [row.day, row]));
  const nothing = { submissions: 0n, solved: 0n, first_solves: 0n, reviews: 0n, hardest: null };
  const gone: bigint[] = [];
  const written: ActivityRow[] = [];
  for (const day of days) {
    const before = known.get(day);
    const after = change(before ?? { user_id: userId, day, ...nothing });
    if (before && isSame(before, after)) continue;
    if (before) gone.push(day);
    if (!isSame(after, { user_id: userId, day, ...nothing })) written.push(after);
  }
  await runForMany(tx, 'deleteActivity', [userId], gone, (some) =>
    tx.deleteFrom('activity').where('user_id', '=', userId).where('day', 'in', some),
  );
  await insertMany(tx, 'activity', written);
}

function isSame(one: ActivityRow, other: ActivityRow): boolean {
  return (Object.keys(one) as (keyof ActivityRow)[]).every((name) => one[name] === other[name]);
}
