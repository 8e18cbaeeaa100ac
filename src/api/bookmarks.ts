/** listBookmarks and getBookmark: the actor's own, or for staff another member's. */
import { Bookmark } from '../contract/bookmarks.ts';
import { columnsOf } from '../contract/rows.ts';
import {
  bookmarkItem,
  bookmarkListing,
  bookmarkSortFields,
  fewBookmarks,
  findBookmark,
} from '../store/bookmarks.ts';
import { type Handler, rowsOf, whoseRows } from './handlers.ts';

const few = fewBookmarks(columnsOf(Bookmark));

export const listBookmarks: Handler<'listBookmarks'> = {
  expects: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, query }) => {
    const user = whoseRows(actor, query.user);
    return {
      ...rowsOf('bookmarks', actor, user),
      ties: ['id', 'user'],
      findFew: (store) => (user === undefined ? undefined : store.readItem(few, [user])),
      find: async (db, [id = 0n, whose = 0n]) =>
        user === undefined || user === whose ? findBookmark(db, whose, id) : undefined,
      sortFields: bookmarkSortFields,
      listing: () => bookmarkListing({ user, updatedSince: query.updated_since }),
    };
  },
};

const bookmark = bookmarkItem(columnsOf(Bookmark));

export const getBookmark: Handler<'getBookmark'> = {
  expects: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    return { ...rowsOf('bookmarks', actor, user), find: (store) => store.readItem(bookmark, [user, id]) };
  },
};
