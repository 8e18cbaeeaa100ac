/** Bookmarks: the problems that members want to find again. */
import { sql } from 'kysely';
import { type SortField, sortFieldsOf } from './listings.ts';
import { type PairFilter, pairFunctions, type ShownPair } from './pairs.ts';

declare module './tables.ts' {
  interface Tables {
    bookmarks: BookmarksTable;
  }
}

export interface BookmarksTable {
  user_id: bigint;
  problem_id: bigint;
  note: string | null;
  created_at: string;
  updated_at: string;
}

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

/** The fields as this member reads them: a note is null for everybody but its member, also as the key of an order or a cursor. */
export function bookmarkFieldsFor(reader: bigint): SortField[] {
  const note = sql`case when bookmarks.user_id = ${sql.raw(String(reader))} then bookmarks.note end`;
  return bookmarkSortFields.map((field) => (field.name === 'note' ? { ...field, expression: note } : field));
}
