/** One problem with what a member marked on it, in one statement. */
import { sql } from 'kysely';
import type { BookmarksTable } from './bookmarks.ts';
import { prepared } from './prepared.ts';
import type { ProblemRow } from './problems.ts';
import type { StatusesTable } from './statuses.ts';
import type { Db } from './tables.ts';

export interface Marked {
  problem: Pick<ProblemRow, 'id' | 'updated_at'>;
  status: Pick<StatusesTable, (typeof statusColumns)[number]> | undefined;
  bookmark: Pick<BookmarksTable, 'is_starred' | 'note' | 'updated_at'> | undefined;
}

const statusColumns = ['self_status', 'self_at', 'judge_status', 'judge_at', 'how'] as const;
const versionColumns = ['id', 'updated_at'] as const;
const shownColumns = [
  ...versionColumns,
  ...(['title', 'url', 'source', 'source_key', 'rating', 'tags', 'aliases'] as const),
] as const;

export type ShownProblem = Pick<ProblemRow, (typeof shownColumns)[number]>;
export type MarkedProblem = Marked & { problem: ShownProblem };

/** Reads these columns of the problem. */
function finderOf<Column extends keyof ProblemRow>(columns: readonly Column[]) {
  const rowsOf = prepared((db, values: { memberId: bigint; id: bigint }) => {
    // SQLite plans a join anew whenever a bare parameter is bound, which takes eight times as long as reading the rows.
    const [memberId, id] = [values.memberId, values.id].map((value) => sql<bigint>`cast(${value} as bigint)`);
    return db
      .selectFrom('problems')
      .leftJoin('statuses', (join) =>
        join.onRef('statuses.problem_id', '=', 'problems.id').on('statuses.user_id', '=', memberId as never),
      )
      .leftJoin('bookmarks', (join) =>
        join
          .onRef('bookmarks.problem_id', '=', 'problems.id')
          .on('bookmarks.user_id', '=', memberId as never),
      )
      .select(columns.map((column) => `problems.${column}` as const))
      .select(statusColumns)
      .select(['is_starred', 'note', 'bookmarks.updated_at as bookmark_at'])
      .where('problems.id', '=', id as never);
  });
  return async (db: Db, memberId: bigint, id: bigint) => {
    const [row] = await rowsOf(db, { memberId, id });
    if (!row) return undefined;
    const { is_starred, note, bookmark_at } = row;
    const bookmark =
      bookmark_at === null ? undefined : { is_starred: is_starred ?? 0n, note, updated_at: bookmark_at };
    return { problem: row as unknown as Pick<ProblemRow, Column>, status: row, bookmark };
  };
}

export const findMark: (db: Db, memberId: bigint, id: bigint) => Promise<Marked | undefined> =
  finderOf(versionColumns);
export const findMarkedProblem: (db: Db, memberId: bigint, id: bigint) => Promise<MarkedProblem | undefined> =
  finderOf(shownColumns);
