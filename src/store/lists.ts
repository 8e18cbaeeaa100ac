/** Lists of problems. The rules are in `practice/lists.ts`. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Completion, completedBy, latestFirstSolves, statusSetAt } from './activity.ts';
import { insertMany, preparedForMany } from './bulk.ts';
import { exportFollows } from './list-follows.ts';
import { columnOf, countRows, type Page, paged, sortFieldsOf } from './listings.ts';
import { prepared } from './prepared.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import { deleteRows, findRow, insertRow, listRows } from './rows.ts';
import { hasPageFor } from './settings.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

export type Visibility = 'private' | 'garden' | 'secret';

export interface ListsTable {
  id: bigint;
  owner_id: bigint;
  name: string;
  visibility: Visibility;
  secret_digest: string | null;
  created_at: string;
  updated_at: string;
  version: bigint;
  /** JSON of the properties in its file that the garden does not know; null without any. */
  extras: string | null;
}

export interface ListSectionsTable {
  list_id: bigint;
  position: bigint;
  name: string;
  extras: string | null;
}

export interface ListItemsTable {
  list_id: bigint;
  section: bigint;
  /** From 1 through the whole list. It has gaps where a problem was deleted. */
  position: bigint;
  problem_id: bigint;
  memo: string | null;
  added_at: string;
  extras: string | null;
}

declare module './tables.ts' {
  interface Tables {
    lists: ListsTable;
    list_sections: ListSectionsTable;
    list_items: ListItemsTable;
  }
}

type MemberId = bigint | RawBuilder<bigint>;

/** The visibility is a literal, because SQLite does not use the partial index of these lists with a parameter. */
const isGardenList = sql<SqlBool>`lists.visibility = 'garden'`;

const isAssignedTo = (memberId: MemberId) => sql<SqlBool>`EXISTS (
  SELECT 1 FROM group_lists
  INNER JOIN group_members AS pupils ON pupils.group_id = group_lists.group_id AND pupils.user_id = ${memberId}
  INNER JOIN group_members AS coaches ON coaches.group_id = group_lists.group_id
    AND coaches.user_id = lists.owner_id AND coaches.role = 'coach'
  WHERE group_lists.list_id = lists.id)`;

/** A member sees their own lists, everybody's, and those that a coach of theirs assigned. */
export const isVisibleTo = (memberId: MemberId) =>
  sql<SqlBool>`(${isGardenList} OR lists.owner_id = ${memberId} OR ${isAssignedTo(memberId)})`;

export interface ShownList extends Omit<ListsTable, 'secret_digest' | 'extras'> {
  owner: string;
  problems: bigint;
  solved: bigint;
  has_page: bigint;
}

export function problemCounts(db: Db, memberId: bigint | null) {
  const items = db
    .selectFrom('list_items')
    .where('list_items.list_id', '=', sql.ref<bigint>('lists.id'))
    .select(sql<bigint>`count(*)`.as('n'));
  const solved = items
    .innerJoin('statuses', 'statuses.problem_id', 'list_items.problem_id')
    .where(sql<SqlBool>`statuses.user_id = ${memberId}`)
    .where(shownStatus, '=', 'complete');
  return [items.$asScalar().$notNull().as('problems'), solved.$asScalar().$notNull().as('solved')] as const;
}

const shownColumns = ['id', 'owner_id', 'name', 'visibility', 'created_at', 'updated_at', 'version'] as const;
const newestFirst = sql`lists.updated_at desc, lists.id desc`;

function shownLists(db: Db, member: bigint | undefined) {
  return db
    .selectFrom('lists')
    .innerJoin('members', 'members.id', 'lists.owner_id')
    .select(shownColumns.map((column) => `lists.${column}` as const))
    .select('members.username as owner')
    .select(hasPageFor(member === undefined ? 'everyone' : 'members'))
    .select(problemCounts(db, member ?? null));
}

