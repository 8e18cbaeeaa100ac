/**
 * A hundred thousand hostile connections and more against one process and against two workers, with well-behaved clients
 * beside them: no process ends, no descriptor and no memory is kept, every deletion that was answered 204 is done and no
 * other plant has gone. npm test flood prints the figures and holds them; GARDEN_FLOOD_CONNECTIONS says how many
 * connections, GARDEN_FLOOD_SEED makes a run again.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { putUnderLoad } from '../hostile/load.ts';
import { fillerOf, fillUp, smallDisk } from '../support/disks.ts';
import { serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { problems, send } from '../support/http.ts';
import { figuresOf, processesOf } from '../support/processes.ts';
import { startAttack } from './attack.ts';
import {
  faultsIn,
  filesMoreAtMost,
  goodClients,
  makeWorld,
  readingsOf,
  settle,
  startedAll,
  withstand,
} from './flood-run.ts';

const connections = Number(process.env['GARDEN_FLOOD_CONNECTIONS'] ?? 100_000);
const fewConnections = Math.ceil(connections / 10);
const idleMs = 8_000;
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
    const folder = await smallDisk(t, 24 * 1024);
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
    ['that is not read', false],
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
