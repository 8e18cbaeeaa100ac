/**
 * How long the server takes for pages of the website, for a member with 5,000 statuses and one with 50,000 submissions in a
 * garden of 30,000 problems. The list stands beside a plain page of Fastify.
 */
import { join } from 'node:path';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import { signIn } from '../../test/support/forms.ts';
import { root } from '../../test/support/garden.ts';
import { fillSeason } from '../../test/support/seasons.ts';
import { dayMs, handleOf, keyOf, plantRows, problemRows, type Sent, statusRows, submissionRows } from '../catalogue.ts';
import {
  type Bound,
  boundText,
  type Contender,
  median,
  oneByOne,
  printHead,
  printRows,
  takeTurns,
} from '../measure.ts';
import {
  type Checkout,
  change,
  checkouts,
  garden,
  type Served,
  serveGarden,
  servePeer,
  writeRows,
} from '../programs.ts';
import { folderOfRun, type Options, progress } from '../run.ts';

const requests = ({ isQuick }: Options) => (isQuick ? 10 : 50);
const password = 'a lantern beside the well';
const states = ['complete', 'complete', 'practicing', 'reading', 'skipped', 'ignored', 'not_started'];
/** The members, with how many submissions and statuses they have. */
const members = { bench: [5_000, 5_000], long: [50_000, 0] } as const;
type MemberName = keyof typeof members;

interface Kind {
  title: string;
  path: string;
  member?: MemberName;
  /** Processor time: the cost of a page, however busy the machine is. */
  ms?: Bound;
  kB?: Bound;
  /** Whether a problem gets another title before each request. */
  isAfterChange?: boolean;
  /** Whether the plain page shows the same. */
  isPlain?: boolean;
  /** Whether other checkouts have it at another address, or not at all. */
  isOwn?: boolean;
}

const listBounds = { ms: { atMost: 12 }, kB: { atMost: 25 } };
const list = (title: string, query: string, more: Partial<Kind> = {}): Kind => ({
  title: `list, ${title}`,
  path: `/problem_list/${query}`,
  ...listBounds,
  ...more,
});

/** A page of the member with 50,000 submissions. After a change of the problems nothing that was kept for it is of use. */
const long = (title: string, path: string, atMost: number, more: Partial<Kind> = {}): Kind => ({
  title: `${title}, 50,000 submissions${more.isAfterChange ? ', first after a change' : ''}`,
  path,
  member: 'long',
  ms: { atMost },
  ...more,
});

const kinds = (size: number): Kind[] => [
  list('plain', '', { isPlain: true }),
  list('not solved', '?status=unsolved', { isPlain: true }),
  list('rating band', '?rating_min=1400&rating_max=1700', { isPlain: true }),
  list('one topic', '?tag=dp'),
  list('judge, band, topic, not solved', '?source=codeforces&rating_min=1400&rating_max=1900&tag=dp&status=unsolved'),
  list('search', '?q=amber', { isPlain: true }),
  list('first search after a change', '?q=amber', { isAfterChange: true }),
  list('hardest first', '?order=-rating'),
  list('deep page', `?page=${Math.floor(size / 25) - 10}`, { isPlain: true }),
  { title: 'list, 200 rows', path: '/problem_list/?per_page=200', kB: { atMost: 60 } },
  { title: 'problem', path: '/problem_list/problem/1/', ms: { atMost: 4 } },
  { title: 'Today', path: '/dashboard/', ms: { atMost: 15 }, kB: { atMost: 40 } },
  { title: 'garden of 60 plants', path: '/plants/', ms: { atMost: 15 } },
  { title: 'Progress', path: '/dashboard/progress/', ms: { atMost: 50 } },
  long('Today', '/dashboard/', 25),
  long('garden', '/plants/', 20),
  long('Progress', '/dashboard/progress/', 50),
  long('Today', '/dashboard/', 60, { isAfterChange: true }),
  long('garden', '/plants/', 60, { isAfterChange: true }),
  long('Progress', '/dashboard/progress/', 120, { isAfterChange: true }),
  {
    title: 'season, 40 people × 20 contests',
    path: '/dashboard/groups/1/season/',
    ms: { atMost: 30 },
    isOwn: true,
  },
];

interface Side {
  server: Served;
  cookies: Readonly<Record<MemberName, string>>;
  /** Changes a problem. The plain page needs no change, because it keeps nothing. */
  change?: () => Promise<void>;
}

export async function measurePages(options: Options): Promise<void> {
  const size = options.isQuick ? 6_000 : 30_000;
  const folder = await folderOfRun();
  const files = await filesOf(folder, size);
  const sides: Side[] = [];
  let plain: Side | undefined;
  for (const [nth, one] of checkouts(options).entries()) {
    progress(`making a garden of ${one.title}`);
    const file = join(folder, `pages-${nth}.db`);
    const side = await sideOf(one, folder, `sqlite:${file}`, files);
    sides.push(side);
    plain ??= { ...side, server: await servePeer('Fastify, plain page', 'pages.ts', file) };
  }
  printHead();
  const [ours] = sides;
  for (const kind of [...kinds(size), ...(await assets(ours))]) {
    const own = kind.isOwn && ours ? [ours] : sides;
    const used = plain && kind.isPlain ? [...own, plain] : own;
    const rows = await takeTurns(
      used.map((side) => contenderOf(side, kind, requests(options))),
      options,
    );
    printRows(kind.title, rows, ({ title, rounds }) => {
      if (title === plain?.server.title) return '';
      const of = (name: 'processorMs' | 'kB') => median(rounds.map((round) => round[name]));
      const ms = kind.ms && `${boundText(kind.ms, of('processorMs'))} ms`;
      const kB = kind.kB && `${boundText(kind.kB, of('kB'))} kB`;
      return [ms, kB].filter((bound) => bound !== undefined).join(', ');
    });
  }
}