export async function findVisibleList(
  db: Db,
  id: bigint,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  const isVisible = memberId === undefined ? isGardenList : isVisibleTo(memberId);
  return shownLists(db, memberId).where('lists.id', '=', id).where(isVisible).executeTakeFirst();
}

export async function findSecretList(
  db: Db,
  digest: string,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  return shownLists(db, memberId)
    .where('secret_digest', '=', digest)
    .where('members.is_disabled', '=', 0n)
    .executeTakeFirst();
}

export function listOwnLists(db: Db, memberId: bigint): Promise<ShownList[]> {
  return shownLists(db, memberId).where('owner_id', '=', memberId).orderBy(newestFirst).execute();
}

export function listListsById(
  db: Db,
  memberId: bigint,
  { after, limit }: { after: bigint | undefined; limit: number },
): Promise<ShownList[]> {
  const lists = shownLists(db, memberId).where('owner_id', '=', memberId).orderBy('lists.id').limit(limit);
  return (after === undefined ? lists : lists.where('lists.id', '>', after)).execute();
}

/** Those at a secret address. */
export const listSecretLists = (db: Db, owner_id: bigint) =>
  listRows(db, 'lists', { owner_id, visibility: 'secret' }, 'id');

export function listGardenLists(db: Db, memberId: bigint, offset: number, limit: number) {
  return shownLists(db, memberId)
    .where(isGardenList)
    .where('owner_id', '!=', memberId)
    .orderBy(newestFirst)
    .offset(offset)
    .limit(limit)
    .execute();
}

const gardenListsFor = (db: Db, ownerId: bigint, memberId: bigint | undefined) =>
  shownLists(db, memberId).where(isGardenList).where('owner_id', '=', ownerId).orderBy(newestFirst);
const gardenListsForAll = prepared((db, { ownerId }: { ownerId: bigint }) =>
  gardenListsFor(db, ownerId, undefined),
);
const gardenListsForMembers = prepared((db, { ownerId, memberId }: { ownerId: bigint; memberId: bigint }) =>
  gardenListsFor(db, ownerId, memberId),
);

export const listGardenListsOf = (
  db: Db,
  ownerId: bigint,
  memberId: bigint | undefined,
): Promise<ShownList[]> =>
  memberId === undefined
    ? gardenListsForAll(db, { ownerId })
    : gardenListsForMembers(db, { ownerId, memberId });

const maxListsOfProblem = 10;

export type ListOfProblem = Pick<ListsTable, 'id' | 'name'>;

export const listListsOfProblem = prepared(
  (db, { problemId, memberId }: { problemId: bigint; memberId: bigint }) =>
    db
      .selectFrom('list_items')
      .innerJoin('lists', 'lists.id', 'list_items.list_id')
      .select(['lists.id', 'lists.name'])
      .where('problem_id', '=', problemId)
      .where(isVisibleTo(memberId))
      .orderBy(newestFirst)
      .limit(maxListsOfProblem),
);

export const findOwnList = (db: Db, id: bigint, memberId: bigint) =>
  findRow(db, 'lists', { id, owner_id: memberId });

export interface Progress {
  problems: bigint;
  solved: bigint;
}

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
  return Number(await countRows(db.selectFrom('lists').where('owner_id', '=', memberId)));
}

export const insertList = (tx: Db, row: Omit<ListsTable, 'id' | 'version'>) =>
  insertRow(tx, 'lists', { ...row, version: 1n });

/** False if the list has another `version` by now. Every write to a list begins with this, which locks its row. */
export async function changeList(
  tx: Db,
  { id, owner_id }: Pick<ListsTable, 'id' | 'owner_id'>,
  values: Partial<Pick<ListsTable, 'name' | 'visibility' | 'secret_digest' | 'extras'>>,
  version?: bigint,
): Promise<boolean> {
  let query = tx
    .updateTable('lists')
    .set({ ...values, updated_at: new Date().toISOString() })
    .set((eb) => ({ version: eb('version', '+', 1n) }))
    .where('id', '=', id)
    .where('owner_id', '=', owner_id);
  if (version !== undefined) query = query.where('version', '=', version);
  const { numUpdatedRows } = await query.executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (values.name !== undefined) await renameInPlants(tx, id, values.name);
  return true;
}

