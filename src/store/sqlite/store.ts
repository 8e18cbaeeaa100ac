/** The store on a file: made whole or not at all, one connection that writes and others that read beside it. */
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
import { foldLog, openSqlite, type SqliteOptions } from './connection.ts';
import { byItself, type Patience, sqliteDialect, type Watch } from './dialect.ts';
import { hasRoom, refuseNetwork } from './file-system.ts';
import { groupCommit } from './group-commit.ts';
import { assertSound, logBytes } from './integrity.ts';
import { readableFile } from './readable.ts';
import { revisionReader, revisionsOver } from './revisions.ts';
import { assertIdentity, type FileWatch, identityOf, watchFiles } from './watch.ts';

/** Opens the file, which is made where that is allowed, and migrates it. Throws AppError. */
export async function openFile(path: string, options: OpenOptions): Promise<Store> {
  // Before anything is opened: an empty file would be marked as ours.
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
    // From here on a lock is waited for between turns of the event loop only: SQLite itself would stop all of it.
    writing.connection.pragma('busy_timeout = 0');
    reading = connect({ path, lockTimeoutMs, access: 'read' }, watched);
    const { connection, db: reader } = reading;
    const revisions = revisionsOver(writing.connection, connection, path);
    watch = watchFiles(path, {
      fold: () => foldLog(writing.connection),
      tell: options.tell ?? (() => {}),
    });
    const { assertThere, end: endWatch } = watch;
    // Of the file that is open: the watch looked before.
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
      ...groupCommit(write, (statement) => byItself(writing.connection, writing.db, watched, statement)),
      revisions: (scopes) => {
        assertThere();
        return revisions.read(scopes);
      },
      snapshot: (work) => {
        assertThere();
        return snapshotOf(path, work);
      },
      writeFailure: async () => (hasRoom(path) ? writes.failure(() => tryWrite(write)) : 'databaseFull'),
      foldLog: () => foldLog(writing.connection),
      hurry: (ms) => {
        writing.patience.endsAt = performance.now() + ms;
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

/** Opens the file for reading only, whether or not this user may write it. Throws AppError. */
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

/** The version of the schema in the file, which stays as it is. */
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
  patience: Patience;
  db: Db;
}

const unwatched: Watch = { assertThere: () => {}, assertKept: () => {} };

function connect(options: SqliteOptions, watch = unwatched): Connected {
  const connection = openSqlite(options);
  const patience: Patience = { lockTimeoutMs: options.lockTimeoutMs, endsAt: Number.POSITIVE_INFINITY };
  const dialect = sqliteDialect(connection, options.path, patience, watch);
  return { connection, patience, db: new Kysely<Tables>({ dialect }) };
}

function absent(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `There is no database at ${path}; garden serve or garden import makes one, or name another in DATABASE_URL.`,
  );
}

/** Makes the whole database beside its place and moves it there: what fails half-way leaves nothing. */
async function makeFile(path: string, options: OpenOptions): Promise<void> {
  // Of its own even within a process, which may open one database twice at once.
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
    // The sentence names the place that was asked for.
    throw error instanceof AppError
      ? new AppError(error.code, error.message.replaceAll(partial, path), { cause: error.cause })
      : error;
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
  }
}

/** Of several who make one database at once the first has it, and the others use it. */
function moveUnlessThere(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems have no links.
    if (!existsSync(path)) renameSync(partial, path);
  }
}

/** Runs reads on one state, on a connection of its own: everyone else reads on meanwhile. */
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
