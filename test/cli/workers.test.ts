/** Several processes: one that dies is replaced, and all are replaced by new ones while every request is answered. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tamper } from '../support/databases.ts';
import { importProblems, memberWithToken, type Server, serve, temporaryDatabase } from '../support/garden.ts';
import { problems, send } from '../support/http.ts';
import { startLoad } from '../support/load.ts';
import { childrenOf } from '../support/processes.ts';
import { until } from '../support/waiting.ts';

/** Requests of a token in a second. */
const limit = 40;
const onLinux = { skip: process.platform === 'linux' ? false : 'looks for processes in /proc' };

const workersOf = ({ child }: Server) => childrenOf(child.pid);

async function bothListen(server: Server): Promise<void> {
  await until('two workers', () => server.stderr().match(/"msg":"listening on /g)?.length === 2);
}

describe('workers', { concurrency: 2 }, () => {
  test(
    'a worker that is killed is replaced, and one that dies at once ever more slowly, until it can live',
    onLinux,
    async (t) => {
      const databaseUrl = await temporaryDatabase(t);
      const { token } = await memberWithToken(databaseUrl, 'ada');
      const env = { WORKERS: '2', LOG_LEVEL: 'info', RATE_LIMIT: String(limit) };
      const server = await serve(t, { databaseUrl, env });
      await bothListen(server);

      await t.test('the requests of a token are counted over all workers', async (t) => {
        const ask = () => send(server.url, problems, { token, headers: { Connection: 'close' } });
        await Promise.all([ask(), ask()]);
        await sleep(1_100);
        const startedAt = performance.now();
        const told: (number | undefined)[] = [];
        for (let asked = 0; asked < 5 * limit; asked++) {
          const { status, headers } = await ask();
          assert.ok(status === 200 || status === 429, String(status));
          told.push(status === 200 ? Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]) : undefined);
        }
        const windows = Math.ceil((performance.now() - startedAt) / 1000);
        const answered = told.filter((left) => left !== undefined).length;
        // Two processes that count alone would answer twice the limit within a second.
        assert.ok(answered <= windows * limit * 1.5, `${answered} answers in ${windows} windows`);
        assert.ok(windows > 1 || answered >= limit, `${answered} answers`);
        t.diagnostic(`${answered} of ${told.length} were answered, of ${limit} a second, in ${windows} second(s)`);
      });

      const [first = 0] = workersOf(server);
      // A worker that starts now finds a database that is too new for it.
      await tamper(databaseUrl, "INSERT INTO schema_migrations VALUES (99, 'later', '2030-01-01T00:00:00.000Z')");
      process.kill(first, 'SIGKILL');
      // The one that was killed is replaced at once if it had listened for long. The others never listen, however slowly they start.
      const delays = () => [...server.stderr().matchAll(/in (\d+) ms/g)].map(([, ms]) => Number(ms));
      await until('two deaths in a row', () => delays().includes(200), { timeoutMs: 120_000 });
      const slower = delays().slice(delays()[0] === 0 ? 1 : 0);
      assert.deepEqual(
        slower,
        slower.map((_, nth) => 100 * 2 ** nth),
      );
      assert.equal((await send(server.url, '/livez', { headers: { Connection: 'close' } })).status, 200);
      await tamper(databaseUrl, 'DELETE FROM schema_migrations WHERE version = 99');
      await until('two again', () => workersOf(server).length === 2);

      await t.test('handing over ends where the new worker cannot serve, and the old ones go on', async () => {
        const listening = () => server.stderr().match(/"msg":"listening on /g)?.length ?? 0;
        await until('the new one listens', () => listening() >= 3);
        const before = workersOf(server);
        await tamper(databaseUrl, "INSERT INTO schema_migrations VALUES (99, 'later', '2030-01-01T00:00:00.000Z')");
        server.child.kill('SIGUSR2');
        await until('a sentence', () => /handing over ended: the new worker ended with code 4/.test(server.stderr()));
        assert.deepEqual(workersOf(server), before);
        assert.equal((await send(server.url, '/livez', { headers: { Connection: 'close' } })).status, 200);
      });
      assert.equal(await server.stop(), 0);
      await assert.rejects(send(server.url, '/livez'));
      assert.equal(server.stdout().match(/^listening on .*$/gm)?.length, 1);
    },
  );

  test('SIGUSR2 replaces every worker while clients ask: none is refused, no reply is lost', onLinux, async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const { token } = await memberWithToken(databaseUrl, 'ada');
    await importProblems(databaseUrl, 1);
    // A limit that is never met, so that requests are counted.
    const env = { WORKERS: '2', LOG_LEVEL: 'info', RATE_LIMIT: '1000000' };
    const server = await serve(t, { databaseUrl, env });
    await bothListen(server);
    const before = workersOf(server);
    const next = () => ({ method: 'GET', path: `${problems}1/` });
    const loads = [
      startLoad(t, server.url, token, { clients: 8, pauseMs: 50, next }),
      startLoad(t, server.url, token, { clients: 8, pauseMs: 50, isFresh: true, next }),
    ];
    const clients = loads.flatMap((load) => load.clients);
    const haveMore = (than: readonly number[]) =>
      clients.every(({ replies }, place) => replies > 10 + (than[place] ?? 0));
    await until('answers to all', () => haveMore([]));
    server.child.kill('SIGUSR2');
    await until('others in their place', () => {
      const now = workersOf(server);
      return now.length === 2 && !now.some((pid) => before.includes(pid));
    });
    const answered = clients.map(({ replies }) => replies);
    await until('answers of the new ones', () => haveMore(answered));
    for (const load of loads) await load.stop();
    assert.deepEqual(
      clients.flatMap(({ lost }) => lost),
      [],
    );

    await t.test('a worker that dies while requests are counted ends no other process', async () => {
      // A client that was connected to it does not connect again: a connection made at that moment may never be answered.
      const load = startLoad(t, server.url, token, { clients: 8, pauseMs: 20, endsWithConnection: true, next });
      await until('all of them connected', () => load.clients.every(({ replies }) => replies > 5));
      const [first = 0] = workersOf(server);
      server.child.kill('SIGSTOP');
      process.kill(first, 'SIGKILL');
      await sleep(100);
      server.child.kill('SIGCONT');
      await until('another in its place', () => {
        const now = workersOf(server);
        return now.length === 2 && !now.includes(first);
      });
      await load.stop();
      assert.equal((await send(server.url, '/livez', { headers: { Connection: 'close' } })).status, 200);
    });
    assert.equal(await server.stop(), 0);
  });
});