/** A plant shows the last name of its list that its member could see, also after the list is deleted. */
async function renameInPlants(tx: Db, id: bigint, name: string): Promise<void> {
  await tx
    .updateTable('plants')
    .set({ list_name: name })
    .where('list_id', '=', id)
    .where('list_name', '!=', name)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('lists')
          .select('lists.id')
          .where('lists.id', '=', id)
          .where(isVisibleTo(sql.ref<bigint>('plants.user_id'))),
      ),
    )
    .execute();
}

export async function findListExtras(db: Db, id: bigint): Promise<string | null> {
  return (await findRow(db, 'lists', { id }))?.extras ?? null;
}

export const deleteList = (tx: Db, id: bigint, ownerId: bigint) =>
  deleteRows(tx, 'lists', { id, owner_id: ownerId });

export const visibilities: readonly Visibility[] = ['private', 'garden', 'secret'];

export type ProblemInList = Omit<ListItemsTable, 'list_id' | 'problem_id'> & ProblemRow;

export interface SectionContent {
  name: string;
  extras?: string | null | undefined;
  items: readonly (Pick<ListItemsTable, 'problem_id' | 'memo' | 'added_at'> &
    Pick<SectionContent, 'extras'>)[];
}

interface Slice {
  offset?: number;
  limit?: number;
}

export interface ListSection {
  position: bigint;
  name: string;
  extras: string | null;
  problems: readonly ProblemInList[];
}

export async function listSections(db: Db, listId: bigint, slice?: Slice): Promise<ListSection[]> {
  const bySection = Map.groupBy(await listProblemsOfList(db, listId, slice), ({ section }) => section);
  const sections = await listRows(db, 'list_sections', { list_id: listId }, 'position');
  return sections.map(({ list_id: _, ...section }) => {
    return { ...section, problems: bySection.get(section.position) ?? [] };
  });
}

/** The items and sections of many lists, without what the problems are. */
export const listItemsOfLists = preparedForMany((db, listIds: readonly bigint[]) =>
  db
    .selectFrom('list_items')
    .select(['list_id', 'section', 'problem_id as id', 'added_at', 'extras'])
    .where('list_id', 'in', listIds)
    .orderBy('list_id')
    .orderBy('position'),
);

export const listSectionsOfLists = preparedForMany((db, listIds: readonly bigint[]) =>
  db
    .selectFrom('list_sections')
    .selectAll()
    .where('list_id', 'in', listIds)
    .orderBy('list_id')
    .orderBy('position'),
);

export function listProblemsOfList(
  db: Db,
  listId: bigint,
  { offset = 0, limit }: Slice = {},
): Promise<ProblemInList[]> {
  const query = db
    .selectFrom('list_items')
    .innerJoin('problems', 'problems.id', 'list_items.problem_id')
    .select(['section', 'position', 'memo', 'added_at', 'extras'])
    .select(problemColumns.map((column) => `problems.${column}` as const))
    .where('list_id', '=', listId)
    .orderBy('section')
    .orderBy('position');
  return (limit === undefined ? query : query.limit(limit).offset(offset)).execute();
}

export async function writeContent(
  tx: Db,
  listId: bigint,
  content: readonly SectionContent[],
): Promise<void> {
  await deleteRows(tx, 'list_sections', { list_id: listId });
  const sections = content.map(({ name, extras = null }, index) => {
    return { list_id: listId, position: BigInt(index + 1), name, extras };
  });
  await insertMany(tx, 'list_sections', sections);
  let position = 0n;
  const items = content.flatMap(({ items }, index) =>
    items.map(({ problem_id, memo, added_at, extras = null }) => {
      position += 1n;
      return { list_id: listId, section: BigInt(index + 1), position, problem_id, memo, added_at, extras };
    }),
  );
  await insertMany(tx, 'list_items', items);
}

