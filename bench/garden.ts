/** Our own program as a benchmark needs it: its verbs as child processes, with what they tell and what they cost. */
import { join } from 'node:path';
import { type Command, runToEnd } from './lifecycle.ts';
import { peakMiB } from './memory.ts';

const launcher = join(import.meta.dirname, '..', 'bin', 'garden');

/**
 * The server as its members would run it: every header, credentials, scopes and the rate limit. The limit is the
 * highest there is rather than 0, so that requests are counted.
 */
export function gardenServer(databaseUrl: string, port: number, workers: number): Command {
  const settings = {
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: 'http://localhost:8080',
    DATABASE_URL: databaseUrl,
    WORKERS: String(workers),
    RATE_LIMIT: '1000000',
    LOG_LEVEL: 'warn',
  };
  return { command: process.execPath, args: [launcher, 'serve'], env: settings };
}

export interface Run {
  stdout: string;
  stderr: string;
  /** The most memory it ever had, in MiB; NaN where the system does not tell. */
  peakMiB: number;
}

/** Runs `garden …` to its end; throws where it fails. */
export async function garden(args: readonly string[], databaseUrl: string): Promise<Run> {
  let peak = Number.NaN;
  let look: NodeJS.Timeout | undefined;
  try {
    const all = [launcher, ...args, '--database-url', databaseUrl];
    const env = { ...process.env, LOG_LEVEL: 'silent' };
    const { stdout, stderr } = await runToEnd(process.execPath, all, { env }, ({ pid }) => {
      // Only a living process tells its peak; the last look misses a few milliseconds at most.
      look = setInterval(() => {
        peak = peakMiB(pid) ?? peak;
      }, 10);
    });
    return { stdout, stderr, peakMiB: peak };
  } finally {
    clearInterval(look);
  }
}

export interface Imported {
  rowsPerSecond: number;
  seconds: number;
  peakMiB: number;
}

/** Imports a catalogue, or our own rows where the file is named so, with the figures that the import itself prints. */
export async function importCatalogue(path: string, databaseUrl: string): Promise<Imported> {
  const what = path.endsWith('.ndjson') ? 'problems' : 'codeforces-problems';
  const { stderr, peakMiB } = await garden(['import', what, path], databaseUrl);
  const [, seconds, rate] = /([\d.]+) s, ([\d,]+) rows\/s/.exec(stderr) ?? [];
  if (seconds === undefined || rate === undefined) throw new Error(`the import printed no rate: ${stderr}`);
  return { seconds: Number(seconds), rowsPerSecond: Number(rate.replaceAll(',', '')), peakMiB };
}

/** A member and a token of theirs with every scope, which does not expire while figures are taken. */
export async function makeMember(databaseUrl: string): Promise<string> {
  await garden(['member', 'create', 'bench'], databaseUrl);
  const { stdout } = await garden(['token', 'create', 'bench', '--name', 'bench', '--json'], databaseUrl);
  return (JSON.parse(stdout) as { token: string }).token;
}
