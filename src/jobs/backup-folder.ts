/** The folder of backups: its default, the names of the files in it, which ones belong to a database, and which are removed. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hourMs } from '../durations.ts';
import { fileOf } from '../store/open.ts';

/** The time, the mark of the database, which backups of earlier releases do not have, and who made it. */
const defaultName = /^garden-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-([0-9a-f]{8}))?(-scheduled)?\.db\.gz$/;

/** The chosen folder; else `backups` beside the database file, or `data/backups` for a database server. */
export function backupFolder(databaseUrl: string, chosen: string | undefined): string {
  if (chosen !== undefined) return resolve(chosen);
  const file = fileOf(databaseUrl);
  return resolve(file === undefined ? join('data', 'backups') : join(dirname(file), 'backups'));
}

/** The name of a backup that is begun at a time of `fileTime`, of the database with this mark. */
export function backupName(time: string, mark: string, isScheduled = false): string {
  return `garden-${time}-${mark}${isScheduled ? '-scheduled' : ''}.db.gz`;
}

export function isOwnName(name: string): boolean {
  return defaultName.test(name);
}

/** A folder with the backups of several databases, and the mark of the one that is meant. */
export interface OwnBackups {
  folder: string;
  mark: string;
}

/** Backups that a server makes by itself. */
export interface BackupPlan extends OwnBackups {
  everyMs: number;
}

/** Clocks of several servers differ by less; what begins later was made while the clock was ahead. */
const skewMs = hourMs;
const isOfNow = (name: string) => Date.parse(startOf(name)) <= Date.now() + skewMs;

/** When the newest backup of a database was started, in milliseconds since 1970; undefined if there is none. */
export async function newestBackup(own: OwnBackups): Promise<number | undefined> {
  const newest = (await listBackups(own)).findLast(isOfNow);
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

/** The whole backups of a database that have names of ours, the newest first. Links and folders are none. */
export async function listBackupFiles(own: OwnBackups): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const name of (await listBackups(own)).reverse()) {
    const found = await lstat(join(own.folder, name)).catch(() => undefined);
    if (!found?.isFile()) continue;
    files.push({
      ...{ name, startedAt: startOf(name), bytes: found.size },
      isScheduled: name.includes('-scheduled'),
    });
  }
  return files;
}

/** Removes all backups of a database until now but the newest `keep`, if they have default names; returns the names of those. */
export async function removeOldBackups(own: OwnBackups, keep: number): Promise<string[]> {
  const names = (await listBackups(own)).filter(isOfNow);
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    await rm(join(own.folder, name));
    await rm(join(own.folder, `${name}.sha256`), { force: true });
  }
  return old;
}

async function listBackups({ folder, mark }: OwnBackups): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => defaultName.exec(name)?.[5] === mark).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
