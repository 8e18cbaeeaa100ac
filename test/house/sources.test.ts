/** Rules for every file of the source: SQL and the environment in one place each, and comments that open with their subject. */
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { root } from '../support/garden.ts';
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

test('a comment opens with the thing that it is about', () => {
  const opening = /(?:^\s*\*|\/\*+|(?<=^|\s)\/\/)\s+(?:What|Where|Who|Whoever|Whose|Of|That)\b.*/gm;
  const paths = committedFiles().filter((path) => /^(?:src|test|bench|client)\/.*\.(?:ts|js|css)$/.test(path));
  assert.ok(paths.length > 600, `${paths.length} files only`);
  assert.deepEqual(
    paths.flatMap((path) => [...read(path).matchAll(opening)].map(([line]) => `${path}: ${line.trim()}`)),
    [],
  );
});

test('no line of the website is longer than 120 characters', () => {
  const paths = sourceFiles().filter((path) => path.startsWith('src/web/'));
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
