/**
 * A hundred thousand hostile connections and more against one process and against two workers, with well-behaved clients
 * beside them: no process ends, no descriptor and no memory is kept, every deletion that was answered 204 is done and no
 * other plant has gone. npm run test:flood prints the figures and holds them; GARDEN_FLOOD_CONNECTIONS says how many
 * connections, GARDEN_FLOOD_SEED makes a run again.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { putUnderLoad } from '../hostile/load.ts';
import { fillerOf, fillUp, smallDisk } from '../support/disks.ts';
import {
  garden,
  importRows,
  memberWithToken,
  type Server,
  serve,
  temporaryDatabase,
  temporaryFolder,
} from '../support/garden.ts';
import { send } from '../support/http.ts';
import { figuresOf, processesOf } from '../support/processes.ts';
import { percentile, startAttack } from './attack.ts';
import type { Flood, Flooded } from './flood-thread.ts';

const connections = Number(process.env['GARDEN_FLOOD_CONNECTIONS'] ?? 100_000);
const seed = Number(process.env['GARDEN_FLOOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const atATime = 200;
/** The variants are about something else than numbers. */
const fewConnections = Math.ceil(connections / 10);
const settledWithinMs = 20_000;
const filesMoreAtMost = 10;
const memoryMoreAtMostMiB = 60;
const idleMs = 8_000;
const problems = '/problem_list/api/problems/';
const keptPlants = Array.from({ length: 50 }, (_, place) => BigInt(place + 1));
const goodClients = 4;

interface World {
  databaseUrl: string;
  flood: Flood['world'];
  /** The plants that the well-behaved clients delete. */
  plants: bigint[];
}

async function makeWorld(databaseUrl: string, plantCount: number): Promise<World> {
  const { token } = await memberWithToken(databaseUrl, 'bad');
  const { token: owner } = await memberWithToken(databaseUrl, 'good');
  const rows = Array.from({ length: 1000 }, (_, place) => ({
    id: place + 1,
    title: `Amber paths and the ${place} birches`,
    source: 'here',
    source_key: `k${place}`,
    rating: 800 + 100 * (place % 28),
  }));
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

/** Opens the connections of a flood and waits for the last of them. */
async function flood(url: string, world: World, count: number): Promise<Flooded> {
  const workerData: Flood = { port: Number(new URL(url).port), seed, count, atATime, world: world.flood };
  const thread = new Worker(new URL('./flood-thread.ts', import.meta.url), { workerData });
  const [flooded] = (await once(thread, 'message')) as [Flooded];
  return flooded;
}

/** What the well-behaved clients read, with the answers that they have to get. */
async function readingsOf(url: string, { flood: { owner } }: World) {
  const targets = [
    `${problems}7/`,
    `${problems}?limit=50`,
    `${problems}1000/`,
    `${problems}?order=-rating&limit=20`,
  ];
  return Promise.all(
    targets.map(async (target) => ({ target, text: (await send(url, target, { token: owner })).text })),
  );
}

async function plantsIn(databaseUrl: string): Promise<bigint[]> {
  const { code, stdout, stderr } = await garden(['export', 'plants', '--format', 'ndjson'], { databaseUrl });
  assert.equal(code, 0, stderr);
  return [...stdout.matchAll(/"id":(\d+)/g)].map(([, id]) => BigInt(id ?? ''));
}

/** Waits until no more files are open than this, for so long at most. */
async function settle(server: Server, filesAtMost: number): Promise<number> {
  const began = performance.now();
  while (figuresOf(server).files > filesAtMost && performance.now() - began < settledWithinMs)
    await sleep(100);
  return performance.now() - began;
}

function startedAll(server: Server, workers: number): Promise<void> {
  const expected = workers === 1 ? 1 : workers + 1;
  return until(() => processesOf(server).length >= expected);
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries++) await sleep(20);
}

interface Run {
  server: Server;
  world: World;
  workers: number;
  count: number;
  /** Whether deletions may be refused with 503 meanwhile. */
  mayRefuse?: boolean;
  /** Between two requests of a well-behaved client; without a pause they fill a log fast. */
  pauseMs?: number;
  /** What happens besides, from the first connection to the last. */
  besides?(): Promise<void>;
}

