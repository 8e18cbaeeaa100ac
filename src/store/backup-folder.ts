/** The default folder for backups of a database, and the names of the files in it. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileOf } from './open.ts';

const defaultName = /^garden-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z(-scheduled)?\.db\.gz$/;

/** The chosen folder; else `backups` beside the database file, or `data/backups` for a database server. */
export function backupFolder(databaseUrl: string, chosen: string | undefined): string {
  if (chosen !== undefined) return resolve(chosen);
  const file = fileOf(databaseUrl);
  return resolve(file === undefined ? join('data', 'backups') : join(dirname(file), 'backups'));
}

/** The name of a backup that is begun at a time of `fileTime`. */
export function backupName(time: string, isScheduled = false): string {
  return `garden-${time}${isScheduled ? '-scheduled' : ''}.db.gz`;
}

export function isOwnName(name: string): boolean {
  return defaultName.test(name);
}

/** When the newest backup in a folder was started, in milliseconds since 1970; undefined if there is none. */
export async function newestBackup(folder: string): Promise<number | undefined> {
  const newest = (await listBackups(folder)).at(-1);
  return newest === undefined ? undefined : Date.parse(startOf(newest));
}

function startOf(name: string): string {
  return name.replace(defaultName, '$1T$2:$3:$4Z');
}

export interface BackupFile {
  name: string;
  /** When it was begun, as RFC 3339. */
  startedAt: string;
  bytes: number;
  /** Whether the server made it by itself. */
  isScheduled: boolean;
}

/** The whole backups of a folder that have names of ours, the newest first. Links and folders are none. */
export async function listBackupFiles(folder: string): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const name of (await listBackups(folder)).reverse()) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    files.push({
      ...{ name, startedAt: startOf(name), bytes: found.size },
      isScheduled: name.includes('-scheduled'),
    });
  }
  return files;
}

/** Removes all backups with default names but the newest `keep`; returns the names of those it removed. */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = await listBackups(folder);
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    await rm(join(folder, name));
    await rm(join(folder, `${name}.sha256`), { force: true });
  }
  return old;
}

async function listBackups(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isOwnName).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
