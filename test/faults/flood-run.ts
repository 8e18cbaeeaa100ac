/**
 * One run of a flood: the garden that it meets, its connections, the well-behaved clients beside it, and the assertions
 * after it. The tests are in flood.ts.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { putUnderLoad } from '../hostile/load.ts';
import { garden, importRows, memberWithToken, type Server } from '../support/garden.ts';
import { problems, send } from '../support/http.ts';
import { ponds } from '../support/ponds.ts';
import { figuresOf, processesOf } from '../support/processes.ts';
import { until } from '../support/waiting.ts';
import { percentile } from './attack.ts';
import type { Flood, Flooded } from './flood-thread.ts';

const seed = Number(process.env['GARDEN_FLOOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const atATime = 200;
const settledWithinMs = 20_000;
const warmUpShare = 0.05;
const settlingMs = 2_000;
export const filesMoreAtMost = 10;
const memoryMoreAtMostMiB = 60;
const keptPlants = Array.from({ length: 50 }, (_, place) => BigInt(place + 1));
export const goodClients = 4;

export interface World {
  databaseUrl: string;
  flood: Flood['world'];
  plants: bigint[];
}

export async function makeWorld(databaseUrl: string, plantCount: number): Promise<World> {
  const { token } = await memberWithToken(databaseUrl, 'bad');
  const { token: owner } = await memberWithToken(databaseUrl, 'good');
  const rows = ponds(1000, (place) => ({ rating: 800 + 100 * (place % 28) }));
  await importRows(databaseUrl, 'problems', rows);
  const plants = Array.from({ length: plantCount }, (_, place) => BigInt(place + 1000));
  const all = [...keptPlants, ...plants];
  await importRows(
    databaseUrl,
    'plants',
    all.map((id) => ({ id, username: 'good', name: `plant ${id}`.padEnd(150, 'x'), target: 1 })),
  );
  return { databaseUrl, flood: { token, owner, kept: keptPlants.map(String) }, plants };
}

async function flood(url: string, world: World, count: number, ofSeed = seed): Promise<Flooded> {
  const workerData: Flood = {
    port: Number(new URL(url).port),
    seed: ofSeed,
    count,
    atATime,
    world: world.flood,
  };
  const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData });
  const [flooded] = (await once(thread, 'message')) as [Flooded];
  return flooded;
}

export async function readingsOf(url: string, { flood: { owner } }: World) {
  const targets = [`${problems}7/`, `${problems}?limit=50`, `${problems}1000/`, `${problems}?order=-rating&limit=20`];
  return Promise.all(
    targets.map(async (target) => ({ target, text: (await send(url, target, { token: owner })).text })),
  );
}

async function plantsIn(databaseUrl: string): Promise<bigint[]> {
  const { code, stdout, stderr } = await garden(['export', 'plants', '--format', 'ndjson'], { databaseUrl });
  assert.equal(code, 0, stderr);
  return [...stdout.matchAll(/"id":(\d+)/g)].map(([, id]) => BigInt(id ?? ''));
}

export async function settle(server: Server, filesAtMost: number, ms = settledWithinMs): Promise<number> {
  const began = performance.now();
  while (figuresOf(server).files > filesAtMost && performance.now() - began < ms) await sleep(100);
  return performance.now() - began;
}

export function startedAll(server: Server, workers: number): Promise<void> {
  const expected = workers === 1 ? 1 : workers + 1;
  return until('all processes have started', () => processesOf(server).length >= expected);
}

function isAlive({ child }: Server): boolean {
  return child.exitCode === null && child.signalCode === null;
}

interface Run {
  server: Server;
  world: World;
  workers: number;
  count: number;
  mayRefuse?: boolean;
  /** The pause between two requests of a well-behaved client: without it they fill a log fast. */
  pauseMs?: number;
  besides?(): Promise<void>;
}

