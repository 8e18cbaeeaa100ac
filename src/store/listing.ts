/**
 * Pages of a collection by key: rows after a given row in a given order. A walk over all pages meets every row that
 * existed throughout exactly once, because it never counts rows, it only compares them.
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
  limit: number;
}

/** Cuts a query down to one page of its rows. */
export function paged<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { keys, after, limit }: Page,
): SelectQueryBuilder<DB, TB, O> {
  let page = after ? query.where(afterCondition(keys.slice(0, after.length), after)) : query;
  for (const term of orderTerms(keys)) page = page.orderBy(term);
  return page.limit(limit);
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

/** The condition that a row stands after the given one. */
function afterCondition(keys: readonly SortKey[], after: readonly SortValue[]): Expression<SqlBool> {
  const eb = expressionBuilder<Tables>();
  const alternatives: Expression<SqlBool>[] = [];
  const equals: Expression<SqlBool>[] = [];
  for (const [place, key] of keys.entries()) {
    const value = after[place] ?? null;
    const later = isLater(key, value);
    if (later) alternatives.push(eb.and([...equals, later]));
    equals.push(
      value === null
        ? sql<SqlBool>`${key.field.expression} is null`
        : sql<SqlBool>`${key.field.expression} = ${value}`,
    );
  }
  const [first] = keys;
  const firstValue = after[0];
  const condition = eb.or(alternatives);
  // Implied by the rest, but it lets the engine seek in an index instead of reading everything before the page.
  if (
    keys.length > 1 &&
    first &&
    !first.field.isNullable &&
    firstValue !== undefined &&
    firstValue !== null
  ) {
    const bound = first.isDescending
      ? sql<SqlBool>`${first.field.expression} <= ${firstValue}`
      : sql<SqlBool>`${first.field.expression} >= ${firstValue}`;
    return eb.and([bound, condition]);
  }
  return condition;
}

/** That the field alone stands later than the value; undefined where nothing can (after null come only ties). */
function isLater({ field, isDescending }: SortKey, value: SortValue): Expression<SqlBool> | undefined {
  if (value === null) return undefined;
  const beyond = isDescending
    ? sql<SqlBool>`${field.expression} < ${value}`
    : sql<SqlBool>`${field.expression} > ${value}`;
  return field.isNullable ? sql<SqlBool>`(${beyond} or ${field.expression} is null)` : beyond;
}
