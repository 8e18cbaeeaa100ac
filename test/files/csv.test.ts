/** CSV rows under their header: empty and quoted cells, our export's protection, places, and what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvForPeople, readCsv, textOfCell } from '../../src/files/csv.ts';
import { all, allValues, assertBadFile, assertSameWhenCut, chunksOf, repeated } from '../support/files.ts';

const mixed =
  '\ufeffid,title,note\r\n' +
  '1,"a ""b"", c",\r\n' +
  '\n' +
  '2,"two\r\nlines\nhere",""\n' +
  '3,ツリー😀,x,y\r\n' +
  '4\n' +
  '9007199254740993, spaced ,"é"';

test('rows come under the names of the header with the line each one starts on', async () => {
  assert.deepEqual(await all(readCsv(chunksOf(mixed))), [
    { line: 2, column: 1, value: { id: '1', title: 'a "b", c', note: null } },
    { line: 4, column: 1, value: { id: '2', title: 'two\r\nlines\nhere', note: '' } },
    { line: 7, column: 1, bad: 'Cells in the row: 4; in the header: 3.' },
    { line: 8, column: 1, bad: 'Cells in the row: 1; in the header: 3.' },
    { line: 9, column: 1, value: { id: '9007199254740993', title: ' spaced ', note: 'é' } },
  ]);
});

test('rows are the same wherever the bytes are cut', () => assertSameWhenCut(readCsv, mixed));

test('an empty cell is null and a quoted empty one is an empty text', async () => {
  const rows = await allValues(readCsv(chunksOf('a,b,c\n,"",\n"",,""\n')));
  assert.deepEqual(rows, [
    { a: null, b: '', c: null },
    { a: '', b: null, c: '' },
  ]);
});

test('a file for people has no formula, whichever separator a spreadsheet takes', () => {
  const row = ['x;=cmd|1', 'a\t-1', ';', '=1', 'a "b";\n+c', 'x=1', 7, 8n, null, ''];
  assert.equal(csvForPeople([row]), `\ufeff"x;'=cmd|1","a\t'-1",";",'=1,"a ""b"";\n'+c",x=1,7,8,,""\r\n`);
});

test('the one apostrophe that our export puts before a formula or doubles is taken off where a text is read', async () => {
  const cells = ["'=1+1", "'+1", "'-1", "'@a", "'\tx", "''quoted'", "''=1", "'plain", "'", '=1', "it's"];
  const rows = await allValues(readCsv(chunksOf(`a\n${cells.join('\n')}\n"'\rx"\n`)));
  assert.deepEqual(
    rows.map((row) => textOfCell(row['a'] ?? '')),
    ['=1+1', '+1', '-1', '@a', '\tx', "'quoted'", "'=1", "'plain", "'", '=1', "it's", '\rx'],
  );
});

test('a column may have any name, even one that objects treat specially', async () => {
  const [row] = await allValues(readCsv(chunksOf('__proto__,constructor\n1,2\n')));
  assert.deepEqual(Object.entries(row ?? {}), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});

test('a header alone has no rows', async () => {
  assert.deepEqual(await all(readCsv(chunksOf('a,b\r\n'))), []);
});

const refusals: [name: string, text: string | Uint8Array, sentence: RegExp][] = [
  [
    'a file with semicolons',
    'id;title\n1;a\n',
    /^Line 1: the cells are separated by semicolons: save .* with commas\.$/,
  ],
  ['semicolons and quotes', '"id";"title"\n', /^The row that starts at line 1 .*, and separate cells with commas\.$/],
  ['a file with tabs', 'id\ttitle\n1\ta,b\n', /^Line 1: the cells are separated by tabs: save the file as CSV/],
  ['an empty file', '', /^The file is empty: it needs a header row/],
  ['a file of blank lines', '\n\r\n\n', /empty/],
  ['a nameless column', 'a,,c\n', /^Line 1: column 2 of the header has no name/],
  ['a column named twice', '\na,b,a\n', /^Line 2: the header has "a" twice/],
  ['an open quote', 'a,b\n1,2\n3,"4\n5,6\n', /^The row that starts at line 3 opens a quote that is never closed/],
  ['a quote inside a bare cell', 'a\nx"y"\n', /^The row that starts at line 2 has a misplaced "/],
  ['text behind a quoted cell', 'a\n1\n"x"y\n', /^The row that starts at line 3 has a misplaced "/],
  ['bytes that are not UTF-8', Buffer.from('a\né\n', 'latin1'), /not UTF-8 at byte 3:/],
];

for (const [name, text, sentence] of refusals) {
  test(`${name} is refused`, async () => {
    await assertBadFile(all(readCsv(chunksOf(text))), sentence);
    await assertBadFile(all(readCsv(chunksOf(text, 1))), sentence);
  });
}

test('a quote left open in a large file is refused before the rest is in memory', async () => {
  const endless = repeated('a\n1\n"', 'x'.repeat(1000), 1e9, '');
  await assertBadFile(all(readCsv(endless)), /^The row that starts at line 3 is larger than 1 MiB/);
  const blank = readCsv(repeated('a\n', '\n'.repeat(1000), 1e9, '1'));
  await assertBadFile(all(blank), /100000 rows/);
});

test('a table for a spreadsheet has the separator and the decimals of its country', () => {
  const row = [4.5, 'a;b', 'c,=d'];
  assert.equal(csvForPeople([row]), `\ufeff4.5,"a;b","c,'=d"\r\n`);
  assert.equal(csvForPeople([row], ';'), `\ufeff4,5;"a;b";"c,'=d"\r\n`);
});
