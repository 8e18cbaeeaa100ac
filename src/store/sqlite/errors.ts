/** The sentences for SQLite's errors (sqlite.org/rescode.html). */
import { type ErrorSentence, toAppError } from '../errors.ts';

const sentences: readonly ErrorSentence[] = [
  [
    /^SQLITE_(?:BUSY|LOCKED)/,
    'databaseBusy',
    'Another process is writing to the database; try again in a moment.',
  ],
  [
    /^(?:SQLITE_READONLY|(?:SQLITE_PERM|EACCES|EROFS)$)/,
    'databaseReadOnly',
    'The database {database} cannot be written; give this user write permission on the file and its directory.',
  ],
  [
    // IOERR_SHMSIZE: the disk has no room for the -shm file, the index of the log.
    /^SQLITE_(?:FULL|IOERR_WRITE|IOERR_SHMSIZE)$/,
    'databaseFull',
    'The disk under {database} is full; nothing was changed: free some space and try again.',
  ],
  [/^SQLITE_CORRUPT/, 'databaseCorrupt', damage('{database}', '{code}')],
  [
    /^SQLITE_NOTADB$/,
    'databaseCorrupt',
    '{database} is damaged or no SQLite database; name another file in DATABASE_URL or restore a copy of this one.',
  ],
  [
    /^SQLITE_(?:CANTOPEN|IOERR)/,
    'databaseUnavailable',
    'The database {database} cannot be opened or read ({code}); check that it exists and that this user may read it.',
  ],
];

export function damage(path: string, fault: string): string {
  return `${path} is damaged (${fault}); keep a copy of it and of the files beside it, and bring back the newest backup with garden restore.`;
}

export function fullDisk(path: string): unknown {
  return asAppError({ code: 'SQLITE_FULL' }, path);
}

export function asAppError(error: unknown, path: string): unknown {
  return toAppError(error, path, sentences);
}
