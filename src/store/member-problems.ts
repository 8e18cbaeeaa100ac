/** Tables with one row for each member and problem: statuses and bookmarks. */
import { type Expression, type SqlBool, sql } from 'kysely';
import { upsertInto } from './bulk.ts';
import {
  columnOf,
  type ItemQuery,
  isUnfiltered,
  itemQuery,
  jsonColumns,
  type Listing,
  lookup,
  makeListing,
  type Page,
  paged,
  type Query,
  type ShownColumn,
  type SortField,
  sortField,
} from './listings.ts';
import { perShape, prepared, statement } from './prepared.ts';
import { deleteRowsOfProblems, listRows, listRowsOn } from './rows.ts';
import type { Db, Tables } from './tables.ts';

const maxRowsAsJson = 100;

type MemberProblemTable = 'bookmarks' | 'statuses';
type RowsQuery<Selected = Record<never, never>> = Query<MemberProblemTable, Selected>;

export interface RowFilter {
  user: bigint | undefined;
  updatedSince?: string | undefined;
}

/** The fields of every row. The id of a row is its problem's id. */
export type ShownRow = {
  id: bigint;
  user: bigint;
  problem: bigint;
};

const keyColumns = ['user_id', 'problem_id'] as const;

type NaturalKeys = {
  username: string;
  source: string;
  source_key: string;
};

export function rowsOfMember(db: Db, table: MemberProblemTable, user: bigint | undefined): RowsQuery {
  const rows: RowsQuery = db.selectFrom(table);
  return user === undefined ? rows : rows.where('user_id', '=', user);
}

interface ListingOptions<Filter> {
  fields: readonly SortField[];
  applyFilter(query: RowsQuery, filter: Filter): RowsQuery;
  exportedFields: readonly SortField[];
  /** Other rows are in exports alone. The condition binds no values. */
  isShown?: Expression<SqlBool>;
}

export interface MemberProblemRepository<Row> {
  table: MemberProblemTable;
  findMany(db: Db, userId: bigint, problemIds: readonly bigint[]): Promise<Row[]>;
  listOfProblem(db: Db, id: bigint): Promise<Row[]>;
  save(tx: Db, rows: readonly Row[]): Promise<void>;
}

export const memberProblemRepository = <Table extends MemberProblemTable>(
  table: Table,
  isEmpty: (row: Tables[Table]) => boolean,
): MemberProblemRepository<Tables[Table]> => ({
  table,
  findMany: (db, userId, problemIds) => listRowsOn(db, table, userId, problemIds),
  listOfProblem: (db, id) =>
    listRows(db, table as MemberProblemTable, { problem_id: id }) as Promise<Tables[Table][]>,
  save: async (tx, rows) => {
    const byEmptiness = Map.groupBy(rows, isEmpty);
    const nonEmpty = byEmptiness.get(false) ?? [];
    const columns = Object.keys(nonEmpty[0] ?? {}).filter(
      (column) => !keyColumns.some((one) => one === column),
    );
    await upsertRows(table, ...columns)(tx, nonEmpty as never);
    await deleteMemberProblems(tx, table, byEmptiness.get(true) ?? []);
  },
});

export function memberProblemListings<
  Table extends MemberProblemTable,
  Shown extends ShownRow,
  Filter extends RowFilter,
>(
  table: Table,
  { fields, applyFilter, exportedFields, isShown = sql<SqlBool>`true` }: ListingOptions<Filter>,
) {
  const problemId = `${table}.problem_id`;
  const columns = { id: problemId, user: `${table}.user_id`, problem: problemId };
  const ids = Object.entries(columns).map(([name, column]) => sortField(name, 'integer', sql.ref(column)));
  const sortFields = [...ids, ...fields];
  const shownRows = (db: Db, user: bigint | undefined) => rowsOfMember(db, table, user).where(isShown);
  const selectFields = (query: RowsQuery, columns: readonly SortField[]) =>
    query.select(
      columns.map(({ name, expression }) => sql`${expression}`.as(name)),
    ) as RowsQuery<unknown> as RowsQuery<Shown>;
  const rowOf = prepared((db, { userId, problemId }: { userId: bigint; problemId: bigint }) =>
    selectFields(shownRows(db, userId).where('problem_id', '=', problemId), sortFields),
  );
  return {
    sortFields,
    /** Sorts by keys of problems and not by ids, so two gardens list the rows of a member in the same order. */
    naturalOrder: (['source', 'source_key'] as const).map((name) =>
      sortField(name, 'text', lookup('problems', name, problemId)),
    ),
    listing: (filter: Filter, selectedFields: readonly SortField[] = sortFields): Listing<Shown> => {
      const { user, ...otherFilters } = filter;
      return makeListing({
        isWhole: isUnfiltered(otherFilters),
        filteredRows: (db) => applyFilter(shownRows(db, user), filter),
        selectColumns: (query) => selectFields(query, selectedFields),
      });
    },
    exportRows: async (db: Db, user: bigint | undefined, page: Page): Promise<(Shown & NaturalKeys)[]> => {
      const rows = selectFields(rowsOfMember(db, table, user), [...sortFields, ...exportedFields]).select([
        columnOf('members', 'username', columns.user),
        columnOf('problems', 'source', columns.problem),
        columnOf('problems', 'source_key', columns.problem),
      ]);
      return (await paged(rows, page).execute()) as (Shown & NaturalKeys)[];
    },
    item: (shownColumns: readonly ShownColumn[]) =>
      itemQuery(shownColumns, sortFields, (db, { user, problem }: { user: bigint; problem: bigint }) =>
        shownRows(db, user).where('problem_id', '=', problem),
      ),
    /** One JSON array of all rows of a member; null if there are too many. */
    allAsJson: (shownColumns: readonly ShownColumn[]): ItemQuery<{ user: bigint }> =>
      statement((db, { user }: { user: bigint }) => {
        const rows = shownRows(db, user)
          .select(jsonColumns(db, shownColumns, sortFields).as('json'))
          .orderBy('problem_id')
          .limit(sql.lit(maxRowsAsJson + 1));
        const array = sql`concat('[', string_agg(json, ','), ']')`;
        const limitedJson = sql<{
          json: string | null;
        }>`SELECT CASE WHEN count(*) <= ${sql.lit(maxRowsAsJson)} THEN ${array} END AS json FROM ${rows} AS limited`;
        return { compile: () => limitedJson.compile(db) };
      }),
    find: async (db: Db, userId: bigint, problemId: bigint): Promise<Shown | undefined> =>
      (await rowOf(db, { userId, problemId }))[0],
  };
}

export async function deleteMemberProblems(
  tx: Db,
  table: MemberProblemTable | 'shared_notes',
  rows: readonly { user_id: bigint; problem_id: bigint }[],
): Promise<void> {
  for (const [userId, ofMember] of Map.groupBy(rows, ({ user_id }) => user_id))
    await deleteRowsOfProblems(
      tx,
      table,
      userId,
      ofMember.map(({ problem_id }) => problem_id),
    );
}

const upsertRows = perShape((table: MemberProblemTable, ...columns: readonly string[]) =>
  upsertInto(table, (insert) =>
    insert.onConflict((conflict) =>
      conflict
        .columns(keyColumns as never)
        .doUpdateSet(
          ({ ref }) =>
            Object.fromEntries(
              columns.map((column) => [column, ref(`excluded.${column}` as never)]),
            ) as never,
        ),
    ),
  ),
);
