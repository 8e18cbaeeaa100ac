/** Looking after a database file while it is served, and what there is to say about where it stands. A database server looks after itself. */
import { fileOf } from './open.ts';
import { logAlarmBytes, tendLog } from './sqlite/checkpoints.ts';
import { placeOf } from './sqlite/file-system.ts';
import { logBytes } from './sqlite/integrity.ts';

/**
 * Begins, in one process of a server; `tell` gets what whoever runs it should know. Answers how to end it, which is to be
 * awaited before the store is closed.
 */
export function tendStore(databaseUrl: string, tell: (sentence: string) => void): () => Promise<void> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return async () => {};
  const doubt = placeDoubt(databaseUrl);
  if (doubt !== undefined) tell(doubt);
  return tendLog(file, tell);
}

/** What makes it unsure that a file stands where its locks and its log hold; undefined where nothing does. */
export function placeDoubt(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  if (file === undefined) return undefined;
  const { kind, name } = placeOf(file);
  if (kind !== 'doubtful') return undefined;
  return `${file} is on ${name}, which may be a network: it must be a disk that this machine alone uses.`;
}

/** What is to be said of a log beside a file that became very large; undefined where it did not. */
export function logDoubt(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const bytes = file === undefined ? 0 : logBytes(file);
  if (bytes <= logAlarmBytes) return undefined;
  return `${file}-wal has ${Math.round(bytes / 1024 / 1024)} MiB; unless a large import is under way, something that still reads an older state keeps it from being folded into the database: end it (an export or backup that hangs, a sqlite3 shell).`;
}
