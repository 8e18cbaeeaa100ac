/** The tables with one row for each member and problem, bookmarks and statuses: all that they have in common. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { insertMany } from './bulk.ts';
import {
  columnOf,
  type ItemQuery,
  isUnfiltered,
  itemQuery,
  jsonOf,
  type Listing,
  listingOf,
  lookedUp,
  type Page,
  paged,
  type Query,
  type ShownColumn,
  type SortField,
  sortField,
} from './listings.ts';
import { prepared, statement } from './prepared.ts';
import { listRows, listRowsOn, updateRow } from './rows.ts';
import type { Db, Tables } from './tables.ts';

/** Rows that one statement may read without holding up other requests. */
const fewAtMost = 100;

type PairTable = 'bookmarks' | 'statuses';
type PairQuery<Selected = Record<never, never>> = Query<PairTable, Selected>;

export interface PairFilter {
  user: bigint | undefined;
  updatedSince?: string | undefined;
}

/** The fields that the contract shows of every pair. The id of a pair is its problem's id. */
export type ShownPair = {
  id: bigint;
  user: bigint;
  problem: bigint;
};

/** The names by which a row's member and problem go in every garden, where ids differ. */
type NaturalKeys = {
  username: string;
  source: string;
  source_key: string;
};

/** The rows of one member, or of all members if `user` is undefined. */
export function pairsOf(db: Db, table: PairTable, user: bigint | undefined): PairQuery {
  const pairs: PairQuery = db.selectFrom(table);
  return user === undefined ? pairs : pairs.where('user_id', '=', user);
}

/** The functions that read and write such a table. `Shown` has the fields that the contract shows. */
export function pairFunctions<Table extends PairTable, Shown extends ShownPair, Filter extends PairFilter>(
  table: Table,
  /** The fields that the contract shows beside those of every pair. */
  fields: readonly SortField[],
  filtered: (query: PairQuery, filter: Filter) => PairQuery,
  /** The columns that exports have beside those. */
  exported: readonly SortField[] = [],
  /** The condition of rows that the contract shows; the others are in exports alone. It binds no values. */
  isShown: Expression<SqlBool> = sql<SqlBool>`true`,
) {
  type Stored = Tables[Table];
  const problemId = `${table}.problem_id`;
  const columns = { id: problemId, user: `${table}.user_id`, problem: problemId };
  const ids = Object.entries(columns).map(([name, column]) => sortField(name, 'integer', sql.ref(column)));
  const sortFields = [...ids, ...fields];
  const shownPairs = (db: Db, user: bigint | undefined) => pairsOf(db, table, user).where(isShown);
  const selected = (query: PairQuery, columns: readonly SortField[]) =>
    query.select(
      columns.map(({ name, expression }) => sql`${expression}`.as(name)),
    ) as PairQuery<unknown> as PairQuery<Shown>;
  const found = prepared((db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
    selected(shownPairs(db, userId).where('problem_id', '=', problemId), sortFields),
  );
  return {
    sortFields,
    /** The order of one member's rows that is the same in every garden. */
    naturalOrder: (['source', 'source_key'] as const).map((name) =>
      sortField(name, 'text', lookedUp('problems', name, problemId)),
    ),
    /** With other fields than these, where a reader may not see all of them. */
    listing: (filter: Filter, read: readonly SortField[] = sortFields): Listing<Shown> => {
      const { user, ...rest } = filter;
      return listingOf({
        isWhole: isUnfiltered(rest),
        matching: (db) => filtered(shownPairs(db, user), filter),
        shown: (query) => selected(query, read),
      });
    },
    /** Rows with their natural keys, for exports. */
    listKeyed: async (db: Db, user: bigint | undefined, page: Page): Promise<(Shown & NaturalKeys)[]> => {
      const rows = selected(pairsOf(db, table, user), [...sortFields, ...exported]).select([
        columnOf('members', 'username', columns.user),
        columnOf('problems', 'source', columns.problem),
        columnOf('problems', 'source_key', columns.problem),
      ]);
      return (await paged(rows, page).execute()) as (Shown & NaturalKeys)[];
    },
    /** The row of a member's and a problem's id, as JSON of these columns. */
    item: (shownColumns: readonly ShownColumn[]) =>
      itemQuery(shownColumns, sortFields, (db, { user, problem }: { user: bigint; problem: bigint }) =>
        shownPairs(db, user).where('problem_id', '=', problem),
      ),
    /** All rows of a member's id as one JSON array of these columns; null if there are more than a few. */
    few: (shownColumns: readonly ShownColumn[]): ItemQuery<{ user: bigint }> =>
      statement((db, { user }: { user: bigint }) => {
        const rows = shownPairs(db, user)
          .select(jsonOf(db, shownColumns, sortFields).as('json'))
          .orderBy('problem_id')
          .limit(sql.lit(fewAtMost + 1));
        const array = sql`concat('[', string_agg(json, ','), ']')`;
        const few = sql<{
          json: string | null;
        }>`SELECT CASE WHEN count(*) <= ${sql.lit(fewAtMost)} THEN ${array} END AS json FROM ${rows} AS few`;
        return { compile: () => few.compile(db) };
      }),
    find: async (db: Db, userId: bigint, problemId: bigint): Promise<Shown | undefined> =>
      (await found(db, { userId, problemId }))[0],
    /** One member's rows for these problems; a problem without a row is left out. */
    findMany: (db: Db, userId: bigint, problemIds: readonly bigint[]) =>
      listRowsOn(db, table, userId, problemIds),
    listOfProblem: (db: Db, id: bigint) =>
      listRows(db, table as PairTable, { problem_id: id }) as Promise<Stored[]>,
    insert: (tx: Db, rows: readonly Stored[]) => insertMany(tx, table, rows as never),
    update: (tx: Db, row: Stored): Promise<void> => updateRow(tx, table, ['user_id', 'problem_id'], row),
  };
}
