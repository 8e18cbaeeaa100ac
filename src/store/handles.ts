/** Handles: the names of members at judges. Their submissions are in `solves.ts`. */
import { sql } from 'kysely';
import { preparedForMany } from './bulk.ts';
import { fold } from './case-folding.ts';
import { columnOf, type Page, paged, sortField } from './listings.ts';
import { prepared } from './prepared.ts';
import { deleteRows, findRow, insertRow, listRows, updateRow, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

export interface HandlesTable {
  id: bigint;
  user_id: bigint;
  source: string;
  name: string;
  name_key: string;
  created_at: string;
  imported_at: string | null;
}

export type CountedHandle = Omit<HandlesTable, 'name_key'> & {
  username: string;
  is_sample: bigint;
  submissions: bigint;
  last_submitted_at: string | null;
};

export const findHandle = (db: Db, id: bigint) => findRow(db, 'handles', { id });

export const listHandlesAtJudge = (db: Db, userId: bigint, source: string) =>
  listRows(db, 'handles', { user_id: userId, source }, 'id');

export async function listHandles(db: Db, userId?: bigint): Promise<CountedHandle[]> {
  const rows = handlesWithMembers(db, userId).select([
    aggregateSolves('count(*)').as('submissions'),
    aggregateSolves('max(submitted_at)').as('last_submitted_at'),
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
      'imported_at',
      'is_sample',
    ])
    .orderBy('user_id')
    .orderBy('source')
    .orderBy('handles.id');
  return userId === undefined ? query : query.where('user_id', '=', userId);
}

const allHandles = prepared((db) => handlesWithMembers(db));
const handlesOfMember = prepared((db, { userId }: { userId: bigint }) => handlesWithMembers(db, userId));

/** Counting submissions takes long in a long history. */
export const listHandlesWithoutCounts = (db: Db, userId?: bigint) =>
  userId === undefined ? allHandles(db) : handlesOfMember(db, { userId });

/** Judges are not queried about handles of the sample. */
function realHandles(db: Db) {
  const real = db.selectFrom('members').select('members.id').where('is_sample', '=', 0n);
  return db.selectFrom('handles').where('user_id', 'in', real);
}

/** Of people who are counted: not of the sample, and not disabled. */
export const countedHandles = (db: Db, sources: readonly string[]) =>
  realHandles(db)
    .innerJoin('members', 'members.id', 'user_id')
    .where('is_disabled', '=', 0n)
    .where('source', 'in', sources);

export async function listMembersWithHandles(db: Db, sources: readonly string[]): Promise<bigint[]> {
  const rows = await countedHandles(db, sources).select('user_id').distinct().execute();
  return rows.map(({ user_id }) => user_id);
}

export async function listSourcesOfHandles(db: Db): Promise<string[]> {
  const rows = await realHandles(db).select('source').distinct().orderBy('source').execute();
  return rows.map(({ source }) => source);
}

function realHandlesOfGroup(db: Db, groupId: bigint) {
  const people = db.selectFrom('group_members').select('user_id').where('group_id', '=', groupId);
  return realHandles(db).where('user_id', 'in', people);
}

export async function listSourcesOfGroup(db: Db, groupId: bigint): Promise<string[]> {
  const rows = await realHandlesOfGroup(db, groupId).select('source').distinct().execute();
  return rows.map(({ source }) => source);
}

export const listHandlesOfGroup = (db: Db, groupId: bigint, source: string): Promise<HandlesTable[]> =>
  realHandlesOfGroup(db, groupId).selectAll().where('source', '=', source).orderBy('id').execute();

export async function listHandleNamesAtJudge(db: Db, source: string): Promise<string[]> {
  const rows = await realHandles(db)
    .select('name')
    .distinct()
    .where('source', '=', source)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function findHandlesNamed(db: Db, source: string, name: string): Promise<HandlesTable[]> {
  return handlesNamed(db, source, name).orderBy('id').execute();
}

/** Of members whose handles are synced. `names` are case-folded. */
export const listSyncedHandles = preparedForMany(
  (db, names: readonly string[], { source }: { source: string }) =>
    db
      .selectFrom('handles')
      .innerJoin('members', 'members.id', 'user_id')
      .selectAll('handles')
      .where('source', '=', source)
      .where('name_key', 'in', names)
      .where('is_sample', '=', 0n)
      .where('is_disabled', '=', 0n),
);

export async function findHandleByName(db: Db, userId: bigint, source: string, name: string) {
  return handlesNamed(db, source, name).where('user_id', '=', userId).executeTakeFirst();
}

/** Files from before a rename have the former name, which counts only while no other handle of the member has it. */
export async function findHandleWithFormerName(db: Db, userId: bigint, source: string, name: string) {
  const handles = await listHandlesAtJudge(db, userId, source);
  const found = handles.find(({ name_key }) => name_key === fold(name));
  if (found || handles.length === 0) return found;
  const renames = await listRenames(db, ...handles.map(({ id }) => id));
  const former = renames.find(({ before }) => fold(before) === fold(name));
  return handles.find(({ id }) => id === former?.handle_id);
}

function handlesNamed(db: Db, source: string, name: string) {
  const all = db.selectFrom('handles').selectAll();
  return all.where('source', '=', source).where('name_key', '=', fold(name));
}

export const setHandleName = (tx: Db, id: bigint, name: string) =>
  updateRows(tx, 'handles', { id }, { name, name_key: fold(name) });

export function handlesOf(db: Db, userId: bigint) {
  return db.selectFrom('handles').select('handles.id').where('user_id', '=', userId);
}

function aggregateSolves(aggregate: string) {
  return sql`(select ${sql.raw(aggregate)} from solves where solves.handle_id = handles.id)`;
}

export async function insertHandle(
  tx: Db,
  row: Omit<HandlesTable, 'id' | 'name_key' | 'imported_at'>,
): Promise<HandlesTable> {
  const handle = { ...row, name_key: fold(row.name), imported_at: null };
  return { ...handle, id: await insertRow(tx, 'handles', handle) };
}

export const saveBrowserSync = (tx: Db, id: bigint, at: string) =>
  updateRows(tx, 'handles', { id }, { imported_at: at });

export const deleteHandle = (tx: Db, id: bigint) => deleteRows(tx, 'handles', { id });

export async function updateHandle(tx: Db, row: HandlesTable): Promise<void> {
  await updateRow(tx, 'handles', ['id'], row);
}

/** Sorts by names and not by ids, so two gardens list the handles of a member in the same order. */
export const handleOrder = ['user_id', 'source', 'name_key'].map((name) =>
  sortField(name, name === 'user_id' ? 'integer' : 'text', sql.ref(`handles.${name}`)),
);

export async function exportHandles(db: Db, user: bigint | undefined, page: Page) {
  let query = db
    .selectFrom('handles')
    .select(['handles.id', 'user_id', 'source', 'name', 'name_key', 'created_at'])
    .select(columnOf('members', 'username', 'handles.user_id'));
  if (user !== undefined) query = query.where('user_id', '=', user);
  const handles = await paged(query, page).execute();
  const renames = await listRenames(db, ...handles.map(({ id }) => id));
  return handles.map((handle) => {
    const own = renames.filter(({ handle_id }) => handle_id === handle.id);
    const names = Object.fromEntries(own.map(({ before, renamed_at }) => [before, renamed_at]));
    return { ...handle, former_names: own.length > 0 ? JSON.stringify(names) : null };
  });
}

export interface HandleProofsTable {
  handle_id: bigint;
  method: 'submission' | 'openid' | 'confirmation';
  subject: string | null;
  proved_at: string;
}

/** The submission that a member was last to send as a proof. */
export interface ProofTasksTable {
  user_id: bigint;
  source: string;
  handle_id: bigint | null;
  problem_id: bigint;
  /** When the problem was chosen; another one is chosen only some time later. */
  drawn_at: string;
  /** A submission proves the handle from this moment on. */
  begun_at: string;
  /** When the judge was last queried for the submission. */
  asked_at: string;
}

export interface HandleRenamesTable {
  handle_id: bigint;
  /** The former name. */
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

const renamesOf = preparedForMany((db, handleIds: readonly bigint[]) =>
  db
    .selectFrom('handle_renames')
    .selectAll()
    .where('handle_id', 'in', handleIds)
    .orderBy('renamed_at', 'desc')
    .orderBy('before'),
);

export const listRenames = (db: Db, ...handleIds: readonly bigint[]) => renamesOf(db, handleIds);

/** A handle that has a former name again loses the row of that name. */
export async function saveRename(
  tx: Db,
  handle_id: bigint,
  { from, to, at }: { from: string; to: string; at: string },
): Promise<void> {
  for (const { before } of await listRenames(tx, handle_id))
    if (fold(before) === fold(to)) await deleteRows(tx, 'handle_renames', { handle_id, before });
  await upsertRow(tx, 'handle_renames', ['handle_id', 'before'], { handle_id, before: from, renamed_at: at });
}

export async function moveRenames(tx: Db, from: bigint, to: bigint): Promise<void> {
  await tx
    .updateTable('handle_renames')
    .set({ handle_id: to })
    .where('handle_id', '=', from)
    .where('before', 'not in', (eb) =>
      eb.selectFrom('handle_renames as others').select('others.before').where('others.handle_id', '=', to),
    )
    .execute();
}

export const findProof = (db: Db, handleId: bigint) => findRow(db, 'handle_proofs', { handle_id: handleId });

/** A later proof without the judge's id of the person keeps the id of an earlier one. */
export async function saveProof(tx: Db, proof: HandleProofsTable): Promise<void> {
  const { method, proved_at, subject } = proof;
  const next = { method, proved_at, ...(subject !== null && { subject }) };
  await tx
    .insertInto('handle_proofs')
    .values(proof)
    .onConflict((conflict) => conflict.column('handle_id').doUpdateSet(next))
    .execute();
}

/** The member must draw a problem again; the time of the last draw stays. */
export async function deleteProof(tx: Db, handleId: bigint): Promise<void> {
  await deleteRows(tx, 'handle_proofs', { handle_id: handleId });
  await updateRows(tx, 'proof_tasks', { handle_id: handleId }, { handle_id: null });
}

export async function moveProof(tx: Db, from: bigint, to: bigint): Promise<void> {
  if (await findProof(tx, to)) return;
  await tx.updateTable('handle_proofs').set({ handle_id: to }).where('handle_id', '=', from).execute();
}

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

export async function listProvedHandles(db: Db, userId: bigint) {
  return db
    .selectFrom('handles')
    .leftJoin('handle_proofs', 'handle_proofs.handle_id', 'handles.id')
    .select(['handles.id', 'source', 'name', 'name_key', 'method', 'proved_at'])
    .where('user_id', '=', userId)
    .orderBy('source')
    .orderBy('handles.id')
    .execute();
}

/** The other members who proved this handle, for staff alone. */
export async function listOthersWithProof(
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

export const findProofTask = (db: Db, userId: bigint, source: string) =>
  findRow(db, 'proof_tasks', { user_id: userId, source });

export const saveProofTask = (tx: Db, row: ProofTasksTable) =>
  upsertRow(tx, 'proof_tasks', ['user_id', 'source'], row);
