/** Which test files run again on PostgreSQL: every one that opens a database, unless the list below says why not. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/garden.ts';
import { committedFiles, read } from './support.ts';

const sameOnEveryStore = 'the rows only give it something to answer';
/** Test files that open a database and run on SQLite alone, each with the reason. */
const runOnce: Readonly<Record<string, string>> = {
  'test/cli/launcher.test.ts': 'its subject is the process that starts the program',
  'test/cli/settings.test.ts': 'its subject is how settings are read',
  'test/cli/workers.test.ts': 'its subject is processes that start and end',
  'test/client/cache.test.ts': `its subject is the client; ${sameOnEveryStore}`,
  'test/client/errors.test.ts': `its subject is the client; ${sameOnEveryStore}`,
  'test/client/json.test.ts': `its subject is the client; ${sameOnEveryStore}`,
  'test/client/operations.test.ts': `its subject is the client; ${sameOnEveryStore}`,
  'test/client/package.test.ts': 'its subject is the package of the client',
  'test/client/pages.test.ts': `its subject is the client; ${sameOnEveryStore}`,
  'test/contract/client.test.ts': `its subject is the types of the client; ${sameOnEveryStore}`,
  'test/contract/examples.test.ts': `its subject is the document; ${sameOnEveryStore}`,
  'test/contract/samples.test.ts': `its subject is the code samples; ${sameOnEveryStore}`,
  'test/hostile/fronts.test.ts': 'its subject is the parser of HTTP, and proxies',
  'test/hostile/hostile.test.ts': 'its subject is the parser of HTTP',
  'test/hostile/resets.test.ts': 'its subject is connections that break',
  'test/server/large-bodies.test.ts': `its subject is memory and bytes of answers; ${sameOnEveryStore}`,
  'test/server/limits.test.ts': 'its subject is counts in memory',
  'test/server/log-flood.test.ts': 'its subject is the log',
  'test/server/logging.test.ts': 'its subject is the log',
  'test/server/metrics.test.ts': `its subject is counts in memory; ${sameOnEveryStore}`,
  'test/server/protocol.test.ts': 'its subject is the parser of HTTP',
  'test/server/proxies.test.ts': 'its subject is the header fields of proxies',
  'test/server/routing.test.ts': `its subject is targets and paths; ${sameOnEveryStore}`,
  'test/server/slow-clients.test.ts': 'its subject is connections and their time-outs',
  'test/server/stopping-under-load.test.ts': 'its subject is processes that end',
  'test/server/stopping.test.ts': 'its subject is processes that end',
  'test/store/both-stores.test.ts': 'it opens a database of each store by itself',
  'test/store/concurrency.test.ts': 'it opens databases of PostgreSQL by itself',
  'test/web/browser.test.ts': `its subject is the pages; ${sameOnEveryStore}`,
  'test/web/pages.test.ts': `its subject is the pages; ${sameOnEveryStore}`,
  'test/web/text-hold.test.ts': 'its subject is the loop, which reads of SQLite hold',
  'test/web/account-looks.test.ts': 'its subject is how pages look',
  'test/web/groups-looks.test.ts': 'its subject is how pages look',
  'test/web/handles-looks.test.ts': 'its subject is how pages look',
  'test/web/openid-looks.test.ts': 'its subject is how pages look',
  'test/web/proofs-looks.test.ts': 'its subject is how pages look',
  'test/web/problems-browser.test.ts': 'its subject is what Chromium shows',
  'test/web/uploads-looks.test.ts': 'its subject is how pages look',
  'test/web/hostile-looks.test.ts': 'its subject is what Chromium shows',
  'test/web/staff-looks.test.ts': `its subject is what Chromium shows; ${sameOnEveryStore}`,
};

const testFiles = committedFiles().filter((path) => /^test\/.*\.test\.ts$/.test(path));

/** The test files that a script of package.json names, by themselves or by a file of test/together that imports them. */
function filesOf(script: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const patterns = [...(scripts[script] ?? '').matchAll(/"(test\/[^"]+)"/g)].map(
    ([, pattern = '']) => pattern,
  );
  for (const pattern of patterns)
    assert.ok(globSync(pattern, { cwd: root }).length > 0, `${pattern} finds none`);
  const named = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }));
  return named.flatMap((path) => (path.startsWith('test/together/') ? importsOf(path) : path)).toSorted();
}

/** Whether a file, or a helper of a test folder that it imports, asks for a database on the store that is tested. */
function opensDatabase(path: string): boolean {
  if (/\b(?:temporaryDatabase|markedGarden|largeCatalogue)\(/.test(read(path))) return true;
  // In test/support it is defined, and offered to tests that need none.
  return importsOf(path).some((to) => /^test\/(?!support\/)/.test(to) && opensDatabase(to));
}

/** The files that a file imports by a relative path. */
function importsOf(path: string): string[] {
  const imports = /^(?:import\b.* from|import|\} from) '(\.\.?\/[^']+)'/gm;
  return [...read(path).matchAll(imports)].map(([, to = '']) =>
    relative(root, join(root, dirname(path), to)),
  );
}

test('the run on SQLite has every test file once', () => {
  const message = 'name each in one file of test/together, or in tests:sqlite of package.json';
  assert.deepEqual(filesOf('tests:sqlite'), testFiles, message);
});

test('a test file that opens a database runs on PostgreSQL too, or has its reason here', () => {
  const again = filesOf('tests:postgres');
  const opening = testFiles.filter(opensDatabase);
  assert.ok(opening.length > 40, `${opening.length} files open a database`);
  const missing = opening.filter((path) => !again.includes(path) && !(path in runOnce));
  assert.deepEqual(
    missing,
    [],
    'name them in test/together/both or tests:postgres of package.json, or in runOnce with the reason',
  );
});

test('a test file that runs on PostgreSQL too opens a database', () => {
  const idle = filesOf('tests:postgres').filter((path) => !opensDatabase(path));
  assert.deepEqual(idle, [], 'name them in test/together/once');
});

test('every exception is a test file that opens a database and does not run on PostgreSQL', () => {
  const again = filesOf('tests:postgres');
  for (const path of Object.keys(runOnce)) {
    assert.ok(testFiles.includes(path), `${path} is no test file`);
    assert.ok(opensDatabase(path), `${path} opens no database`);
    assert.ok(!again.includes(path), `${path} runs on PostgreSQL`);
  }
});
