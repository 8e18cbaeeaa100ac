/** Uploaded files, and the last import of each kind. */
import { sql } from 'kysely';
import { deleteRows, insertRow, updateRows, upsertRow } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    uploads: UploadsTable;
    imports: ImportsTable;
  }
}

/** The file itself is in a folder that all processes share. */
export interface UploadsTable {
  id: bigint;
  user_id: bigint;
  /** The pages on which it was uploaded, which decide what the file may change. */
  room: 'member' | 'staff';
  name: string;
  /** JSON of what the person chose in the form. */
  asked: string;
  bytes: bigint;
  state: UploadState;
  report: string | null;
  created_at: string;
  started_at: string | null;
  expires_at: string;
}
/** `refused` is a file that cannot be imported; `broken` is a run whose process died. */
export type UploadState =
  | 'arriving'
  | 'to-check'
  | 'checking'
  | 'checked'
  | 'to-import'
  | 'importing'
  | 'imported'
  | 'refused'
  | 'broken';

/** The last import of each kind of a judge's files that belong to no member. */
export interface ImportsTable {
  what: string;
  made_at: string;
  user_id: bigint | null;
  read: bigint;
  added: bigint;
  changed: bigint;
}

export type UploadScope = UploadsTable['room'];

export const busyStates: readonly UploadState[] = [
  'arriving',
  'to-check',
  'checking',
  'to-import',
  'importing',
];
export const waitingStates: readonly UploadState[] = ['to-check', 'to-import'];
const runningStates: readonly UploadState[] = ['checking', 'importing'];

export const insertUpload = (tx: Db, row: Omit<UploadsTable, 'id' | 'report' | 'started_at'>) =>
  insertRow(tx, 'uploads', { ...row, report: null, started_at: null });

export async function findUpload(
  db: Db,
  { id, userId, room }: { id: bigint; userId: bigint; room: UploadScope },
): Promise<UploadsTable | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('room', '=', room)
    .where('expires_at', '>', new Date().toISOString())
    .executeTakeFirst();
}

export async function listUploads(db: Db, userId: bigint, room?: UploadScope): Promise<UploadsTable[]> {
  let query = db
    .selectFrom('uploads')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date().toISOString());
  if (room !== undefined) query = query.where('room', '=', room);
  return query.orderBy('id', 'desc').execute();
}

export async function listUploadsInStates(db: Db, states: readonly UploadState[]): Promise<UploadsTable[]> {
  return db.selectFrom('uploads').selectAll().where('state', 'in', states).execute();
}

export const listRunningUploads = (db: Db): Promise<UploadsTable[]> => listUploadsInStates(db, runningStates);

export async function sumUploadBytes(db: Db): Promise<bigint> {
  const { sum } = await db
    .selectFrom('uploads')
    .select(sql<bigint | string | null>`sum(bytes)`.as('sum'))
    .executeTakeFirstOrThrow();
  return BigInt(sum ?? 0);
}

export const updateUploadInState = (
  tx: Db,
  id: bigint,
  from: UploadState,
  values: Partial<Omit<UploadsTable, 'id' | 'user_id' | 'room'>>,
) => updateRows(tx, 'uploads', { id, state: from }, values);

export const deleteUpload = (tx: Db, id: bigint) => deleteRows(tx, 'uploads', { id });

export async function deleteExpiredUploads(tx: Db, now: string): Promise<void> {
  await tx.deleteFrom('uploads').where('expires_at', '<=', now).execute();
}

export async function listUploadIds(db: Db): Promise<bigint[]> {
  return (await db.selectFrom('uploads').select('id').execute()).map(({ id }) => id);
}

export const saveImport = (tx: Db, row: ImportsTable) => upsertRow(tx, 'imports', ['what'], row);

export async function listImports(db: Db): Promise<(ImportsTable & { username: string | null })[]> {
  return db
    .selectFrom('imports')
    .leftJoin('members', 'members.id', 'imports.user_id')
    .selectAll('imports')
    .select('username')
    .execute();
}

export async function countBySource(
  db: Db,
  table: 'problems' | 'contests',
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db
    .selectFrom(table as 'problems')
    .select(({ fn }) => ['source', fn.countAll<bigint>().as('count')])
    .groupBy('source')
    .execute();
  return new Map(rows.map(({ source, count }) => [source, BigInt(count)]));
}
