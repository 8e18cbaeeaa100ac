/**
 * Stores uploaded files until they are imported or expire. The space is limited for each member and in all. Only the
 * server's processes can read the folder.
 */
import { createReadStream, renameSync, writeFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Format } from '../contract/rows.ts';
import { hourMs, minuteMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { documentMiB } from '../files/json.ts';
import { utf16Of } from '../files/text.ts';
import type { ImportReport } from '../importing/import.ts';
import type { ImportName } from '../importing/resources.ts';
import { fileOf } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import {
  busyStates,
  deleteExpiredUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  listUploadIds,
  listUploads,
  sumUploadBytes,
  type UploadScope,
  type UploadsTable,
  updateUploadInState,
} from '../store/uploads.ts';
import type { EnqueueJob } from './job-protocol.ts';
import { leaseStartedAt, newHolder, renewLeaseDuring, takeLeaseIn } from './lease.ts';

export const uploadMiB = documentMiB;
export const uploadBytesAtMost = uploadMiB * 1024 * 1024;
/** The space for all files. Members leave some for staff, and each can store one file of the largest size. */
const totalBytesAtMost = 8 * uploadBytesAtMost;
const bytesOfAllMembers = 6 * uploadBytesAtMost;
const bytesOfMember = uploadBytesAtMost;
const sweepEveryMs = 10 * minuteMs;
/** How many uploads one person keeps on each of the two pages. */
export const uploadsKept = 4;
export const retentionMs = hourMs;
export const uploadLease = 'uploads';
const arrivingLease = (id: bigint) => `arriving ${id}`;

export interface UploadRequest {
  what: ImportName;
  format: Format;
  member?: string | undefined;
  handle?: string | undefined;
  trustsIds?: boolean | undefined;
  skipsBad?: boolean | undefined;
  takesOtherName?: boolean | undefined;
}

export type UploadReport =
  | { fault: string }
  | { figures: ImportReport; notes: string[]; badRows: string[]; hasWritten: boolean; seconds: number };

export function parseUploadRequest({ asked }: Pick<UploadsTable, 'asked'>): UploadRequest {
  return JSON.parse(asked) as UploadRequest;
}

export function reportOf({ report }: Pick<UploadsTable, 'report'>): UploadReport | undefined {
  return report === null ? undefined : (JSON.parse(report) as UploadReport);
}

export type UploadService = ReturnType<typeof uploadService>;

export interface UploadContext {
  store: Store;
  databaseUrl: string;
  enqueueJob: EnqueueJob;
  onFault(fault: string): void;
}

export interface UploadOwner {
  userId: bigint;
  room: UploadScope;
}

function uploadQueue(store: Store, folder: string, run: () => void) {
  async function sweep(): Promise<void> {
    const fileIds = await listFileIds(folder);
    await store.writeConcurrently((tx) => deleteExpiredUploads(tx, new Date().toISOString()));
    const uploadIds = new Set(await listUploadIds(store.reader));
    for (const id of fileIds) if (!uploadIds.has(id)) await deleteUploadFile(folder, id);
  }

  async function drop(id: bigint): Promise<void> {
    await store.writeConcurrently((tx) => deleteUpload(tx, id));
    await deleteUploadFile(folder, id);
  }

  /** An upload whose process died waits until the process of jobs is asked to continue it. */
  async function resumeAbandoned(uploads: readonly UploadsTable[]): Promise<void> {
    const isStarted = uploads.some(({ state }) => state !== 'arriving' && busyStates.includes(state));
    if (isStarted && (await leaseStartedAt(store.reader, uploadLease)) === undefined) run();
  }

  async function list({ userId, room }: UploadOwner): Promise<UploadsTable[]> {
    const uploads = await listUploads(store.reader, userId, room);
    await resumeAbandoned(uploads);
    return uploads;
  }

  async function dropAbandoned(userId: bigint): Promise<void> {
    for (const { id, state } of await listUploads(store.reader, userId))
      if (state === 'arriving' && (await leaseStartedAt(store.reader, arrivingLease(id))) === undefined)
        await drop(id);
  }

  /**
   * Reserves space for a file of `expected` bytes. Throws overloaded, and alreadyExists while another upload is busy.
   */
  async function reserve(
    { userId, room }: UploadOwner,
    name: string,
    expectedBytes: number,
    holder: string,
  ): Promise<bigint> {
    await sweep();
    await dropAbandoned(userId);
    const own = await list({ userId, room });
    if (own.some(({ state }) => busyStates.includes(state))) throw busyError();
    let bytesFree = bytesOfMember - expectedBytes;
    for (const { id, bytes } of room === 'staff' ? [] : own) {
      bytesFree -= Number(bytes);
      if (bytesFree < 0 && bytes > 0n) await drop(id);
    }
    const now = Date.now();
    return store.write(async (tx) => {
      if ((await listUploads(tx, userId)).some(({ state }) => busyStates.includes(state))) throw busyError();
      const most = room === 'staff' ? totalBytesAtMost : bytesOfAllMembers;
      if ((await sumUploadBytes(tx)) + BigInt(expectedBytes) > BigInt(most))
        throw localizedError('overloaded.uploads');
      const id = await insertUpload(tx, {
        user_id: userId,
        room,
        name,
        asked: '{}',
        bytes: BigInt(expectedBytes),
        state: 'arriving',
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + retentionMs).toISOString(),
      });
      await takeLeaseIn(tx, arrivingLease(id), holder);
      return id;
    });
  }

  return { sweep, drop, resumeAbandoned, list, reserve };
}

