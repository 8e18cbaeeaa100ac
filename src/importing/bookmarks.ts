/** Importing bookmarks: one a member and problem. */
import { badRow } from '../files/entries.ts';
import { longestNote } from '../practice/marks.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import type { PairKind } from './pairs.ts';

type GivenBookmark = Partial<Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'>>;

export const bookmarkPairs: PairKind<BookmarksTable, GivenBookmark> = {
  table: 'bookmarks',
  find: findBookmarks,
  insert: insertBookmarks,
  update: updateBookmark,
  next: ({ note, created_at, updated_at }, current, now, hasLimits) => {
    if (hasLimits && note && note.length > longestNote && note !== current?.note)
      throw badRow(`note has ${note.length} characters; at most ${longestNote} are kept.`);
    return {
      note: note === undefined ? (current?.note ?? null) : note,
      created_at: created_at ?? current?.created_at ?? now,
      updated_at: updated_at ?? current?.updated_at ?? created_at ?? now,
    };
  },
};
