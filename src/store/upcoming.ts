/** Upcoming contests, and the feeds that list them. The rules are in `practice/upcoming.ts`. */
import { insertMany } from './bulk.ts';
import { reserveIds } from './ids.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, updateRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface UpcomingContestsTable {
  id: bigint;
  source: string;
  key: string;
  title: string;
  url: string | null;
  starts_at: string;
  duration_s: bigint;
  /** The feed whose data counts. */
  told_by: string;
  /** Counts changes (RFC 5545 §3.8.7.4). */
  sequence: bigint;
  changed_at: string;
  /** When it had disappeared from all its feeds. */
  cancelled_at: string | null;
}

interface UpcomingListingsTable {
  contest_id: bigint;
  feed: string;
}

declare module './tables.ts' {
  interface Tables {
    upcoming_contests: UpcomingContestsTable;
    upcoming_listings: UpcomingListingsTable;
  }
}

export const listUpcoming = prepared((db, { from, until }: { from: string; until: string }) =>
  db
    .selectFrom('upcoming_contests')
    .selectAll()
    .where('starts_at', '>=', from)
    .where('starts_at', '<', until)
    .orderBy('starts_at')
    .orderBy('id'),
);

export const findUpcoming = (db: Db, id: bigint) => findRow(db, 'upcoming_contests', { id });

export async function listUpcomingWithFeeds(
  db: Db,
): Promise<(UpcomingContestsTable & { feeds: string[] })[]> {
  const rows = await db.selectFrom('upcoming_contests').selectAll().execute();
  const listings = await db.selectFrom('upcoming_listings').selectAll().orderBy('feed').execute();
  const feedsOf = Map.groupBy(listings, ({ contest_id }) => contest_id);
  return rows.map((row) => ({ ...row, feeds: (feedsOf.get(row.id) ?? []).map(({ feed }) => feed) }));
}

export async function countListings(db: Db, after: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('upcoming_listings')
    .innerJoin('upcoming_contests', 'upcoming_contests.id', 'contest_id')
    .select((eb) => ['feed', eb.fn.countAll<bigint>().as('count')])
    .where('starts_at', '>', after)
    .groupBy('feed')
    .execute();
  return new Map(rows.map(({ feed, count }) => [feed, Number(count)]));
}

export async function insertUpcoming(
  tx: Db,
  feed: string,
  rows: readonly Omit<UpcomingContestsTable, 'id' | 'told_by'>[],
): Promise<void> {
  const ids = await reserveIds(tx, 'upcoming_contests', rows.length);
  const contests = rows.map((row, at) => ({ ...row, id: ids[at] as bigint, told_by: feed }));
  await insertMany(tx, 'upcoming_contests', contests);
  const listings = contests.map(({ id }) => ({ contest_id: id, feed }));
  await insertListings(tx, listings);
}

export async function insertListings(tx: Db, rows: readonly UpcomingListingsTable[]): Promise<void> {
  await insertMany(tx, 'upcoming_listings', rows);
}

export async function updateUpcoming(tx: Db, row: UpcomingContestsTable): Promise<void> {
  await updateRow(tx, 'upcoming_contests', ['id'], row);
}

export const deleteListing = (tx: Db, { contest_id, feed }: UpcomingListingsTable) =>
  deleteRows(tx, 'upcoming_listings', { contest_id, feed });

export async function deleteFeedListings(tx: Db, feed: string): Promise<void> {
  await tx.deleteFrom('upcoming_listings').where('feed', '=', feed).execute();
  await tx
    .deleteFrom('upcoming_contests')
    .where('id', 'not in', tx.selectFrom('upcoming_listings').select('contest_id'))
    .where('told_by', '=', feed)
    .execute();
  // Another feed may list a contest that had the data of this one: its next answer updates it.
  await tx
    .updateTable('upcoming_contests')
    .set((eb) => ({
      told_by: eb
        .selectFrom('upcoming_listings')
        .select((inner) => inner.fn.min('feed').as('feed'))
        .whereRef('contest_id', '=', 'upcoming_contests.id')
        .$asScalar()
        .$notNull(),
    }))
    .where('told_by', '=', feed)
    .execute();
}

export async function deleteUpcomingBefore(tx: Db, before: string): Promise<void> {
  await tx.deleteFrom('upcoming_contests').where('starts_at', '<', before).execute();
}
