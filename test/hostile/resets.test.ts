/**
 * A client may reset its connection at any byte of a request of any kind, or of the answer. Every process goes
 * on, answers others, and logs no fault; a request that was not sent to its end is not carried out.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../support/databases.ts';
import { importRows, memberWithToken, type Server, serve, temporaryDatabase } from '../support/garden.ts';
import { problems, send } from '../support/http.ts';
import { ponds } from '../support/ponds.ts';
import { processesOf } from '../support/processes.ts';
import { connectTo } from '../support/sockets.ts';
import { until } from '../support/waiting.ts';
import { head, webSocket } from './inputs.ts';

const atATime = 48;
/** A request that is longer is reset at every byte so far, and then at one of so many. */
const everyByteUntil = 400;
const stepBeyond = 997;
const waitsMs = [0, 3];
const wholeTimes = 6;

type Kinds = Record<string, string>;

function kindsOf(authorization: string): Kinds {
  const read = (...headers: string[]) => head(`GET ${problems}7/ HTTP/1.1`, authorization, ...headers);
  const deletion = (...headers: string[]) => head('DELETE /plants/404 HTTP/1.1', authorization, ...headers);
  return {
    GET: read(),
    'GET of a collection': head(`GET ${problems} HTTP/1.1`, authorization, 'Accept-Encoding: gzip'),
    HEAD: head(`HEAD ${problems}7/ HTTP/1.1`, authorization),
    DELETE: deletion(),
    OPTIONS: head('OPTIONS /plants/1 HTTP/1.1'),
    CONNECT: head('CONNECT example.org:443 HTTP/1.1'),
    'CONNECT and bytes behind it': `${head('CONNECT example.org:443 HTTP/1.1')}${'x'.repeat(50)}`,
    'Upgrade: websocket': read(...webSocket),
    'Upgrade: h2c': read('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'),
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'Expect: 100-continue': deletion('Expect: 100-continue'),
    'Expect: 100-continue with a body': `${deletion('Expect: 100-continue', 'Content-Length: 20')}${'x'.repeat(20)}`,
    'Expect: something else': deletion('Expect: a miracle'),
    'a chunked body': `${deletion('Transfer-Encoding: chunked')}5\r\nhello\r\n0\r\nX-A: b\r\n\r\n`,
    'a body by length': `${deletion('Content-Length: 20')}${'x'.repeat(20)}`,
    'a malformed head': `${head('DELETE /plants/404 HTTP/1.1', 'X Y: z', authorization)}${deletion()}`,
    'an oversized head': deletion(`X-Pad: ${'a'.repeat(40_000)}`),
    'an oversized target': head(`GET /${'a'.repeat(20_000)} HTTP/1.1`),
    'HTTP/1.0': head(`GET ${problems}7/ HTTP/1.0`, authorization),
    'the absolute form': head(`GET http://garden.test${problems}7/ HTTP/1.1`, authorization),
    'a batch': read() + deletion() + read(),
  };
}

interface Reset {
  bytes: string;
  length: number;
  /** Resets at once, after so many milliseconds, or at the first byte of the answer. */
  when: number | 'answered';
}

async function reset(url: string, { bytes, length, when }: Reset): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connectTo(url);
  socket.on('close', () => resolve());
  socket.setTimeout(5_000, () => socket.resetAndDestroy());
  if (when === 'answered') socket.once('data', () => socket.resetAndDestroy());
  else socket.resume();
  socket.once('connect', () => {
    const wait = () => {
      if (when === 0) socket.resetAndDestroy();
      else if (when !== 'answered') setTimeout(() => socket.resetAndDestroy(), when);
    };
    if (length === 0) wait();
    else socket.write(bytes.slice(0, length), 'latin1', wait);
  });
  return promise;
}

/** Every place in the bytes that is tried; all of them together only where the whole request may be sent. */
function resetsOf(bytes: string, isSentWhole: boolean, step: number): Reset[] {
  const resets: Reset[] = [];
  for (let length = 0; length < bytes.length; length += length < everyByteUntil ? step : stepBeyond) {
    // One byte more or less makes no other part of a request, so both ways take turns.
    resets.push({ bytes, length, when: waitsMs[resets.length % waitsMs.length] ?? 0 });
  }
  if (!isSentWhole) return resets;
  const { length } = bytes;
  const whole = [...waitsMs, 'answered' as const].map((when) => ({ bytes, length, when }));
  return [...resets, ...Array.from({ length: wholeTimes }, () => whole).flat()];
}

async function sendAll(url: string, resets: readonly Reset[]): Promise<void> {
  const rest = [...resets];
  const sender = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await reset(url, next);
  };
  await Promise.all(Array.from({ length: atATime }, sender));
}

// One process is reset at every byte, two at some: their parser is the same.
for (const [workers, step] of [
  [1, 1],
  [2, 25],
] as const) {
  test(`resets at each byte or each twenty-fifth, ${workers} at work`, async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const { token } = await memberWithToken(databaseUrl, 'ada');
    await importRows(databaseUrl, 'problems', ponds(1_000));
    await importRows(databaseUrl, 'plants', [{ id: 1, username: 'ada', name: 'dp', target: 3 }]);
    const authorization = `Authorization: Bearer ${token}`;
    let server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', WORKERS: String(workers) } });
    let processes = await settled(server, workers);

    /** Another server where this one has died, so that each kind is judged by itself. */
    const assertSound = async () => {
      await sleep(50);
      const { child, url } = server;
      const said = server.stderr();
      const living = child.exitCode === null && child.signalCode === null ? livingOf(server) : [];
      const isSame = processes.every((pid) => living.includes(pid));
      if (!isSame || said !== '') {
        await server.stop();
        server = await serve(t, { databaseUrl, env: { RATE_LIMIT: '0', WORKERS: String(workers) } });
        processes = await settled(server, workers);
      }
      assert.equal(said, '');
      assert(isSame, 'a process has ended');
      for (let place = 0; place < 4; place++) {
        const headers = { Connection: 'close' };
        assert.equal((await send(url, `${problems}7/`, { token, headers })).status, 200);
      }
    };

    for (const [name, bytes] of Object.entries(kindsOf(authorization))) {
      await t.test(name, async () => {
        await sendAll(server.url, resetsOf(bytes, true, step));
        await assertSound();
      });
    }

    await t.test('a deletion that is not sent to its end is none', async () => {
      const bytes = head('DELETE /plants/1 HTTP/1.1', authorization);
      await sendAll(server.url, resetsOf(bytes, false, step));
      await assertSound();
      assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM plants')).length, 1);
    });
  });
}

async function settled(server: Server, workers: number): Promise<number[]> {
  const expected = workers === 1 ? 1 : workers + 1;
  if (process.platform === 'linux') await until('all workers', () => livingOf(server).length >= expected);
  return livingOf(server);
}

function livingOf(server: Server): number[] {
  return process.platform === 'linux' ? processesOf(server) : [server.child.pid ?? 0];
}