/** The flood and the well-behaved clients beside it; prints what they noticed and holds what must be. */
async function withstand(t: TestContext, run: Run): Promise<void> {
  const { server, world, workers, count, mayRefuse = false, pauseMs = 5, besides } = run;
  await startedAll(server, workers);
  const readings = await readingsOf(server.url, world);
  const { owner } = world.flood;
  const warmUp = putUnderLoad(server.url, owner, { readings, plants: [], connections: 8 });
  await sleep(3_000);
  await warmUp.stop();
  const processes = processesOf(server);
  const before = figuresOf(server);
  const most = { ...before };
  const sampling = setInterval(() => {
    if (server.child.exitCode !== null || server.child.signalCode !== null) return;
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
  // What went wrong for the well-behaved is told after the figures.
  const done = await load.stop().catch((error: Error) => error);
  clearInterval(sampling);
  const lives = server.child.exitCode === null && server.child.signalCode === null;
  const settledMs = lives ? await settle(server, before.files + filesMoreAtMost) : Number.NaN;
  const after = lives ? figuresOf(server) : { files: 0, memory: 0 };
  const shown = (counts: Record<string, number>) =>
    Object.entries(counts)
      .sort(([, one], [, other]) => other - one)
      .map(([name, times]) => `${name} ${times}`)
      .join(', ');
  t.diagnostic(
    `seed ${seed}: ${count} connections in ${seconds.toFixed(0)} s, ${flooded.unopened} not opened`,
  );
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
  assert(
    after.files <= before.files + filesMoreAtMost,
    `${after.files} files are open, ${before.files} before`,
  );
  assert(
    after.memory <= before.memory + memoryMoreAtMostMiB * workers,
    `${after.memory} MiB, ${before.memory} before`,
  );
}

/** The lines of the log that are faults. A full disk is logged as one, which is right where the disk is full. */
function faultsIn(server: Server, isDiskFull: boolean): string[] {
  const lines = server.stderr().split('\n');
  const faults = lines.filter((line) => /Unhandled|uncaught|"level":[56]0/.test(line));
  return faults.filter((line) => !(isDiskFull && /The disk under [^"]+ is full/.test(line)));
}

const plantsAtFirst = ({ plants }: World, deleted: readonly bigint[]) => plants.length + deleted.length;

/** Long enough that the largest flood does not delete all of them. */
const plantCount = 20_000;

for (const workers of [1, 2]) {
  const at = workers === 1 ? 'one process' : `${workers} workers`;
  const env = { RATE_LIMIT: '0', WORKERS: String(workers) };

  test(`${connections} hostile connections against ${at}`, async (t) => {
    const world = await makeWorld(await temporaryDatabase(t), plantCount);
    const server = await serve(t, { databaseUrl: world.databaseUrl, env });
    await withstand(t, { server, world, workers, count: connections });
  });

  test(`a small disk that is full for a while, ${at}`, async (t) => {
    const folder = await smallDisk(t, 24);
    if (folder === undefined) return;
    const world = await makeWorld(`sqlite:${join(folder, 'garden.db')}`, 5_000);
    const server = await serve(t, { databaseUrl: world.databaseUrl, env: { ...env, LOG_LEVEL: 'error' } });
    const besides = async () => {
      await sleep(1_000);
      fillUp(folder);
      await sleep(4_000);
      await rm(fillerOf(folder));
    };
    await withstand(t, { server, world, workers, count: fewConnections, mayRefuse: true, besides });
    const [id] = world.plants;
    const { owner: token } = world.flood;
    assert.equal((await send(server.url, `/plants/${id}`, { method: 'DELETE', token })).status, 204);
  });

  for (const [name, isGone] of [
    ['that nobody reads', false],
    ['whose reader is gone', true],
  ] as const) {
    test(`a log ${name}, ${at}`, async (t) => {
      const world = await makeWorld(await temporaryDatabase(t), plantCount);
      const pipe = await namedPipe(t);
      const server = await serve(t, {
        databaseUrl: world.databaseUrl,
        env: { ...env, LOG_LEVEL: 'debug' },
        stderr: pipe.write,
      });
      if (isGone) pipe.closeReader();
      await withstand(t, { server, world, workers, count: fewConnections, pauseMs: 0 });
      // A log that takes nothing must not hold up the stop either.
      const stopped = await Promise.race([server.stop(), sleep(10_000, 'not within ten seconds')]);
      assert.equal(stopped, 0);
    });
  }

  test(`4,000 idle connections where 1,024 files may be open, ${at}`, async (t) => {
    if (spawnSync('prlimit', ['--version']).error) return t.skip('prlimit is not installed');
    const world = await makeWorld(await temporaryDatabase(t), 100);
    const { databaseUrl } = world;
    const server = await serve(t, {
      databaseUrl,
      env: { ...env, LOG_LEVEL: 'info' },
      through: ['prlimit', '--nofile=1024'],
    });
    await startedAll(server, workers);
    // Workers open their databases after they were started.
    await sleep(2_000);
    const processes = processesOf(server);
    const said = /(\d[\d,]*) (?:open )?connections/.exec(server.stdout() + server.stderr());
    const before = figuresOf(server);
    const readings = await readingsOf(server.url, world);
    const { owner } = world.flood;
    const load = putUnderLoad(server.url, owner, {
      connections: goodClients,
      pauseMs: 5,
      readings,
      plants: [...world.plants],
    });
    await sleep(500);
    const port = Number(new URL(server.url).port);
    const idle = { port, connections: 4_000, bytes: '', reads: true, patienceMs: idleMs };
    const floodedAt = performance.now();
    const attackers = await startAttack(idle);
    await sleep(idleMs - (performance.now() - floodedAt));
    const { open, connected } = await attackers.standing();
    const during = figuresOf(server);
    await attackers.stop();
    const began = performance.now();
    const again = await answeredAgain(server.url, owner);
    t.diagnostic(
      `${connected} of 4000 connected and ${open} open after 8 s, ${before.files} files open before and ${during.files} then`,
    );
    t.diagnostic(`answered again ${again.toFixed(0)} ms after the flood`);
    await settle(server, before.files + filesMoreAtMost);
    const done = await load.stop();
    t.diagnostic(
      `settled ${((performance.now() - began) / 1000).toFixed(1)} s after the flood, ${figuresOf(server).files} files open`,
    );
    assert(done.count > 0);
    assert.deepEqual(processesOf(server), processes);
    assert(again < 5_000, `${again} ms`);
    assert(figuresOf(server).files <= before.files + filesMoreAtMost);
    assert.deepEqual(faultsIn(server, false), []);
    assert(said, 'the server says how many connections it takes');
    const most = Number(said[1]?.replaceAll(',', ''));
    assert(most >= 500 && most <= 1024 * workers, `it takes ${said[0]}`);
  });
}

/** Milliseconds until ten new connections, one after another, were answered 200. */
async function answeredAgain(url: string, token: string): Promise<number> {
  const began = performance.now();
  for (let answered = 0; answered < 10 && performance.now() - began < 30_000; ) {
    const asked = send(url, `${problems}7/`, { token, headers: { Connection: 'close' } });
    const reply = await Promise.race([asked.catch(() => undefined), sleep(5_000)]);
    if (reply?.status === 200) answered++;
    else await sleep(50);
  }
  return performance.now() - began;
}

/** A pipe of the system; its reader reads nothing, and goes when the test says so. */
async function namedPipe(t: TestContext): Promise<{ write: number; closeReader(): void }> {
  const path = join(await temporaryFolder(t), 'log');
  assert.equal(spawnSync('mkfifo', [path]).status, 0);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  let isOpen = true;
  const closeReader = () => {
    if (isOpen) closeSync(reader);
    isOpen = false;
  };
  t.after(() => {
    closeReader();
    closeSync(write);
  });
  return { write, closeReader };
}
