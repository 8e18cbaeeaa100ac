/** One connection to a database file: that this SQLite keeps what it is told, that the file is ours, how it is written. */
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import { asAppError } from './errors.ts';

/** "GRDN": marks the file as ours in its header, so that another program's database is never migrated. */
const applicationId = 0x4752444e;
/** WAL writes can be lost in earlier versions (the WAL-reset bug fixed in 3.51.3). */
const oldestSqlite = [3, 51, 3] as const;
/** From here on the log is folded into the file: by who writes, or before that by sqlite-log.ts, and is written over then. */
export const logFoldedBytes = 4 * 1024 * 1024;
/** A larger log is cut off once it was folded. To write over one takes half the time of letting it grow. */
export const logKeptBytes = 16 * 1024 * 1024;

export interface SqliteOptions {
  path: string;
  /**
   * `write` for the connection that changes the file, `read` for one beside it; `look` is for a file that nobody here
   * changes, and leaves nothing behind.
   */
  access: 'write' | 'read' | 'look';
  /** How long a write waits for another process's lock before it is refused, in milliseconds. */
  lockTimeoutMs: number;
}

/** Opens a file that exists. Throws AppError with what to do. */
export function openSqlite({ path, access }: SqliteOptions): Database.Database {
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new AppError(
      'databaseUnavailable',
      `The database ${path} is a directory; name a file in DATABASE_URL, such as sqlite:${path}/garden.db.`,
    );
  }
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: access === 'read', timeout: 100, fileMustExist: true });
    connection.defaultSafeIntegers(true);
    assertVersion(connection);
    // Not `readonly`: such a connection would leave the log's files behind when it is the last.
    if (access === 'look') connection.pragma('query_only = ON');
    claim(connection, path, access);
    connection.pragma('foreign_keys = ON');
    connection.pragma('cache_size = -16000');
    if (access === 'write') makeDurable(connection, path);
    return connection;
  } catch (error) {
    connection?.close();
    throw asAppError(error, path);
  }
}

function assertVersion(connection: Database.Database): void {
  const version = connection.prepare('SELECT sqlite_version()').pluck().get() as string;
  const parts = version.split('.').map(Number);
  for (const [place, least] of oldestSqlite.entries()) {
    const part = parts[place] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new AppError(
        'databaseUnavailable',
        `SQLite ${version} can lose writes; ${oldestSqlite.join('.')} or later is needed: run npm ci.`,
      );
    }
  }
}

/** Marks an empty file as ours, refuses a file that is somebody else's. */
function claim(connection: Database.Database, path: string, access: SqliteOptions['access']): void {
  const id = Number(connection.pragma('application_id', { simple: true }));
  if (id === applicationId) return;
  const tables = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  if (id !== 0 || tables > 0) {
    throw new AppError(
      'databaseCorrupt',
      `${path} is a SQLite database of another program; choose another file with DATABASE_URL=sqlite:/path/garden.db.`,
    );
  }
  if (access !== 'write') return;
  // Half as many pages to write and sync as with 4 KiB; imports commit twice as fast.
  connection.pragma('page_size = 8192');
  connection.pragma('journal_mode = WAL');
  connection.pragma(`application_id = ${applicationId}`);
}

/** What was committed is on the disk, and the log beside the file stays small. */
function makeDurable(connection: Database.Database, path: string): void {
  // A restore that was called off in its middle leaves another mode, in which writers would keep readers out.
  const mode = connection.pragma('journal_mode', { simple: true });
  if (mode !== 'wal' && connection.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
    throw new AppError(
      'databaseUnavailable',
      `The file system under ${path} cannot keep a database that several read and write; move it to a local disk.`,
    );
  }
  connection.pragma('synchronous = FULL');
  // Rows hold addresses and telephone numbers: what is deleted is overwritten, not only unlinked.
  connection.pragma('secure_delete = ON');
  // On macOS only this waits for the disk itself; nothing elsewhere.
  connection.pragma('fullfsync = ON');
  const pageSize = Number(connection.pragma('page_size', { simple: true }));
  connection.pragma(`wal_autocheckpoint = ${Math.floor(logFoldedBytes / pageSize)}`);
  connection.pragma(`journal_size_limit = ${logKeptBytes}`);
}

/** Folds the whole log into the file and cuts it off; answers whether that could be done. */
export function foldLog(connection: Database.Database): boolean {
  try {
    const busy = connection.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
    return Number(busy) === 0;
  } catch {
    return false;
  }
}
