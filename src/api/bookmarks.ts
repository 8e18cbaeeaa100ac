/** listBookmarks and getBookmark: the actor's own, or for staff another member's without its notes. */
import { Bookmark } from '../contract/bookmarks.ts';
import { columnsOf, jsonWriter } from '../contract/rows.ts';
import {
  bookmarkFieldsFor,
  bookmarkItem,
  bookmarkListing,
  bookmarkSortFields,
  fewBookmarks,
  findBookmark,
} from '../store/bookmarks.ts';
import type { Db } from '../store/tables.ts';
import { type Handler, type Item, memberRows, whoseRows } from './handlers.ts';

const few = fewBookmarks(columnsOf(Bookmark));

export const listBookmarks: Handler<'listBookmarks'> = {
  expects: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, query }) => {
    const user = whoseRows(actor, query.user);
    const isOwn = user === actor.memberId;
    const sortFields = isOwn ? bookmarkSortFields : bookmarkFieldsFor(actor.memberId);
    return {
      ...memberRows('bookmarks', actor, user),
      tieBreakers: ['id', 'user'],
      findFew: (store) => (isOwn ? store.readItem(few, { user }) : undefined),
      find: async (db, [id = 0n, whose = 0n]) =>
        user === undefined || user === whose ? findShown(db, actor.memberId, whose, id) : undefined,
      sortFields,
      listing: () => bookmarkListing({ user, updatedSince: query.updated_since }, sortFields),
    };
  },
};

const bookmark = bookmarkItem(columnsOf(Bookmark));
const asJson = jsonWriter(Bookmark);

export const getBookmark: Handler<'getBookmark'> = {
  expects: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    const find: Item['find'] =
      user === actor.memberId
        ? (store) => store.readItem(bookmark, { user, problem: id })
        : async ({ reader }) => {
            const row = await findShown(reader, actor.memberId, user, id);
            return row && asJson(row);
          };
    return { ...memberRows('bookmarks', actor, user), find };
  },
};

async function findShown(db: Db, reader: bigint, user: bigint, id: bigint) {
  const row = await findBookmark(db, user, id);
  return row && (user === reader ? row : { ...row, note: null });
}
