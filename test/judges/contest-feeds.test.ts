/** Lists of contests to come: what is asked, which rows are contests, and when a list is complete. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alwaysFetchedFeeds, calendarFeed, contestFeeds, readFeedKey } from '../../src/judges/contest-feeds.ts';
import { contestAtAddress, contestListing, secondsOf, titleOf } from '../../src/judges/contest-listings.ts';
import { asking, assertFault } from './support.ts';

const now = new Date('2026-01-01T00:00:00Z');
const start = '2026-02-01T12:00:00.000Z';
const hours = (count: number) => ({ starts_at: start, duration_s: BigInt(3600 * count) });

async function listed(name: string, body: unknown, status = 200) {
  const { ask, paths } = asking((_path, _query, { headers }) =>
    name === 'clist' && headers.authorization !== 'ApiKey k' ? { status: 401, body: '' } : { status, body },
  );
  const listing = await contestFeeds.get(name)?.listContests(ask, { key: 'k', now });
  return { ...listing, skipped: listing?.skipped.map(({ message }) => message), paths };
}

test('CodeChef gives minutes in quotes, and a list of what runs and one of what comes', async () => {
  const row = {
    contest_code: 'start1',
    contest_name: 'Starters',
    contest_duration: '120',
    contest_start_date_iso: '2026-02-01T17:30:00+05:30',
  };
  const future = [
    row,
    { ...row, contest_code: 'x'.repeat(41) },
    { ...row, contest_duration: 120 },
    { ...row, contest_start_date_iso: '2026-02-01T17:30:00' },
  ];
  const present = [
    { ...row, contest_code: 'NOW', contest_duration: '20160' },
    { ...row, contest_code: 'IN_2' },
  ];
  const { contests, ...rest } = await listed('codechef', { present_contests: present, future_contests: future });
  const of = (key: string) => ({ source: 'codechef', key, url: `https://www.codechef.com/${key}`, title: 'Starters' });
  assert.deepEqual(contests, [
    { ...of('IN_2'), ...hours(2) },
    { ...of('START1'), ...hours(2) },
  ]);
  assert.deepEqual([rest.isComplete, rest.skipped?.length], [false, 3]);
  assert.deepEqual(rest.paths, ['/api/list/contests/all?sort_by=START&sorting_order=asc&offset=0&mode=all']);
  await assertFault(listed('codechef', { present_contests: [] }), 'odd answer');
});

test('CLIST gives times in UTC without a zone, and its list is complete below two hundred rows', async () => {
  const row = { event: 'Pond', href: 'https://elsewhere.example/7', start: start.slice(0, 19), duration: 3600 };
  const of = async (count: number, next: unknown) =>
    listed('clist', {
      meta: { next },
      objects: Array.from({ length: count }, (_, n) => ({ ...row, href: `${row.href}${n}` })),
    });
  const { contests, isComplete, paths } = await of(199, null);
  const url = 'https://elsewhere.example/70';
  assert.deepEqual(contests?.[0], { source: 'elsewhere.example', key: '70', url, title: 'Pond', ...hours(1) });
  assert.deepEqual(
    [isComplete, (await of(200, null)).isComplete, (await of(1, '/more')).isComplete],
    [true, false, false],
  );
  assert.match(
    paths[0] ?? '',
    /^\/api\/v4\/contest\/\?upcoming=true&resource__in=codeforces\.com%2C\S+&order_by=start&limit=200$/,
  );
  for (const status of [401, 403]) await assertFault(listed('clist', {}, status), 'refused');
  await assertFault(listed('clist', {}, 402), 'odd answer');
  const keys = [
    'ApiKey  ada:01234567',
    ' a.b@c+d-e:0123-56_ ',
    'ada:0123456',
    `${'x'.repeat(151)}:01234567`,
    `a:${'0'.repeat(101)}`,
  ];
  assert.deepEqual(keys.map(readFeedKey), ['ada:01234567', 'a.b@c+d-e:0123-56_', undefined, undefined, undefined]);
});

test('Contest Hive gives objects, or lists of title, id, start and seconds', async () => {
  const row = (id: string) => ['Pond', id, start, 3600];
  const [atcoder, codechef, codeforces] = [[row('abc1')], [row('START1')], [row('4')]];
  const others = {
    leetcode: [row('weekly-1')],
    toph: [row('t')],
    hackerrank: [row('h')],
    hackerearth: [row('a.example/x')],
  };
  const object = { title: 'Pond', url: 'https://b.example/', startTime: start, duration: 3600 };
  const data = {
    atcoder,
    codechef,
    codeforces,
    ...others,
    other: [object, row('x'), { ...object, duration: 'x' }],
    none: 7,
  };
  const { contests, skipped } = await listed('contest-hive', { ok: true, data });
  const named = (text: string) => {
    const [source, key, url] = text.split(' ');
    return { source, key, url: `https://${url}`, title: 'Pond', ...hours(1) };
  };
  assert.deepEqual(contests, [
    named('atcoder abc1 atcoder.jp/contests/abc1'),
    named('codechef START1 www.codechef.com/START1'),
    named('codeforces 4 codeforces.com/contests/4'),
    named('leetcode weekly-1 leetcode.com/contest/weekly-1/'),
    named('toph t toph.co/c/t'),
    named('hackerrank h www.hackerrank.com/h'),
    named('a.example x a.example/x'),
    named('b.example b.example b.example/'),
  ]);
  assert.equal(skipped?.length, 2);
  for (const body of [
    { ok: false, data },
    { ok: true, data: null },
    { ok: true, data: 'x' },
  ])
    await assertFault(listed('contest-hive', body), 'odd answer');
});

test('a calendar is read from a month ago to three months ahead, and a page of several events is none of a contest', async () => {
  const event = (uid: string, day: string, description: string, more = '') =>
    `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART:${day}T120000Z\r\nDURATION:PT1H\r\nSUMMARY:Pond\r\nDESCRIPTION:${description}\r\n${more}END:VEVENT\r\n`;
  const [codeforces, page] = ['https://codeforces.com/contest/4', 'https://codeforces.com/contests/4'];
  const events = [
    event('once', '20260201', `see https://u@a.example/ https://${'x'.repeat(500)}.example/ ${codeforces}`),
    event('twice-1', '20260202', 'https://codeforces.com/contest/5'),
    event('twice-2', '20260203', 'https://codeforces.com/contest/5'),
    event('series', '20260204', 'https://codeforces.com/contest/6', 'RRULE:FREQ=WEEKLY;COUNT=2\r\n'),
    event('last', '20260206', 'https://codeforces.com/contest/7', 'RRULE:FREQ=WEEKLY;COUNT=1\r\n'),
    event('none', '20260205', 'nothing'),
    event('soon', '20251201', 'nothing'),
    event('ago', '20251130', 'nothing'),
    event('late', '20260403', 'nothing'),
    event('later', '20260404', 'nothing'),
  ];
  const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`;
  const feed = calendarFeed('calendar-1', 'Club', 'https://club.example/x.ics');
  const { ask, paths } = asking(() => ({ body: text }), feed.api);
  const { contests, ...rest } = await feed.listContests(ask, { key: undefined, now });
  const rows = contests.map(({ source, key, url }) => `${source} ${source === 'codeforces' ? key : ''} ${url}`);
  assert.deepEqual(rows.toSorted(), [
    ...Array(2).fill('calendar-1  https://codeforces.com/contest/5'),
    ...Array(2).fill('calendar-1  https://codeforces.com/contest/6'),
    'calendar-1  https://codeforces.com/contest/7',
    ...Array(3).fill('calendar-1  null'),
    `codeforces 4 ${page}`,
  ]);
  assert.deepEqual([rest, paths], [{ isComplete: true, skipped: [] }, ['']]);
  assert.deepEqual(
    contests.find(({ source }) => source === 'codeforces'),
    { source: 'codeforces', key: '4', url: page, title: 'Pond', ...hours(1) },
  );
  const failing = async (body: string, status: number) =>
    feed.listContests(asking(() => ({ status, body })).ask, { key: undefined, now });
  await assert.rejects(failing(text, 404), /Club sent an unexpected answer: its status is 404/);
  await assert.rejects(failing('x', 200), /Club sent an unexpected answer: it is not a calendar/);
  assert.deepEqual(alwaysFetchedFeeds, ['codeforces']);
});

test('a contest of two weeks or more is none, and a row that cannot be read leaves a list incomplete', () => {
  const day = 86_400;
  const row = (key: string, days: number, more = 0) => ({
    source: 's',
    key,
    title: key,
    url: null,
    starts_at: start,
    duration_s: BigInt(days * day + more),
  });
  const rows = [row('a', 13, day - 1), row('b', 14), row('c', 1), row('c', 2)];
  const { contests, ...rest } = contestListing(rows, (one) => one as (typeof rows)[0]);
  assert.deepEqual([contests, rest], [[rows[0], rows[3]], { isComplete: true, skipped: [] }]);
  assert.equal(contestListing([], () => undefined, false).isComplete, false);
  const odd = contestListing([7, undefined], (one) =>
    one ? { ...row('a', 0), duration_s: secondsOf('x') } : undefined,
  );
  assert.deepEqual([odd.contests, odd.isComplete, odd.skipped.length], [[], false, 1]);
  const century = 100 * 366 * day;
  assert.deepEqual([0, century].map(secondsOf), [0n, BigInt(century)]);
  assert.throws(() => secondsOf(century + 1), { code: 'badRow' });
  assert.deepEqual([titleOf('x'.repeat(10_000), 'f').length, titleOf(' Pond ', 'f')], [300, 'Pond']);
  for (const title of ['x'.repeat(10_001), 'Po\ufffdnd', ''])
    assert.throws(() => titleOf(title, 'f'), { code: 'badRow' });
  const site = 'https://a.example/';
  for (const [path, isContest] of [
    ['x'.repeat(200), true],
    ['x'.repeat(201), false],
    [`x#${'y'.repeat(500 - site.length - 2)}`, true],
    [`x#${'y'.repeat(501 - site.length - 2)}`, false],
  ] as const)
    if (isContest) assert.equal(contestAtAddress(site + path, 'f').source, 'a.example');
    else assert.throws(() => contestAtAddress(site + path, 'f'), /expected the address of a contest/);
});
