/** Reads and writes many rows in few statements, each compiled once. */
import {
  type Compilable,
  type CompiledQuery,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  sql,
} from 'kysely';
import { engineOf } from './engine.ts';
import { type Parameters, type Rest, run, runBound, statement, type Value } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

const valuesPerRead = 100;
/** Largest first. SQLite allows 32,766 parameters a statement, PostgreSQL 65,535. */
const rowsPerInsert = [500, 100, 20, 4, 1];
/**
 * From this number of rows on, values that all rows share are bound once. Fewer rows may agree by chance, and each combination
 * of columns is a statement of its own.
 */
const sharedFrom = 100;

/** Splits a list of any length. The last part is padded, so only two lengths are compiled. */
export function preparedForMany<V extends Value, R, P extends Parameters<keyof P> = Record<never, never>>(
  build: (db: Db, many: readonly V[], parameters: P) => Compilable<R>,
) {
  const compiledFor = statement<P & { many: readonly V[] }, R>((db, all) => build(db, all.many, all));
  return async (db: Db, values: readonly V[], ...[parameters]: Rest<P>): Promise<R[]> => {
    const results: R[] = [];
    const atOnce = values.length === 1 ? 1 : valuesPerRead;
    for (let start = 0; start < values.length; start += atOnce) {
      const many = values.slice(start, start + atOnce);
      while (many.length < atOnce) many.push(many.at(-1) as V);
      const { rows } = await run(db, compiledFor, { ...(parameters as P), many });
      for (const row of rows) results.push(row);
    }
    return results;
  };
}

type Insert<T extends keyof Tables> = InsertQueryBuilder<Tables, T, InsertResult>;

export const insertMany = bulkInsert<keyof Tables>((insert) => insert);

export const insertNew = bulkInsert<keyof Tables>((insert) =>
  insert.onConflict((conflict) => conflict.doNothing()),
);

export function upsertInto<T extends keyof Tables>(table: T, withConflict: (insert: Insert<T>) => Insert<T>) {
  const insert = bulkInsert(withConflict);
  return (tx: Db, rows: readonly Insertable<Tables[T]>[]) => insert(tx, table, rows);
}

/** Every row has the columns of the first; a column that is null in all rows is left out. */
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
    const query = withConflict(insert as never).compile();
    if (query.parameters.length > 0) throw new Error(`a value stands in ${query.sql}`);
    return query;
  }

  return async <T extends Some>(
    db: Db,
    table: T,
    rows: readonly Insertable<Tables[T]>[],
  ): Promise<bigint> => {
    const [first] = rows;
    const names = Object.keys(first ?? {}) as (keyof Insertable<Tables[T]> & string)[];
    const { dialect, sharesValues } = engineOf(db);
    const columns = names.filter((column) => rows.some((row) => row[column] !== null));
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
