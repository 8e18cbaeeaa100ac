/**
 * Everything that `npm test` runs: the checks, and the tests on both stores, several processes beside each other. Each process runs
 * to its end, whatever becomes of the others. The last lines say which tests failed and why, and how many passed and failed.
 * An argument asks for a part of them, for a suite that takes long, or for test files; --help lists the names.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync, writeSync } from 'node:fs';
import { parts, suites, testing } from './suites.ts';
import { globalSetup, globalTeardown } from './support/setup.ts';

interface Part {
  name: string;
  command: readonly string[];
  /** Whether it is a run of `node --test`, which prints how many tests passed. */
  hasTests: boolean;
}

interface Ended {
  name: string;
  hasPassed: boolean;
  seconds: number;
  /** How many tests ended how, as `node --test` prints it; empty for a check. */
  counts: ReadonlyMap<string, number>;
  /** The failures that `node --test` repeats at its end. */
  failures: string;
}

/** One process each, for the files that none above it has. */
const onSqlite: Readonly<Record<string, readonly string[]>> = {
  /** In one process, so that axe looks at each kind of page once. */
  'web:looks': [
    'test/web/{looks,groups-looks,handles-looks,proofs-looks,staff-looks,uploads-looks}.test.ts',
    'test/web/{contests,groups,judge-places,progress,reminders}.test.ts',
  ],
  'web:browser': [
    'test/web/{account-looks,hostile-looks,openid-looks,print-looks}.test.ts',
    'test/web/{browser,browser-sync,confirming,dashboard,figures,navigation,public-pages,review}.test.ts',
  ],
  'web:one': ['test/web/[a-m]*.test.ts'],
  'web:two': ['test/web/[n-z]*.test.ts'],
  cli: ['test/cli/*.test.ts'],
  interface: ['test/{api,auth,fuzz,programs,sync}/*.test.ts'],
  server: ['test/{hostile,server}/*.test.ts'],
  store: ['test/store/*.test.ts'],
  faults: ['test/faults/*.test.ts'],
  rest: ['test/{client,contract,files,house,importing,judges,practice}/*.test.ts', 'test/*.test.ts'],
};
/**
 * The tests for which the database matters: SQL of their own, locks, processes and retries. What is above the store is tested on
 * SQLite alone, and test/store/pages-on-both-stores.test.ts compares all pages and forms.
 */
const onPostgres: Readonly<Record<string, readonly string[]>> = {
  interface: [
    'test/programs/{changes,history,lists,operations,practice,repeats,solutions}.test.ts',
    'test/api/{bookmarks,collections,orders,parameters,plants,problems,records,statuses,walks}.test.ts',
    'test/auth/{entry-throttle,processes}.test.ts',
    'test/sync/{awaited-contests,following,killed-jobs,killed-syncs,ratings,reminders}.test.ts',
    'test/sync/{renames,requested-contests,schedule,upcoming}.test.ts',
  ],
  rest: [
    'test/importing/{archive-rows,bad-rows,brought-problems,catalogues,contests,integers}.test.ts',
    'test/importing/{own-rows,real-data,solves,twins}.test.ts',
    'test/practice/{activity,garden,next,next-contests,progress,reviews,solutions,streak,taking-part,teams,timers}.test.ts',
    'test/store/{bulk,leases,prepared,problem-pages}.test.ts',
    'test/web/{duels,uploads-processes,uploads-turns}.test.ts',
    'test/cli/{backup,handles,member-deletion,processes,roundtrip}.test.ts',
    'test/server/health.test.ts',
    'test/faults/judge-kills.test.ts',
  ],
};
/** Tests that look at the memory or at the children of their own process, and two that give the program other words before it is loaded. */
const alone: Readonly<Record<string, string>> = {
  'sqlite:words': 'test/web/{words,layouts}.test.ts',
  'sqlite:uploads': 'test/web/uploads-hostile.test.ts',
  'sqlite:runs': 'test/web/uploads.test.ts',
  'sqlite:syncs': 'test/sync/faults.test.ts',
};
const checks = ['check:types', 'check:style', 'check:unused', 'check:openapi'];
/** What takes longest starts first, in this order, and the rest as it is named above. */
const longest = ['sqlite:web:looks', 'sqlite:web:browser', 'sqlite:interface', 'postgres:interface', 'postgres:rest'];
const startOf = (name: string) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
/** Two cores are busy with so many, because most tests wait for a moment now and then. */
const atOnce = 5;
/** A process that has not ended after this time is killed, and counts as failed: on a slow and busy machine one takes half an hour. */
const limitMs = 60 * 60_000;
/** As `node --test` names them. */
const kinds = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
/** The number of characters of the failures of a process that are repeated at the end. */
const mostRepeated = 10_000;

/** All tests of a process run in it one after another: to start the program for each file would take longer than many files do. */
const testArgs = [...testing, '--test-isolation=none'];

const abouts = Object.entries(suites).map(([name, { about }]): [string, string] => [name, about]);
const usage = `npm test [NAME | FILE …] runs all checks and tests, those that NAME stands for, or those of some files:
${[...Object.entries(parts), ...abouts].map(([name, about]) => `  ${name.padEnd(14)}${about}\n`).join('')}`;

