/** What the answers of Codeforces' API mean, asked of its replay without a server: which requests are sent, and what is read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeforces } from '../../src/judges/codeforces.ts';
import { type CodeforcesRows, codeforcesRow, replayCodeforces } from '../replay/codeforces.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { asking, assertFault, stateAt } from './support.ts';

const { api } = codeforces;
const at = 1_700_000_000;
const [hour, day] = [3600, 86_400];
const key = { key: 'k', secret: 's' };
const row = (id: number, second: number, more?: object) => codeforcesRow(id, second, 'ada', more);
const askingOf = (rows: Partial<CodeforcesRows>) => asking(replayCodeforces({ status: {}, ...rows, keys: { k: 's' } }));
const answering = (body: unknown, status = 200) => asking(() => ({ status, body })).ask;

test('a run reads back to what is known, to an open verdict, over seven days once a day, and all once a month', async () => {
  const status = { ada: [row(3, at), row(2, at - 7 * day), row(1, at - 7 * day - 1)] };
  const judge = replayCodeforces({ status });
  const runAt = async (seconds: number, cursor?: unknown, pageSize?: number) => {
    const paged: ReplayedJudge = pageSize ? replayCodeforces({ status }, undefined, pageSize) : judge;
    // The site is new, so nothing is known of how long its answers are.
    const { ask, run } = asking(paged, { baseUrl: `https://${Math.random()}.example` });
    const { paths, ...left } = await run(api.submissions?.(ask, 'ada', stateAt(seconds, cursor)));
    return { pages: paths.map((path) => /&from=(.*)&count=(.*)&lang=en$/.exec(path)?.slice(1).join(' ')), ...left };
  };
  const first = await runAt(at);
  const known = { wholeAt: at, overlapAt: at, through: at, end: 1 };
  assert.deepEqual([first.pages, first.cursor], [['1 1000', '4 1000'], known]);
  const soon = await runAt(at + 20 * hour - 1, known, 1);
  assert.deepEqual([soon.pages, soon.cursor], [['1 50', '2 1000'], known]);
  const daily = await runAt(at + 20 * hour, { ...known, end: undefined }, 1);
  assert.deepEqual(
    [daily.pages, daily.cursor],
    [['1 50', '2 1000', '3 1000'], { ...known, overlapAt: at + 20 * hour }],
  );
  status.ada[1] = row(2, at - 7 * day, { verdict: 'TESTING' });
  const open = await runAt(at + hour, known, 1);
  assert.deepEqual([open.pages, open.cursor], [['1 50', '2 1000'], { ...known, pendingAt: at - 7 * day }]);
  const pending = await runAt(at + hour, { ...known, pendingAt: at - 7 * day }, 1);
  assert.deepEqual(pending.pages, ['1 50', '2 1000', '3 1000']);
  const monthly = await runAt(at + 30 * day, known);
  assert.deepEqual([monthly.pages[0], Object(monthly.cursor).wholeAt], ['1 1000', at + 30 * day]);
  assert.equal(Object((await runAt(at + 30 * day - 1, known)).cursor).wholeAt, at);
  status.ada = [row(1, at, { author: {} })];
  assert.deepEqual((await runAt(at)).pages, ['1 1000', '2 1000'], 'a row that names nobody is theirs');
  const none = asking(replayCodeforces({ status: { ada: [] } }), { baseUrl: 'https://none.example' });
  const empty = await none.run(api.submissions?.(none.ask, 'ada', stateAt(at, undefined)));
  assert.deepEqual(empty.cursor, { wholeAt: at, overlapAt: at, through: 0 });
});

test('a run that stopped goes on behind what it had read, after what is new', async () => {
  const ada = Array.from({ length: 2400 }, (_, n) => row(2400 - n, at - n));
  const { ask } = askingOf({ status: { ada } });
  const begun = api.submissions?.(ask, 'ada', stateAt(at, undefined)) as AsyncGenerator<{ cursor: unknown }>;
  const { cursor } = (await begun.next()).value;
  const stopped = { rows: 1000, newest: 2400, through: at };
  assert.deepEqual(cursor, { wholeAt: at, stopped });
  ada.unshift(row(2401, at + 1));
  const { ask: again, run } = askingOf({ status: { ada } });
  const { paths } = await run(api.submissions?.(again, 'ada', stateAt(at + 1, cursor)));
  assert.deepEqual(
    paths.map((path) => /&from=(\d+)/.exec(path)?.[1]),
    ['1', '952', '1902'],
  );
});

test('a page that is shorter by more than fifty than the longest of its site is the last', async () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => row(count - n, at - n));
  const status = { ada: rowsOf(1200), bob: rowsOf(949), eve: rowsOf(950) };
  const { ask, run } = asking(replayCodeforces({ status }), { baseUrl: 'https://long.example' });
  const pagesOf = async (name: string) => {
    const { paths } = await run(api.submissions?.(ask, name, stateAt(at, undefined)));
    return paths.flatMap((path) => /&from=(\d+)&count=1000&/.exec(path)?.[1] ?? []).join(' ');
  };
  assert.deepEqual([await pagesOf('ada'), await pagesOf('bob'), await pagesOf('eve')], ['1 951', '1', '1 951']);
});

test('everybody’s newest, those of a contest and those of a proof are read', async () => {
  const rows = [row(2, at), row(1, at - 1, { author: { members: [{ handle: 'bob' }, {}] } })];
  const { ask, paths } = askingOf({ status: { ada: rows } });
  const feed = [
    { id: 2, at: 1000 * at, handles: ['ada'], value: rows[0] },
    { id: 1, at: 1000 * (at - 1), handles: ['bob'], value: rows[1] },
  ];
  assert.deepEqual((await api.feed?.newest(ask, 20, undefined))?.rows, feed);
  assert.deepEqual((await api.feed?.ofContest?.(ask, '1', 30))?.rows, feed);
  const many = Array.from({ length: 31 }, (_, n) => row(31 - n, at, { verdict: 'COMPILATION_ERROR' }));
  const sent = await codeforces.proof.newest(askingOf({ status: { ada: many } }).ask, 'ada');
  assert.deepEqual([sent.length, sent.every(codeforces.proof.matches)], [30, true]);
  assert.equal(codeforces.proof.matches({ verdict: 'OK' } as never), false);
  assert.deepEqual(paths, [
    '/problemset.recentStatus?count=20&lang=en',
    '/contest.status?contestId=1&from=1&count=30&lang=en',
  ]);
});

const standings = (id: number, contest: object, rows: (object | null)[] = [], problems: object[] = []) => ({
  contest: { id, name: 'Pond', type: 'CF', phase: 'FINISHED', durationSeconds: 7200, ...contest },
  problems,
  rows,
});

test('a contest has the problems that stand before its rows, and a gym is asked for with a key', async () => {
  const problems = [{ index: 'A', name: 'x'.repeat(501) }, { index: 'B' }];
  const { ask, paths } = askingOf({
    standings: { 4: standings(4, { startTimeSeconds: at }, [{}], problems), 3: standings(3, { phase: 'BEFORE' }) },
    gated: { 100000: standings(100_000, {}, [], problems) },
  });
  const found = await api.contest?.(ask, '4', key);
  assert.deepEqual(found, {
    title: 'Pond',
    starts_at: new Date(1000 * at).toISOString(),
    duration_s: 7200n,
    phase: 'FINISHED',
    difficulty: null,
    problems: [
      { key: '4A', title: 'x'.repeat(500), url: 'https://codeforces.com/problemset/problem/4/A', position: 'A' },
      { key: '4B', title: '4B', url: 'https://codeforces.com/problemset/problem/4/B', position: 'B' },
    ],
  });
  const gym = await api.contest?.(ask, '100000', key);
  assert.deepEqual([gym?.title, gym?.phase, gym?.problems[1]?.key], ['Gym 100000 Pond', null, '100000B']);
  assert.match(
    paths[1] ?? '',
    /^\/contest\.standings\?apiKey=k&contestId=100000&lang=en&time=\d+&apiSig=[\da-f]{134}$/,
  );
  assert.equal(paths[0], '/contest.standings?contestId=4&lang=en');
  assert.equal(await api.contest?.(ask, '100000'), undefined);
  assert.equal(await api.contest?.(ask, '5', key), undefined);
  await assert.rejects(async () => api.contest?.(ask, '100002', key), /owner of your API key/);
  await assert.rejects(async () => api.contest?.(ask, '3'), /only after it has begun/);
});

const party = (participantType: string) => ({ participantType, members: [{ handle: 'ada' }] });

test('the field of a contest is of those who took part: their solves, tries and points', async () => {
  const cell = (points: number, tries: unknown, second?: number) => ({
    points,
    rejectedAttemptCount: tries,
    bestSubmissionTimeSeconds: second,
  });
  const places = (count: number) => Array.from({ length: count }, (_, n) => ({ index: `A${n}`, points: 500 }));
  const contestant = (problemResults: unknown, penalty = 0) => ({
    party: party('CONTESTANT'),
    penalty,
    problemResults,
  });
  const rows = [
    contestant([cell(480, 1, 61), cell(0, 3)]),
    contestant(Array(101).fill(cell(1, -1, 0))),
    contestant([cell(0, 1.5, 9), cell(5, 0)]),
    { ...contestant([cell(480, 1, 61)]), party: party('VIRTUAL') },
    contestant('x'),
  ];
  const fieldOf = (contest: object, all: object[]) =>
    api.realField?.(askingOf({ standings: { 4: standings(4, contest, all, places(2)) } }).ask, '4');
  const unworthy = askingOf({ standings: { 4: standings(4, {}, [], [{ index: 'A' }]) } });
  assert.deepEqual((await api.realField?.(unworthy.ask, '4'))?.worth, [0]);
  assert.deepEqual(await fieldOf({}, rows), {
    seconds: 7200,
    positions: ['A0', 'A1'],
    worth: [500, 500],
    total: 4,
    step: 1,
    rows: [[[61, 1, 480], 3], Array(100).fill([0, 0, 1]), [0, 0], []],
    wrongMinutes: 20,
  });
  // A solve at 61 s and one at 120 s are three minutes, and three refused tries the rest of the penalty.
  const penalties: [penalty: number, wrongMinutes: number][] = [
    [33, 10],
    [3, 0],
    [183, 60],
    [186, 20],
    [34, 20],
    [0, 20],
  ];
  for (const [penalty, wrongMinutes] of penalties) {
    const icpc = [contestant([cell(1, 0, 60)], 1), contestant([cell(1, 1, 61), cell(1, 2, 120)], penalty)];
    const field = await fieldOf({ type: 'ICPC' }, icpc);
    assert.deepEqual([field?.worth, field?.wrongMinutes], [[], wrongMinutes], String(penalty));
  }
  for (const [contest, kind] of [
    [{ type: 'IOI' }, 'refused'],
    [{ phase: 'PENDING_SYSTEM_TEST' }, 'busy'],
    [{ durationSeconds: 0 }, 'odd answer'],
  ] as const)
    await assertFault(async () => fieldOf(contest, rows), kind);
  await assert.rejects(async () => api.realField?.(askingOf({}).ask, '4'), /not show contest 4 to everybody/);
  await assert.rejects(async () => api.realField?.(askingOf({}).ask, '100004', key), /owner of your API key/);
  await assert.rejects(
    async () => api.realField?.(answering('{"rows": [{"party": ada}]'), '4'),
    /^AppError: Codeforces answered 200 with text that is not JSON/,
    'no name is quoted',
  );
});

test('what people solved in a private gym is asked for by a hundred, without those who are unknown', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1000 * (at + hour) });
  const solve = (points: number, second?: number, type = 'FINAL') => ({
    points,
    bestSubmissionTimeSeconds: second,
    type,
  });
  const problems = ['A', 'B', 'C', 'D', 'E'].map((index) => ({ index, name: index.repeat(501), points: 100 }));
  const rowOf = (problemResults: unknown, more: object = {}) => ({
    party: { ...party('CONTESTANT'), ...more },
    problemResults,
  });
  const results = [solve(100, 60), solve(99, 61), solve(100, hour + 1), solve(100), solve(100, 62, 'PRELIMINARY')];
  const virtual = { participantType: 'VIRTUAL', startTimeSeconds: at + 9, members: [{ handle: 'bob' }] };
  const rows = [rowOf(results), rowOf([solve(100, hour - 9)], virtual), rowOf('x'), null];
  const read = async (type: string, handles: readonly string[], all = rows) => {
    const closed = { 100004: standings(100_004, { type, startTimeSeconds: at }, all.slice(0, 3), problems) };
    const { ask, paths } = askingOf({ closed, status: { u: [] } });
    const found = await api.results?.(ask, '100004', key, handles);
    return { paths, found: found?.map(({ key: of, submittedAt }) => [of, Date.parse(submittedAt) / 1000 - at]) };
  };
  const { found, paths } = await read('IOI', ['Ada', 'nobody', 'bob']);
  assert.deepEqual(found, [
    ['100004A', 60],
    ['100004A', hour],
  ]);
  assert.deepEqual(
    paths.map((path) => new URLSearchParams(path.split('?')[1]).get('handles')),
    ['ada;nobody;bob', 'ada;bob'],
  );
  assert.deepEqual((await read('ICPC', ['ada'])).found, [
    ['100004A', 60],
    ['100004B', 61],
  ]);
  const many = await read('IOI', [...Array(100).fill('u'), 'ada']);
  assert.deepEqual([many.paths.length, many.found?.length], [2, 1]);
  const { ask } = askingOf({
    closed: { 100004: standings(100_004, { startTimeSeconds: at }, [rows[0] ?? {}], problems) },
  });
  const [first] = (await api.results?.(ask, '100004', key, ['ada'])) ?? [];
  assert.deepEqual(first, {
    id: 'contest.standings 100004A',
    key: '100004A',
    handles: ['ada'],
    participation: 'contest',
    submittedAt: new Date(1000 * (at + 60)).toISOString(),
    contest: '100004',
    verdictClass: 'solved',
    verdict: 'OK',
    language: null,
    isGym: true,
    problem: { title: 'A'.repeat(500) },
  });
  await assert.rejects(async () => api.results?.(ask, '100005', key, ['ada']), /owner of your API key/);
  const others = answering({ status: 'FAILED', comment: 'handles: User with handle z not found' });
  await assert.rejects(async () => api.results?.(others, '100004', key, ['ada']), /The entry is "z"/);
});

test('users are asked for by three hundred; an unknown one is dropped, and an incomplete answer is split', async () => {
  const names = Array.from({ length: 301 }, (_, n) => `u${n}`);
  const status = Object.fromEntries(names.map((name) => [name, []]));
  const { ask, paths } = askingOf({ status, renamed: { old: 'u5' }, online: { u1: 9 } });
  const users = (await api.feed?.users?.(ask, names)) ?? new Map();
  assert.deepEqual([users.size, users.get('u1'), paths.length], [301, { name: 'u1', onlineAt: 9000 }, 2]);
  assert.deepEqual([...((await api.renames?.(ask, ['old', 'Nobody', 'U1'])) ?? [])], [['old', 'u5']]);
  const user = (handle: string) => ({ handle });
  const lists = { 'a;b;c': ['a', 'b'], a: ['x'], 'b;c': ['b', 'c'] };
  const split = asking((_, query) => ({
    body: { status: 'OK', result: lists[query.get('handles') as keyof typeof lists].map(user) },
  }));
  assert.deepEqual([...((await api.renames?.(split.ask, ['a', 'b', 'c'])) ?? [])], [['a', 'x']]);
  assert.equal(split.paths.length, 3);
  const malformed = asking((_, query) =>
    /\?/.test(query.get('handles') ?? '')
      ? { status: 400, body: { status: 'FAILED', comment: 'handles: Field should be well-formed' } }
      : { body: { status: 'OK', result: [user('b')] } },
  );
  assert.deepEqual([...((await api.feed?.users?.(malformed.ask, ['a?', 'b'])) ?? [])].map(String), [
    'b,[object Object]',
  ]);
  for (const [answer, says] of [
    [{ status: 'OK', result: [user('a'), user('b')] }, /lists 2 users for one handle/],
    [{ status: 'FAILED', comment: 'handles: User with handle z not found' }, /names z, which we did not ask/],
  ] as const)
    await assert.rejects(async () => api.renames?.(answering(answer), ['a']), says);
});

test('a rated contest has its title, place and time', async () => {
  const rated = { contestId: 9, contestName: 'x'.repeat(501), rank: 3, newRating: 1500, ratingUpdateTimeSeconds: at };
  const ratings = { ada: [rated, { ...rated, contestName: ' ', rank: null }, { newRating: 1 }] };
  const { values, skipped } = (await api.ratings?.history(askingOf({ ratings }).ask, 'ada', new Map())) ?? {};
  const read = { contest: '9', rating: 1500n, rated_at: new Date(1000 * at).toISOString() };
  assert.deepEqual(values, [
    { ...read, title: 'x'.repeat(500), place: 3n },
    { ...read, title: '9', place: null },
  ]);
  assert.match(skipped?.[0]?.message ?? '', /^contestId is missing; expected a whole number from 1 to 2147483647/);
});

test('contests to come are those before their beginning, and those of the last thirty days', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1000 * at });
  const listed = (id: number, phase: string, startTimeSeconds?: number) => ({
    id,
    name: `Round ${id}`,
    phase,
    startTimeSeconds,
    durationSeconds: 7200,
  });
  const result = [
    listed(5, 'BEFORE', at + day),
    listed(4, 'BEFORE'),
    listed(3, 'FINISHED', at - 30 * day + 1),
    listed(2, 'FINISHED', at - 30 * day),
  ];
  const { contests, ...listing } = api.parseUpcoming?.(JSON.stringify({ status: 'OK', result })) ?? {};
  assert.deepEqual(contests?.[0], {
    source: 'codeforces',
    key: '5',
    title: 'Round 5',
    url: 'https://codeforces.com/contests/5',
    starts_at: new Date(1000 * (at + day)).toISOString(),
    duration_s: 7200n,
  });
  assert.equal(contests?.map((one) => one.key).join(), '5,3');
  const startsAfter = new Date(1000 * (at - 30 * day)).toISOString();
  assert.deepEqual(listing, { isComplete: true, skipped: [], startsAfter });
});

test('what Codeforces says in place of an answer is told apart, whatever status it has', async () => {
  const failed = (comment: string) => ({ status: 'FAILED', comment });
  const answers: [status: number, body: unknown, kind: string, says: RegExp][] = [
    [403, 'Call limit exceeded', 'busy', /too many requests/],
    [403, 'Your address is blocked', 'refused', /“Your address is blocked” \(403\)/],
    [403, ' <html>', 'refused', /only lets people in a browser/],
    [401, failed('no'), 'refused', /“no” \(401\)/],
    [403, failed('no'), 'refused', /“no” \(403\)/],
    [400, failed('Call limit exceeded'), 'busy', /too many requests/],
    [400, failed('apiKey: Incorrect API key'), 'refused', /API key/],
    [400, failed('time: Incorrect time'), 'refused', /API key/],
    [400, failed('apiSig: Incorrect signature'), 'refused', /API key/],
    [400, failed('handle: User with handle ada not found'), 'unknown handle', /no user ada/],
    [400, failed('handle: Field should be short'), 'unknown handle', /no user ada/],
    [429, failed('no'), 'busy', /too many requests/],
    [500, failed('no'), 'down', /it answered 500/],
    [200, failed('Internal error'), 'down', /it answered Internal error/],
    [200, failed('service unavailable'), 'down', /service unavailable/],
    [400, failed(`no${'x'.repeat(300)}`), 'odd answer', /it says “nox{198}”/],
    [402, failed('no'), 'odd answer', /it says “no”/],
    [404, {}, 'odd answer', /its status is undefined/],
    [200, { status: 'OK', result: null }, 'odd answer', /no “result”/],
    [200, { status: 'OK', result: 'x' }, 'odd answer', /no “result”/],
  ];
  for (const [status, body, kind, says] of answers)
    await assertFault(async () => api.ratings?.history(answering(body, status), 'ada', new Map()), kind, says);
});
