/** How a collection is listed: the functions that read its rows and count them. */
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import { engineOf, type JsonColumn } from './engine.ts';
import { countRows, type Page, paged, type Query, type SortField } from './keyset.ts';
import type { Db, Tables } from './tables.ts';

/* Rows as the JSON that the engine writes: of many rows this is faster than to read their values and write them here. */

export type ShownColumn = Omit<JsonColumn, 'expression'>;

/** Asks for one row by its ids; without JSON it counts as none. Every open store compiles it once, because that costs more than to run it. */
export interface ItemQuery {
  compile(db: Db): CompiledQuery<{ json: string | null }>;
}

/** `row` has any ids: those that are asked for take their places, in their order. */
export function itemQuery<Table extends keyof Tables>(
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
  row: (db: Db) => Query<Table>,
): ItemQuery {
  return {
    compile: (db) =>
      row(db)
        .select(jsonOf(db, columns, fields).as('json'))
        .compile() as never,
  };
}

/** SQL by the columns that it writes and their fields, for each engine: to compile it takes longer than to read a few rows. */
const writtenJson = new WeakMap<object, WeakMap<object, WeakMap<object, string>>>();

/** A row as a JSON object of these columns; a column that is no field has its own name in the table. */
export function jsonOf(
  db: Db,
  columns: readonly ShownColumn[],
  fields: readonly SortField[],
): RawBuilder<string> {
  const engine = engineOf(db);
  const ofEngine = writtenJson.get(engine) ?? new WeakMap<object, WeakMap<object, string>>();
  writtenJson.set(engine, ofEngine);
  const known = ofEngine.get(columns) ?? new WeakMap<object, string>();
  ofEngine.set(columns, known);
  let text = known.get(fields);
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
    known.set(fields, text);
  }
  return sql.raw(text);
}

export interface Listing<Row> {
  /** Whether no filter leaves out a row, so that a page in the order of the ids is read along an index. */
  isWhole: boolean;
  list(db: Db, page: Page): Promise<Row[]>;
  /** The rows of a page as JSON objects of these columns, a line each, written by the engine because that is faster. */
  listJson(db: Db, page: Page, columns: readonly ShownColumn[]): Promise<JsonLines>;
  count(db: Db, signal?: AbortSignal): Promise<bigint>;
}

export interface JsonLines {
  lines: string | null;
  count: bigint;
}

interface Listed<Table extends keyof Tables, Row> {
  isWhole: boolean;
  /** The rows that match the filter. */
  matching(db: Db): Query<Table>;
  /** Selects the fields that the contract shows. */
  shown(query: Query<Table>): Query<Table, Row>;
}

export function listingOf<Table extends keyof Tables, Row>(listed: Listed<Table, Row>): Listing<Row> {
  const { isWhole, matching, shown } = listed;
  return {
    isWhole,
    list: (db, page) => paged(shown(matching(db)), page).execute({ signal: page.signal }) as Promise<Row[]>,
    listJson: async (db, page, columns) => {
      // JSON is written of the rows that were found, not of all that were looked at, and has no line break in it. An aggregate
      // takes the rows in the order of the subquery.
      const query = sql<JsonLines>`
        SELECT string_agg(${jsonOf(db, columns, [])}, ${newline}) AS lines, count(*) AS count
        FROM ${paged(shown(matching(db)), page)} AS page`;
      const [found] = (await query.execute(db, { signal: page.signal })).rows;
      if (!found) throw new Error('an aggregate without a row');
      return found;
    },
    count: (db, signal) => countRows(matching(db), signal),
  };
}

const newline = sql.lit('\n');

export function isUnfiltered(filters: object): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/** A column of the member or problem with this id. It is no join, because an engine might read the joined table first. */
export function lookedUp(table: 'members' | 'problems', name: string, id: string): RawBuilder<string> {
  const [column, own, other] = [`${table}.${name}`, `${table}.id`, id].map((one) => sql.ref(one));
  return sql<string>`(select ${column} from ${sql.table(table)} where ${own} = ${other})`;
}

/** The same under the name of the column. */
export function columnOf<Name extends string>(table: 'members' | 'problems', name: Name, id: string) {
  return lookedUp(table, name, id).as(name);
}
