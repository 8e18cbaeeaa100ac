/** What changed for members with programs, each thing once. Triggers (`migrations/0002-plain-names.ts`) write the items. */
import { sql } from 'kysely';
import { insertMissing } from './bulk.ts';
import { prepared } from './prepared.ts';
import { listRows, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    /** `place` is that of the latest change. The row is locked from a change to its commit. */
    program_feeds: { user_id: bigint; place: bigint };
    program_feed_items: ProgramFeedItemsTable;
  }
}

export interface ProgramFeedItemsTable {
  user_id: bigint;
  kind: 'mark' | 'review' | 'time' | 'list' | 'problem' | 'solution';
  thing_id: bigint;
  /** In the order of commits. */
  place: bigint;
  at: string;
  by_kind: 'program' | 'website' | 'judge' | 'inbox' | 'import' | 'staff';
  token_id: bigint | null;
  change_id: bigint | null;
}

/** How long what is gone stays in a feed. */
export const goneDays = 90;

/** What members with a feed have; a mark may be there twice. */
const things = sql`SELECT * FROM (
  SELECT user_id, 'mark' AS kind, problem_id AS thing_id,
    CASE WHEN self_status IS NULL THEN judge_at ELSE self_at END AS at,
    CASE WHEN self_status IS NULL THEN 'judge' ELSE 'website' END AS by_kind FROM statuses
  UNION ALL SELECT user_id, 'mark', problem_id, updated_at, 'website' FROM bookmarks
  UNION ALL SELECT user_id, 'review', id, made_at, 'website' FROM reviews WHERE undone_at IS NULL
  UNION ALL SELECT user_id, 'time', id, coalesce(stopped_at, solved_at), 'website' FROM timers
    WHERE undone_at IS NULL AND coalesce(stopped_at, solved_at) IS NOT NULL
  UNION ALL SELECT owner_id, 'list', id, updated_at, 'website' FROM lists
  UNION ALL SELECT member_id, 'problem', problem_id, added_at, 'website' FROM added_problems
  UNION ALL SELECT user_id, 'solution', id, added_at, 'website' FROM solutions WHERE removed_at IS NULL
) AS things WHERE user_id IN (SELECT user_id FROM program_feeds)`;

/** Begins the feed of a member with all that they have, unless it has begun. */
export async function beginFeed(tx: Db, user_id: bigint): Promise<void> {
  if ((await insertMissing(tx, 'program_feeds', [{ user_id, place: 0n }])) === 0n) return;
  const at = sql`coalesce(max(at), ${sql.lit(new Date().toISOString())})`;
  const { numAffectedRows: place = 0n } = await sql`
    INSERT INTO program_feed_items (user_id, kind, thing_id, place, at, by_kind)
    SELECT user_id, kind, thing_id, row_number() OVER (ORDER BY ${at}, kind, thing_id), ${at}, max(by_kind)
    FROM (${things} AND user_id = ${sql.lit(user_id)}) AS own GROUP BY user_id, kind, thing_id`.execute(tx);
  await updateRows(tx, 'program_feeds', { user_id }, { place });
}

/** Deletes the items of things that are gone since before `before`. */
export const deleteGoneItems = (tx: Db, before: string) =>
  sql`DELETE FROM program_feed_items WHERE at < ${before}
    AND (user_id, kind, thing_id) NOT IN (SELECT user_id, kind, thing_id FROM (${things}) AS present)`.execute(
    tx,
  );

/* Who changed it. */

export type Feeds = readonly { user_id: bigint; place: bigint }[];

export const listFeeds = (db: Db, ofMember: { user_id?: bigint } = {}): Promise<Feeds> =>
  listRows(db, 'program_feeds', ofMember);

type ChangedBy = Pick<ProgramFeedItemsTable, 'by_kind'> &
  Partial<Pick<ProgramFeedItemsTable, 'token_id' | 'change_id'>>;

const setAuthor = prepared(
  (tx, values: Required<ChangedBy> & { user_id: bigint; place: bigint; spared: string }) =>
    tx
      .updateTable('program_feed_items')
      .set({ by_kind: values.by_kind, token_id: values.token_id, change_id: values.change_id })
      .where('user_id', '=', values.user_id)
      .where('place', '>', values.place)
      .where(sql<boolean>`(by_kind <> ${values.spared} OR kind NOT IN ('mark', 'time'))`),
);

/** Says who made the changes of this transaction since `before`. A judge's word that came with them stays its own. */
export async function nameAuthor(
  tx: Db,
  before: Feeds,
  { by_kind, token_id = null, change_id = null }: ChangedBy,
): Promise<void> {
  const spared = by_kind === 'import' || by_kind === 'staff' ? '' : 'judge';
  for (const { user_id, place } of before)
    await setAuthor(tx, { user_id, place, by_kind, token_id, change_id, spared });
}

/**
 * Names `by_kind` as the author of what `work` changes. Without this the triggers name the website or a judge, by the rows. Without
 * `memberOf`, `work` may change what any member has.
 */
export const changedBy =
  <A extends unknown[], T>(
    by_kind: ChangedBy['by_kind'],
    work: (tx: Db, ...rest: A) => Promise<T>,
    memberOf?: (...rest: A) => bigint,
  ) =>
  async (tx: Db, ...rest: A): Promise<T> => {
    const ofMember = memberOf && { user_id: memberOf(...rest) };
    const before = await listFeeds(tx, ofMember);
    const result = await work(tx, ...rest);
    if (before.length === 0) return result;
    const places = new Map((await listFeeds(tx, ofMember)).map(({ user_id, place }) => [user_id, place]));
    const moved = before.filter(({ user_id, place }) => places.get(user_id) !== place);
    await nameAuthor(tx, moved, { by_kind });
    return result;
  };

/* Reading. */

export type FeedItem = ProgramFeedItemsTable & { token: string | null };

const itemsAfter = prepared((db, from: { user_id: bigint; after: bigint; limit: number; hidden: string }) =>
  db
    .selectFrom('program_feed_items as items')
    .leftJoin('tokens', 'tokens.id', 'items.token_id')
    .selectAll('items')
    .select('tokens.name as token')
    .where('items.user_id', '=', from.user_id)
    .where('place', '>', from.after)
    .where('kind', '<>', from.hidden as ProgramFeedItemsTable['kind'])
    .orderBy('place')
    .limit(from.limit),
);

export const listFeedItems = (
  db: Db,
  from: { user_id: bigint; after: bigint; limit: number; hidden: ProgramFeedItemsTable['kind'] | '' },
): Promise<FeedItem[]> => itemsAfter(db, from);
