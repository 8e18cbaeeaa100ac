/** The names that can stand behind `npm test`: parts of the usual run, and suites that take long or need something special. */
import { globSync, readFileSync } from 'node:fs';

export const parts: Readonly<Record<string, string>> = {
  tests: 'the tests without the checks, on both stores',
  sqlite: 'the tests on SQLite',
  postgres: 'the tests on PostgreSQL',
  real: 'the tests that need the judges’ own files, from the folder in REAL_DATA',
};
interface Suite {
  about: string;
  /** The arguments of Node. */
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

export const testing = ['--test', '--test-reporter=./test/support/reporter.ts'];
const inTurn = [...testing, '--test-concurrency=1'];

const withPages = globSync('test/web/*.test.ts').filter((path) =>
  /support\/(?:looks|browser)/.test(readFileSync(path, 'utf8')),
);

export const suites: Readonly<Record<string, Suite>> = {
  cluster: {
    about: 'a PostgreSQL cluster whose primary is killed and cut off under load',
    args: [...testing, 'test/faults/cluster.ts'],
  },
  connections: {
    about: 'hundreds and thousands of slow, silent and pipelining clients',
    args: [...testing, 'test/faults/connections.ts'],
  },
  faults: {
    about: 'kills, full disks, lost files, locks and clocks, with fifty rounds each',
    args: [
      ...inTurn,
      'test/faults/*.test.ts',
      'test/server/{descriptors,large-bodies,log-flood}.test.ts',
      'test/cli/processes.test.ts',
    ],
    env: { GARDEN_FAULT_ROUNDS: '50' },
  },
  flood: { about: '100,000 generated hostile connections', args: [...inTurn, 'test/faults/flood.ts'] },
  fuzz: {
    about: 'thousands of generated requests, rounds for teams, forms with wrong things, and ids of other members',
    args: [
      ...testing,
      'test/fuzz/document.test.ts',
      'test/practice/team-rounds.test.ts',
      'test/web/{apart,hostile-forms}.test.ts',
    ],
    env: { GARDEN_FUZZ_RUNS: '12000' },
  },
  generators: {
    about: 'clients that others generate from the document for programs',
    args: ['test/contract/generators.ts'],
  },
  image: { about: 'the image of the container', args: [...testing, 'test/faults/image.ts'] },
  looks: {
    about: 'every page in Chromium at three widths, in both themes and in every language',
    args: [...testing, '--test-isolation=none', ...withPages],
    env: { GARDEN_LOOKS: 'all' },
  },
  promises: {
    about: 'limits in milliseconds and megabytes, on a quiet machine',
    args: [...inTurn, '--test-global-setup=test/support/setup.ts', 'bench/promises/*.ts'],
  },
  release: {
    about: 'a release of the last commit, made twice, installed and run',
    args: [...testing, 'test/release/release.ts'],
  },
  schemathesis: {
    about: 'requests that schemathesis generates from the OpenAPI documents',
    args: ['test/contract/schemathesis.ts'],
  },
  screenshots: { about: 'the pictures of the documents', args: [...testing, 'test/web/screenshots.ts'] },
  soak: { about: 'half an hour of mixed load with changes', args: [...testing, 'test/faults/soak.ts'] },
  ways: {
    about: 'the four ways to install it and their upgrades, each from an empty Debian',
    args: [...testing, 'test/release/ways.ts'],
  },
};
