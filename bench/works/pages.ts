/**
 * How long the server takes for a page, by itself: one client asks for one page after another over one kept connection, signed
 * in by a session. Beside the time stands the processor time of the server's process, all of its threads, which is steadier on
 * a busy machine.
 */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { openSession } from '../../src/auth/sessions.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import { findProblemsByIds, updateProblem } from '../../src/store/problems.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import type { Store } from '../../src/store/store.ts';
import { giveHistory } from '../../test/support/long-history.ts';
import { freePort } from '../../test/support/ports.ts';
import { fetchRaw } from '../client.ts';
import { gardenServer } from '../garden.ts';
import { temporaryFolder } from '../lifecycle.ts';
import { type PageKind, pageKinds, pagesBeside, pagesOfSizes, sessionCookie, today } from '../pages-asked.ts';
import { preparePages, username } from '../pages-data.ts';
import { processorMs } from '../processor.ts';
import type { Result, Row } from '../results.ts';
import type { Run } from '../run.ts';
import { type Server, startServer } from '../server.ts';
import { grouped, median, percentile } from '../statistics.ts';
import { nodeServer } from '../targets.ts';
import { progress } from '../terminal.ts';

const size = 30_000;
const otherSizes = [3_000, 100_000];
const requestsPerRound = 50;
const warmUps = 20;

interface Side {
  size: number;
  server: Server;
  databaseUrl: string;
  /** The same database, as another process opens it. */
  store: Store;
  headers: Record<string, string>;
}

/** One row of a table, and how each of its requests is made. */
interface Measured {
  row: Row;
  pid: number;
  ask(): Promise<{ ms: number; bytes: number }>;
  /** What comes before each request, outside of the measured time. */
  before?: (() => Promise<void>) | undefined;
}

export async function benchPages(run: Run): Promise<Result[]> {
  const folder = await temporaryFolder();
  const side = await prepare(folder, size);
  const { rounds } = run.options;
  const results = [
    await benchKinds(side, rounds),
    await benchFirstReads(side, rounds),
    await benchBeside(side, rounds),
    await benchHistories(side, rounds),
    await benchSizes(folder, side, rounds),
  ];
  await end(side);
  return results;
}

async function prepare(folder: string, problems: number): Promise<Side> {
  progress(`making a garden of ${grouped(problems)} problems`);
  const databaseUrl = `sqlite:${join(folder, `pages-${problems}.db`)}`;
  const session = await preparePages(folder, databaseUrl, problems);
  const headers = { ...sessionCookie(session), 'Accept-Encoding': 'gzip' };
  const port = await freePort();
  const ask = { path: '/problem_list/', headers };
  const server = await startServer(gardenServer(databaseUrl, port, 1), { port, ask });
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 10_000 });
  return { size: problems, server, databaseUrl, store, headers };
}

async function end({ server, store }: Side): Promise<void> {
  await store.close();
  await server.stop();
}

const result = (subject: string, title: string, what: string, rows: Row[]): Result => ({
  subject,
  title,
  what,
  unit: 'ms',
  rows,
  skipped: [],
  isWithoutRatio: true,
});

const circumstances = `${requestsPerRound} requests a round, one after another over one connection, gzip`;

async function benchKinds(side: Side, rounds: number): Promise<Result> {
  const assets = await assetKinds(side);
  const measured = [...pageKinds(side.size), ...assets].map((kind) => measuredOf(side, kind));
  await takeTurns(measured, rounds);
  const what = `pages of a garden of ${grouped(side.size)} problems for a member with 5,000 statuses and as many submissions; ${circumstances}`;
  return result(
    'pages',
    'Pages',
    what,
    measured.map(({ row }) => row),
  );
}

async function benchFirstReads(side: Side, rounds: number): Promise<Result> {
  const { store } = side;
  const changes = [
    ['a status', await statusChange(store)],
    ['the catalogue', catalogueChange(store)],
  ] as const;
  const measured = changes.flatMap(([what, before]) =>
    pageKinds(side.size)
      .filter(({ isAfterChange }) => isAfterChange)
      .map((kind) => {
        const title = `${kind.title}, after a change of ${what}`;
        return { ...measuredOf(side, { ...kind, name: `${kind.name} after ${what}`, title }), before };
      }),
  );
  await takeTurns(measured, rounds);
  const what = `the first read of a page after another process changed something: after the catalogue nothing kept is good, and after a status only searches are; ${circumstances}`;
  return result(
    'pages-first',
    'Pages, first read after a change',
    what,
    measured.map(({ row }) => row),
  );
}

async function benchBeside(side: Side, rounds: number): Promise<Result> {
  const port = await freePort();
  const file = side.databaseUrl.slice('sqlite:'.length);
  const ask = { path: '/problem_list/', headers: side.headers };
  const peer = await startServer(nodeServer('pages.ts', port, file), { port, ask });
  const measured = pagesBeside(side.size).flatMap((kind) => [
    measuredOf(side, { ...kind, title: `${kind.title}: Practice Garden` }),
    measuredOf(
      { ...side, server: peer },
      { ...kind, name: `${kind.name} plain`, title: `${kind.title}: Fastify, plain` },
    ),
  ]);
  await takeTurns(measured, rounds);
  await peer.stop();
  const what = `the list beside a Fastify page that shows the same rows by the plain query, without navigation, filters, forms or marks; no search is kept; ${circumstances}`;
  return result(
    'pages-beside',
    'The list beside a plain page',
    what,
    measured.map(({ row }) => row),
  );
}

