/** Takes files in, hands them to their runs, and clears away what has expired. Each member has few of them, and all together bounded room. */
import { AppError } from '../../errors.ts';
import { documentMiB } from '../../files/json.ts';

import type { UploadsTable } from '../../store/upload-tables.ts';
import {
  busyStates,
  deleteExpiredUploads,
  deleteUpload,
  findUpload,
  insertUpload,
  listUploadIds,
  listUploads,
  moveUpload,
  type Room,
  sumUploads,
} from '../../store/uploads.ts';
import { dropFile, keepFile, listKeptIds, readProgress, startOfUpload, uploadFolder } from './folder.ts';
import { type Asked, askedOf } from './report.ts';
import { keptMs, type RunPlace, settle, uploadRuns } from './runs.ts';

/** As large as one JSON document may be. */
export const uploadMiB = documentMiB;
export const uploadBytesAtMost = uploadMiB * 1024 * 1024;
/** All files that wait together. Members leave room for a few of staff, and each has room for one of the largest. */
const bytesInAll = 8 * uploadBytesAtMost;
const bytesOfMembers = 6 * uploadBytesAtMost;
const bytesOfMember = uploadBytesAtMost;
/** Uploads of one member that are kept in one room; the oldest give way. */
const keptOfMember = 4;
const sweepEveryMs = 600_000;

export type UploadDesk = ReturnType<typeof uploadDesk>;

export interface Owner {
  userId: bigint;
  room: Room;
}

export function uploadDesk({ store, databaseUrl, judgeUrls, onFault }: Omit<RunPlace, 'folder'>) {
  const folder = uploadFolder(databaseUrl, store.instance);
  const place = { store, databaseUrl, folder, judgeUrls, onFault };
  const runs = uploadRuns(place);

  /** Removes what has expired, and files that belong to no upload any more. */
  async function sweep(): Promise<void> {
    const kept = await listKeptIds(folder);
    await store.writeBeside((tx) => deleteExpiredUploads(tx, new Date().toISOString()));
    const known = new Set(await listUploadIds(store.reader));
    for (const id of kept) if (!known.has(id)) await dropFile(folder, id);
  }
  const sweeping = setInterval(() => sweep().catch((error) => onFault(String(error))), sweepEveryMs);
  sweeping.unref();

  /** A member's uploads in one room, the newest first, as they stand. */
  async function list({ userId, room }: Owner): Promise<UploadsTable[]> {
    return Promise.all((await listUploads(store.reader, userId, room)).map((one) => settle(place, one)));
  }

  async function drop(id: bigint): Promise<void> {
    await store.writeBeside((tx) => deleteUpload(tx, id));
    await dropFile(folder, id);
  }

  /** Keeps a place for a file of at most so many bytes. Throws overloaded, and alreadyExists while another one is at work. */
  async function reserve({ userId, room }: Owner, name: string, expected: number): Promise<bigint> {
    await sweep();
    const own = await list({ userId, room });
    if (own.some(({ state }) => busyStates.includes(state))) throw busy();
    let left = bytesOfMember - expected;
    for (const { id, bytes } of room === 'staff' ? [] : own) {
      left -= Number(bytes);
      if (left < 0 && bytes > 0n) await drop(id);
    }
    const now = Date.now();
    return store.write(async (tx) => {
      if ((await listUploads(tx, userId)).some(({ state }) => busyStates.includes(state))) throw busy();
      const most = room === 'staff' ? bytesInAll : bytesOfMembers;
      if ((await sumUploads(tx)) + BigInt(expected) > BigInt(most)) throw crowded();
      return insertUpload(tx, {
        ...{ user_id: userId, room, name, asked: '{}', bytes: BigInt(expected), state: 'arriving' },
        created_at: new Date(now).toISOString(),
        expires_at: new Date(now + keptMs).toISOString(),
      });
    });
  }

  return {
    list,
    sweep,
    /** One upload of this owner, as it stands. */
    find: async ({ userId, room }: Owner, id: bigint): Promise<UploadsTable | undefined> => {
      const found = await findUpload(store.reader, { id, userId, room });
      return found && settle(place, found);
    },
    progressOf: async (id: bigint) => (await readProgress(folder, id))?.progress,
    /**
     * Takes a file in and has it checked; `choose` says what it is by how it starts, and throws to refuse it. Answers the id.
     * Whatever fails leaves nothing behind.
     */
    take: async (
      owner: Owner,
      { name, bytes, expected }: { name: string; bytes: AsyncIterable<Uint8Array>; expected: number },
      choose: (start: string) => Asked,
    ): Promise<bigint> => {
      const id = await reserve(owner, name, expected);
      try {
        await runs.whileArriving(id, async () => {
          const size = await keepFile(folder, id, bytes, expected);
          const asked = JSON.stringify(choose(size === 0 ? '' : await startOfUpload(folder, id)));
          const values = { state: 'to-check' as const, asked, bytes: BigInt(size) };
          if (!(await store.writeBeside((tx) => moveUpload(tx, id, 'arriving', values)))) throw gone();
        });
      } catch (error) {
        await drop(id);
        throw error;
      }
      const keptIds = (await listUploads(store.reader, owner.userId, owner.room)).map((one) => one.id);
      for (const old of keptIds.slice(keptOfMember)) await drop(old);
      runs.start(id);
      return id;
    },
    /** Has a checked file imported; false if it is not there to be imported, or not any more. */
    importFile: async (upload: UploadsTable, skipsBad: boolean): Promise<boolean> => {
      const asked = JSON.stringify({ ...askedOf(upload), skipsBad } satisfies Asked);
      const now = Date.now();
      const started_at = new Date(now).toISOString();
      const expires_at = new Date(now + keptMs).toISOString();
      const isMoved = await store.write(async (tx) => {
        if ((await listUploads(tx, upload.user_id)).some(({ state }) => busyStates.includes(state)))
          throw busy();
        return moveUpload(tx, upload.id, 'checked', { state: 'to-import', asked, started_at, expires_at });
      });
      if (isMoved) runs.start(upload.id);
      return isMoved;
    },
    /** Throws an upload away that nobody works on; answers whether it could. */
    discard: async (upload: UploadsTable): Promise<boolean> => {
      if (busyStates.includes(upload.state)) return false;
      await drop(upload.id);
      return true;
    },
    end: async (): Promise<void> => {
      clearInterval(sweeping);
      await runs.end();
    },
  };
}

function busy(): AppError {
  return new AppError(
    'alreadyExists',
    'Your previous upload is still running, so this file was not kept. Try again when it is done.',
  );
}

function crowded(): AppError {
  return new AppError(
    'overloaded',
    'Too many uploads are waiting, so this file was not kept. Try again in a few minutes.',
  );
}

function gone(): AppError {
  return new AppError('requestTimeout', 'The upload took too long, so the file was not kept. Try again.');
}
