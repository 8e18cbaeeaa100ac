/**
 * A contest or gym is given to a group by its link: one request fills a list, and one that is private is refused with advice, or asked
 * for with the coach's own key.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinGroup, makeGroup, makeGroupLink, setGroupRole } from '../../src/practice/groups.ts';
import { deleteMember } from '../../src/store/members.ts';
import { codeforcesNamed, openGarden } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { replayLeetCode } from '../replay/leetcode.ts';
import { startReplay } from '../replay/replay.ts';
import { allThatIsKept, tamper } from '../support/databases.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const problem = (contestId: number, index: string, name: string) => ({ contestId, index, name, tags: [] });

/** Otherwise each request to the judge would wait two seconds for its turn. */
const noWait = 'DELETE FROM request_slots';

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
  const times = { start_time: '2026-05-02T12:00:00Z', end_time: '2026-05-02T15:00:00Z' };
  const spring = {
    key: 'spring',
    name: 'Spring <i>open',
    ...times,
    problems: [{ code: 'pond', name: 'The pond', label: 'A' }],
  };
  const weekly = {
    contest: { title: 'Weekly Contest 9', start_time: 1_700_000_000, duration: 5400 },
    questions: [{ title_slug: 'two-ponds', title: 'Two Ponds' }],
  };
  const replay = await startReplay({
    codeforces: replayCodeforces({ status: {}, standings }),
    dmoj: replayDmoj({
      submissions: [],
      shown: { spring, empty: { ...spring, problems: [] }, odd: { ...spring, problems: 5 } },
    }),
    leetcode: replayLeetCode({}, { 'weekly-contest-9': weekly }),
  });
  t.after(() => replay.close());
  const env = { JUDGE_URLS: ['codeforces', 'dmoj', 'leetcode'].map((name) => `${name}=${replay.url}/${name}`).join() };
  const { url } = await serveHere(t, { databaseUrl, env });
  const browser = await browserOf(url, 'ada');
  const give = async (contest: string) => {
    await tamper(databaseUrl, noWait);
    await browser.open(`/dashboard/groups/${group}/give/`);
    return browser.submit({ name: 'contest' }, { contest });
  };
  const given = await give('https://codeforces.com/gym/101021/standings');
  assert.match(given.path, /\/assignments\/1\/\?done=given$/);
  assert.match(textOf(given, 'h1, h2'), /Gym 101021 Fill Your Brain|Club/);
  assert.deepEqual(
    replay.log.map(({ path }) => path.replace(/^.*\/contest/, 'contest')),
    ['contest.standings?contestId=101021&lang=en'],
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
  assert.match((await give('codeforces.com/group/abc/contest/1474')).path, /\/assignments\/2\//);
  assert.equal((await garden.rows('problems')).length, 3);
  assert.match(textOf(await give(`${replay.url}/dmoj/contest/spring/ranking/`), 'h1, h2'), /Spring <i>open|Club/);
  assert.match((await give('https://leetcode.cn/contest/weekly-contest-9')).path, /\/assignments\/4\//);
  assert.deepEqual(
    (await garden.rows('problems')).slice(3).map(({ source, source_key, url }) => [source, source_key, url]),
    [
      ['dmoj', 'pond', `${replay.url}/dmoj/problem/pond`],
      ['leetcode', 'two-ponds', 'https://leetcode.com/problems/two-ponds/'],
    ],
  );
  for (const [link, sentence] of [
    ['https://codeforces.com/gym/100001', /^Codeforces does not show contest 100001 to everybody: .* assign that\.$/],
    ['https://codeforces.com/gym/101022', /^Codeforces sent an unexpected answer/],
    ['https://atcoder.jp/contests/abc001', /^We cannot ask AtCoder for this contest\. .* listed under Contests\.$/],
    [
      'https://leetcode.com/contest/weekly-contest-10/',
      /^LeetCode does not show contest weekly-contest-10 to everybody/,
    ],
    [`${replay.url}/dmoj/contest/none`, /^DMOJ does not show contest none to everybody/],
    [`${replay.url}/dmoj/contest/odd`, /^DMOJ sent an unexpected answer/],
    ['https://dmoj.ca/contest/spring', /^This isn’t a link to a contest of/],
    ['https://a:b@codeforces.com/gym/101021', /^This isn’t a link/],
    ['javascript:alert(1)', /^This isn’t a link/],
  ] as const) {
    const refused = await give(link);
    assert.ok(refused.status >= 400 && refused.status !== 500, `${link}: ${refused.status}`);
    assert.match(textOf(refused, '#contest-fault'), sentence, link);
  }
});

test('a round comes from the catalogue, or is asked for in the one way that Codeforces allows', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  const { store } = garden;
  const contest = (id: number, startTimeSeconds: number) => ({
    id,
    name: `Round ${id}`,
    phase: 'FINISHED',
    durationSeconds: 7200,
    startTimeSeconds,
  });
  const [whole, letters] = [['A', 'B', 'C', 'D'], (id: number, some: readonly string[]) => some.map((one) => id + one)];
  // 1502 shares C and D with 1501, whose they are in the catalogue; 1503 lacks B; 1504 is over and has none yet.
  const held = { 1500: ['A', 'B'], 1501: whole, 1502: ['A', 'B'], 1503: ['A', 'C', 'D', 'E'], 1504: [] };
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: Object.keys(held).map((id) => contest(Number(id), ['1501', '1502'].includes(id) ? 9 : Number(id))),
  });
  const keys = Object.entries(held).flatMap(([id, some]) => letters(Number(id), some));
  await garden.import('codeforces-problems', codeforcesNamed('Pond', ...keys));
  const rows = Array.from({ length: 30_000 }, (_, rank) => ({ party: { members: [{ handle: 'eve' }] }, rank }));
  const shown = (id: number, parts: object = { rows }) => ({
    contest: { ...contest(id, 9) },
    problems: whole.map((index) => ({ contestId: id, index, name: `Task "rows": ${index}` })),
    ...parts,
  });
  const { contest: first, problems } = shown(1506, {});
  const replay = await startReplay({
    codeforces: replayCodeforces({
      status: {},
      standings: {
        ...Object.fromEntries([1502, 1503, 1504].map((id) => [id, shown(id)])),
        1505: { rows: rows.slice(0, 9), problems: shown(1505).problems, contest: shown(1505).contest },
        1506: { rows, contest: first, problems },
        1507: { contest: { ...contest(1507, 9), phase: 'BEFORE' }, problems: [], rows: [] },
      },
      gated: { 100001: shown(100_001), 100002: shown(100_002) },
    }),
  });
  t.after(() => replay.close());
  const { url } = await serveHere(t, { databaseUrl, env: { JUDGE_URLS: `codeforces=${replay.url}/codeforces` } });
  const group = await store.write((tx) => makeGroup(tx, ada, { name: 'Club', zone: 'UTC' }));
  const browser = await browserOf(url, 'ada');
  const give = async (id: number) => {
    await tamper(databaseUrl, noWait);
    replay.log.length = 0;
    await browser.open(`/dashboard/groups/${group}/give/`);
    const page = await browser.submit({ name: 'contest' }, { contest: `https://codeforces.com/contest/${id}` });
    const asked = replay.log.map(({ path }) => path.split('?')[1]);
    const keysOf = page.document.querySelectorAll('.key-list li a[href*="/problem/"]').length;
    return { asked, problems: keysOf, fault: textOf(page, '#contest-fault') };
  };
  for (const [id, count, isAsked] of [
    [1500, 2, false],
    [1501, 4, false],
    [1502, 4, true],
    [1503, 4, true],
    [1504, 4, true],
    [1505, 4, true],
  ] as const) {
    const { asked, problems: found, fault } = await give(id);
    assert.deepEqual([found, fault], [count, ''], String(id));
    assert.deepEqual(asked, isAsked ? [`contestId=${id}&lang=en`] : [], String(id));
  }
  for (const [id, sentence] of [
    [1506, /^Codeforces sent an answer of more than 1 MiB/],
    [1507, /^Codeforces shows the problems of contest 1507 only after it has begun\./],
    [1508, /^Codeforces does not show contest 1508 to everybody/],
    [100_001, /^Codeforces does not show contest 100001 to everybody: .* save your Codeforces key/],
    [100_002, /^Codeforces does not show contest 100002 to everybody: .* save your Codeforces key/],
  ] as const)
    assert.match((await give(id)).fault, sentence);
  replay.fail('codeforces', { kind: 'call limit' }, { kind: 'call limit' });
  assert.match((await give(1505)).fault, /^Codeforces says that we send too many requests\./);
});

