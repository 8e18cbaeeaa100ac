/** A database server that drops connections, restarts, freezes or changes its primary: refusals within bounded time, and healing by itself. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrateStore } from '../../src/store/open.ts';
import { postgresDatabase } from '../support/databases.ts';
import { importPlants, importProblems, memberWithToken, type Server } from '../support/garden.ts';
import { assertRefusal, client, problems, type Reply } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { listenOn } from '../support/ports.ts';
import { execute, type PostgresServer, startServer } from '../support/postgres-server.ts';
import { until } from '../support/waiting.ts';

/** Longest wait for an answer: for a connection, then for a statement, with some room for a busy machine. */
const answeredWithinMs = 30_000;
const clientCount = 8;
const plantCount = 200;

interface Ground {
  databaseUrl: string;
  garden: Pick<Server, 'stderr'>;
  ask: ReturnType<typeof client>;
}

async function makeSchema(databaseUrl: string): Promise<void> {
  // The first connection builds the caches of a database, which on a busy machine takes longer than a store waits.
  await execute(databaseUrl, 'SELECT 1');
  await migrateStore(databaseUrl, { create: true, lockTimeoutMs: 5_000 }, false);
}

async function ground(t: TestContext, databaseUrl: string): Promise<Ground> {
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importPlants(databaseUrl, 2 * plantCount);
  await importProblems(databaseUrl, [7]);
  const garden = await serveHere(t, { databaseUrl, env: { RATE_LIMIT: '0' } });
  return { databaseUrl, garden, ask: client(garden.url, token) };
}

/** Deletes the first or the second half of the plants meanwhile. */
function load({ ask }: Ground, half: 0 | 1 = 0) {
  const replies: { reply: Reply; ms: number; plant: number | undefined }[] = [];
  let isOver = false;
  let turn = 0;
  const one = async () => {
    while (!isOver) {
      const started = performance.now();
      turn += 1;
      const id = turn % 3 === 0 && turn / 3 <= plantCount ? half * plantCount + turn / 3 : undefined;
      const reply = id === undefined ? await ask(`${problems}7/`) : await ask(`/plants/${id}`, { method: 'DELETE' });
      replies.push({ reply, ms: performance.now() - started, plant: id });
      await sleep(20);
    }
  };
  const workers = Array.from({ length: clientCount }, one);
  // `stop` throws the failure of a client; a load that goes on after its test failed must not fail the next one.
  for (const worker of workers) worker.catch(() => {});
  return {
    replies,
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
      return replies;
    },
  };
}

function assertBounded({ garden }: Ground, replies: Awaited<ReturnType<ReturnType<typeof load>['stop']>>): void {
  assert.ok(replies.length > 0, 'nothing was asked');
  for (const { reply, ms } of replies) {
    assert.ok(ms < answeredWithinMs, `an answer after ${Math.round(ms)} ms`);
    if (reply.status === 503) {
      assert.match(String(reply.headers['retry-after']), /^\d+$/);
      assert.doesNotMatch(reply.text, /postgres|127\.0\.0\.1|ECONN|select|connection terminated/i);
    } else assert.ok([200, 204].includes(reply.status), reply.text + garden.stderr());
  }
}

async function heals({ ask }: Ground): Promise<void> {
  await until('it heals', async () => (await ask(`${problems}7/`)).status === 200);
}

async function goesOn({ replies }: ReturnType<typeof load>, count: number): Promise<void> {
  const from = replies.length;
  const hasDeleted = () => replies.slice(from).some(({ reply, plant }) => plant !== undefined && reply.status === 204);
  await until(`${count} more replies`, () => replies.length >= from + count && hasDeleted());
}

async function assertTold(found: Ground, replies: { reply: Reply; plant: number | undefined }[]): Promise<void> {
  const rows = await execute(found.databaseUrl, 'SELECT id FROM plants');
  const there = new Set(rows.map(({ id }) => Number(id)));
  assert.ok(
    replies.some(({ reply, plant }) => plant !== undefined && reply.status === 204),
    'no delete was confirmed',
  );
  for (const { reply, plant } of replies) {
    if (plant !== undefined && reply.status === 204) assert.ok(!there.has(plant), `plant ${plant} is back`);
  }
}

