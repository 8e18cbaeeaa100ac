/** A running garden with rows of known ids, for the client's tests. */
import type { TestContext } from 'node:test';
import { importRows, memberWithToken, type Server, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

/** Ids that no number can hold, and others that look like them. They ascend, as a collection is. */
export const hostileIds = [
  '-9223372036854775808',
  '-9007199254740993',
  '-1',
  '0',
  '7',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
] as const;

/** A title that holds what the reader of ids looks for. */
export const hostileTitle = String.raw`{"id":9007199254740993,"user":-1} \"id\":9007199254740993 \\" "id" : 9007199254740993, \u0022`;

export interface Planted {
  server: Pick<Server, 'url' | 'stderr'>;
  databaseUrl: string;
  /** A member with a bookmark of, and a status on, every problem, and a plant of each id. */
  ada: { token: string; memberId: string };
  /** Staff, with nothing of their own. */
  root: { token: string; memberId: string };
}

/** Starts a garden whose problems have the given ids. */
export async function planted(
  t: TestContext,
  { ids = hostileIds, env = {} }: { ids?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Planted> {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithToken(databaseUrl, 'ada');
  const root = await memberWithToken(databaseUrl, 'root', { role: 'staff' });
  const user = BigInt(ada.memberId);
  const title = hostileTitle;
  const rows = <T>(row: (id: bigint) => T) => ids.map((id) => row(BigInt(id)));
  await importRows(
    databaseUrl,
    'problems',
    rows((id) => ({ id, title, source: 'cses', source_key: `k${id}`, tags: ['dp'] })),
  );
  await importRows(
    databaseUrl,
    'bookmarks',
    rows((id) => ({ user, problem: id, note: title })),
  );
  await importRows(
    databaseUrl,
    'statuses',
    rows((id) => ({ user, problem: id, status: 'complete' })),
  );
  await importRows(
    databaseUrl,
    'plants',
    rows((id) => ({ id, user, name: `p${id}`, target: 3 })),
  );
  return { server: await serveHere(t, { databaseUrl, env }), databaseUrl, ada, root };
}

/** A fetch that counts, and notes the statuses and addresses it saw. */
export function watchedFetch() {
  const statuses: number[] = [];
  const urls: string[] = [];
  const watched = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    urls.push(url);
    statuses.push(response.status);
    return response;
  };
  return { fetch: watched, statuses, urls };
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}
