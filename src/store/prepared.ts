/** Statements that are compiled once for each engine, because compiling costs more than running. Parameters go by name. */
import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { engineOf } from './engine.ts';
import type { Db } from './tables.ts';

/** Neither undefined, which would change the SQL, nor a boolean, which SQLite has not. */
export type Value = bigint | number | string | Uint8Array | null;

/** A list is compiled anew for each of its lengths: for lists of any length use `preparedForMany`. */
export type Parameters<Names extends PropertyKey = string> = Record<Names, Value | readonly Value[]>;

/** Receives symbols instead of values, so that it can only hand them to kysely. */
export type Build<P, R> = (db: Db, parameters: P) => Compilable<R>;

export type Statement<P, R> = (db: Db, parameters: P) => Compiled<P, R>;

interface Compiled<P, R> {
  query: CompiledQuery<R>;
  bind(parameters: P): unknown[];
}

export function statement<P extends Parameters<keyof P>, R>(build: Build<P, R>): Statement<P, R> {
  const compiled = new Map<string, Compiled<P, R>>();
  let lists: (keyof P)[] | undefined;
  return (db, parameters) => {
    lists ??= namesOf(parameters).filter((name) => Array.isArray(parameters[name]));
    let key: string = engineOf(db).dialect;
    for (const name of lists) key += ` ${(parameters[name] as readonly Value[]).length}`;
    let match = compiled.get(key);
    if (!match) {
      match = compile(db, build, parameters);
      compiled.set(key, match);
    }
    return match;
  };
}

export function runBound<R>(
  db: Db,
  query: CompiledQuery<R>,
  parameters: readonly unknown[],
): QueryResult<R> | Promise<QueryResult<R>> {
  const bound = { ...query, parameters };
  const { run } = engineOf(db);
  return run ? run(bound) : db.executeQuery<R>(bound);
}

export function run<P, R>(db: Db, compiledFor: Statement<P, R>, parameters: P) {
  const { query, bind } = compiledFor(db, parameters);
  return runBound(db, query, bind(parameters));
}

export type OptionalArgument<P> = keyof P extends never ? [] : [parameters: P];

/** Call this outside of functions, once for a statement, because the returned function caches what it compiles. */
export function prepared<R, P extends Parameters<keyof P> = Record<never, never>>(build: Build<P, R>) {
  const compiledFor = statement(build);
  return async (db: Db, ...[parameters = {} as P]: OptionalArgument<P>): Promise<R[]> =>
    (await run(db, compiledFor, parameters)).rows;
}

/** Answers whether any row changed; without a promise if the engine runs in this process. */
export function preparedChange<P extends Parameters<keyof P>>(build: Build<P, unknown>) {
  const compiledFor = statement(build);
  return (db: Db, parameters: P): boolean | Promise<boolean> => {
    const result = run(db, compiledFor, parameters);
    return result instanceof Promise ? result.then(changedAny) : changedAny(result);
  };
}

const changedAny = ({ numAffectedRows = 0n }: QueryResult<unknown>) => numAffectedRows > 0n;

/** Caches by texts on which the SQL depends, such as a table and its columns. */
export function perShape<Shape extends readonly string[], T>(
  make: (...shape: Shape) => T,
): (...shape: Shape) => T {
  const cache = new Map<string, T>();
  return (...shape) => {
    const key = shape.join('\n');
    const item = cache.get(key) ?? make(...shape);
    cache.set(key, item);
    return item;
  };
}

const namesOf = <P extends object>(parameters: P) => Object.keys(parameters) as (keyof P & string)[];

function compile<P extends Parameters<keyof P>, R>(
  db: Db,
  build: Build<P, R>,
  parameters: P,
): Compiled<P, R> {
  const sources = new Map<unknown, { name: keyof P & string; index: number | undefined }>();
  const symbols = mapValues(parameters, (name, index) => {
    const symbol = Symbol(name);
    sources.set(symbol, { name, index });
    return symbol;
  });
  const query = build(db, symbols).compile();
  const bindings = query.parameters.map((one) => sources.get(one));
  const bind = (values: P) =>
    bindings.map((source, position) => {
      const input = source ? values[source.name] : query.parameters[position];
      const value = source?.index === undefined ? input : (input as readonly Value[])[source.index];
      if (value === undefined) throw new Error(`there is no value of ${source?.name} for ${query.sql}`);
      return value;
    });
  for (const name of namesOf(parameters))
    if (!bindings.some((source) => source?.name === name)) throw new Error(`${name} is not in ${query.sql}`);
  // SQL that depends on its values must not be compiled once for all of them.
  for (const values of [parameters, mapValues(parameters, () => null)]) {
    const other = build(db, values).compile();
    const bound = bind(values);
    if (other.sql !== query.sql || other.parameters.some((one, position) => one !== bound[position]))
      throw new Error(`the values change the statement ${query.sql}`);
  }
  return { query, bind };
}

function mapValues<P extends object>(
  parameters: P,
  replace: (name: keyof P & string, index?: number) => symbol | null,
): P {
  const entries = namesOf(parameters).map((name) => {
    const value = parameters[name];
    return [name, Array.isArray(value) ? value.map((_, index) => replace(name, index)) : replace(name)];
  });
  return Object.fromEntries(entries);
}
