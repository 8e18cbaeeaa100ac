/** Uploaded files: whose they are, how far their imports are, and how much room they take. */
import { sql } from 'kysely';
import { giveIds } from './ids.ts';
import type { Db } from './tables.ts';
import type { UploadState, UploadsTable } from './upload-tables.ts';

export type Room = UploadsTable['room'];

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

export async function insertUpload(
  tx: Db,
  row: Omit<UploadsTable, 'id' | 'report' | 'started_at'>,
): Promise<bigint> {
  const [id = 0n] = await giveIds(tx, 'uploads', 1);
  await tx
    .insertInto('uploads')
    .values({ id, ...row, report: null, started_at: null })
    .execute();
  return id;
}

/** The upload with this id, if this member made it in this room and it has not expired. */
export async function findUpload(
  db: Db,
  { id, userId, room }: { id: bigint; userId: bigint; room: Room },
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
export async function listUploads(db: Db, userId: bigint, room?: Room): Promise<UploadsTable[]> {
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
export async function moveUpload(
  tx: Db,
  id: bigint,
  from: UploadState,
  values: Partial<Omit<UploadsTable, 'id' | 'user_id' | 'room'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteUpload(tx: Db, id: bigint): Promise<void> {
  await tx.deleteFrom('uploads').where('id', '=', id).execute();
}

export async function deleteExpiredUploads(tx: Db, now: string): Promise<void> {
  await tx.deleteFrom('uploads').where('expires_at', '<=', now).execute();
}

/** The ids of all uploads, whose files are to be kept. */
export async function listUploadIds(db: Db): Promise<bigint[]> {
  return (await db.selectFrom('uploads').select('id').execute()).map(({ id }) => id);
}
