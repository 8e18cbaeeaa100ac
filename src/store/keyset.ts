/**
 * Pages of a collection by key: rows after a given row in a given order. A walk over all pages meets every row that
 * existed throughout exactly once, because it never counts rows, it only compares them. Windows of a collection, in which
 * an engine looks at few rows, are found by `windows.ts`.
 */
import {
  type CompiledQuery,
  type Expression,
  expressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { engineOf } from './engine.ts';
import type { Db, Tables } from './tables.ts';

/** A value that rows are sorted by, as it stands in a row and in a cursor. */
export type SortValue = bigint | string | null;

export interface SortField {
  /** How contract and rows call it. */
  name: string;
  kind: 'integer' | 'text';
  isNullable: boolean;
  expression: Expression<unknown>;
}

export interface SortKey {
  field: SortField;
  isDescending: boolean;
}

/** Which part of a collection: sorted by these keys (the last ones make it total), after this row, so many. */
export interface Page {
  keys: readonly SortKey[];
  /** Of the first keys at least; with fewer than all: after every row that has these values. */
  after: readonly SortValue[] | undefined;
  /** Of all keys: only rows that stand before the row with these values. */
  before?: readonly SortValue[] | undefined;
  limit: number;
  /** Undefined: the whole collection. */
  window?: Window | undefined;
}

/** What a value of the named field is compared with. */
export interface Bound {
  name: string;
  is: '=' | '<' | '<=' | '>' | '>=';
  value: SortValue;
}

/** Some rows of a collection: those within bounds, or those whose named fields have one of these lists of values. */
export type Window =
  | { bounds: readonly Bound[] }
  | { names: readonly string[]; values: readonly (readonly SortValue[])[] };

/** The columns, each with its table, that hold the fields which a window names. */
export type WindowColumns = Readonly<Record<string, string>>;

/** Cuts a query down to the rows of a window. */
export function within<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  window: Window | undefined,
  columns: WindowColumns,
): SelectQueryBuilder<DB, TB, O> {
  if (!window) return query;
  const column = (name: string) => {
    const found = columns[name];
    if (found === undefined) throw new Error(`a window of ${name}, which has no column here`);
    return sql.ref(found);
  };
  if ('bounds' in window) {
    return window.bounds.reduce(
      (part, { name, is, value }) => part.where(sql<SqlBool>`${column(name)} ${sql.raw(is)} ${value}`),
      query,
    );
  }
  const { names, values } = window;
  const [name = '', ...more] = names;
  if (more.length === 0) {
    return query.where(sql<SqlBool>`${column(name)} in (${sql.join(values.map(([value]) => value))})`);
  }
  const rows = values.map((row) => sql`(${sql.join(row.map((value) => sql`cast(${value} as bigint)`))})`);
  return query.where(sql<SqlBool>`(${sql.join(names.map(column))}) in (values ${sql.join(rows)})`);
}

/** The sort values of a page's rows, by the names of their fields, instead of the rows. */
export async function listKeysOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, never>>,
  page: Page,
): Promise<Readonly<Record<string, SortValue>>[]> {
  const columns = page.keys.map(({ field }) => sql<SortValue>`${field.expression}`.as(field.name));
  const rows: unknown = await paged(query.select(columns), page).execute();
  return rows as Record<string, SortValue>[];
}

/** Cuts a query, which is of the page's window already, down to one page of its rows. */
export function paged<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { keys, after, before, limit }: Page,
): SelectQueryBuilder<DB, TB, O> {
  let page = after ? query.where(besideCondition(keys.slice(0, after.length), after, isLater)) : query;
  if (before) page = page.where(besideCondition(keys, before, isEarlier));
  for (const term of orderTerms(keys)) page = page.orderBy(term);
  return page.limit(limit);
}

/**
 * What a statement for a page depends on beside its filter, and the values of its window in their order: for pages that only
 * a window and a limit cut out, as every walk along an index reads them. Undefined for all others.
 */
export function shapeOf({
  keys,
  after,
  before,
  window,
}: Page): { name: string; values: SortValue[] } | undefined {
  if (after || before || (window && !('bounds' in window))) return undefined;
  const order = keys.map(({ field, isDescending }) => `${field.name}${isDescending ? '-' : ''}`);
  const bounds = window?.bounds ?? [];
  const cuts = bounds.map(({ name, is }) => `${name}${is}`);
  return { name: `${order} ${cuts}`, values: bounds.map(({ value }) => value) };
}

