/** DMOJ's problems and submissions, good and bad. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemAt } from '../../src/judges/addresses.ts';
import { dmoj } from '../../src/judges/dmoj.ts';
import { dmojRow, replayDmoj } from '../replay/dmoj.ts';
import { assertBadFile } from '../support/files.ts';
import { asking, assertFault, faultsIn, stateAt, valuesIn } from './support.ts';

const { problems, submissions } = dmoj.files;
const answer = (...objects: unknown[]) => ({ data: { has_more: false, objects } });
const problem = { code: 'aplusb', name: 'A Plus B', types: ['Simple Math', 'Uncategorized'], group: 'x' };
const sent = {
  id: 7,
  problem: 'aplusb',
  user: 'ada',
  date: '2020-03-01T12:00:00.123456+01:00',
  language: 'PY3',
  time: 0.5,
  memory: 12.25,
  points: 5.0,
  result: 'AC',
  contest: null,
};

test('a problem has the address of the site that was asked', async () => {
  const expected = { source_key: 'aplusb', title: 'A Plus B', tags: '["simple math","uncategorized"]' };
  assert.deepEqual(await valuesIn(problems, answer(problem)), [
    { columns: { ...expected, url: 'https://dmoj.ca/problem/aplusb' } },
  ]);
  assert.deepEqual(await valuesIn(problems, answer(problem), 'https://judge.club.example/oj'), [
    { columns: { ...expected, url: 'https://judge.club.example/oj/problem/aplusb' } },
  ]);
});

test('results, participation and times are read', async () => {
  const rows = [
    sent,
    { ...sent, result: 'CE', contest: { key: 'c', virtual_participation_number: 0 } },
    { ...sent, result: 'TLE', contest: { key: 'c', virtual_participation_number: 2 } },
    { ...sent, result: null, contest: undefined },
    { ...sent, result: 'AB', contest: { key: 'c', virtual_participation_number: -1 } },
    { ...sent, result: 'AC (partial)', contest: { key: 'c' } },
    { ...sent, result: 'IE', contest: 'c' },
    { ...sent, result: 'QU', contest: { key: 'c', virtual_participation_number: 1 } },
  ];
  const found = await valuesIn(submissions, answer(...rows));
  assert.deepEqual(found[0], {
    id: '7',
    key: 'aplusb',
    handles: ['ada'],
    submittedAt: '2020-03-01T11:00:00.123Z',
    verdictClass: 'solved',
    verdict: 'AC',
    participation: 'practice',
    language: 'PY3',
    isGym: false,
    contest: null,
  });
  assert.deepEqual(
    found.map(({ verdictClass, participation, contest }) => [verdictClass, participation, contest]),
    [
      ['solved', 'practice', null],
      ['void', 'contest', 'c'],
      ['tried', 'virtual', 'c'],
      ['pending', null, null],
      ['void', 'practice', 'c'],
      ['tried', 'practice', 'c'],
      ['void', null, null],
      ['tried', 'virtual', 'c'],
    ],
  );
});

test('a wrong field makes a bad entry, and another kind of file is refused by name', async () => {
  const rows = [
    { ...sent, problem: '../x' },
    { ...sent, date: 'yesterday' },
    { ...sent, id: null },
  ];
  assert.deepEqual(await faultsIn(submissions, answer(...rows)), [
    'problem is "../x"; expected a problem code of small letters and digits.',
    'date is "yesterday"; expected a time such as 2026-01-31T12:00:00Z.',
    'id is null; expected a whole number from 0 to 9007199254740991.',
  ]);
  await assertBadFile(valuesIn(problems, answer(sent)), /import it with dmoj-submissions/);
});

test('an address names a problem at the site that the garden has, and at no other', () => {
  const places = new Map([['dmoj', { url: 'https://club.example/judge' }]]);
  const keyAt = (address: string, sites = new Map()) => {
    const found = problemAt(address, sites);
    return found?.source === 'dmoj' ? found.key : undefined;
  };
  assert.equal(keyAt('dmoj.ca/problem/aplusb/submissions/'), 'aplusb');
  assert.equal(keyAt('https://www.club.example/judge/problem/pond', places), 'pond');
  assert.equal(keyAt('club.example/judge/problem/pond/rank/', places), 'pond');
  for (const other of ['https://dmoj.ca/problems/', 'https://dmoj.ca/problem/A+B', 'https://x.example/problem/a'])
    assert.equal(keyAt(other), undefined, other);
  for (const other of ['https://dmoj.ca/problem/aplusb', 'https://club.example/problem/pond', 'x'])
    assert.equal(keyAt(other, places), undefined, other);
});

const start = Date.parse('2026-01-01T00:00:00Z');
const day = 86_400_000;
const row = (id: number) => dmojRow(id, 'p', start + id * day, 'WA');
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 1));
const pages = (paths: readonly string[]) => paths.map((path) => /page=(\d+)$/.exec(path)?.[1]).join(' ');

test('the newest of all are found by bisection once, and then on the page where they were', async () => {
  const { newest, isHint } = dmoj.api.feed ?? {};
  assert.equal(isHint, true);
  const feed = async (count: number, cursor: unknown, isNewestFirst = false) => {
    const { ask, paths } = asking(replayDmoj({ submissions: rows(count) }, { pageSize: 2, isNewestFirst }));
    const found = await newest?.(ask, 9, cursor);
    return [pages(paths), found?.rows.map(({ id }) => id).join(' '), found?.cursor];
  };
  assert.deepEqual(await feed(9, undefined), ['1 2 4 8 6 5 4 5', '7 8 9', 5]);
  assert.deepEqual(await feed(3, undefined), ['1 2 1 2', '1 2 3', 2]);
  assert.deepEqual(await feed(2, undefined), ['1', '1 2', 1]);
  assert.deepEqual(await feed(9, 5), ['5', '9', 5]);
  assert.deepEqual(await feed(9, 1), ['1 2 3 4 5', '1 2 3 4 5 6 7 8 9', 5]);
  assert.deepEqual(await feed(14, 1), ['1 2 3 4 5 6', '1 2 3 4 5 6 7 8 9 10', 6]);
  for (const gone of [2, 5])
    assert.deepEqual(await feed(2, gone), [`${gone} 1`, '1 2', 1], 'there are fewer pages than there were');
  assert.deepEqual(await feed(9, undefined, true), ['1', '9 8', 1]);
  assert.deepEqual(await feed(9, 1, true), ['1', '9 8', 1]);
  const [first] = (await newest?.(asking(replayDmoj({ submissions: rows(1) })).ask, 9, 1))?.rows ?? [];
  assert.deepEqual(first, { id: 1, at: start + day, handles: ['ada'], value: row(1) });
});

test('a run goes on where the last days begin, and reads all again after thirty days', async () => {
  const { ask, run } = asking(replayDmoj({ submissions: rows(35) }, { pageSize: 10 }));
  const runAt = async (ms: number, cursor?: unknown) => {
    const found = await run(dmoj.api.submissions?.(ask, 'ada', stateAt(ms / 1000, cursor)));
    return [pages(found.paths.filter((path) => path.includes('page='))), found.cursor];
  };
  const now = start + 40 * day;
  const lasts = [10, 20, 30, 35].map((id) => start + id * day);
  const cursor = { lasts, wholeAt: now, through: start + 35 * day };
  assert.deepEqual(await runAt(now), ['1 2 3 4', cursor]);
  assert.deepEqual(await runAt(now + 30 * day - 1, cursor), ['3 4', cursor], 'seven days before the last one');
  assert.deepEqual(await runAt(now, { ...cursor, through: start + 37 * day }), [
    '3 4',
    { ...cursor, through: start + 37 * day },
  ]);
  assert.deepEqual(await runAt(now, { ...cursor, through: start + 37 * day + 1 }), [
    '4',
    { ...cursor, through: start + 37 * day + 1 },
  ]);
  const more = { ...cursor, lasts: [...lasts.slice(0, 3), 0, start + 36 * day] };
  assert.deepEqual(await runAt(now, { ...more, through: start + 43 * day }), [
    '5 1 2 3 4',
    { ...cursor, through: start + 43 * day },
  ]);
  assert.deepEqual(await runAt(now + 30 * day, cursor), ['1 2 3 4', { ...cursor, wholeAt: now + 30 * day }]);
  for (const [through, read] of [
    [undefined, '1 2 3 4'],
    [33, '1 2'],
    [34, '1'],
  ] as const) {
    const newestFirst = asking(replayDmoj({ submissions: rows(35) }, { pageSize: 10, isNewestFirst: true }));
    const state = through && { lasts: [], wholeAt: now, through: start + through * day };
    const { paths } = await newestFirst.run(dmoj.api.submissions?.(newestFirst.ask, 'ada', stateAt(now / 1000, state)));
    assert.equal(pages(paths.filter((path) => path.includes('page='))), read, `${through}`);
  }
});

const contest = (key: string, more: object = {}) => ({
  key,
  name: `Contest ${key}`,
  start_time: '2026-01-01T00:00:00+00:00',
  end_time: '2026-01-01T03:00:00.400+00:00',
  ...more,
});

test('nobody has a name for which DMOJ has neither submissions nor a page', async () => {
  const { ask, run } = asking(replayDmoj({ submissions: [], users: ['ada'] }));
  const runOf = (name: string) => run(dmoj.api.submissions?.(ask, name, stateAt(0, undefined)));
  assert.deepEqual((await runOf('ada')).cursor, { lasts: [0], wholeAt: 0, through: 0 });
  await assert.rejects(runOf('bob'), /DMOJ has no user bob/);
});

test('rated contests have the title and end of the list of contests, which is asked for by fifty', async () => {
  const contests = Array.from({ length: 102 }, (_, n) => contest(`c${n}`, n === 1 ? { name: ' ' } : {}));
  const rated = [
    ...contests.map(({ key }, n) => ({ key, rating: n === 0 ? null : 1000 + n })),
    null,
    ...[7, 'x'.repeat(101)].map((key) => ({ key, rating: 1 })),
  ];
  const { ask, paths } = asking(replayDmoj({ submissions: [], users: ['ada'], contests, taken: { ada: rated } }));
  const stored = new Map([['c2', { contest: 'c2', title: 'Two', place: null, rating: 1n, rated_at: 'then' }]]);
  const { values, skipped } = (await dmoj.api.ratings?.history(ask, 'ada', stored)) ?? {};
  const rated_at = '2026-01-01T03:00:00.400Z';
  assert.deepEqual(values?.slice(0, 3), [
    { contest: 'c1', title: 'c1', place: null, rating: 1001n, rated_at },
    { contest: 'c2', title: 'Two', place: null, rating: 1002n, rated_at: 'then' },
    { contest: 'c3', title: 'Contest c3', place: null, rating: 1003n, rated_at },
  ]);
  assert.deepEqual([values?.length, skipped?.length], [101, 3]);
  assert.deepEqual(
    paths.map((path) => new URLSearchParams(path.split('?')[1]).getAll('key').length),
    [0, 50, 50],
  );
});

test('contests to come are those that end no earlier than thirty days ago, of at most twenty pages', async () => {
  const now = new Date(start + 30 * day);
  const contests = [
    contest('old', { end_time: new Date(start - 1).toISOString() }),
    contest('new', { end_time: new Date(start + day).toISOString(), name: 'x'.repeat(301) }),
    contest('odd', { end_time: 'soon' }),
    contest('late', { start_time: new Date(start).toISOString(), end_time: new Date(start).toISOString() }),
  ];
  const listed = async (all: { key: string }[], pageSize: number) => {
    const { ask, paths } = asking(replayDmoj({ submissions: [], contests: all }, { pageSize }), {
      baseUrl: 'https://oj.example',
    });
    return { ...(await dmoj.api.upcoming?.(ask, now)), pages: pages(paths) };
  };
  const { skipped, ...listing } = await listed(contests, 2);
  const of = (key: string, title: string, duration_s: bigint) => ({
    source: 'dmoj',
    key,
    title,
    url: `https://oj.example/contest/${key}`,
    starts_at: '2026-01-01T00:00:00.000Z',
    duration_s,
  });
  assert.deepEqual(listing, {
    contests: [of('new', 'x'.repeat(300), 86_400n), of('late', 'Contest late', 0n)],
    isComplete: false,
    startsAfter: new Date(start).toISOString(),
    pages: '1 2',
  });
  assert.equal(skipped?.length, 1);
  const many = Array.from({ length: 21 }, (_, n) => contest(`c${n}`));
  const most = await listed(many, 1);
  assert.deepEqual([most.contests?.length, most.isComplete, most.pages?.split(' ').length], [20, false, 20]);
  assert.equal((await listed(many.slice(1), 1)).isComplete, true);
});

test('a contest that is over has its problems, by their labels', async () => {
  const problems = [
    { code: 'p', name: ' ', label: 'x'.repeat(11) },
    { code: 'q', name: 'Q' },
  ];
  const shown = { spring: contest('spring', { problems }) };
  const { ask } = asking(replayDmoj({ submissions: [], shown }), { baseUrl: 'https://oj.example' });
  assert.deepEqual(await dmoj.api.contest?.(ask, 'spring'), {
    title: 'Contest spring',
    starts_at: '2026-01-01T00:00:00.000Z',
    duration_s: 10_800n,
    phase: null,
    problems: [
      { key: 'p', title: 'p', url: 'https://oj.example/problem/p', position: 'x'.repeat(10) },
      { key: 'q', title: 'Q', url: 'https://oj.example/problem/q', position: '2' },
    ],
  });
  assert.equal(await dmoj.api.contest?.(ask, 'autumn'), undefined);
  const empty = asking(() => ({ body: { data: {} } })).ask;
  await assert.rejects(async () => dmoj.api.contest?.(empty, 'spring'), { code: 'badRow' });
});

test('older versions give the number of pages, and refuse a token in plain text', async () => {
  const problemPages = async (answers: readonly unknown[]) => {
    const { run, ask } = asking((_, query) => ({ body: { data: answers[Number(query.get('page')) - 1] } }));
    return pages((await run(dmoj.api.problems?.(ask))).paths);
  };
  const objects = [problem];
  const numbered = [1, 2].map((page_index) => ({ objects, page_index, total_pages: 2 }));
  assert.equal(await problemPages(numbered), '1 2');
  assert.equal(await problemPages([{ objects }]), '1');
  assert.equal(await problemPages([{ objects: [], has_more: true }]), '1');
  for (const [status, body, kind, says] of [
    [400, 'Invalid authorization header', 'refused', /“Invalid authorization header” \(400\)/],
    [400, { error: { message: 'x'.repeat(201) } }, 'odd answer', /“x{200}”/],
    [404, { error: {} }, 'odd answer', /“status 404”/],
    [200, { error: {} }, 'odd answer', /“status 200”/],
    [401, 'Invalid token', 'refused', /“Invalid token” \(401\)/],
  ] as const) {
    const { ask, run } = asking(() => ({ status, body }));
    await assertFault(run(dmoj.api.problems?.(ask)), kind, says);
  }
});
