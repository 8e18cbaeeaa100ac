/** The signal that stops the work for an answer: aborted where its client went before the answer was given, and only there. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { departing } from '../../src/api/departures.ts';

async function asked(t: test.TestContext) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const client = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => {});
  client.end();
  const [incoming, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const departure = departing({
    request: incoming,
    response,
    target: '/',
    id: '',
    operation: 'other',
    startedAt: 0,
    headers: [],
  });
  return { client, response, departure, signal: departure.signal() };
}

test('the work stops when its client leaves before the answer', async (t) => {
  const { client, signal, departure } = await asked(t);
  assert.equal(departure.hasHappened(), false);
  client.destroy();
  await once(signal, 'abort');
  assert.equal(departure.hasHappened(), true);
});

test('an answer that was given aborts nothing', async (t) => {
  const { response, departure } = await asked(t);
  response.end('all of it');
  await once(response, 'close');
  assert.equal(departure.hasHappened(), false);
});
