/** The integrity check of a database file, run before the server answers from it. */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

/** Files up to this size are checked at every start, which takes about 3 ms a MiB. */
const alwaysCheckedBytes = 32 * 1024 * 1024;
/** Files up to this size are checked after an unclean stop. A larger file would delay the start; garden doctor checks it. */
const checkedAfterCrashBytes = 1024 * 1024 * 1024;

/** The size of the log beside the file; a clean stop leaves none. */
export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function damaged(path: string, fault: string, cause?: unknown): AppError {
  return new AppError(
    'databaseCorrupt',
    `${path} is damaged (${fault}); keep a copy of it and of the files beside it, and bring back the newest backup with garden restore.`,
    { cause },
  );
}

/** Checks the structure of every page, unless the file is too large for that. Throws databaseCorrupt. */
export function assertSound(connection: Database.Database, path: string, isAfterCrash: boolean): void {
  const limit = isAfterCrash ? checkedAfterCrashBytes : alwaysCheckedBytes;
  if (statSync(path).size > limit) return;
  const [fault] = faultsOf(connection, path);
  if (fault !== undefined) throw damaged(path, fault);
  // Frees the pages that only the check needed.
  connection.pragma('shrink_memory');
}

function faultsOf(connection: Database.Database, path: string): string[] {
  try {
    return faultsIn(connection.prepare<[], string>('PRAGMA quick_check(1)').pluck().all());
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'SQLITE_CORRUPT') throw damaged(path, 'SQLITE_CORRUPT', error);
    throw error;
  }
}

/** The faults among the answers of a check; an answer may have several lines and a title. */
export function faultsIn(answers: readonly string[]): string[] {
  const lines = answers.flatMap((answer) => answer.split('\n'));
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'));
}