async function relay(t: TestContext, connected: (near: Socket) => void): Promise<number> {
  const server = createServer((near) => {
    near.on('error', () => {});
    connected(near);
  });
  return listenOn(t, server);
}

async function freeze(server: PostgresServer, found: Ground): Promise<void> {
  const under = load(found, 1);
  await goesOn(under, 20);
  server.signal('SIGSTOP');
  try {
    const refusals = () => under.replies.filter(({ reply }) => reply.status === 503).length;
    await until('each client has met it', () => refusals() >= clientCount);
    await until('the server knows of it', async () => (await found.ask('/readyz')).status === 503);
    const started = performance.now();
    assert.equal((await found.ask(`${problems}7/`)).status, 503);
    // It tries no statement any more, which would take six seconds by itself.
    assert.ok(performance.now() - started < 6_000);
  } catch (error) {
    await under.stop();
    throw error;
  } finally {
    server.signal('SIGCONT');
  }
  await heals(found);
  const replies = await under.stop();
  assertBounded(found, replies);
  assert.ok(replies.some(({ reply }) => reply.status === 503));
  await assertTold(found, replies);
}

describe('outages', { concurrency: 2 }, () => {
  test('connections that are cut under load cost at most single refusals', async (t) => {
    const found = await ground(t, await postgresDatabase(t));
    const under = load(found);
    for (let round = 0; round < 5; round++) {
      await goesOn(under, 50);
      const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
      await execute(found.databaseUrl, `SELECT pg_terminate_backend(pid) ${others}`);
    }
    await goesOn(under, 50);
    const replies = await under.stop();
    assertBounded(found, replies);
    const refused = replies.filter(({ reply }) => reply.status === 503);
    assert.ok(
      refused.length <= 5 * clientCount && refused.length < replies.length / 4,
      `${refused.length} of ${replies.length}`,
    );
    await assertTold(found, replies);
  });

  test('a read whose connection is cut is asked once more, a write is not', async (t) => {
    const { databaseUrl, ask } = await ground(t, await postgresDatabase(t));
    // Each is connected before, since the two requests wait for some seconds only.
    const [holder, watcher] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)];
    await Promise.all([holder.connect(), watcher.connect()]);
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE problems, plants IN ACCESS EXCLUSIVE MODE');
    const reading = ask(`${problems}7/`);
    const deleting = ask('/plants/1', { method: 'DELETE' });
    const waiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const countWaiting = async () => (await watcher.query(`SELECT pid ${waiting}`)).rowCount;
    await until('both wait', async () => (await countWaiting()) === 2);
    assert.equal((await watcher.query(`SELECT pg_terminate_backend(pid) ${waiting}`)).rowCount, 2);
    await holder.query('COMMIT');
    await Promise.all([holder.end(), watcher.end()]);
    assert.equal((await reading).status, 200);
    assertRefusal(await deleting, 50306);
    assert.equal((await ask('/plants/1', { method: 'DELETE' })).status, 204);
  });

  test('a restart under load is answered 503 with Retry-After, heals by itself and loses no confirmed delete', async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    await execute(`${server.url}/postgres`, 'CREATE DATABASE garden');
    const databaseUrl = `${server.url}/garden`;
    await makeSchema(databaseUrl);
    const found = await ground(t, databaseUrl);
    const under = load(found);
    await goesOn(under, 20);
    await server.kill();
    await until('a refusal', () => under.replies.some(({ reply }) => reply.status === 503));
    assertRefusal(await found.ask(`${problems}7/`), 50306, /cannot be used right now/);
    await server.start();
    await heals(found);
    // A request from before it healed may still be refused; each client asks again after its answer.
    await until('all are answered well', () => under.replies.slice(-20).every(({ reply }) => reply.status !== 503));
    await goesOn(under, 20);
    const replies = await under.stop();
    assertBounded(found, replies);
    assert.equal(replies.at(-1)?.reply.status === 503, false);
    await assertTold(found, replies);
    await t.test('a frozen server is answered 503 in time and is used again when it thaws', () =>
      freeze(server, found),
    );
  });

  test('behind one address, no connection to a standby or a former primary is used again', async (t) => {
    const primary = await startServer();
    t.after(() => primary.stop());
    await execute(`${primary.url}/postgres`, 'CREATE DATABASE garden');
    await primary.kill('SIGINT');
    const standby = await startServer((data) => {
      cpSync(primary.data, data, { recursive: true });
      writeFileSync(join(data, 'standby.signal'), '');
      const follows = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`;
      appendFileSync(join(data, 'postgresql.auto.conf'), follows);
    });
    t.after(() => standby.stop());
    await primary.start();
    let leader = standby.port;
    const balancer = await relay(t, (near) => {
      const far = connect(leader, '127.0.0.1');
      near.pipe(far).pipe(near);
      far.on('error', () => near.destroy());
    });
    await makeSchema(`${primary.url}/garden`);
    const { token } = await memberWithToken(`${primary.url}/garden`, 'ada');
    await importPlants(`${primary.url}/garden`, 2);
    const [at] = await execute(`${primary.url}/postgres`, 'SELECT pg_current_wal_lsn()::text AS lsn');
    const behind = `SELECT pg_last_wal_replay_lsn() >= '${at?.['lsn']}' AS is_there`;
    await until(
      'the standby has it all',
      async () => (await execute(`${standby.url}/postgres`, behind))[0]?.['is_there'] === true,
    );
    const garden = await serveHere(t, { databaseUrl: `postgres://postgres@127.0.0.1:${balancer}/garden` });
    const ask = client(garden.url, token);
    assertRefusal(await ask('/plants/1', { method: 'DELETE' }), 50302);
    leader = primary.port;
    assert.equal((await ask('/plants/1', { method: 'DELETE' })).status, 204);
    const left = async () => execute(`${standby.url}/garden`, 'SELECT id FROM plants WHERE id = 1');
    await until('the standby has it too', async () => (await left()).length === 0);
    await primary.kill();
    const refused = await ask('/plants/2', { method: 'DELETE' });
    assert.equal(refused.status, 503);
    assert.ok(refused.headers['retry-after']);
    leader = standby.port;
    await execute(`${standby.url}/postgres`, 'SELECT pg_promote()');
    await until('it is deleted', async () => (await ask('/plants/2', { method: 'DELETE' })).status === 204);
    assert.equal((await ask('/plants/1', { method: 'DELETE' })).status, 404);
  });

  for (const staysAway of [false, true]) {
    const name = staysAway ? 'a server lost' : 'a connection lost';
    test(`${name} at the very commit is answered with an unknown outcome that the client has to look up`, async (t) => {
      const databaseUrl = await postgresDatabase(t);
      const { token } = await memberWithToken(databaseUrl, 'ada');
      await importPlants(databaseUrl, 5);
      const address = new URL(databaseUrl);
      const [farPort, host] = [Number(address.port), address.hostname];
      let isArmed = false;
      let isCut = false;
      const port = await relay(t, (near) => {
        if (isCut && staysAway) {
          near.destroy();
          return;
        }
        const far = connect(farPort, host);
        near.on('data', (bytes) => {
          far.write(bytes);
          if (!isArmed || isCut || !bytes.includes('commit\0')) return;
          isCut = true;
          near.destroy();
        });
        far.pipe(near);
        near.on('close', () => far.end());
        far.on('error', () => {}).on('close', () => near.destroy());
      });
      address.host = `127.0.0.1:${port}`;
      const garden = await serveHere(t, { databaseUrl: address.href });
      const ask = client(garden.url, token);
      assert.equal((await ask('/plants/4', { method: 'DELETE' })).status, 204);
      isArmed = true;
      const lost = await ask('/plants/5', { method: 'DELETE' });
      assertRefusal(lost, 50308, /check whether the change was saved/);
      assert.ok(lost.headers['retry-after']);
      if (!staysAway) assert.equal((await ask('/plants/5', { method: 'DELETE' })).status, 404);
    });
  }
});
