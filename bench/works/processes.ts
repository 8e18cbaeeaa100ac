/** What one process of ours costs and what a second one brings: cold start, memory, and WORKERS=1 against WORKERS=2. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/ports.ts';
import { cores } from '../cores.ts';
import { bearer, copyDatabase } from '../data.ts';
import { gardenServer } from '../garden.ts';
import { loadRound } from '../load.ts';
import { residentMB } from '../memory.ts';
import { items, oneItem } from '../requests.ts';
import type { Result, Row, Skipped } from '../results.ts';
import { type Contender, interleave, type Run } from '../run.ts';
import { type Server, startServer } from '../server.ts';
import { progress } from '../terminal.ts';
import { memoryUnder, reads } from './reads.ts';

/** After the first answer, until nothing is left to do. */
const restMs = 2000;
/** When garbage is collected differs from start to start. */
const freshStarts = 3;

/** A new process on a database that exists, until its first answer is there. */
export async function benchColdStart(run: Run): Promise<Result> {
  const rows: Row[] = [];
  const skipped: Skipped[] = [];
  const starting = new Map(run.targets.map((target) => [target, [] as number[]]));
  for (let round = 0; round <= run.options.rounds; round++) {
    for (const [target, figures] of starting) {
      progress(`cold start ${round} of ${run.options.rounds}, ${target.title}`);
      try {
        const server = await run.fresh(target, 'identity');
        await server.stop();
        // The first one reads the program from disk.
        if (round > 0) figures.push(server.startMs);
      } catch (error) {
        starting.delete(target);
        skipped.push({ title: target.title, reason: (error as Error).message });
      }
    }
  }
  for (const [{ name, title }, figures] of starting) rows.push({ target: name, title, figures });
  const what = 'a new process on an existing database of 10,000 problems, until it has answered an item read';
  return { subject: 'cold-start', title: 'Cold start', what, unit: 'ms', rows, skipped };
}

/** Fresh servers: at rest after one answer, and the most that is seen under the mixed load. */
export async function benchMemory(run: Run): Promise<Result[]> {
  const atRest: Row[] = [];
  const loaded: Row[] = [];
  const skipped: Skipped[] = [];
  for (const target of run.targets) {
    const { name, title, lacks } = target;
    try {
      if (lacks.memory !== undefined) throw new Error(lacks.memory);
      const [resting, most]: [number[], number[]] = [[], []];
      for (let start = 1; start <= freshStarts; start++) {
        const server = await run.fresh(target, 'identity');
        progress(`memory ${start} of ${freshStarts}, ${title}`);
        await sleep(restMs);
        resting.push(residentMB(server.pid));
        most.push(await memoryUnder(run, reads.mixed, { name, title, server }));
        await server.stop();
      }
      atRest.push({ target: name, title, figures: resting });
      loaded.push({ target: name, title, figures: most });
    } catch (error) {
      skipped.push({ title, reason: (error as Error).message });
    }
  }
  const shared = { unit: 'MB', skipped } as const;
  const rest = 'resident memory of the whole process tree, two seconds after the first answer';
  const most = 'the most resident memory that was seen under the mixed load, 32 connections';
  return [
    { subject: 'memory', title: 'Memory at rest', what: rest, rows: atRest, ...shared },
    { subject: 'memory-mixed', title: 'Memory under load', what: most, rows: loaded, ...shared },
  ];
}

/**
 * Each process shares a core with the load on it: one process and one thread of the generator on one core, two and two
 * on two cores. So the ratio is that of the cores, also where there are no more than two.
 */
export async function benchWorkers(run: Run): Promise<Result> {
  const subject = { subject: 'workers', title: 'One and two processes' };
  const what = 'item reads, 32 connections a process; each process shares a core with its share of the load';
  const result: Result = {
    ...subject,
    what,
    unit: 'requests/s',
    rows: [],
    skipped: [],
    isAgainstFirst: true,
  };
  if (cores.length < 2) {
    return { ...result, skipped: [{ title: 'two processes', reason: 'there is only one core' }] };
  }
  const data = await run.data();
  const headers = bearer(data.token);
  const contenders: Contender[] = [];
  const servers: Server[] = [];
  for (const workers of [1, 2]) {
    const port = await freePort();
    const file = copyDatabase(data, data.gardenFile, `workers-${workers}`);
    const place = workers === 1 ? 'server' : 'both';
    const command = gardenServer(`sqlite:${file}`, port, workers);
    const server = await startServer(command, { port, ask: { ...oneItem, headers }, place });
    servers.push(server);
    const load = { port, headers, asked: { asks: items }, folder: data.folder, place } as const;
    contenders.push({
      name: `garden-${workers}`,
      title: `Practice Garden, WORKERS=${workers}`,
      pid: server.pid,
      round: (seconds) => loadRound({ ...load, seconds, connections: 32 * workers, threads: workers }),
    });
  }
  const { rows, failed } = await interleave(run, result.title, contenders);
  for (const server of servers) await server.stop();
  return { ...result, rows, skipped: failed };
}
