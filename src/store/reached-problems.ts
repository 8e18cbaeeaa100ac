/** All that a member solved or tries to solve, for the pictures of their progress. What the pictures show of it is in `practice/progress.ts`. */
import { setImmediate } from 'node:timers/promises';
import { runCompiled } from './bulk.ts';
import { greatestId, leastId } from './ids.ts';
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
  /** When the member solved it first; null if they did not. */
  first_at: string | null;
  /** Kept submissions with a ruling up to the first solve. */
  tries: bigint;
}

/** Read along the primary key in parts, each a few milliseconds long, so that other requests are answered meanwhile. */
const readAtOnce = 1500n;

export async function listReachedProblems(db: Db, userId: bigint): Promise<ReachedRow[]> {
  const found: ReachedRow[] = [];
  for (let from = leastId; ; ) {
    const some = await readPart(db, userId, from);
    found.push(...some);
    const last = some.at(-1);
    if (!last || BigInt(some.length) < readAtOnce || last.id === greatestId) return found;
    from = last.id + 1n;
    await setImmediate();
  }
}

function readPart(db: Db, userId: bigint, from: bigint): Promise<ReachedRow[]> {
  const parameters = [userId, userId, from, 'complete', 'practicing', readAtOnce];
  return runCompiled<ReachedRow>(db, 'listReachedProblems', parameters, () =>
    db
      .selectFrom('statuses')
      .innerJoin('problems', 'problems.id', 'statuses.problem_id')
      .leftJoin('first_solves', (join) =>
        join
          .onRef('first_solves.user_id', '=', 'statuses.user_id')
          .onRef('first_solves.problem_id', '=', 'statuses.problem_id'),
      )
      .select(['problems.id', 'problems.source', 'problems.title', 'problems.rating', 'problems.tags'])
      .select([
        shownStatus.as('status'),
        reachedAt.as('at'),
        'first_solves.at as first_at',
        triesOf(userId).as('tries'),
      ])
      .where('statuses.user_id', '=', userId)
      .where('statuses.problem_id', '>=', from)
      .where(shownStatus, 'in', ['complete', 'practicing'])
      .orderBy('statuses.problem_id')
      .limit(readAtOnce),
  );
}
