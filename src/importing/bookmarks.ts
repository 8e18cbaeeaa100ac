/** Importing bookmarks and notes: one row a member and problem. */
import { refused } from '../errors.ts';
import { longestNote } from '../practice/marks.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import type { PairKind } from './pairs.ts';

type GivenBookmark = Partial<Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at' | 'editorial_at'>> & {
  /** Files of earlier gardens and of others have bookmarks alone, and not this field. */
  starred?: 'yes' | 'no';
};

export const bookmarkPairs: PairKind<BookmarksTable, GivenBookmark> = {
  table: 'bookmarks',
  find: findBookmarks,
  insert: insertBookmarks,
  update: updateBookmark,
  next: ({ note: given, created_at, updated_at, starred = 'yes', ...rest }, current, now, hasLimits) => {
    const note = given === undefined ? (current?.note ?? null) : given;
    const editorial_at =
      rest.editorial_at === undefined ? (current?.editorial_at ?? null) : rest.editorial_at;
    if (hasLimits && note && note.length > longestNote && note !== current?.note)
      throw refused('badRow.long', { field: 'note', count: note.length, most: longestNote });
    if (starred === 'no' && note === null && editorial_at === null) throw refused('badRow.notStarred');
    return {
      note,
      is_starred: starred === 'yes' ? 1n : 0n,
      editorial_at,
      created_at: created_at ?? current?.created_at ?? now,
      updated_at: updated_at ?? current?.updated_at ?? created_at ?? now,
    };
  },
};
