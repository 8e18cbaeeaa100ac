/** A running garden with rows of known ids, for the client's tests. */
import type { TestContext } from 'node:test';
import { importProblems, importRows, memberWithToken, type Server, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { importMarks } from '../support/marks.ts';

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
  const title = hostileTitle;
  await importProblems(databaseUrl, ids.map(BigInt), () => ({ title, source: 'cses', tags: ['dp'] }));
  await importMarks(databaseUrl, {
    problems: ids.map(BigInt),
    usernames: ['ada'],
    countOf: () => 1,
    bookmark: () => ({ note: title }),
    status: () => ({ status: 'complete' }),
  });
  await importRows(
    databaseUrl,
    'plants',
    ids.map((id) => ({ id: BigInt(id), username: 'ada', name: `p${id}`, target: 3 })),
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

export const idsOf = <T>(rows: readonly { id: T }[]): T[] => rows.map(({ id }) => id);

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}
