/** What each judge states of itself: scale and colours, how often it may be asked, how long a handle is, and its addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { problemAt, readHandle } from '../../src/judges/addresses.ts';
import { calendarFeed, contestFeeds } from '../../src/judges/contest-feeds.ts';
import {
  contestRowsAtMost,
  fullSyncEveryMs,
  type Judge,
  overlapMs,
  type Rank,
  roundHandlesPerRequest,
} from '../../src/judges/judge.ts';
import {
  bandIndex,
  bandPoints,
  chanceModels,
  contestEditorialAt,
  contestPageOf,
  editorialAt,
  findGymProblem,
  isGym,
  isHiddenContest,
  isKnownSite,
  isSynced,
  judgeName,
  judgeShort,
  judges,
  libraryRules,
  newestAtMost,
  openIdJudges,
  publicAliases,
  ratedRangeFor,
  shortTitle,
  siteOf,
  sitesOf,
  sourcesOfRenamedProblems,
} from '../../src/judges/judges.ts';
import { linkAtLuogu } from '../../src/judges/luogu.ts';
import { addressAtVjudge } from '../../src/judges/vjudge.ts';

const none = new Map();
const ofEach = (read: (judge: Judge) => string | undefined) =>
  Object.entries<Judge>(judges).flatMap(([source, judge]) => {
    const text = read(judge);
    return text === undefined ? [] : [`${source}: ${text}`];
  });
const scaleOf = (scale: readonly Rank[] | undefined) =>
  scale?.map(({ from, colour, name }) => [from, colour, ...(name === undefined ? [] : [name])].join(' ')).join(', ');

test('ratings have the colours and titles of their judge', () => {
  const codeforces = '0 grey, 1200 green, 1400 cyan, 1600 blue, 1900 violet, 2100 orange, 2400 red';
  const atcoder = '0 grey, 400 brown, 800 green, 1200 cyan, 1600 blue, 2000 yellow, 2400 orange, 2800 red';
  assert.deepEqual(
    ofEach(({ bands }) => scaleOf(bands)),
    [
      `codeforces: ${codeforces}`,
      `atcoder: ${atcoder}`,
      'yukicoder: 0 grey, 100 brown, 200 green, 300 cyan, 400 blue, 500 orange, 600 red',
      `leetcode: ${codeforces}`,
    ],
  );
  assert.deepEqual(
    ofEach(({ ranks }) => scaleOf(ranks)),
    [
      `codeforces: ${[
        '0 grey newbie, 1200 green pupil, 1400 cyan specialist, 1600 blue expert, 1900 violet candidate master',
        '2100 yellow master, 2300 orange international master, 2400 red grandmaster',
        '2600 red international grandmaster, 3000 red legendary grandmaster',
      ].join(', ')}`,
      `atcoder: ${atcoder}`,
      `dmoj: ${[
        '0 grey Newbie, 1000 green Amateur, 1300 blue Expert, 1600 violet Candidate Master, 1900 orange Master',
        '2400 red Grandmaster, 3000 red Target',
      ].join(', ')}`,
    ],
  );
  const ratings = [-1, 0, 1199, 1200, 4000];
  assert.deepEqual(
    ratings.map((rating) => bandIndex('codeforces', rating)),
    [-1, 0, 0, 1, 6],
  );
  assert.deepEqual(
    [null, ...ratings.map(BigInt)].map((rating) => bandPoints('codeforces', rating)),
    [1, 1, 1, 1, 2, 7],
  );
  assert.equal(bandPoints('cses', 3000n), 1);
});

test('a judge is asked no more often than it allows', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  assert.deepEqual(
    ofEach(({ api }) => String(api?.intervalMs)),
    [
      ...['codeforces: 2000', 'atcoder: 1100', 'cses: 1000', 'dmoj: 700', 'uva: 2000', 'aoj: 2000', 'yukicoder: 2000'],
      ...['leetcode: 3000', 'vjudge: 5000', 'luogu: 5000'],
    ],
  );
  assert.equal(judges.atcoder.api.ratings?.intervalMs, 2000);
  assert.deepEqual(
    [...contestFeeds].map(([name, { api }]) => `${name} ${api.intervalMs}`),
    ['dmoj 700', 'leetcode 3000', 'codechef 5000', 'clist 6000', 'contest-hive 5000'],
  );
  assert.equal(calendarFeed('x', 'x', 'https://x.example').api.intervalMs, 5000);
  assert.deepEqual(
    ofEach(({ api }) => {
      const { rowsAtMost, intervalMs, ownListMs } = api?.feed ?? {};
      return ownListMs && `${rowsAtMost} rows, ${intervalMs} ms, ${ownListMs.active} to ${ownListMs.others} ms`;
    }),
    [
      `codeforces: 1000 rows, 45000 ms, ${day} to ${7 * day} ms`,
      `atcoder: 1000 rows, ${minute} ms, ${6 * hour} to ${day} ms`,
      `dmoj: 1000 rows, ${minute} ms, ${day} to ${7 * day} ms`,
    ],
  );
  const { submissionsAtMost, intervalAtMostMs } = judges.leetcode.api.recentLimit ?? {};
  assert.deepEqual([submissionsAtMost, intervalAtMostMs], [20, hour]);
  const { pageSize, overlapRows, intervalMs } = judges.codeforces.browserSync;
  assert.deepEqual([pageSize, overlapRows, intervalMs], [250, 10, 2000]);
  assert.match(judges.codeforces.browserSync.pathOf('a/b'), /handle=a%2Fb&lang=en&count=250&from=$/);
  assert.deepEqual(
    [overlapMs, fullSyncEveryMs, roundHandlesPerRequest, contestRowsAtMost],
    [7 * day, 30 * day, 100, 6000],
  );
  assert.deepEqual(
    ['codeforces', 'leetcode', 'cses', 'vjudge', 'our-club'].map((source) => newestAtMost(source, 'ada')),
    [Number.POSITIVE_INFINITY, 20, Number.POSITIVE_INFINITY, 0, 0],
  );
  assert.equal(newestAtMost('leetcode', 'leetcode.cn/ada'), 0);
});

test('a handle is as long as its judge allows, and the link to its profile is the handle', () => {
  const longest = { codeforces: 24, atcoder: 16, cses: 100, dmoj: 30, uva: 60, aoj: 40, yukicoder: 60, leetcode: 60 };
  for (const [source, most] of Object.entries({ ...longest, vjudge: 50, luogu: 9 })) {
    const handle = '7'.repeat(most);
    assert.equal(readHandle(source, handle), handle, source);
    const message = new RegExp(`^This handle has ${most + 1} characters\\. A handle at .* (?:up|1) to ${most} `);
    assert.throws(() => readHandle(source, `${handle}7`), { message }, source);
    const { pageOf } = (judges as Record<string, Judge>)[source]?.handle ?? {};
    for (const one of source === 'leetcode' ? [handle, `leetcode.cn/${handle}`] : [handle])
      if (pageOf) assert.equal(readHandle(source, pageOf(one)), one);
  }
  assert.throws(() => readHandle('aoj', 'ö'.repeat(50)), { message: /^“ö{40}” contains “ö”/ });
  assert.throws(() => readHandle('aoj', ''), { code: 'invalidValue' });
  assert.throws(() => readHandle('uva', 'a\u200bb'), /invisible/);
  assert.equal(readHandle('our-club', ' any thing '), ' any thing ');
});

/** Keys of each judge's problems; AtCoder's pages also need the contest. */
const keys: Readonly<Record<keyof typeof judges, RegExp>> = {
  codeforces: /^(?:[1-9]\d{0,3}[A-Z][1-9]?|10\d{4}-(?:\d[A-Z]|\d{3})|[1-9]\d{2,5}\d\d)$/,
  atcoder: /^[a-z]{3}\d{3}_[a-z]\d?$/,
  cses: /^[1-9]\d{0,8}$/,
  dmoj: /^[a-z][a-z0-9_]{0,31}$/,
  uva: /^(?:pid:[1-9]\d{0,4}|[1-9]\d{2,5})$/,
  aoj: /^(?:\d{4}|[A-Z]{3,5}_\d{1,2}_[A-D])$/,
  yukicoder: /^[1-9]\d{0,3}$/,
  leetcode: /^(?:[a-z0-9]+-[a-z0-9]+|[a-z]{2}[A-Z][a-z0-9]{2}[A-Z])$/,
  // Three letters can be SGU, whose problems Codeforces has.
  vjudge: /^Q[A-Z]{2}-\d{4}$/,
  luogu: /^[PB]\d{4}$/,
};

