/** Opens connections to a database file: checks that it is ours, and makes commits durable. */
import { accessSync, constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import { codeOf } from '../errors.ts';
import { asAppError } from './errors.ts';

/** "GRDN" in the file's header, so that another program's database is never migrated. */
const applicationId = 0x4752444e;
/**
 * A commit that finds a larger log runs a checkpoint itself, which truncates it. A log up to this size is overwritten, in half
 * the time of growing it.
 */
export const maxWalBytes = 16 * 1024 * 1024;

export const cacheKiB = 16_000;
/** For a connection that writes much: most of the indexes of a million submissions fit in it. */
export const largeCacheKiB = 48_000;

/** `read` opens a connection beside that of `write`; `inspect` opens a file that this process does not change. */
export type Access = 'write' | 'read' | 'inspect';

export function openSqlite(path: string, access: Access): Database.Database {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file?.isDirectory()) {
    throw new AppError(
      'databaseUnavailable',
      `The database ${path} is a directory; name a file in DATABASE_URL, such as sqlite:${path}/garden.db.`,
    );
  }
  let connection: Database.Database | undefined;
  try {
    // SQLite opens a file without write permission all the same, and only the first write would fail.
    if (file && access === 'write') accessSync(path, constants.W_OK);
    connection = new Database(path, { readonly: access === 'read', timeout: 100, fileMustExist: true });
    connection.defaultSafeIntegers(true);
    // A `readonly` connection that closes last would leave the -wal and -shm files behind; query_only does not.
    if (access === 'inspect') connection.pragma('query_only = ON');
    checkOwner(connection, path, access);
    connection.pragma('foreign_keys = ON');
    connection.pragma(`cache_size = -${cacheKiB}`);
    if (access === 'write') {
      makeDurable(connection, path);
      // Otherwise a statement that inserts several rows writes its journal to a file, which takes a fifth of its time.
      connection.pragma('temp_store = MEMORY');
    }
    return connection;
  } catch (error) {
    connection?.close();
    throw asAppError(error, path);
  }
}

function checkOwner(connection: Database.Database, path: string, access: Access): void {
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
  // Compared with 4 KiB, pages of 8 KiB halve the number of pages to sync; imports commit twice as fast.
  connection.pragma('page_size = 8192');
  connection.pragma('journal_mode = WAL');
  connection.pragma(`application_id = ${applicationId}`);
}

/** Has every commit synced to the disk, and bounds the log (sqlite.org/pragma.html#pragma_synchronous). */
function makeDurable(connection: Database.Database, path: string): void {
  // An interrupted restore leaves the journal mode DELETE, in which a writer blocks readers.
  if (connection.pragma('journal_mode = WAL', { simple: true }) !== 'wal') {
    throw new AppError(
      'databaseUnavailable',
      `The file system of ${path} does not support a database that several processes share; move it to a local disk.`,
    );
  }
  connection.pragma('synchronous = FULL');
  // Rows have addresses and telephone numbers: deleted content is overwritten, not only unlinked.
  connection.pragma('secure_delete = ON');
  // On macOS only F_FULLFSYNC waits for the disk itself; elsewhere this pragma does nothing.
  connection.pragma('fullfsync = ON');
  const pageSize = Number(connection.pragma('page_size', { simple: true }));
  connection.pragma(`wal_autocheckpoint = ${Math.floor(maxWalBytes / pageSize)}`);
  connection.pragma(`journal_size_limit = ${maxWalBytes}`);
}

export function truncateLog(connection: Database.Database): boolean {
  try {
    return Number(connection.pragma('wal_checkpoint(TRUNCATE)', { simple: true })) === 0;
  } catch {
    return false;
  }
}

export function walBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Whose database a file is, by its header (sqlite.org/fileformat2.html#the_database_header). */
export async function databaseIn(path: string): Promise<'garden' | 'foreign' | undefined> {
  await using file = await open(path);
  const { buffer } = await file.read({ buffer: Buffer.alloc(72) });
  if (!buffer.toString('latin1').startsWith('SQLite format 3\0')) return undefined;
  return buffer.readUInt32BE(68) === applicationId ? 'garden' : 'foreign';
}

/** Whether another process has the file open: in WAL mode each connection holds a shared lock. */
export function isOpenElsewhere(path: string): boolean {
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { timeout: 0, fileMustExist: true });
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('SELECT count(*) FROM sqlite_schema');
    return false;
  } catch (error) {
    return codeOf(error).startsWith('SQLITE_BUSY');
  } finally {
    connection?.close();
  }
}

/** Throws databaseBusy while another process has the file open. A file that is no database has no locks. */
export async function withExclusiveUse(path: string, work: () => Promise<void>): Promise<void> {
  const connection = new Database(path, { timeout: 0, fileMustExist: true });
  try {
    try {
      connection.pragma('locking_mode = EXCLUSIVE');
      // Each connection in WAL mode holds a shared lock, so SQLite can leave that mode only when all others are closed.
      connection.pragma('journal_mode = DELETE');
      connection.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      if (codeOf(cause).startsWith('SQLITE_BUSY')) {
        const sentence = `${path} is open in another process; stop its servers (and other garden commands) first.`;
        throw new AppError('databaseBusy', sentence, { cause });
      }
      if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(cause))) throw cause;
    }
    await work();
  } finally {
    connection.close();
  }
}
