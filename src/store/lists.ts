/** Lists of problems in the store: who may see one, and what is in it. Their rules are in `practice/lists.ts`. */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { giveIds } from './ids.ts';
import type { ListsTable, Visibility } from './list-tables.ts';
import { isVisibleTo, ofGarden } from './list-visibility.ts';
import { hasPageFor } from './public-pages.ts';
import { shownStatus } from './statuses.ts';
import type { Db } from './tables.ts';

/** A list with its owner's name, how many problems it has, and how many of them the member who looks at it has solved. */
export interface ShownList extends Omit<ListsTable, 'secret_digest'> {
  owner: string;
  problems: bigint;
  solved: bigint;
  /** 1 where the visitor may see the public page of the list's owner. */
  has_page: bigint;
}

/** How many problems each row of `lists` has, and how many of them this member has solved. */
export function countsFor(db: Db, memberId: bigint) {
  const items = db
    .selectFrom('list_items')
    .where('list_items.list_id', '=', sql.ref<bigint>('lists.id'))
    .select(sql<bigint>`count(*)`.as('n'));
  const solved = items
    .innerJoin('statuses', 'statuses.problem_id', 'list_items.problem_id')
    .where('statuses.user_id', '=', memberId)
    .where(shownStatus, '=', 'complete');
  return [items.$asScalar().$notNull().as('problems'), solved.$asScalar().$notNull().as('solved')] as const;
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

/** Nobody has this id, and so no progress. */
const nobody = 0n;

/** Lists with the progress of one member in them, or of nobody for a visitor who is not signed in. */
function shownLists(db: Db, member: bigint | undefined) {
  return db
    .selectFrom('lists')
    .innerJoin('members', 'members.id', 'lists.owner_id')
    .select(shownColumns)
    .select('members.username as owner')
    .select(hasPageFor(member === undefined ? 'everyone' : 'members'))
    .select(countsFor(db, member ?? nobody));
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

/** The lists of one member that are the garden's, the newest change first, with the progress of the visitor in them. */
export function listGardenListsOf(
  db: Db,
  ownerId: bigint,
  memberId: bigint | undefined,
): Promise<ShownList[]> {
  const name = memberId === undefined ? 'listGardenListsForAll' : 'listGardenListsForMembers';
  return runCompiled(db, name, [memberId ?? nobody, 'complete', ownerId], () =>
    shownLists(db, memberId)
      .where(ofGarden)
      .where('owner_id', '=', ownerId)
      .orderBy('lists.updated_at', 'desc')
      .orderBy('lists.id', 'desc'),
  );
}

const listsOfProblemAtMost = 10;

export type ListOfProblem = Pick<ListsTable, 'id' | 'name'>;

/** The lists with this problem that the member may see. */
export function listListsOfProblem(db: Db, problemId: bigint, memberId: bigint): Promise<ListOfProblem[]> {
  const parameters = [problemId, memberId, memberId, listsOfProblemAtMost];
  return runCompiled(db, 'listListsOfProblem', parameters, () =>
    db
      .selectFrom('list_items')
      .innerJoin('lists', 'lists.id', 'list_items.list_id')
      .select(['lists.id', 'lists.name'])
      .where('problem_id', '=', problemId)
      .where(isVisibleTo(memberId))
      .orderBy('lists.updated_at', 'desc')
      .orderBy('lists.id', 'desc')
      .limit(listsOfProblemAtMost),
  );
}

/** The member's own list, with everything that is stored of it. */
export async function findOwnList(db: Db, id: bigint, memberId: bigint): Promise<ListsTable | undefined> {
  const query = db.selectFrom('lists').selectAll().where('id', '=', id).where('owner_id', '=', memberId);
  return query.executeTakeFirst();
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

export async function deleteList(tx: Db, id: bigint, ownerId: bigint): Promise<boolean> {
  const query = tx.deleteFrom('lists').where('id', '=', id).where('owner_id', '=', ownerId);
  const { numDeletedRows } = await query.executeTakeFirst();
  return numDeletedRows > 0n;
}

export const visibilities: readonly Visibility[] = ['private', 'garden', 'secret'];
