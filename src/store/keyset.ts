/**
 * Keyset pagination: a page is the rows after a given row, found by comparing and not by counting, so that a walk over all
 * pages meets every row once.
 */
import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { ColumnKind, Tables } from './tables.ts';

export type SortValue = bigint | string | null;

export interface SortField {
  name: string;
  kind: 'integer' | 'text';
  isNullable: boolean;
  expression: Expression<unknown>;
}

export function sortFieldsOf(table: string, kinds: Readonly<Record<string, ColumnKind>>): SortField[] {
  return Object.entries(kinds)
    .filter(([, kind]) => kind !== 'list')
    .map(([name, kind]) => sortField(name, kind, sql.ref(`${table}.${name}`)));
}

export function sortField(name: string, kind: ColumnKind, expression: Expression<unknown>): SortField {
  const isNullable = kind.endsWith('?');
  return { name, kind: kind.startsWith('integer') ? 'integer' : 'text', isNullable, expression };
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

/** A query of some tables' rows; it selects no columns yet unless `Selected` names them. */
export type Query<Table extends keyof Tables, Selected = Record<never, never>> = SelectQueryBuilder<
  Tables,
  Table,
  Selected
>;

export function within<Table extends keyof Tables>(
  query: Query<Table>,
  window: Window | undefined,
  columns: WindowColumns,
): Query<Table> {
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

/** Limits a query to one page. The window is the caller's. */
export function paged<Table extends keyof Tables, Selected>(
  query: Query<Table, Selected>,
  { keys, after, before, limit }: Page,
): Query<Table, Selected> {
  let page = after ? query.where(besideRow(keys.slice(0, after.length), after, true)) : query;
  if (before) page = page.where(besideRow(keys, before, false));
  for (const { field, isDescending } of keys) {
    const { expression, isNullable } = field;
    // Nulls come last in both directions, on both engines.
    if (isNullable) page = page.orderBy(sql`(${expression} is null)`);
    page = page.orderBy(sql`${expression}`, isDescending ? 'desc' : 'asc');
  }
  return page.limit(limit);
}

export async function countRows<Table extends keyof Tables>(query: Query<Table>): Promise<bigint> {
  const row: unknown = await query.select(sql<bigint>`count(*)`.as('n')).executeTakeFirstOrThrow();
  return (row as { n: bigint }).n;
}

/**
 * The name and values of the statement that reads a page, without its filter; undefined for pages of which clients can ask for
 * too many kinds to keep.
 */
export function statementOf(page: Page): { name: string; values: SortValue[] } | undefined {
  const { keys, after, before, window = { bounds: [] } } = page;
  if (after || before || keys.length > 2 || !('bounds' in window)) return undefined;
  const order = keys.map(({ field, isDescending }) => `${field.name}${isDescending ? '-' : ''}`);
  const cuts = window.bounds.map(({ name, is }) => `${name}${is}`);
  return { name: `${order} ${cuts}`, values: window.bounds.map(({ value }) => value) };
}

function besideRow(
  keys: readonly SortKey[],
  values: readonly SortValue[],
  isAfter: boolean,
): Expression<SqlBool> {
  const eb = expressionBuilder<Tables>();
  const alternatives: Expression<SqlBool>[] = [];
  const equals: Expression<SqlBool>[] = [];
  for (const [place, key] of keys.entries()) {
    const { expression } = key.field;
    const value = values[place] ?? null;
    const isBeside = besideValue(key, value, isAfter);
    if (isBeside) alternatives.push(eb.and([...equals, isBeside]));
    equals.push(
      value === null ? sql<SqlBool>`${expression} is null` : sql<SqlBool>`${expression} = ${value}`,
    );
  }
  const [first] = keys;
  const [firstValue = null] = values;
  const condition = eb.or(alternatives);
  if (keys.length === 1 || !first || first.field.isNullable || firstValue === null) return condition;
  // The rest implies this bound, but with it an engine seeks in the index instead of reading all rows before the page.
  const upTo = sql.raw(first.isDescending === isAfter ? '<=' : '>=');
  return eb.and([sql<SqlBool>`${first.field.expression} ${upTo} ${firstValue}`, condition]);
}

/** The same for a single field; undefined if no value comes after this one. Every other value sorts before null. */
function besideValue(
  { field: { expression, isNullable }, isDescending }: SortKey,
  value: SortValue,
  isAfter: boolean,
): Expression<SqlBool> | undefined {
  if (value === null) return isAfter ? undefined : sql<SqlBool>`${expression} is not null`;
  const beyond = sql<SqlBool>`${expression} ${sql.raw(isDescending === isAfter ? '<' : '>')} ${value}`;
  return isAfter && isNullable ? sql<SqlBool>`(${beyond} or ${expression} is null)` : beyond;
}
