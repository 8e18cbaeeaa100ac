/** The work for an answer looks at whether its client has gone. A client that ended its side may still read, and is asked. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { departureOf } from '../../src/api/disconnects.ts';

async function asked(t: test.TestContext, version = '1.1') {
  const server = createServer();
  Object.assign(server, { httpAllowHalfOpen: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  client.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const hasLeft = departureOf(response);
  return { client, request, response, hasLeft };
}

/** Looks until the client has left, or patience ends. */
async function leaves(hasLeft: () => boolean): Promise<boolean> {
  const until = performance.now() + 30_000;
  while (!hasLeft() && performance.now() < until) await sleep(5);
  return hasLeft();
}

test('a client that waits has not left, and is sent nothing before its answer', async (t) => {
  const { client, response, hasLeft } = await asked(t);
  assert.equal(hasLeft(), false);
  response.end('all of it');
  const [bytes] = (await once(client, 'data')) as [Buffer];
  assert.match(String(bytes), /^HTTP\/1\.1 200 OK/);
});

test('a client whose connection broke has left', async (t) => {
  const { client, hasLeft } = await asked(t);
  client.resetAndDestroy();
  assert.equal(await leaves(hasLeft), true);
});

test('a client that ended its side and closed is found out by asking', async (t) => {
  const { client, hasLeft } = await asked(t);
  client.destroy();
  assert.equal(await leaves(hasLeft), true);
});

test('a client that ended its side and reads is asked now and then, and gets its answer', async (t) => {
  const { client, request, response, hasLeft } = await asked(t);
  client.end();
  client.setEncoding('latin1');
  request.resume();
  while (!request.socket.readableEnded) await sleep(1);
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  for (const end = now + 350; now < end; now += 10) assert.equal(hasLeft(), false);
  response.end('all of it');
  response.once('finish', () => request.socket.end());
  let text = '';
  for await (const chunk of client) text += chunk;
  const [before = '', answer = ''] = text.split('HTTP/1.1 200 OK');
  assert.match(before, /^(?:HTTP\/1\.1 102 Processing\r\n\r\n){4}$/);
  assert(answer.includes('all of it'), answer);
});

test('a client of HTTP/1.0 is not asked, because it knows no 102', async (t) => {
  const { client, request, response, hasLeft } = await asked(t, '1.0');
  client.end();
  client.setEncoding('latin1');
  while (!request.socket.readableEnded) await sleep(1);
  assert.equal(hasLeft(), false);
  response.end('all of it');
  let text = '';
  for await (const chunk of client) text += chunk;
  assert.match(text, /^HTTP\/1\.1 200 OK/);
});
