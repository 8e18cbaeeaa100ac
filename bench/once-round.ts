/**
 * One round in which every request is sent once, as a process of its own on the load's core: wrk begins again from the
 * first one, and what was asked before is what caches hold. Prints the same figures.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Load } from './load.ts';
import { median, percentile } from './statistics.ts';

const lastChunk = Buffer.from('\r\n0\r\n\r\n');

const { asked, headers, connections, port } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
const asks = 'asks' in asked ? asked.asks : [];
const requests = asks.map((ask) => {
  const lines = Object.entries({ ...headers, ...ask.headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `GET ${ask.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`;
});
const times: number[] = [];
let next = 0;
let bytes = 0;
let errors = 0;

const begin = performance.now();
await Promise.all(Array.from({ length: connections }, client));
const seconds = (performance.now() - begin) / 1000;
process.stdout.write(
  JSON.stringify({
    requests: times.length,
    seconds,
    bytes,
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
    errors: errors + requests.length - times.length,
  }),
);

/** Takes the next unsent request, until there is none. */
function client(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answer: Buffer = Buffer.alloc(0);
  let sentAt = 0;
  const ask = () => {
    const request = requests[next++];
    if (request === undefined) {
      socket.destroy();
      return;
    }
    answer = Buffer.alloc(0);
    sentAt = performance.now();
    socket.write(request);
  };
  socket.on('data', (piece) => {
    bytes += piece.length;
    answer = answer.length === 0 ? piece : Buffer.concat([answer, piece]);
    if (!isWhole(answer)) return;
    times.push(performance.now() - sentAt);
    ask();
  });
  socket.once('connect', ask);
  socket.once('error', () => errors++);
  socket.once('close', resolve);
  return promise;
}

function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf('\r\n\r\n') + 4;
  if (headEnd < 4) return false;
  const head = answer.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200 ')) errors++;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length === undefined
    ? answer.subarray(-lastChunk.length).equals(lastChunk)
    : answer.length >= headEnd + Number(length);
}
