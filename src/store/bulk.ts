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
import { type OptionalArgument, type Parameters, run, runBound, statement, type Value } from './prepared.ts';
import type { Db, Tables } from './tables.ts';

const valuesPerRead = 100;
/** Largest first. SQLite allows 32,766 parameters a statement, PostgreSQL 65,535. */
const rowsPerInsert = [500, 100, 20, 4, 1];
/**
 * From this number of rows on, values that all rows share are bound once. Fewer rows may agree by chance, and each combination
 * of columns is a statement of its own.
 */
const minRowsToShare = 100;

/** Splits a list of any length into batches. The last one is padded, so only two lengths are compiled. */
export function preparedForMany<V extends Value, R, P extends Parameters<keyof P> = Record<never, never>>(
  build: (db: Db, many: readonly V[], parameters: P) => Compilable<R>,
) {
  const compiledFor = statement<P & { many: readonly V[] }, R>((db, all) => build(db, all.many, all));
  return async (db: Db, values: readonly V[], ...[parameters]: OptionalArgument<P>): Promise<R[]> => {
    const results: R[] = [];
    const batchSize = values.length === 1 ? 1 : valuesPerRead;
    for (let start = 0; start < values.length; start += batchSize) {
      const many = values.slice(start, start + batchSize);
      while (many.length < batchSize) many.push(many.at(-1) as V);
      const { rows } = await run(db, compiledFor, { ...(parameters as P), many });
      for (const row of rows) results.push(row);
    }
    return results;
  };
}

type Insert<T extends keyof Tables> = InsertQueryBuilder<Tables, T, InsertResult>;

export const insertMany = bulkInsert<keyof Tables>((insert) => insert);

export const insertMissing = bulkInsert<keyof Tables>((insert) =>
  insert.onConflict((conflict) => conflict.doNothing()),
);

export function upsertInto<T extends keyof Tables>(table: T, withConflict: (insert: Insert<T>) => Insert<T>) {
  const insert = bulkInsert(withConflict);
  return (tx: Db, rows: readonly Insertable<Tables[T]>[]) => insert(tx, table, rows);
}

/** Every row has the columns of the first; a column that is null in all rows is left out. */
function bulkInsert<Some extends keyof Tables>(withConflict: (insert: Insert<Some>) => Insert<Some>) {
  const compiled = new Map<string, CompiledQuery>();

  /** Writes the placeholders as text, because kysely would take longer to compile thousands of values than inserting takes. */
  function compile(db: Db, { table, shared, varying, count }: InsertShape): CompiledQuery {
    const { placeholder } = engineOf(db);
    const placeholders = (columns: readonly unknown[], from: number) =>
      columns.map((_, index) => placeholder(from + index + 1)).join();
    const rows = Array.from(
      { length: count },
      (_, index) => `(${placeholders(varying, shared.length + index * varying.length)})`,
    );
    // Without WHERE, SQLite would take ON CONFLICT for the condition of a join.
    const text =
      shared.length > 0
        ? `SELECT ${placeholders(shared, 0)}, * FROM (VALUES ${rows}) WHERE true`
        : `VALUES ${rows}`;
    const insert = db
      .insertInto(table)
      .columns([...shared, ...varying] as never)
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
    const { dialect, canShareValues } = engineOf(db);
    const columns = names.filter((column) => rows.some((row) => row[column] !== null));
    const isShared = (column: (typeof columns)[number]) =>
      rows.every((row) => row[column] === first?.[column]);
    const equal = canShareValues && rows.length >= minRowsToShare ? columns.filter(isShared) : [];
    // A list of values needs at least one column.
    const shared = equal.length < columns.length ? equal : [];
    const varying = columns.filter((column) => !shared.includes(column));
    let written = 0n;
    for (const batch of batches(rows, rowsPerInsert)) {
      const values: unknown[] = shared.map((column) => first?.[column]);
      for (const row of batch) for (const column of varying) values.push(row[column]);
      const key = `${dialect} ${table} (${shared.join()}) (${varying.join()}) ${batch.length}`;
      const query = compiled.get(key) ?? compile(db, { table, shared, varying, count: batch.length });
      compiled.set(key, query);
      written += (await runBound(db, query, values)).numAffectedRows ?? 0n;
    }
    return written;
  };
}

/** The columns `shared` have the same value in all rows, which is bound once. */
interface InsertShape {
  table: keyof Tables;
  shared: readonly string[];
  varying: readonly string[];
  count: number;
}

function* batches<T>(items: readonly T[], sizes: readonly number[]): Generator<T[]> {
  let start = 0;
  for (const size of sizes) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
