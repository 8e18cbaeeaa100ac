/**
 * The cost of many connections that behave badly or do nothing: memory of the server, and waits of a well-behaved client.
 * Takes three minutes and wants the machine for itself: npm test connections prints the figures and holds them.
 */
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { importRows, memberWithToken, type Server, serve, temporaryDatabase } from '../support/garden.ts';
import { problems } from '../support/http.ts';
import { memoryOf, openFilesOf } from '../support/processes.ts';
import { behaveWell, percentile, requestBytes, startAttack } from './attack.ts';
import type { Attack } from './attackers.ts';

const politeTargets = [`${problems}7/`, `${problems}?limit=50`];
const memoryAtMostMiB = 256;
const p99AtMostMs = 200;
const idleAtMostKiB = 16;

const neverRead: Record<string, { target: string; header?: string }> = {
  'whole, JSON': { target: problems },
  'whole, gzip': { target: problems, header: 'Accept-Encoding: gzip' },
  'whole, br': { target: problems, header: 'Accept-Encoding: br' },
  'whole, NDJSON': { target: problems, header: 'Accept: application/x-ndjson' },
  'whole, CSV': { target: problems, header: 'Accept: text/csv' },
  'pages of 1000': { target: `${problems}?limit=1000` },
  'one problem': { target: `${problems}7/` },
  'everyone another filter and order': { target: `${problems}?rating_max=10#000&order=-id` },
};

test('many connections', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const good = (await memberWithToken(databaseUrl, 'good')).token;
  const bad = (await memberWithToken(databaseUrl, 'bad')).token;
  const rows = Array.from({ length: 10_000 }, (_, place) => ({
    id: place + 1,
    title: `Amber paths and the ${place} birches of the northern grove`,
    source: 'here',
    source_key: `k${place}`,
    url: `https://example.org/problems/${place}`,
    rating: 800 + 100 * (place % 28),
    tags: ['dp', 'graphs', 'number theory'].slice(0, place % 4),
  }));
  await importRows(databaseUrl, 'problems', rows);
  const start = (t: TestContext) => serve(t, { databaseUrl, env: { RATE_LIMIT: '0', LOG_LEVEL: 'silent' } });

  const under = async (t: TestContext, server: Server, attack: Omit<Attack, 'port'>, ms: number) => {
    const port = Number(new URL(server.url).port);
    const attackers = await startAttack({ ...attack, port });
    const noticed = await behaveWell({ port, token: good }, politeTargets, ms);
    const peak = (memoryOf(server.child.pid)?.peak ?? Number.NaN) / 1024;
    const standing = await attackers.standing();
    await attackers.stop();
    const [p50, p99] = [0.5, 0.99].map((share) => percentile(noticed.times, share)) as [number, number];
    t.diagnostic(
      [
        `peak ${peak.toFixed(0)} MiB`,
        `well-behaved p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${noticed.times.length}`,
        `${standing.open} open, the last closed after ${(standing.lastClosedMs / 1000).toFixed(1)} s`,
        `answered ${JSON.stringify(standing.told)}`,
      ].join('; '),
    );
    assert.deepEqual(noticed.failures, []);
    assert(!(peak >= memoryAtMostMiB), `${peak} MiB`);
    assert(p99 < p99AtMostMs, `p99 ${p99} ms`);
    assert.equal(standing.failed, 0);
    return standing;
  };

  for (const [name, { target, header }] of Object.entries(neverRead)) {
    await t.test(`200 connections pipeline 500 reads each and never read: ${name}`, async (t) => {
      const bytes = requestBytes(target, bad, ...(header === undefined ? [] : [header])).repeat(500);
      await under(t, await start(t), { connections: 200, bytes, reads: false }, 12_000);
    });
  }

  await t.test('who never reads loses the connection 15 to 30 s after nothing more fits into it', async (t) => {
    const server = await start(t);
    const openFiles = () => openFilesOf(server.child.pid) ?? 0;
    const before = openFiles();
    const bytes = requestBytes(problems, bad).repeat(500);
    const port = Number(new URL(server.url).port);
    const attackers = await startAttack({ port, connections: 200, bytes, reads: false });
    t.after(attackers.stop);
    const began = performance.now();
    while (openFiles() > before + 5 && performance.now() - began < 45_000) await sleep(200);
    t.diagnostic(`all let go after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    assert(openFiles() <= before + 5, `${openFiles() - before} more files open than before`);
  });

  const head = `DELETE /plants/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bad}\r\n`;
  const slow: Record<string, { attack: Omit<Attack, 'port' | 'connections' | 'reads'>; told: string }> = {
    'a header now and then': { attack: { bytes: 'GET / HTTP/1.1\r\n', trickle: 'X-A: b\r\n' }, told: '408' },
    'a body now and then': {
      attack: { bytes: `${head}Transfer-Encoding: chunked\r\n\r\n`, trickle: '0' },
      told: '408',
    },
    nothing: { attack: { bytes: '' }, told: '' },
    'one request, then nothing': { attack: { bytes: requestBytes(`${problems}7/`, bad) }, told: '200' },
  };
  for (const [name, { attack, told }] of Object.entries(slow)) {
    await t.test(`500 connections send ${name} and are all closed within 15 s`, async (t) => {
      const standing = await under(t, await start(t), { ...attack, connections: 500, reads: true }, 18_000);
      assert.equal(standing.open, 0);
      assert.deepEqual(standing.told, told === '' ? {} : { [told]: 500 });
    });
  }

  for (const [name, bytes] of [
    ['that were only opened', ''],
    ['after a request', requestBytes(`${problems}7/`, good)],
  ] as const) {
    await t.test(`10,000 idle connections ${name} cost less than ${idleAtMostKiB} KiB each`, async (t) => {
      const server = await start(t);
      const port = Number(new URL(server.url).port);
      await behaveWell({ port, token: good }, politeTargets, 2000);
      const before = memoryOf(server.child.pid)?.now ?? Number.NaN;
      const attackers = await startAttack({ port, connections: 10_000, bytes, reads: true });
      await sleep(1500);
      const { open, failed, told } = await attackers.standing();
      const each = ((memoryOf(server.child.pid)?.now ?? Number.NaN) - before) / open;
      await attackers.stop();
      t.diagnostic(`${each.toFixed(1)} KiB each, ${open} open, answered ${JSON.stringify(told)}`);
      assert.equal(failed, 0, 'the system allows too few open files: raise ulimit -n above 10,100');
      assert(open > 9000, `${open} open`);
      assert(!(each >= idleAtMostKiB), `${each} KiB`);
    });
  }
});
