/** Lists of problems in the store: who may see one, and what is in it. Their rules are in `practice/lists.ts`. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Completion, completedBy, latestFirstSolved, reachedAt } from './activity.ts';
import { insertMany } from './bulk.ts';
import { listKeyedFollows } from './list-follows.ts';
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
  /** SHA-256 of what stands in the secret address, in hexadecimal; null for a list that has none. */
  secret_digest: string | null;
  created_at: string;
  updated_at: string;
  /** How often the list was changed; a form says which version it showed. */
  version: bigint;
  /** The members of its file that the garden does not know, as JSON; null without any. */
  extras: string | null;
}

export interface ListSectionsTable {
  list_id: bigint;
  /** From 1, without a gap. */
  position: bigint;
  /** Empty for problems that stand below no heading. */
  name: string;
  /** As those of the list. */
  extras: string | null;
}

/** A problem in a list. A list has a problem once. */
export interface ListItemsTable {
  list_id: bigint;
  /** The position of its section. */
  section: bigint;
  /** From 1 through the whole list. It has gaps where a problem was deleted. */
  position: bigint;
  problem_id: bigint;
  memo: string | null;
  /** When the problem came into the list. */
  added_at: string;
  /** As those of the list. */
  extras: string | null;
}

declare module './tables.ts' {
  interface Tables {
    lists: ListsTable;
    list_sections: ListSectionsTable;
    list_items: ListItemsTable;
  }
}

/* The people who may see a list. */

/** A member's id, or the column that has it. */
type MemberId = bigint | RawBuilder<bigint>;

/** With a literal, because SQLite takes the index of the garden's lists for no parameter. */
const ofGarden = sql<SqlBool>`lists.visibility = 'garden'`;

/** Whether a list of the statement is given to a group that this member is in, by its owner, who coaches there. */
const isGivenTo = (memberId: MemberId) => sql<SqlBool>`EXISTS (
  SELECT 1 FROM group_lists
  INNER JOIN group_members AS pupils ON pupils.group_id = group_lists.group_id AND pupils.user_id = ${memberId}
  INNER JOIN group_members AS coaches ON coaches.group_id = group_lists.group_id
    AND coaches.user_id = lists.owner_id AND coaches.role = 'coach'
  WHERE group_lists.list_id = lists.id)`;

/** Whether a member may see a list of the statement: their own, everybody's, or what a coach of theirs gave. */
export const isVisibleTo = (memberId: MemberId) =>
  sql<SqlBool>`(${ofGarden} OR lists.owner_id = ${memberId} OR ${isGivenTo(memberId)})`;

/** A list with its owner's name, how many problems it has, and how many of them the member who looks at it has solved. */
export interface ShownList extends Omit<ListsTable, 'secret_digest' | 'extras'> {
  owner: string;
  problems: bigint;
  solved: bigint;
  /** 1 where the visitor may see the public page of the list's owner. */
  has_page: bigint;
}

