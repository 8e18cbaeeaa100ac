/** The benchmark's command line: which works, for how long, and against which peers. */
import { parseArgs } from 'node:util';
import type { RunOptions } from './run.ts';
import { targets } from './targets.ts';

export const workNames = [
  'cold',
  'item',
  'collection',
  'conditional',
  'page',
  'statuses',
  'mixed',
  'first-read',
  'delete',
  'workers',
  'postgres',
  'cold-start',
  'memory',
  'stall',
  'sync',
  'pages',
  'size',
  'import',
] as const;
export type WorkName = (typeof workNames)[number];

export interface Options extends RunOptions {
  works: readonly WorkName[];
  largeSize: number;
  isJson: boolean;
  isWriting: boolean;
}

const help = `npm run bench [-- work …] [options]

Works, all of them where none is named:
  cold         items of 200,000 in random order, and first reads of their statuses by 1,000 members
  item         one problem at a time
  collection   all 10,000 problems, plain and with gzip
  conditional  an item and the collection with their entity tags: 304
  page         a page of 100 with filters, one of them the member's own status
  statuses     a member's 2,000 statuses
  mixed        90 % items, 9 % pages, 1 % whole collections
  first-read   the collection for the first time after a change
  delete       durable deletes, by one client and by 32
  workers      one process and two
  postgres     items on PostgreSQL
  cold-start   a new process until its first answer
  stall        what others wait beside a cold read of 100,000 problems
  sync         the list beside 1,000 members whose handles are due at once
  pages        pages of the website: their time, processor time and bytes
  memory       at rest and under the mixed load
  size [n]     items of catalogues of 1,000, n/10 and n problems (n: 1,000,000)
  import       rows per second of a catalogue

Options:
  --rounds n      rounds for each target (5)
  --seconds n     length of a round in whole seconds (2)
  --targets a,b   of ${targets.map(({ name }) => name).join(', ')}
  --quick         3 rounds of a second, and a smaller large size
  --json          everything as JSON on standard output
  --write         writes the floors and aims into docs/performance.md
  --help
`;

/** Prints the help or the mistake and answers undefined; else what to do. */
export function readOptions(args: readonly string[]): Options | undefined {
  try {
    const options = parse(args);
    if (!options) process.stdout.write(help);
    return options;
  } catch (error) {
    process.stderr.write(`${(error as Error).message} See npm run bench -- --help.\n`);
    process.exitCode = 2;
    return undefined;
  }
}

function parse(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      targets: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const isQuick = values.quick;
  const sizes = positionals.filter((word) => /^\d+$/.test(word));
  const works = positionals.filter((word) => !/^\d+$/.test(word)).map((word) => oneOf(workNames, word));
  if (sizes.length > 1 || (sizes.length === 1 && !works.includes('size'))) {
    throw new Error('A number stands only once, after the work size.');
  }
  const names = targets.map(({ name }) => name);
  return {
    works: works.length === 0 ? workNames : works,
    largeSize: whole('the size', sizes[0] ?? (isQuick ? '100000' : '1000000'), 1000),
    rounds: whole('--rounds', values.rounds ?? (isQuick ? '3' : '5'), 1),
    seconds: whole('--seconds', values.seconds ?? (isQuick ? '1' : '2'), 1),
    targets: values.targets?.split(',').map((word) => oneOf(names, word)) ?? names,
    isQuick,
    isJson: values.json,
    isWriting: values.write,
  };
}

function oneOf<T extends string>(known: readonly T[], word: string): T {
  const found = known.find((name) => name === word);
  if (found !== undefined) return found;
  throw new Error(`There is no ${JSON.stringify(word)}; it is one of ${known.join(', ')}.`);
}

function whole(name: string, text: string, least: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least) return value;
  throw new Error(`${name} is ${JSON.stringify(text)}; it must be a whole number, at least ${least}.`);
}