function partsOf(asked: string | undefined): Part[] {
  const groups = Object.entries({ sqlite: onSqlite, postgres: onPostgres }).flatMap(([store, byName]) => {
    const taken = new Set(Object.values(alone).flatMap((pattern) => globSync(pattern)));
    return Object.entries(byName).map(([name, patterns]): [string, string[]] => {
      const found = new Set(patterns.flatMap((pattern) => globSync(pattern)).toSorted());
      const files = [...found].filter((path) => !taken.has(path));
      for (const path of files) taken.add(path);
      return [`${store}:${name}`, files];
    });
  });
  const apart = Object.entries(alone).map(([name, pattern]): [string, string[]] => [name, globSync(pattern)]);
  const named = new Set([...groups, ...apart].flatMap(([, files]) => files));
  const missed = globSync('test/**/*.test.ts').filter((path) => !named.has(path));
  if (missed.length > 0) throw new Error(`${missed.join(', ')} is in no process of test/run.ts`);
  const inOrder = [...groups, ...apart].toSorted(([one], [other]) => startOf(one) - startOf(other));
  const parts = inOrder.map(([name, files]) => {
    const wanted = asked === 'real' ? files.filter(needsRealData) : files;
    return { name, command: [process.execPath, ...testArgs, ...wanted], hasTests: true, size: wanted.length };
  });
  const isAsked = (name: string) =>
    asked === undefined || ['tests', 'real'].includes(asked) || name.startsWith(`${asked}:`);
  const tests = parts.filter(({ name, size }) => size > 0 && isAsked(name));
  if (asked !== undefined) return tests;
  const names = checks.map((name) => ({ name, command: ['npm', 'run', '--silent', name], hasTests: false }));
  // The types take long, and what is short is left for the end.
  return [...names, ...tests];
}

const needsRealData = (path: string) => readFileSync(path, 'utf8').includes('needsData');

function print(chunk: string | Uint8Array): void {
  let rest = Buffer.from(chunk);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}

const stopping = new AbortController();

/** Runs a part to its end, and prints then what it printed. */
async function run({ name, command: [program = '', ...args], hasTests }: Part): Promise<Ended> {
  const startedAt = performance.now();
  const store = name.split(':', 1)[0] === 'postgres' ? 'postgres' : 'sqlite';
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TEST_STORE: store },
    timeout: limitMs,
    signal: stopping.signal,
  });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<number | null>();
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('error', (error) => chunks.push(Buffer.from(`${name}: ${error.message}\n`)));
  child.on('close', resolve);
  const code = await promise;
  const text = Buffer.concat(chunks).toString();
  print(text);
  const counts = new Map<string, number>();
  for (const kind of hasTests ? kinds : []) {
    const found = [...text.matchAll(new RegExp(`^(?:ℹ|#) ${kind} (\\d+)$`, 'gm'))].at(-1)?.[1];
    if (found !== undefined) counts.set(kind, Number(found));
  }
  const hasPassed = code === 0 && (!hasTests || (counts.get('pass') ?? 0) > 0);
  const failures = text.split('\n✖ failing tests:\n')[1]?.slice(0, mostRepeated) ?? '';
  return { name, hasPassed, seconds: (performance.now() - startedAt) / 1000, counts, failures };
}

/** Runs Node with these arguments in the same terminal, and answers how it ended. */
async function runAlone(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  // A terminal sends SIGINT to both.
  process.on('SIGINT', () => {}).on('SIGTERM', () => child.kill());
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.on('close', resolve);
  return (await promise) ?? 1;
}

const isTest = (argument: string) => argument.endsWith('.ts');

async function runNamed(name: string, rest: readonly string[]): Promise<number> {
  const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (suite) return runAlone([...suite.args, ...rest], suite.env);
  const [files, options] = [[name, ...rest].filter(isTest), rest.filter((argument) => !isTest(argument))];
  if (isTest(name)) return runAlone([...testArgs, ...options, ...files]);
  const isHelp = name === '--help';
  process[isHelp ? 'stdout' : 'stderr'].write(isHelp ? usage : `There is no ${name}.\n${usage}`);
  return isHelp ? 0 : 2;
}

const [name, ...rest] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(parts, name)) process.exit(await runNamed(name, rest));

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
await globalSetup();
const waiting = partsOf(name);
const ended: Ended[] = [];
const queue = async () => {
  for (let part = waiting.shift(); part && !stopping.signal.aborted; part = waiting.shift())
    ended.push(await run(part));
};
await Promise.all(Array.from({ length: atOnce }, queue));
await globalTeardown();

const total = new Map(kinds.map((kind) => [kind, 0]));
for (const { name, failures } of ended) if (failures !== '') print(`\nWhat failed in ${name}:\n${failures}`);
print('\n');
for (const { name, hasPassed, seconds, counts } of ended) {
  for (const [kind, count] of counts) total.set(kind, (total.get(kind) ?? 0) + count);
  const shown = [...counts].filter(([kind, count]) => ['pass', 'fail'].includes(kind) || count > 0);
  const line = [name.padEnd(18), hasPassed ? 'passed' : 'FAILED', `${seconds.toFixed(0).padStart(5)} s`];
  print(`${[...line, shown.map(([kind, count]) => `${kind} ${count}`).join(', ')].join('  ').trimEnd()}\n`);
}
const failed = ended.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name);
print(failed.length === 0 ? '\nEverything passed.\n' : `\nFailed: ${failed.join(', ')}.\n`);
const [passedTests = 0, ...failedTests] = ['pass', 'fail', 'cancelled'].map((kind) => total.get(kind) ?? 0);
print(`${passedTests} passed, ${failedTests.reduce((sum, count) => sum + count)} failed\n`);
process.exit(failed.length > 0 || stopping.signal.aborted ? 1 : 0);
