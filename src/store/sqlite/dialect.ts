/** The kysely dialect over one better-sqlite3 connection. Waiting for a lock never blocks the event loop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { type Engine, registerEngine } from '../engine.ts';
import { codeOf } from '../errors.ts';
import type { Db, Tables } from '../tables.ts';
import { asAppError } from './errors.ts';
import { type FileWatch, lostFile } from './files.ts';

export interface LockWait {
  lockTimeoutMs: number;
  /** When every wait ends, also one that has begun, by `performance.now`. */
  endsAt: number;
}

const maxPreparedStatements = 500;

const engine: Engine = {
  dialect: 'sqlite',
  placeholder: () => '?',
  canShareValues: true,
  tables: sql`SELECT name FROM sqlite_schema WHERE type = 'table'`,
  // BEGIN IMMEDIATE has taken the write lock already.
  lockSchema: async () => {},
  elementsOf: (list) => sql`json_each(${list}) AS element`,
  asJson: (columns) => {
    const members = columns.flatMap(({ name, kind, expression }) => [
      sql.lit(name),
      kind === 'list' || kind === 'object' ? sql`json(${expression})` : expression,
    ]);
    return sql`json_object(${sql.join(members)})`;
  },
  contains: (text, part) => sql`${text} LIKE ${`%${part.replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`,
  momentAfter: (at, seconds) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${at}, ${seconds} || ' seconds')`,
  clockMs: sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`,
  version: sql`SELECT 'SQLite ' || sqlite_version() AS version`,
  checkIntegrity: async (db) => {
    const { rows } = await sql<{ quick_check: string }>`PRAGMA quick_check(5)`.execute(db);
    // One row may have several lines and a heading, which begins with ***.
    const lines = rows.flatMap((row) => row.quick_check.split('\n'));
    return lines.filter((line) => line !== 'ok' && !line.startsWith('***'));
  },
};

export function kyselyOver(
  database: Database.Database,
  path: string,
  wait: LockWait = { lockTimeoutMs: 0, endsAt: 0 },
  watch?: FileWatch,
  beforeRead?: () => void,
): Db {
  const statements = new Map<string, Database.Statement>();

  function prepare(text: string): Database.Statement {
    const cached = statements.get(text);
    if (cached) return cached;
    const statement = database.prepare(text);
    if (statements.size >= maxPreparedStatements) statements.clear();
    statements.set(text, statement);
    return statement;
  }

  function run<R>({ sql: text, parameters }: CompiledQuery<R>): QueryResult<R> {
    if (watch?.isLost) throw lostFile(path);
    try {
      const statement = prepare(text);
      beforeRead?.();
      if (statement.reader) return { rows: statement.all(...parameters) as R[] };
      const { changes } = statement.run(...parameters);
      return { numAffectedRows: BigInt(changes), rows: [] };
    } catch (error) {
      throw asAppError(error, path);
    }
  }

  async function begin(): Promise<void> {
    const deadline = performance.now() + wait.lockTimeoutMs;
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 20)) {
      try {
        prepare('BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        const isBusy = codeOf(error).startsWith('SQLITE_BUSY');
        if (!isBusy || performance.now() >= Math.min(deadline, wait.endsAt)) throw asAppError(error, path);
      }
      await sleep(waitMs);
    }
  }

  function end(text: 'COMMIT' | 'ROLLBACK'): void {
    try {
      // On a full disk SQLite has rolled back already, and a second ROLLBACK would hide the first error.
      if (database.inTransaction) prepare(text).run();
    } catch (error) {
      throw asAppError(error, path);
    }
  }

  return databaseOver(async (query) => run(query), {
    engine: { run },
    begin,
    commit: () => {
      end('COMMIT');
      watch?.assertFilesPresent();
    },
    rollback: () => end('ROLLBACK'),
  });
}

interface TransactionFunctions {
  engine?: Pick<Engine, 'run'>;
  begin(): Promise<void>;
  commit(): void;
  rollback(): void;
}

export function databaseOver(
  execute: <R>(query: CompiledQuery<R>) => Promise<QueryResult<R>>,
  transactions?: TransactionFunctions,
): Db {
  const connection: DatabaseConnection = {
    executeQuery: (query) => execute(query as CompiledQuery<never>),
    streamQuery: () => {
      throw new Error('streaming a query would hold the connection: read in pages');
    },
  };
  // The adapter says that there is one connection only, so kysely lends it to one caller at a time.
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => transactions?.begin(),
    commitTransaction: async () => transactions?.commit(),
    rollbackTransaction: async () => transactions?.rollback(),
    destroy: async () => {},
  };
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => registerEngine(new SqliteAdapter(), { ...engine, ...transactions?.engine }),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createDriver: () => driver,
    },
  });
}
