/** Files of our own resources: which member a row means, what it changes, and what is wrong with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longestText } from '../../src/contract/common.ts';
import { assertRefused, exported, type Garden, gardenOf, openGarden, report } from './support.ts';

const at = '2026-03-03T03:03:03.003Z';
const problem = (id: number | undefined, source_key: string, more: object = {}) => ({
  id,
  title: `Problem ${source_key}`,
  source: 'cses',
  source_key,
  created_at: at,
  updated_at: at,
  ...more,
});
const figuresOf = async (garden: Garden, ...args: Parameters<Garden['import']>) =>
  (await garden.import(...args)).report;

test('rows without ids mean what their natural keys name, and new ones are given ids', async (t) => {
  const garden = await openGarden(t);
  const files = {
    records: [{ username: 'ada', role: 'staff' }, { username: 'bob' }],
    problems: [problem(undefined, '1068'), problem(undefined, '1069', { aliases: ['1069b'] })],
    statuses: [{ username: 'ADA', source: 'cses', source_key: '1069b', status: 'complete', updated_at: at }],
    bookmarks: [{ username: 'bob', source: 'cses', source_key: '1068', note: null, created_at: at }],
    plants: [{ username: 'bob', name: 'Arrays', target: 5, planted_at: at }],
  } as const;
  const assertAll = async (outcome: 'new' | 'kept') => {
    for (const [what, rows] of Object.entries(files)) {
      const figures = await figuresOf(garden, what as keyof typeof files, rows);
      assert.deepEqual(figures, report({ read: rows.length, [outcome]: rows.length }), what);
    }
  };
  await assertAll('new');
  const before = await garden.everything();
  await assertAll('kept');
  assert.equal(await garden.everything(), before);
  assert.deepEqual(await garden.rows('statuses'), [
    { id: 2, user: 1, problem: 2, status: 'complete', origin: 'self', updated_at: at },
  ]);
});

test('an import that would leave the garden without an administrator changes nothing', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ username: 'ada', role: 'staff' }, { username: 'bob' }]);
  const ada = { username: 'ada', role: 'member' };
  const before = await garden.everything();
  await assert.rejects(garden.import('records', [ada]), /this is the only administrator/);
  assert.equal(await garden.everything(), before);
  const handedOver = [ada, { username: 'bob', role: 'staff' }];
  assert.deepEqual(await figuresOf(garden, 'records', handedOver), report({ read: 2, changed: 2 }));
});

test('a row changes the fields it gives and no others', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ id: 5, username: 'ada', email: 'a@b.example', city: 'London', created_at: at }]);
  await garden.import('problems', [problem(8, '1068', { rating: 100, tags: ['x'] })]);
  await garden.import('plants', [{ id: 9, user: 5, name: 'Arrays', tag: 'arrays', target: 5, planted_at: at }]);
  await garden.import('bookmarks', [{ user: 5, problem: 8, note: 'n', created_at: at, updated_at: at }]);
  const [plant] = await garden.rows('plants');
  const csv = { format: 'csv' } as const;
  assert.deepEqual(await figuresOf(garden, 'records', 'id,city\n5,Paris\n', csv), report({ read: 1, changed: 1 }));
  assert.deepEqual(await figuresOf(garden, 'problems', 'id,rating\n8,\n', csv), report({ read: 1, changed: 1 }));
  assert.deepEqual(await figuresOf(garden, 'plants', 'id,target\n9,50\n', csv), report({ read: 1, changed: 1 }));
  const marked = await figuresOf(garden, 'bookmarks', 'user,id,note\n5,8,""\n', csv);
  assert.deepEqual(marked, report({ read: 1, changed: 1 }));
  const handle = { username: 'ada', source: 'codeforces', name: 'ada_cf' };
  await garden.import('handles', [handle]);
  const dated = [{ ...handle, created_at: at }];
  assert.deepEqual(await figuresOf(garden, 'handles', dated), report({ read: 1, changed: 1 }));
  assert.deepEqual(await figuresOf(garden, 'handles', [handle]), report({ read: 1, kept: 1 }));
  const handles = garden.store.reader.selectFrom('handles').select('created_at');
  assert.deepEqual(await handles.execute(), [{ created_at: at }]);
  const [record] = await garden.rows('records');
  assert.deepEqual([record?.['email'], record?.['city'], record?.['created_at']], ['a@b.example', 'Paris', at]);
  const [row] = await garden.rows('problems');
  assert.deepEqual([row?.['rating'], row?.['tags'], row?.['title']], [null, ['x'], 'Problem 1068']);
  assert.deepEqual(await garden.rows('plants'), [{ ...plant, tag: 'arrays', target: 50, species: 'meadow' }]);
  const mark = { user: 5, problem: 8 };
  await garden.import('bookmarks', [{ ...mark, labels: ['dp'], editorial_at: at, note: 'n' }]);
  await garden.import('bookmarks', [{ ...mark, starred: 'no' }]);
  const [bookmark] = JSON.parse(await exported(garden.store, 'bookmarks', 'json'));
  const { labels, starred, editorial_at, note, created_at } = bookmark;
  assert.deepEqual([labels, starred, editorial_at, note, created_at], [['dp'], 'no', at, 'n', at]);
});

test('the edits of a plant are kept as a page writes them, and its id names it by its name alone', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob');
  const before = [{ at, name: 'Old', target: '7' }];
  const edits = { before: [{ ...before[0], by_date: null }] };
  const plant = { id: 4, username: 'ada', name: 'New', target: 8, list: ' Camp ', edits };
  await garden.import('plants', [plant]);
  const [row] = await garden.rows('plants');
  assert.deepEqual([row?.['list'], row?.['edits']], ['Camp', { before }]);
  const other = { ...plant, name: 'Other' };
  await assertRefused(garden, /4 .*"New"/, 'plants', [other], { trustsIds: false });
  assert.deepEqual(await figuresOf(garden, 'plants', [other]), report({ read: 1, changed: 1 }));
  const named = (name: string) => [{ ...plant, edits: { before: [{ ...before[0], name }] } }];
  for (const name of ['a\0b', 'x'.repeat(longestText + 1)])
    await assertRefused(garden, /edits is not valid/, 'plants', named(name));
  await garden.import('plants', named('x'.repeat(longestText)));
  await garden.import('plants', [{ ...other, id: 5, user: 2, username: undefined }]);
  for (const [id, name, figures] of [
    [4, 'Mine', { changed: 1 }],
    [5, 'Hers', { new: 1 }],
  ] as const)
    assert.deepEqual(
      await figuresOf(garden, 'plants', [{ id, name, target: 8 }], { owner: 1n }),
      report({ read: 1, ...figures }),
    );
  assert.deepEqual((await garden.rows('plants')).map(({ id, user, name }) => [id, user, name]).slice(0, 2), [
    [4, 1, 'Mine'],
    [5, 2, 'Other'],
  ]);
});

test('a plant names its list by owner and time if its member may see it, and has neither topic nor filters then', async (t) => {
  const garden = await gardenOf(t, 'ada', 'bob');
  const content = { sections: [] };
  const list = (username: string, name: string, visibility = 'private', created_at = at) => {
    return { username, name, visibility, content, created_at };
  };
  const later = '2026-02-02T02:02:02.002Z';
  const lists = [
    list('ada', 'Camp'),
    list('ada', 'Two'),
    list('bob', 'Open', 'garden'),
    list('bob', 'Own', 'private', later),
  ];
  await garden.import('lists', lists);
  const shown = async () => {
    const query = garden.store.reader
      .selectFrom('plants')
      .select(['list_id', 'list_name', 'tag', 'source', 'rating_min']);
    return Object.values(await query.executeTakeFirstOrThrow());
  };
  const made = { list_made_at: at };
  for (const [row, list_id, list_name] of [
    [{ list: 'Two', list_owner: 'ADA', ...made }, 2n, 'Two'],
    [{ list: 'Two', list_owner: 'carl', ...made }, 2n, 'Two'],
    [{ list: 'Three', list_owner: 'ada', ...made }, 1n, 'Three'],
    [{ list: 'Camp', list_owner: 'carl', ...made }, null, 'Camp'],
    [{ list: 'Open', list_owner: 'bob', ...made }, 3n, 'Open'],
    [{ list: 'Own', list_owner: 'bob', list_made_at: later }, null, 'Own'],
    [{ list: 'Camp', list_owner: 'ada' }, null, 'Camp'],
    [{ list: 'Two', ...made }, null, 'Two'],
  ] as const) {
    const filters = { tag: 'dp', rating_min: 800 };
    await garden.import('plants', [{ username: 'ada', name: 'p', target: 1, ...filters, ...row }]);
    assert.deepEqual(await shown(), [list_id, list_name, null, null, null], JSON.stringify(row));
  }
  for (const list of [' ', null]) {
    await garden.import('plants', [{ username: 'ada', name: 'p', target: 1, list: 'Two', list_owner: 'ada', ...made }]);
    await garden.import('plants', [{ username: 'ada', name: 'p', list, tag: 'dp', rating_min: 800 }]);
    assert.deepEqual(await shown(), [null, null, 'dp', null, 800n]);
  }
});

test('the state before a judge’s word is kept with its time, and without one where it was solved', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import(
    'problems',
    [1, 2, 3, 4].map((id) => problem(id, `${id}`)),
  );
  const row = { username: 'ada', status: 'complete', origin: 'judge', updated_at: at };
  const table = [
    ['reading', at, 'reading', at],
    ['reading', null, null, null],
    ['complete', null, 'complete', null],
    [null, at, null, null],
  ] as const;
  const rows = table.map(([earlier_status, earlier_at], n) => ({ ...row, problem: n + 1, earlier_status, earlier_at }));
  await garden.import('statuses', rows);
  const kept = garden.store.reader.selectFrom('statuses').select(['earlier_status', 'earlier_at']);
  assert.deepEqual(
    (await kept.orderBy('problem_id').execute()).map((one) => Object.values(one)),
    table.map((one) => one.slice(2)),
  );
});

test('a row of history, reviews, timers, ratings or submissions keeps what it leaves out', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [problem(8, '1068')]);
  await garden.import('handles', [{ username: 'ada', source: 'codeforces', name: 'ada_cf' }]);
  const own = { username: 'ada', source: 'cses', source_key: '1068' };
  const sent = { username: 'ada', source: 'codeforces', handle: 'ada_cf' };
  const later = '2026-03-04T00:00:00.000Z';
  const change = { ...own, batch: 1, kind: 'bookmark', made_at: at, before: null };
  const state = { note: null, created_at: at, updated_at: at };
  for (const [what, row, left] of [
    ['reviews', { ...own, grade: 'good', made_at: at }, { undone_at: later }],
    ['changes', { ...change, after: state }, { undone_at: later }],
    [
      'timers',
      { ...own, started_at: at },
      { pauses: [at, later], stopped_at: later, outcome: 'solved', grade: 'easy', undone_at: later },
    ],
    ['ratings', { ...sent, contest: '1', title: 'Round', rating: 1500, rated_at: at }, { place: 7 }],
    [
      'submissions',
      { ...sent, submission_id: '1', key: '1A', verdict_class: 'solved', verdict: 'OK', submitted_at: at },
      { contest: '1', participation: 'virtual', language: 'C++', is_team: 1, judge_team: '77', virtual_began_at: at },
    ],
  ] as const) {
    assert.deepEqual(await figuresOf(garden, what, [{ ...row, ...left }]), report({ read: 1, new: 1 }), what);
    assert.partialDeepStrictEqual(JSON.parse(await exported(garden.store, what, 'json'))[0], left);
    const before = await garden.everything();
    assert.deepEqual(await figuresOf(garden, what, [row]), report({ read: 1, kept: 1 }), what);
    assert.equal(await garden.everything(), before, what);
  }
});

test('a submission with a long language comes back as it was exported, and a longer one is cut', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [problem(8, '1A', { source: 'codeforces' })]);
  await garden.import('handles', [{ username: 'ada', source: 'codeforces', name: 'ada_cf' }]);
  const sent = { username: 'ada', source: 'codeforces', handle: 'ada_cf', key: '1A', verdict_class: 'solved' };
  const row = (submission_id: string, language: string, verdict = 'OK') => {
    return { ...sent, submission_id, submitted_at: at, language, verdict, contest: '' };
  };
  const all = [row('1', 'x'.repeat(200)), row('2', 'x'.repeat(900)), row('3', ' ', 'y'.repeat(900))];
  await garden.import('submissions', all);
  const kept = await garden.store.reader.selectFrom('solves').selectAll().orderBy('submission_id').execute();
  assert.deepEqual(
    kept.map(({ language, verdict, contest }) => [language?.length, verdict?.length, contest]),
    [
      [200, 2, null],
      [200, 2, null],
      [undefined, 100, null],
    ],
  );
  assert.deepEqual(
    (await garden.rows('statuses')).map(({ status }) => status),
    ['complete'],
  );
  const rows = JSON.parse(await exported(garden.store, 'submissions', 'json'));
  assert.deepEqual(await figuresOf(garden, 'submissions', rows), report({ read: 3, kept: 3 }));
});

test('a review or a change that stands twice in a file is one, undone as the later row says', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [problem(8, '1068')]);
  const own = { username: 'ada', source: 'cses', source_key: '1068', made_at: at };
  const after = { note: null, created_at: at, updated_at: at };
  for (const [what, row] of [
    ['reviews', { ...own, grade: 'good' }],
    ['changes', { ...own, batch: 1, kind: 'bookmark', before: null, after }],
  ] as const) {
    await garden.import(what, [row, { ...row, undone_at: at }, { ...row, undone_at: at }]);
    const all = await garden.store.reader.selectFrom(what).select('undone_at').execute();
    assert.deepEqual(all, [{ undone_at: at }], what);
  }
});

test('an empty cell of a field that cannot be null leaves the field out', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [problem(8, '1068'), problem(9, '1069')]);
  const csv = 'id,source,source_key,user,username,status\n8,,,1,,reading\n,cses,1069,,ada,complete\n';
  assert.deepEqual(await figuresOf(garden, 'statuses', csv, { format: 'csv' }), report({ read: 2, new: 2 }));
});

test('of a row that stands twice in a file the later counts, wherever the batches are cut', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import('problems', [problem(1, '1')]);
  const filler = (make: (n: number) => object) => Array.from({ length: 1200 }, (_, n) => make(n + 10));
  const files = {
    problems: [
      problem(undefined, '2'),
      problem(undefined, '2', { title: 'Later' }),
      ...filler((n) => problem(undefined, `x${n}`)),
      ...Array(2).fill(problem(undefined, '2', { title: 'Last' })),
    ],
    records: [
      { username: 'bob', created_at: at, updated_at: at },
      { username: 'bob', city: 'Rome', updated_at: at },
      ...filler((n) => ({ username: `m${n}` })),
      ...Array(2).fill({ username: 'BOB', city: 'Oslo' }),
    ],
    plants: [
      ...[1, 2].map((target) => ({ user: 1, name: 'P', target })),
      ...filler((n) => ({ user: 1, name: `p${n}`, target: n })),
      ...Array(2).fill({ user: 1, name: 'P', target: 3 }),
    ],
  } as const;
  for (const [what, rows] of Object.entries(files)) {
    const figures = await figuresOf(garden, what as keyof typeof files, rows);
    assert.deepEqual(figures, report({ read: 1204, new: 1201, changed: 2, kept: 1 }), what);
  }
  const own = { user: 1, problem: 1 };
  const marks = ['reading', 'practicing', 'practicing'].map((status) => ({ ...own, status }));
  assert.deepEqual(await figuresOf(garden, 'statuses', marks), report({ read: 3, new: 1, changed: 1, kept: 1 }));
  const notes = ['a', 'b', 'b'].map((note) => ({ ...own, note }));
  assert.deepEqual(await figuresOf(garden, 'bookmarks', notes), report({ read: 3, new: 1, changed: 1, kept: 1 }));
  const [later] = (await garden.rows('problems')).filter((row) => row['source_key'] === '2');
  assert.equal(later?.['title'], 'Last');
});

test('a row without an id is never given the id that another row of its file brings along', async (t) => {
  const garden = await openGarden(t);
  const filler = Array.from({ length: 1100 }, (_, n) => problem(undefined, `x${n}`));
  const rows = [problem(undefined, 'first'), problem(1, 'second'), ...filler, problem(500, 'last')];
  assert.deepEqual(await figuresOf(garden, 'problems', rows), report({ read: 1103, new: 1103 }));
  assert.deepEqual(
    await figuresOf(garden, 'records', [{ username: 'ada' }, { id: 1, username: 'bob' }]),
    report({ read: 2, new: 2 }),
  );
  const plants = [
    { username: 'bob', name: 'a', target: 1 },
    { id: 1, username: 'ada', name: 'b', target: 1 },
  ];
  assert.deepEqual(await figuresOf(garden, 'plants', plants), report({ read: 2, new: 2 }));
  await garden.import('records', [{ username: 'bob' }, { id: 9, username: 'cy' }, { username: 'dan' }]);
  await garden.import('records', [{ username: 'eve' }]);
  assert.deepEqual(
    (await garden.rows('records')).map(({ id, username }) => `${id} ${username}`),
    ['1 bob', '2 ada', '9 cy', '10 dan', '11 eve'],
    'no id is reserved in vain',
  );
});

test('ids from all of int64 are kept, and later ones are given beside them', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const ids = ['-9223372036854775808', '-1', '0', '9007199254740992', '9007199254740993', '9223372036854775807'];
  const lines = ids.map((id) => `{"id":${id},"user":1,"name":"plant ${id}","target":9223372036854775807}\n`);
  const ndjson = { format: 'ndjson' } as const;
  assert.deepEqual(await figuresOf(garden, 'plants', lines.join(''), ndjson), report({ read: 6, new: 6 }));
  assert.deepEqual(await figuresOf(garden, 'plants', lines.join(''), ndjson).then(({ changed }) => changed), 0);
  await garden.import('plants', [{ user: 1, name: 'given', target: 1 }]);
  const given = (await garden.store.reader.selectFrom('plants').select('id').orderBy('id').execute()).map((row) =>
    String(row.id),
  );
  assert.deepEqual(given, [...ids.slice(0, 3), '1', ...ids.slice(3)]);
});

test('how many people solved a problem at its judge is in the exports of problems, and read again', async (t) => {
  const garden = await openGarden(t);
  await garden.import('problems', [problem(1, '1068', { solved_by: 97_000 }), problem(2, '1069')]);
  for (const format of ['json', 'ndjson', 'csv'] as const) {
    const file = await exported(garden.store, 'problems', format);
    assert.match(
      file,
      format === 'csv' ? /,solved_by\r\n.*,97000\r\n.*,\r\n$/ : /"solved_by":97000\}.*"solved_by":null\}/s,
    );
    const copy = await openGarden(t);
    assert.deepEqual((await copy.import('problems', file, { format })).report, report({ read: 2, new: 2 }));
    assert.equal(await exported(copy.store, 'problems', format), file);
    const again = await copy.import('problems', file, { format });
    assert.deepEqual([again.report, again.hasWritten], [report({ read: 2, kept: 2 }), false]);
  }
  await garden.import('problems', [problem(1, '1068', { title: 'Weird Algorithm' })]);
  assert.match(await exported(garden.store, 'problems', 'ndjson'), /"Weird Algorithm".*"solved_by":97000\}/);
  const more = await garden.import('problems', [problem(1, '1068', { title: 'Weird Algorithm', solved_by: 97_001 })]);
  assert.deepEqual([more.report, more.hasWritten], [report({ read: 1, kept: 1 }), true]);
  assert.match(await exported(garden.store, 'problems', 'ndjson'), /"solved_by":97001\}/);
  await assertRefused(garden, /solved_by is -1; expected 0 or more/, 'problems', [
    problem(3, '1070', { solved_by: -1 }),
  ]);
});
