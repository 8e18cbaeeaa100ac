/** A thread that opens the connections of a flood, so many at a time, and counts the statuses of their answers. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type FloodWorld, type Plan, planOf } from './flood-connections.ts';

export interface Flood {
  port: number;
  seed: number;
  count: number;
  atATime: number;
  world: FloodWorld;
}

export interface Flooded {
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  wrong: string[];
  unopened: number;
}

const patienceMs = 20_000;
/** How long a hostile connection waits for an answer, which its bytes may not have asked for. */
const silenceMs = 600;
const slowReadMs = 10;

if (parentPort && workerData) parentPort.postMessage(await flood(workerData as Flood));

async function flood({ port, seed, count, atATime, world }: Flood): Promise<Flooded> {
  const flooded: Flooded = { kinds: {}, statuses: {}, wrong: [], unopened: 0 };
  const add = (counts: Record<string, number>, key: string) => {
    counts[key] = (counts[key] ?? 0) + 1;
  };
  let next = 0;
  const opener = async () => {
    while (next < count) {
      const number = next++;
      const plan = planOf(seed, number, world);
      const { isOpened, status, isWhole, isFault } = await carryOut(port, number, plan);
      add(flooded.kinds, plan.kind);
      add(flooded.statuses, status);
      if (!isOpened) flooded.unopened++;
      if (isFault || (plan.kind === 'good' && !(status === '200' && isWhole)))
        flooded.wrong.push(`connection ${number} (${plan.kind}, ${plan.ending}) was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, opener));
  return flooded;
}

interface Outcome {
  isOpened: boolean;
  status: string;
  isWhole: boolean;
  isFault: boolean;
}

async function carryOut(port: number, number: number, plan: Plan): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const outcome: Outcome = { isOpened: false, status: '-', isWhole: false, isFault: false };
  // One source address has too few ports for so many connections that have just ended.
  const localAddress = `127.0.1.${1 + (number % 250)}`;
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  let leaving: NodeJS.Timeout | undefined;
  const leaveAfter = (ms: number) => {
    clearTimeout(leaving);
    leaving = setTimeout(leave, isReset ? plan.share * ms : ms);
  };
  const isReset = plan.ending.startsWith('reset');
  const leave = () => {
    if (isReset) socket.resetAndDestroy();
    else socket.destroy();
  };
  socket.on('error', () => {});
  socket.on('end', () => {
    outcome.isWhole = true;
  });
  socket.on('close', () => {
    clearTimeout(leaving);
    resolve(outcome);
  });
  socket.on('data', (bytes) => {
    if (outcome.status === '-') {
      outcome.status = bytes.toString('latin1', 9, 12);
      if (plan.kind !== 'good') leaveAfter(plan.holdMs);
    }
    if (bytes.includes('HTTP/1.1 500')) outcome.isFault = true;
    if (plan.ending === 'read slowly') {
      socket.pause();
      setTimeout(() => socket.resume(), slowReadMs);
    }
    if (plan.ending === 'reset receiving' && plan.share < 0.5) socket.resetAndDestroy();
  });
  if (plan.ending === 'never read') socket.pause();
  socket.once('connect', async () => {
    outcome.isOpened = true;
    await write(socket, plan);
    if (plan.ending === 'half') socket.end();
    if (plan.kind === 'good') socket.setTimeout(patienceMs, leave);
    else leaveAfter(plan.ending.startsWith('read') || plan.ending === 'half' ? silenceMs : plan.holdMs);
  });
  return promise;
}

async function write(socket: Socket, { bytes, packets, ending, share }: Plan): Promise<void> {
  const length = ending === 'reset sending' ? Math.floor(bytes.length * share) : bytes.length;
  if (ending === 'reset sending' && length === 0) socket.resetAndDestroy();
  const size = Math.max(1, Math.ceil(length / packets));
  for (let start = 0; start < length && socket.writable; start += size) {
    const isLast = start + size >= length;
    socket.write(bytes.slice(start, Math.min(length, start + size)), 'latin1', () => {
      if (isLast && ending === 'reset sending') socket.resetAndDestroy();
    });
    if (!isLast) await sleep(1);
  }
}