test('the page of a problem is of this problem, at every judge', () => {
  const pageOf = (source: string, key: string) => {
    if (source === 'luogu') return linkAtLuogu({ pid: key })?.address;
    if (source === 'vjudge') return addressAtVjudge(...(key.split('-') as [string, string]));
    if (source === 'dmoj') return `https://dmoj.ca/problem/${key}`;
    return (judges as Record<string, Judge>)[source]?.problemPage?.(key, 'abc001');
  };
  const problem = fc
    .constantFrom(...Object.entries(keys))
    .chain(([source, pattern]) => fc.tuple(fc.constant(source), fc.stringMatching(pattern)));
  fc.assert(
    fc.property(problem, ([source, key]) => {
      const url = pageOf(source, key);
      const found = problemAt(url ?? '', none);
      const matchedBy = found?.matchedBy;
      assert.deepEqual(found, { source, key, url, matchedBy, isGym: url?.includes('/gym/') });
      assert.notEqual(matchedBy, 'host');
    }),
    { numRuns: 100 },
  );
});

test('a contest rates those whom its title says, and some kinds are shown only if a filter names them', () => {
  const rated: [source: string, title: string, range: object | undefined][] = [
    ['codeforces', 'Codeforces Round 889 (Div. 1)', { from: 1900 }],
    ['codeforces', 'Codeforces Round 889 (Div. 2)', { below: 2100 }],
    ['codeforces', 'Codeforces Round 900 (Div. 3)', { below: 1600 }],
    ['codeforces', 'Codeforces Round 898 (Div. 4)', { below: 1400 }],
    ['codeforces', 'CodeTON Round 7 (Div. 1 + Div. 2, Rated, Prizes!)', {}],
    ['codeforces', 'Educational Codeforces Round 160 (Rated for Div. 2)', { below: 2100 }],
    ['codeforces', 'Codeforces Global Round 25', undefined],
    ['atcoder', 'AtCoder Beginner Contest 330', { below: 2000 }],
    ['atcoder', 'AtCoder Regular Contest 170', undefined],
    ['our-club', 'Round (Div. 1)', undefined],
  ];
  for (const [source, title, range] of rated) assert.deepEqual(ratedRangeFor(source, title), range, title);
  const titles = ['AtCoder Weekday Contest 0001 Beta', 'AtCoder Daily Training EASY 2026/06/01', 'AtCoder Beginner 1'];
  assert.deepEqual(
    titles.map((title) => isHiddenContest({ source: 'atcoder', title })),
    [true, true, false],
  );
  assert.equal(isHiddenContest({ source: 'codeforces', title: titles[0] ?? '' }), false);
});

