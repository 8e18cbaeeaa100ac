/** What the engines say in different words. Each registers its words with the adapter that a database shares with its transactions. */
import type { CompiledQuery, Expression, QueryResult, RawBuilder } from 'kysely';
import type { Db } from './tables.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface Engine {
  /** Whose text of a migration it runs. */
  dialect: Dialect;
  /** Rows that one INSERT may have, largest first: the farther the engine, the more. */
  rowsPerInsert: readonly number[];
  /**
   * Rows of the first window that is looked at in one piece, where the engine runs in this process and so holds up all
   * of it; absent where a server does the looking.
   */
  windowRows?: number;
  /**
   * Runs a query on the one connection that there is, at once, and so within a transaction that is open on it; absent where
   * a connection has to be got first.
   */
  run?<R>(query: CompiledQuery<R>): QueryResult<R>;
  /** The names of the tables that there are. */
  listTables(db: Db): Promise<string[]>;
  /** Lets no other process change the schema before this transaction ends. */
  lockSchema(tx: Db): Promise<void>;
  /** The elements of a JSON list in a column as rows of `element`, each with a `value`, for a FROM clause. */
  elementsOf(column: string): RawBuilder<unknown>;
  /** A text as JSON, with JSON's null where there is none. */
  asJson(text: Expression<unknown>): RawBuilder<string>;
  /** Of all rows: the texts of `text` in the order of `order`, with commas between. */
  joined(text: string, order: string): RawBuilder<string | null>;
  /** Its name and version. */
  describe(db: Db): Promise<string>;
  /** What is wrong with the database itself; empty where it is sound. */
  listFaults(db: Db): Promise<string[]>;
}

const engines = new WeakMap<object, Engine>();

/** Registers what an adapter's engine says; answers the adapter. */
export function speaking<A extends object>(adapter: A, engine: Engine): A {
  engines.set(adapter, engine);
  return adapter;
}

export function engineOf(db: Db): Engine {
  const engine = engines.get(db.getExecutor().adapter);
  if (!engine) throw new Error('a database without an engine');
  return engine;
}
