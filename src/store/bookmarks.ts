/** Bookmarks: the problems that members want to find again. */
import { type SortField, sortFieldsOf } from './keyset.ts';
import { type PairFilter, pairFunctions, pairSortFields } from './pairs.ts';
import type { BookmarksTable } from './tables.ts';

/** The fields of a bookmark that the contract shows. */
type BookmarkRow = Omit<BookmarksTable, 'user_id' | 'problem_id'> & {
  id: bigint;
  user: bigint;
  problem: bigint;
};

interface BookmarkFilter extends PairFilter {
  updatedSince?: string | undefined;
}

export const bookmarkSortFields: readonly SortField[] = [
  ...pairSortFields('bookmarks'),
  ...sortFieldsOf('bookmarks', { note: 'text?', created_at: 'text', updated_at: 'text' }),
];

export const {
  list: listBookmarks,
  listKeyed: listKeyedBookmarks,
  listKeys: listBookmarkKeys,
  count: countBookmarks,
  axes: bookmarkAxes,
  find: findBookmark,
  findMany: findBookmarks,
  listOfProblem: listBookmarksOfProblem,
  insert: insertBookmarks,
  update: updateBookmark,
} = pairFunctions<BookmarksTable, BookmarkRow, BookmarkFilter>({
  table: 'bookmarks',
  columns: ['note', 'created_at', 'updated_at'],
  filtered: (query, { updatedSince }) =>
    updatedSince === undefined ? query : query.where('updated_at', '>=', updatedSince),
  shown: (query) =>
    query.select([
      'problem_id as id',
      'user_id as user',
      'problem_id as problem',
      'note',
      'created_at',
      'updated_at',
    ]),
});
