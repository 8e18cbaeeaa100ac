/** One backup at a time in a folder, whichever process makes it: a lock file that its maker touches while it works. */
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../errors.ts';

const lockName = '.backup-under-way';
const touchEveryMs = 2_000;
/** A maker that was killed touches it no more. */
const staleMs = 30_000;

export function backupLock(folder: string): string {
  return join(folder, lockName);
}

/** When the backup that is being made in the folder was begun; undefined if none is. */
export async function backupUnderWay(folder: string): Promise<string | undefined> {
  const path = backupLock(folder);
  if (await isStale(path)) return undefined;
  return readFile(path, 'utf8').catch(() => undefined);
}

/** Does the work while no other process does. Throws alreadyExists, and the errors of the file system. */
export async function withBackupLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = backupLock(folder);
  await mkdir(folder, { recursive: true });
  if (await isStale(path)) await takeAway(path);
  const lock = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new AppError('alreadyExists', 'Another backup is in progress; wait until it is done.');
  });
  const timer = setInterval(() => utimes(path, new Date(), new Date()).catch(() => {}), touchEveryMs);
  try {
    await lock.writeFile(new Date().toISOString());
    return await work();
  } finally {
    clearInterval(timer);
    await lock.close();
    await rm(path, { force: true });
  }
}

/** One of several processes that find it stale takes it away. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > staleMs;
}
