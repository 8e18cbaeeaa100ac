/** Problems that nobody in a group tried or solved. Which of them are picked is decided in `practice/pick.ts`. */
import { byFilters } from './problem-lists.ts';
import { shownStatus } from './statuses.ts';
import type { Db, State } from './tables.ts';

export interface Band {
  source: string;
  /** Ratings, both included. */
  from: number;
  to: number;
  tag: string | undefined;
}

/** The ids of problems in a band, at most so many. */
export async function listInBand(db: Db, { source, from, to, tag }: Band, limit: number): Promise<bigint[]> {
  let query = db
    .selectFrom('problems')
    .select('problems.id')
    .where(byFilters)
    .where('source', '=', source)
    .where('rating', '>=', BigInt(from))
    .where('rating', '<=', BigInt(to));
  if (tag !== undefined) {
    const tagged = db.selectFrom('problem_tags').select('problem_id').where('tag', '=', tag);
    query = query.where('problems.id', 'in', tagged);
  }
  return (await query.limit(limit).execute()).map(({ id }) => id);
}

/** Those of these problems of which somebody in the group has one of these statuses, by their word or a judge's. */
export async function listTouchedBy(
  db: Db,
  groupId: bigint,
  problemIds: readonly bigint[],
  states: readonly State[],
): Promise<bigint[]> {
  const people = db.selectFrom('group_members').select('user_id').where('group_id', '=', groupId);
  const rows = await db
    .selectFrom('statuses')
    .select('problem_id')
    .distinct()
    .where('problem_id', 'in', problemIds)
    .where('user_id', 'in', people)
    .where((eb) => eb.or([eb(shownStatus, 'in', states), eb('judge_status', 'in', states)]))
    .execute();
  return rows.map(({ problem_id }) => problem_id);
}
