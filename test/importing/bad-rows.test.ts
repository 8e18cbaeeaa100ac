/** Rows that cannot be applied: each is reported with its place and reason, and unless skipped nothing of the file enters. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ImportName } from '../../src/importing/resources.ts';
import { assertAllRefused, assertRefused, type Garden, gardenOf, openGarden, report } from './support.ts';

const problem = (id: number | undefined, source_key: string, more: object = {}) => ({
  id,
  title: `Problem ${source_key}`,
  source: 'cses',
  source_key,
  ...more,
});

async function gardenWithTwo(t: TestContext): Promise<Garden> {
  const garden = await gardenOf(t, 'ada', 'bob');
  await garden.import('problems', [problem(1, '1'), problem(2, '2', { aliases: ['2b'] })]);
  return garden;
}

test('a row that names an unknown member or problem is bad, with its place and what to do', async (t) => {
  const garden = await gardenWithTwo(t);
  const bad: [RegExp, object][] = [
    [/no member is called carl; import records first/, { username: 'carl', problem: 1 }],
    [/no member has the id 3/, { user: 3, problem: 1 }],
    [/bob is member 2 here, not 1; leave user out to go by username/, { user: 1, username: 'bob', problem: 1 }],
    [/neither user nor username is given/, { problem: 1 }],
    [/no problem has the id 3/, { user: 1, problem: 3 }],
    [/id 1 and problem 2 differ/, { user: 1, problem: 2, id: 1 }],
    [/no problem of cses has the key 3/, { user: 1, source: 'cses', source_key: '3' }],
    [
      /cses 2 is problem 2 here, not 1; leave id and problem out to go by/,
      { user: 1, problem: 1, source: 'cses', source_key: '2' },
    ],
    [/neither problem nor source with source_key/, { user: 1, source: 'cses' }],
  ];
  const good = { user: 1, problem: 2 };
  await assertAllRefused(
    garden,
    bad.flatMap(([reason, row]) => [
      [reason, 'bookmarks', [good, row]],
      [reason, 'statuses', [good, row].map((mark) => ({ ...mark, status: 'reading' }))],
    ]),
  );
  const some = await garden.import('bookmarks', [good, ...bad.map(([, row]) => row)], { skipsBad: true });
  assert.deepEqual(some.report, report({ read: 10, new: 1, bad: 9 }));
  assert.match(some.badRows[0] ?? '', /^line 1, column 25: no member is called carl/);
});

test('a row that lacks what a new one needs is bad', async (t) => {
  const garden = await gardenWithTwo(t);
  const bad: [ImportName, object, RegExp][] = [
    ['problems', { id: 9, title: 't', source: 's' }, /title, source and source_key are needed/],
    ['problems', { title: 't' }, /title, source and source_key are needed/],
    ['records', { id: 9 }, /username is missing/],
    ['records', { username: 'two words' }, /username "two words" cannot be a username/],
    ['statuses', { user: 1, problem: 1 }, /status is missing/],
    ['plants', { user: 1, target: 3 }, /name is missing/],
    ['plants', { user: 1, name: ' ', target: 3 }, /name is missing/],
    ['plants', { user: 1, name: 'p' }, /target is missing/],
    ['plants', { user: 1, name: 'p', target: 1, by_date: '2026-02-30' }, /"2026-02-30" is not a date/],
    ['plants', { user: 1, name: 'p', target: 1, rating_min: 2, rating_max: 1 }, /2 is above 1/],
    ['plants', { user: 1, name: 'p', target: 1, rating_min: 10_001 }, /from -10000 to 10000/],
    ['plants', { user: 1, name: 'p', target: -1 }, /target is missing or less than 1/],
    ['plants', { name: 'p', target: 1 }, /neither user nor username/],
    ['plants', { username: 'carl', name: 'p', target: 1 }, /no member is called carl/],
  ];
  await assertAllRefused(
    garden,
    bad.map(([what, row, reason]) => [reason, what, [row]]),
  );
});

test('a value of the wrong kind is bad, and the message says which is right', async (t) => {
  const garden = await gardenWithTwo(t);
  const long = 'x'.repeat(51);
  const bad: [ImportName, object, RegExp][] = [
    ['problems', { id: 1, titel: 'x' }, /there is no field "titel", did you mean "title"\?/],
    ['problems', { id: 1, title: null }, /title is null; expected a text/],
    ['problems', { id: 1, created_at: '' }, /created_at is ""; expected an RFC 3339 time/],
    ['records', { id: 1, role: 'king' }, /role is "king"; expected one of member, staff \(administrator\)/],
    [
      'statuses',
      { user: 1, problem: 1, status: 'done' },
      /one of not_started, reading, practicing \(trying\), complete \(solved\)/,
    ],
    ['statuses', { user: 1, problem: 1, status: 'reading', origin: 'me' }, /one of self, judge/],
    ['handles', { username: 'ada', source: long, name: 'a' }, /there is no judge "x{50}" here/],
    ['preferences', { username: 'ada', name: long, value: '' }, /"x{50}" with this value/],
  ];
  await assertAllRefused(
    garden,
    bad.map(([what, row, reason]) => [reason, what, [row]]),
  );
});

test('an unknown column is the header’s fault: it is reported once and cannot be skipped', async (t) => {
  const garden = await gardenWithTwo(t);
  const csv = 'id,titel\n1,a\n2,b\n';
  const reason = /^The header: there is no field "titel", did you mean "title"\? There are id, title, /;
  await assertRefused(garden, reason, 'problems', csv, { format: 'csv', skipsBad: true });
});

test('bad rows are reported in the order of the file, the first ten of them', async (t) => {
  const garden = await openGarden(t);
  const lines = ['{"id":"x"}', '{"id":', ...Array.from({ length: 9 }, () => '7')];
  await assertRefused(
    garden,
    /^No row is valid and nothing was imported; correct the file, .*:\n {2}line 1, column 1: id is "x".*\n {2}line 2, column 7: Not JSON.*\n {2}line 3,(?:.*\n){7} {2}line 10, .*\n {2}and 1 more$/,
    'problems',
    lines.join('\n'),
    { format: 'ndjson' },
  );
});

test('a key that names another problem is refused, also where a row leaves its judge or its key out', async (t) => {
  const garden = await gardenWithTwo(t);
  await garden.import('problems', [problem(3, '2', { source: 'atcoder' })]);
  const taken: object[] = [
    problem(1, '2'),
    { id: 1, source_key: '2b' },
    { id: 1, aliases: ['2'] },
    { id: 3, source: 'cses' },
    problem(undefined, '2c', { aliases: ['1', '2'] }),
    problem(77, '2b'),
  ];
  for (const row of taken) await assertRefused(garden, /cses .* is problem . here, not /, 'problems', [row]);
  await assertRefused(garden, /source_key and aliases contain a key twice/, 'problems', [
    problem(1, '1', { aliases: ['1'] }),
  ]);
  await assertRefused(garden, /source_key and aliases contain a key twice/, 'problems', [
    { id: 1, aliases: ['7', '7'] },
  ]);
  const twice = [problem(undefined, '8', { aliases: ['9'] }), problem(5, '9')];
  await assertRefused(garden, /cses 9 is problem 6 here, not 5/, 'problems', twice);
});

test('a judge and a key with spaces in them are not mistaken for others', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const rows = [problem(1, 'c', { source: 'a b' }), problem(2, 'b c', { source: 'a' })];
  assert.deepEqual((await garden.import('problems', rows)).report, report({ read: 2, new: 2 }));
  await garden.import(
    'bookmarks',
    rows.map(({ source, source_key }) => ({ user: 1, source, source_key })),
  );
  assert.deepEqual(
    (await garden.rows('bookmarks')).map((row) => row['id']),
    [1, 2],
  );
});

test('a key that one row gives up is free for a later one', async (t) => {
  const garden = await gardenWithTwo(t);
  const rows = [{ id: 1, source_key: '1new' }, problem(undefined, '1'), problem(7, '8'), { id: 7, source_key: '9' }];
  const moved = await garden.import('problems', [...rows, problem(undefined, '8')]);
  assert.deepEqual(moved.report, report({ read: 5, new: 3, changed: 2 }));
  const keys = (await garden.rows('problems')).map(({ id, source_key }) => [id, source_key]);
  assert.deepEqual(keys.toSorted(), [
    [1, '1new'],
    [2, '2'],
    [7, '9'],
    [8, '1'],
    [9, '8'],
  ]);
});

test('members are renamed by id; a name that is taken meanwhile is refused, in whatever case', async (t) => {
  const garden = await gardenWithTwo(t);
  const swap = [
    { id: 1, username: 'bob' },
    { id: 2, username: 'ada' },
  ];
  await assertRefused(garden, /bob is member 2 here, not 1; leave the id out or rename one/, 'records', swap);
  await assertRefused(garden, /ADA is member 1 here, not 9/, 'records', [{ id: 9, username: 'ADA' }]);
  const chain = [
    { id: 2, username: 'carl' },
    { id: 1, username: 'bob' },
    { id: 3, username: 'Ada' },
  ];
  assert.deepEqual((await garden.import('records', chain)).report, report({ read: 3, new: 1, changed: 2 }));
  assert.deepEqual(
    (await garden.rows('records')).map(({ id, username }) => [id, username]),
    [
      [1, 'bob'],
      [2, 'carl'],
      [3, 'Ada'],
    ],
  );
});

test('an empty file has no rows; only CSV needs a header', async (t) => {
  const garden = await openGarden(t);
  for (const [content, format] of [
    ['[]', 'json'],
    ['', 'ndjson'],
    ['id,title\r\n', 'csv'],
  ] as const) {
    assert.deepEqual((await garden.import('problems', content, { format })).report, report({}));
  }
  await assertRefused(garden, /The file is empty/, 'problems', '', { format: 'json' });
  await assertRefused(garden, /The file is empty: it needs a header/, 'problems', '', { format: 'csv' });
});
