/**
 * Uploaded files wait in a folder that only the processes of the server can read. Beside each file that is worked on is
 * a note of how far the work is, which is written again and again as long as the process lives.
 */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { fileOf } from '../../store/open.ts';

/** How far a run is. */
export interface Progress {
  doing: 'waiting' | 'reading' | 'writing';
  done: number;
  /** Zero while it is not known. */
  total: number;
}

/** An upload leaves at least this much of the disk free, because the database is on it too. */
const freeBytesAtLeast = 128 * 1024 * 1024;
const fileName = /^(\d+)\.(?:upload|progress)$/;

/** Beside the file of the database; for a database server in the temporary folder. */
export function uploadFolder(databaseUrl: string, instance: string): string {
  const file = fileOf(databaseUrl);
  return file === undefined ? join(tmpdir(), `garden-uploads-${instance}`) : `${file}-uploads`;
}

export function pathOfUpload(folder: string, id: bigint): string {
  return join(folder, `${id}.upload`);
}

const pathOfNote = (folder: string, id: bigint) => join(folder, `${id}.progress`);

/** Writes a file as its bytes come, and answers how many there were. Whatever fails leaves no file. */
export async function keepFile(
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
    if (bavail * bsize < expected + freeBytesAtLeast) throw noRoom();
    await using file = await open(path, 'w', 0o600);
    for await (const chunk of bytes) {
      await file.write(chunk);
      size += chunk.length;
    }
    return size;
  } catch (error) {
    await rm(path, { force: true }).catch(() => {});
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(code) ? noRoom(error) : error;
  }
}

function noRoom(cause?: unknown): AppError {
  return new AppError(
    'overloaded',
    'The server has no space for this file, so it was not kept. Try again later, or tell an administrator.',
    { cause },
  );
}

/** The first characters of a file. */
export async function startOfUpload(folder: string, id: bigint): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(pathOfUpload(folder, id), { end: 16 * 1024 }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

export async function noteProgress(folder: string, id: bigint, progress: Progress): Promise<void> {
  const path = pathOfNote(folder, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Renamed, so that no reader finds half of it.
  await writeFile(`${path}.new`, JSON.stringify(progress), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** How far a run is, and how long ago that was noted; undefined where this machine knows nothing of it. */
export async function readProgress(
  folder: string,
  id: bigint,
): Promise<{ progress: Progress; ageMs: number } | undefined> {
  const path = pathOfNote(folder, id);
  try {
    const { mtimeMs } = await stat(path);
    return { progress: JSON.parse(await readFile(path, 'utf8')) as Progress, ageMs: Date.now() - mtimeMs };
  } catch {
    return undefined;
  }
}

/** Removes the file of an upload, and the note beside it. */
export async function dropFile(folder: string, id: bigint): Promise<void> {
  await rm(pathOfUpload(folder, id), { force: true });
  await rm(pathOfNote(folder, id), { force: true });
}

/** The ids of the uploads that have files here. */
export async function listKeptIds(folder: string): Promise<bigint[]> {
  const names = await readdir(folder).catch(() => []);
  return [...new Set(names.flatMap((name) => fileName.exec(name)?.[1] ?? []))].map(BigInt);
}
