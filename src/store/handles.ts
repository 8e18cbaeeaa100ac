/** Handles: the names of members at judges. What was sent under them is in `solves.ts`. */
import { sql } from 'kysely';
import { fold } from './case-folding.ts';
import { columnOf, type Page, paged, sortField } from './listings.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, insertRow, listRows, putRow, updateRow, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

/** The name of a member at a judge. */
export interface HandlesTable {
  id: bigint;
  user_id: bigint;
  source: string;
  /** As the judge spells it. */
  name: string;
  /** The name after case folding. */
  name_key: string;
  created_at: string;
  /** When an import last brought something new; null while nothing came. */
  brought_at: string | null;
}

/** A handle with its member's name, and how much was sent under it. */
export type CountedHandle = Omit<HandlesTable, 'name_key'> & {
  username: string;
  is_sample: bigint;
  submissions: bigint;
  last_submitted_at: string | null;
};

export const findHandle = (db: Db, id: bigint) => findRow(db, 'handles', { id });

/** The handles of one member at one judge. */
export const listHandlesAt = (db: Db, userId: bigint, source: string) =>
  listRows(db, 'handles', { user_id: userId, source }, 'id');

/** The handles of one member, or of all members if `userId` is undefined. */
export async function listHandles(db: Db, userId?: bigint): Promise<CountedHandle[]> {
  const rows = handlesWithMembers(db, userId).select([
    ofSolves('count(*)').as('submissions'),
    ofSolves('max(submitted_at)').as('last_submitted_at'),
  ]);
  return (await rows.execute()) as CountedHandle[];
}

