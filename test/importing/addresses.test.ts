/** Addresses in files: only those of the web enter, since pages make links of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Format, formats } from '../../src/contract/rows.ts';
import { assertAllRefused, codeforces, openGarden, report } from './support.ts';

const fields = ['url', 'editorial_url', 'video_url'];

const refused = [
  ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', '\tjavascript:alert(1)'],
  ...['\u0001javascript:alert(1)', 'java\nscript:alert(1)', 'java\tscript:alert(1)'],
  ...['javascript://%0aalert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x'],
  ...['file:///etc/passwd', 'ftp://a.example/', 'mailto:a@b.example', 'blob:https://a.example/1'],
  ...['view-source:https://a.example/', 'about:blank', '', ' ', 'a.example/x', '/x', 'x', '//a.example/x'],
  ...['?x', '#x', 'http', 'http:', 'https:a.example', 'https:/a.example', 'https:\\\\a.example', 'https://'],
  ...['http://?', 'http:///', 'https://a.example:99999/', ' https://a.example/', 'https://a.example/ '],
  ...['https://a.example/a b', 'https://a.example/\n', 'ht\ntps://a.example/', 'https://a.\texample/'],
  ...['https://a.example/\u0000', 'https://a.example/\u202egro', '\ufeffhttps://a.example/'],
  ...['https://a.example\\@b.example/', 'https://[::1/', 'https://a b/', 'https://ada@a.example/'],
  ...['https://ada:secret@a.example/', 'https://codeforces.com:x@b.example/'],
];
const taken = [
  ...['https://a.example', 'http://a.example/', 'HTTPS://A.EXAMPLE/x?y=1&z=a|b#here'],
  ...['http://localhost:8080/x', 'https://[::1]/x', 'http://127.0.0.1/', 'https://a.example/@ada/x:y'],
  ...['https://a.example/グラフ', 'https://ü.example/', 'https://a.example/%6a%61?q=javascript:alert(1)'],
  ...['https://a.example/\'"<>{}', 'https://a.example//x'],
];

function fileOf(field: string, address: string, format: Format): string {
  const row = { id: 1, title: 'One', source: 'cses', source_key: '1', [field]: address };
  if (format !== 'csv') return format === 'json' ? JSON.stringify([row]) : JSON.stringify(row);
  const cells = Object.values(row).map((cell) => `"${String(cell).replaceAll('"', '""')}"`);
  return `${Object.keys(row).join(',')}\n${cells.join(',')}\n`;
}

for (const format of formats) {
  test(`as ${format} a row whose address is none of the web is bad`, async (t) => {
    const garden = await openGarden(t);
    const imports = fields.flatMap((field) =>
      refused.map((address): Parameters<typeof assertAllRefused>[1][number] => {
        const says = /\0/.test(address) ? 'NUL' : 'expected an address that begins with http:// or https://';
        const reason = new RegExp(`line \\d, column [12]: ${field} is .*${says}`);
        return [reason, 'problems', fileOf(field, address, format), { format }];
      }),
    );
    await assertAllRefused(garden, imports);
  });
}

test('an address of the web is kept as it is written, and null and an empty cell are none', async (t) => {
  const garden = await openGarden(t);
  for (const format of formats) {
    for (const field of fields) {
      for (const address of taken) {
        await garden.import('problems', fileOf(field, address, format), { format });
        assert.equal((await garden.rows('problems'))[0]?.[field], address);
      }
    }
  }
  await garden.import('problems', [{ id: 1, url: null, video_url: null }]);
  await garden.import('problems', 'id,editorial_url\n1,\n', { format: 'csv' });
  const [row] = await garden.rows('problems');
  assert.deepEqual(
    fields.map((field) => row?.[field]),
    [null, null, null],
  );
});

test('--skip-bad leaves out the rows with bad addresses alone', async (t) => {
  const garden = await openGarden(t);
  const rows = ['javascript:alert(1)', 'https://a.example/'].map((url, n) => ({
    title: 't',
    source: 'cses',
    source_key: String(n),
    url,
  }));
  const { report: figures, badRows } = await garden.import('problems', rows, { skipsBad: true });
  assert.deepEqual(figures, report({ read: 2, new: 1, bad: 1 }));
  assert.match(badRows[0] ?? '', /^line 1, column 2: url is "javascript:alert\(1\)"; expected an address/);
});

test('no judge’s file brings an address of another kind or another site', async (t) => {
  const garden = await openGarden(t);
  const list = (...problems: object[]) => problems;
  await assertAllRefused(
    garden,
    refused.map((link) => [
      /link is .*; expected https:\/\/cses\.fi/,
      'cses-problems',
      list({ category: 'c', name: 'n', link, solves: 1 }),
    ]),
  );
  const hostile = ['javascript:alert(1)', '../x', 'a/b', '\njavascript:x', '@evil.example', '//evil.example'];
  for (const text of hostile)
    await assertAllRefused(garden, [
      [/index is/, 'codeforces-problems', codeforces({ contestId: 1, index: text, name: 'n' })],
      [/index is/, 'codeforces-problems', codeforces({ problemsetName: 'acmsguru', index: text, name: 'n' })],
      [/id is/, 'atcoder-problems', list({ id: text, contest_id: 'abc', problem_index: 'A', name: 'n' })],
      [/contest_id is/, 'atcoder-problems', list({ id: 'abc_a', contest_id: text, problem_index: 'A', name: 'n' })],
    ]);
  const url = 'javascript:alert(1)';
  await garden.import('codeforces-problems', codeforces({ contestId: 1, index: 'A', name: 'n', url, link: url }));
  await garden.import('atcoder-problems', list({ id: 'abc_a', contest_id: 'abc', problem_index: 'A', name: 'n', url }));
  assert.deepEqual(
    (await garden.rows('problems')).map((row) => row['url']),
    ['https://codeforces.com/problemset/problem/1/A', 'https://atcoder.jp/contests/abc/tasks/abc_a'],
  );
});
