/** All that a member solved or tries to solve, for the pictures of their progress. What the pictures show of it is in `practice/progress.ts`. */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { reachedAt, triesOf } from './own-history.ts';
import { shownStatus } from './statuses.ts';
import type { Db, State } from './tables.ts';

export interface ReachedRow {
  id: bigint;
  source: string;
  title: string;
  rating: bigint | null;
  /** A JSON list. */
  tags: string;
  status: State;
  /** Of a solved one the moment of the first solve, of another that of the status. */
  at: string;
  /** The member's day of the first solve; null if there is none. */
  day: bigint | null;
  /** Kept submissions with a ruling up to the first solve. */
  tries: bigint;
}

/** Read along the primary key in parts, each a few milliseconds long, so that other requests are answered meanwhile. */
const readAtOnce = 1500n;

export async function listReachedProblems(db: Db, userId: bigint): Promise<ReachedRow[]> {
  const found: ReachedRow[] = [];
  const days = new Map((await listFirstDays(db, userId)).map(({ problem_id, day }) => [problem_id, day]));
  let after = 0n;
  for (;;) {
    const some = await readPart(db, userId, after);
    for (const row of some) found.push({ ...row, day: days.get(row.id) ?? null });
    const last = some.at(-1);
    if (last === undefined || BigInt(some.length) < readAtOnce) return found;
    after = last.id;
    await setImmediate();
  }
}

/** All along the key of the table; asked for one problem, SQLite would look through all days of the member. */
function listFirstDays(db: Db, userId: bigint): Promise<{ problem_id: bigint; day: bigint }[]> {
  return runCompiled(db, 'listFirstDays', [userId], () =>
    db
      .selectFrom('solved_days')
      .select(['problem_id', 'day'])
      .where('user_id', '=', userId)
      .where(sql`is_first`, '=', sql.lit(1)),
  );
}

type PartRow = Omit<ReachedRow, 'day'>;

function readPart(db: Db, userId: bigint, after: bigint): Promise<PartRow[]> {
  const parameters = [userId, userId, after, 'complete', 'practicing', readAtOnce];
  return runCompiled<PartRow>(db, 'listReachedProblems', parameters, () =>
    db
      .selectFrom('statuses')
      .innerJoin('problems', 'problems.id', 'statuses.problem_id')
      .select(['problems.id', 'problems.source', 'problems.title', 'problems.rating', 'problems.tags'])
      .select([shownStatus.as('status'), reachedAt.as('at'), triesOf(userId).as('tries')])
      .where('statuses.user_id', '=', userId)
      .where('statuses.problem_id', '>', after)
      .where(shownStatus, 'in', ['complete', 'practicing'])
      .orderBy('statuses.problem_id')
      .limit(readAtOnce),
  );
}
