/** Rules for every file of the source: SQL and the environment in one place each, short functions, literals written out. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { root, temporaryFolder } from '../support/garden.ts';
import { committedFiles, read, sourceFiles } from './support.ts';

test('there is SQL in the store only', () => {
  const statement =
    /\b(SELECT\s+[\w*(]|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+(TABLE|INDEX)|PRAGMA\s+\w|BEGIN\s+IMMEDIATE)/;
  const holding = sourceFiles().filter((path) => statement.test(read(path)));
  assert.deepEqual(
    holding.filter((path) => !path.startsWith('src/store/')),
    [],
  );
  assert.ok(holding.length > 0, 'the pattern finds the SQL that there is');
});

test('the environment is read in config.ts only', () => {
  const reading = sourceFiles().filter((path) => /process\.env\b|\benv\b.*from 'node:process'/.test(read(path)));
  assert.deepEqual(reading, ['src/config.ts']);
});

test('the length of a minute, an hour and a day is written in durations.ts only', () => {
  // Also with other grouping, and as a part of a product. A released migration keeps what it has.
  const length =
    /(?<![\w.])(?:60_?000|180_?000|600_?000|3_?600(?:_?000)?|86_?400(?:_?000)?)n?(?![\w.])|\b60 \* 60 \* 1/;
  const paths = sourceFiles().filter((path) => !path.startsWith('src/store/migrations/'));
  assert.deepEqual(
    paths.filter((path) => length.test(read(path))),
    ['src/durations.ts'],
  );
});

test('a function stays below 80 lines', () => {
  const long: string[] = [];
  let counted = 0;
  for (const path of sourceFiles()) {
    const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
    const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
    const look = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body) {
        counted++;
        const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
        if (last - first + 1 >= 80) long.push(`${path}:${first} has ${last - first + 1} lines`);
      }
      ts.forEachChild(node, look);
    };
    look(file);
  }
  assert.deepEqual(long, []);
  assert.ok(counted > 5_000, `${counted} functions were found only`);
});

test('no literal is spread into a literal, where TypeScript would not see a misspelt name', async (t) => {
  const folder = await temporaryFolder(t);
  const plugin = join(root, 'test/house/no-spread-literal.grit');
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins: [plugin] }));
  const found = (source: string) => {
    writeFileSync(join(folder, 'example.ts'), source);
    const args = [join(root, 'node_modules/@biomejs/biome/bin/biome'), 'lint', 'example.ts'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, isNamed: stderr.includes('Write the properties out') };
  };
  const refused = { status: 1, isNamed: true };
  assert.deepEqual(found('export const one = { a: 1, ...{ b: 2, c: 3 } };\n'), refused);
  assert.deepEqual(found('export const one = f({ ...a, ...({ b: 2 }) });\n'), refused);
  const allowed = 'export const one = { ...a, b: 1, ...(c ? { d: 2 } : {}) };\n';
  assert.deepEqual(found(allowed), { status: 0, isNamed: false });
});

test('no line of the website is longer than 120 characters', () => {
  const paths = sourceFiles('src/web/');
  assert.ok(paths.length > 100);
  const found = paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (line.length > 120 ? [`${path}:${at + 1}`] : [])),
  );
  assert.deepEqual(found, []);
});

test('no committed file names a path of a developer’s machine, or where packages are downloaded from', () => {
  const places = [root, dirname(root), homedir()].filter((path) => path.split('/').length > 2);
  const personal = /(?<![\w.~-])\/(?:home|Users|root)\/[\w.-]+|[A-Z]:\\+Users\\/;
  const besideTheClone = /\.\.[/', ]+shared\b/;
  const registry = /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/;
  for (const path of committedFiles()) {
    const text = read(path);
    for (const place of places) assert.ok(!text.includes(place), `${path} names ${place}`);
    assert.doesNotMatch(text, personal, path);
    assert.doesNotMatch(text, registry, path);
    assert.doesNotMatch(text, besideTheClone, path);
  }
  assert.ok(!read('package-lock.json').includes('"resolved"'), 'package-lock.json says where from');
});
