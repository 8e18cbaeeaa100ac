/** The fields of a row as a file has them: in each format the same values, and what is wrong with others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Format } from '../../src/contract/rows.ts';
import { formatByName, rowReader } from '../../src/importing/row-reader.ts';
import { chunksOf } from '../support/files.ts';

test('the format of a file is known by its extension', () => {
  const names = ['a.csv', 'A.CSV', 'x/y.ndjson', 'y.jsonl', 'https://a.example/z.json', 'a.json.gz', 'csv', ''];
  const formats = ['csv', 'csv', 'ndjson', 'ndjson', 'json', undefined, undefined, undefined];
  assert.deepEqual(names.map(formatByName), formats);
});

const fields = {
  properties: {
    id: { type: 'integer', format: 'int64' },
    rating: { type: ['integer', 'null'], format: 'int32' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    state: { type: ['object', 'null'] },
    made_at: { type: 'string', format: 'date-time' },
    status: { type: ['string', 'null'], enum: ['reading', 'practicing', null] },
    video_url: { type: ['string', 'null'] },
  },
};

/** The values of each row, or what is wrong with it. */
async function read(text: string, format: Format) {
  const rows: unknown[] = [];
  const reader = rowReader(fields, format, new Map([['name', 'title']]));
  for await (const entries of reader(chunksOf(text)))
    rows.push(...entries.map((entry) => ('bad' in entry ? entry.bad.message : entry.value)));
  return rows;
}
const long = (length: number) => 'x'.repeat(length);
const first = '2026-03-03T03:03:03.003Z';

test('a row has the values of its fields, under former names too', async () => {
  const row = {
    id: 5,
    rating: -2147483648,
    title: '=1+1',
    tags: ['a', 'b'],
    state: { a: [1] },
    made_at: '2026-03-03T04:03:03.003+01:00',
    status: 'reading',
    video_url: 'https://a.example/',
  };
  const values = { ...row, id: 5n, rating: -2147483648n, tags: '["a","b"]', state: '{"a":[1]}', made_at: first };
  const { title: name, ...rest } = row;
  const nothing = { rating: null, state: null, status: null, video_url: null };
  assert.deepEqual(await read(JSON.stringify([row, { name, ...rest }, row, nothing, {}]), 'json'), [
    values,
    values,
    values,
    nothing,
    {},
  ]);
  const quoted = Object.values(row).map((value) => {
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value).replace('=', "'=");
    return `"${text.replaceAll('"', '""')}"`;
  });
  const csv = `${Object.keys(row).join()}\n${quoted.join()}\n,,,,,,,\n`;
  assert.deepEqual(await read(csv, 'csv'), [values, nothing]);
  assert.deepEqual(await read('name,state\n"x",null\n', 'csv'), [{ title: 'x', state: 'null' }]);
  const longest = { title: long(100_000), rating: 2147483647 };
  assert.deepEqual(await read(JSON.stringify(longest), 'ndjson'), [{ ...longest, rating: 2147483647n }]);
});

const wrong: readonly (readonly [row: string, reason: RegExp])[] = [
  ['7', /^The entry is 7; expected an object/],
  [`{"${'y'.repeat(60)}":1}`, /no field "y{50}", did you mean "\w+"\? There are id, rating, title, tags, /],
  ['{"titel":1}', /no field "titel", did you mean "title"\?/],
  ['{"id":null}', /^id is null; expected .*-9223372036854775808 to 9223372036854775807/],
  ['{"rating":2147483648}', /^rating is 2147483648; expected an int32.*-2147483648 to 2147483647/],
  ['{"id":"5"}', /^id is "5"/],
  ['{"id":[5]}', /^id is a list/],
  ['{"title":5}', /^title is 5; expected a text/],
  ['{"title":"a\\u0000"}', /without NUL/],
  ['{"title":"\\ud800"}', /well-formed Unicode/],
  [`{"title":"${long(100_001)}"}`, /^title is "x{20}"; .* at most 100000 characters/],
  ['{"tags":"a"}', /^tags is "a"; expected a list/],
  ['{"tags":["a",""]}', /^tags is ""; expected a text that is not empty/],
  ['{"tags":["a",1]}', /^tags is 1; expected a text/],
  ['{"state":[]}', /^state is an empty list; expected an object/],
  ['{"made_at":"2026-02-30T00:00:00Z"}', /^made_at is .*; expected an RFC 3339 time/],
  ['{"status":"done"}', /^status is "done"; expected one of reading, practicing \(trying\)\.?$/],
  ['{"video_url":"x"}', /^video_url is "x"; expected an address/],
];
test('what is wrong with a value is said with what is right', async () => {
  const found = await read(wrong.map(([row]) => row).join('\n'), 'ndjson');
  for (const [at, [row, reason]] of wrong.entries()) assert.match(String(found[at]), reason, row.slice(0, 80));
  assert.equal(found.length, wrong.length);
  for (const [csv, reason] of [
    ['tags\n[1\n', /^tags is "\[1"; expected a JSON array/],
    ['state\n{\n', /^state is "\{"; expected a JSON object/],
    ['id\n"05"\n', /^id is "05"/],
  ] as const)
    assert.match(String(await read(csv, 'csv')), reason);
  await assert.rejects(read('id,titel\n1,a\n', 'csv'), { code: 'badFile', message: /^The header: .*"titel"/ });
});
