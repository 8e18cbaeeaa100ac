/**
 * One round of load with large answers, as a process of its own on the load's core: wrk reads 8 KiB at a time, and with
 * megabytes it would be what is measured. Prints the same figures.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Load } from './load.ts';
import { median, percentile } from './statistics.ts';

const readAtMost = 1024 * 1024;
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

const { asked, headers, connections, port, seconds } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as Load;
const [ask] = 'asks' in asked ? asked.asks : [];
const lines = Object.entries({ ...headers, ...ask?.headers }).map(([name, value]) => `${name}: ${value}\r\n`);
const request = `GET ${ask?.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`;
const times: number[] = [];
let bytes = 0;
let errors = 0;
const begin = performance.now();
const end = begin + seconds * 1000;

await Promise.all(Array.from({ length: connections }, client));
const took = (performance.now() - begin) / 1000;
process.stdout.write(
  JSON.stringify({
    requests: times.length,
    seconds: took,
    bytes,
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
    errors,
  }),
);

/** One request after another until the time is over; the last answer is waited for and counts. */
function client(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sentAt = 0;
  let ending: Buffer = Buffer.alloc(0);
  /** Bytes still to come; unknown before the head, and negative where the body comes in chunks. */
  let left: number | undefined;
  const ask = () => {
    left = undefined;
    sentAt = performance.now();
    socket.write(request);
  };
  const take = (size: number, buffer: Uint8Array) => {
    bytes += size;
    const piece = Buffer.from(buffer.buffer, buffer.byteOffset, size);
    left = left === undefined ? bodyAfter(piece) : left < 0 ? left : left - size;
    // The last chunk may come in two pieces.
    ending = Buffer.concat([ending, piece.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    if (left > 0 || (left < 0 && !ending.equals(lastChunk))) return true;
    times.push(performance.now() - sentAt);
    if (performance.now() < end) ask();
    else socket.destroy();
    return true;
  };
  const onread = { buffer: Buffer.alloc(readAtMost), callback: take };
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
  socket.once('connect', ask);
  socket.once('error', () => {
    errors++;
    resolve();
  });
  socket.once('close', resolve);
  return promise;
}

/** What is left of the body after the piece that the head is in. */
function bodyAfter(piece: Buffer): number {
  const headEnd = piece.indexOf('\r\n\r\n') + 4;
  const head = piece.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200 ')) errors++;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return length === undefined ? -1 : Number(length) - (piece.length - headEnd);
}
