/** The repository of a table with one row for each member and problem: statuses, and bookmarks with notes. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { upsertInto } from './bulk.ts';
import {
  columnOf,
  type ItemQuery,
  isUnfiltered,
  itemQuery,
  jsonColumns,
  type Listing,
  lookedUp,
  makeListing,
  type Page,
  paged,
  type Query,
  type ShownColumn,
  type SortField,
  sortField,
} from './listings.ts';
import { perShape, prepared, statement } from './prepared.ts';
import { deleteRowsOn, listRows, listRowsOn } from './rows.ts';
import type { Db, Tables } from './tables.ts';

/** Rows that one statement may read without holding up other requests. */
const fewAtMost = 100;

type MemberProblemTable = 'bookmarks' | 'statuses';
type RowsQuery<Selected = Record<never, never>> = Query<MemberProblemTable, Selected>;

export interface RowFilter {
  user: bigint | undefined;
  updatedSince?: string | undefined;
}

/** The fields that the contract shows of every row. The id of a row is its problem's id. */
export type ShownRow = {
  id: bigint;
  user: bigint;
  problem: bigint;
};

const key = ['user_id', 'problem_id'] as const;

/** The names by which a row's member and problem go in every garden, where ids differ. */
type NaturalKeys = {
  username: string;
  source: string;
  source_key: string;
};

/** The rows of one member, or of all members if `user` is undefined. */
export function rowsOfMember(db: Db, table: MemberProblemTable, user: bigint | undefined): RowsQuery {
  const rows: RowsQuery = db.selectFrom(table);
  return user === undefined ? rows : rows.where('user_id', '=', user);
}

interface Columns<Filter> {
  /** The fields that the contract shows beside those of every row. */
  fields: readonly SortField[];
  filtered(query: RowsQuery, filter: Filter): RowsQuery;
  /** The columns that exports have beside those. */
  exported: readonly SortField[];
  /** The condition of rows that the contract shows; the others are in exports alone. It binds no values. */
  isShown?: Expression<SqlBool>;
}

/** Reads and writes rows of one member. */
export interface MemberProblemRepository<Row> {
  table: MemberProblemTable;
  /** One member's rows for these problems; a problem without a row is left out. */
  findMany(db: Db, userId: bigint, problemIds: readonly bigint[]): Promise<Row[]>;
  listOfProblem(db: Db, id: bigint): Promise<Row[]>;
  /** Inserts rows, or writes them over those of the same member and problem; deletes those that say nothing any more. */
  save(tx: Db, rows: readonly Row[]): Promise<void>;
}

/** `isEmpty` says of a row that it says nothing any more. */
export const memberProblemRepository = <Table extends MemberProblemTable>(
  table: Table,
  isEmpty: (row: Tables[Table]) => boolean,
): MemberProblemRepository<Tables[Table]> => ({
  table,
  findMany: (db, userId, problemIds) => listRowsOn(db, table, userId, problemIds),
  listOfProblem: (db, id) =>
    listRows(db, table as MemberProblemTable, { problem_id: id }) as Promise<Tables[Table][]>,
  save: async (tx, rows) => {
    const isGone = Map.groupBy(rows, isEmpty);
    const saved = isGone.get(false) ?? [];
    const columns = Object.keys(saved[0] ?? {}).filter((column) => !key.some((one) => one === column));
    await upsertRows(table, ...columns)(tx, saved as never);
    await deleteLike(tx, table, isGone.get(true) ?? []);
  },
});

/** The functions that show rows of such a table to programs. `Shown` has the fields that the contract shows. */
export function memberProblemListings<
  Table extends MemberProblemTable,
  Shown extends ShownRow,
  Filter extends RowFilter,
>(table: Table, { fields, filtered, exported, isShown = sql<SqlBool>`true` }: Columns<Filter>) {
  const problemId = `${table}.problem_id`;
  const columns = { id: problemId, user: `${table}.user_id`, problem: problemId };
  const ids = Object.entries(columns).map(([name, column]) => sortField(name, 'integer', sql.ref(column)));
  const sortFields = [...ids, ...fields];
  const shownRows = (db: Db, user: bigint | undefined) => rowsOfMember(db, table, user).where(isShown);
  const selected = (query: RowsQuery, columns: readonly SortField[]) =>
    query.select(
      columns.map(({ name, expression }) => sql`${expression}`.as(name)),
    ) as RowsQuery<unknown> as RowsQuery<Shown>;
  const found = prepared((db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
    selected(shownRows(db, userId).where('problem_id', '=', problemId), sortFields),
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
      return makeListing({
        isWhole: isUnfiltered(rest),
        matching: (db) => filtered(shownRows(db, user), filter),
        shown: (query) => selected(query, read),
      });
    },
    /** Rows with their natural keys, for exports. */
    listKeyed: async (db: Db, user: bigint | undefined, page: Page): Promise<(Shown & NaturalKeys)[]> => {
      const rows = selected(rowsOfMember(db, table, user), [...sortFields, ...exported]).select([
        columnOf('members', 'username', columns.user),
        columnOf('problems', 'source', columns.problem),
        columnOf('problems', 'source_key', columns.problem),
      ]);
      return (await paged(rows, page).execute()) as (Shown & NaturalKeys)[];
    },
    /** The row of a member's and a problem's id, as JSON of these columns. */
    item: (shownColumns: readonly ShownColumn[]) =>
      itemQuery(shownColumns, sortFields, (db, { user, problem }: { user: bigint; problem: bigint }) =>
        shownRows(db, user).where('problem_id', '=', problem),
      ),
    /** All rows of a member's id as one JSON array of these columns; null if there are more than a few. */
    few: (shownColumns: readonly ShownColumn[]): ItemQuery<{ user: bigint }> =>
      statement((db, { user }: { user: bigint }) => {
        const rows = shownRows(db, user)
          .select(jsonColumns(db, shownColumns, sortFields).as('json'))
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
  };
}

/** Deletes all rows of the members and problems of these. */
export async function deleteLike(
  tx: Db,
  table: MemberProblemTable | 'shared_notes',
  rows: readonly { user_id: bigint; problem_id: bigint }[],
): Promise<void> {
  for (const [userId, some] of Map.groupBy(rows, ({ user_id }) => user_id))
    await deleteRowsOn(
      tx,
      table,
      userId,
      some.map(({ problem_id }) => problem_id),
    );
}

/** A function that writes rows over those of the same member and problem. They have these columns beside the key. */
const upsertRows = perShape((table: MemberProblemTable, ...columns: readonly string[]) =>
  upsertInto(table, (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(key as never)
        .doUpdateSet(
          ({ ref }) =>
            Object.fromEntries(
              columns.map((column) => [column, ref(`excluded.${column}` as never)]),
            ) as never,
        ),
    ),
  ),
);
