/**
 * A client that sends a large body gets its refusal every time: a server that closes while bytes of the client are unread
 * resets the connection, and a reset may overtake the answer (RFC 9112 §9.6). Each three times, of one process; npm test faults
 * takes fifty, and two processes too.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import { importPlants, memberWithToken, serve, temporaryDatabase } from '../support/garden.ts';
import { assertRefusal, parseRaw, problems } from '../support/http.ts';

const { GARDEN_FAULT_ROUNDS: asked } = process.env;
const rounds = Number(asked ?? 3);
const body = Buffer.alloc(1_000_000, 'x');
const patienceMs = 60_000;

function sendThenRead(url: string, head: string, body: Buffer): Promise<{ text: string; error?: string }> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<{ text: string; error?: string }>();
  const socket = connect(Number(port), hostname).setEncoding('latin1').pause();
  let text = '';
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('nothing for long')));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', ({ message }) => resolve({ text, error: message }));
  socket.on('close', () => resolve({ text }));
  socket.write(head);
  socket.write(body, () => socket.resume());
  return promise;
}

test('large bodies', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importPlants(databaseUrl, 1);
  const authorization = `Authorization: Bearer ${token}`;
  const cases: [startLine: string, error: number, ...headers: string[]][] = [
    ['POST /plants/1', 40500, authorization],
    ['POST /nowhere', 40400],
    [`POST ${problems}`, 40500],
    [`PUT ${problems}7/`, 40500, authorization],
    ['DELETE /plants/1', 40006, authorization],
    ['DELETE /plants/1', 40100],
    [`DELETE ${problems}7/`, 40500, authorization],
    ['DELETE /nowhere', 40400, authorization],
    [`GET ${problems}`, 40006, authorization],
  ];
  const framings: [name: string, header: string, body: Buffer][] = [
    ['by length', `Content-Length: ${body.length}`, body],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
    ],
  ];
  for (const workers of asked === undefined ? ['1'] : ['1', '2']) {
    const server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', WORKERS: workers } });
    for (const [framing, header, bytes] of framings) {
      await t.test(`refusals of 1 MB ${framing} arrive, ${workers} at work`, async () => {
        for (const [startLine, error, ...headers] of cases) {
          const head = [`${startLine} HTTP/1.1`, 'Host: x', ...headers, header, '', ''].join('\r\n');
          const lost: string[] = [];
          for (let round = 0; round < rounds; round++) {
            const { text, error: broken } = await sendThenRead(server.url, head, bytes);
            if (!/^HTTP\/1\.1 \d{3} [\s\S]*\}$/.test(text)) lost.push(broken ?? JSON.stringify(text));
            else assertRefusal(parseRaw(text), error);
          }
          assert.deepEqual(lost, [], `${startLine}: ${lost.length} of ${rounds} refusals were lost`);
        }
      });
    }
    assert.equal(server.stderr(), '');
  }
});
