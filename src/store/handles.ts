/** Handles: the names of members at judges. What was sent under them is in `solves.ts`. */
import { sql } from 'kysely';
import { insertMany, runCompiled, updateRow } from './bulk.ts';
import { fold } from './case-folding.ts';
import { giveIds } from './ids.ts';
import type { HandlesTable } from './judged-tables.ts';
import { type Page, paged, sortField } from './keyset.ts';
import { columnOf } from './listings.ts';
import type { Db } from './tables.ts';

/** A handle with its member's name, and how much was sent under it. */
export type CountedHandle = Omit<HandlesTable, 'name_key'> & {
  username: string;
  is_sample: bigint;
  submissions: bigint;
  last_submitted_at: string | null;
};

export async function findHandle(db: Db, id: bigint): Promise<HandlesTable | undefined> {
  return db.selectFrom('handles').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The handles of one member at one judge. */
export async function listHandlesAt(db: Db, userId: bigint, source: string): Promise<HandlesTable[]> {
  return db
    .selectFrom('handles')
    .selectAll()
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .orderBy('id')
    .execute();
}

/** The handles of one member, or of all members if `userId` is undefined. */
export async function listHandles(db: Db, userId?: bigint): Promise<CountedHandle[]> {
  const rows = handlesWithMembers(db, userId).select([
    ofSolves('count(*)').as('submissions'),
    ofSolves('max(submitted_at)').as('last_submitted_at'),
  ]);
  return (await rows.execute()) as CountedHandle[];
}

/** The same without figures of their submissions, which take long in a long history. */
export function listNamedHandles(db: Db, userId?: bigint) {
  const [name, parameters] = userId === undefined ? ['of all', []] : ['of one', [userId]];
  return runCompiled(db, `listNamedHandles ${name}`, parameters, () => handlesWithMembers(db, userId));
}

function handlesWithMembers(db: Db, userId: bigint | undefined) {
  const query = db
    .selectFrom('handles')
    .innerJoin('members', 'members.id', 'handles.user_id')
    .select([
      'handles.id',
      'user_id',
      'username',
      'source',
      'name',
      'handles.created_at',
      'brought_at',
      'is_sample',
    ])
    .orderBy('user_id')
    .orderBy('source')
    .orderBy('handles.id');
  return userId === undefined ? query : query.where('user_id', '=', userId);
}

/** The handles that judges are asked about: those of the sample are nobody's. */
function realHandles(db: Db) {
  const real = db.selectFrom('members').select('members.id').where('is_sample', '=', 0n);
  return db.selectFrom('handles').where('user_id', 'in', real);
}

/** The judges at which somebody has a handle. */
export async function listSourcesOfHandles(db: Db): Promise<string[]> {
  const rows = await realHandles(db).select('source').distinct().orderBy('source').execute();
  return rows.map(({ source }) => source);
}

/** All names at a judge. Two members may have linked one. */
export async function listNamesAt(db: Db, source: string): Promise<string[]> {
  const rows = await realHandles(db)
    .select('name')
    .distinct()
    .where('source', '=', source)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The handles of this name at a judge, in any case, of all members. */
export async function findHandlesNamed(db: Db, source: string, name: string): Promise<HandlesTable[]> {
  return handlesNamed(db, source, name).orderBy('id').execute();
}

/** That of one member. */
export async function findHandleByName(db: Db, userId: bigint, source: string, name: string) {
  return handlesNamed(db, source, name).where('user_id', '=', userId).executeTakeFirst();
}

function handlesNamed(db: Db, source: string, name: string) {
  const all = db.selectFrom('handles').selectAll();
  return all.where('source', '=', source).where('name_key', '=', fold(name));
}

export async function setHandleName(tx: Db, id: bigint, name: string): Promise<void> {
  await tx
    .updateTable('handles')
    .set({ name, name_key: fold(name) })
    .where('id', '=', id)
    .execute();
}

/** The ids of a member's handles, for a condition. */
export function handlesOf(db: Db, userId: bigint) {
  return db.selectFrom('handles').select('handles.id').where('user_id', '=', userId);
}

/** A figure of all submissions of the handle in the same row. */
function ofSolves(figure: string) {
  return sql`(select ${sql.raw(figure)} from solves where solves.handle_id = handles.id)`;
}

/** Adds a handle, which the member must not have yet. */
export async function insertHandle(
  tx: Db,
  row: Omit<HandlesTable, 'id' | 'name_key' | 'brought_at'>,
): Promise<HandlesTable> {
  const [id = 0n] = await giveIds(tx, 'handles', 1);
  const handle = { ...row, id, name_key: fold(row.name), brought_at: null };
  await insertMany(tx, 'handles', [handle]);
  return handle;
}

/** Notes that an import brought something new at this moment. */
export async function noteBrought(tx: Db, id: bigint, at: string): Promise<void> {
  await tx.updateTable('handles').set({ brought_at: at }).where('id', '=', id).execute();
}

/** Deletes a handle with all submissions that are kept of it. */
export async function deleteHandle(tx: Db, id: bigint): Promise<void> {
  await tx.deleteFrom('handles').where('id', '=', id).execute();
}

/** Writes the name and time of a handle that the member has. */
export async function updateHandle(tx: Db, row: HandlesTable): Promise<void> {
  await updateRow(tx, 'handles', ['id'], row);
}

/** The order of exported handles, which is the same in every garden for those of one member. */
export const handleOrder = ['user_id', 'source', 'name_key'].map((name) =>
  sortField(name, name === 'user_id' ? 'integer' : 'text', sql.ref(`handles.${name}`)),
);

/** Handles with the names of their members, for exports. */
export async function listKeyedHandles(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('handles')
    .select(['user_id', 'source', 'name', 'name_key', 'created_at'])
    .select(columnOf('members', 'username', 'handles.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  return paged(query, page).execute();
}
