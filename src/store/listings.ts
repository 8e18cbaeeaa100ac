/** How a collection is listed: the functions that read its rows, their sort values and their number along an index. */
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { runCompiled } from './bulk.ts';
import { jsonOf, type ShownColumn } from './json-rows.ts';
import {
  countRows,
  type Page,
  paged,
  type Query,
  type SortField,
  statementOf,
  type Window,
} from './keyset.ts';
import type { KeyRow } from './sorting.ts';
import type { Db, Tables } from './tables.ts';
import type { Axis } from './windows.ts';

export interface Listing<Row> {
  /** The indexes that lead to the rows. */
  axes: readonly [Axis, ...Axis[]];
  list(db: Db, page: Page): Promise<Row[]>;
  /** The sort values of the rows of a page, by the names of the fields. */
  listKeys(db: Db, page: Page): Promise<KeyRow[]>;
  count(db: Db, window: Window | undefined): Promise<bigint>;
  /** The rows of a page as JSON objects of these columns, a line each, written by the engine because that is faster. */
  listJson(db: Db, page: Page, columns: readonly ShownColumn[]): Promise<JsonLines>;
}

export interface JsonLines {
  lines: string | null;
  count: bigint;
}

interface Listed<Table extends keyof Tables, Row> extends Pick<Listing<Row>, 'axes'> {
  sortFields: readonly SortField[];
  /** The rows that match the filter within a window. */
  matching(db: Db, window: Window | undefined): Query<Table>;
  /** Selects the fields that the contract shows. */
  shown(query: Query<Table>): Query<Table, Row>;
  /** For a statement that is compiled once: its name and the parameters before those of the window. */
  compiled?: { name: string; parameters: readonly unknown[] } | undefined;
}

export function listingOf<Table extends keyof Tables, Row>(listed: Listed<Table, Row>): Listing<Row> {
  const { matching, shown, compiled, sortFields, axes } = listed;
  const read = async <R>(db: Db, page: Page, kind: string, ask: (rows: Query<Table>) => Compilable<R>) => {
    const build = () => ask(matching(db, page.window));
    const statement = compiled && statementOf(page);
    if (!statement) return (await db.executeQuery(build().compile())).rows;
    const parameters = [...compiled.parameters, ...statement.values, page.limit];
    return runCompiled(db, `${kind} ${compiled.name} ${statement.name}`, parameters, build);
  };
  return {
    axes,
    list: (db, page) => read(db, page, 'list', (rows) => paged(shown(rows), page) as Compilable<Row>),
    listJson: async (db, page, columns) => {
      const [found] = await read(db, page, 'listJson', (rows) => {
        const json = paged(rows.select(jsonOf(db, columns, sortFields).as('json')), page);
        // No JSON has a line break in it. An aggregate takes the rows in the order of the subquery.
        const query = sql<JsonLines>`SELECT string_agg(json, ${newline}) AS lines, count(*) AS count FROM ${json} AS page`;
        return { compile: () => query.compile(db) };
      });
      if (!found) throw new Error('an aggregate without a row');
      return found;
    },
    listKeys: async (db, page) => {
      const columns = page.keys.map(({ field }) => sql`${field.expression}`.as(field.name));
      const rows: unknown = await paged(matching(db, page.window).select(columns), page).execute();
      return rows as KeyRow[];
    },
    count: (db, window) => countRows(matching(db, window)),
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
