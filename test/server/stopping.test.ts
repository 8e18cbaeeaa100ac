/** Stopping: every answer that is under way is finished, and no socket keeps the process alive. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shutdownTimes } from '../../src/server/stopping.ts';
import { holdPlants, rowsOf } from '../support/databases.ts';
import {
  importPlants,
  importProblems,
  memberWithToken,
  type Server,
  serve,
  temporaryDatabase,
} from '../support/garden.ts';
import { assertRefusal, problems, send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { waitedForCoreMs } from '../support/processes.ts';
import { connectTo, openSocket, readAll } from '../support/sockets.ts';

test('a server that stops', { concurrency: true }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, 1200, (place) => ({ title: String(place).padEnd(9000, 'x') }));
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const open = ({ url }: Pick<Server, 'url'>, bytes: string) => openSocket(url, bytes);

  // The limits that the contract promises are waited for in slow-clients.test.ts.
  const timeouts = { headersMs: 1_500, requestMs: 1_500, idleMs: 3_000 };
  const late = t.test('a request that does not arrive in time is 408', async (t) => {
    const server = await serveHere(t, { databaseUrl, timeouts });
    const started = performance.now();
    const deletion = request('/plants/1').replace('GET', 'DELETE').slice(0, -2);
    const halves = [
      request(problems).slice(0, 40),
      `${deletion}Content-Length: 9\r\n`,
      `${deletion}Transfer-Encoding: chunked\r\n\r\n`,
    ];
    const refusals = halves.map(async (bytes) => {
      const text = await readAll(await open(server, bytes));
      const seconds = (performance.now() - started) / 1000;
      assert(seconds > 1.4, `${seconds} s`);
      return text;
    });
    for (const text of await Promise.all(refusals)) {
      assert.match(text, /^HTTP\/1\.1 408 Request Timeout\r\nContent-Type: application\/json; charset=utf-8\r\n/);
      assert.match(text, /\{"error":40800,"message":"[^"]+"\}$/);
    }
    assert.equal(server.stderr(), '');
  });

  await t.test(
    'idle and silent connections are closed at once, half a request and a client that does not read a while later',
    async (t) => {
      assert(shutdownTimes.drainMs < 5_000, 'soon enough for a supervisor');
      // No limit of its own closes a connection of theirs.
      const patient = { headersMs: 300_000, requestMs: 300_000, idleMs: 300_000 };
      const [waiting, holding] = await Promise.all([
        serveHere(t, { databaseUrl, timeouts: patient }),
        serveHere(t, { databaseUrl, timeouts: patient }),
      ]);
      const idle = await open(waiting, request(`${problems}7/`));
      await once(idle, 'data');
      const silent = await open(waiting, '');
      const half = await open(holding, request(`${problems}7/`).slice(0, 40));
      const stuck = await open(holding, request(problems));
      await once(stuck, 'readable');
      // The client whose answer is cut off sees a reset.
      const closed = [idle, silent, half.resume(), stuck].map(
        (one) => new Promise((resolve) => one.once('close', resolve)),
      );
      const began = performance.now();
      const waitedBefore = waitedForCoreMs('self');
      const [atOnce, later] = await Promise.all([
        // Without the time in which this process, and so the server in it, waited for a core.
        waiting
          .end({ ...shutdownTimes, drainMs: 120_000 })
          .then(() => performance.now() - began - (waitedForCoreMs('self') - waitedBefore)),
        holding.end(shutdownTimes).then(() => performance.now() - began),
      ]);
      assert(atOnce < shutdownTimes.drainMs, `${atOnce} ms`);
      assert(later >= shutdownTimes.drainMs, `${later} ms`);
      stuck.resume();
      await Promise.all(closed);
    },
  );

  await t.test('a client that reads gets all of its answer', async (t) => {
    const server = await serveHere(t, { databaseUrl });
    const some = request(`${problems}?limit=1000`);
    const socket = await open(server, some.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    await once(socket, 'readable');
    // A busy machine may take longer for it than a server waits after a signal.
    const stopped = server.end({ ...shutdownTimes, drainMs: 120_000 });
    const text = await readAll(socket);
    await stopped;
    assert.equal(text.match(/"source_key":"k/g)?.length, 1000);
    assert.match(text, /\]\r\n0\r\n\r\n$/);
  });
  await t.test('a stream without a length that is cut off ends in a reset, not as if it were whole', async (t) => {
    const server = await serveHere(t, { databaseUrl });
    const socket = connectTo(server.url).setEncoding('latin1');
    let text = '';
    let broken: string | undefined;
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      broken = code;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write(request(problems).replace('HTTP/1.1', 'HTTP/1.0'));
    await once(socket, 'data');
    socket.pause();
    await server.end(shutdownTimes);
    socket.resume();
    await closed;
    assert.match(text, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(text, /\r\n(?:content-length|transfer-encoding):/i);
    assert(!text.endsWith(']'), 'it was cut off');
    // Such a body is over when the connection is (RFC 9112 §6.3), so that a clean end says that it is whole.
    assert.equal(broken, 'ECONNRESET');
  });
  await late;
});

test('a delete that waits for the lock of another process is refused before the server ends', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importPlants(databaseUrl, 3);
  const server = await serve(t, { databaseUrl });
  const release = await holdPlants(databaseUrl);
  const remove = (id: number) => send(server.url, `/plants/${id}`, { method: 'DELETE', token });
  // A request that comes while the first waits would wait for as long once more after it.
  const replies = [remove(1)];
  for (const id of [2, 3]) {
    await sleep(300);
    replies.push(remove(id));
  }
  await sleep(300);
  const stopped = server.stop();
  for (const reply of await Promise.all(replies)) assertRefusal(reply, 50301);
  assert.equal(await stopped, 0);
  await release();
  assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM plants')).length, 3);
});
