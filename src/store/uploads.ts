/** Uploaded files: whose they are, how far their imports are, how much room they take; and the last import of each kind. */
import { sql } from 'kysely';
import { deleteRows, insertRow, putRow, updateRows } from './rows.ts';
import type { Db } from './tables.ts';

declare module './tables.ts' {
  interface Tables {
    uploads: UploadsTable;
    imports: ImportsTable;
  }
}

/** A file that somebody uploaded, and how far its import is. The file itself is in a folder that all processes see. */
export interface UploadsTable {
  id: bigint;
  /** The member who uploaded it; nobody else sees it. */
  user_id: bigint;
  /** The pages on which it was uploaded, which decide what the file may change. */
  room: 'member' | 'staff';
  /** The name that the file had, for people to know it again. */
  name: string;
  /** JSON: what the file is, and how it is read. */
  asked: string;
  bytes: bigint;
  state: UploadState;
  /** JSON: what the last run found or did. */
  report: string | null;
  created_at: string;
  /** When the run that is under way began. */
  started_at: string | null;
  /** When the row goes, with its file. */
  expires_at: string;
}
/**
 * A file arrives; then it is checked by a dry run, and imported if its owner says so. Each run waits for its turn. Refused is a
 * file that cannot be imported; broken is a run whose process died.
 */
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

/** The last import of each kind of a judge's files that is nobody's own. */
export interface ImportsTable {
  /** The name of the import, such as `codeforces-problems`. */
  what: string;
  made_at: string;
  /** The member who imported it on the website; null for the command line. They may be gone by now. */
  user_id: bigint | null;
  /** Its figures: entries in the file, rows that were added, rows that were changed. */
  read: bigint;
  added: bigint;
  changed: bigint;
}

export type UploadScope = UploadsTable['room'];

/** States in which the upload is at work, so that its owner waits for it. */
export const busyStates: readonly UploadState[] = [
  'arriving',
  'to-check',
  'checking',
  'to-import',
  'importing',
];
/** States in which the file waits for its turn. */
export const waitingStates: readonly UploadState[] = ['to-check', 'to-import'];
/** States in which a process works on the file. */
export const runningStates: readonly UploadState[] = ['checking', 'importing'];

export const insertUpload = (tx: Db, row: Omit<UploadsTable, 'id' | 'report' | 'started_at'>) =>
  insertRow(tx, 'uploads', { ...row, report: null, started_at: null });

/** The upload with this id, if this member made it in this room and it has not expired. */
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

/** A member's uploads in one room, or in both, the newest first. */
export async function listUploads(db: Db, userId: bigint, room?: UploadScope): Promise<UploadsTable[]> {
  let query = db
    .selectFrom('uploads')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', new Date().toISOString());
  if (room !== undefined) query = query.where('room', '=', room);
  return query.orderBy('id', 'desc').execute();
}

export async function listUploadsIn(db: Db, states: readonly UploadState[]): Promise<UploadsTable[]> {
  return db.selectFrom('uploads').selectAll().where('state', 'in', states).execute();
}

/** How many bytes all uploads take, those counted in full that are still to arrive. */
export async function sumUploads(db: Db): Promise<bigint> {
  const { sum } = await db
    .selectFrom('uploads')
    .select(sql<bigint | string | null>`sum(bytes)`.as('sum'))
    .executeTakeFirstOrThrow();
  return BigInt(sum ?? 0);
}

/** Changes an upload that is in this state, and answers whether it was. */
export const moveUpload = (
  tx: Db,
  id: bigint,
  from: UploadState,
  values: Partial<Omit<UploadsTable, 'id' | 'user_id' | 'room'>>,
) => updateRows(tx, 'uploads', { id, state: from }, values);

export const deleteUpload = (tx: Db, id: bigint) => deleteRows(tx, 'uploads', { id });

export async function deleteExpiredUploads(tx: Db, now: string): Promise<void> {
  await tx.deleteFrom('uploads').where('expires_at', '<=', now).execute();
}

/** The ids of all uploads, whose files are to be kept. */
export async function listUploadIds(db: Db): Promise<bigint[]> {
  return (await db.selectFrom('uploads').select('id').execute()).map(({ id }) => id);
}

/* When each kind of a judge's files was imported last, by whom, and what that did. */

/** Notes an import in place of the one before it. */
export const noteImport = (tx: Db, row: ImportsTable) => putRow(tx, 'imports', ['what'], row);

/** All of them, each with the name that its member has now; null where they are gone, or it was the command line. */
export async function listImports(db: Db): Promise<(ImportsTable & { username: string | null })[]> {
  return db
    .selectFrom('imports')
    .leftJoin('members', 'members.id', 'imports.user_id')
    .selectAll('imports')
    .select('username')
    .execute();
}

/** How many rows of a table each judge has, by the name under which they are stored. */
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
