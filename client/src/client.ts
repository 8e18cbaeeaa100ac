/** The client of Practice Garden: one method per operation, its pages and its rows. What this file exports is the package. */
import { idText, parseRows } from './json.ts';
import type { paths } from './schema.ts';
import { transport } from './transport.ts';
import type { CallOptions, Client, ClientOptions, Id, Ids, Page } from './types.ts';

export type { GardenError } from './errors.ts';
export { isGardenError } from './errors.ts';
export type {
  Bookmark,
  CallOptions,
  Client,
  ClientOptions,
  Id,
  Ids,
  Page,
  Problem,
  ProblemStatus,
  Query,
  UserRecord,
} from './types.ts';

/** Every parameter that some operation has. */
type AnyQuery = CallOptions & { limit?: number | undefined; cursor?: string | undefined };

/** Asked for with each page unless the caller says otherwise: the most that the server gives. */
const pageLimit = 1000;

/** A client of the garden at `baseUrl`, acting for the member whose token it is. Throws a TypeError on bad options. */
export function createClient<I extends Ids = 'string'>(options: ClientOptions<I>): Client<I> {
  const ids: Ids = options.ids ?? 'string';
  if (ids !== 'string' && ids !== 'bigint') {
    throw new TypeError(`ids is ${JSON.stringify(ids)}; it must be "string" or "bigint".`);
  }
  const send = transport(options);

  async function page<R>(path: keyof paths, query: AnyQuery): Promise<Page<R>> {
    const { text, next, total } = await send('GET', path + queryText(query), query.signal);
    return { rows: parseRows(text, ids) as R[], next, total };
  }

  const get =
    <R>(path: keyof paths) =>
    async (id: Id, query: CallOptions = {}): Promise<R> => {
      const { text } = await send('GET', withId(path, id) + queryText(query), query.signal);
      return parseRows(text, ids) as R;
    };

  const list =
    <R>(path: keyof paths) =>
    async (query: AnyQuery = {}): Promise<R[]> =>
      (await page<R>(path, query)).rows;

  const pages = <R>(path: keyof paths) =>
    async function* (query: AnyQuery = {}): AsyncGenerator<Page<R>> {
      let { cursor } = query;
      do {
        const answer = await page<R>(path, { ...query, limit: query.limit ?? pageLimit, cursor });
        yield answer;
        cursor = answer.next;
      } while (cursor !== undefined);
    };

  const rows = <R>(path: keyof paths) =>
    async function* (query: AnyQuery = {}): AsyncGenerator<R> {
      for await (const answer of pages<R>(path)(query)) yield* answer.rows;
    };

  return {
    deletePlant: async (id, { signal } = {}) => {
      await send('DELETE', withId('/plants/{id}', id), signal);
    },
    listRecords: list('/authentication/api/records/'),
    getRecord: get('/authentication/api/records/{id}/'),
    listBookmarks: list('/dashboard/api/bookmarks/'),
    getBookmark: get('/dashboard/api/bookmarks/{id}/'),
    listProblems: list('/problem_list/api/problems/'),
    getProblem: get('/problem_list/api/problems/{id}/'),
    listProblemStatuses: list('/problem_list/api/status/'),
    getProblemStatus: get('/problem_list/api/status/{id}/'),
    pages: {
      listRecords: pages('/authentication/api/records/'),
      listBookmarks: pages('/dashboard/api/bookmarks/'),
      listProblems: pages('/problem_list/api/problems/'),
      listProblemStatuses: pages('/problem_list/api/status/'),
    },
    rows: {
      listRecords: rows('/authentication/api/records/'),
      listBookmarks: rows('/dashboard/api/bookmarks/'),
      listProblems: rows('/problem_list/api/problems/'),
      listProblemStatuses: rows('/problem_list/api/status/'),
    },
  };
}

function withId(path: keyof paths, id: Id): string {
  return path.replace('{id}', idText(id));
}

/** `?` and the parameters that were given, or nothing. */
function queryText({ signal: _, ...query }: CallOptions): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined) continue;
      pairs.append(name, name === 'user' && one !== 'all' ? idText(one) : String(one));
    }
  }
  const text = String(pairs);
  return text === '' ? '' : `?${text}`;
}