/** Submissions of members who have as many days in the last year. */
const histories = [500, 5_000, 50_000];
const daysAYear = 60;

async function benchHistories(side: Side, rounds: number): Promise<Result> {
  const measured: Measured[] = [];
  for (const submissions of histories) {
    progress(`making a member with ${grouped(submissions)} submissions`);
    const headers = { ...side.headers, ...sessionCookie(await makeMember(side.store, submissions)) };
    const title = `Today of a member with ${grouped(submissions)} submissions`;
    const kind = { ...today, name: `today of ${submissions}`, title };
    measured.push(measuredOf({ ...side, headers }, kind));
  }
  await takeTurns(measured, rounds);
  const what = `Today of members with histories of different lengths; each has ${daysAYear} days in the last year; ${circumstances}`;
  return result(
    'pages-histories',
    'Today against history',
    what,
    measured.map(({ row }) => row),
  );
}

/** Answers the value of the member's session cookie. */
async function makeMember(store: Store, submissions: number): Promise<string> {
  const { id: memberId } = await store.write((tx) => createMember(tx, { username: `long${submissions}` }));
  const problems = await store.reader
    .selectFrom('problems')
    .select(['id', 'source_key'])
    .where('source', '=', 'codeforces')
    .orderBy('id')
    .execute();
  await giveHistory(store, { memberId, problems, submissions, daysAYear, now: Date.now() });
  const opening = { browser: 'bench', network: '127.0.0.1', device: undefined };
  return (await store.write((tx) => openSession(tx, memberId, opening))).session;
}

async function benchSizes(folder: string, side: Side, rounds: number): Promise<Result> {
  const sides = [side];
  for (const one of otherSizes) sides.push(await prepare(folder, one));
  sides.sort((one, other) => one.size - other.size);
  const measured = pagesOfSizes.flatMap((kindOf) =>
    sides.map((one) => {
      const kind = kindOf(one.size);
      const title = `${kind.title}, ${grouped(one.size)} problems`;
      return measuredOf(one, { ...kind, name: `${kind.name} of ${one.size}`, title });
    }),
  );
  await takeTurns(measured, rounds);
  for (const one of sides) if (one !== side) await end(one);
  return result(
    'pages-size',
    'Pages against size',
    `the same pages of gardens of different sizes; ${circumstances}`,
    measured.map(({ row }) => row),
  );
}

function measuredOf(side: Side, kind: PageKind): Measured {
  const { port, pid } = side.server;
  const { headers } = side;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    row: { target: kind.name, title: kind.title, figures: [] },
    pid,
    ask: async () => {
      const answer = await fetchRaw(port, { path: kind.path, headers }, agent);
      if (answer.status !== (kind.status ?? 200))
        throw new Error(`${kind.path} was answered with ${answer.status}`);
      return { ms: answer.ms, bytes: answer.body.length };
    },
    before: kind.isFirst ? () => side.store.write((tx) => bumpRevisions(tx, ['problems'])) : undefined,
  };
}

/** A round for each in turn, again and again, after one that only warms up. */
async function takeTurns(all: readonly Measured[], rounds: number): Promise<void> {
  const times = new Map(all.map((one) => [one, [] as number[]]));
  const costs = new Map(all.map((one) => [one, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const one of all) {
      progress(`${one.row.title}: ${round === 0 ? 'warming up' : `round ${round} of ${rounds}`}`);
      const count = round === 0 ? warmUps : requestsPerRound;
      const taken: number[] = [];
      let cost = 0;
      for (let nth = 0; nth < count; nth++) {
        await one.before?.();
        const begin = processorMs(one.pid);
        const { ms, bytes } = await one.ask();
        cost += processorMs(one.pid) - begin;
        taken.push(ms);
        one.row.kB = bytes / 1000;
      }
      if (round === 0) continue;
      one.row.figures.push(median(taken));
      times.get(one)?.push(...taken);
      costs.get(one)?.push(cost / count);
    }
  }
  for (const [{ row }, taken] of times) row.p99Ms = percentile(taken, 0.99);
  for (const [{ row }, taken] of costs) row.processorMs = median(taken);
}

/** The style sheet and the script, by the names that the list has for them. */
async function assetKinds({ server, headers }: Side): Promise<PageKind[]> {
  const plain = { ...headers, 'Accept-Encoding': 'identity' };
  const { body } = await fetchRaw(server.port, { path: '/problem_list/', headers: plain });
  return ['site.css', 'site.js'].map((name) => {
    const [path = ''] = new RegExp(`/assets/\\w+/${name}`).exec(body.toString()) ?? [];
    return { name, title: name, path };
  });
}

async function statusChange(store: Store): Promise<() => Promise<void>> {
  const member = await findMemberByName(store.reader, username);
  const memberId = member?.id ?? 0n;
  let nth = 0;
  return async () => {
    const status = nth++ % 2 === 0 ? 'reading' : 'practicing';
    await store.write((tx) => setStatus(tx, { memberId, problemIds: [2n], status }));
  };
}

function catalogueChange(store: Store): () => Promise<void> {
  let nth = 0;
  return () =>
    store.write(async (tx) => {
      const [before] = await findProblemsByIds(tx, [2n]);
      if (!before) throw new Error('there is no problem 2');
      await updateProblem(tx, before, { ...before, title: `Changed ${nth++}` });
      await bumpRevisions(tx, ['problems']);
    });
}
