/** Collections: their orders, keyset pages and counts. */
import {
  type Expression,
  expressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { engineOf, type JsonColumn } from './engine.ts';
import { type Parameters, type Statement, statement } from './prepared.ts';
import type { ColumnKind, Db, Tables } from './tables.ts';

/* Keyset pagination finds a page by comparing, not by counting, so all pages together have every row once. */

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

/** The last keys make the order of rows total. */
export interface Page {
  keys: readonly SortKey[];
  /** Values of the first keys. The page begins after all rows with these values. */
  after: readonly SortValue[] | undefined;
  /** Values of all keys. The page has no row after these values. */
  upTo?: readonly SortValue[] | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}

export type Query<Table extends keyof Tables, Selected = Record<never, never>> = SelectQueryBuilder<
  Tables,
  Table,
  Selected
>;

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
  for (const [index, key] of keys.entries()) {
    const { expression } = key.field;
    const value = values[index] ?? null;
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
  // The rest implies this bound, but with it an engine seeks in the index.
  const operator = sql.raw(first.isDescending ? '<=' : '>=');
  return eb.and([sql<SqlBool>`${first.field.expression} ${operator} ${firstValue}`, condition]);
}

function afterValue(
  { field: { expression, isNullable }, isDescending }: SortKey,
  value: SortValue,
): Expression<SqlBool> | undefined {
  if (value === null) return undefined;
  const isAfter = sql<SqlBool>`${expression} ${sql.raw(isDescending ? '<' : '>')} ${value}`;
  return isNullable ? sql<SqlBool>`(${isAfter} or ${expression} is null)` : isAfter;
}

/* JSON that the engine writes, which is faster than writing it here. */

export type ShownColumn = Omit<JsonColumn, 'expression'>;

export type ItemQuery<Ids> = Statement<Ids, { json: string | null }>;

export function itemQuery<Ids extends Parameters<keyof Ids>, Table extends keyof Tables>(
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
  row: (db: Db, ids: Ids) => Query<Table>,
): ItemQuery<Ids> {
  return statement(
    (db, ids: Ids) =>
      row(db, ids).select(jsonColumns(db, columns, fields).as('json')) as Query<Table, { json: string }>,
  );
}

/** Compiling this SQL takes longer than reading a few rows. */
const jsonSql = new WeakMap<object, WeakMap<object, WeakMap<object, string>>>();

export function jsonColumns(
  db: Db,
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
): RawBuilder<string> {
  const engine = engineOf(db);
  const byColumns = jsonSql.get(engine) ?? new WeakMap<object, WeakMap<object, string>>();
  jsonSql.set(engine, byColumns);
  const byFields = byColumns.get(columns) ?? new WeakMap<object, string>();
  byColumns.set(columns, byFields);
  let text = byFields.get(fields);
  if (text === undefined) {
    const expressionOf = (name: string) => fields.find((field) => field.name === name)?.expression;
    text = engine
      .asJson(
        columns.map((column) => ({
          ...column,
          expression: expressionOf(column.name) ?? sql.ref(column.name),
        })),
      )
      .compile(db).sql;
    byFields.set(fields, text);
  }
  return sql.raw(text);
}

export interface Listing<Row> {
  /** Without filters, a page in the order of the ids is read along an index. */
  hasNoFilter: boolean;
  list(db: Db, page: Page): Promise<Row[]>;
  listJson(db: Db, page: Page, columns: readonly ShownColumn[]): Promise<JsonLines>;
  count(db: Db, signal?: AbortSignal): Promise<bigint>;
}

export interface JsonLines {
  lines: string | null;
  count: bigint;
}

interface ListingSource<Table extends keyof Tables, Row> {
  isWhole: boolean;
  filteredRows(db: Db): Query<Table>;
  selectColumns(query: Query<Table>): Query<Table, Row>;
}

export function makeListing<Table extends keyof Tables, Row>(
  source: ListingSource<Table, Row>,
): Listing<Row> {
  const { isWhole: hasNoFilter, filteredRows, selectColumns } = source;
  return {
    hasNoFilter,
    list: (db, page) =>
      paged(selectColumns(filteredRows(db)), page).execute({ signal: page.signal }) as Promise<Row[]>,
    listJson: async (db, page, columns) => {
      // The subquery limits the rows of which JSON is written, and an aggregate takes them in its order.
      const query = sql<JsonLines>`
        SELECT string_agg(${jsonColumns(db, columns, [])}, ${newline}) AS lines, count(*) AS count
        FROM ${paged(selectColumns(filteredRows(db)), page)} AS page`;
      const [row] = (await query.execute(db, { signal: page.signal })).rows;
      if (!row) throw new Error('an aggregate without a row');
      return row;
    },
    count: (db, signal) => countRows(filteredRows(db), signal),
  };
}

const newline = sql.lit('\n');

export function isUnfiltered(filters: object): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** A subquery, because an engine might read the other table first in a join. */
export function lookup(table: 'members' | 'problems', name: string, id: string): RawBuilder<string> {
  const [column, key, reference] = [`${table}.${name}`, `${table}.id`, id].map((one) => sql.ref(one));
  return sql<string>`(select ${column} from ${sql.table(table)} where ${key} = ${reference})`;
}

export function columnOf<Name extends string>(table: 'members' | 'problems', name: Name, id: string) {
  return lookup(table, name, id).as(name);
}
