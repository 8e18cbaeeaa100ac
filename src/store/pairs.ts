/** The tables with one row for each member and problem, bookmarks and statuses: all that they have in common. */
import { type SelectQueryBuilder, sql } from 'kysely';
import { insertMany, lookUpMany, runCompiled } from './bulk.ts';
import {
  collectionOf,
  type Page,
  paged,
  type SortField,
  statementOf,
  type Window,
  within,
} from './keyset.ts';
import { type NaturalKeys, naturalKeys } from './natural-keys.ts';
import type { Db, Tables } from './tables.ts';
import { type Axis, along } from './windows.ts';

export type PairTable = 'bookmarks' | 'statuses';
export type PairQuery<O = Record<never, never>> = SelectQueryBuilder<Tables, PairTable, O>;

export interface PairFilter {
  /** The member whose rows are wanted; undefined for every member's. */
  user: bigint | undefined;
}

interface PairKind<Shown, Filter> {
  table: PairTable;
  /** The columns beside the primary key. */
  columns: readonly string[];
  /** Applies the filter, except for its member. */
  filtered(query: PairQuery, filter: Filter): PairQuery;
  /** Selects the fields that the contract shows. */
  shown(query: PairQuery): PairQuery<Shown>;
}

/** The rows of one member, or of all members if `user` is undefined. */
export function pairsOf(db: Db, table: PairTable, user: bigint | undefined): PairQuery {
  const pairs: PairQuery = db.selectFrom(table);
  return user === undefined ? pairs : pairs.where('user_id', '=', user);
}

/** The sort fields of the primary key. The id of a pair is its problem's id. */
export function pairSortFields(table: PairTable): SortField[] {
  return Object.entries(pairIndex(table)).map(([name, column]) => ({
    name,
    kind: 'integer',
    isNullable: false,
    expression: sql.ref(column),
  }));
}

function pairIndex(table: PairTable) {
  return { id: `${table}.problem_id`, user: `${table}.user_id`, problem: `${table}.problem_id` };
}

/** The functions that read and write such a table. `Stored` is its row, `Shown` the row that the contract shows. */
export function pairFunctions<Stored extends object, Shown, Filter extends PairFilter>({
  table,
  columns,
  filtered,
  shown,
}: PairKind<Shown, Filter>) {
  const indexed = pairIndex(table);
  const names = [...columns, 'user_id', 'problem_id'] as (keyof Stored)[];
  const select = (db: Db, filter: Filter, window: Window | undefined) =>
    filtered(within(pairsOf(db, table, filter.user), window, indexed), filter);
  return {
    ...collectionOf(select, shown),
    list: async (db: Db, filter: Filter, page: Page): Promise<Shown[]> => {
      const query = () => paged(shown(select(db, filter, page.window)), page);
      const { user, ...rest } = filter;
      const isPlain = Object.values(rest).every((one) => one === undefined);
      const statement = user !== undefined && isPlain ? statementOf(page) : undefined;
      if (!statement) return (await query().execute()) as Shown[];
      // Every client asks for its member's own rows when it starts, so that statement is compiled once.
      const values = [user, ...statement.values, page.limit];
      return runCompiled<Shown>(db, `list ${table} ${statement.name}`, values, query);
    },
    /** Rows with the names of members and the keys of problems, for exports. */
    listKeyed: async (db: Db, user: bigint | undefined, page: Page): Promise<(Shown & NaturalKeys)[]> => {
      const rows = shown(pairsOf(db, table, user)).select((eb) =>
        naturalKeys(eb.ref(`${table}.user_id`), eb.ref(`${table}.problem_id`)),
      );
      return (await paged(rows, page).execute()) as (Shown & NaturalKeys)[];
    },
    /** The index that leads to the rows: by problem for one member, by problem and member for all. */
    axes: ({ user, ...rest }: Filter): readonly [Axis] => {
      const lists = [along((db) => pairsOf(db, table, user), indexed)];
      const isWhole = Object.values(rest).every((one) => one === undefined);
      return [{ names: user === undefined ? ['id', 'user'] : ['id'], isDescending: false, isWhole, lists }];
    },
    find: async (db: Db, userId: bigint, problemId: bigint): Promise<Shown | undefined> => {
      const [row] = await runCompiled<Shown>(db, `find ${table}`, [userId, problemId], () =>
        shown(pairsOf(db, table, userId).where('problem_id', '=', problemId)),
      );
      return row;
    },
    /** One member's rows for these problems; a problem without a row is left out. */
    findMany: (db: Db, userId: bigint, problemIds: readonly bigint[]): Promise<Stored[]> =>
      lookUpMany(problemIds, (some) =>
        runCompiled(db, `find many ${table}`, [userId, ...some], () =>
          pairsOf(db, table, userId).selectAll().where('problem_id', 'in', some),
        ),
      ) as Promise<Stored[]>,
    listOfProblem: (db: Db, problemId: bigint): Promise<Stored[]> =>
      pairsOf(db, table, undefined)
        .selectAll()
        .where('problem_id', '=', problemId)
        .execute() as unknown as Promise<Stored[]>,
    insert: (tx: Db, rows: readonly Stored[]): Promise<void> => insertMany(tx, table, rows as never),
    update: async (tx: Db, row: Stored): Promise<void> => {
      // The statement is compiled once, so its parameters need one order, whatever the order of the row's columns.
      await runCompiled(
        tx,
        `update ${table}`,
        names.map((name) => row[name]),
        () => {
          const values = Object.fromEntries(columns.map((name) => [name, row[name as keyof Stored]]));
          return tx
            .updateTable(table)
            .set(values)
            .where('user_id', '=', row['user_id' as keyof Stored] as bigint)
            .where('problem_id', '=', row['problem_id' as keyof Stored] as bigint);
        },
      );
    },
  };
}
