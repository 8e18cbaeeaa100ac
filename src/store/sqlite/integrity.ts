/** Whether a database file is whole, asked before anything is served from it. */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

/** Checked at every start; it takes some 3 ms a MiB. */
const alwaysCheckedBytes = 32 * 1024 * 1024;
/** Checked after a stop that was not clean; beyond this a start would take too long, and garden doctor is there for it. */
const checkedAfterCrashBytes = 1024 * 1024 * 1024;

/** Bytes of the log beside the file that were not folded into it; after a clean stop there is none. */
export function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** How a damaged file is told. */
function damaged(path: string, fault: string, cause?: unknown): AppError {
  return new AppError(
    'databaseCorrupt',
    `${path} is damaged (${fault}); keep a copy of it and of the files beside it, and bring back the newest backup with garden restore.`,
    { cause },
  );
}

/** Reads the structure of every page, if that does not take long. Throws databaseCorrupt. */
export function assertSound(connection: Database.Database, path: string, isAfterCrash: boolean): void {
  const limit = isAfterCrash ? checkedAfterCrashBytes : alwaysCheckedBytes;
  if (statSync(path).size > limit) return;
  const [fault] = faultsOf(connection, path);
  if (fault !== undefined) throw damaged(path, fault);
  // Pages that were read for this alone would stay in memory.
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

/** What is wrong, of all that a check said: an answer may have several lines, and a title. */
export function faultsIn(answers: readonly string[]): string[] {
  const lines = answers.flatMap((answer) => answer.split('\n'));
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'));
}
