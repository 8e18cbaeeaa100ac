/**
 * Keyset pagination: a page is the rows after a given row in a given order. Rows are compared and never counted, so a walk
 * over all pages meets every row that exists throughout exactly once. `windows.ts` finds the windows of a collection.
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
import type { ColumnKind, Db, Tables } from './tables.ts';

/** A value that rows are sorted by, in a row or in a cursor. */
export type SortValue = bigint | string | null;

export interface SortField {
  /** The name in the contract and in rows. */
  name: string;
  kind: 'integer' | 'text';
  isNullable: boolean;
  expression: Expression<unknown>;
}

/** The sort fields of a table's columns; rows are not sorted by lists. */
export function sortFieldsOf(table: string, kinds: Readonly<Record<string, ColumnKind>>): SortField[] {
  return Object.entries(kinds)
    .filter(([, kind]) => kind !== 'list')
    .map(([name, kind]) => ({
      name,
      kind: kind.startsWith('integer') ? 'integer' : 'text',
      isNullable: kind.endsWith('?'),
      expression: sql.ref(`${table}.${name}`),
    }));
}

export interface SortKey {
  field: SortField;
  isDescending: boolean;
}

/** One page of a collection. The last keys make the order total. */
export interface Page {
  keys: readonly SortKey[];
  /** Values of the first keys. The page begins after the row, or all rows, with these values. */
  after: readonly SortValue[] | undefined;
  /** Values of all keys. The page ends before the row with these values. */
  before?: readonly SortValue[] | undefined;
  limit: number;
  /** Undefined for the whole collection. */
  window?: Window | undefined;
}

/** A comparison of the named field with a value. */
export interface Bound {
  name: string;
  is: '=' | '<' | '<=' | '>' | '>=';
  value: SortValue;
}

/** Some rows of a collection: those within bounds, or those whose named fields have one of the listed values. */
export type Window =
  | { bounds: readonly Bound[] }
  | { names: readonly string[]; values: readonly (readonly SortValue[])[] };

/** The qualified columns of the fields that a window may name. */
export type WindowColumns = Readonly<Record<string, string>>;

/** Limits a query to the rows of a window. */
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

/** The sort values of a page's rows instead of the rows, by the names of the fields. */
async function listKeysOf<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, never>>,
  page: Page,
): Promise<Readonly<Record<string, SortValue>>[]> {
  const columns = page.keys.map(({ field }) => sql<SortValue>`${field.expression}`.as(field.name));
  const rows: unknown = await paged(query.select(columns), page).execute();
  return rows as Record<string, SortValue>[];
}

/** Limits a query to one page. The caller has limited it to the page's window. */
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
 * The name of the statement that reads a page, without its filter, and the values of its window in their order. Only for pages
 * that a window and a limit cut out, as every walk along an index reads them; undefined for all others.
 */
export function statementOf({
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

/** A column to be written as JSON. The text of a list is JSON already. */
export interface JsonColumn {
  name: string;
  kind: 'integer' | 'list' | 'text';
}

/** Rows as JSON objects, ordered by id and separated by commas; null if there are none. */
export interface JsonRows {
  text: string | null;
  count: bigint;
  lastId: bigint | null;
}

/** A statement for the JSON objects of all rows of a query, ordered by its column `id`. */
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
  // A chain of || would copy the text so far for each part; one call of concat does not.
  const written = rows.select([sql.ref('id').as('id'), sql`concat(${sql.join(parts)}, '}')`.as('json')]);
  const query = sql<JsonRows>`
    SELECT ${engine.joined('json', 'id')} AS text, count(*) AS count, max(id) AS "lastId" FROM ${written} AS part`;
  return { compile: () => query.compile(db) };
}

/** Counts the rows of a query that selects no columns. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, never>>,
): Promise<bigint> {
  const row: unknown = await query.select(sql<bigint>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return (row as { n: bigint }).n;
}

type Query<TB extends keyof Tables, O = Record<never, never>> = SelectQueryBuilder<Tables, TB, O>;

/** The functions that read a collection: `filtered` makes the query for a filter and a window, `shown` selects its fields. */
export function collectionOf<TB extends keyof Tables, Filter, Row>(
  filtered: (db: Db, filter: Filter, window: Window | undefined) => Query<TB>,
  shown: (query: Query<TB>) => Query<TB, Row>,
) {
  return {
    list: async (db: Db, filter: Filter, page: Page) =>
      (await paged(shown(filtered(db, filter, page.window)), page).execute()) as Row[],
    listKeys: (db: Db, filter: Filter, page: Page) => listKeysOf(filtered(db, filter, page.window), page),
    count: (db: Db, filter: Filter, window: Window | undefined) => countRows(filtered(db, filter, window)),
  };
}

/** The ORDER BY terms of a page. Nulls come last in both directions, on both engines. */
function orderTerms(keys: readonly SortKey[]): Expression<unknown>[] {
  return keys.flatMap(({ field, isDescending }) => {
    const value = isDescending ? sql`${field.expression} desc` : sql`${field.expression} asc`;
    return field.isNullable ? [sql`(${field.expression} is null) asc`, value] : [value];
  });
}

type Beside = (key: SortKey, value: SortValue) => Expression<SqlBool> | undefined;

/** The condition that a row comes after the given one, or before it; `beside` is that condition for a single field. */
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
  // The rest implies this bound, but with it an engine seeks in the index instead of reading all rows before the page.
  const upTo = first.isDescending === (beside === isLater) ? sql.raw('<=') : sql.raw('>=');
  return eb.and([sql<SqlBool>`${first.field.expression} ${upTo} ${firstValue}`, condition]);
}

/** The condition that a field sorts after the value; undefined for null, after which no other value comes. */
function isLater({ field, isDescending }: SortKey, value: SortValue): Expression<SqlBool> | undefined {
  if (value === null) return undefined;
  const beyond = isDescending
    ? sql<SqlBool>`${field.expression} < ${value}`
    : sql<SqlBool>`${field.expression} > ${value}`;
  return field.isNullable ? sql<SqlBool>`(${beyond} or ${field.expression} is null)` : beyond;
}

/** The condition that a field sorts before the value; every value that is not null sorts before null. */
function isEarlier({ field, isDescending }: SortKey, value: SortValue): Expression<SqlBool> {
  if (value === null) return sql<SqlBool>`${field.expression} is not null`;
  return isDescending
    ? sql<SqlBool>`${field.expression} > ${value}`
    : sql<SqlBool>`${field.expression} < ${value}`;
}
