/** Lists that follow an address. The rules are in `practice/list-follows.ts`. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import { isDueBefore } from './leases.ts';
import { countRows } from './listings.ts';
import { deleteRows, findRow, listRows, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

export interface ListFollowsTable {
  list_id: bigint;
  url: string;
  /** For If-None-Match; null if the answer had none. */
  entity_tag: string | null;
  /** When the next request is due, in milliseconds since 1970. */
  due_at: bigint;
  tried_at: string | null;
  good_at: string | null;
  /** An HTTP status, or a word that pages know; null after a good answer. */
  fault: string | null;
  /** JSON of problems at the address that are not here. */
  missing: string;
}

export interface FollowedItemsTable {
  list_id: bigint;
  problem_id: bigint;
  /** Null for a problem that was there at the first read. */
  came_at: string | null;
  is_gone: bigint;
}

declare module './tables.ts' {
  interface Tables {
    list_follows: ListFollowsTable;
    followed_items: FollowedItemsTable;
  }
}

export const findFollow = (db: Db, listId: bigint) => findRow(db, 'list_follows', { list_id: listId });

export async function countFollowsOf(db: Db, ownerId: bigint): Promise<number> {
  const rows = db.selectFrom('list_follows').innerJoin('lists', 'lists.id', 'list_follows.list_id');
  return Number(await countRows(rows.where('lists.owner_id', '=', ownerId)));
}

export async function hasFollows(db: Db): Promise<boolean> {
  return (await db.selectFrom('list_follows').select('list_id').limit(1).executeTakeFirst()) !== undefined;
}

export function listDueFollows(db: Db, now: number, limit: number) {
  return db
    .selectFrom('list_follows')
    .innerJoin('lists', 'lists.id', 'list_follows.list_id')
    .innerJoin('members', 'members.id', 'lists.owner_id')
    .selectAll('list_follows')
    .select('lists.owner_id')
    .where(isDueBefore('due_at', now))
    .where('members.is_disabled', '=', 0n)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

export type DueFollow = Awaited<ReturnType<typeof listDueFollows>>[number];

export async function putFollow(tx: Db, row: ListFollowsTable): Promise<void> {
  await deleteFollow(tx, row.list_id);
  await tx.insertInto('list_follows').values(row).execute();
}

export const updateFollow = (
  tx: Db,
  { list_id, url }: Pick<ListFollowsTable, 'list_id' | 'url'>,
  values: Partial<Omit<ListFollowsTable, 'list_id' | 'url'>>,
) => updateRows(tx, 'list_follows', { list_id, url }, values);

export const deleteFollow = (tx: Db, listId: bigint) => deleteRows(tx, 'list_follows', { list_id: listId });

export const listFollowedItems = (db: Db, listId: bigint) =>
  listRows(db, 'followed_items', { list_id: listId });

export async function replaceFollowedItems(
  tx: Db,
  listId: bigint,
  rows: readonly FollowedItemsTable[],
): Promise<void> {
  await deleteRows(tx, 'followed_items', { list_id: listId });
  await insertMany(tx, 'followed_items', rows);
}

export async function exportFollows(db: Db, listIds: readonly bigint[]): Promise<Map<bigint, string>> {
  const rows = await db
    .selectFrom('list_follows')
    .select(['list_id', 'url', 'good_at'])
    .where('list_id', 'in', listIds)
    .execute();
  const items = await db
    .selectFrom('followed_items')
    .innerJoin('problems', 'problems.id', 'followed_items.problem_id')
    .select(['list_id', 'source', 'source_key', 'came_at', 'is_gone'])
    .where('list_id', 'in', listIds)
    .orderBy('source')
    .orderBy('source_key')
    .execute();
  return new Map(
    rows.map(({ list_id, url, good_at }) => {
      const problems = items
        .filter((one) => one.list_id === list_id)
        .map(({ list_id: _, is_gone, ...one }) => ({ ...one, is_gone: is_gone === 1n }));
      return [list_id, JSON.stringify({ url, good_at, problems })];
    }),
  );
}

export function listRemovedItems(db: Db, listId: bigint): Promise<{ id: bigint; title: string }[]> {
  return db
    .selectFrom('followed_items')
    .innerJoin('list_items', (join) =>
      join
        .onRef('list_items.list_id', '=', 'followed_items.list_id')
        .onRef('list_items.problem_id', '=', 'followed_items.problem_id'),
    )
    .innerJoin('problems', 'problems.id', 'followed_items.problem_id')
    .select(['problems.id', 'problems.title'])
    .where('followed_items.list_id', '=', listId)
    .where('is_gone', '=', sql.lit(1n))
    .orderBy('list_items.position')
    .execute();
}

export async function listAddedSince(db: Db, listId: bigint, since: string): Promise<ReadonlySet<bigint>> {
  const rows = await db
    .selectFrom('followed_items')
    .select('problem_id')
    .where('list_id', '=', listId)
    .where('came_at', '>=', since)
    .execute();
  return new Set(rows.map(({ problem_id }) => problem_id));
}
