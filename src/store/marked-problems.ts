/** One problem with what a member marked on it, in one statement. */
import { sql } from 'kysely';
import type { BookmarksTable } from './bookmarks.ts';
import { prepared } from './prepared.ts';
import { type ProblemRow, problemColumns } from './problems.ts';
import type { StatusesTable } from './statuses.ts';
import type { Db } from './tables.ts';

export interface MarkedProblem {
  problem: ProblemRow;
  status: Pick<StatusesTable, (typeof statusColumns)[number]> | undefined;
  bookmark: Pick<BookmarksTable, 'is_starred' | 'note' | 'updated_at'> | undefined;
}

const statusColumns = ['self_status', 'self_at', 'judge_status', 'judge_at', 'how'] as const;

const markedProblems = prepared((db, values: { memberId: bigint; id: bigint }) => {
  // SQLite plans a join anew whenever a bare parameter is bound, which takes eight times as long as reading the rows.
  const [memberId, id] = [values.memberId, values.id].map((value) => sql<bigint>`cast(${value} as bigint)`);
  return db
    .selectFrom('problems')
    .leftJoin('statuses', (join) =>
      join.onRef('statuses.problem_id', '=', 'problems.id').on('statuses.user_id', '=', memberId as never),
    )
    .leftJoin('bookmarks', (join) =>
      join.onRef('bookmarks.problem_id', '=', 'problems.id').on('bookmarks.user_id', '=', memberId as never),
    )
    .select(problemColumns.map((column) => `problems.${column}` as const))
    .select(statusColumns)
    .select(['is_starred', 'note', 'bookmarks.updated_at as bookmark_at'])
    .where('problems.id', '=', id as never);
});

export async function findMarkedProblem(
  db: Db,
  memberId: bigint,
  id: bigint,
): Promise<MarkedProblem | undefined> {
  const [row] = await markedProblems(db, { memberId, id });
  if (!row) return undefined;
  const { is_starred, note, bookmark_at } = row;
  const bookmark =
    bookmark_at === null ? undefined : { is_starred: is_starred ?? 0n, note, updated_at: bookmark_at };
  return { problem: row, status: row, bookmark };
}
