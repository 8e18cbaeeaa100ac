/** What lists have: their sections and problems, read for pages and written as a whole. */
import { insertMany } from './bulk.ts';
import type { ListItemsTable } from './list-tables.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import type { Db } from './tables.ts';

/** A problem of a list, with the problem's own columns. */
export type ListedProblem = Pick<ListItemsTable, 'section' | 'position' | 'memo' | 'added_at'> & ProblemRow;

/** What a section is to have: its problems in their order. */
export interface SectionContent {
  name: string;
  items: readonly Pick<ListItemsTable, 'problem_id' | 'memo' | 'added_at'>[];
}

export function listSections(db: Db, listId: bigint): Promise<{ position: bigint; name: string }[]> {
  return db
    .selectFrom('list_sections')
    .select(['position', 'name'])
    .where('list_id', '=', listId)
    .orderBy('position')
    .execute();
}

/** The problems of a list in their order, or some of them. */
export function listListed(
  db: Db,
  listId: bigint,
  { offset = 0, limit }: { offset?: number; limit?: number } = {},
): Promise<ListedProblem[]> {
  const query = db
    .selectFrom('list_items')
    .innerJoin('problems', 'problems.id', 'list_items.problem_id')
    .select(['section', 'position', 'memo', 'added_at'])
    .select(problemColumns.map((column) => `problems.${column}` as const))
    .where('list_id', '=', listId)
    .orderBy('section')
    .orderBy('position');
  return (limit === undefined ? query : query.limit(limit).offset(offset)).execute();
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
