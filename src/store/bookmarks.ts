/** Bookmarks: the problems that members want to find again. */
import { sql } from 'kysely';
import { insertMany, lookUpMany, runCompiled } from './bulk.ts';
import { countRows, listKeysOf, type Page, paged, type SortField, type Window, within } from './keyset.ts';
import { type NaturalKeys, naturalKeys } from './natural-keys.ts';
import type { BookmarksTable, Db } from './tables.ts';
import { type Axis, along } from './windows.ts';

/** What the contract shows of a bookmark. */
export type BookmarkRow = {
  id: bigint;
  user: bigint;
  problem: bigint;
  note: string | null;
  created_at: string;
  updated_at: string;
};

export interface BookmarkFilter {
  /** Undefined: every member's. */
  user: bigint | undefined;
  updatedSince?: string | undefined;
}

export const bookmarkSortFields: readonly SortField[] = [
  { name: 'id', kind: 'integer', isNullable: false, expression: sql.ref('bookmarks.problem_id') },
  { name: 'user', kind: 'integer', isNullable: false, expression: sql.ref('bookmarks.user_id') },
  { name: 'problem', kind: 'integer', isNullable: false, expression: sql.ref('bookmarks.problem_id') },
  { name: 'note', kind: 'text', isNullable: true, expression: sql.ref('bookmarks.note') },
  { name: 'created_at', kind: 'text', isNullable: false, expression: sql.ref('bookmarks.created_at') },
  { name: 'updated_at', kind: 'text', isNullable: false, expression: sql.ref('bookmarks.updated_at') },
];

export async function listBookmarks(db: Db, filter: BookmarkFilter, page: Page): Promise<BookmarkRow[]> {
  return paged(shown(filtered(db, filter, page.window)), page).execute();
}

/** Bookmarks of one member, or with undefined of everyone, with the names of members and the keys of problems. */
export async function listKeyedBookmarks(
  db: Db,
  user: bigint | undefined,
  page: Page,
): Promise<(BookmarkRow & NaturalKeys)[]> {
  const rows = shown(bookmarksOf(db, user)).select((eb) =>
    naturalKeys(eb.ref('bookmarks.user_id'), eb.ref('bookmarks.problem_id')),
  );
  return paged(rows, page).execute();
}

export async function listBookmarkKeys(db: Db, filter: BookmarkFilter, page: Page) {
  return listKeysOf(filtered(db, filter, page.window), page);
}

export async function countBookmarks(
  db: Db,
  filter: BookmarkFilter,
  window: Window | undefined,
): Promise<bigint> {
  return countRows(filtered(db, filter, window));
}

const indexed = { id: 'bookmarks.problem_id', user: 'bookmarks.user_id' };

/** The index that leads to bookmarks: one member's by their problems, everyone's by problems and members. */
export function bookmarkAxes({ user, ...columns }: BookmarkFilter): readonly [Axis] {
  const lists = [along((db) => bookmarksOf(db, user), indexed)];
  const isWhole = Object.values(columns).every((one) => one === undefined);
  return [{ names: user === undefined ? ['id', 'user'] : ['id'], isDescending: false, isWhole, lists }];
}

function bookmarksOf(db: Db, user: bigint | undefined) {
  const bookmarks = db.selectFrom('bookmarks');
  return user === undefined ? bookmarks : bookmarks.where('user_id', '=', user);
}

export async function findBookmark(
  db: Db,
  userId: bigint,
  problemId: bigint,
): Promise<BookmarkRow | undefined> {
  const [row] = await runCompiled<BookmarkRow>(db, 'findBookmark', [userId, problemId], () =>
    shown(db.selectFrom('bookmarks').where('user_id', '=', userId).where('problem_id', '=', problemId)),
  );
  return row;
}

function filtered(db: Db, { user, updatedSince }: BookmarkFilter, window: Window | undefined) {
  let query = within(bookmarksOf(db, user), window, indexed);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  return query;
}

function shown(query: ReturnType<typeof filtered>) {
  return query.select([
    'problem_id as id',
    'user_id as user',
    'problem_id as problem',
    'note',
    'created_at',
    'updated_at',
  ]);
}

/** One member's bookmarks of these problems; problems without one are absent. */
export async function findBookmarks(
  db: Db,
  userId: bigint,
  problemIds: readonly bigint[],
): Promise<BookmarksTable[]> {
  return lookUpMany(problemIds, (some) =>
    runCompiled<BookmarksTable>(db, 'findBookmarks', [userId, ...some], () =>
      db.selectFrom('bookmarks').selectAll().where('user_id', '=', userId).where('problem_id', 'in', some),
    ),
  );
}

export async function listBookmarksOfProblem(db: Db, problemId: bigint): Promise<BookmarksTable[]> {
  return db.selectFrom('bookmarks').selectAll().where('problem_id', '=', problemId).execute();
}

export async function insertBookmarks(tx: Db, rows: readonly BookmarksTable[]): Promise<void> {
  await insertMany(tx, 'bookmarks', rows);
}

export async function updateBookmark(tx: Db, row: BookmarksTable): Promise<void> {
  const { user_id, problem_id, note, created_at, updated_at } = row;
  await runCompiled(tx, 'updateBookmark', [note, created_at, updated_at, user_id, problem_id], () =>
    tx
      .updateTable('bookmarks')
      .set({ note, created_at, updated_at })
      .where('user_id', '=', user_id)
      .where('problem_id', '=', problem_id),
  );
}
