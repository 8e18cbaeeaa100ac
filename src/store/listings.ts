/** How a collection is listed: the functions that read its rows, their sort values and their number along an index. */
import { sql } from 'kysely';
import { runCompiled } from './bulk.ts';
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

/** The rows of a collection that match a filter. */
export interface Listing<Row> {
  sortFields: readonly SortField[];
  /** The indexes that lead to the rows. */
  axes: readonly [Axis, ...Axis[]];
  list(db: Db, page: Page): Promise<Row[]>;
  /** The sort values of the rows of a page, by the names of the fields. */
  listKeys(db: Db, page: Page): Promise<KeyRow[]>;
  /** Counts the rows of a window, or all rows. */
  count(db: Db, window: Window | undefined): Promise<bigint>;
  /**
   * The rows after this id, or the first ones, as JSON, for a collection that many read as a whole. That takes half the time
   * of fetching the rows and writing them here.
   */
  listAsJson?:
    | ((
        db: Db,
        columns: readonly JsonColumn[],
        part: { after: bigint | undefined; limit: number },
      ) => Promise<JsonRows>)
    | undefined;
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

interface Listed<Table extends keyof Tables, Row> extends Pick<Listing<Row>, 'sortFields' | 'axes'> {
  /** The rows that match the filter within a window. */
  matching(db: Db, window: Window | undefined): Query<Table>;
  /** Selects the fields that the contract shows. */
  shown(query: Query<Table>): Query<Table, Row>;
  /** For a statement that is compiled once: its name and the parameters before those of the window. */
  compiled?: { name: string; parameters: readonly unknown[] } | undefined;
}

export function listingOf<Table extends keyof Tables, Row>(listed: Listed<Table, Row>): Listing<Row> {
  const { matching, shown, compiled, sortFields, axes } = listed;
  return {
    sortFields,
    axes,
    list: async (db, page) => {
      const query = () => paged(shown(matching(db, page.window)), page);
      const statement = compiled && statementOf(page);
      if (!statement) return (await query().execute()) as Row[];
      const parameters = [...compiled.parameters, ...statement.values, page.limit];
      return runCompiled<Row>(db, `list ${compiled.name} ${statement.name}`, parameters, query);
    },
    listKeys: async (db, page) => {
      const columns = page.keys.map(({ field }) => sql`${field.expression}`.as(field.name));
      const rows: unknown = await paged(matching(db, page.window).select(columns), page).execute();
      return rows as KeyRow[];
    },
    count: (db, window) => countRows(matching(db, window)),
  };
}

/** Whether no filter is set. */
export function isUnfiltered(filters: object): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

/**
 * A column of the member or problem with an id that another table refers to. It is a look-up beside each row and not a join,
 * because an engine might read the joined table first and sort the rows anew.
 */
export function columnOf<Name extends string>(table: 'members' | 'problems', name: Name, id: string) {
  const [column, own, other] = [`${table}.${name}`, `${table}.id`, id].map((one) => sql.ref(one));
  return sql<string>`(select ${column} from ${sql.table(table)} where ${own} = ${other})`.as(name);
}
