/** Importing bookmarks: one a member and problem. */
import { findBookmarks, insertBookmarks, updateBookmark } from '../store/bookmarks.ts';
import type { BookmarksTable } from '../store/tables.ts';
import type { Applying, Sink } from './import.ts';
import type { GivenRow } from './own-rows.ts';
import { pairSink } from './pairs.ts';

export function bookmarkSink(applying: Applying): Sink<GivenRow> {
  return pairSink<BookmarksTable>(applying, {
    scope: 'bookmarks',
    find: findBookmarks,
    insert: insertBookmarks,
    update: updateBookmark,
    next: (given, current, { now }) => {
      const note = given.note === undefined ? (current?.note ?? null) : (given.note as string | null);
      const created_at = (given.created_at as string | undefined) ?? current?.created_at ?? now;
      const isSame = current?.note === note && current.created_at === created_at;
      const updated_at =
        (given.updated_at as string | undefined) ??
        (isSame ? current.updated_at : current ? now : created_at);
      return { note, created_at, updated_at };
    },
  });
}
