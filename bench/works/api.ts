/**
 * The nine operations of the interface, hot and cold: every server has the same rows, gives the same answers and is asked in
 * turn with the others.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Reply, send } from '../../test/support/http.ts';
import { keyOf, plantRows, problemRows, type StatusRow, seeded, statusRows } from '../catalogue.ts';
import {
  boundText,
  type Contender,
  load,
  median,
  oneByOne,
  type Paths,
  printHead,
  printRows,
  type Row,
  ratiosOf,
  takeTurns,
} from '../measure.ts';
import { fillPeers } from '../peers/fill.ts';
import {
  type Checkout,
  change,
  checkouts,
  garden,
  type Served,
  serveGarden,
  servePeer,
  tokensOf,
  writeRows,
} from '../programs.ts';
import { folderOfRun, type Options, progress } from '../run.ts';

const problemsPath = '/problem_list/api/problems/';
const statusesPath = '/problem_list/api/status/';
const bookmarksPath = '/dashboard/api/bookmarks/';
const recordsPath = '/authentication/api/records/';

/** The sizes of the rows of a set: the hot set fits what a server keeps of its answers, the cold set is far too large for it. */
interface Sizes {
  problems: number;
  members: number;
  /** How many statuses each member has. */
  statuses: number;
  bookmarks: number;
  plants: number;
}

export const bearer = (token = '') => ({ Authorization: `Bearer ${token}` });

const deletes = { 1: 500, 32: 3000 } as const;
const sizes = ({ isQuick, rounds }: Options): Record<'hot' | 'cold', Sizes> => ({
  hot: {
    problems: 10_000,
    members: 1,
    statuses: 2000,
    bookmarks: 300,
    plants: (rounds + 1) * (deletes[1] + deletes[32]),
  },
  cold: {
    problems: isQuick ? 50_000 : 200_000,
    members: isQuick ? 1000 : 6000,
    statuses: 50,
    bookmarks: 0,
    plants: 0,
  },
});

interface Kind {
  title: string;
  set: 'hot' | 'cold';
  clients: number;
  /** Made for each server; the tokens are those of all members. */
  paths(sizes: Sizes, tokens: readonly string[]): Paths;
  /** A path whose answer is the same from every server, and is what the bare server sends. */
  sample?: string;
  /** Whether Fastify has it. */
  isShared?: boolean;
  isGzip?: boolean;
  /** How many plants a round deletes. */
  deletes?: number;
  /** Whether a problem gets another title before each read. */
  isAfterChange?: boolean;
}

/** Numbers from 1 to the count in random order, again and again. */
export function shuffled<T>(count: number, askOf: (id: number) => T): () => T {
  const random = seeded(count);
  const ids = Array.from({ length: count }, (_, place) => ({ id: place + 1, at: random(2 ** 31) }));
  ids.sort((one, other) => one.at - other.at);
  let next = 0;
  return () => askOf(ids[next++ % count]?.id ?? 1);
}

const items = Array.from({ length: 500 }, (_, nth) => 1 + nth * 20);
const pages = [1200, 1300, 1400, 1500].flatMap((rating) =>
  ['complete', 'practicing'].map((status) => `${problemsPath}?limit=100&rating_min=${rating}&status=${status}`),
);
const whole = {
  set: 'hot',
  clients: 4,
  paths: () => [problemsPath],
  sample: problemsPath,
} as const;

function deleting(clients: keyof typeof deletes): Kind {
  const paths = ({ plants }: Sizes) => {
    // One client deletes the first ones, and 32 clients all others.
    let id = clients === 1 ? 1 : 1 + (plants * deletes[1]) / (deletes[1] + deletes[32]);
    return () => ({ path: `/plants/${id++}` });
  };
  const title = `delete a plant, ${clients === 1 ? '1 client' : `${clients} clients`}`;
  return { title, set: 'hot', clients, deletes: deletes[clients], paths, isShared: true };
}

