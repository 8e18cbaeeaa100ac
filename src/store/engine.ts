/** Where the SQL of the two engines differs, by kysely adapter; and the shape of a migration. */
import type { CompiledQuery, Expression, QueryResult, RawBuilder, SqlBool } from 'kysely';
import type { Db } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

/** The text of a list or an object is JSON already. */
export interface JsonColumn {
  name: string;
  kind: 'integer' | 'list' | 'object' | 'text';
  expression: Expression<unknown>;
}

export interface Engine {
  dialect: Dialect;
  /** Runs a query synchronously in an open transaction; absent if queries wait for a connection. */
  run?<R>(query: CompiledQuery<R>): QueryResult<R>;
  /** Whether one parameter beside VALUES can stand for a value of all rows; PostgreSQL would type it as text. */
  canShareValues: boolean;
  placeholder(position: number): string;
  tables: RawBuilder<{ name: string }>;
  /** Keeps other processes from changing the schema until this transaction ends. */
  lockSchema(tx: Db): Promise<void>;
  /** For a FROM clause: rows `element` with a column `value`. */
  elementsOf(list: Expression<unknown>): RawBuilder<unknown>;
  asJson(columns: readonly JsonColumn[]): RawBuilder<string>;
  contains(text: Expression<unknown>, part: string): RawBuilder<SqlBool>;
  momentAfter(at: Expression<unknown>, seconds: Expression<unknown>): RawBuilder<string>;
  /** In milliseconds since 1970, the same for all processes. */
  clockMs: RawBuilder<bigint>;
  version: RawBuilder<{ version: string }>;
  checkIntegrity(db: Db): Promise<string[]>;
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

declare module './tables.ts' {
  interface Tables {
    schema_migrations: { version: bigint; name: string; applied_at: string };
  }
}

/** Statements are separated by semicolons at line ends. */
export interface Migration extends Record<Dialect, string> {
  name: string;
  why: string;
}

export function onBothEngines(sqlite: string): Record<Dialect, string> {
  const postgres = sqlite
    // COLLATE "C" compares by code point, as SQLite does.
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/ STRICT(?:, WITHOUT ROWID)?(?=;)/g, '');
  return { sqlite, postgres };
}
