/** The folder that backups of a database go to unless a path is given, and the names that they get there. */
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileOf } from './open.ts';

const ownName = /^garden-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.db\.gz$/;

/** Beside the database's file, else under the folder that the program was started in. */
export function backupFolder(databaseUrl: string, chosen: string | undefined): string {
  if (chosen !== undefined) return resolve(chosen);
  const file = fileOf(databaseUrl);
  return resolve(file === undefined ? join('data', 'backups') : join(dirname(file), 'backups'));
}

/** Whether it is a name that backups get where none is given. */
export function isOwnName(name: string): boolean {
  return ownName.test(name);
}

/** When the newest backup in a folder was begun, in milliseconds since 1970; undefined where there is none. */
export async function newestBackup(folder: string): Promise<number | undefined> {
  const newest = (await listOwn(folder)).at(-1);
  const [, date, hours, minutes, seconds] = ownName.exec(newest ?? '') ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
}

/** Removes all but the newest backups that carry a name of ours; answers the names of those removed. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = await listOwn(folder);
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    await rm(join(folder, name));
    await rm(join(folder, `${name}.sha256`), { force: true });
  }
  return old;
}

/** Oldest first. */
async function listOwn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isOwnName).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
