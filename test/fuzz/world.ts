/** The garden that generated requests are sent to: a small realistic one, its callers, its rows and its real cursors. */
import type { TestContext } from 'node:test';
import { operations } from '../../src/contract/operations.ts';
import { importRows, memberWithToken, temporaryDatabase } from '../support/garden.ts';
import { client, exactJson } from '../support/http.ts';
import { edges } from '../support/ids.ts';
import { serveHere } from '../support/in-process.ts';
import { importMarks } from '../support/marks.ts';
import type { Document } from './document.ts';

export type Row = Readonly<Record<string, bigint | string | string[] | null>>;
export type Collection = 'listRecords' | 'listBookmarks' | 'listProblems' | 'listProblemStatuses';

export interface Caller {
  token: string;
  memberId: bigint;
  isStaff: boolean;
  scopes: readonly string[];
}

export interface Cursor {
  order: string | undefined;
  text: string;
  /** The row that its page ended with. */
  last: Row;
}

export interface World {
  url: string;
  document: Document;
  callers: Record<'staff' | 'member' | 'narrow', Caller>;
  /** All rows of all members. */
  rows: Record<Collection, Row[]>;
  cursors: Record<Collection, Cursor[]>;
  /** Owners of the plants that are still there. */
  plants: Map<bigint, bigint>;
  stderr(): string;
}

const baseUrl = 'http://garden.example.org';
export const titles = [
  'Watermelon',
  'watermelon 2',
  'Ünïcödé',
  'ſtraße',
  'ΟΔΥΣΣΕΥΣ',
  '100% _sure_',
  '木を切る',
  '🌱 Garden',
  'K',
  'O\'Neil "x"',
  ' ',
  'a,b\r\nc',
];
export const tags = ['dp', 'graphs', 'two pointers', 'dfs & bfs', '*special', 'ツリー'];
export const sources = ['codeforces', 'atcoder', 'cses'];
const states = ['not_started', 'reading', 'practicing', 'complete', 'skipped', 'ignored'];
export const narrowScopes = ['problems:read', 'plants:delete'];
const orders: Record<Collection, (string | undefined)[]> = {
  listRecords: [undefined, 'first_name', '-role,username'],
  listBookmarks: [undefined, 'note', '-updated_at', '-id'],
  listProblems: [undefined, 'title', '-rating', 'source,-url', '-updated_at,title'],
  listProblemStatuses: [undefined, 'status', '-updated_at', 'origin,-id'],
};

function pick<T>(values: readonly T[], place: number): T {
  return values[place % values.length] as T;
}

export async function growWorld(t: TestContext, plantCount: number): Promise<World> {
  const databaseUrl = await temporaryDatabase(t);
  const at = (place: number) => new Date(Date.UTC(2026, 0, 1 + (place % 90), place % 24)).toISOString();
  const members = [
    { id: 1n, username: 'ada', first_name: 'Ada', email: 'ada@example.org' },
    { id: 2n, username: 'boss', role: 'staff', last_name: '' },
    { id: 3n, username: 'ben', city: '=1+1' },
    { id: 2n ** 53n + 1n, username: 'Ünï', first_name: "'quoted" },
    { id: -(2n ** 63n), username: 'least', phone: '+44' },
  ];
  await importRows(
    databaseUrl,
    'records',
    members.map((row, place) => ({ ...row, created_at: at(place), updated_at: at(place) })),
  );
  const ids = [...edges, ...Array.from({ length: 60 }, (_, place) => BigInt(place) * 7n + 2n)];
  const problems = ids.map((id, place) => ({
    id,
    title: pick(titles, place),
    source: pick(sources, place),
    source_key: `k${place}`,
    url: place % 3 ? null : `https://example.org/${place % 5}`,
    rating: place % 4 ? 800 + (place % 9) * 300 : null,
    tags: tags.filter((_, nth) => (place + nth) % 3 === 0),
    aliases: place % 7 ? [] : [`alias ${place}`],
    created_at: at(place),
    updated_at: at(place * 3),
  }));
  await importRows(databaseUrl, 'problems', problems);
  await importMarks(databaseUrl, {
    problems: ids,
    usernames: ['ada', 'boss', 'ben'],
    countOf: (place) => place % 4,
    bookmark: (place) => ({
      note: place % 2 ? pick(titles, place) : null,
      created_at: at(place),
      updated_at: at(place),
    }),
    status: (place) => ({
      status: pick(states, place),
      origin: place % 2 ? 'self' : 'judge',
      updated_at: at(place),
    }),
  });
  const plants = new Map(
    [...edges, ...Array.from({ length: plantCount }, (_, place) => BigInt(place) * 3n + 5n)].map(
      (id, place) => [id, place % 3 ? 1n : 2n] as const,
    ),
  );
  await importRows(
    databaseUrl,
    'plants',
    [...plants].map(([id, owner]) => ({
      id,
      username: owner === 1n ? 'ada' : 'boss',
      name: `plant ${id}`,
      target: 3,
    })),
  );
  const caller = async (username: string, isStaff: boolean, scopes?: readonly string[]): Promise<Caller> => {
    const made = await memberWithToken(databaseUrl, username, scopes ? { scopes } : {});
    return { token: made.token, memberId: BigInt(made.memberId), isStaff, scopes: scopes ?? ['all'] };
  };
  const callers = {
    staff: await caller('boss', true),
    member: await caller('ada', false),
    narrow: await caller('ada', false, narrowScopes),
  };
  const server = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '1000000', BASE_URL: baseUrl } });
  const asStaff = client(server.url, callers.staff.token);
  const ben = await caller('ben', false);
  const rowsFor = async (token: string, path: string) =>
    exactJson((await client(server.url, token)(path)).text) as Row[];
  const all = async (id: Collection) => {
    const { path } = operations[id];
    if (id === 'listBookmarks')
      return (await Promise.all([callers.member, callers.staff, ben].map(({ token }) => rowsFor(token, path)))).flat();
    return await rowsFor(callers.staff.token, id === 'listProblemStatuses' ? `${path}?user=all` : path);
  };
  /** A cursor of every page of two rows, of everyone's rows, in some orders. */
  const collect = async (id: Collection) => {
    const cursors: Cursor[] = [];
    const whose = id === 'listBookmarks' || id === 'listProblemStatuses' ? '&user=all' : '';
    for (const order of orders[id]) {
      const asked = order === undefined ? '' : `&order=${order}`;
      for (let next: string | undefined = `${operations[id].path}?limit=2${whose}${asked}`; next; ) {
        const reply = await asStaff(next);
        next = /^<http:\/\/[^/]+([^>]+)>/.exec(String(reply.headers['link'] ?? ''))?.[1];
        const [, text] = /[?&]cursor=([\w-]+)/.exec(next ?? '') ?? [];
        const last = (exactJson(reply.text) as Row[]).at(-1);
        if (text !== undefined && last) cursors.push({ order, text, last });
      }
    }
    return cursors;
  };
  const of = async <T>(make: (id: Collection) => Promise<T>) => ({
    listRecords: await make('listRecords'),
    listBookmarks: await make('listBookmarks'),
    listProblems: await make('listProblems'),
    listProblemStatuses: await make('listProblemStatuses'),
  });
  const document = JSON.parse((await asStaff('/openapi.json')).text) as Document;
  return {
    url: server.url,
    document,
    callers,
    rows: await of(all),
    cursors: await of(collect),
    plants,
    stderr: server.stderr,
  };
}
