/** A server under test: started in its place, and waited for until it answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, fetchRaw } from './client.ts';
import type { Place } from './cores.ts';
import { type Command, haltIfStopping, launch, type Running } from './lifecycle.ts';

/** Python on one busy core starts slowly, but in less time than this. */
const startAtMostMs = 60_000;

export interface Server extends Running {
  port: number;
  /** From the start of the process to the end of its first good answer. */
  startMs: number;
}

export interface Start {
  port: number;
  ask: Ask;
  place?: Place;
  /** What the answer has once the server is ready. */
  status?: number;
}

/** Throws with what it printed where it ends or never gives that answer. */
export async function startServer(
  command: Command,
  { port, ask, place = 'server', status = 200 }: Start,
): Promise<Server> {
  const begin = performance.now();
  const running = await launch(command, place);
  while (!running.hasEnded() && performance.now() - begin < startAtMostMs) {
    const answer = await fetchRaw(port, ask).catch(() => undefined);
    if (answer?.status === status) return { ...running, port, startMs: performance.now() - begin };
    await sleep(3);
  }
  await running.stop();
  await haltIfStopping();
  const said = running.output().trim().split('\n').slice(-3).join(' ');
  throw new Error(`it did not start: ${said || 'it printed nothing'}`);
}
