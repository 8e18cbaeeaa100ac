/**
 * How far members are in the lists for which they have plants. Every read goes from the problems of a list to the member's status
 * of each, by the primary keys of both, so it costs what the lists have and not what the member did.
 */
import { type SqlBool, sql } from 'kysely';
import { completedBy, latestCompleted } from './completions.ts';
import { isVisibleTo } from './list-visibility.ts';
import { reachedAt } from './own-history.ts';
import type { Db } from './tables.ts';

/** A list that a member may see, and how much of it they have completed. */
export interface ListFigures {
  list_id: bigint;
  name: string;
  problems: bigint;
  done: bigint;
  /** Those completed at a moment or later. */
  since: bigint;
  last_at: string | null;
}

/** As a scalar it is looked up item by item; PostgreSQL might compare all items with all statuses in a join. */
const completedAt = (db: Db, userId: bigint) =>
  completedBy(db, userId)
    .select(reachedAt.as('at'))
    .where(sql<SqlBool>`statuses.problem_id = list_items.problem_id`);

/** The items of some lists that the member may see; a list without problems is one row without any. */
function seenItems(db: Db, userId: bigint, listIds: readonly bigint[]) {
  return db.with(
    // Materialized, so that each look-up is made once.
    (named) => named('items').materialized(),
    (some) =>
      some
        .selectFrom('lists')
        .leftJoin('list_items', 'list_items.list_id', 'lists.id')
        .select(['lists.id as list_id', 'lists.name', 'list_items.problem_id'])
        .select(completedAt(db, userId).as('completed_at'))
        .where('lists.id', 'in', listIds)
        .where(isVisibleTo(userId)),
  );
}

/** The figures of some lists; one that the member may not see, or that is gone, is left out. */
export async function listListFigures(
  db: Db,
  userId: bigint,
  listIds: readonly bigint[],
  since: string,
): Promise<ListFigures[]> {
  if (listIds.length === 0) return [];
  return seenItems(db, userId, listIds)
    .selectFrom('items')
    .select(({ fn }) => [
      'list_id',
      'name',
      fn.count<bigint>('problem_id').as('problems'),
      fn.count<bigint>('completed_at').as('done'),
      fn.max('completed_at').as('last_at'),
    ])
    .select(sql<bigint>`count(CASE WHEN completed_at >= ${since} THEN 1 END)`.as('since'))
    .groupBy(['list_id', 'name'])
    .execute();
}

/** The problems of a list that a member completed, the first one first; none of a list that they may not see. */
export async function listCompletedOfList(
  db: Db,
  userId: bigint,
  listId: bigint,
): Promise<{ problem_id: bigint; completed_at: string }[]> {
  return seenItems(db, userId, [listId])
    .selectFrom('items')
    .select(['problem_id', 'completed_at'])
    .where('completed_at', 'is not', null)
    .orderBy('completed_at')
    .orderBy('problem_id')
    .$narrowType<{ problem_id: bigint; completed_at: string }>()
    .execute();
}

const ownListsLooked = 20;

/** The list of which a member completed most of their last problems: one of their newest, or a given one, that is not planted. */
export async function findLatestList(
  db: Db,
  userId: bigint,
  limit: number,
): Promise<{ id: bigint; name: string; count: bigint } | undefined> {
  const own = db
    .selectFrom('lists')
    .select('id')
    .where('owner_id', '=', userId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ownListsLooked);
  const given = db
    .selectFrom('group_members')
    .innerJoin('group_lists', 'group_lists.group_id', 'group_members.group_id')
    .select('list_id as id')
    .where('group_members.user_id', '=', userId);
  const planted = db
    .selectFrom('plants')
    .select('list_id')
    .where('user_id', '=', userId)
    .where('list_id', 'is not', null);
  return (
    db
      .with('looked', (some) => some.selectFrom(own.as('own')).select('own.id').union(given))
      .selectFrom('looked')
      // CROSS JOIN has SQLite go from these lists to their problems, and not from the problems to everybody's lists.
      .crossJoin('list_items')
      .innerJoin('lists', 'lists.id', 'looked.id')
      .select(({ fn }) => ['lists.id', 'lists.name', fn.countAll<bigint>().as('count')])
      .whereRef('list_items.list_id', '=', 'looked.id')
      .where(
        'problem_id',
        'in',
        db.selectFrom(latestCompleted(db, userId, limit).as('latest')).select('latest.problem_id'),
      )
      .where('looked.id', 'not in', planted.$castTo<{ list_id: bigint }>())
      .where(isVisibleTo(userId))
      .groupBy(['lists.id', 'lists.name'])
      .orderBy('count', 'desc')
      .orderBy('lists.id', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}
