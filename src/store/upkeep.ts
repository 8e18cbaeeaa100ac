/** The upkeep of a database file while it is served, and warnings about it. A database server needs none of this. */
import { fileOf } from './open.ts';
import { logAlarmBytes, tendLog } from './sqlite/checkpoints.ts';
import { logBytes } from './sqlite/connection.ts';
import { remoteFileSystem } from './sqlite/file-system.ts';

/** Starts the upkeep in one process of a server. The returned function stops it; await that before closing the store. */
export function tendStore(databaseUrl: string, notify: (sentence: string) => void): () => Promise<void> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return async () => {};
  const warning = placeWarning(databaseUrl);
  if (warning !== undefined) notify(warning);
  return tendLog(file, notify);
}

export function placeWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const name = file === undefined ? undefined : remoteFileSystem(file);
  if (name === undefined) return undefined;
  return `${file} is on ${name}, which may be a network file system: use a local disk.`;
}

export function logWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const bytes = file === undefined ? 0 : logBytes(file);
  if (bytes <= logAlarmBytes) return undefined;
  return `${file}-wal has ${Math.round(bytes / 1024 / 1024)} MiB; unless a large import is running, another program still reads an older state: stop it (an export or backup that hangs, a sqlite3 shell).`;
}
