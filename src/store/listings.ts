/** How a collection is listed: the functions that read its rows and count them. */
import { type RawBuilder, sql } from 'kysely';
import { jsonOf, type ShownColumn } from './json-rows.ts';
import { countRows, type Page, paged, type Query } from './keyset.ts';
import type { Db, Tables } from './tables.ts';

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
