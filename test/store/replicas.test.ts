/** Reads from streaming replicas: never older than what was acknowledged or seen, and going on while the primary is away. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore, type Store } from '../../src/store/open.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import { importRows, memberWithToken, type Server, serve } from '../support/garden.ts';
import { assertRefusal, type Client, client, type Reply } from '../support/http.ts';
import { freePort } from '../support/ports.ts';
import { execute, type PostgresServer } from '../support/postgres-server.ts';
import { type Cluster, caughtUp, replay, startCluster, until } from '../support/replicas.ts';

const problems = '/problem_list/api/problems/';

interface Process extends Server {
  ask: Client;
  /** A figure of this process. */
  figure(name: string): Promise<number>;
}

interface Ground extends Cluster {
  token: string;
  /** Two processes, which share nothing but the database. */
  gardens: [Process, Process];
  /** Writes a title into problem 7 and returns once that is committed. */
  write(title: string): Promise<void>;
}

async function ground(t: TestContext, options: Parameters<typeof startCluster>[1]): Promise<Ground> {
  let gardens: Process[] = [];
  // Before their database servers go: they would look for them.
  t.after(() => Promise.all(gardens.map(({ stop }) => stop())));
  const cluster = await startCluster(t, options);
  const { primary, standbys } = cluster;
  // In a cluster all are listed in both settings.
  const replicaUrls = options.sync ? [cluster.databaseUrl, ...cluster.replicaUrls] : cluster.replicaUrls;
  const { token } = await memberWithToken(cluster.databaseUrl, 'ada');
  const rows = Array.from({ length: 30 }, (_, place) => ({
    id: place + 1,
    title: '0',
    source: 'here',
    source_key: `k${place}`,
  }));
  await importRows(cluster.databaseUrl, 'problems', rows);
  const plants = [1, 2, 3].map((id) => ({ id, username: 'ada', name: `p${id}`, target: 1 }));
  await importRows(cluster.databaseUrl, 'plants', plants);
  await caughtUp(cluster);
  const hosts = [primary, ...standbys].map(({ port }) => `127.0.0.1:${port}`);
  const databaseUrl = `postgres://postgres@${hosts.join()}/garden`;
  gardens = await Promise.all(
    [1, 2].map(() => processOn(t, { databaseUrl, replicaUrls, token }, standbys.length)),
  );
  const store = await openStore(cluster.databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  t.after(() => store.close());
  return {
    ...cluster,
    token,
    gardens: gardens as [Process, Process],
    write: (title) => writeTitle(store, title),
  };
}

async function processOn(
  t: TestContext,
  { databaseUrl, replicaUrls, token }: { databaseUrl: string; replicaUrls: readonly string[]; token: string },
  count: number,
): Promise<Process> {
  const metricsPort = await freePort();
  const env = {
    RATE_LIMIT: '0',
    METRICS_PORT: String(metricsPort),
    DATABASE_REPLICA_URLS: replicaUrls.join(' , '),
  };
  const server = await serve(t, { databaseUrl, env });
  const figure = async (name: string) => {
    const { text } = await client(`http://127.0.0.1:${metricsPort}`, '')('/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? Number.NaN);
  };
  const own = { ...server, ask: client(server.url, token), figure };
  await until('all replicas are used', async () => (await figure(following)) === count);
  return own;
}

const following = 'garden_database_replicas{state="following"}';
const fromReplicas = 'garden_database_reads_total{from="replica"}';
const fromPrimary = 'garden_database_reads_total{from="primary"}';

async function writeTitle(store: Store, title: string): Promise<void> {
  await store.write(async (tx) => {
    await tx.updateTable('problems').set({ title }).where('id', '=', 7n).execute();
    await bumpRevisions(tx, ['problems']);
  });
}

function titleIn(reply: Reply): string {
  assert.equal(reply.status, 200, reply.text);
  return (JSON.parse(reply.text) as { title: string }).title;
}

/** Asks for what nobody asked for before, so that rows have to be read. */
let pages = 0;
function unread(): string {
  pages++;
  const second = String(Math.floor(pages / 900) % 60).padStart(2, '0');
  return `${problems}?limit=${100 + (pages % 900)}&updated_since=2020-01-01T00:00:${second}Z`;
}

interface Seen {
  /** The highest title that anybody had been told when the request went out. */
  atLeast: number;
  reply: Reply;
}

/** Reads problem 7 in both processes all the time; every answer is held against what had been told before. */
function readers({ gardens }: Ground, told: { title: number }) {
  const all: Seen[] = [];
  let isOver = false;
  const one = async ({ ask }: Process) => {
    while (!isOver) {
      const atLeast = told.title;
      const reply = await ask(`${problems}7/`);
      all.push({ atLeast, reply });
      if (reply.status === 200) told.title = Math.max(told.title, Number(titleIn(reply)));
      // The first of them keeps asking; the others leave it some time.
      await sleep(2);
    }
  };
  const running = [...gardens, ...gardens].map(one);
  return {
    all,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      const answered = all.filter(({ reply }) => reply.status === 200);
      const stale = answered.filter(({ atLeast, reply }) => Number(titleIn(reply)) < atLeast);
      assert.deepEqual(
        stale.map(({ atLeast, reply }) => [atLeast, titleIn(reply)]),
        [],
      );
      for (const { reply } of all) {
        if (reply.status !== 200) assertRefusal(reply, 50306);
      }
      return all;
    },
  };
}

async function set(standby: PostgresServer, setting: string): Promise<void> {
  await execute(`${standby.url}/postgres`, `ALTER SYSTEM SET ${setting}`, 'SELECT pg_reload_conf()');
}

test('beside a primary that answers', async (t) => {
  const found = await ground(t, { standbys: 2 });
  await t.test('rows are read from all replicas in turn, and none from the primary', async (sub) => {
    const { primary, standbys, databaseUrl, replicaUrls, token } = found;
    const own = await processOn(sub, { databaseUrl, replicaUrls, token }, standbys.length);
    const scans = async ({ url }: PostgresServer) => {
      const query =
        "SELECT seq_scan + coalesce(idx_scan, 0) AS scans FROM pg_stat_user_tables WHERE relname = 'problems'";
      const [row] = await execute(`${url}/garden`, query);
      return Number(row?.['scans']);
    };
    const before = await own.figure(fromPrimary);
    for (let time = 0; time < 20; time++) assert.equal((await own.ask(unread())).status, 200);
    assert.ok((await own.figure(fromReplicas)) >= 20);
    assert.equal(await own.figure(fromPrimary), before);
    // Connections write down what they did when they end.
    const onPrimary = await scans(primary);
    await own.stop();
    for (const standby of standbys)
      await until('a standby was read', async () => (await scans(standby)) >= 8);
    assert.equal(await scans(primary), onPrimary);
  });
  await t.test(
    'a lagging replica is not used: what is acknowledged shows at once in every process, and later it is used again',
    async () => {
      const { standbys, gardens, write, databaseUrl } = found;
      for (const standby of standbys) await replay('pause', standby);
      await write('1');
      for (const { ask } of gardens) assert.equal(titleIn(await ask(`${problems}7/`)), '1');
      await importRows(databaseUrl, 'problems', [
        { id: 50, title: 'new', source: 'here', source_key: 'fifty' },
      ]);
      for (const { ask } of gardens) assert.equal(titleIn(await ask(`${problems}50/`)), 'new');
      const [one, other] = gardens;
      assert.equal((await one.ask('/plants/1', { method: 'DELETE' })).status, 204);
      assert.equal((await other.ask('/plants/1', { method: 'DELETE' })).status, 404);
      // Nor is a token that was made, or revoked, known later in one process than in another.
      const { token } = await memberWithToken(databaseUrl, 'bob');
      for (const { url } of gardens) assert.equal((await client(url, token)(`${problems}7/`)).status, 200);
      await execute(
        databaseUrl,
        `BEGIN; UPDATE tokens SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE user_id = (SELECT id FROM members WHERE username = 'bob');
       UPDATE revisions SET revision = revision + 1 WHERE scope = 'credentials'; COMMIT`,
      );
      for (const { url } of gardens) assert.equal((await client(url, token)(`${problems}7/`)).status, 401);
      const reads = await one.figure(fromReplicas);
      for (const standby of standbys) await replay('resume', standby);
      await until('replicas are read again', async () => {
        assert.equal((await one.ask(unread())).status, 200);
        return (await one.figure(fromReplicas)) > reads;
      });
    },
  );
  await t.test(
    'readers in two processes beside writers, over replicas that lag: no answer is older than another before',
    async () => {
      const { standbys, write, gardens } = found;
      const [late, jumping] = standbys as [PostgresServer, PostgresServer];
      await set(late, "recovery_min_apply_delay = '30ms'");
      const told = { title: 0 };
      const reading = readers(found, told);
      for (let title = 1; title <= 120; title++) {
        if (title % 20 === 10) await replay('pause', jumping);
        if (title % 20 === 0) await replay('resume', jumping);
        await write(String(title));
        told.title = Math.max(told.title, title);
        await sleep(title % 3 === 0 ? 40 : 3);
      }
      const all = await reading.stop();
      await set(late, 'recovery_min_apply_delay = 0');
      assert.ok(all.length > 100, `${all.length} reads`);
      assert.deepEqual([...new Set(all.map(({ reply }) => reply.status))], [200]);
      assert.ok((await gardens[0].figure(fromReplicas)) > 0);
      assert.ok((await gardens[0].figure(fromPrimary)) > 0);
    },
  );
  await t.test('a replica that goes or freezes costs no read', async () => {
    const { standbys, gardens } = found;
    const [killed, frozen] = standbys as [PostgresServer, PostgresServer];
    const statuses = new Set<number>();
    let isOver = false;
    const reading = [...gardens, ...gardens].map(async ({ ask }) => {
      while (!isOver) statuses.add((await ask(unread())).status);
    });
    const leftOut = 'garden_database_replicas{state="left_out"}';
    const isLeftOut = async (count: number) => {
      for (const { figure } of gardens) {
        await until(`${count} left out`, async () => (await figure(leftOut)) === count);
      }
    };
    await killed.kill();
    await isLeftOut(1);
    frozen.signal('SIGSTOP');
    try {
      await isLeftOut(2);
      const { status, text } = await gardens[0].ask('/readyz');
      assert.equal(status, 200);
      assert.match(text, /"replicas","verdict":"warning","reason":"2 of 2 left out/);
    } finally {
      frozen.signal('SIGCONT');
    }
    await killed.start();
    await isLeftOut(0);
    isOver = true;
    await Promise.all(reading);
    assert.deepEqual([...statuses], [200]);
  });
  await t.test(
    'a commit that still waits for a standby is shown by nobody, though replicas show it',
    async () => {
      const { primary, standbys, gardens, write } = found;
      const [before] = await execute(found.databaseUrl, 'SELECT title FROM problems WHERE id = 7');
      await set(primary, "synchronous_standby_names = 'nobody'");
      const writing = write('300');
      for (const { url } of standbys) {
        await until('the standby shows it', async () => {
          const [row] = await execute(`${url}/garden`, 'SELECT title FROM problems WHERE id = 7');
          return row?.['title'] === '300';
        });
      }
      for (const { ask } of gardens) {
        for (let time = 0; time < 4; time++) {
          const reply = await ask(unread());
          assert.equal(reply.status, 200);
          assert.doesNotMatch(reply.text, /"300"/);
          assert.equal(titleIn(await ask(`${problems}7/`)), before?.['title']);
        }
      }
      await set(primary, "synchronous_standby_names = ''");
      await writing;
      for (const { ask } of gardens) assert.equal(titleIn(await ask(`${problems}7/`)), '300');
    },
  );
});

test('while the primary is down or frozen reads go on, none older; then everything does', async (t) => {
  const found = await ground(t, { standbys: 2, sync: true });
  const { primary, gardens, write, standbys } = found;
  const told = { title: 0 };
  for (const [round, how] of ['down', 'frozen'].entries()) {
    const reading = readers(found, told);
    for (let time = 1; time <= 10; time++) {
      const title = round * 10 + time;
      await write(String(title));
      told.title = title;
    }
    if (how === 'down') await primary.kill();
    else primary.signal('SIGSTOP');
    try {
      for (const { ask, figure } of gardens) {
        await until('the loss is noticed', async () => (await figure('garden_database_primary_lost')) === 1);
        for (let time = 0; time < 5; time++) assert.equal((await ask(unread())).status, 200);
        assert.equal(titleIn(await ask(`${problems}7/`)), String(told.title));
        const ready = await ask('/readyz');
        assert.equal(ready.status, 200);
        assert.match(ready.text, /"database","verdict":"warning","reason":"The primary does not answer/);
      }
      const refused = await gardens[0].ask(`/plants/${round + 1}`, { method: 'DELETE' });
      assert.equal(refused.status, 503);
      assert.equal(refused.headers['retry-after'], '1');
    } finally {
      if (how === 'down') await primary.start();
      else primary.signal('SIGCONT');
    }
    for (const { figure } of gardens) {
      await until('the primary is back', async () => (await figure('garden_database_primary_lost')) === 0);
      await until('replicas are used again', async () => (await figure(following)) === standbys.length);
    }
    const all = await reading.stop();
    assert.deepEqual([...new Set(all.map(({ reply }) => reply.status))], [200]);
    await until('deletes go on', async () => {
      const { status } = await gardens[1].ask(`/plants/${round + 1}`, { method: 'DELETE' });
      return status === 204 || status === 404;
    });
    await until('writes go on', () =>
      write(String(told.title)).then(
        () => true,
        () => false,
      ),
    );
  }
});

test('where no replica shows everything, reads are refused rather than older, until one does', async (t) => {
  const found = await ground(t, { standbys: 2 });
  const { primary, standbys, gardens, write } = found;
  const [paused] = standbys as [PostgresServer, PostgresServer];
  await replay('pause', paused);
  await write('1');
  assert.equal(titleIn(await gardens[0].ask(`${problems}7/`)), '1');
  await caughtUp({ primary, standbys: standbys.slice(1) });
  await replay('pause', standbys[1] as PostgresServer);
  await write('2');
  // What was acknowledged, but not yet read, in one of the two.
  assert.equal(titleIn(await gardens[0].ask(`${problems}7/`)), '2');
  await until('the standbys have received it', async () => {
    const [at] = await execute(`${primary.url}/postgres`, 'SELECT pg_current_wal_flush_lsn()::text AS lsn');
    const query = `SELECT pg_last_wal_receive_lsn() >= '${at?.['lsn']}' AS has_it`;
    const answers = await Promise.all(standbys.map(({ url }) => execute(`${url}/postgres`, query)));
    return answers.every(([row]) => row?.['has_it'] === true);
  });
  await primary.kill();
  for (const { ask } of gardens) {
    const refused = await ask(`${problems}7/`);
    assertRefusal(refused, 50306);
    assert.equal(refused.headers['retry-after'], '1');
  }
  assert.equal((await gardens[0].ask('/readyz')).status, 503);
  // The one that has everything now is used; the other one is still behind.
  await replay('resume', paused);
  for (const { ask } of gardens) {
    await until('reads go on', async () => (await ask(`${problems}7/`)).status === 200);
    for (let time = 0; time < 6; time++) assert.equal(titleIn(await ask(`${problems}7/`)), '2');
  }
});

test('a replica that is promoted takes the writes, and the other one is used once it follows it', async (t) => {
  const found = await ground(t, { standbys: 2, sync: true });
  const { primary, standbys, gardens, write } = found;
  const [heir, other] = standbys as [PostgresServer, PostgresServer];
  const told = { title: 1 };
  await write('1');
  await caughtUp(found);
  const reading = readers(found, told);
  await primary.kill();
  await execute(`${heir.url}/postgres`, 'SELECT pg_promote()');
  for (const { ask } of gardens) {
    await until('deletes go on', async () => (await ask('/plants/1', { method: 'DELETE' })).status !== 503);
  }
  // Before it is told of the new primary the other one is one of the old: it is asked for nothing.
  await execute(
    `${heir.url}/postgres`,
    "ALTER SYSTEM SET synchronous_standby_names = ''",
    'SELECT pg_reload_conf()',
  );
  const after = await openStore(`${heir.url}/garden`, { create: false, lockTimeoutMs: 5_000 });
  t.after(() => after.close());
  await writeTitle(after, '2');
  told.title = 2;
  for (const { ask } of gardens) assert.equal(titleIn(await ask(`${problems}7/`)), '2');
  await set(other, `primary_conninfo = 'host=127.0.0.1 port=${heir.port} user=postgres'`);
  for (const { figure } of gardens) {
    await until('the other one is used', async () => (await figure(following)) === 1);
  }
  const reads = await gardens[0].figure(fromReplicas);
  assert.equal((await gardens[0].ask(unread())).status, 200);
  assert.ok((await gardens[0].figure(fromReplicas)) > reads);
  await writeTitle(after, '3');
  told.title = 3;
  for (const { ask } of gardens) assert.equal(titleIn(await ask(`${problems}7/`)), '3');
  await reading.stop();
});
