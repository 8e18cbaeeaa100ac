/** What one process of ours costs and what a second one brings: cold start, memory, and one process against two. */
import { setTimeout as sleep } from 'node:timers/promises';
import { cores } from '../cores.ts';
import { bearer } from '../data.ts';
import { loadRound } from '../load.ts';
import { residentMB } from '../memory.ts';
import { items } from '../requests.ts';
import type { Result, Row, Skipped } from '../results.ts';
import { type Contender, interleave, type Run } from '../run.ts';
import type { Server } from '../server.ts';
import type { Target } from '../targets.ts';
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
 * on two cores. So the ratio is that of the cores, also where there are no more than two. Beside it stands what a second
 * process brings the bare server and the yardstick.
 */
export async function benchWorkers(run: Run): Promise<Result[]> {
  const measured = run.targets.filter(({ name }) => ['garden', 'bare', 'least'].includes(name));
  if (cores.length < 2) {
    const skipped = [{ title: 'two processes', reason: 'there is only one core' }];
    return measured.map((target) => workersOf(target, [], skipped));
  }
  const { token, folder } = await run.data();
  const contenders: Contender[] = [];
  const servers: Server[] = [];
  for (const target of measured) {
    for (const processes of [1, 2]) {
      const server = await run.fresh(target, 'identity', processes);
      servers.push(server);
      contenders.push({
        name: `${target.name}-${processes}`,
        title: `${target.title}, ${processes === 1 ? 'one process' : 'two processes'}`,
        pid: server.pid,
        round: (seconds) =>
          loadRound({
            port: server.port,
            headers: bearer(token),
            asked: { asks: items },
            folder,
            place: processes === 1 ? 'server' : 'both',
            connections: 32 * processes,
            threads: processes,
            seconds,
          }),
      });
    }
  }
  const { rows, failed } = await interleave(run, 'processes', contenders);
  for (const server of servers) await server.stop();
  return measured.map((target) => {
    const isOf = ({ title }: { title: string }) => title.startsWith(target.title);
    return workersOf(target, rows.filter(isOf), failed.filter(isOf));
  });
}

const workersOf = ({ name, title }: Target, rows: Row[], skipped: Skipped[]): Result => ({
  subject: `workers-${name}`,
  title: name === 'garden' ? 'One and two processes' : `One and two processes of ${title}`,
  what: 'item reads, 32 connections a process; each process shares a core with its share of the load',
  unit: 'requests/s',
  rows,
  skipped,
  isAgainstFirst: true,
});