const kinds: readonly Kind[] = [
  {
    title: 'problem, hot',
    set: 'hot',
    clients: 32,
    sample: `${problemsPath}1/`,
    isShared: true,
    paths: () => items.map((id) => `${problemsPath}${id}/`),
  },
  {
    title: 'problem, cold',
    set: 'cold',
    clients: 32,
    sample: `${problemsPath}1/`,
    isShared: true,
    paths: ({ problems }) => shuffled(problems, (id) => ({ path: `${problemsPath}${id}/` })),
  },
  { title: 'all problems', ...whole },
  { title: 'all problems, gzip', ...whole, isGzip: true },
  { title: 'all problems after a change', ...whole, clients: 1, isAfterChange: true, isShared: true },
  {
    title: 'page of 100 problems, by rating and status',
    set: 'hot',
    clients: 32,
    isShared: true,
    sample: pages[0] ?? '',
    paths: () => pages,
  },
  {
    title: 'own statuses, hot',
    set: 'hot',
    clients: 8,
    sample: statusesPath,
    isShared: true,
    paths: () => [statusesPath],
  },
  {
    title: 'own statuses, cold: each time another member',
    set: 'cold',
    clients: 32,
    isShared: true,
    sample: statusesPath,
    paths: ({ members }, tokens) =>
      shuffled(members, (id) => ({ path: statusesPath, headers: bearer(tokens[id - 1]) })),
  },
  {
    title: 'own status of a problem',
    set: 'hot',
    clients: 32,
    paths: () => items.map((id) => `${statusesPath}${id}/`),
  },
  { title: 'own bookmarks', set: 'hot', clients: 8, paths: () => [bookmarksPath] },
  { title: 'own bookmark of a problem', set: 'hot', clients: 32, paths: () => [`${bookmarksPath}1/`] },
  { title: 'all records', set: 'cold', clients: 4, paths: () => [recordsPath] },
  {
    title: 'record',
    set: 'cold',
    clients: 32,
    paths: ({ members }) => shuffled(members, (id) => ({ path: `${recordsPath}${id}/` })),
  },
  deleting(1),
  deleting(32),
];

/** A server with the tokens of its members. */
interface Side {
  server: Served;
  tokens: readonly string[];
  checkout?: { one: Checkout; databaseUrl: string };
}

export async function measureApi(options: Options): Promise<void> {
  const folder = await folderOfRun();
  const sides = {
    hot: await sidesOf(options, folder, 'hot'),
    cold: await sidesOf(options, folder, 'cold'),
  };
  printHead();
  for (const kind of kinds) await measureKind(options, folder, kind, sides[kind.set]);
}

/** Starts this checkout, the others and Fastify on databases with the rows of a set. */
async function sidesOf(options: Options, folder: string, set: 'hot' | 'cold'): Promise<Side[]> {
  const { problems, members, statuses, bookmarks, plants } = sizes(options)[set];
  progress(`filling the databases of the ${set} reads`);
  const names = Array.from({ length: members }, (_, place) => `bench${place + 1}`);
  function* ofAll(): Generator<StatusRow> {
    for (const [place, name] of names.entries()) yield* statusRows(name, statuses, problems, { first: 37 * place });
  }
  const role = set === 'cold' ? 'staff' : 'member';
  const files = {
    problems: problemRows(problems),
    records: names.map((username, place) => ({
      id: place + 1,
      username,
      role: place === 0 ? role : 'member',
    })),
    statuses: ofAll(),
    bookmarks: Array.from({ length: bookmarks }, (_, place) => ({
      username: 'bench1',
      ...keyOf(1 + 20 * place),
    })),
    plants: plantRows('bench1', plants),
  };
  for (const [what, rows] of Object.entries(files)) await writeRows(join(folder, `${set}-${what}.ndjson`), rows);
  const sides: Side[] = [];
  for (const [nth, one] of checkouts(options).entries()) {
    const databaseUrl = `sqlite:${join(folder, `${set}-${nth}.db`)}`;
    for (const what of Object.keys(files)) {
      const path = join(folder, `${set}-${what}.ndjson`);
      await garden(one, ['import', what, path, '--ids-of-this-garden'], databaseUrl);
    }
    const tokens = await tokensOf(one, databaseUrl, names);
    sides.push({ server: await serveGarden(one, databaseUrl), tokens, checkout: { one, databaseUrl } });
  }
  const peers = join(folder, `${set}-peers.db`);
  const tokens = sides[0]?.tokens ?? [];
  fillPeers(peers, { problems: problemRows(problems), statuses: ofAll(), members: names, tokens, plants });
  sides.push({ server: await servePeer('Fastify + better-sqlite3', 'fastify.ts', peers), tokens });
  return sides;
}

