/** One run: its options, its data, the servers it started, and rounds that go to every contender in turn. */
import { rm } from 'node:fs/promises';
import { freePort } from '../test/support/ports.ts';
import { bearer, copyDatabase, type Data } from './data.ts';
import type { Round } from './load.ts';
import { watchMemory } from './memory.ts';
import { collection, oneItem } from './requests.ts';
import { loadRow, type Row, type Skipped } from './results.ts';
import { type Server, startServer } from './server.ts';
import { type Target, targets, type Variant } from './targets.ts';
import { progress } from './terminal.ts';

export interface RunOptions {
  rounds: number;
  seconds: number;
  /** Smaller sizes and fewer rounds, to see whether it works. */
  isQuick: boolean;
  /** Names of targets; ours and bare node:http are what the others are compared with. */
  targets: readonly string[];
}

export interface Run {
  options: RunOptions;
  data(): Promise<Data>;
  targets: readonly Target[];
  /** A server that stays for the works that follow. Throws where it cannot be started. */
  running(target: Target, variant: Variant): Promise<Server>;
  /** A server of its own for what changes data or counts from the start. Several processes share all cores with the load. */
  fresh(target: Target, variant: Variant, processes?: number): Promise<FreshServer>;
}

export interface FreshServer extends Server {
  /** The copy of the database that it runs on. */
  file: string;
}

const warmUpSeconds = 1;

export function newRun(options: RunOptions, prepare: () => Promise<Data>): Run {
  let data: Promise<Data> | undefined;
  let copies = 0;
  const servers = new Map<string, Promise<Server>>();
  const run: Run = {
    options,
    data: () => {
      progress('preparing the data');
      data ??= prepare();
      return data;
    },
    targets: targets.filter(({ name }) => options.targets.includes(name)),
    running: (target, variant) => {
      const key = target.name === 'bare' ? `${target.name} ${variant}` : target.name;
      const known = servers.get(key) ?? run.fresh(target, variant);
      servers.set(key, known);
      return known;
    },
    fresh: async (target, variant, processes = 1) => {
      const missing = target.missing?.();
      if (missing !== undefined) throw new Error(missing);
      progress(`starting ${target.title}`);
      const ready = await run.data();
      const port = await freePort();
      const from = target.database === 'garden' ? ready.gardenFile : ready.peersFile;
      const file = target.database ? copyDatabase(ready, from, `${target.name}-${++copies}`) : '';
      const asked = variant === 'gzip' && target.name === 'bare' ? collection : oneItem;
      const ask = { ...asked, headers: bearer(ready.token) };
      // A server that only says "not modified" never says 200; that it listens is enough.
      const server = await startServer(target.command({ data: ready, port, variant, file, processes }), {
        port,
        ask,
        status: variant === 'notModified' && target.name === 'bare' ? 304 : 200,
        place: processes === 1 ? 'server' : 'both',
      });
      const stop = async () => {
        await server.stop();
        for (const ending of file === '' ? [] : ['', '-wal', '-shm'])
          await rm(file + ending, { force: true });
      };
      return { ...server, stop, file };
    },
  };
  return run;
}

export interface Contender {
  name: string;
  title: string;
  /** Whose memory is watched. */
  pid: number;
  round(seconds: number): Promise<Round>;
}

export interface Interleaved {
  rows: Row[];
  /** The contenders that failed in a round, each with its error. */
  failed: Skipped[];
}

/** A round for each contender in turn, again and again, after one that only warms up. */
export async function interleave(
  { options }: Run,
  label: string,
  contenders: readonly Contender[],
): Promise<Interleaved> {
  const failed: Skipped[] = [];
  let sides = contenders.map((contender) => ({ contender, rounds: [] as Round[], memoryMB: 0 }));
  for (let round = 0; round <= options.rounds; round++) {
    for (const side of sides) {
      const { title, pid } = side.contender;
      progress(`${label}: ${round === 0 ? 'warming up' : `round ${round} of ${options.rounds}`}, ${title}`);
      const watched = watchMemory(pid);
      try {
        const figures = await side.contender.round(round === 0 ? warmUpSeconds : options.seconds);
        if (round > 0) side.rounds.push(figures);
      } catch (error) {
        failed.push({ title, reason: (error as Error).message });
        sides = sides.filter((other) => other !== side);
      }
      side.memoryMB = Math.max(side.memoryMB, watched());
    }
  }
  const rows = sides.map(({ contender, rounds, memoryMB }) => loadRow(contender, rounds, memoryMB));
  return { rows, failed };
}
