/** npm run bench: what the program costs, beside other checkouts and its peers (docs/performance.md). */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { EveningOptions } from './run.ts';

/** Loaded when they are asked for, because they load the program. */
const works: Readonly<Record<string, (options: EveningOptions) => Promise<void>>> = {
  api: async (options) => (await import('./works/api.ts')).measureApi(options),
  pages: async (options) => (await import('./works/pages.ts')).measurePages(options),
  import: async (options) => (await import('./works/import.ts')).measureImport(options),
  mark: async (options) => (await import('./works/mark.ts')).measureMark(options),
  programs: async (options) => (await import('./works/programs.ts')).measurePrograms(options),
  live: async () => (await import('./works/live.ts')).simulateLive(),
  'live-server': async (options) => (await import('./works/live-server.ts')).measureLiveServer(options),
  start: async (options) => (await import('./works/start.ts')).measureStart(options),
};

const help = `npm run bench [-- work …] [options]

Works, all but live-server if none is named:
  api      the nine operations, beside bare node:http and Fastify with better-sqlite3
  pages    pages of the website, and the list beside a plain page of Fastify
  import   problems, and a million submissions of a thousand members
  mark     one mark, durable, with its statements
  programs reads for programs beside the nine, and a mark by a program beside one by form
  live     a simulated day of live feeds, and an hour without them
  live-server  the server beside a replayed judge, in real time, while a contest starts
  start    a new process: until it listens, and its memory

Options:
  --against path  another checkout of the program to measure in turn with this one; can be repeated
  --rounds n      rounds for each (5)
  --seconds n     length of a round in whole seconds (2)
  --members n     how many members live-server has; can be repeated (30, 300, 1000, 10000)
  --minutes n     length of a run of live-server (15)
  --quick         smaller data, and 3 rounds of a second
  --help
`;

interface Asked {
  names: readonly string[];
  options: EveningOptions;
}

function parse(): Asked | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      against: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      members: { type: 'string', multiple: true, default: ['30', '300', '1000', '10000'] },
      minutes: { type: 'string', default: '15' },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { quick: isQuick, against, members, minutes } = values;
  const unknown = positionals.find((name) => !Object.hasOwn(works, name));
  if (unknown !== undefined) throw new Error(`There is no work ${unknown}.`);
  if (values.help) return undefined;
  return {
    names: positionals.length > 0 ? positionals : Object.keys(works).filter((name) => name !== 'live-server'),
    options: {
      isQuick,
      against: against.map((path) => resolve(path)),
      members: members.map((text) => whole('members', text)),
      minutes: whole('minutes', minutes),
      rounds: whole('rounds', values.rounds ?? (isQuick ? '3' : '5')),
      seconds: whole('seconds', values.seconds ?? (isQuick ? '1' : '2')),
    },
  };
}

function whole(name: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number from 1 to 99999.`);
}

async function main(): Promise<void> {
  let asked: Asked | undefined;
  try {
    asked = parse();
  } catch (error) {
    process.stderr.write(`${(error as Error).message} See npm run bench -- --help.\n`);
    process.exitCode = 2;
    return;
  }
  if (!asked) {
    process.stdout.write(help);
    return;
  }
  const { endRun, endRunOnSignals } = await import('./run.ts');
  endRunOnSignals();
  for (const name of asked.names)
    try {
      await works[name]?.(asked.options);
    } catch (error) {
      // A work that fails does not take the others with it.
      process.stderr.write(`${name}: ${(error as Error).stack}\n`);
      process.exitCode = 1;
    } finally {
      await endRun();
    }
}

await main();