/** How many problems each row of `lists` has, and how many of them this member has solved; null has solved nothing. */
export function countsFor(db: Db, memberId: bigint | null) {
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
/** By the last change. */
const newestFirst = sql`lists.updated_at desc, lists.id desc`;

/** Lists with the progress of one member in them, or of nobody for a visitor who is not signed in. */
function shownLists(db: Db, member: bigint | undefined) {
  return db
    .selectFrom('lists')
    .innerJoin('members', 'members.id', 'lists.owner_id')
    .select(shownColumns.map((column) => `lists.${column}` as const))
    .select('members.username as owner')
    .select(hasPageFor(member === undefined ? 'everyone' : 'members'))
    .select(countsFor(db, member ?? null));
}

/** A list that the member, or somebody who is not signed in, may see; undefined for all others. */
export async function findVisibleList(
  db: Db,
  id: bigint,
  memberId: bigint | undefined,
): Promise<ShownList | undefined> {
  const isVisible = memberId === undefined ? ofGarden : isVisibleTo(memberId);
  return shownLists(db, memberId).where('lists.id', '=', id).where(isVisible).executeTakeFirst();
}

/** The list whose secret address has this digest, unless its owner is shut out. */
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

/** The member's own lists, the newest change first. */
export function listOwnLists(db: Db, memberId: bigint): Promise<ShownList[]> {
  return shownLists(db, memberId).where('owner_id', '=', memberId).orderBy(newestFirst).execute();
}

/** The garden's lists that others made, the newest change first. */
export function listGardenLists(db: Db, memberId: bigint, offset: number, limit: number) {
  return shownLists(db, memberId)
    .where(ofGarden)
    .where('owner_id', '!=', memberId)
    .orderBy(newestFirst)
    .offset(offset)
    .limit(limit)
    .execute();
}

const gardenListsFor = (db: Db, ownerId: bigint, memberId: bigint | undefined) =>
  shownLists(db, memberId).where(ofGarden).where('owner_id', '=', ownerId).orderBy(newestFirst);
const gardenListsForAll = prepared((db, { ownerId }: { ownerId: bigint }) =>
  gardenListsFor(db, ownerId, undefined),
);
const gardenListsForMembers = prepared((db, { ownerId, memberId }: { ownerId: bigint; memberId: bigint }) =>
  gardenListsFor(db, ownerId, memberId),
);

/** The lists of one member that are the garden's, the newest change first, with the progress of the visitor in them. */
export const listGardenListsOf = (
  db: Db,
  ownerId: bigint,
  memberId: bigint | undefined,
): Promise<ShownList[]> =>
  memberId === undefined
    ? gardenListsForAll(db, { ownerId })
    : gardenListsForMembers(db, { ownerId, memberId });

const listsOfProblemAtMost = 10;

export type ListOfProblem = Pick<ListsTable, 'id' | 'name'>;

/** The lists with this problem that the member may see. */
export const listListsOfProblem = prepared(
  (db, { problemId, memberId }: { problemId: bigint; memberId: bigint }) =>
    db
      .selectFrom('list_items')
      .innerJoin('lists', 'lists.id', 'list_items.list_id')
      .select(['lists.id', 'lists.name'])
      .where('problem_id', '=', problemId)
      .where(isVisibleTo(memberId))
      .orderBy(newestFirst)
      .limit(listsOfProblemAtMost),
);

/** The member's own list, with everything that is stored of it. */
export const findOwnList = (db: Db, id: bigint, memberId: bigint) =>
  findRow(db, 'lists', { id, owner_id: memberId });

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
  return Number(await countRows(db.selectFrom('lists').where('owner_id', '=', memberId)));
}

/** Makes an empty list and answers its id. */
export const insertList = (tx: Db, row: Omit<ListsTable, 'id' | 'version'>) =>
  insertRow(tx, 'lists', { ...row, version: 1n });

/**
 * Counts a change of a member's own list and writes these columns; false where there is no such list, or where it is not the
 * version any more that was `seen`. It comes before every other write to the list, so that two of them take turns.
 */
export async function changeList(
  tx: Db,
  { id, owner_id }: Pick<ListsTable, 'id' | 'owner_id'>,
  values: Partial<Pick<ListsTable, 'name' | 'visibility' | 'secret_digest' | 'extras'>>,
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
  if (numUpdatedRows === 0n) return false;
  if (values.name !== undefined) await renameInPlants(tx, id, values.name);
  return true;
}

/** Plants of members who may see the list know its last name, also when it is gone. */
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

/* The sections and problems of lists, read for pages and written as a whole. */

/** A problem of a list, with the problem's own columns. */
export type ProblemInList = Omit<ListItemsTable, 'list_id' | 'problem_id'> & ProblemRow;

/** The content of a section: its problems in their order. */
export interface SectionContent {
  name: string;
  extras?: string | null | undefined;
  items: readonly (Pick<ListItemsTable, 'problem_id' | 'memo' | 'added_at'> &
    Pick<SectionContent, 'extras'>)[];
}

/** Some of the problems of a list, by their places in it. */
interface Part {
  offset?: number;
  limit?: number;
}

/** A section with those of its problems that are asked for. */
export interface ListSection {
  position: bigint;
  name: string;
  extras: string | null;
  problems: readonly ProblemInList[];
}

export async function listSections(db: Db, listId: bigint, part?: Part): Promise<ListSection[]> {
  const bySection = Map.groupBy(await listListed(db, listId, part), ({ section }) => section);
  const sections = await listRows(db, 'list_sections', { list_id: listId }, 'position');
  return sections.map(({ list_id: _, ...section }) => {
    return { ...section, problems: bySection.get(section.position) ?? [] };
  });
}