/** Prints the figures before it asserts. */
export async function withstand(t: TestContext, run: Run): Promise<void> {
  const { server, world, workers, count, mayRefuse = false, pauseMs = 5, besides } = run;
  await startedAll(server, workers);
  const readings = await readingsOf(server.url, world);
  const { owner } = world.flood;
  const warmUp = putUnderLoad(server.url, owner, { readings, plants: [], connections: 8 });
  await flood(server.url, world, Math.ceil(count * warmUpShare), seed + 1);
  await sleep(1_000);
  const failure = await warmUp.stop().then(
    () => undefined,
    (error: Error) => error.message,
  );
  assert(failure === undefined && isAlive(server), `it ended as it warmed up: ${failure} ${server.stderr()}`);
  await settle(server, 0, settlingMs);
  const processes = processesOf(server);
  const before = figuresOf(server);
  const most = { ...before };
  const sampling = setInterval(() => {
    if (!isAlive(server)) return;
    const now = figuresOf(server);
    most.files = Math.max(most.files, now.files);
    most.memory = Math.max(most.memory, now.memory);
  }, 250);
  t.after(() => clearInterval(sampling));
  const load = putUnderLoad(server.url, owner, {
    connections: goodClients,
    pauseMs,
    readings,
    plants: world.plants,
    mayRefuse,
  });
  const began = performance.now();
  const [flooded] = await Promise.all([flood(server.url, world, count), besides?.()]);
  const seconds = (performance.now() - began) / 1000;
  const done = await load.stop().catch((error: Error) => error);
  clearInterval(sampling);
  const lives = isAlive(server);
  const settledMs = lives ? await settle(server, before.files + filesMoreAtMost) : Number.NaN;
  const after = lives ? figuresOf(server) : { files: 0, memory: 0 };
  const shown = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  t.diagnostic(`seed ${seed}: ${count} connections in ${seconds.toFixed(0)} s, ${flooded.unopened} not opened`);
  t.diagnostic(`kinds: ${shown(flooded.kinds)}`);
  t.diagnostic(`first answers: ${shown(flooded.statuses)}`);
  t.diagnostic('            | before | during, at most | after');
  for (const name of ['files', 'memory'] as const) {
    const cells = [before, most, after].map((figures) => figures[name].toFixed(0));
    t.diagnostic(`${name.padEnd(11)} | ${cells[0]?.padEnd(6)} | ${cells[1]?.padEnd(15)} | ${cells[2]}`);
  }
  t.diagnostic(`settled after ${(settledMs / 1000).toFixed(1)} s; memory in MiB`);
  if (!(done instanceof Error)) {
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(done.times, share).toFixed(1));
    t.diagnostic(
      `well-behaved: ${done.count} answers, ${done.deleted.length} deletions and ${done.refused} refused, p50 ${p50} ms, p99 ${p99} ms`,
    );
  }
  assert(lives, `the server has ended: ${server.stderr()}`);
  assert.deepEqual(processesOf(server), processes, server.stderr());
  assert.deepEqual(faultsIn(server, mayRefuse), []);
  assert.deepEqual(flooded.wrong, []);
  if (done instanceof Error) throw done;
  assert(done.count > 0);
  const gone = new Set(done.deleted);
  const all = [
    ...keptPlants,
    ...Array.from({ length: plantsAtFirst(world, done.deleted) }, (_, n) => BigInt(n + 1000)),
  ];
  assert.deepEqual(
    await plantsIn(world.databaseUrl),
    all.filter((id) => !gone.has(id)),
  );
  assert(after.files <= before.files + filesMoreAtMost, `${after.files} files are open, ${before.files} before`);
  assert(after.memory <= before.memory + memoryMoreAtMostMiB * workers, `${after.memory} MiB, ${before.memory} before`);
}

/** The faults in the log; a full disk is none where the test fills the disk. */
export function faultsIn(server: Server, isDiskFull: boolean): string[] {
  const lines = server.stderr().split('\n');
  const faults = lines.filter((line) => /Unhandled|uncaught|"level":[56]0/.test(line));
  // The log writes the first of many equal faults in a second, and counts the others.
  const isExpected = (line: string) => /The disk under [^"]+ is full|"line":"fault","leftOut"/.test(line);
  return faults.filter((line) => !(isDiskFull && isExpected(line)));
}

const plantsAtFirst = ({ plants }: World, deleted: readonly bigint[]) => plants.length + deleted.length;
