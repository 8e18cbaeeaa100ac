/**
 * The differences between the SQL of the two engines, each registered with its kysely adapter, which transactions share; and the
 * shape of a migration.
 */
import type { CompiledQuery, Expression, QueryResult, RawBuilder, SqlBool } from 'kysely';
import type { Db } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/** A column of a row that is written as JSON. The text of a list or an object is JSON already. */
export interface JsonColumn {
  name: string;
  kind: 'integer' | 'list' | 'object' | 'text';
  expression: Expression<unknown>;
}

export interface Engine {
  dialect: Dialect;
  /** Runs a query synchronously, inside a transaction that is open; absent if a query has to wait for a connection. */
  run?<R>(query: CompiledQuery<R>): QueryResult<R>;
  /** Whether an insert can take a value for all of its rows beside theirs. PostgreSQL gives it the type text, which no number fits. */
  sharesValues: boolean;
  /** How a statement names its nth parameter, from 1. */
  placeholder(nth: number): string;
  tables: RawBuilder<{ name: string }>;
  /** Keeps other processes from changing the schema until this transaction ends. */
  lockSchema(tx: Db): Promise<void>;
  /** For a FROM clause: the elements of a JSON list, as rows `element` with a column `value`. */
  elementsOf(list: Expression<unknown>): RawBuilder<unknown>;
  /** A row as a JSON object without blanks; SQL's null becomes JSON's. */
  asJson(columns: readonly JsonColumn[]): RawBuilder<string>;
  /** Whether a text has another one in it; every character stands for itself. */
  contains(text: Expression<unknown>, part: string): RawBuilder<SqlBool>;
  /** A moment some seconds after another, both as times are written. */
  momentAfter(at: Expression<unknown>, seconds: Expression<unknown>): RawBuilder<string>;
  /** The clock that all processes share, in milliseconds since 1970. */
  clockMs: RawBuilder<bigint>;
  version: RawBuilder<{ version: string }>;
  listFaults(db: Db): Promise<string[]>;
}

const engines = new WeakMap<object, Engine>();

export function registerEngine<A extends object>(adapter: A, engine: Engine): A {
  engines.set(adapter, engine);
  return adapter;
}

export async function listTables(db: Db): Promise<string[]> {
  const { rows } = await engineOf(db).tables.execute(db);
  return rows.map(({ name }) => name);
}

export function engineOf(db: Db): Engine {
  const engine = engines.get(db.getExecutor().adapter);
  if (!engine) throw new Error('a database without an engine');
  return engine;
}

/* Migrations: their shape, and the statements that differ only in words between the engines. The runner is in `migrate.ts`. */

declare module './tables.ts' {
  interface Tables {
    schema_migrations: { version: bigint; name: string; applied_at: string };
  }
}

/** One step of the schema: the statements for each engine, separated by semicolons at line ends. */
export interface Migration extends Record<Dialect, string> {
  name: string;
  why: string;
}

/** Statements in SQLite's words, and the same ones in PostgreSQL's. */
export function onBothEngines(sqlite: string): Record<Dialect, string> {
  const postgres = sqlite
    // COLLATE "C" compares text by code point, as SQLite does, whatever the collation of the database is.
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/ STRICT(?:, WITHOUT ROWID)?(?=;)/g, '');
  return { sqlite, postgres };
}
