/** A thread of clients that behave badly on purpose: its workerData says what to do, and it reports when it does so. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Attack {
  port: number;
  connections: number;
  /** The bytes that each connection sends at once; `#` becomes its number. */
  bytes: string;
  /** Then one of these every `trickleMs`, for as long as the connection lives. */
  trickle?: string;
  trickleMs?: number;
  /** The longest to wait until all are connected or refused: a full queue of the server's leaves them without a word. */
  patienceMs?: number;
  /** Whether what the server says is read. */
  reads: boolean;
}

/** The messages of the thread: first that all are connected, and on every message from outside how they are. */
export interface Standing {
  open: number;
  /** When the last connection was closed, in milliseconds after all were opened. */
  lastClosedMs: number;
  /** How many connections got each status in their first answer. */
  told: Record<string, number>;
  connected: number;
  /** How many connections were never made. */
  failed: number;
}

if (parentPort && workerData) await attack(workerData as Attack, parentPort);

async function attack(
  { port, connections, bytes, trickle, trickleMs = 500, patienceMs = 120_000, reads }: Attack,
  outside: NonNullable<typeof parentPort>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const standing: Standing = { open: 0, lastClosedMs: 0, told: {}, connected: 0, failed: 0 };
  const began = performance.now();
  for (let number = 0; number < connections; number++) {
    // A source address for every thousand: one alone has too few ports.
    const localAddress = `127.0.0.${2 + Math.floor(number / 1000)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    sockets.add(socket);
    let hasConnected = false;
    socket.on('error', () => {});
    socket.once('close', () => {
      sockets.delete(socket);
      if (!hasConnected) standing.failed++;
      standing.lastClosedMs = performance.now() - began;
    });
    if (reads) {
      socket.once('data', (head: Buffer) => {
        const status = head.toString('latin1', 9, 12);
        standing.told[status] = (standing.told[status] ?? 0) + 1;
      });
      socket.resume();
    } else socket.pause();
    socket.once('connect', () => {
      hasConnected = true;
      standing.connected++;
      if (bytes !== '') socket.write(bytes.replaceAll('#', String(number)));
    });
    if (number % 50 === 49) await sleep(5);
  }
  const isWaiting = () => performance.now() - began < patienceMs;
  while (standing.connected + standing.failed < connections && isWaiting()) await sleep(5);
  const drip = setInterval(() => {
    if (trickle !== undefined) for (const socket of sockets) socket.write(trickle);
  }, trickleMs);
  outside.on('message', () => outside.postMessage({ ...standing, open: sockets.size }));
  outside.postMessage('ready');
  outside.once('close', () => clearInterval(drip));
}
