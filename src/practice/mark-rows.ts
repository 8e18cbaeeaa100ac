/** The rows behind marks: a member's own words and bookmarks as the history keeps them, and writing many of them at once. */
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import { deletePairs } from '../store/pairs.ts';
import { findStatusPairs, insertStatuses, updateStatus } from '../store/statuses.ts';
import type { BookmarksTable, Db, How, State, StatusesTable } from '../store/tables.ts';
import { byProblem, settle } from './settling.ts';
import { noJudgesWord } from './solves.ts';

/** A member's own word on a problem, as the history keeps it. */
export interface OwnWord {
  status: State | null;
  at: string | null;
  how: How | null;
}

/** A member's bookmark of a problem, as the history keeps it; null where there is none. */
export type OwnBookmark = Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'> | null;

const manyRows = 20;

/** One of the two tables: its rows by problem, what of a row is the member's own, and writing that. */
export interface MarkRows<Row, Own> {
  table: 'statuses' | 'bookmarks';
  find(db: Db, memberId: bigint, problemIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Row>>;
  ownOf(row: Row | undefined): Own;
  write(
    tx: Db,
    memberId: bigint,
    rows: ReadonlyMap<bigint, Row>,
    writes: readonly (readonly [problemId: bigint, own: Own])[],
  ): Promise<void>;
}

export const wordRows: MarkRows<StatusesTable, OwnWord> = {
  table: 'statuses',
  find: async (db, memberId, ids) => byProblem(await findStatusPairs(db, memberId, ids)),
  ownOf: (row) => ({ status: row?.self_status ?? null, at: row?.self_at ?? null, how: row?.how ?? null }),
  write: writeWords,
};

export const bookmarkRows: MarkRows<BookmarksTable, OwnBookmark> = {
  table: 'bookmarks',
  find: async (db, memberId, ids) => byProblem(await findBookmarks(db, memberId, ids)),
  ownOf: (row) => (row ? { note: row.note, created_at: row.created_at, updated_at: row.updated_at } : null),
  write: writeBookmarks,
};

/** Writes the member's own words; a row of which neither word is left goes. */
async function writeWords(
  tx: Db,
  memberId: bigint,
  rows: ReadonlyMap<bigint, StatusesTable>,
  words: readonly (readonly [id: bigint, word: OwnWord])[],
): Promise<void> {
  const added: StatusesTable[] = [];
  const gone: bigint[] = [];
  const statuses = new Map(rows);
  // Taking many rows out and putting them in again is one statement for a hundred rows.
  const isMany = words.length > manyRows;
  for (const [problem_id, { status, at, how }] of words) {
    const row = rows.get(problem_id);
    const next = {
      ...(row ?? { user_id: memberId, problem_id, ...noJudgesWord }),
      self_status: status,
      self_at: at,
      how,
    };
    const isEmpty = status === null && next.judge_status === null;
    if (isEmpty) statuses.delete(problem_id);
    else statuses.set(problem_id, next);
    if (row && !isEmpty && !isMany) await updateStatus(tx, next);
    else {
      if (row) gone.push(problem_id);
      if (!isEmpty) added.push(next);
    }
  }
  await deletePairs(tx, 'statuses', memberId, gone);
  await insertStatuses(tx, added);
  await settle(
    tx,
    memberId,
    words.map(([id]) => id),
    statuses,
  );
}

async function writeBookmarks(
  tx: Db,
  memberId: bigint,
  rows: ReadonlyMap<bigint, BookmarksTable>,
  bookmarks: readonly (readonly [id: bigint, bookmark: OwnBookmark])[],
): Promise<void> {
  const added: BookmarksTable[] = [];
  const removed: bigint[] = [];
  for (const [problem_id, bookmark] of bookmarks) {
    const row = bookmark && { ...bookmark, user_id: memberId, problem_id };
    if (!row) removed.push(problem_id);
    else if (rows.has(problem_id)) await updateBookmark(tx, row);
    else added.push(row);
  }
  await insertBookmarks(tx, added);
  await deletePairs(tx, 'bookmarks', memberId, removed);
}
