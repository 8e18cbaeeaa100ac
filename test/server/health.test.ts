/** The health endpoints tell a monitor the truth, quickly, without a token, and at no cost to the database. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import release from '../../package.json' with { type: 'json' };
import { shutdownTimes } from '../../src/server/stopping.ts';
import { tamper } from '../support/databases.ts';
import { root, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { connectTo, readAll } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';

interface Health {
  status: string;
  checks: { check: string; result: string; reason?: string }[];
}

const keptMs = 1_000;

test('a server that is well says so below its base path, to everyone, and forbids caches to keep the answer', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { url } = await serveHere(t, { databaseUrl, env: { BASE_URL: 'https://example.org/garden' } });
  const bodies = {
    '/garden/livez': { status: 'alive', version: release.version },
    '/garden/readyz': {
      status: 'ready',
      checks: [
        { check: 'server', result: 'good' },
        { check: 'database', result: 'good' },
      ],
    },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const reply = await send(url, path);
    assert.deepEqual([reply.status, JSON.parse(reply.text)], [200, body]);
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['retry-after'], undefined);
    const head = await send(url, path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(reply.bytes.length)]);
    const options = await send(url, path, { method: 'OPTIONS' });
    assert.deepEqual([options.status, options.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    assertRefusal(await send(url, path, { method: 'DELETE' }), 40500);
    assertRefusal(await send(url, path.replace('/garden', '')), 40400);
  }
});

test('the health check of the image finds a server that lives below its base path, and none where there is none', async (t) => {
  const server = await serveHere(t, {
    databaseUrl: await temporaryDatabase(t),
    env: { BASE_URL: 'https://example.org/garden/' },
  });
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, command = ''] = /^HEALTHCHECK[^\n]*\\\n\s*CMD (\[.*\])$/m.exec(image) ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const check = (base: string) => {
    const env = { ...process.env, PORT: new URL(server.url).port, BASE_URL: base };
    const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
    return once(child, 'exit').then(([code]) => code);
  };
  assert.equal(await check('https://example.org/garden/'), 0);
  assert.equal(await check('https://example.org/elsewhere'), 1);
  await server.end({ ...shutdownTimes, quietMs: 0, acceptMs: 0, keepIdleMs: 0 });
  assert.equal(await check('https://example.org/garden/'), 1);
});

test('a database that fails makes it unready for as long as it does, and alive all the same', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { url } = await serveHere(t, { databaseUrl, env: { LOG_LEVEL: 'silent' } });
  const began = performance.now();
  assert.equal((await send(url, '/readyz')).status, 200);
  await tamper(databaseUrl, 'ALTER TABLE settings RENAME TO hidden');
  // A result of a moment ago still counts, so that asking often asks the database seldom.
  const soon = await send(url, '/readyz');
  assert.ok(soon.status === 200 || performance.now() - began > keptMs, soon.text);
  let reply = soon;
  await until('it is found', async () => {
    reply = await send(url, '/readyz');
    return reply.status !== 200;
  });
  assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '1']);
  assert.equal(reply.headers['cache-control'], 'no-store');
  const { status, checks } = JSON.parse(reply.text) as Health;
  assert.equal(status, 'unavailable');
  assert.deepEqual(
    checks.map(({ check, result }) => [check, result]),
    [
      ['server', 'good'],
      ['database', 'bad'],
    ],
  );
  assert.match(checks[1]?.reason ?? '', /^[A-Z][^\n]+\.$/);
  assert.doesNotMatch(reply.text, /settings|hidden|postgres|sqlite|\/tmp|@/i);
  assert.ok(!reply.text.includes(tmpdir()));
  assert.equal((await send(url, '/livez')).status, 200);
  await tamper(databaseUrl, 'ALTER TABLE hidden RENAME TO settings');
  await until('it is well again', async () => (await send(url, '/readyz')).status === 200);
});

test('a server that is stopping answers on an open connection that it is not ready, and closes it', async (t) => {
  const server = await serveHere(t, { databaseUrl: await temporaryDatabase(t) });
  const socket = connectTo(server.url).setEncoding('latin1');
  const ask = () => socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
  ask();
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 200 /);
  // It listens no longer, and would wait long for a request on a connection that is open.
  const stopped = server.end({ ...shutdownTimes, quietMs: 0, acceptMs: 0, keepIdleMs: 60_000, drainMs: 60_000 });
  ask();
  const text = await readAll(socket);
  assert.match(text, /^HTTP\/1\.1 503 /);
  assert.match(text, /^connection: close\r$/im);
  assert.match(text, /"status":"unavailable","checks":\[\{"check":"server","result":"bad"/);
  await stopped;
});
