/** Exclusive use of a database file, so that restoring can replace it while no other process reads it. */
import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

/**
 * Runs the work while no other process has the file open, after a checkpoint of its whole log. Throws databaseBusy when
 * another process has it open. A file that is no database cannot be locked, and needs no lock.
 */
export async function withSoleUse(path: string, work: () => Promise<void>): Promise<void> {
  const connection = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    lockFile(connection, path);
    await work();
  } finally {
    connection.close();
  }
}

function lockFile(connection: Database.Database, path: string): void {
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    // Each connection in WAL mode holds a shared lock, so SQLite can leave that mode only when all others are closed.
    connection.pragma('journal_mode = DELETE');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    const code = String((cause as { code?: unknown }).code);
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return;
    if (!code.startsWith('SQLITE_BUSY')) throw cause;
    const sentence = `${path} is open in another process; stop its servers (and other garden commands) first.`;
    throw new AppError('databaseBusy', sentence, { cause });
  }
}
