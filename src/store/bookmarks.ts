/** Bookmarks: the problems that members want to find again. */
import { sortFieldsOf } from './keyset.ts';
import { type PairFilter, pairFunctions, type ShownPair } from './pairs.ts';
import type { BookmarksTable } from './tables.ts';

type BookmarkRow = ShownPair & Omit<BookmarksTable, 'user_id' | 'problem_id'>;

export const {
  sortFields: bookmarkSortFields,
  naturalOrder: naturalBookmarkOrder,
  listing: bookmarkListing,
  listKeyed: listKeyedBookmarks,
  item: bookmarkItem,
  few: fewBookmarks,
  find: findBookmark,
  findMany: findBookmarks,
  listOfProblem: listBookmarksOfProblem,
  insert: insertBookmarks,
  update: updateBookmark,
} = pairFunctions<'bookmarks', BookmarkRow, PairFilter>(
  'bookmarks',
  sortFieldsOf('bookmarks', { note: 'text?', created_at: 'text', updated_at: 'text' }),
  (query, { updatedSince }) =>
    updatedSince === undefined ? query : query.where('updated_at', '>=', updatedSince),
);
