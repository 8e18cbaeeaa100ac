/** A database file taken for oneself, so that it can be replaced under nobody's feet. */
import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

/**
 * Does the work while no other process has the file open; what its log holds is folded into the file before. Throws
 * databaseBusy where somebody has it. A file that is no database at all is nobody's.
 */
export async function withSoleUse(path: string, work: () => Promise<void>): Promise<void> {
  const connection = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    takeWhole(connection, path);
    await work();
  } finally {
    connection.close();
  }
}

function takeWhole(connection: Database.Database, path: string): void {
  try {
    connection.pragma('locking_mode = EXCLUSIVE');
    // Every connection to a database in WAL mode holds a shared lock; leaving that mode needs all of them gone.
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
