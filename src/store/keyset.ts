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
  /** Values of all keys. The page ends with the row that has these values, or would have its place. */
  upTo?: readonly SortValue[] | undefined;
  limit: number;
  /** Nobody waits for the page once this has aborted. */
  signal?: AbortSignal | undefined;
}

/** A query of some tables' rows; it selects no columns yet unless `Selected` names them. */
export type Query<Table extends keyof Tables, Selected = Record<never, never>> = SelectQueryBuilder<
  Tables,
  Table,
  Selected
>;

/** Limits a query to one page. */
export function paged<Table extends keyof Tables, Selected>(
  query: Query<Table, Selected>,
  { keys, after, upTo, limit }: Page,
): Query<Table, Selected> {
  let page = after ? query.where(afterRow(keys.slice(0, after.length), after)) : query;
  if (upTo) page = page.where(({ not }) => not(afterRow(keys, upTo)));
  for (const { field, isDescending } of keys) {
    const { expression, isNullable } = field;
    // Nulls come last in both directions, on both engines.
    if (isNullable) page = page.orderBy(sql`(${expression} is null)`);
    page = page.orderBy(sql`${expression}`, isDescending ? 'desc' : 'asc');
  }
  return page.limit(limit);
}

export async function countRows<Table extends keyof Tables>(
  query: Query<Table>,
  signal?: AbortSignal,
): Promise<bigint> {
  const row: unknown = await query.select(sql<bigint>`count(*)`.as('n')).executeTakeFirstOrThrow({ signal });
  return (row as { n: bigint }).n;
}

function afterRow(keys: readonly SortKey[], values: readonly SortValue[]): Expression<SqlBool> {
  const eb = expressionBuilder<Tables>();
  const alternatives: Expression<SqlBool>[] = [];
  const equals: Expression<SqlBool>[] = [];
  for (const [place, key] of keys.entries()) {
    const { expression } = key.field;
    const value = values[place] ?? null;
    const isAfter = afterValue(key, value);
    if (isAfter) alternatives.push(eb.and([...equals, isAfter]));
    equals.push(
      value === null ? sql<SqlBool>`${expression} is null` : sql<SqlBool>`${expression} = ${value}`,
    );
  }
  const [first] = keys;
  const [firstValue = null] = values;
  const condition = eb.or(alternatives);
  if (keys.length === 1 || !first || first.field.isNullable || firstValue === null) return condition;
  // The rest implies this bound, but with it an engine seeks in the index instead of reading all rows before the page.
  const upTo = sql.raw(first.isDescending ? '<=' : '>=');
  return eb.and([sql<SqlBool>`${first.field.expression} ${upTo} ${firstValue}`, condition]);
}

/** The same for a single field; undefined if no value comes after this one. Every other value sorts before null. */
function afterValue(
  { field: { expression, isNullable }, isDescending }: SortKey,
  value: SortValue,
): Expression<SqlBool> | undefined {
  if (value === null) return undefined;
  const beyond = sql<SqlBool>`${expression} ${sql.raw(isDescending ? '<' : '>')} ${value}`;
  return isNullable ? sql<SqlBool>`(${beyond} or ${expression} is null)` : beyond;
}