/** The problems of a list in their order. */
export function listListed(
  db: Db,
  listId: bigint,
  { offset = 0, limit }: Part = {},
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

/** Writes all sections and problems of a list anew. */
export async function writeContent(
  tx: Db,
  listId: bigint,
  content: readonly SectionContent[],
): Promise<void> {
  await deleteRows(tx, 'list_sections', { list_id: listId });
  const sections = content.map(({ name, extras = null }, at) => {
    return { list_id: listId, position: BigInt(at + 1), name, extras };
  });
  await insertMany(tx, 'list_sections', sections);
  let position = 0n;
  const items = content.flatMap(({ items }, at) =>
    items.map(({ problem_id, memo, added_at, extras = null }) => {
      position += 1n;
      return { list_id: listId, section: BigInt(at + 1), position, problem_id, memo, added_at, extras };
    }),
  );
  await insertMany(tx, 'list_items', items);
}

/** The present content of a list, in the shape in which it is written. */
export const readContent = async (db: Db, listId: bigint): Promise<SectionContent[]> =>
  (await readContents(db, [listId])).get(listId) ?? [];

/** The sections of lists, whose problems have their keys as well. */
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
  const whole = sections.map(({ list_id, position, name, extras }) => {
    return { list_id, name, extras, items: bySection.get(`${list_id} ${position}`) ?? [] };
  });
  return Map.groupBy(whole, ({ list_id }) => list_id);
}

/* Lists as whole rows, for exports: each with its sections and the keys of their problems. */

/** The order of exported lists, which is the same in every garden for those of one member. */
export const listOrder = sortFieldsOf('lists', {
  owner_id: 'integer',
  created_at: 'text',
  name: 'text',
  id: 'integer',
});

/** Some lists are large, so fewer are read at once than an export asks for. */
const readAtOnce = 20;

export async function listKeyedLists(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('lists')
    .select(['lists.id', 'owner_id', 'name', 'visibility', 'created_at', 'updated_at', 'extras'])
    .select(columnOf('members', 'username', 'lists.owner_id'));
  if (user !== undefined) query = query.where('owner_id', '=', user);
  const lists = await paged(query, { ...page, limit: Math.min(page.limit, readAtOnce) }).execute();
  const ids = lists.map(({ id }) => id);
  if (ids.length === 0) return [];
  const contents = await readContents(db, ids);
  const follows = await listKeyedFollows(db, ids);
  return lists.map(({ extras: ofList, ...list }) => ({
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
      ...(ofList !== null && { extras: ofList }),
    }),
  }));
}

/** A member's lists that were made at this moment. */
export const findListsMadeAt = (db: Db, owner_id: bigint, created_at: string) =>
  listRows(db, 'lists', { owner_id, created_at }, 'id');

/*
 * How far members are in the lists for which they have plants. Every read goes from the problems of a list to the member's status
 * of each, by the primary keys of both, so it costs what the lists have and not what the member did.
 */

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

/**
 * As a scalar it is looked up item by item; PostgreSQL might compare all items with all statuses in a join. An empty text is an
 * unknown moment.
 */
const completedAt = (db: Db, userId: bigint) =>
  completedBy(db, userId)
    .select(sql<string>`coalesce(${reachedAt}, '')`.as('at'))
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
    ])
    .select(sql<string | null>`nullif(max(completed_at), '')`.as('last_at'))
    .select(sql<bigint>`count(CASE WHEN completed_at >= ${since} THEN 1 END)`.as('since'))
    .groupBy(['list_id', 'name'])
    .execute();
}

/** The problems of a list that a member completed, the first one first; none of a list that they may not see. */
export async function listCompletedOfList(db: Db, userId: bigint, listId: bigint): Promise<Completion[]> {
  const rows = await seenItems(db, userId, [listId])
    .selectFrom('items')
    .select(['problem_id', 'completed_at'])
    .where('completed_at', 'is not', null)
    .orderBy('completed_at')
    .orderBy('problem_id')
    .$narrowType<{ problem_id: bigint }>()
    .execute();
  return rows.map((row) => ({ ...row, completed_at: row.completed_at || null }));
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
    .orderBy(newestFirst)
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
        db.selectFrom(latestFirstSolved(db, userId, limit).as('latest')).select('latest.problem_id'),
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