test('a coach gives a private gym with a key of their own, which no page, log, file or other session tells', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const bob = await memberWithPassword(databaseUrl, 'bob');
  const garden = await openGarden(t, databaseUrl);
  const { store } = garden;
  const made = await store.write(async (tx) => ({
    club: await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' }),
    class: await makeGroup(tx, ada, { name: 'Class', zone: 'UTC' }),
  }));
  const [key, secret] = ['a1b2'.repeat(10), '9f8e7d6c'.repeat(5)];
  const gym = { contest: { id: 200_001, name: 'Ours' }, problems: [problem(200_001, 'A', 'Hidden')], rows: [] };
  const keys = { [key]: secret };
  const replay = await startReplay({ codeforces: replayCodeforces({ status: {}, closed: { 200001: gym }, keys }) });
  t.after(() => replay.close());
  const env = { JUDGE_URLS: `codeforces=${replay.url}/codeforces`, LOG_LEVEL: 'trace' };
  const { url, stderr } = await serveHere(t, { databaseUrl, env });
  const first = await browserOf(url, 'ada');
  const give = async (browser: typeof first, id: bigint, gymId = 200_001) => {
    await tamper(databaseUrl, noWait);
    await browser.open(`/dashboard/groups/${id}/give/`);
    return browser.submit({ name: 'contest' }, { contest: `https://codeforces.com/gym/${gymId}` });
  };
  const settings = (id: bigint) => `/dashboard/groups/${id}/settings/`;
  const save = async (browser: typeof first, id: bigint, api_key: string, api_secret: string) => {
    await browser.open(settings(id));
    return browser.submit({ name: 'api_key' }, { api_key, api_secret });
  };
  const faultOf = (page: Awaited<ReturnType<typeof give>>) => textOf(page, '#contest-fault');
  assert.match(
    faultOf(await give(first, made.club)),
    /does not show contest 200001 to everybody: .* your Codeforces key/,
  );
  const odd = await save(first, made.club, 'no key', secret);
  assert.deepEqual([odd.status, odd.text.includes(secret)], [422, false]);
  assert.match(textOf(odd, '#api_key-fault'), /^This isn’t an API key and secret of Codeforces/);
  const saved = await save(first, made.club, key, secret);
  assert.match(textOf(saved, '.notice'), /^Key saved\./);
  assert.match(textOf(saved, '[data-key=here]'), /^You saved a key/);
  for (const text of [
    saved.text,
    (await first.open(settings(made.club))).text,
    stderr(),
    ...(await allThatIsKept(databaseUrl)),
  ])
    assert.deepEqual([text.includes(key), text.includes(secret)], [false, false]);

  replay.log.length = 0;
  assert.match((await give(first, made.club)).path, /\/assignments\/1\/\?done=given$/);
  assert.deepEqual(
    replay.log.map(({ path }) => /apiSig/.test(path)),
    [true],
    'a gym is asked for with the key at once',
  );
  assert.ok(
    (await garden.rows('problems')).some(({ source_key, title }) => source_key === '200001A' && title === 'Hidden'),
  );
  assert.match(faultOf(await give(first, made.class)), /^Codeforces does not show/, 'the key is for one group');
  assert.match(faultOf(await give(first, made.club, 200_002)), /200002 to the owner of your API key/);
  assert.equal(stderr().includes(key), false);
  // Another session of the same coach cannot read it, and says so.
  const second = await browserOf(url, 'ada');
  assert.match(textOf(await second.open(settings(made.club)), '[data-key=elsewhere]'), /enter it again/);
  assert.match(faultOf(await give(second, made.club)), /^Codeforces does not show contest 200001 to everybody/);
  await save(second, made.club, key, 'f'.repeat(40));
  assert.match(faultOf(await give(second, made.club)), /^Codeforces does not accept your API key\./);
  const rows = () => store.reader.selectFrom('gym_keys').select('group_id').execute();
  assert.equal((await rows()).length, 1);
  await second.open(settings(made.club));
  assert.match(textOf(await second.submit({ name: 'no_key' }), '.notice'), /^Key removed/);
  assert.deepEqual(await rows(), []);

  // It goes with the session, with the right to coach, with the group and with the member.
  await save(second, made.club, key, secret);
  await second.open('/dashboard/');
  await second.submit({ within: 'form[action="/authentication/sign-out/"]' });
  assert.deepEqual(await rows(), []);
  const coachId = ada;
  const link = { uses: 1, lifetimeMs: 60_000, madeBy: ada };
  const code = await store.write((tx) => makeGroupLink(tx, { groupId: made.club, coachId }, link));
  await store.write((tx) => joinGroup(tx, bob, code));
  const setRole = (role: 'coach' | 'member') =>
    store.write((tx) => setGroupRole(tx, { groupId: made.club, coachId }, bob, role));
  await setRole('coach');
  const other = await browserOf(url, 'bob');
  await save(other, made.club, key, secret);
  assert.equal((await rows()).length, 1);
  await setRole('member');
  assert.deepEqual(await rows(), []);
  assert.equal((await other.open(settings(made.club))).status, 404);
  await setRole('coach');
  await save(other, made.club, key, secret);
  await other.open(`/dashboard/groups/${made.club}/`);
  await other.submit({ name: 'leave' });
  assert.deepEqual(await rows(), []);
  await save(first, made.class, key, secret);
  assert.equal((await rows()).length, 1);
  await store.write((tx) => deleteMember(tx, ada));
  assert.deepEqual(await rows(), []);
});
