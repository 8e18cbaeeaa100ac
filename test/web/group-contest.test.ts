/**
 * A contest or gym is given to a group by its link: one request fills a list, and one that is private is refused with advice, or asked
 * for with the coach's own key.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { importBrowserAnswer } from '../../src/jobs/sync-runs.ts';
import { judges } from '../../src/judges/judges.ts';
import { joinGroup, makeGroup, makeGroupLink, setGroupRole } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeSeason, setInSeason } from '../../src/practice/seasons.ts';
import { deleteMember } from '../../src/store/members.ts';
import { codeforcesNamed, openGarden, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import { replayLeetCode } from '../replay/leetcode.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { allThatIsKept, tamper } from '../support/databases.ts';
import { csrfOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { dayMs, hourMs, iso, usualSeason } from '../support/seasons.ts';
import { replayOf } from '../sync/support.ts';

/** A coach with a group, beside replayed judges. `give` assigns a contest, and `replay.log` has its requests alone. */
async function world(t: TestContext, judges: Record<string, ReplayedJudge>) {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const garden = await openGarden(t, databaseUrl);
  const group = await makeGroup(garden.store, ada, { name: 'Club', zone: 'UTC' });
  const replay = await replayOf(t, judges);
  const JUDGE_URLS = Object.keys(judges)
    .map((name) => `${name}=${replay.url}/${name}`)
    .join();
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { JUDGE_URLS, LOG_LEVEL: 'trace' } });
  const coach = await browserOf(url, 'ada');
  const give = async (contest: string, to = group, browser = coach) => {
    await tamper(databaseUrl, noWait);
    replay.log.length = 0;
    await browser.open(`/dashboard/groups/${to}/give/`);
    return browser.submit({ name: 'contest' }, { contest });
  };
  const saveKey = async (browser: Browser, to: bigint, api_key: string, api_secret: string) => {
    await browser.open(`/dashboard/groups/${to}/settings/`);
    return browser.submit({ name: 'api_key' }, { api_key, api_secret });
  };
  return { databaseUrl, ada, garden, store: garden.store, group, replay, url, stderr, coach, give, saveKey };
}

const problem = (contestId: number, index: string, name: string) => ({ contestId, index, name, tags: [] });

/** Otherwise each request to the judge would wait two seconds for its turn. */
const noWait = 'DELETE FROM request_slots';

