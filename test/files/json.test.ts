/** JSON documents read as a whole: the entries, their places, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { badFile } from '../../src/errors.ts';
import { readJson } from '../../src/files/json.ts';
import { all, allValues, assertBadFile, assertSameWhenCut, chunksOf, repeated } from '../support/files.ts';

const raw = JSON.rawJSON;
const top = { path: [] };
const nested = { path: ['result', 'problems'] };
const tricky = `\ufeff{ "status":"OK", "n": -1.5e3, "more": {"problems":[1,{"]":"}"}]},
 "result" : {"other":["\\"]}",[],{}], "problems":[
  {"name":"ツリー \\"quoted\\" \\\\", "tags":["a","é😀"]} , 17,"text, ]", null,
  [1,[2,{}]], -0.5e-3, {"big":9007199254740993}
 ],"problemStatistics":[{"a":1},{"b":[true,false]}]},"last":null}`;

test('the elements at a path come with their values and the line and byte column where each starts', async () => {
  assert.deepEqual(await all(readJson(chunksOf(tricky), nested)), [
    { line: 3, column: 3, value: { name: 'ツリー "quoted" \\', tags: ['a', 'é😀'] } },
    { line: 3, column: 63, value: 17 },
    { line: 3, column: 66, value: 'text, ]' },
    { line: 3, column: 77, value: null },
    { line: 4, column: 3, value: [1, [2, {}]] },
    { line: 4, column: 15, value: -0.0005 },
    { line: 4, column: 24, value: { big: raw('9007199254740993') } },
  ]);
});

test('a document gives the same entries wherever its bytes are cut', () =>
  assertSameWhenCut((bytes) => readJson(bytes, nested), tricky));

test('a document cut short at any byte is refused', async () => {
  const bytes = Buffer.from(tricky);
  for (let end = 0; end < bytes.length; end++) {
    await assertBadFile(all(readJson(chunksOf(bytes.subarray(0, end)), nested)));
  }
});

test('a document with any single byte changed is refused unless it is JSON and has its list', async () => {
  const bytes = Buffer.from('{"a":{"b":[1]},"result":{"problems":[{"k":"v"},"w"]},"c":"d"}');
  for (let at = 0; at < bytes.length; at++) {
    for (const byte of Buffer.from('"[]{},:\\ 0\n')) {
      const changed = Buffer.from(bytes);
      changed[at] = byte;
      const outcome = all(readJson(chunksOf(changed), nested));
      if (hasProblems(changed.toString())) await outcome;
      else await assertBadFile(outcome);
    }
  }
});

test('integers that a number would change keep every digit and others stay numbers', async () => {
  const text =
    '[9007199254740991,9007199254740992,-9223372036854775808,1234567890123456,0.123456789012345678e1,{"a":[18446744073709551615]},"12345678901234567890",1e20]';
  assert.deepEqual(await allValues(readJson(chunksOf(text), top)), [
    9007199254740991,
    raw('9007199254740992'),
    raw('-9223372036854775808'),
    1234567890123456,
    Number('0.123456789012345678e1'),
    { a: [raw('18446744073709551615')] },
    '12345678901234567890',
    raw('1e20'),
  ]);
});

test('the members of an object come with their keys, and an empty list or object has no entries', async () => {
  const text = '{"1":{"a":1},\n "__proto__":2,"é":null}';
  assert.deepEqual(await all(readJson(chunksOf(text, 1), { ...top, isObject: true })), [
    { line: 1, column: 6, value: ['1', { a: 1 }] },
    { line: 2, column: 14, value: ['__proto__', 2] },
    { line: 2, column: 21, value: ['é', null] },
  ]);
  assert.deepEqual(await all(readJson(chunksOf(' { } '), { ...top, isObject: true })), []);
  assert.deepEqual(await all(readJson(chunksOf(' [ ] '), top)), []);
});

const cut = /the JSON ends here, in the middle: it was cut short, so get it again\.$/;
const refusals: [name: string, text: string | Uint8Array, path: string[], sentence: RegExp][] = [
  ['an empty file', '', [], /^The file is empty: get it again\.$/],
  ['a file of blanks', ' \n\t ', [], /empty/],
  ['text', 'hello\nyou', [], /^Line 1, column 1: this is not a JSON document, but begins with "hello"\.$/],
  ['a web page', '\n<!doctype html><p>', [], /^Line 2, column 1: this is a web page, not JSON/],
  ['a lone number', '17', [], /not a JSON document/],
  [
    'more after the end',
    '[1] [2]',
    [],
    /^Line 1, column 5: the JSON has ended, but the text goes on, found "\[2\]"\.$/,
  ],
  ['a cut element', '[{"a":', [], /^Line 1, column 7: the JSON ends here/],
  ['a letter after the end', '[1]\n\nx', [], /^Line 3, column 1: expected a value .*, found "x"/],
  ['a cut text', '[\n"abc', [], /^Line 2, column 1: the JSON ends here/],
  ['a cut word', '[tru', [], cut],
  ['a cut number', '[1.', [], cut],
  [
    'a wrong bracket in an element',
    '[{"a":1]]',
    [],
    /^Line 1, column 8: expected ',' or the closing bracket, found "\]\]"\.$/,
  ],
  ['a wrong bracket in a skipped value', '{"x":[1},"a":[]}', ['a'], /column 8: expected ',' or the closing bracket/],
  ['a missing comma', '[1 2]', [], /^Line 1, column 4: expected ',' or the closing bracket, found "2\]"\.$/],
  ['a comma too many', '[1,]', [], /^Line 1, column 4: expected a value, found "\]"\.$/],
  ['a leading comma', '[,1]', [], /^Line 1, column 2: expected a value, found ",1\]"\.$/],
  ['an element that is not JSON', '[1,\n {"é":tru}]', [], /^Line 2, column 8: expected a value .*, found "tru}\]"/],
  ['a bare word', '[nope]', [], /^Line 1, column 2: expected a value .*, found "nope\]"\.$/],
  ['a line break in a string', '["a\nb"]', [], /^Line 1, column 2: a text is not closed in its line/],
  ['a control character in a string', '["a\u0001b"]', [], /^Line 1, column 2: a text holds a raw control character/],
  ['a bad escape', '["\\x"]', [], /^Line 1, column 2: a text has a backslash before/],
  ['a bad code point', '["\\u12"]', [], /^Line 1, column 2: a text has a \\u without/],
  ['a leading zero', '[01]', [], /^Line 1, column 3: expected ','/],
  ['a comment', '[1] // all', [], /^Line 1, column 5: JSON has no comments/],
  ['a key without quotes', '{a:[]}', ['a'], /^Line 1, column 2: expected a value or a key in double quotes/],
  ['a key that is a number', '{1:[]}', ['a'], /^Line 1, column 2: expected a key in double quotes/],
  ['a missing colon', '{"a" []}', ['a'], /^Line 1, column 6: expected ':'/],
  ['another shape', '{"a":{"b":{}}}', ['a', 'b'], /^"a\.b" is not a list: this is another kind of file\.$/],
  ['a list for an object', '[]', ['a'], /^The document is not an object/],
  ['no such key', '{"b":[]}', ['a'], /^The file has no "a": this is another kind of file\.$/],
  ['no such key below', '{"a":{"b":[]}}', ['a', 'c'], /^The file has no "a\.c"/],
  ['the key twice', '{"a":[],\n"a":[]}', ['a'], /^Line 2, column 1: "a" appears twice\.$/],
  ['the key twice below', '{"a":{"b":[], "b":[]}}', ['a', 'b'], /column 15: "b" appears twice/],
  ['the upper key twice', '{"a":{"b":[]}, "a":{"b":[]}}', ['a', 'b'], /column 16: "a" appears twice/],
  ['bytes that are not UTF-8', Buffer.from('["é"]', 'latin1'), [], /not UTF-8 at byte 3:/],
  ['half a character at the end', Buffer.from('["é').subarray(0, 3), [], /not UTF-8 at byte 3:/],
  ['deep nesting that is cut', '['.repeat(2000), [], /column 1001: nested deeper than 1000 levels/],
  ['nesting deeper than the stack', '['.repeat(1_000_000), [], /nested deeper than 1000 levels/],
  ['deep nesting with an id to keep', `[1e3,${'['.repeat(1e6)}${']'.repeat(1e6)}]`, [], /nested deeper than 1000/],
];

test('a key of the path may stand again elsewhere', async () => {
  const text = '{"x":{"a":{"b":[0]}},"a":{"x":[{"b":1},{"b":2}],"b":[1,{"a":{"b":[]}}]},"b":[3]}';
  assert.deepEqual(await allValues(readJson(chunksOf(text), { path: ['a', 'b'] })), [1, { a: { b: [] } }]);
});

test('an entry that is nested deeper than the stack still has its place', async () => {
  const deep = `[1,\n ${'['.repeat(1e6)}${']'.repeat(1e6)}]`;
  const entries = await all(readJson(chunksOf(deep), top));
  assert.deepEqual(
    entries.map(({ line, column }) => [line, column]),
    [
      [1, 2],
      [2, 2],
    ],
  );
});

for (const [name, text, path, sentence] of refusals) {
  test(`${name} is refused`, async () => {
    await assertBadFile(all(readJson(chunksOf(text), { path })), sentence);
  });
}

test('compressed files, databases and UTF-16 are told from other bytes that are not UTF-8', async () => {
  const compressed = gzipSync('[1]');
  await assertBadFile(all(readJson(chunksOf(compressed), top)), /^The file is compressed: unpack it first\.$/);
  const database = Buffer.from(`SQLite format 3\0${'\x80'.repeat(99)}`, 'latin1');
  await assertBadFile(all(readJson(chunksOf(database), top)), /^This is a SQLite database: /);
  const wide = Buffer.from('\ufeff[1]', 'utf16le');
  await assertBadFile(all(readJson(chunksOf(wide), top)), /^The file is UTF-16: save it as UTF-8\.$/);
});

test('a document of more than 64 MiB is refused before the rest of it is read', async () => {
  const [piece, mebibyte] = ['x'.repeat(64 * 1024), 16];
  const atLimit = ['["', 'x'.repeat(64 * 1024 - 4), '"]'];
  const sound = repeated('["', piece, 64 * mebibyte - 1, atLimit.slice(1).join(''));
  assert.equal((await all(readJson(sound, top))).length, 1);
  let isClosed = false;
  async function* endless() {
    try {
      yield* repeated('["', piece, 1e9, '"]');
    } finally {
      isClosed = true;
    }
  }
  await assertBadFile(
    all(readJson(endless(), top)),
    /^The file is larger than 64 MiB, .*: write our own rows as NDJSON or CSV, .*, and a judge’s list in parts\.$/,
  );
  assert.ok(isClosed, 'its source is closed');
});

test('a caller can refuse a document by what stands at its top', async () => {
  const target = {
    path: ['result'],
    errorOf: (fields: Readonly<Record<string, unknown>>) => badFile(`told ${Object.keys(fields).join()}`),
  };
  const told = /^told status,/;
  await assertBadFile(all(readJson(chunksOf('{"status":"FAILED","x":{},"code":3}'), target)), told);
  await assertBadFile(all(readJson(chunksOf('{"status":"FAILED","code":3,"result":{}}'), target)), told);
});

function hasProblems(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text)?.result?.problems);
  } catch {
    return false;
  }
}
