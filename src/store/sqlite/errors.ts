/** Translates SQLite's errors into sentences for people. They name the path and never show SQL. */
import { AppError } from '../../errors.ts';

/** Turns a SQLite error into an AppError; returns an unknown error unchanged. */
export function asAppError(error: unknown, path: string): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof AppError || typeof code !== 'string') return error;
  const as = (name: ConstructorParameters<typeof AppError>[0], sentence: string) =>
    new AppError(name, sentence, { cause: error });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return as('databaseBusy', 'Another process is writing to the database; try again in a moment.');
  }
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_PERM') {
    return as(
      'databaseReadOnly',
      `The database ${path} cannot be written; give this user write permission on the file and its directory.`,
    );
  }
  // IOERR_SHMSIZE: the disk has no room for the -shm file, the index of the log.
  if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE' || code === 'SQLITE_IOERR_SHMSIZE') {
    return as(
      'databaseFull',
      `The disk under ${path} is full; nothing was changed: free some space and try again.`,
    );
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    return as(
      'databaseCorrupt',
      `${path} is damaged or no SQLite database; name another file in DATABASE_URL or restore a copy of this one.`,
    );
  }
  if (code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_IOERR')) {
    return as(
      'databaseUnavailable',
      `The database ${path} cannot be opened or read (${code}); check that it exists and that this user may read it.`,
    );
  }
  return error;
}
