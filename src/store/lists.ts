/** Lists of problems in the store: who may see one, and what is in it. Their rules are in `practice/lists.ts`. */
import { type SqlBool, sql } from 'kysely';
import { insertMany, runCompiled } from './bulk.ts';
import { giveIds } from './ids.ts';
import type { ListItemsTable, ListsTable, Visibility } from './list-tables.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import { bumpRevisions } from './revisions.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

/** A list with its owner's name, how many problems it has, and how many of them the member who looks at it has solved. */
export interface ShownList extends Omit<ListsTable, 'secret_digest'> {
  owner: string;
  problems: bigint;
  solved: bigint;
}

/** A problem of a list, with the problem's own columns. */
export type ListedProblem = Pick<ListItemsTable, 'section' | 'position' | 'memo' | 'added_at'> & ProblemRow;

/** What a section is to have: its problems in their order. */
export interface SectionContent {
  name: string;
  items: readonly Pick<ListItemsTable, 'problem_id' | 'memo' | 'added_at'>[];
}

const shownColumns = [
  'lists.id',
  'lists.owner_id',
  'lists.name',
  'lists.visibility',
  'lists.created_at',
  'lists.updated_at',
  'lists.version',
] as const;

/** With a literal, because SQLite takes the index of the garden's lists for no parameter. */
const ofGarden = sql<SqlBool>`lists.visibility = 'garden'`;

/** Lists with the progress of one member in them. */
function shownLists(db: Db, memberId: bigint) {
  return db
    .selectFrom('lists')
    .innerJoin('members', 'members.id', 'lists.owner_id')
    .select(shownColumns)
    .select('members.username as owner')
    .select(({ selectFrom }) => {
      const items = selectFrom('list_items')
        .whereRef('list_items.list_id', '=', 'lists.id')
        .select(sql<bigint>`count(*)`.as('n'));
      const solved = items
        .innerJoin('statuses', 'statuses.problem_id', 'list_items.problem_id')
        .where('statuses.user_id', '=', memberId)
        .where(shownStatus, '=', 'complete');
      return [items.$asScalar().$notNull().as('problems'), solved.$asScalar().$notNull().as('solved')];
    });
}

/** A list that is the member's own or everybody's; undefined for all others. */
export async function findVisibleList(db: Db, id: bigint, memberId: bigint): Promise<ShownList | undefined> {
  return shownLists(db, memberId)
    .where('lists.id', '=', id)
    .where((eb) => eb.or([ofGarden, eb('owner_id', '=', memberId)]))
    .executeTakeFirst();
}

/** The list whose secret address has this digest, unless its owner is shut out. */
export async function findSecretList(
  db: Db,
  digest: string,
  memberId: bigint,
): Promise<ShownList | undefined> {
  return shownLists(db, memberId)
    .where('secret_digest', '=', digest)
    .where('members.is_disabled', '=', 0n)
    .executeTakeFirst();
}

/** The member's own lists, the newest change first. */
export function listOwnLists(db: Db, memberId: bigint): Promise<ShownList[]> {
  return shownLists(db, memberId)
    .where('owner_id', '=', memberId)
    .orderBy('lists.updated_at', 'desc')
    .orderBy('lists.id', 'desc')
    .execute();
}

/** The garden's lists that others made, the newest change first. */
export function listGardenLists(db: Db, memberId: bigint, offset: number, limit: number) {
  return shownLists(db, memberId)
    .where(ofGarden)
    .where('owner_id', '!=', memberId)
    .orderBy('lists.updated_at', 'desc')
    .orderBy('lists.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
}

/** The lists with this problem that the member may see. */
export function listListsOfProblem(
  db: Db,
  problemId: bigint,
  memberId: bigint,
): Promise<Pick<ListsTable, 'id' | 'name' | 'owner_id'>[]> {
  return runCompiled(db, 'listListsOfProblem', [problemId, memberId], () =>
    db
      .selectFrom('list_items')
      .innerJoin('lists', 'lists.id', 'list_items.list_id')
      .select(['lists.id', 'lists.name', 'lists.owner_id'])
      .where('problem_id', '=', problemId)
      .where((eb) => eb.or([eb('owner_id', '=', memberId), ofGarden]))
      .orderBy('lists.id'),
  );
}

/** The member's own list, with everything that is stored of it. */
export async function findOwnList(db: Db, id: bigint, memberId: bigint): Promise<ListsTable | undefined> {
  const query = db.selectFrom('lists').selectAll().where('id', '=', id).where('owner_id', '=', memberId);
  return query.executeTakeFirst();
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

export interface Progress {
  problems: bigint;
  solved: bigint;
}

/** How far a member is in each of these lists, and in each section of them. */
export async function listProgress(
  db: Db,
  listIds: readonly bigint[],
  memberId: bigint,
): Promise<(Progress & { list_id: bigint; section: bigint })[]> {
  if (listIds.length === 0) return [];
  return db
    .selectFrom('list_items')
    .leftJoin('statuses', (join) =>
      join
        .onRef('statuses.problem_id', '=', 'list_items.problem_id')
        .on('statuses.user_id', '=', memberId)
        .on(shownStatus, '=', 'complete'),
    )
    .select(['list_id', 'section'])
    .select([sql<bigint>`count(*)`.as('problems'), sql<bigint>`count(statuses.problem_id)`.as('solved')])
    .where('list_id', 'in', listIds)
    .groupBy(['list_id', 'section'])
    .orderBy('list_id')
    .orderBy('section')
    .execute();
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

export const visibilities: readonly Visibility[] = ['private', 'garden', 'secret'];
