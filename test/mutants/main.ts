/**
 * Changes one operator, number or condition of a file at a time, and runs the tests that reach the change until one fails. A change
 * that no test notices is a rule that nothing holds.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Node, NodePath } from '@babel/core';
import babel from '@babel/core';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { sum } from 'd3-array';
import { root } from '../support/garden.ts';
import { globalSetup, globalTeardown } from '../support/setup.ts';

interface Mutator {
  name: string;
  mutate(at: NodePath): Iterable<Node>;
}

const { types } = babel;

const usual = [
  'ArithmeticOperator',
  'AssignmentOperator',
  'BooleanLiteral',
  'EqualityOperator',
  'LogicalOperator',
  'UnaryOperator',
  'UpdateOperator',
];

const numbers: Mutator = {
  name: 'Number',
  *mutate(at) {
    const isKey = at.parentPath?.isObjectProperty() === true && at.key === 'key';
    if (at.isNumericLiteral() && !isKey && !at.parentPath?.isTSLiteralType())
      yield types.numericLiteral(at.node.value + 1);
  },
};

/** Conditions in which no other mutator finds an operator. */
const conditions: Mutator = {
  name: 'Condition',
  *mutate(at) {
    const isTest =
      at.key === 'test' ||
      (at.parentPath?.isLogicalExpression({ operator: '??' }) === false && at.parentPath.isLogicalExpression());
    if (
      isTest &&
      at.isExpression() &&
      !at.isBinaryExpression() &&
      !at.isLogicalExpression() &&
      !at.isUnaryExpression({ operator: '!' })
    )
      yield types.unaryExpression('!', types.parenthesizedExpression(at.node));
  },
};

/** Stryker has no door for mutators of ours: its own list is the only place. */
async function takeMutators(every: number): Promise<void> {
  const path = join(root, 'node_modules/@stryker-mutator/instrumenter/dist/src/mutators/index.js');
  const { allMutators }: { allMutators: Mutator[] } = await import(pathToFileURL(path).href);
  const mutators = [...allMutators.filter(({ name }) => usual.includes(name)), numbers, conditions];
  let count = 0;
  const sampled = mutators.map(({ name, mutate }) => ({
    name,
    *mutate(at: NodePath) {
      for (const node of mutate(at)) {
        count += 1;
        if (count % every === 0) yield node;
      }
    },
  }));
  allMutators.splice(0, allMutators.length, ...sampled);
}

/** Where the tests of some folders of src/ lie. */
const elsewhere: Readonly<Record<string, string>> = { http: 'server', jobs: 'sync' };
/** What is tested through pages and processes is tested slowly: such tests run where they are named. */
const slow = /^test\/(?:web|cli|faults|hostile|fuzz|house|client|release)\//;

/** The tests that are about the file come first, and short ones before long ones. */
function testsOf(file: string): string[] {
  const name = basename(file, '.ts');
  const folder = dirname(file).split('/')[1] ?? '';
  const imports = (path: string) =>
    readFileSync(path, 'utf8')
      .matchAll(/from '(\.[^']+)'/g)
      .some(([, target]) => relative(root, resolve(dirname(path), target ?? '')) === file);
  const distance = (path: string) => {
    if (basename(path).startsWith(`${name}.`) || (!slow.test(path) && imports(path))) return 0;
    return path.startsWith(`test/${elsewhere[folder] ?? folder}/`) ? 1 : 2;
  };
  return globSync('test/**/*.test.ts')
    .filter((path) => distance(path) < 2)
    .toSorted((a, b) => distance(a) - distance(b) || statSync(a).size - statSync(b).size);
}

const usage = `npm run test:mutants -- FILE…

Changes one operator, number or condition at a time, and lists the changes that no test notices. Each FILE is one of src/, also
with lines as src/a.ts:10-20, or a folder with / at its end. Test files that are named run instead of those that import FILE,
have its name or lie in its folder's tests.
  --every N    only every N-th change of all
  --at-once N  processes beside each other (2)
`;
const print = (line: string) => process.stdout.write(`${line}\n`);

function report(results: readonly MutantResult[]): void {
  const byFile = Map.groupBy(results, ({ fileName }) => relative(root, fileName));
  const rows: { file: string; noticed: number; total: number }[] = [];
  for (const [file, mutants] of byFile) {
    const unnoticed = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout');
    const lines = readFileSync(file, 'utf8').split('\n');
    const inOrder = unnoticed.toSorted((a, b) => a.location.start.line - b.location.start.line);
    for (const { location, replacement, status } of inOrder) {
      const { start, end } = location;
      const line = lines[start.line - 1] ?? '';
      const changed =
        start.line === end.line ? line.slice(start.column - 1, end.column - 1) : line.slice(start.column - 1);
      const note = status === 'NoCoverage' ? ' (nothing runs it)' : '';
      print(`${file}:${start.line}:${start.column} ${changed} → ${replacement}${note}`);
    }
    rows.push({ file, noticed: noticed.length, total: noticed.length + unnoticed.length });
  }
  for (const [folder, files] of Map.groupBy(rows, ({ file }) => dirname(file))) {
    const all = {
      file: folder,
      noticed: sum(files.map(({ noticed }) => noticed)),
      total: sum(files.map(({ total }) => total)),
    };
    for (const { file, noticed, total } of [...files, all])
      print(`| ${file} | ${noticed} of ${total} | ${((100 * noticed) / total).toFixed(0)} % |`);
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});
const named = positionals.flatMap((path) => (path.endsWith('/') ? globSync(`${path}*.ts`) : path));
const mutate = named.filter((path) => path.startsWith('src/'));
if (mutate.length === 0 || values.help) {
  process[values.help ? 'stdout' : 'stderr'].write(usage);
  process.exit(values.help ? 0 : 2);
}
const tests = named.filter((path) => path.startsWith('test/'));
const testFiles = tests.length > 0 ? tests : [...new Set(mutate.flatMap((path) => testsOf(path.replace(/:.*/, ''))))];

// A constant enumeration has no value for a program that is not compiled with it.
const logLevel: string = 'error';
await takeMutators(Number(values.every));
await globalSetup();
try {
  const stryker = new Stryker({
    mutate,
    testRunner: 'node',
    testFiles,
    coverageAnalysis: 'perTest',
    concurrency: Number(values['at-once']),
    plugins: [join(root, 'test/mutants/runner.ts')],
    reporters: process.stderr.isTTY ? ['progress'] : [],
    logLevel: logLevel as LogLevel,
    maxTestRunnerReuse: 40,
    ignorePatterns: ['/docs/pictures', '*.tgz'],
    disableTypeChecks: false,
    tempDirName: join(tmpdir(), `mutants-${process.pid}`),
  });
  report(await stryker.runMutationTest());
} finally {
  await globalTeardown();
}
