/** What both benchmarks need: made-up catalogues, imports and servers as child processes, medians. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const launcher = join(import.meta.dirname, '..', 'bin', 'garden');

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garden-bench-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

export const grouped = (value: number) => Math.round(value).toLocaleString('en');

/** Random numbers from 0 to `below` − 1, the same in every run (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const words = 'amber birch cedar delta ember fern grove hazel iris juniper kelp larch moss nettle oak'.split(
  ' ',
);
const topics = 'paths sums trees strings games counting geometry matching parity intervals'.split(' ');
const problemsPerContest = 6;

/** Writes a catalogue in the shape of Codeforces' problemset.problems, made up from a fixed seed. */
export async function writeCatalogue(path: string, size: number): Promise<void> {
  const random = seeded(size);
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  function* text(): Generator<string> {
    yield '{"status":"OK","result":{"problems":[';
    for (let place = 0; place < size; place++) {
      const problem = {
        ...keyAt(place),
        name: `${pick(words)} ${pick(words)} and ${pick(words)} ${random(1000)}`,
        type: 'PROGRAMMING',
        points: 500 + 250 * random(10),
        ...(random(10) > 0 && { rating: 800 + 100 * random(28) }),
        tags: [...new Set(Array.from({ length: random(5) }, () => pick(topics)))],
      };
      yield (place === 0 ? '' : ',') + JSON.stringify(problem);
    }
    yield '],"problemStatistics":[';
    for (let place = 0; place < size; place++) {
      yield (place === 0 ? '' : ',') + JSON.stringify({ ...keyAt(place), solvedCount: random(30_000) });
    }
    yield ']}}';
  }
  await pipeline(Readable.from(joined(text())), createWriteStream(path));
}

function keyAt(place: number): { contestId: number; index: string } {
  const index = String.fromCharCode(65 + (place % problemsPerContest));
  return { contestId: 1 + Math.floor(place / problemsPerContest), index };
}

/** Small texts as pieces that are worth a write. */
function* joined(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function start(args: readonly string[], databaseUrl: string): ChildProcess {
  return spawn(process.execPath, [launcher, ...args, '--database-url', databaseUrl], {
    env: { ...process.env, RATE_LIMIT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface Run {
  stdout: string;
  stderr: string;
  /** The most memory it ever had, in MiB; NaN where the system does not tell. */
  peakMiB: number;
}

/** Runs `garden …` to its end; throws where it fails. */
export async function garden(args: readonly string[], databaseUrl: string): Promise<Run> {
  const child = start(args, databaseUrl);
  const run: Run = { stdout: '', stderr: '', peakMiB: Number.NaN };
  child.stdout?.on('data', (text) => {
    run.stdout += text;
  });
  child.stderr?.on('data', (text) => {
    run.stderr += text;
  });
  // Only a living process tells its peak; the last look misses a few milliseconds at most.
  const look = setInterval(() => {
    run.peakMiB = peakOf(child.pid) ?? run.peakMiB;
  }, 10);
  const [code] = await once(child, 'close');
  clearInterval(look);
  if (code !== 0) throw new Error(`garden ${args.join(' ')} ended with ${code}: ${run.stderr}`);
  return run;
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch {
    return undefined;
  }
}

export interface Imported {
  rowsPerSecond: number;
  seconds: number;
  peakMiB: number;
}

/** Imports a catalogue, with the figures that the import itself prints. */
export async function importCatalogue(path: string, databaseUrl: string): Promise<Imported> {
  const { stderr, peakMiB } = await garden(['import', 'codeforces-problems', path], databaseUrl);
  const [, seconds, rate] = /([\d.]+) s, ([\d,]+) rows\/s/.exec(stderr) ?? [];
  if (seconds === undefined || rate === undefined) throw new Error(`the import told no rate: ${stderr}`);
  return { seconds: Number(seconds), rowsPerSecond: Number(rate.replaceAll(',', '')), peakMiB };
}

export interface Server {
  port: number;
  stop(): Promise<void>;
}

export async function serve(databaseUrl: string): Promise<Server> {
  const child = start(['serve', '--port', '0'], databaseUrl);
  let said = '';
  for await (const text of child.stdout ?? []) {
    said += text;
    const port = /^listening on .*:(\d+)$/m.exec(said)?.[1];
    if (port === undefined) continue;
    const stop = async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    };
    return { port: Number(port), stop };
  }
  throw new Error('the server ended before it listened');
}
