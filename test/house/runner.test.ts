/** `npm test`: each name that the documents put behind it is there, and a failing comparison is printed as its difference. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { parts, suites } from '../suites.ts';
import { root, temporaryFolder } from '../support/garden.ts';
import { committedFiles, read } from './support.ts';

const { scripts } = manifest;
const runner = join(root, 'test', 'run.ts');

test('every script, suite and test file that a text names behind npm is there', () => {
  const names = new Set([...Object.keys(parts), ...Object.keys(suites)]);
  // The client has scripts of its own.
  const paths = committedFiles().filter(
    (path) => /\.(?:md|ts|yml|css)$|^\.ci\/|^bin\//.test(path) && !/^client\//.test(path),
  );
  const named = paths.flatMap((path) => {
    const text = read(path);
    if (path.endsWith('.md')) assert.doesNotMatch(text, /(?<!npx )\bnode (?:--test|[\w/]+\.ts)/, path);
    const behind = (pattern: RegExp, isThere: (name: string) => boolean) =>
      [...text.matchAll(pattern)].map(([found, name = '']) => ({ place: `${path}: ${found}`, isThere: isThere(name) }));
    return [
      ...behind(/\bnpm run(?: -s| --silent)?[\s*]+([a-z]+(?::[a-z]+)?)/g, (name) => name in scripts),
      ...behind(
        /\bnpm(?: --silent)? test[\s*]+([a-z][\w./-]*)/g,
        (name) => names.has(name) || existsSync(join(root, name)),
      ),
    ];
  });
  assert.ok(named.length > 80, `${named.length} names`);
  assert.deepEqual(
    named.filter(({ isThere }) => !isThere).map(({ place }) => place),
    [],
  );
});

test('package.json has at most 14 scripts, and every suite has its files and its line in CONTRIBUTING.md', () => {
  assert.ok(Object.keys(scripts).length <= 14);
  const patterns = Object.values(suites).flatMap(({ args }) => args.filter((argument) => !argument.startsWith('--')));
  for (const pattern of patterns) assert.notDeepEqual(globSync(pattern, { cwd: root }), [], pattern);
  for (const name of Object.keys(suites)) assert.ok(read('CONTRIBUTING.md').includes(`| \`npm test ${name}\` |`), name);
});

test('the runner lists what it runs, and refuses a name that it does not have', () => {
  const run = (name: string) => spawnSync(process.execPath, [runner, name], { cwd: root, encoding: 'utf8' });
  const [help, unknown] = [run('--help'), run('nothing')];
  assert.deepEqual([help.status, unknown.status, unknown.stdout], [0, 2, '']);
  for (const [name, about] of Object.entries(suites))
    for (const text of [help.stdout, unknown.stderr])
      assert.match(text, new RegExp(`^  ${name} +${about.about}$`, 'm'));
});

const failing = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
const rows = Array.from({ length: 900 }, (_, id) => ({ id, title: \`Problem \${id}\` }));
const other = rows.with(700, { id: 700, title: 'Another' });
test('one text', () => assert.equal(JSON.stringify(rows), JSON.stringify(other)));
test('a text among others', () => assert.deepEqual([1, 'a '.repeat(4_000), 2], [1, \`\${'a '.repeat(3_000)}b\`, 2]));
test('nothing alike', () => assert.deepEqual(rows.map(({ id }) => id), rows.map(({ title }) => title)));
test('a pattern', () => assert.match('x'.repeat(9_000), /y/));
`;

for (const isolation of ['none', 'process']) {
  test(`each of four failures takes at most 3,000 characters, with isolation ${isolation}`, async (t) => {
    const file = join(await temporaryFolder(t), 'failing.test.ts');
    writeFileSync(file, failing);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const reporter = join(root, 'test', 'support', 'reporter.ts');
    const args = ['--test', `--test-isolation=${isolation}`, `--test-reporter=${reporter}`, file];
    const { stdout, status } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    assert.equal(status, 1);
    const [, ...failures] = (stdout.split('failing tests:')[1] ?? '').split('test at ');
    assert.equal(failures.length, 4, stdout);
    for (const failure of failures) {
      assert.ok(failure.length < 3_000, `${failure.length} characters`);
      assert.match(failure, /at .*failing\.test\.ts:\d+/);
    }
    const [text = '', among = '', unlike = '', pattern = ''] = failures;
    assert.match(text, /^ {2}\+ ….*Problem 700.*\n {2}- ….*Another/m);
    assert.match(among, /^ {2}\+ ….*a a a.*\n {2}- ….*a b'/m);
    assert.match(unlike, /… 1\d\d\d more lines/);
    assert.match(pattern, /x… \(9002 characters\)/);
  });
}