export const readContent = async (db: Db, listId: bigint): Promise<SectionContent[]> =>
  (await readContents(db, [listId])).get(listId) ?? [];

async function readContents(db: Db, ids: readonly bigint[]) {
  const sections = await db
    .selectFrom('list_sections')
    .selectAll()
    .where('list_id', 'in', ids)
    .orderBy(sql`list_id, position`)
    .execute();
  const items = await db
    .selectFrom('list_items')
    .innerJoin('problems', 'problems.id', 'list_items.problem_id')
    .select(['list_id', 'section', 'problem_id', 'source', 'source_key', 'memo', 'added_at', 'extras'])
    .where('list_id', 'in', ids)
    .orderBy(sql`list_id, section, position`)
    .execute();
  const bySection = Map.groupBy(items, ({ list_id, section }) => `${list_id} ${section}`);
  const contents = sections.map(({ list_id, position, name, extras }) => {
    return { list_id, name, extras, items: bySection.get(`${list_id} ${position}`) ?? [] };
  });
  return Map.groupBy(contents, ({ list_id }) => list_id);
}

export const listOrder = sortFieldsOf('lists', {
  owner_id: 'integer',
  created_at: 'text',
  name: 'text',
  id: 'integer',
});

/** Some lists are large, so an export reads few of them at once. */
const listsPerRead = 20;

export async function exportLists(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('lists')
    .select(['lists.id', 'owner_id', 'name', 'visibility', 'created_at', 'updated_at', 'extras'])
    .select(columnOf('members', 'username', 'lists.owner_id'));
  if (user !== undefined) query = query.where('owner_id', '=', user);
  const lists = await paged(query, { ...page, limit: Math.min(page.limit, listsPerRead) }).execute();
  const ids = lists.map(({ id }) => id);
  if (ids.length === 0) return [];
  const contents = await readContents(db, ids);
  const follows = await exportFollows(db, ids);
  return lists.map(({ extras: listExtras, ...list }) => ({
    ...list,
    follows: follows.get(list.id) ?? null,
    content: JSON.stringify({
      sections: (contents.get(list.id) ?? []).map(({ name, items, extras }) => ({
        name,
        problems: items.map(({ source, source_key, memo, added_at, extras }) => {
          return { source, source_key, memo, added_at, ...(extras !== null && { extras }) };
        }),
        ...(extras !== null && { extras }),
      })),
      ...(listExtras !== null && { extras: listExtras }),
    }),
  }));
}

export const findListsMadeAt = (db: Db, owner_id: bigint, created_at: string) =>
  listRows(db, 'lists', { owner_id, created_at }, 'id');

/*
 * Progress in lists. Reads go from the problems of a list to the member's statuses, by primary keys, so they cost what the
 * lists have.
 */

export interface ListFigures {
  list_id: bigint;
  name: string;
  problems: bigint;
  done: bigint;
  /** How many were solved since the given time. */
  since: bigint;
  last_at: string | null;
}

/** A subquery, because in a join PostgreSQL might compare all items with all statuses. An unknown time is ''. */
const completedAt = (db: Db, userId: bigint) =>
  completedBy(db, userId)
    .select(sql<string>`coalesce(${statusSetAt}, '')`.as('at'))
    .where(sql<SqlBool>`statuses.problem_id = list_items.problem_id`);

