/** Importing bookmarks: one a member and problem. */
import { badRow } from '../files/entries.ts';
import { longestNote } from '../practice/marks.ts';
import type { BookmarksTable } from '../store/bookmarks.ts';
import {
  findBookmarks,
  insertBookmarks,
  listBookmarksOfProblem,
  updateBookmark,
} from '../store/bookmarks.ts';
import type { PairKind } from './pairs.ts';

type GivenBookmark = Partial<Pick<BookmarksTable, 'note' | 'created_at' | 'updated_at'>>;

export const bookmarkPairs: PairKind<BookmarksTable, GivenBookmark> = {
  table: 'bookmarks',
  find: findBookmarks,
  listOfProblem: listBookmarksOfProblem,
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
  merge: (kept, dropped) => ({
    note: joinNotes(kept.note, dropped.note),
    created_at: kept.created_at < dropped.created_at ? kept.created_at : dropped.created_at,
    updated_at: kept.updated_at > dropped.updated_at ? kept.updated_at : dropped.updated_at,
  }),
};

/** Both notes, or the first alone where it holds the other in whole lines. */
function joinNotes(one: string | null, other: string | null): string | null {
  if (!one || !other) return one || other;
  return `\n${one}\n`.includes(`\n${other}\n`) ? one : `${one}\n${other}`;
}
