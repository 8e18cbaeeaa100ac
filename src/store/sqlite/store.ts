/** The store on a SQLite file: how it is created, and the connections that write, read and take snapshots. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { migrate, newestVersion, refuseNewer, schemaVersion } from '../migrate.ts';
import { getSetting, setSettingOnce, tryWrite } from '../settings.ts';
import type { OpenOptions, Store } from '../store.ts';
import type { Db, Tables } from '../tables.ts';
import { writability } from '../writability.ts';
import { checkpointWhole, openSqlite, type SqliteOptions } from './connection.ts';
import { autocommit, type LockWait, sqliteDialect, type Watch } from './dialect.ts';
import { hasRoom, refuseNetwork } from './file-system.ts';
import { groupCommit } from './group-commit.ts';
import { assertSound, logBytes } from './integrity.ts';
import { readableFile } from './readable.ts';
import { revisionReader, revisionsOver } from './revisions.ts';
import { assertIdentity, type FileWatch, identityOf, watchFiles } from './watch.ts';

/** Opens the file and migrates it; creates it first if `options.create` allows that. Throws AppError. */
export async function openFile(path: string, options: OpenOptions): Promise<Store> {
  // This comes before opening, which would mark an empty file as ours.
  if (options.identity !== undefined) assertIdentity(path, options.identity);
  refuseNetwork(path);
  if (!existsSync(path)) {
    if (!options.create) throw absent(path);
    await makeFile(path, options);
    options.tell?.('info', `the database ${path} was made: there was none`);
  }
  const isAfterCrash = logBytes(path) > 0;
  const { lockTimeoutMs } = options;
  let watch: FileWatch | undefined;
  const watched: Watch = {
    assertThere: () => watch?.assertThere(),
    assertKept: () => watch?.assertKept(),
  };
  const writing = connect({ path, lockTimeoutMs, access: 'write' }, watched);
  let reading: Connected | undefined;
  try {
    if (options.checks) assertSound(writing.connection, path, isAfterCrash);
    refuseNewer(await schemaVersion(writing.db));
    await migrate(writing.db, new Date().toISOString());
    // From here on the dialect waits for locks; SQLite's own waiting would block the event loop.
    writing.connection.pragma('busy_timeout = 0');
    reading = connect({ path, lockTimeoutMs, access: 'read' }, watched);
    const { connection, db: reader } = reading;
    const revisions = revisionsOver(writing.connection, connection, path);
    watch = watchFiles(path, {
      checkpoint: () => checkpointWhole(writing.connection),
      notify: options.tell ?? (() => {}),
    });
    const { assertThere, end: endWatch } = watch;
    // The watch has seen this file, so this is the identity of the one that is open.
    const identity = identityOf(path);
    const writes = writability();
    const write: Store['write'] = async (work) => {
      try {
        return await writes.noting(writing.db.transaction().execute(work));
      } finally {
        revisions.forget();
      }
    };
    const instance =
      (await getSetting(reader, 'instance')) ??
      (await write((tx) => setSettingOnce(tx, 'instance', randomUUID())));
    return {
      reader,
      name: path,
      instance,
      write,
      ...groupCommit(write, (statement) => autocommit(writing.connection, writing.db, watched, statement)),
      revisions: (scopes) => {
        assertThere();
        return revisions.read(scopes);
      },
      polled: revisions.share,
      snapshot: (work) => {
        assertThere();
        return snapshotOf(path, work);
      },
      writeFailure: async () => (hasRoom(path) ? writes.failure(() => tryWrite(write)) : 'databaseFull'),
      checkpoint: () => checkpointWhole(writing.connection),
      hurry: (ms) => {
        writing.wait.endsAt = performance.now() + ms;
      },
      close: async () => {
        endWatch();
        await reader.destroy();
        await writing.db.destroy();
      },
      ...(identity !== undefined && { identity }),
    };
  } catch (error) {
    watch?.end();
    await reading?.db.destroy();
    await writing.db.destroy();
    throw error;
  }
}