function visibleItems(db: Db, userId: bigint, listIds: readonly bigint[]) {
  return db.with(
    // Materialized, so that each look-up is made once.
    (cte) => cte('items').materialized(),
    (query) =>
      query
        .selectFrom('lists')
        .leftJoin('list_items', 'list_items.list_id', 'lists.id')
        .select(['lists.id as list_id', 'lists.name', 'list_items.problem_id'])
        .select(completedAt(db, userId).as('completed_at'))
        .where('lists.id', 'in', listIds)
        .where(isVisibleTo(userId)),
  );
}

export async function listListFigures(
  db: Db,
  userId: bigint,
  listIds: readonly bigint[],
  since: string,
): Promise<ListFigures[]> {
  if (listIds.length === 0) return [];
  return visibleItems(db, userId, listIds)
    .selectFrom('items')
    .select(({ fn }) => [
      'list_id',
      'name',
      fn.count<bigint>('problem_id').as('problems'),
      fn.count<bigint>('completed_at').as('done'),
    ])
    .select(sql<string | null>`nullif(max(completed_at), '')`.as('last_at'))
    .select(sql<bigint>`count(CASE WHEN completed_at >= ${since} THEN 1 END)`.as('since'))
    .groupBy(['list_id', 'name'])
    .execute();
}

export async function listCompletedOfList(db: Db, userId: bigint, listId: bigint): Promise<Completion[]> {
  const rows = await visibleItems(db, userId, [listId])
    .selectFrom('items')
    .select(['problem_id', 'completed_at'])
    .where('completed_at', 'is not', null)
    .orderBy('completed_at')
    .orderBy('problem_id')
    .$narrowType<{ problem_id: bigint }>()
    .execute();
  return rows.map((row) => ({ ...row, completed_at: row.completed_at || null }));
}

/** The problems of lists that were unsolved at that time. */
export function listUnsolvedOfLists(db: Db, userId: bigint, listIds: readonly bigint[], since: string) {
  return visibleItems(db, userId, listIds)
    .selectFrom('items')
    .innerJoin('problems', 'problems.id', 'items.problem_id')
    .select(['list_id', 'problems.id', 'source', 'rating'])
    .where(sql<SqlBool>`(completed_at IS NULL OR completed_at >= ${since})`)
    .execute();
}

const maxOwnLists = 20;

/** Of the newest own lists and the assigned lists, the one without a plant that has most of the last solved problems. */
export async function findListToPlant(
  db: Db,
  userId: bigint,
  limit: number,
): Promise<{ id: bigint; name: string; count: bigint } | undefined> {
  const ownLists = db
    .selectFrom('lists')
    .select('id')
    .where('owner_id', '=', userId)
    .orderBy(newestFirst)
    .limit(maxOwnLists);
  const assigned = db
    .selectFrom('group_members')
    .innerJoin('group_lists', 'group_lists.group_id', 'group_members.group_id')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select('list_id as id')
    .where('archived_at', 'is', null)
    .where('group_members.user_id', '=', userId);
  const planted = db
    .selectFrom('plants')
    .select('list_id')
    .where('user_id', '=', userId)
    .where('list_id', 'is not', null);
  return (
    db
      .with('candidates', (cte) =>
        cte.selectFrom(ownLists.as('own_lists')).select('own_lists.id').union(assigned),
      )
      .selectFrom('candidates')
      // CROSS JOIN makes SQLite start from these lists, and not from everybody's lists with the problems.
      .crossJoin('list_items')
      .innerJoin('lists', 'lists.id', 'candidates.id')
      .select(({ fn }) => ['lists.id', 'lists.name', fn.countAll<bigint>().as('count')])
      .whereRef('list_items.list_id', '=', 'candidates.id')
      .where(
        'problem_id',
        'in',
        db.selectFrom(latestFirstSolves(db, userId, limit).as('latest')).select('latest.problem_id'),
      )
      .where('candidates.id', 'not in', planted.$castTo<{ list_id: bigint }>())
      .where(isVisibleTo(userId))
      .groupBy(['lists.id', 'lists.name'])
      .orderBy('count', 'desc')
      .orderBy('lists.id', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}
