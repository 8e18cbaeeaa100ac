/** listBookmarks and getBookmark: the actor's own, or for staff another member's. */
import {
  bookmarkSortFields,
  countBookmarks,
  findBookmark,
  listBookmarks as listRows,
} from '../store/bookmarks.ts';
import { assertVisible, type Handler, scopesOf, whoseRows } from './handlers.ts';

export const listBookmarks: Handler<'listBookmarks'> = async ({ store, actor, query }) => {
  const user = whoseRows(actor, query.user);
  const filter = { user, updatedSince: query.updated_since };
  return {
    scopes: scopesOf('bookmarks', actor, user),
    sortFields: bookmarkSortFields,
    ties: ['id', 'user'],
    find: async ([id = 0n, whose = 0n]) =>
      user === undefined || user === whose ? findBookmark(store.reader, whose, id) : undefined,
    assertVisible: () => assertVisible(store.reader, actor, user),
    list: (page) => listRows(store.reader, filter, page),
    count: () => countBookmarks(store.reader, filter),
  };
};

export const getBookmark: Handler<'getBookmark'> = async ({ store, actor, id, query }) => {
  const user = query.user ?? actor.memberId;
  await assertVisible(store.reader, actor, user);
  return { scopes: scopesOf('bookmarks', actor, user), find: () => findBookmark(store.reader, user, id) };
};
