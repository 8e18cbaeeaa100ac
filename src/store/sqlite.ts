/**
 * The embedded store: how kysely reaches one better-sqlite3 connection, and what SQLite's failures mean to people.
 * better-sqlite3 is synchronous, so a lock held by another process is waited for between turns of the event loop.
 */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { AppError } from '../errors.ts';

/** "GRDN": marks the file as ours in its header, so that another program's database is never migrated. */
const applicationId = 0x4752444e;
/** WAL writes can be lost in earlier versions (the WAL-reset bug fixed in 3.51.3). */
const oldestSqlite = [3, 51, 3] as const;
const preparedStatementsAtMost = 500;

export interface SqliteOptions {
  path: string;
  isReadOnly: boolean;
  /** How long a write waits for another process's lock before it is refused, in milliseconds. */
  lockTimeoutMs: number;
}

/** Opens the file (made with mode 0600 if absent, unless read-only). Throws AppError with what to do. */
export function openSqlite(options: SqliteOptions): Database.Database {
  const { path } = options;
  try {
    if (!options.isReadOnly && !existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      closeSync(openSync(path, 'a', 0o600));
    }
  } catch (cause) {
    throw new AppError(
      'databaseUnavailable',
      `The database ${path} cannot be created (${(cause as NodeJS.ErrnoException).code}); choose another place with DATABASE_URL=sqlite:/path/garden.db, or make this one writable.`,
      { cause },
    );
  }
  if (existsSync(path) && statSync(path).isDirectory()) {
    throw new AppError(
      'databaseUnavailable',
      `The database ${path} is a directory; name a file in DATABASE_URL, such as sqlite:${path}/garden.db.`,
    );
  }
  let connection: Database.Database | undefined;
  try {
    connection = new Database(path, { readonly: options.isReadOnly, timeout: 100, fileMustExist: true });
    connection.defaultSafeIntegers(true);
    assertVersion(connection);
    claim(connection, options);
    connection.pragma('foreign_keys = ON');
    connection.pragma('synchronous = FULL');
    connection.pragma('cache_size = -16000');
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
function claim(connection: Database.Database, { path, isReadOnly }: SqliteOptions): void {
  const id = Number(connection.pragma('application_id', { simple: true }));
  if (id === applicationId) return;
  const tables = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  if (id !== 0 || tables > 0) {
    throw new AppError(
      'databaseCorrupt',
      `${path} is a SQLite database of another program; choose another file with DATABASE_URL=sqlite:/path/garden.db.`,
    );
  }
  if (isReadOnly) return;
  // Half as many pages to write and sync as with 4 KiB; imports commit twice as fast.
  connection.pragma('page_size = 8192');
  connection.pragma('journal_mode = WAL');
  connection.pragma(`application_id = ${applicationId}`);
}

/** What each of SQLite's failures means; anything unknown passes through unchanged. */
function asAppError(error: unknown, path: string): unknown {
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
  // SHMSIZE: no room for the index that all processes share.
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

/** The elements of a JSON list in a column as rows with a `value`, for a FROM clause. */
export function elementsOf(column: string): RawBuilder<unknown> {
  return sql`json_each(${sql.ref(column)})`;
}

/** A kysely dialect over one connection. Transactions of one process take turns; other processes are waited for. */
export function sqliteDialect(database: Database.Database, options: SqliteOptions): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => sqliteDriver(database, options),
  };
}

function sqliteDriver(database: Database.Database, { path, lockTimeoutMs }: SqliteOptions): Driver {
  const statements = new Map<string, Database.Statement>();
  let lastHolder: Promise<void> = Promise.resolve();
  const releases = new WeakMap<DatabaseConnection, () => void>();

  function prepare(sql: string): Database.Statement {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= preparedStatementsAtMost) statements.clear();
    statements.set(sql, statement);
    return statement;
  }

  function execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    try {
      const statement = prepare(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      return { numAffectedRows: BigInt(changes), rows: [] };
    } catch (error) {
      throw asAppError(error, path);
    }
  }

  async function begin(): Promise<void> {
    const deadline = performance.now() + lockTimeoutMs;
    for (let waitMs = 2; ; waitMs = Math.min(waitMs * 2, 50)) {
      try {
        database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
        if (!isBusy || performance.now() >= deadline) throw asAppError(error, path);
      }
      await sleep(waitMs);
    }
  }

  function end(sql: 'COMMIT' | 'ROLLBACK'): void {
    try {
      // A full disk makes SQLite roll back by itself; a second rollback would hide the first error.
      if (database.inTransaction) database.exec(sql);
    } catch (error) {
      throw asAppError(error, path);
    }
  }

  return {
    init: async () => {},
    acquireConnection: async () => {
      const before = lastHolder;
      const { promise, resolve } = Promise.withResolvers<void>();
      lastHolder = before.then(() => promise);
      await before;
      const connection: DatabaseConnection = {
        executeQuery: async <R>(query: CompiledQuery) => execute<R>(query),
        // biome-ignore lint/correctness/useYield: pages are read by key, never by an open cursor.
        streamQuery: async function* () {
          throw new Error('streaming a query would hold the connection: read in pages');
        },
      };
      releases.set(connection, resolve);
      return connection;
    },
    releaseConnection: async (connection) => releases.get(connection)?.(),
    beginTransaction: begin,
    commitTransaction: async () => end('COMMIT'),
    rollbackTransaction: async () => end('ROLLBACK'),
    destroy: async () => {
      database.close();
    },
  };
}
