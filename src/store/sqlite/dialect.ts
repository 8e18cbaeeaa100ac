/**
 * The kysely dialect over one better-sqlite3 connection. better-sqlite3 is synchronous, so a writer that meets another
 * process's lock sleeps and tries again, instead of letting SQLite block the event loop.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { type Engine, registerEngine } from '../engine.ts';
import type { Db } from '../tables.ts';
import { asAppError } from './errors.ts';
import { faultsIn } from './integrity.ts';
import type { FileWatch } from './watch.ts';

/** How long a writer waits for other processes. */
export interface LockWait {
  lockTimeoutMs: number;
  /** When every wait ends, also one that has begun, by the clock of `performance.now`. */
  endsAt: number;
}

const preparedStatementsAtMost = 500;

const engine: Engine = {
  dialect: 'sqlite',
  // SQLite allows 32,766 parameters a statement.
  rowsPerInsert: [100, 20, 4, 1],
  windowRows: 128,
  listTables: async (db) => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  },
  // BEGIN IMMEDIATE has taken the write lock already.
  lockSchema: async () => {},
  elementsOf: (column) => sql`json_each(${sql.ref(column)}) AS element`,
  asJson: (text) => sql`json_quote(${text})`,
  // The subquery below delivers its rows sorted; sorting them again would cost more than the rest of the query.
  joined: (text) => sql`group_concat(${sql.ref(text)}, ',')`,
  describe: async (db) => {
    const { rows } = await sql<{ version: string }>`SELECT sqlite_version() AS version`.execute(db);
    return `SQLite ${rows[0]?.version}`;
  },
  listFaults: async (db) => {
    const { rows } = await sql<{ quick_check: string }>`PRAGMA quick_check(5)`.execute(db);
    return faultsIn(rows.map((row) => row.quick_check));
  },
};

/**
 * Runs a statement with autocommit on the connection that writes. Returns undefined when a transaction is open or the
 * statement failed; either way nothing changed, and the caller's retry in a transaction reports the error.
 */
export function autocommit<T>(
  connection: Database.Database,
  db: Db,
  watch: Pick<FileWatch, 'assertKept'>,
  statement: (db: Db) => T,
): T | Promise<never> | undefined {
  // In an open transaction the statement would become part of it.
  if (connection.inTransaction) return undefined;
  let result: T;
  try {
    result = statement(db);
  } catch {
    return undefined;
  }
  try {
    watch.assertKept();
  } catch (error) {
    return Promise.reject(error);
  }
  return result;
}

/** The checks that a dialect runs before each statement and after each commit. */
export type Watch = Pick<FileWatch, 'assertThere' | 'assertKept'>;

/** A kysely dialect over one connection. Transactions of this process take turns and wait for other processes' locks. */
export function sqliteDialect(
  database: Database.Database,
  path: string,
  wait: LockWait,
  watch: Watch,
): Dialect {
  const statements = statementsOf(database, path, watch);
  return {
    createAdapter: () => registerEngine(new SqliteAdapter(), { ...engine, run: statements.execute }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => sqliteDriver(database, path, wait, watch, statements),
  };
}

interface Statements {
  prepare(sql: string): Database.Statement;
  /** Throws AppError. */
  execute<R>(query: CompiledQuery<R>): QueryResult<R>;
}

function statementsOf(database: Database.Database, path: string, watch: Watch): Statements {
  const statements = new Map<string, Database.Statement>();

  function prepare(sql: string): Database.Statement {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    if (statements.size >= preparedStatementsAtMost) statements.clear();
    statements.set(sql, statement);
    return statement;
  }

  function execute<R>({ sql, parameters }: CompiledQuery<R>): QueryResult<R> {
    watch.assertThere();
    try {
      const statement = prepare(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      return { numAffectedRows: BigInt(changes), rows: [] };
    } catch (error) {
      throw asAppError(error, path);
    }
  }

  return { prepare, execute };
}

function sqliteDriver(
  database: Database.Database,
  path: string,
  wait: LockWait,
  watch: Watch,
  { prepare, execute }: Statements,
): Driver {
  let lastHolder: Promise<void> = Promise.resolve();
  const releases = new WeakMap<DatabaseConnection, () => void>();

  async function begin(): Promise<void> {
    const deadline = performance.now() + wait.lockTimeoutMs;
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
      try {
        prepare('BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');
        if (!isBusy || performance.now() >= Math.min(deadline, wait.endsAt)) throw asAppError(error, path);
      }
      await sleep(waitMs);
    }
  }

  function end(sql: 'COMMIT' | 'ROLLBACK'): void {
    try {
      // On a full disk SQLite has rolled back already, and a second ROLLBACK would hide the first error.
      if (database.inTransaction) prepare(sql).run();
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
        executeQuery: async <R>(query: CompiledQuery) => execute(query as CompiledQuery<R>),
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
    commitTransaction: async () => {
      end('COMMIT');
      watch.assertKept();
    },
    rollbackTransaction: async () => end('ROLLBACK'),
    destroy: async () => {
      database.close();
    },
  };
}
