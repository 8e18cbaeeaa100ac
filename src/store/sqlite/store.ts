/** The store on a SQLite file: creating, checking, migrating, opening, and group commit. */

import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';
import { engineOf } from '../engine.ts';
import {
  isOlder,
  type MigrationReport,
  migrate,
  newestVersion,
  pendingMigrations,
  schemaVersion,
} from '../migrate.ts';
import { instanceOf } from '../settings.ts';
import { type OpenOptions, type Store, trackFailures } from '../store.ts';
import type { Db } from '../tables.ts';
import { cacheKiB, largeCacheKiB, openSqlite, truncateLog, walBytes } from './connection.ts';
import { kyselyOver, type LockWait } from './dialect.ts';
import { damage, fullDisk } from './errors.ts';
import {
  assertIdentity,
  type FileWatch,
  giveToOwner,
  hasRoom,
  identityOf,
  lostFile,
  makeFolder,
  refuseNetwork,
  watchFiles,
} from './files.ts';
import { longReads, noSuchFile, preparedReads, snapshotOf, versionOfFile } from './reads.ts';

/* Group commit: deletes that arrive together share one sync to the disk. */

interface WaitingStatement {
  statement(db: Db): unknown;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * Statements of one turn of the event loop commit together, and those that arrive while `write` waits for a lock. One failure
 * fails them all.
 */
function groupCommit(
  connection: Database.Database,
  db: Db,
  { assertFilesPresent }: FileWatch,
  write: Store['write'],
  onCommit: () => void,
): Store['runChange'] {
  let queue: WaitingStatement[] = [];
  let isWriting = false;

  const runAll = (target: Db, batch: readonly WaitingStatement[]) =>
    batch.map(({ statement }) => statement(target));
  const transaction = connection.transaction(runAll);

  /** Never waits; undefined if the commit failed, and then nothing changed. */
  function commitNow(batch: readonly WaitingStatement[]): unknown[] | undefined {
    // In an open transaction the statements would become part of it.
    if (connection.inTransaction) return undefined;
    try {
      return batch.length === 1 ? runAll(db, batch) : transaction.immediate(db, batch);
    } catch {
      return undefined;
    }
  }

  async function commit(batch: readonly WaitingStatement[]): Promise<unknown[]> {
    const results = commitNow(batch);
    // `write` waits for the lock, or reports what is wrong.
    if (!results) return write(async (tx) => runAll(tx, batch));
    onCommit();
    assertFilesPresent();
    return results;
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      try {
        const results = await commit(batch);
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as never);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      queue.push({ statement, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // setImmediate runs after all requests of this turn have been read.
      setImmediate(run);
    });
}

/** Files up to this size are checked at every start, which takes about 3 ms a MiB. */
const alwaysCheckedBytes = 32 * 1024 * 1024;
/** Files up to this size are checked after an unclean stop. A larger file would delay the start; garden doctor checks it. */
const checkedAfterCrashBytes = 1024 * 1024 * 1024;

/** Migrates the file, and creates it if `options.create` allows that. Throws AppError. */
export async function openFile(path: string, options: OpenOptions): Promise<Store> {
  const { identity, lockTimeoutMs, notify = () => {} } = options;
  // Opening would mark an empty file as ours, so the identity is compared before.
  if (identity !== undefined) assertIdentity(path, identity);
  refuseNetwork(path);
  // The log is read first: another process that creates the database at this moment has its file before its log.
  const hasLog = walBytes(path) > 0;
  if (!existsSync(path)) {
    if (!options.create) throw noSuchFile(path);
    if (hasLog) throw logWithoutFile(path);
    await createFile(path, options);
    notify('info', `the database ${path} was made: there was none`);
  }
  const checkedBytes = walBytes(path) > 0 ? checkedAfterCrashBytes : alwaysCheckedBytes;
  const writing = openSqlite(path, 'write');
  let reading: Database.Database | undefined;
  let watch: FileWatch | undefined;
  let longReader: ReturnType<typeof longReads> | undefined;
  const close = async () => {
    watch?.end();
    await longReader?.end();
    reading?.close();
    writing.close();
  };
  try {
    watch = watchFiles(path, () => truncateLog(writing), notify);
    const wait: LockWait = { lockTimeoutMs, endsAt: Number.POSITIVE_INFINITY };
    const writer = kyselyOver(writing, path, wait, watch);
    if (options.checksIntegrity && statSync(path).size <= checkedBytes) {
      // The check reads each page once, and memory for many of them would stay with the process.
      writing.pragma('cache_size = -1000');
      await assertIntegrity(writer, path);
    }
    writing.pragma(`cache_size = -${options.writesMuch ? largeCacheKiB : cacheKiB}`);
    if (isOlder(await schemaVersion(writer))) await options.beforeUpgrade?.();
    const [step] = await migrate(writer);
    if (step && step.version > 1)
      notify('info', `the database ${path} was updated from schema ${step.version - 1} to ${newestVersion}`);
    // From here on the dialect waits for locks; SQLite's own waiting would block the event loop.
    writing.pragma('busy_timeout = 0');
    reading = openSqlite(path, 'read');
    const reader = kyselyOver(reading, path, wait, watch, () => reads.beforeRead());
    longReader = longReads(path, watch);
    const reads = preparedReads({ writing, reading, reader, path, watch });
    const { write, writeFailure } = trackFailures((work) =>
      writer.transaction().execute(work).finally(reads.onCommit),
    );
    return {
      reader,
      longReader: longReader.reader,
      name: path,
      instance: await instanceOf(writer),
      identity: identityOf(path),
      write,
      writeConcurrently: write,
      runChange: groupCommit(writing, writer, watch, write, reads.onCommit),
      revisions: reads.revisions,
      startPoll: reads.startPoll,
      readItem: reads.item,
      snapshot: (work) => {
        if (watch?.isLost) throw lostFile(path);
        return snapshotOf(path, work);
      },
      writeFailure: async () => (hasRoom(path) ? writeFailure() : 'databaseFull'),
      checkpoint: () => {
        reads.endTransaction();
        return truncateLog(writing);
      },
      limitLockWaits: (ms) => {
        wait.endsAt = performance.now() + ms;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function migrateFile(
  path: string,
  options: OpenOptions,
  isDryRun: boolean,
): Promise<MigrationReport> {
  const from = existsSync(path) ? await versionOfFile(path) : 0;
  const steps = pendingMigrations(from);
  if (!isDryRun) await (await openFile(path, options)).close();
  return { database: path, from, to: newestVersion, steps };
}

/** SQLite would write the changes of a removed file into a new one. */
function logWithoutFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `There is no database at ${path}, but ${path}-wal has the last changes of one that was there; put that file back, or move ${path}-wal away to begin anew.`,
  );
}

async function assertIntegrity(db: Db, path: string): Promise<void> {
  const [fault] = await engineOf(db).checkIntegrity(db);
  if (fault !== undefined) throw new AppError('databaseCorrupt', damage(path, fault));
}

/** Renames the database when it is complete, so a failure leaves nothing. */
async function createFile(path: string, options: OpenOptions): Promise<void> {
  // A random name, because even one process may open the same database twice at once.
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    try {
      makeFolder(dirname(path));
      closeSync(openSync(partial, 'wx', 0o600));
      giveToOwner(partial);
    } catch (cause) {
      throw new AppError(
        'databaseUnavailable',
        `The database ${path} cannot be created (${(cause as NodeJS.ErrnoException).code}); choose another place with DATABASE_URL=sqlite:/path/garden.db, or make this one writable.`,
        { cause },
      );
    }
    const store = await openFile(partial, options);
    await store.close();
    // On a full disk the log cannot be moved into the file, and the file alone would be damaged.
    if (walBytes(partial) > 0) throw fullDisk(partial);
    moveUnlessExists(partial, path);
  } catch (error) {
    throw error instanceof AppError
      ? new AppError(error.code, error.message.replaceAll(partial, path), { cause: error.cause })
      : error;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
  }
}

/** The first of several processes that create one database at once wins, and the others use its file. */
function moveUnlessExists(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems have no hard links.
    if (!existsSync(path)) renameSync(partial, path);
  }
}
