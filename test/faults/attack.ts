/** Starts hostile clients in a thread, and measures what a well-behaved client notices of them. */
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Attack, Standing } from './attackers.ts';

export interface Attackers {
  standing(): Promise<Standing>;
  stop(): Promise<unknown>;
}

export async function startAttack(attack: Attack): Promise<Attackers> {
  const worker = new Worker(new URL('./attackers.ts', import.meta.url), { workerData: attack });
  await once(worker, 'message');
  return {
    standing: async () => {
      worker.postMessage('how are you?');
      const [standing] = await once(worker, 'message');
      return standing as Standing;
    },
    stop: () => worker.terminate(),
  };
}

export interface Noticed {
  answers: number;
  failures: string[];
  times: number[];
}

export async function behaveWell(
  { port, token }: { port: number; token: string },
  targets: readonly string[],
  ms: number,
  pauseMs = 3,
): Promise<Noticed> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const noticed: Noticed = { answers: 0, failures: [], times: [] };
  const end = performance.now() + ms;
  for (let count = 0; performance.now() < end; count++) {
    const began = performance.now();
    try {
      const status = await read(agent, port, token, targets[count % targets.length] ?? '/');
      noticed.times.push(performance.now() - began);
      noticed.answers++;
      if (status !== 200) noticed.failures.push(String(status));
    } catch (error) {
      noticed.failures.push(String(error));
    }
    await sleep(pauseMs);
  }
  agent.destroy();
  noticed.times.sort((one, other) => one - other);
  return noticed;
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function read(agent: http.Agent, port: number, token: string, path: string): Promise<number> {
  const request = http.get({
    agent,
    host: '127.0.0.1',
    port,
    path,
    headers: { Authorization: `Bearer ${token}` },
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

export function requestBytes(target: string, token: string, ...headers: string[]): string {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n`;
}
