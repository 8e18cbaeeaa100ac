/** Reads and writes many rows in few statements. Compiling a query costs more than running it, so each is compiled once. */
import {
  type Compilable,
  type CompiledQuery,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type QueryResult,
  sql,
} from 'kysely';
import { engineOf } from './engine.ts';
import {
  type Parameters,
  type Rest,
  runBound,
  run as runStatement,
  statement,
  type Value,
} from './prepared.ts';
import type { Db, Tables } from './tables.ts';

const lookedUpAtOnce = 100;
/** Numbers of rows that one INSERT has, largest first. SQLite allows 32,766 parameters a statement, PostgreSQL 65,535. */
const rowsPerInsert = [500, 100, 20, 4, 1];
/**
 * From so many rows on, values that all of them have are bound once. In few rows any columns may happen to be equal, and each
 * combination is a statement of its own.
 */
const sharedFrom = 100;

/** Compiled statements by engine: the adapter is the same object for a database and all its transactions. */
const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/** Runs a query whose SQL depends on `name` alone; `build` makes it the first time. */
export async function runCompiled<R>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => Compilable<R>,
): Promise<R[]> {
  return (await run(db, name, parameters, build)).rows;
}

/** Runs such a query and returns whether it changed any row; without a promise if the engine is in this process. */
export function changeCompiled(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => Compilable<unknown>,
): boolean | Promise<boolean> {
  const result = run(db, name, parameters, build);
  return result instanceof Promise ? result.then(changedAny) : changedAny(result);
}

const changedAny = ({ numAffectedRows = 0n }: QueryResult<unknown>) => numAffectedRows > 0n;

function run<R>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => Compilable<R>,
): QueryResult<R> | Promise<QueryResult<R>> {
  const adapter = db.getExecutor().adapter;
  const known = compiled.get(adapter) ?? new Map<string, CompiledQuery>();
  compiled.set(adapter, known);
  let query = known.get(name);
  if (!query) {
    query = build().compile();
    known.set(name, query);
  }
  const asked = { ...query, parameters } as CompiledQuery<R>;
  const { run: runAtOnce } = engineOf(db);
  return runAtOnce ? runAtOnce(asked) : db.executeQuery<R>(asked);
}

/**
 * A function that runs a statement for a list of any length, in parts; the last part of many is padded, so that all are as long. The
 * list is its parameter `many`.
 */
export function preparedForMany<V extends Value, R, P extends Parameters<keyof P> = Record<never, never>>(
  build: (db: Db, many: readonly V[], parameters: P) => Compilable<R>,
) {
  const compiledFor = statement<P & { many: readonly V[] }, R>((db, all) => build(db, all.many, all));
  return async (db: Db, values: readonly V[], ...[parameters]: Rest<P>): Promise<R[]> => {
    const found: R[] = [];
    const atOnce = values.length === 1 ? 1 : lookedUpAtOnce;
    for (let start = 0; start < values.length; start += atOnce) {
      const many = values.slice(start, start + atOnce);
      while (many.length < atOnce) many.push(many.at(-1) as V);
      const { rows } = await runStatement(db, compiledFor, { ...(parameters as P), many });
      for (const row of rows) found.push(row);
    }
    return found;
  };
}

/** Runs such a query for many values, which come last, or for one; the last run of many is padded, so that all have as many. */
export async function runForMany<V, R>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  values: readonly V[],
  build: (some: readonly V[]) => Compilable<R>,
): Promise<R[]> {
  const found: R[] = [];
  const atOnce = values.length === 1 ? 1 : lookedUpAtOnce;
  for (let start = 0; start < values.length; start += atOnce) {
    const some = values.slice(start, start + atOnce);
    while (some.length < atOnce) some.push(some.at(-1) as V);
    for (const row of await runCompiled(db, `${name} ${atOnce}`, [...parameters, ...some], () => build(some)))
      found.push(row);
  }
  return found;
}

type Insert<T extends keyof Tables> = InsertQueryBuilder<Tables, T, InsertResult>;

/** Inserts all rows in order, and answers how many were written. */
export const insertMany = bulkInsert<keyof Tables>((insert) => insert);

/** Inserts those of the rows with which no other row is in conflict, and answers how many. */
export const insertNew = bulkInsert<keyof Tables>((insert) =>
  insert.onConflict((conflict) => conflict.doNothing()),
);

/** A function that inserts rows into a table, or changes those that are there already; it answers how many were written. */
export function upsertInto<T extends keyof Tables>(table: T, withConflict: (insert: Insert<T>) => Insert<T>) {
  const insert = bulkInsert(withConflict);
  return (tx: Db, rows: readonly Insertable<Tables[T]>[]) => insert(tx, table, rows);
}

/**
 * A function that inserts all rows in order, and answers how many were written. Every row has the columns of the first; a column that
 * is null in all rows is left out. `withConflict` says, without values, what becomes of rows that are there already.
 */
function bulkInsert<Some extends keyof Tables>(withConflict: (insert: Insert<Some>) => Insert<Some>) {
  const compiled = new Map<string, CompiledQuery>();

  /** As nodes of kysely, thousands of values would take longer to compile than to insert. */
  function compile(db: Db, { table, shared, own, count }: Shape): CompiledQuery {
    const { placeholder } = engineOf(db);
    const places = (of: readonly unknown[], from: number) =>
      of.map((_, nth) => placeholder(from + nth + 1)).join();
    const rows = Array.from(
      { length: count },
      (_, at) => `(${places(own, shared.length + at * own.length)})`,
    );
    // Without WHERE, SQLite would take ON CONFLICT for the condition of a join.
    const text =
      shared.length > 0
        ? `SELECT ${places(shared, 0)}, * FROM (VALUES ${rows}) WHERE true`
        : `VALUES ${rows}`;
    const insert = db
      .insertInto(table)
      .columns([...shared, ...own] as never)
      .expression(sql.raw<never>(text));
    return withConflict(insert as never).compile();
  }

  return async <T extends Some>(
    db: Db,
    table: T,
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<bigint> => {
    const [first] = rows;
    const named = Object.keys(first ?? {}) as (keyof Insertable<Tables[T]> & string)[];
    const { dialect, sharesValues } = engineOf(db);
    // Binding values is most of the cost.
    const columns = named.filter((column) => rows.some((row) => row[column] !== null));
    const isShared = (column: (typeof columns)[number]) =>
      rows.every((row) => row[column] === first?.[column]);
    const equal = sharesValues && rows.length >= sharedFrom ? columns.filter(isShared) : [];
    // A list of values needs at least one column.
    const shared = equal.length < columns.length ? equal : [];
    const own = columns.filter((column) => !shared.includes(column));
    let written = 0n;
    for (const part of parts(rows, rowsPerInsert)) {
      const values: unknown[] = shared.map((column) => first?.[column]);
      for (const row of part) for (const column of own) values.push(row[column]);
      const key = `${dialect} ${table} (${shared.join()}) (${own.join()}) ${part.length}`;
      const query = compiled.get(key) ?? compile(db, { table, shared, own, count: part.length });
      compiled.set(key, query);
      written += (await runBound(db, query, values)).numAffectedRows ?? 0n;
    }
    return written;
  };
}

/** What the SQL of an insert depends on: the columns that all rows share, those of which each has its own, and the number of rows. */
interface Shape {
  table: keyof Tables;
  shared: readonly string[];
  own: readonly string[];
  count: number;
}

function* parts<T>(items: readonly T[], sizes: readonly number[]): Generator<T[]> {
  let start = 0;
  for (const size of sizes) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