test('an editorial is beside its problem or contest', () => {
  const atcoder = 'https://atcoder.jp/contests/abc101';
  for (const [source, url, page] of [
    ['atcoder', `${atcoder}/tasks/abc101_a`, `${atcoder}/tasks/abc101_a/editorial`],
    ['leetcode', 'https://leetcode.com/problems/x/description/', 'https://leetcode.com/problems/x/editorial/'],
    ['dmoj', 'https://dmoj.ca/problem/x', 'https://dmoj.ca/problem/x/editorial'],
    ['dmoj', null, null],
    ['codeforces', 'https://codeforces.com/problemset/problem/4/A', null],
    ['our-club', 'https://club.example/x', null],
  ] as const)
    assert.equal(editorialAt(source, url), page, page ?? source);
  assert.equal(contestEditorialAt('atcoder', `${atcoder}/tasks/abc101_a`), `${atcoder}/editorial`);
  for (const url of [null, 'https://atcoder.jp/', 'https://club.example/contests/abc101'])
    assert.equal(contestEditorialAt('atcoder', url), null);
  assert.equal(contestEditorialAt('codeforces', 'https://codeforces.com/contest/4'), null);
});

test('the page of a contest is at the site that the garden has instead, and a sample has none', () => {
  const club = new Map([['dmoj', { url: 'https://club.example/oj' }]]);
  const pageOf = (source: string, key: string, sites = none) => contestPageOf({ source, key }, sites);
  assert.deepEqual(
    [
      pageOf('codeforces', '99999'),
      pageOf('codeforces', '100000'),
      pageOf('atcoder', 'abc101'),
      pageOf('leetcode', 'weekly-1'),
      pageOf('dmoj', 'a'),
      pageOf('dmoj', 'a', club),
      pageOf('dmoj', 'sample-a'),
      pageOf('cses', 'a'),
      pageOf('our-club', 'a'),
    ],
    [
      'https://codeforces.com/contest/99999',
      'https://codeforces.com/gym/100000',
      'https://atcoder.jp/contests/abc101',
      'https://leetcode.com/contest/weekly-1/',
      'https://dmoj.ca/contest/a',
      'https://club.example/oj/contest/a',
      ...[null, null, null],
    ],
  );
});

