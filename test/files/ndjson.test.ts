/** NDJSON line by line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNdjson } from '../../src/files/json.ts';
import { all, assertBadFile, assertSameWhenCut, chunksOf, repeated } from '../support/files.ts';

const cutShort = 'Not JSON: the JSON ends here, in the middle: it was cut short, so get it again.';
const mixed = '\ufeff{"id":9007199254740993,"name":"ツリー"}\r\n\n  \t17\n{"é":tru}\r\n{"a":1\n[]\n{"cut":"é';

test('each line is an entry, a malformed one a bad entry with its place', async () => {
  assert.deepEqual(await all(readNdjson(chunksOf(mixed))), [
    { line: 1, column: 1, value: { id: JSON.rawJSON('9007199254740993'), name: 'ツリー' } },
    { line: 3, column: 4, value: 17 },
    { line: 4, column: 7, bad: 'Not JSON: expected a value or a key in double quotes, found "tru}\\r".' },
    { line: 5, column: 7, bad: cutShort },
    { line: 6, column: 1, value: [] },
    { line: 7, column: 8, bad: cutShort },
  ]);
});

test('lines give the same entries wherever the bytes are cut', () => assertSameWhenCut(readNdjson, mixed));

test('a last line cut short at any byte is a bad entry, never a value', async () => {
  const last = '{"name":"ツ","tags":[1,true,null]}';
  const bytes = Buffer.from(`1\n${last}`);
  for (let end = 3; end < bytes.length; end++) {
    const entries = await all(readNdjson(chunksOf(bytes.subarray(0, end)))).catch(() => undefined);
    const isCharacterCut = bytes.subarray(0, end).toString().endsWith('\ufffd');
    if (isCharacterCut) assert.equal(entries, undefined);
    else assert.ok(entries?.length === 2 && 'bad' in (entries[1] ?? {}), `cut at byte ${end}`);
  }
});

test('an empty file has no entries, and bytes that are not UTF-8 or an endless line are refused', async () => {
  assert.deepEqual(await all(readNdjson(chunksOf(''))), []);
  assert.deepEqual(await all(readNdjson(chunksOf('\n\r\n'))), []);
  await assertBadFile(all(readNdjson(chunksOf(Buffer.from('"é"', 'latin1')))), /not UTF-8 at byte 2:/);
  await assertBadFile(all(readNdjson(repeated('1\n"', 'x'.repeat(1000), 1e9, '"'))), /^Line 2 is longer than 1 MiB/);
  const blank = readNdjson(repeated('1\n', '\n'.repeat(1000), 1e9, '2'));
  await assertBadFile(all(blank), /100000 rows/);
});
