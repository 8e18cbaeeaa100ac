/** listBookmarks and getBookmark: the actor's own, or for staff another member's without its notes. */
import { Bookmark } from '../contract/bookmarks.ts';
import { columnsOf, jsonWriter } from '../contract/rows.ts';
import {
  bookmarkFieldsFor,
  bookmarkItem,
  bookmarkListing,
  bookmarkSortFields,
  bookmarksAsJson,
  findBookmark,
} from '../store/bookmarks.ts';
import type { Db } from '../store/tables.ts';
import { type Handler, type Item, memberAccess, requestedMember } from './handlers.ts';

const fewQuery = bookmarksAsJson(columnsOf(Bookmark));

export const listBookmarks: Handler<'listBookmarks'> = {
  prefetchedScopes: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, query }) => {
    const user = requestedMember(actor, query.user);
    const sortFields = user === actor.memberId ? bookmarkSortFields : bookmarkFieldsFor(actor.memberId);
    return {
      ...memberAccess('bookmarks', actor, user),
      tieBreakers: ['id', 'user'],
      findIfFew: (store) => store.readItem(fewQuery, { user: actor.memberId }),
      find: async (db, [id = 0n, owner = 0n]) =>
        user === undefined || user === owner ? findVisible(db, actor.memberId, owner, id) : undefined,
      sortFields,
      listing: () => bookmarkListing({ user, updatedSince: query.updated_since }, sortFields),
    };
  },
};

const bookmarkQuery = bookmarkItem(columnsOf(Bookmark));
const writeJson = jsonWriter(Bookmark);

export const getBookmark: Handler<'getBookmark'> = {
  prefetchedScopes: ({ memberId }) => [`bookmarks:${memberId}`],
  handle: ({ actor, id, query }) => {
    const user = query.user ?? actor.memberId;
    const find: Item['find'] =
      user === actor.memberId
        ? (store) => store.readItem(bookmarkQuery, { user, problem: id })
        : async ({ reader }) => {
            const row = await findVisible(reader, actor.memberId, user, id);
            return row && writeJson(row);
          };
    return { ...memberAccess('bookmarks', actor, user), find };
  },
};

async function findVisible(db: Db, reader: bigint, user: bigint, id: bigint) {
  const row = await findBookmark(db, user, id);
  return row && (user === reader ? row : { ...row, note: null });
}
