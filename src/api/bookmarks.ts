/** listBookmarks and getBookmark: the actor's own, or for staff another member's. */
import {
  bookmarkSortFields,
  countBookmarks,
  findBookmark,
  listBookmarks as listRows,
} from '../store/bookmarks.ts';
import { assertVisible, type Handler, whoseRows } from './handlers.ts';

export const listBookmarks: Handler<'listBookmarks'> = async ({ store, actor, query }) => {
  const user = whoseRows(actor, query.user);
  const filter = { user, updatedSince: query.updated_since };
  return {
    scopes: [user === undefined ? 'bookmarks' : `bookmarks:${user}`],
    sortFields: bookmarkSortFields,
    ties: ['id', 'user'],
    assertVisible: () => assertVisible(store.reader, actor, user),
    list: (page) => listRows(store.reader, filter, page),
    count: () => countBookmarks(store.reader, filter),
  };
};

export const getBookmark: Handler<'getBookmark'> = async ({ store, actor, id, query }) => {
  const user = query.user ?? actor.memberId;
  await assertVisible(store.reader, actor, user);
  return { scopes: [`bookmarks:${user}`], find: () => findBookmark(store.reader, user, id) };
};
