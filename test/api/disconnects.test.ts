/** The work for an answer stops once its client has gone. A client that ended its side may still read, and is waited for a while. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { disconnectSignal } from '../../src/api/context.ts';
import { listenOn } from '../support/ports.ts';

async function asked(t: test.TestContext, version = '1.1') {
  const server = createServer();
  Object.assign(server, { httpAllowHalfOpen: true });
  t.after(() => server.closeAllConnections());
  const port = await listenOn(t, server);
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => {});
  client.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`);
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return { client, request, response, departure: disconnectSignal(response) };
}

async function leaves(departure: AbortSignal): Promise<boolean> {
  const until = performance.now() + 30_000;
  while (!departure.aborted && performance.now() < until) await sleep(5);
  return departure.aborted;
}

async function textOf(client: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of client) text += chunk;
  return text;
}

test('a client that waits has not left, and is sent nothing before its answer', async (t) => {
  const { client, response, departure } = await asked(t);
  await sleep(1_100);
  assert.equal(departure.aborted, false);
  response.end('all of it');
  const [bytes] = (await once(client, 'data')) as [Buffer];
  assert.match(String(bytes), /^HTTP\/1\.1 200 OK/);
});

test('a client whose connection broke has left', async (t) => {
  const { client, departure } = await asked(t);
  client.resetAndDestroy();
  assert.equal(await leaves(departure), true);
});

test('a client that closed its connection has left', async (t) => {
  const { client, departure } = await asked(t);
  client.destroy();
  assert.equal(await leaves(departure), true);
});

for (const version of ['1.1', '1.0'])
  test(`a client of HTTP/${version} that ended its side and reads gets an answer that comes soon`, async (t) => {
    const { client, request, response, departure } = await asked(t, version);
    client.end();
    client.setEncoding('latin1');
    request.resume();
    while (!request.socket.readableEnded) await sleep(1);
    assert.equal(departure.aborted, false);
    response.end('all of it');
    response.once('finish', () => request.socket.end());
    assert.match(await textOf(client), /^HTTP\/1\.1 200 OK[\s\S]*all of it/);
  });

test('a client that ended its side is waited for until its answer begins, but not for long', async (t) => {
  const [begun, late] = await Promise.all([asked(t), asked(t)]);
  begun.response.write('the first of it');
  for (const { client } of [begun, late]) client.end();
  late.client.setEncoding('latin1');
  assert.equal(await textOf(late.client), '');
  assert.equal(await leaves(late.departure), true);
  await sleep(200);
  assert.equal(begun.departure.aborted, false);
});
