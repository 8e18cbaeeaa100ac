/** Members' ratings at judges: one row for each rated contest of a handle. */
import { sql } from 'kysely';
import { insertMany, preparedForMany, upsertInto } from './bulk.ts';
import { type HandlesTable, handleOrder } from './handles.ts';
import { columnOf, type Page, paged, sortField } from './listings.ts';
import { prepared } from './prepared.ts';
import { deleteRows, listRows } from './rows.ts';
import type { Db } from './tables.ts';

export interface RatingsTable {
  handle_id: bigint;
  contest: string;
  title: string;
  place: bigint | null;
  rating: bigint;
  rated_at: string;
}

declare module './tables.ts' {
  interface Tables {
    ratings: RatingsTable;
  }
}

export type HandleRating = RatingsTable & Pick<HandlesTable, 'source' | 'name'>;

export const listRatings = prepared((db, { userId }: { userId: bigint }) =>
  db
    .selectFrom('ratings')
    .innerJoin('handles', 'handles.id', 'ratings.handle_id')
    .selectAll('ratings')
    .select(['source', 'name'])
    .where('user_id', '=', userId)
    .orderBy('rated_at')
    .orderBy('contest'),
);

export const listRatingsOfHandle = (db: Db, handleId: bigint) =>
  listRows(db, 'ratings', { handle_id: handleId });

export interface CurrentRating {
  user_id: bigint;
  handle_id: bigint;
  source: string;
  rating: bigint;
  rated_at: string;
  best: bigint;
}

const currentRatings = preparedForMany((db, memberIds: readonly bigint[]) =>
  db
    .with('all_ratings', (all) =>
      all
        .selectFrom('ratings')
        .innerJoin('handles', 'handles.id', 'ratings.handle_id')
        .select(['user_id', 'handle_id', 'source', 'rating', 'rated_at'])
        .where('user_id', 'in', memberIds)
        .select([
          sql<bigint>`max(rating) OVER (PARTITION BY handle_id)`.as('best'),
          sql<bigint>`row_number() OVER (PARTITION BY handle_id ORDER BY rated_at DESC, contest DESC)`.as(
            'nth',
          ),
        ]),
    )
    .selectFrom('all_ratings')
    .select(['user_id', 'handle_id', 'source', 'rating', 'rated_at', 'best'])
    .where('nth', '=', sql.lit(1n))
    .orderBy('user_id')
    .orderBy('source')
    .orderBy('rated_at', 'desc')
    .orderBy('handle_id'),
);

/** One row for each handle; at one judge, the one that was rated last comes first. */
export const listCurrentRatings = (db: Db, memberIds: readonly bigint[]): Promise<CurrentRating[]> =>
  currentRatings(db, [...new Set(memberIds)]);

export const upsertRatings = upsertInto('ratings', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['handle_id', 'contest']).doUpdateSet(({ ref }) => ({
      title: ref('excluded.title'),
      place: ref('excluded.place'),
      rating: ref('excluded.rating'),
      rated_at: ref('excluded.rated_at'),
    })),
  ),
);

export const deleteRating = (tx: Db, handleId: bigint, contest: string) =>
  deleteRows(tx, 'ratings', { handle_id: handleId, contest });

export async function moveRatings(tx: Db, from: bigint, to: bigint): Promise<void> {
  const existing = await listRatingsOfHandle(tx, to);
  const isNew = (row: RatingsTable) => !existing.some(({ contest }) => contest === row.contest);
  const moved = (await listRatingsOfHandle(tx, from)).filter(isNew);
  await insertMany(
    tx,
    'ratings',
    moved.map((row) => ({ ...row, handle_id: to })),
  );
}

export const ratingOrder = [...handleOrder, sortField('contest', 'text', sql.ref('ratings.contest'))];

export async function exportRatings(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('ratings')
    .innerJoin('handles', 'handles.id', 'ratings.handle_id')
    .select([
      'user_id',
      'source',
      'name_key',
      'name as handle',
      'contest',
      'title',
      'place',
      'rating',
      'rated_at',
    ])
    .select(columnOf('members', 'username', 'handles.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}