/** Rows of everything that both members have, as files in the order of their import. */
async function filesOf(folder: string, size: number): Promise<[what: string, path: string][]> {
  const names = Object.keys(members) as MemberName[];
  function* ofEach(rows: (name: MemberName, submissions: number, statuses: number) => Iterable<object>) {
    for (const name of names) {
      const [submissions, statuses] = members[name];
      yield* rows(name, submissions, statuses);
    }
  }
  const rows = {
    problems: problemRows(size),
    records: names.map((username) => ({ username })),
    handles: names.map((username) => ({ username, source: 'codeforces', name: handleOf(username) })),
    submissions: ofEach((name, count) => submissionRows(name, count, (nth) => sent[name](nth, size))),
    statuses: ofEach((name, _, count) => statusRows(name, count, size, { states })),
    bookmarks: Array.from({ length: 300 }, (_, nth) => ({ username: 'bench', ...keyOf(1 + 20 * nth) })),
    plants: ofEach((name) => Array.from(plantRows(name, 60), (row) => ({ ...row, id: undefined }))),
  };
  const files: [string, string][] = [];
  for (const [what, some] of Object.entries(rows))
    files.push([what, await writeRows(join(folder, `${what}.ndjson`), some)]);
  return files;
}

/** The nth submission of each member in a garden of this size. */
const sent: Readonly<Record<MemberName, (nth: number, size: number) => Sent>> = {
  // One an hour, two to a problem, the later of which is accepted half of the time.
  bench: (nth, size) => ({
    problem: 1 + ((2 * Math.floor(nth / 2) * Math.floor(size / members.bench[0])) % size),
    isSolved: nth % 4 === 1,
    at: 1_700_000_000_000 + nth * 3_600_000,
  }),
  // On sixty days of each of eight years, four to a problem, the last of which is accepted three times in four.
  long: (nth, size) => {
    const place = Math.floor(nth / 4);
    const daysAgo = Math.floor(((479 - Math.floor((nth / members.long[0]) * 480)) * 365) / 60);
    return {
      problem: 1 + 2 * (place % (size / 2)),
      isSolved: nth % 4 === 3 && place % 4 !== 1,
      at: Date.now() - 3_600_000 - daysAgo * dayMs - ((members.long[0] - nth) % 600) * 1000,
    };
  },
};

async function sideOf(
  one: Checkout,
  folder: string,
  databaseUrl: string,
  files: readonly (readonly [what: string, path: string])[],
): Promise<Side> {
  for (const [what, path] of files) await garden(one, ['import', what, path], databaseUrl);
  for (const name of Object.keys(members))
    await garden(one, ['member', 'password', name], databaseUrl, `${password}\n`);
  if (one.root === root) await makeSeason(databaseUrl);
  const server = await serveGarden(one, databaseUrl);
  const cookieOf = async (name: MemberName) => {
    const { cookies } = await signIn(server.url, name, password);
    return [...cookies].map((cookie) => cookie.join('=')).join('; ');
  };
  const cookies = { bench: await cookieOf('bench'), long: await cookieOf('long') };
  return { server, cookies, change: () => change(one, folder, databaseUrl) };
}

/** Makes the first group of the garden, which the member coaches. */
async function makeSeason(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  const coach = await findMemberByName(store.reader, 'bench');
  await fillSeason(store, coach?.id ?? 0n, { people: 40, contests: 20, firstKey: 90_000 });
  await store.close();
}

/** The style sheet and the script, by the names that the list has for them. */
async function assets(side: Side | undefined): Promise<Kind[]> {
  if (!side) return [];
  const page = await (
    await fetch(`${side.server.url}/problem_list/`, { headers: { Cookie: side.cookies.bench } })
  ).text();
  return (
    [
      ['site.css', 16],
      ['site.js', 6],
    ] as const
  ).map(([name, atMost]) => {
    const [path = ''] = new RegExp(`/assets/\\w+/${name}`).exec(page) ?? [];
    return { title: name, path, ms: { atMost: 4 }, kB: { atMost }, isOwn: true };
  });
}

function contenderOf(
  { server, cookies, change }: Side,
  { path, member = 'bench', isAfterChange }: Kind,
  requests: number,
): Contender {
  const headers = { Cookie: cookies[member], 'Accept-Encoding': 'gzip' };
  const paths = Array.from({ length: isAfterChange ? 3 : requests }, () => path);
  return {
    title: server.title,
    round: () => oneByOne(server, { paths, headers, ...(isAfterChange && { before: change }) }),
  };
}