test('a gym is known by its number, a judge with a sync by what it shows, and a site by its name', () => {
  assert.deepEqual(findGymProblem('100000A'), { source: 'codeforces', key: '100000A' });
  assert.equal(findGymProblem('99999A'), undefined);
  const gym = { source_key: '100000A' };
  assert.deepEqual([isGym({ source: 'codeforces', ...gym }), isGym({ source: 'kattis', ...gym })], [true, false]);
  const synced = Object.entries<Judge>(judges).flatMap(([source, judge]) => (isSynced(judge) ? [source] : []));
  assert.deepEqual(
    synced,
    Object.keys(judges).filter((source) => source !== 'cses'),
  );
  assert.deepEqual(['codeforces', 'kattis', 'our-club'].map(isKnownSite), [true, true, false]);
  assert.deepEqual([...openIdJudges.keys()], ['codeforces']);
  assert.deepEqual([...chanceModels.keys()], ['codeforces', 'atcoder']);
  assert.deepEqual(sourcesOfRenamedProblems, ['leetcode']);
  const sites = ['codeforces', 'leetcode', 'our-club'].map((source) => sitesOf(source).map(({ name }) => name));
  assert.deepEqual(sites, [['codeforces'], ['leetcode', 'leetcode-cn'], ['our-club']]);
  const handles = ['ada', 'leetcode.cn/ada'].map((handle) => siteOf('leetcode', handle).name);
  assert.deepEqual(handles, ['leetcode', 'leetcode-cn']);
  const rules = [...libraryRules].map(([source, { by, order, bands }]) => `${source} ${by} ${order} ${bands.length}`);
  const expected = [
    'codeforces hundred solved 7',
    'atcoder band rating 8',
    'cses topic catalogue 0',
    'dmoj topic rating 0',
  ];
  assert.deepEqual(rules, expected);
});

test('a judge is shown by its name, and a source without a judge as it is', () => {
  const sources = ['codeforces', 'leetcode', 'our-club', 'constructor', ''];
  assert.deepEqual(sources.map(judgeName), ['Codeforces', 'LeetCode', 'our-club', 'constructor', '']);
  assert.deepEqual(sources.map(judgeShort), ['CF', 'LC', 'our-club', 'constructor', '']);
  const titles = ['Codeforces Round 1', 'Codeforces ', 'Round 1'].map((title) => ({ source: 'codeforces', title }));
  assert.deepEqual(titles.map(shortTitle), ['Round 1', 'Codeforces ', 'Round 1']);
  assert.deepEqual(publicAliases('uva', '["pid:36","100"]'), ['100']);
  assert.deepEqual(publicAliases('kattis', '["pid:36"]'), ['pid:36']);
});
