/**
 * Everything that `npm test` runs: the checks and the tests on both stores, beside each other. Each part runs to its end,
 * whatever becomes of the others; the last lines say which tests failed and why, how each part ended, and how many tests passed
 * and failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { writeSync } from 'node:fs';

interface Part {
  /** A script of package.json. */
  script: string;
  /** Whether it prints how many tests passed. */
  hasTests: boolean;
}

interface Ended {
  script: string;
  hasPassed: boolean;
  seconds: number;
  /** How many tests ended how, as `node --test` prints it; empty for a check. */
  counts: ReadonlyMap<string, number>;
  /** What `node --test` says of the failed tests, at its end; empty where none failed. */
  failures: string;
}

/** `npm run tests` asks for the tests alone, `npm run tests:real` for those on real data. */
const onlyReal = process.argv.includes('--only-real');
const onlyTests = onlyReal || process.argv.includes('--only-tests');
const tests = onlyReal ? 'tests:real' : 'tests';
/** Each row is one queue, whose parts run one after another; the queues run beside each other. */
const queues: readonly (readonly Part[])[] = [
  [{ script: `${tests}:sqlite`, hasTests: true }],
  [
    { script: `${tests}:postgres`, hasTests: true },
    ...['check:types', 'check:style', 'check:unused', 'check:openapi'].map((script) => ({
      script,
      hasTests: false,
    })),
  ],
];
/** As `node --test` names them. */
const kinds = ['tests', 'pass', 'fail', 'cancelled', 'skipped', 'todo'];
/** Of a part's failures so many characters are repeated at the end. */
const mostRepeated = 10_000;

const children = new Set<ChildProcess>();
/** What a part printed and is still to be shown: the parts are shown one after another, as if each had run alone. */
const held = new Map<string, Buffer[]>();
let shown: string | undefined;

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

function show(script: string, chunk: Buffer): void {
  shown ??= script;
  if (shown === script) print(chunk);
  else held.set(script, [...(held.get(script) ?? []), chunk]);
}

/** Prints what the ended parts printed, and goes on with one that still runs. */
function showNext(ended: string): void {
  if (shown !== ended) return;
  shown = undefined;
  for (const [script, chunks] of held) {
    print(Buffer.concat(chunks));
    held.delete(script);
    if (running.has(script)) {
      shown = script;
      return;
    }
  }
}

const running = new Set<string>();

function run({ script, hasTests }: Part): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  running.add(script);
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      // The counts are the last that a run prints before it repeats its failures.
      if (hasTests) tail = (tail + chunk).slice(-1_000_000);
      show(script, chunk);
    });
  }
  const { promise, resolve } = Promise.withResolvers<Ended>();
  child.on('error', (error) => show(script, Buffer.from(`${script}: ${error.message}\n`)));
  child.on('close', (code) => {
    children.delete(child);
    running.delete(script);
    const counts = new Map<string, number>();
    for (const kind of hasTests ? kinds : []) {
      const found = [...tail.matchAll(new RegExp(`^(?:ℹ|#) ${kind} (\\d+)$`, 'gm'))].at(-1)?.[1];
      if (found !== undefined) counts.set(kind, Number(found));
    }
    // A run that found no tests ends with 0 as well.
    const hasPassed = code === 0 && (!hasTests || (counts.get('pass') ?? 0) > 0);
    const failures = tail.split('\n✖ failing tests:\n')[1]?.slice(0, mostRepeated) ?? '';
    resolve({ script, hasPassed, seconds: (performance.now() - startedAt) / 1000, counts, failures });
    showNext(script);
  });
  return promise;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exitCode = 1;
  });
}

const wanted = queues.map((parts) => parts.filter(({ hasTests }) => hasTests || !onlyTests));
const all = await Promise.all(
  wanted.map(async (parts) => {
    const ended: Ended[] = [];
    for (const part of parts) ended.push(await run(part));
    return ended;
  }),
);
const parts = all.flat();
const total = new Map(kinds.map((kind) => [kind, 0]));
for (const { script, failures } of parts)
  if (failures !== '') print(`\nWhat failed in ${script}:\n${failures}`);
print('\n');
for (const { script, hasPassed, seconds, counts } of parts) {
  for (const [kind, count] of counts) total.set(kind, (total.get(kind) ?? 0) + count);
  const told = [...counts].filter(
    ([kind, count]) => kind === 'pass' || kind === 'fail' || (count > 0 && kind !== 'tests'),
  );
  const line = [script.padEnd(16), hasPassed ? 'passed' : 'FAILED', `${seconds.toFixed(0).padStart(5)} s`];
  print(`${[...line, told.map(([kind, count]) => `${kind} ${count}`).join(', ')].join('  ').trimEnd()}\n`);
}
print(`\nBoth runs together:\n${[...total].map(([kind, count]) => `ℹ ${kind} ${count}\n`).join('')}`);
const failed = parts.filter(({ hasPassed }) => !hasPassed).map(({ script }) => script);
print(failed.length === 0 ? 'Everything passed.\n' : `Failed: ${failed.join(', ')}.\n`);
const [passedTests = 0, ...failedTests] = ['pass', 'fail', 'cancelled'].map((kind) => total.get(kind) ?? 0);
print(`${passedTests} passed, ${failedTests.reduce((sum, count) => sum + count)} failed\n`);
if (failed.length > 0) process.exitCode = 1;