function handlesWithMembers(db: Db, userId?: bigint) {
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

const allNamedHandles = prepared((db) => handlesWithMembers(db));
const namedHandlesOf = prepared((db, { userId }: { userId: bigint }) => handlesWithMembers(db, userId));

/** The handles of a member, or of all, without figures of their submissions, which take long in a long history. */
export const listNamedHandles = (db: Db, userId?: bigint) =>
  userId === undefined ? allNamedHandles(db) : namedHandlesOf(db, { userId });

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

/** The judges at which people of a group have handles. */
export async function listSourcesOfGroup(db: Db, groupId: bigint): Promise<string[]> {
  const theirs = db.selectFrom('group_members').select('user_id').where('group_id', '=', groupId);
  const rows = await realHandles(db).select('source').distinct().where('user_id', 'in', theirs).execute();
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

/** The handle of this name of one member. */
export async function findHandleByName(db: Db, userId: bigint, source: string, name: string) {
  return handlesNamed(db, source, name).where('user_id', '=', userId).executeTakeFirst();
}

function handlesNamed(db: Db, source: string, name: string) {
  const all = db.selectFrom('handles').selectAll();
  return all.where('source', '=', source).where('name_key', '=', fold(name));
}

export const setHandleName = (tx: Db, id: bigint, name: string) =>
  updateRows(tx, 'handles', { id }, { name, name_key: fold(name) });

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
  const handle = { ...row, name_key: fold(row.name), brought_at: null };
  return { ...handle, id: await insertRow(tx, 'handles', handle) };
}

/** Notes that an import brought something new at this moment. */
export const noteBrowserSync = (tx: Db, id: bigint, at: string) =>
  updateRows(tx, 'handles', { id }, { brought_at: at });

/** Deletes a handle with all submissions that are kept of it. */
export const deleteHandle = (tx: Db, id: bigint) => deleteRows(tx, 'handles', { id });

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

/* The tables of proofs: which handles are proved, how they are being proved, and the names that they had. */

/** A proof that a handle is its member's, as the judge showed. */
export interface HandleProofsTable {
  handle_id: bigint;
  /** By a submission that the member was asked for, or by signing in at the judge, or by confirming a token there. */
  way: 'submission' | 'openid' | 'confirmation';
  /** The judge's own id of the person, where it was told. */
  subject: string | null;
  proved_at: string;
}

/** The submission that a member was last asked to send to a judge as a proof. */
export interface ProofTasksTable {
  user_id: bigint;
  source: string;
  /** Null once the handle is proved or unlinked. */
  handle_id: bigint | null;
  problem_id: bigint;
  /** When the problem was chosen; another one is chosen only some time later. */
  drawn_at: string;
  begun_at: string;
  /** When the judge was last asked; the beginning counts as well. */
  asked_at: string;
}

/** A former name of a handle. */
export interface HandleRenamesTable {
  handle_id: bigint;
  before: string;
  renamed_at: string;
}

declare module './tables.ts' {
  interface Tables {
    handles: HandlesTable;
    handle_proofs: HandleProofsTable;
    proof_tasks: ProofTasksTable;
    handle_renames: HandleRenamesTable;
  }
}

/* The former names of handles. */

/** The former names of a handle, the newest first. */
export async function listRenames(db: Db, handleId: bigint): Promise<HandleRenamesTable[]> {
  return db
    .selectFrom('handle_renames')
    .selectAll()
    .where('handle_id', '=', handleId)
    .orderBy('renamed_at', 'desc')
    .orderBy('before')
    .execute();
}

/** Writes down that a handle has another name. A name that it has again is no former one. */
export async function noteRename(
  tx: Db,
  handle_id: bigint,
  { from, to, at }: { from: string; to: string; at: string },
): Promise<void> {
  await deleteRows(tx, 'handle_renames', { handle_id, before: to });
  await putRow(tx, 'handle_renames', ['handle_id', 'before'], { handle_id, before: from, renamed_at: at });
}

/** Gives the former names of a handle to the one that it is joined to. */
export async function moveRenames(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx
    .updateTable('handle_renames')
    .set({ handle_id: to })
    .where('handle_id', '=', from)
    .where('before', 'not in', (eb) =>
      eb.selectFrom('handle_renames as theirs').select('theirs.before').where('theirs.handle_id', '=', to),
    )
    .execute();
}

/* Proofs of handles, and the submissions that members were asked to send for them. */

export const findProof = (db: Db, handleId: bigint) => findRow(db, 'handle_proofs', { handle_id: handleId });

/** Keeps a proof. A later one without the judge's id of the person leaves the id of an earlier one. */
export async function saveProof(tx: Db, proof: HandleProofsTable): Promise<void> {
  const { way, proved_at, subject } = proof;
  const next = { way, proved_at, ...(subject !== null && { subject }) };
  await tx
    .insertInto('handle_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.column('handle_id').doUpdateSet(next))
    .execute();
}

/** Gives the proof of a handle to another one of the same member, which keeps its own if it has any. */
export async function moveProof(tx: Db, from: bigint, to: bigint): Promise<void> {
  if (await findProof(tx, to)) return;
  await tx.updateTable('handle_proofs').set({ handle_id: to }).where('handle_id', '=', from).execute();
}

/** The handle that the member proved as this person of the judge. */
export async function findHandleOfSubject(
  db: Db,
  userId: bigint,
  source: string,
  subject: string,
): Promise<HandlesTable | undefined> {
  return db
    .selectFrom('handles')
    .innerJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .selectAll('handles')
    .where('user_id', '=', userId)
    .where('source', '=', source)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** The handles of a member with their proofs, and whether another member proved the same one: for staff alone. */
export async function listProvedHandles(db: Db, userId: bigint) {
  return db
    .selectFrom('handles')
    .leftJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .select(['handles.id', 'source', 'name', 'name_key', 'way', 'proved_at'])
    .where('user_id', '=', userId)
    .orderBy('source')
    .orderBy('handles.id')
    .execute();
}

/** The other members who proved this handle, and when: for staff alone. */
export async function listOtherProvers(
  db: Db,
  userId: bigint,
  { source, name_key }: Pick<HandlesTable, 'source' | 'name_key'>,
): Promise<{ username: string; proved_at: string }[]> {
  return db
    .selectFrom('handles')
    .innerJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .innerJoin('members', 'members.id', 'handles.user_id')
    .select(['username', 'proved_at'])
    .where('source', '=', source)
    .where('name_key', '=', name_key)
    .where('user_id', '!=', userId)
    .orderBy('proved_at', 'desc')
    .execute();
}

/** The task that the member was last given at this judge. */
export const findProofTask = (db: Db, userId: bigint, source: string) =>
  findRow(db, 'proof_tasks', { user_id: userId, source });

export const saveProofTask = (tx: Db, row: ProofTasksTable) =>
  putRow(tx, 'proof_tasks', ['user_id', 'source'], row);
