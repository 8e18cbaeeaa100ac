/** The thread of hostile clients: its workerData says what they do. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Attack {
  port: number;
  connections: number;
  bytes: string;
  trickle?: string;
  trickleMs?: number;
  /** A limit of the wait for connections, because a full queue of the server neither accepts nor refuses them. */
  patienceMs?: number;
  reads: boolean;
}

/** The thread's message once all clients are connected, and its answer to each message. */
export interface Standing {
  open: number;
  lastClosedMs: number;
  told: Record<string, number>;
  connected: number;
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
    // One source address has too few ports for all connections.
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