/** Opens the file for reading only, also when this user may not write it. Throws AppError. */
export async function openFileToRead(path: string, lockTimeoutMs: number): Promise<Store> {
  refuseNetwork(path);
  if (!existsSync(path)) throw absent(path);
  const { file, release } = readableFile(path);
  const { db: reader, connection } = connect({ path: file, lockTimeoutMs, access: 'look' });
  const close = async () => {
    await reader.destroy();
    release();
  };
  try {
    const version = await schemaVersion(reader);
    refuseNewer(version);
    if (version < newestVersion) {
      throw new AppError(
        'databaseOutdated',
        `${path} has schema version ${version}, this program needs ${newestVersion}; run garden migrate (with --dry-run it only says what it would do).`,
      );
    }
    const write = async () => {
      throw new AppError('databaseReadOnly', `${path} was opened to be read; nothing was changed.`);
    };
    return {
      reader,
      name: path,
      instance: (await getSetting(reader, 'instance')) ?? randomUUID(),
      write,
      writeBeside: write,
      change: write,
      writeFailure: async () => 'databaseReadOnly',
      revisions: revisionReader(connection, path).read,
      snapshot: (work) => snapshotOf(file, work),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The schema version of a file, read without changing it. */
export async function versionOfFile(path: string): Promise<number> {
  const { file, release } = readableFile(path);
  const { db } = connect({ path: file, lockTimeoutMs: 0, access: 'look' });
  try {
    return await schemaVersion(db);
  } finally {
    await db.destroy();
    release();
  }
}

interface Connected {
  connection: ReturnType<typeof openSqlite>;
  wait: LockWait;
  db: Db;
}

const unwatched: Watch = { assertThere: () => {}, assertKept: () => {} };

function connect(options: SqliteOptions, watch = unwatched): Connected {
  const connection = openSqlite(options);
  const wait: LockWait = { lockTimeoutMs: options.lockTimeoutMs, endsAt: Number.POSITIVE_INFINITY };
  const dialect = sqliteDialect(connection, options.path, wait, watch);
  return { connection, wait, db: new Kysely<Tables>({ dialect }) };
}

function absent(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `There is no database at ${path}; garden serve or garden import makes one, or name another in DATABASE_URL.`,
  );
}

/** Creates the database under a temporary name and renames it when it is complete, so a failure leaves nothing. */
async function makeFile(path: string, options: OpenOptions): Promise<void> {
  // A random name, because even one process may open the same database twice at once.
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    try {
      mkdirSync(dirname(path), { recursive: true });
      closeSync(openSync(partial, 'wx', 0o600));
    } catch (cause) {
      throw new AppError(
        'databaseUnavailable',
        `The database ${path} cannot be created (${(cause as NodeJS.ErrnoException).code}); choose another place with DATABASE_URL=sqlite:/path/garden.db, or make this one writable.`,
        { cause },
      );
    }
    const store = await openFile(partial, options);
    await store.close();
    moveUnlessThere(partial, path);
  } catch (error) {
    // The message names the path that the caller asked for.
    throw error instanceof AppError
      ? new AppError(error.code, error.message.replaceAll(partial, path), { cause: error.cause })
      : error;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
  }
}

/** When several processes create one database at once, the first link wins and the others use that file. */
function moveUnlessThere(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems have no hard links.
    if (!existsSync(path)) renameSync(partial, path);
  }
}

/** Runs reads on one state of the database, on a connection of their own that holds up no other reader. */
async function snapshotOf<T>(path: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db } = connect({ path, lockTimeoutMs: 0, access: 'look' });
  try {
    return await db.connection().execute(async (one) => {
      await sql`BEGIN`.execute(one);
      try {
        return await work(one);
      } finally {
        await sql`COMMIT`.execute(one);
      }
    });
  } finally {
    await db.destroy();
  }
}