async function measureKind(options: Options, folder: string, kind: Kind, sides: readonly Side[]): Promise<void> {
  const used = sides.filter(({ checkout }) => checkout || kind.isShared);
  const headers = ({ tokens }: Side) => ({
    ...bearer(tokens[0]),
    ...(kind.isGzip && { 'Accept-Encoding': 'gzip' }),
  });
  const contenders = used.map((side) => contenderOf(options, folder, kind, side, headers(side)));
  const [first] = used;
  let bare: Served | undefined;
  if (kind.sample !== undefined && first) {
    const answers = await Promise.all(
      used.map((side) => send(side.server.url, kind.sample ?? '', { headers: headers(side) })),
    );
    const [bytes] = answers.map(({ bytes }) => bytes);
    for (const [nth, answer] of answers.entries()) assertSame(used[nth]?.server.title ?? '', answer, answers[0]);
    const file = join(folder, 'body');
    await writeFile(file, bytes ?? '');
    bare = await servePeer('bare node:http', 'bare.ts', file, kind.isGzip ? 'gzip' : 'identity');
    contenders.push(contenderOf(options, folder, kind, { server: bare, tokens: [] }, {}));
  }
  const rows = await takeTurns(contenders, options);
  await bare?.stop();
  const others = new Set(options.against);
  printRows(kind.title, rows, (row) => (others.has(row.title) ? ratioBound(rows[0], row) : ''));
}

/** The limit for another checkout (docs/performance.md): a change may cost a twentieth of the speed. */
const ratioAtLeast = 0.95;

function ratioBound(first: Row | undefined, other: Row): string {
  if (!first) return '';
  return boundText({ atLeast: ratioAtLeast }, median(ratiosOf(first, other, ({ perSecond }) => perSecond)));
}

function assertSame(title: string, answer: Reply, ours: Reply | undefined): void {
  const plain = ({ headers, bytes }: Reply) =>
    String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes);
  if (answer.status !== 200) throw new Error(`${title} answered with ${answer.status}: ${answer.text}`);
  if (!ours || plain(answer) === plain(ours)) return;
  const [one, other] = [plain(answer), plain(ours)];
  let at = 0;
  while (one[at] === other[at]) at++;
  throw new Error(`${title} has ${one.slice(at - 40, at + 40)} where ours has ${other.slice(at - 40, at + 40)}`);
}

function contenderOf(
  options: Options,
  folder: string,
  kind: Kind,
  { server, tokens, checkout }: Side,
  headers: Record<string, string>,
): Contender {
  const paths = kind.paths(sizes(options)[kind.set], tokens);
  const { clients } = kind;
  const { title } = server;
  if (kind.isAfterChange) {
    const before = checkout && (() => change(checkout.one, folder, checkout.databaseUrl));
    return { title, round: () => oneByOne(server, { paths: [problemsPath], headers, before }) };
  }
  const deleted = kind.deletes === undefined ? {} : { method: 'DELETE' as const, amount: kind.deletes };
  return { title, round: (seconds) => load(server, { paths, headers, clients, ...deleted }, seconds) };
}