export function uploadService({ store, databaseUrl, enqueueJob, onFault }: UploadContext) {
  const folder = uploadFolder(databaseUrl, store.instance);
  const run = () => enqueueJob({ job: 'uploads' });
  const { sweep, drop, resumeAbandoned, list, reserve } = uploadQueue(store, folder, run);
  const sweeping = setInterval(() => sweep().catch((error) => onFault(String(error))), sweepEveryMs);
  sweeping.unref();
  return {
    list,
    sweep,
    find: async ({ userId, room }: UploadOwner, id: bigint): Promise<UploadsTable | undefined> => {
      const upload = await findUpload(store.reader, { id, userId, room });
      if (upload) await resumeAbandoned([upload]);
      return upload;
    },
    progressOf: (id: bigint) => readProgress(folder, id),
    /**
     * Stores a file and starts its check. `recognize` tells the kind of file by its start, or throws. A failure leaves
     * nothing behind.
     */
    take: async (
      owner: UploadOwner,
      { name, bytes, expected }: { name: string; bytes: AsyncIterable<Uint8Array>; expected: number },
      recognize: (start: string) => UploadRequest,
    ): Promise<bigint> => {
      const holder = newHolder();
      const id = await reserve(owner, name, expected, holder);
      try {
        await renewLeaseDuring(store, arrivingLease(id), holder, async () => {
          const size = await saveFile(folder, id, bytes, expected);
          const asked = JSON.stringify(recognize(size === 0 ? '' : await startOfUpload(folder, id)));
          const values = { state: 'to-check' as const, asked, bytes: BigInt(size) };
          if (!(await store.writeConcurrently((tx) => updateUploadInState(tx, id, 'arriving', values))))
            throw localizedError('requestTimeout.upload');
        });
      } catch (error) {
        await drop(id);
        throw error;
      }
      const ids = (await listUploads(store.reader, owner.userId, owner.room)).map((one) => one.id);
      for (const old of ids.slice(uploadsKept)) await drop(old);
      run();
      return id;
    },
    importFile: async (
      upload: UploadsTable,
      choices: Pick<UploadRequest, 'skipsBad' | 'takesOtherName'>,
    ): Promise<boolean> => {
      const asked = JSON.stringify({ ...parseUploadRequest(upload), ...choices } satisfies UploadRequest);
      const now = Date.now();
      const started_at = new Date(now).toISOString();
      const expires_at = new Date(now + retentionMs).toISOString();
      const isMoved = await store.write(async (tx) => {
        if ((await listUploads(tx, upload.user_id)).some(({ state }) => busyStates.includes(state)))
          throw busyError();
        return updateUploadInState(tx, upload.id, 'checked', {
          state: 'to-import',
          asked,
          started_at,
          expires_at,
        });
      });
      if (isMoved) run();
      return isMoved;
    },
    discard: async (upload: UploadsTable): Promise<boolean> => {
      if (busyStates.includes(upload.state)) return false;
      await drop(upload.id);
      return true;
    },
    end: (): void => clearInterval(sweeping),
  };
}

const busyError = () => localizedError('alreadyExists.upload');

/** The database is on the same disk. */
const freeBytesAtLeast = 128 * 1024 * 1024;
const fileName = /^(\d+)\.(?:upload|progress)$/;

export function uploadFolder(databaseUrl: string, instance: string): string {
  const file = fileOf(databaseUrl);
  return file === undefined ? join(tmpdir(), `garden-uploads-${instance}`) : `${file}-uploads`;
}

export function pathOfUpload(folder: string, id: bigint): string {
  return join(folder, `${id}.upload`);
}

const pathOfProgress = (folder: string, id: bigint) => join(folder, `${id}.progress`);

async function saveFile(
  folder: string,
  id: bigint,
  bytes: AsyncIterable<Uint8Array>,
  expected: number,
): Promise<number> {
  const path = pathOfUpload(folder, id);
  let size = 0;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < expected + freeBytesAtLeast) throw noSpaceError();
    await using file = await open(path, 'w', 0o600);
    for await (const chunk of bytes) {
      await file.write(chunk);
      size += chunk.length;
    }
    return size;
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(code) ? noSpaceError(error) : error;
  }
}

const noSpaceError = (cause?: unknown) => localizedError('overloaded.noSpace', {}, cause);

async function startOfUpload(folder: string, id: bigint): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(pathOfUpload(folder, id), { end: 16 * 1024 }))
    pieces.push(piece);
  const start = Buffer.concat(pieces);
  if (utf16Of(start)) throw localizedError('badFile.utf16');
  return start.toString();
}

/** `share` is from 0 to 1. An import on SQLite never waits, so a write that waits would end after it. */
export function saveProgress(folder: string, id: bigint, share: number): void {
  const path = pathOfProgress(folder, id);
  try {
    // Renaming is atomic, so nobody reads half of the file.
    writeFileSync(`${path}.new`, String(share), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // The import itself finds a full disk.
  }
}

async function readProgress(folder: string, id: bigint): Promise<number | undefined> {
  const text = await readFile(pathOfProgress(folder, id), 'utf8').catch(() => '');
  return text === '' ? undefined : Number(text);
}

export async function deleteUploadFile(folder: string, id: bigint): Promise<void> {
  await rm(pathOfUpload(folder, id), { force: true });
  await rm(pathOfProgress(folder, id), { force: true });
}

async function listFileIds(folder: string): Promise<bigint[]> {
  const names = await readdir(folder).catch(() => []);
  return [...new Set(names.flatMap((name) => fileName.exec(name)?.[1] ?? []))].map(BigInt);
}
