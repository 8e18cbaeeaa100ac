/**
 * Requests may share a look at the database only where their bytes arrive while the event loop polls. A socket whose bytes waited
 * for an answer hands them over later, so it no longer says that bytes arrived.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import type { Exchange } from '../../src/api/context.ts';
import { answerOneAtATime } from '../../src/server/connections.ts';
import { listenOn } from '../support/ports.ts';
import { until } from '../support/waiting.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

test('a connection says that bytes arrived until some have to wait, and never again', async (t) => {
  const server = createServer();
  const begun: Exchange[] = [];
  let polls = 0;
  answerOneAtATime(server, {
    onPoll: () => polls++,
    onBegin: (exchange) => begun.push(exchange),
    onEnd: () => {},
  });
  const port = await listenOn(t, server);
  t.after(() => server.closeAllConnections());
  const socket = connect(port, '127.0.0.1');
  const answer = async (count: number) => {
    await until(`request ${count}`, async () => begun.length === count);
    begun.at(-1)?.response.end('x');
  };
  for (const count of [1, 2]) {
    socket.write(request);
    await answer(count);
  }
  assert.equal(polls, 2);
  socket.write(request);
  await until('the third request', async () => begun.length === 3);
  const serverSide = begun[2]?.request.socket;
  socket.write(request);
  const waits = () => serverSide?.readableLength ?? 0;
  await until('bytes that wait in the socket', async () => waits() > 0);
  const atFirst = polls;
  assert.equal(atFirst, 4);
  socket.write(request.repeat(2));
  await until('more of them', async () => waits() === 3 * request.length);
  begun[2]?.response.end('x');
  for (const count of [4, 5, 6]) await answer(count);
  assert.equal(polls, atFirst);
});
