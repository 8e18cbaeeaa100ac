/** Lists of problems are written: made, changed, filled and deleted, each by its owner alone. */
import { sql } from 'kysely';
import { insertMany } from './bulk.ts';
import { giveIds } from './ids.ts';
import type { ListItemsTable, ListsTable } from './list-tables.ts';
import { listSections } from './lists.ts';
import { bumpRevisions } from './revisions.ts';
import type { Db } from './tables.ts';

/** What a section is to have: its problems in their order. */
export interface SectionContent {
  name: string;
  items: readonly Pick<ListItemsTable, 'problem_id' | 'memo' | 'added_at'>[];
}

export async function countOwnLists(db: Db, memberId: bigint): Promise<number> {
  const query = db.selectFrom('lists').where('owner_id', '=', memberId);
  const { n } = await query.select(sql<bigint>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return Number(n);
}

/** Makes an empty list and answers its id. */
export async function insertList(
  tx: Db,
  row: Pick<ListsTable, 'owner_id' | 'name' | 'visibility' | 'secret_digest' | 'created_at' | 'updated_at'>,
): Promise<bigint> {
  const [id = 0n] = await giveIds(tx, 'lists', 1);
  await tx
    .insertInto('lists')
    .values({ ...row, id, version: 1n })
    .execute();
  await bumpRevisions(tx, ['lists']);
  return id;
}

/**
 * Counts a change of a member's own list and writes these columns; false where there is no such list, or where it is not the
 * version any more that was `seen`. It comes before every other write to the list, so that two of them take turns.
 */
export async function changeList(
  tx: Db,
  { id, owner_id }: Pick<ListsTable, 'id' | 'owner_id'>,
  values: Partial<Pick<ListsTable, 'name' | 'visibility' | 'secret_digest'>>,
  seen?: bigint,
): Promise<boolean> {
  let query = tx
    .updateTable('lists')
    .set({ ...values, updated_at: new Date().toISOString() })
    .set((eb) => ({ version: eb('version', '+', 1n) }))
    .where('id', '=', id)
    .where('owner_id', '=', owner_id);
  if (seen !== undefined) query = query.where('version', '=', seen);
  const { numUpdatedRows } = await query.executeTakeFirst();
  if (numUpdatedRows > 0n) await bumpRevisions(tx, ['lists']);
  return numUpdatedRows > 0n;
}

/** Writes all sections and problems of a list anew. */
export async function writeContent(
  tx: Db,
  listId: bigint,
  content: readonly SectionContent[],
): Promise<void> {
  await tx.deleteFrom('list_sections').where('list_id', '=', listId).execute();
  const sections = content.map(({ name }, at) => ({ list_id: listId, position: BigInt(at + 1), name }));
  await insertMany(tx, 'list_sections', sections);
  let position = 0n;
  const items = content.flatMap(({ items }, at) =>
    items.map(({ problem_id, memo, added_at }) => {
      position += 1n;
      return { list_id: listId, section: BigInt(at + 1), position, problem_id, memo, added_at };
    }),
  );
  await insertMany(tx, 'list_items', items);
}

/** What a list has now, in the shape in which it is written. */
export async function readContent(db: Db, listId: bigint): Promise<SectionContent[]> {
  const sections = await listSections(db, listId);
  const items = await db
    .selectFrom('list_items')
    .select(['section', 'problem_id', 'memo', 'added_at'])
    .where('list_id', '=', listId)
    .orderBy('section')
    .orderBy('position')
    .execute();
  const bySection = Map.groupBy(items, ({ section }) => section);
  return sections.map(({ position, name }) => ({
    name,
    items: (bySection.get(position) ?? []).map(({ section: _, ...item }) => item),
  }));
}

export async function deleteList(tx: Db, id: bigint, ownerId: bigint): Promise<boolean> {
  const query = tx.deleteFrom('lists').where('id', '=', id).where('owner_id', '=', ownerId);
  const { numDeletedRows } = await query.executeTakeFirst();
  if (numDeletedRows > 0n) await bumpRevisions(tx, ['lists']);
  return numDeletedRows > 0n;
}
