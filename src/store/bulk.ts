/** Reads and writes many rows in few statements. Compiling a query costs more than running it, so each is compiled once. */
import type { CompiledQuery, Insertable, QueryResult } from 'kysely';
import { engineOf } from './engine.ts';
import type { Db, Tables } from './tables.ts';

/** How many values one look-up statement has. */
const lookedUpAtOnce = 100;

/** Compiled statements by engine: the adapter is the same object for a database and all its transactions. */
const compiled = new WeakMap<object, Map<string, CompiledQuery>>();

/** Runs a query whose SQL depends on `name` alone; `build` makes it the first time. */
export async function runCompiled<R>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => { compile(): CompiledQuery<R> },
): Promise<R[]> {
  return (await run(db, name, parameters, build)).rows;
}

/** Runs such a query and returns whether it changed any row; without a promise if the engine is in this process. */
export function changeCompiled(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => { compile(): CompiledQuery },
): boolean | Promise<boolean> {
  const result = run(db, name, parameters, build);
  return result instanceof Promise ? result.then(changedAny) : changedAny(result);
}

const changedAny = ({ numAffectedRows = 0n }: QueryResult<unknown>) => numAffectedRows > 0n;

function run<R>(
  db: Db,
  name: string,
  parameters: readonly unknown[],
  build: () => { compile(): CompiledQuery<R> },
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

/** Inserts all rows in order. Every row has the columns of the first; a column that is null in all rows is left out. */
export async function insertMany<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  const named = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[T]>)[];
  // Leaving out columns of nulls saves time, because binding values is most of the cost.
  const columns = named.filter((column) => rows.some((row) => row[column] !== null));
  for (const part of parts(rows, engineOf(db).rowsPerInsert)) {
    const parameters: unknown[] = [];
    for (const row of part) for (const column of columns) parameters.push(row[column]);
    await runCompiled(db, `insert ${table} (${columns.join()}) ${part.length}`, parameters, () =>
      db.insertInto(table).values(part.map((row) => only(row, columns)) as never),
    );
  }
}

function only<R>(row: R, columns: readonly (keyof R)[]): Partial<R> {
  const part: Partial<R> = {};
  for (const column of columns) part[column] = row[column];
  return part;
}

/** Cuts a list into pieces of these sizes. */
function* parts<T>(items: readonly T[], sizes: readonly number[]): Generator<T[]> {
  let start = 0;
  for (const size of sizes) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}

/** Looks up many values. `select` always gets the same number of them, padded by the last one, so it compiles once. */
export async function lookUpMany<V, R>(
  values: readonly V[],
  select: (values: V[]) => Promise<R[]>,
): Promise<R[]> {
  const size = lookedUpAtOnce;
  const found: R[] = [];
  for (let start = 0; start < values.length; start += size) {
    const part = values.slice(start, start + size);
    const last = part.at(-1) as V;
    while (part.length < size) part.push(last);
    for (const row of await select(part)) found.push(row);
  }
  return found;
}