test('a coach gives a gym and a contest by their links', async (t) => {
  const gym = {
    contest: { id: 101_021, name: 'Fill \u202eYour Brain' },
    problems: [problem(101_021, 'A', 'Guess the Number'), problem(101_021, 'B', '<b>Bold</b>')],
    rows: [],
  };
  const round = { contest: { id: 1474, name: 'Round 696' }, problems: [problem(1474, 'A', 'Puzzle')], rows: [] };
  const standings = { 101021: gym, 1474: round, 101022: { contest: { id: 101_022, name: 'x' }, problems: 5 } };
  const times = { start_time: '2026-05-02T12:00:00Z', end_time: '2026-05-02T15:00:00Z' };
  const ponds = [{ code: 'pond', name: 'The pond', label: 'A' }];
  const spring = { key: 'spring', name: 'Spring <i>open', ...times, problems: ponds };
  const weekly = {
    contest: { title: 'Weekly Contest 9', start_time: 1_700_000_000, duration: 5400 },
    questions: [{ title_slug: 'two-ponds', title: 'Two Ponds' }],
  };
  const { databaseUrl, garden, replay, coach, give } = await world(t, {
    codeforces: replayCodeforces({ status: {}, standings }),
    dmoj: replayDmoj({ submissions: [], shown: { spring, odd: { ...spring, problems: 5 } } }),
    leetcode: replayLeetCode({}, { 'weekly-contest-9': weekly }),
  });
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1474A'));
  const given = await give('https://codeforces.com/gym/101021/standings');
  assert.equal((await coach.open(given.path)).status, 200);
  assert.match(given.path, /\/assignments\/1\/\?done=given$/);
  assert.match(textOf(given, 'h1, h2'), /Gym 101021 Fill Your Brain|Club/);
  const asked = replay.log.map(({ path }) => path.replace(/^.*\/contest/, 'contest'));
  assert.deepEqual(asked, ['contest.standings?contestId=101021&lang=en']);
  const known = async () => {
    const rows = await garden.rows('problems');
    return rows.map((row) =>
      [row['source'], row['source_key'], row['title'], row['rating'] ?? 'unrated', row['url']].join(' '),
    );
  };
  assert.deepEqual(await known(), [
    'codeforces 1474A Pond 1474A unrated https://codeforces.com/problemset/problem/1474/A',
    'codeforces 101021A Guess the Number unrated https://codeforces.com/gym/101021/problem/A',
    'codeforces 101021B <b>Bold</b> unrated https://codeforces.com/gym/101021/problem/B',
  ]);
  assert.match((await give('codeforces.com/group/abc/contest/1474')).path, /\/assignments\/2\//);
  assert.equal((await known()).length, 3);
  assert.match(textOf(await give(`${replay.url}/dmoj/contest/spring/ranking/`), 'h1, h2'), /Spring <i>open|Club/);
  assert.match((await give('https://leetcode.cn/contest/weekly-contest-9')).path, /\/assignments\/4\//);
  assert.deepEqual((await known()).slice(3), [
    `dmoj pond The pond unrated ${replay.url}/dmoj/problem/pond`,
    'leetcode two-ponds Two Ponds unrated https://leetcode.com/problems/two-ponds/',
  ]);
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
  await tamper(databaseUrl, noWait);
  await coach.open('/problem_list/lists/new/');
  const pasted = await coach.submit({ name: 'text' }, { text: 'https://codeforces.com/gym/101022' });
  assert.match(textOf(pasted, '#text-fault'), /^Codeforces sent an unexpected answer/);
});

test('a round comes from the catalogue, or is asked for in the one way that Codeforces allows', async (t) => {
  const contest = (id: number, startTimeSeconds: number) => {
    return { id, name: `Round ${id}`, phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds };
  };
  const [whole, letters] = [['A', 'B', 'C', 'D'], (id: number, some: readonly string[]) => some.map((one) => id + one)];
  // 1502 shares C and D with 1501, whose they are in the catalogue; 1503 lacks B; 1504 is over and has none yet.
  const held = { 1500: ['A', 'B'], 1501: whole, 1502: ['A', 'B'], 1503: ['A', 'C', 'D', 'E'], 1504: [] };
  const rows = Array.from({ length: 30_000 }, (_, rank) => ({ party: { members: [{ handle: 'eve' }] }, rank }));
  const shown = (id: number, parts: object = { rows }) => ({
    contest: { ...contest(id, 9) },
    problems: whole.map((index) => ({ contestId: id, index, name: `Task "rows": ${index}` })),
    ...parts,
  });
  const { contest: first, problems } = shown(1506, {});
  const { garden, replay, give } = await world(t, {
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
  await garden.import('codeforces-contests', {
    status: 'OK',
    result: Object.keys(held).map((id) => contest(Number(id), ['1501', '1502'].includes(id) ? 9 : Number(id))),
  });
  const keys = Object.entries(held).flatMap(([id, some]) => letters(Number(id), some));
  await garden.import('codeforces-problems', codeforcesNamed('Pond', ...keys));
  const giveRound = async (id: number) => {
    const page = await give(`https://codeforces.com/contest/${id}`);
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
    const { asked, problems: found, fault } = await giveRound(id);
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
    assert.match((await giveRound(id)).fault, sentence);
  replay.fail('codeforces', { kind: 'call limit' }, { kind: 'call limit' });
  assert.match((await giveRound(1505)).fault, /^Codeforces says that we send too many requests\./);
});

test('a coach gives a private gym with a key of their own, which no page, log, file or other session tells', async (t) => {
  const [key, secret] = ['a1b2'.repeat(10), '9f8e7d6c'.repeat(5)];
  const gym = { contest: { id: 200_001, name: 'Ours' }, problems: [problem(200_001, 'A', 'Hidden')], rows: [] };
  const keys = { [key]: secret };
  const codeforces = replayCodeforces({ status: {}, closed: { 200001: gym }, keys });
  const all = await world(t, { codeforces });
  const { databaseUrl, ada, garden, store, replay, url, stderr, coach: first, saveKey } = all;
  const bob = await memberWithPassword(databaseUrl, 'bob');
  const made = { club: all.group, class: await makeGroup(store, ada, { name: 'Class', zone: 'UTC' }) };
  const give = (browser: Browser, id: bigint, gymId = 200_001) =>
    all.give(`https://codeforces.com/gym/${gymId}`, id, browser);
  const settings = (id: bigint) => `/dashboard/groups/${id}/settings/`;
  const faultOf = (page: Page) => textOf(page, '#contest-fault');
  assert.match(
    faultOf(await give(first, made.club)),
    /does not show contest 200001 to everybody: .* your Codeforces key/,
  );
  const odd = await saveKey(first, made.club, 'no key', secret);
  assert.deepEqual([odd.status, odd.text.includes(secret)], [422, false]);
  assert.match(textOf(odd, '#api_key-fault'), /^This isn’t an API key and secret of Codeforces/);
  const saved = await saveKey(first, made.club, key, secret);
  assert.match(textOf(saved, '.notice'), /^Key saved\./);
  assert.match(textOf(saved, '[data-key=here]'), /^You saved a key/);
  const again = await first.open(settings(made.club));
  for (const text of [saved.text, again.text, stderr(), ...(await allThatIsKept(databaseUrl))])
    assert.deepEqual([text.includes(key), text.includes(secret)], [false, false]);

  assert.match((await give(first, made.club)).path, /\/assignments\/1\/\?done=given$/);
  const signed = replay.log.map(({ path }) => /apiSig/.test(path));
  assert.deepEqual(signed, [true], 'a gym is asked for with the key at once');
  const titles = (await garden.rows('problems')).map(({ source_key, title }) => `${source_key} ${title}`);
  assert.deepEqual(titles, ['200001A Hidden']);
  assert.match(faultOf(await give(first, made.class)), /^Codeforces does not show/, 'the key is for one group');
  assert.match(faultOf(await give(first, made.club, 200_002)), /200002 to the owner of your API key/);
  assert.equal(stderr().includes(key), false);
  // Another session of the same coach cannot read it, and says so.
  const second = await browserOf(url, 'ada');
  assert.match(textOf(await second.open(settings(made.club)), '[data-key=elsewhere]'), /enter it again/);
  assert.match(faultOf(await give(second, made.club)), /^Codeforces does not show contest 200001 to everybody/);
  await saveKey(second, made.club, key, 'f'.repeat(40));
  assert.match(faultOf(await give(second, made.club)), /^Codeforces does not accept your API key\./);
  const rows = () => store.reader.selectFrom('gym_keys').select('group_id').execute();
  assert.equal((await rows()).length, 1);
  await second.open(settings(made.club));
  assert.match(textOf(await second.submit({ name: 'no_key' }), '.notice'), /^Key removed/);
  assert.deepEqual(await rows(), []);

  // It goes with the session, with the right to coach, with the group and with the member.
  await saveKey(second, made.club, key, secret);
  await second.open('/dashboard/');
  await second.submit({ within: 'form[action="/authentication/sign-out/"]' });
  assert.deepEqual(await rows(), []);
  const link = { uses: 1, lifetimeMs: 60_000, madeBy: ada };
  const coached = { groupId: made.club, coachId: ada };
  await joinGroup(store, bob, await makeGroupLink(store, coached, link));
  const setRole = (role: 'coach' | 'member') => setGroupRole(store, coached, bob, role);
  await setRole('coach');
  const other = await browserOf(url, 'bob');
  await saveKey(other, made.club, key, secret);
  assert.equal((await rows()).length, 1);
  await setRole('member');
  assert.deepEqual(await rows(), []);
  assert.equal((await other.open(settings(made.club))).status, 404);
  await setRole('coach');
  await saveKey(other, made.club, key, secret);
  await other.open(`/dashboard/groups/${made.club}/`);
  await other.submit({ name: 'leave' });
  assert.deepEqual(await rows(), []);
  await saveKey(first, made.class, key, secret);
  assert.equal((await rows()).length, 1);
  await store.write((tx) => deleteMember(tx, ada));
  assert.deepEqual(await rows(), []);
});

test('results of a private gym come with the coach’s key into the tables of an assignment, a season and a round', async (t) => {
  const start = Math.floor(Date.now() / 1000) - 7200;
  const solved = (points: number, bestSubmissionTimeSeconds?: unknown, type = 'FINAL') => {
    return { points, rejectedAttemptCount: 0, type, bestSubmissionTimeSeconds };
  };
  const row = (participantType: string, handle: string, problemResults: unknown, more: object = {}) => {
    return { party: { members: [{ handle }], participantType, ...more }, problemResults };
  };
  const began = { startTimeSeconds: start + 3600 };
  const rows = [
    row('CONTESTANT', 'bob_cf', 'none'),
    row('CONTESTANT', 'Bob_CF', [solved(1, 60), solved(0), solved(1, 90, 'PRELIMINARY')]),
    row('VIRTUAL', 'bob_cf', [solved(1, 5), solved(1, 10)], began),
    row('PRACTICE', 'bob_cf', [null, null, solved(1), solved(1, 2_147_483_647), solved(1, '7')]),
    row('CONTESTANT', 'eve_cf', [solved(1, 1), solved(1, 1)]),
  ];
  const index = (n: number) => String.fromCharCode(65 + n);
  const gymOf = (id: number, type: string, some: unknown[]) => ({
    contest: { id, name: 'Ours', type, startTimeSeconds: start, durationSeconds: 3600, phase: 'FINISHED' },
    problems: Array.from({ length: 5 }, (_, at) => ({ ...problem(id, index(at), `Task ${index(at)}`), points: 100 })),
    rows: some,
  });
  const partial = [row('CONTESTANT', 'bob_cf', [solved(99, 1), solved(100, 2)])];
  const [key, secret] = ['a1b2'.repeat(10), '9f8e'.repeat(10)];
  const closed = { 200001: gymOf(200_001, 'ICPC', rows), 200002: gymOf(200_002, 'IOI', partial) };
  const codeforces = replayCodeforces({ status: {}, closed, keys: { [key]: secret } });
  const all = await world(t, { codeforces });
  const { databaseUrl, ada, garden, store, group, replay, url, coach, saveKey } = all;
  const bob = await memberWithPassword(databaseUrl, 'bob');
  const coached = { groupId: group, coachId: ada };
  const handle = await store.write(async (tx) => {
    const [first_day = '', last_day = ''] = [-5, 1].map((days) => iso(Date.now() + days * dayMs).slice(0, 10));
    await makeSeason(tx, coached, { ...usualSeason, first_day, last_day });
    const code = await makeGroupLink(tx, coached, { uses: 1, lifetimeMs: 60_000, madeBy: ada });
    await joinGroup(tx, bob, code);
    await setInSeason(tx, group, bob, true);
    await addHandle(tx, bob, 'codeforces', 'Gone_cf');
    return addHandle(tx, bob, 'codeforces', 'bob_cf');
  });
  // The practice that a member brings waits for its problem.
  const practice = JSON.stringify(submissionsOf('bob_cf', ['200001D', 'OK', start - 9]));
  await importBrowserAnswer(store, handle, judges.codeforces.browserSync, practice, 1);
  assert.deepEqual(await garden.rows('problems'), []);
  const path = `/dashboard/groups/${group}/`;
  await saveKey(coach, group, key, secret);
  const give = async (page: string, name: string, id: number) => {
    await tamper(databaseUrl, noWait);
    await coach.open(path + page);
    return coach.submit({ name }, { [name]: `https://codeforces.com/gym/${id}` });
  };
  const assignment = (await give('give/', 'contest', 200_001)).path.replace(/\?.*/, '');
  await give('season/add/', 'link', 200_001);
  const hint = '[data-kind="plain"]';
  const hidden =
    /^Codeforces hides submissions to private gyms and group contests\. Results of Gym 200001 may be missing here\./;
  const member = await browserOf(url, 'bob');
  for (const page of [assignment, `${path}season/`]) {
    assert.match(textOf(await member.open(page), hint), new RegExp(`${hidden.source}$`), page);
    assert.match(textOf(await coach.open(page), hint), new RegExp(`${hidden.source}\\s*Get results$`), page);
  }
  const get = async (page: string, browser = coach) => {
    await tamper(databaseUrl, noWait);
    await browser.open(page);
    replay.log.length = 0;
    return browser.submit({ within: `form[action$="/results/"]` });
  };
  const cells = async () => {
    const { document } = await coach.open(assignment);
    return document.querySelectorAll('tr[data-person] td[data-state="complete"]').length;
  };
  replay.fail('codeforces', { kind: 'page', status: 403 });
  const failed = await get(assignment);
  assert.match(textOf(failed, '.notice'), /^Codeforces only lets people in a browser through\./);
  assert.deepEqual([failed.status, await cells()], [502, 1]);
  const got = await get(assignment);
  assert.equal(got.path, `${assignment}?done=results`);
  assert.match(textOf(got, '[data-kind="good"]'), /^Results imported\. Practice after a contest has no times/);
  assert.equal(replay.log.length, 2, 'a handle that is gone is left out');
  assert.match(replay.log[1]?.path ?? '', /contestId=200001&handles=bob_cf&lang=en&showUnofficial=true/);
  assert.equal(await cells(), 3);
  const solves = async () =>
    (await store.reader.selectFrom('solves').selectAll().orderBy('submission_id').execute()).map(
      ({ key: one, submitted_at, participation, contest, origin }) =>
        [one, Date.parse(submitted_at) / 1000 - start, participation, contest, origin].join(' '),
    );
  const brought = '200001D -9 practice 200001 browser';
  const expected = [brought, '200001A 60 contest 200001 server', '200001B 3610 virtual 200001 server'];
  assert.deepEqual(await solves(), expected);
  assert.match(textOf(await coach.open(`${path}season/`), 'tr[data-person] td[data-part]'), /live|Live/);
  assert.equal((await get(`${path}season/`)).path.replace(/\d+/, '1'), `/dashboard/groups/1/seasons/1/?done=results`);
  assert.deepEqual(await solves(), expected, 'twice is once');
  const submission = await member.open('/problem_list/problem/1/');
  assert.equal(submission.document.querySelectorAll('a[href*="/submission/"]').length, 0);

  // A round of the group, and a contest in which partial scores are points.
  await give('give/', 'contest', 200_002);
  await coach.open('/dashboard/rounds/new/');
  const when = { date: iso(Date.now() + dayMs).slice(0, 10), time: '12:00', minutes: '60' };
  const made = await coach.submit({ name: 'contest' }, { name: 'Pond', ...when, list: '2', group: String(group) });
  assert.match(made.path, /\/rounds\/\d+\/\?done=made$/);
  const times = { starts_at: iso(Date.now() - hourMs), ends_at: iso(Date.now() - 1) };
  await store.write((tx) => tx.updateTable('rounds').set(times).execute());
  const round = made.path.replace(/\?.*/, '');
  assert.match(textOf(await coach.open(round), hint), /Results of Gym 200002 may be missing/);
  assert.equal((await get(round)).path, `${round}?done=results`);
  assert.deepEqual((await solves()).slice(3), ['200002B 2 contest 200002 server']);

  // Without a key that works here, and for a public gym.
  const other = await browserOf(url, 'ada');
  await saveKey(other, group, key, 'f'.repeat(40));
  assert.match(textOf(await get(assignment, other), '.notice'), /^Codeforces does not accept your API key\./);
  assert.match(
    textOf(await coach.open(assignment), hint),
    /To get the results, save your Codeforces key in this browser\.$/,
  );
  const fields = { _csrf: csrfOf(member.page()), contest: 'codeforces 200001' };
  assert.equal((await member.post(`${path}results/`, fields)).status, 404);
  const gyms = [{ id: 200_001, name: 'Ours', phase: 'FINISHED', durationSeconds: 3600 }];
  await garden.import('codeforces-contests', { status: 'OK', result: gyms });
  assert.equal(textOf(await coach.open(assignment), hint), '');
});
