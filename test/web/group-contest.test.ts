/** A contest or gym is given to a group by its link: one request fills a list, and one that is private is refused with advice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { codeforcesNamed, openGarden } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { startReplay } from '../replay/replay.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const problem = (contestId: number, index: string, name: string) => ({ contestId, index, name, tags: [] });

test('a coach gives a gym and a contest by their links', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1474A'));
  const group = await garden.store.write((tx) => makeGroup(tx, ada, { name: 'Club', zone: 'UTC' }));
  const gym = {
    contest: { id: 101_021, name: 'Fill \u202eYour Brain' },
    problems: [problem(101_021, 'A', 'Guess the Number'), problem(101_021, 'B', '<b>Bold</b>')],
    rows: [],
  };
  const round = { contest: { id: 1474, name: 'Round 696' }, problems: [problem(1474, 'A', 'Puzzle')], rows: [] };
  const standings = { 101021: gym, 1474: round, 101022: { contest: { id: 101_022, name: 'x' }, problems: 5 } };
  const replay = await startReplay({ codeforces: replayCodeforces({ status: {}, standings }) });
  t.after(() => replay.close());
  const env = { JUDGE_URLS: `codeforces=${replay.url}/codeforces` };
  const { url } = await serveHere(t, { databaseUrl, env });
  const browser = await browserOf(url, 'ada');
  const give = async (contest: string) => {
    await browser.open(`/dashboard/groups/${group}/give/`);
    return browser.submit({ name: 'contest' }, { contest });
  };
  const given = await give('https://codeforces.com/gym/101021/standings');
  assert.match(given.path, /\/lists\/1\/\?done=given$/);
  assert.match(textOf(given, 'h1, h2'), /Gym 101021 Fill Your Brain|Club/);
  assert.deepEqual(
    replay.log.map(({ path }) => path.replace(/^.*\/contest/, 'contest')),
    ['contest.standings?contestId=101021&from=1&count=1&lang=en'],
  );
  const rows = await garden.rows('problems');
  assert.deepEqual(
    rows.map(({ source_key, title, url, rating }) => [source_key, title, url, rating]),
    [
      ['1474A', 'Pond 1474A', 'https://codeforces.com/problemset/problem/1474/A', null],
      ['101021A', 'Guess the Number', 'https://codeforces.com/gym/101021/problem/A', null],
      ['101021B', '<b>Bold</b>', 'https://codeforces.com/gym/101021/problem/B', null],
    ],
  );
  assert.match((await give('codeforces.com/group/abc/contest/1474')).path, /\/lists\/2\//);
  assert.equal((await garden.rows('problems')).length, 3);
  for (const [link, sentence] of [
    ['https://codeforces.com/gym/100001', /^Codeforces does not show contest 100001 to everybody: .* assign that\.$/],
    ['https://codeforces.com/gym/101022', /^Codeforces sent an unexpected answer/],
    ['https://atcoder.jp/contests/abc001', /^This is no link to a Codeforces contest or gym/],
    ['https://a:b@codeforces.com/gym/101021', /^This is no link/],
    ['javascript:alert(1)', /^This is no link/],
  ] as const) {
    const refused = await give(link);
    assert.ok(refused.status >= 400 && refused.status !== 500, `${link}: ${refused.status}`);
    assert.match(textOf(refused, '#contest-fault'), sentence, link);
  }
});