/** A column of a row as JSON: a list is JSON text already. */
export interface JsonColumn {
  name: string;
  kind: 'integer' | 'list' | 'text';
}

/** Rows in the order of their ids as JSON objects with commas between; null where there are none. */
export interface JsonRows {
  text: string | null;
  count: bigint;
  lastId: bigint | null;
}

/** The JSON objects of all rows that the query selects, in the order of `id`, which it has to have; to be compiled. */
export function asJson<DB, TB extends keyof DB>(
  db: Db,
  rows: SelectQueryBuilder<DB, TB, Record<never, never>>,
  columns: readonly JsonColumn[],
): { compile(): CompiledQuery<JsonRows> } {
  const engine = engineOf(db);
  const parts = columns.flatMap(({ name, kind }, place) => {
    const column = sql.ref(name);
    const start = sql.lit(`${place === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    return [start, kind === 'text' ? engine.asJson(column) : sql`coalesce(cast(${column} as text), 'null')`];
  });
  // One call instead of a chain of ||, which would copy what it has so far for each part.
  const written = rows.select([sql.ref('id').as('id'), sql`concat(${sql.join(parts)}, '}')`.as('json')]);
  const query = sql<JsonRows>`
    SELECT ${engine.joined('json', 'id')} AS text, count(*) AS count, max(id) AS "lastId" FROM ${written} AS part`;
  return { compile: () => query.compile(db) };
}

/** How many rows a query without columns of its own has. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, never>>,
): Promise<bigint> {
  const row: unknown = await query.select(sql<bigint>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return (row as { n: bigint }).n;
}

/** The ORDER BY terms of a page: nulls last in both directions, on every store. */
function orderTerms(keys: readonly SortKey[]): Expression<unknown>[] {
  return keys.flatMap(({ field, isDescending }) => {
    const value = isDescending ? sql`${field.expression} desc` : sql`${field.expression} asc`;
    return field.isNullable ? [sql`(${field.expression} is null) asc`, value] : [value];
  });
}

type Beside = (key: SortKey, value: SortValue) => Expression<SqlBool> | undefined;

/** The condition that a row stands after the given one, or before it; `beside` says so of a single field. */
function besideCondition(
  keys: readonly SortKey[],
  values: readonly SortValue[],
  beside: Beside,
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables>();
  const alternatives: Expression<SqlBool>[] = [];
  const equals: Expression<SqlBool>[] = [];
  for (const [place, key] of keys.entries()) {
    const value = values[place] ?? null;
    const isBeside = beside(key, value);
    if (isBeside) alternatives.push(eb.and([...equals, isBeside]));
    equals.push(
      value === null
        ? sql<SqlBool>`${key.field.expression} is null`
        : sql<SqlBool>`${key.field.expression} = ${value}`,
    );
  }
  const [first] = keys;
  const firstValue = values[0] ?? null;
  const condition = eb.or(alternatives);
  if (keys.length === 1 || !first || first.field.isNullable || firstValue === null) return condition;
  // Implied by the rest, but it lets the engine seek in an index instead of reading everything before the page.
  const upTo = first.isDescending === (beside === isLater) ? sql.raw('<=') : sql.raw('>=');
  return eb.and([sql<SqlBool>`${first.field.expression} ${upTo} ${firstValue}`, condition]);
}

/** That the field alone stands later than the value; undefined where nothing can (after null come only ties). */
function isLater({ field, isDescending }: SortKey, value: SortValue): Expression<SqlBool> | undefined {
  if (value === null) return undefined;
  const beyond = isDescending
    ? sql<SqlBool>`${field.expression} < ${value}`
    : sql<SqlBool>`${field.expression} > ${value}`;
  return field.isNullable ? sql<SqlBool>`(${beyond} or ${field.expression} is null)` : beyond;
}

/** That the field alone stands earlier than the value: before null everything does that is not null itself. */
function isEarlier({ field, isDescending }: SortKey, value: SortValue): Expression<SqlBool> {
  if (value === null) return sql<SqlBool>`${field.expression} is not null`;
  return isDescending
    ? sql<SqlBool>`${field.expression} > ${value}`
    : sql<SqlBool>`${field.expression} < ${value}`;
}
