/** listBookmarks and getBookmark: the actor's own, or for staff another member's. */
import { bookmarkSortFields, countBookmarks, findBookmark, listBookmarks as listRows } from '../store/bookmarks.ts';
import { type Handler, whoseRows } from './handlers.ts';

export const listBookmarks: Handler<'listBookmarks'> = async ({ store, actor, query }) => {
  const user = await whoseRows(store.reader, actor, query.user);
  const filter = { user, updatedSince: query.updated_since };
  return {
    scopes: [user === undefined ? 'bookmarks' : `bookmarks:${user}`],
    sortFields: bookmarkSortFields,
    ties: ['id', 'user'],
    list: (page) => listRows(store.reader, filter, page),
    count: () => countBookmarks(store.reader, filter),
  };
};

export const getBookmark: Handler<'getBookmark'> = async ({ store, actor, id, query }) => {
  const user = (await whoseRows(store.reader, actor, query.user)) ?? actor.memberId;
  return { scopes: [`bookmarks:${user}`], row: await findBookmark(store.reader, user, id) };
};
