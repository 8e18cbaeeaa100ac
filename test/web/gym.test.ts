/** Problems of gyms: they come with members' submissions, stand apart from the list, and go with the last member who sent to them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addProblems, noLimits, removeAddedProblem } from '../../src/practice/added-problems.ts';
import { planUnlinking, removeHandle, unlink, versionOfUnlinking } from '../../src/practice/handles.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { readCatalogue } from '../../src/store/problems.ts';
import { codeforcesNamed, openGarden, report, submissions, submissionsOf } from '../importing/support.ts';
import { totalIn } from '../support/elements.ts';
import { memberWithPassword, textOf } from '../support/forms.ts';
import { temporaryDatabase, tokensFor } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

async function gardenWithGyms(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '2A', '3A'));
  const sent = submissions(['101021A', 'OK', 10], ['101021C', 'WRONG_ANSWER', 20], ['1A', 'OK', 30]);
  await garden.import('codeforces-submissions', sent, { member: 'ada' });
  return { databaseUrl, garden, ids };
}

test('a gym’s problems come once for all members, and again changes nothing', async (t) => {
  const { garden } = await gardenWithGyms(t);
  const [problem, ...others] = (await garden.rows('problems')).filter(({ source_key }) => source_key === '101021A');
  assert.deepEqual(others, []);
  assert.equal(problem?.['url'], 'https://codeforces.com/gym/101021/problem/A');
  assert.equal(problem?.['rating'], null);
  const before = await garden.everything();
  const again = await garden.import('codeforces-submissions', submissions(['101021A', 'OK', 10]), { member: 'ada' });
  assert.equal(again.hasWritten, false);
  await garden.import('codeforces-submissions', submissionsOf('bob_cf', ['101021A', 'OK', 40]), { member: 'bob' });
  assert.equal((await garden.rows('problems')).length, 5);
  assert.notEqual(await garden.everything(), before);
});

test('the list and its counts have gyms only where they are asked for', async (t) => {
  const { databaseUrl, garden } = await gardenWithGyms(t);
  const facts = await readCatalogue(garden.store.reader);
  assert.deepEqual([facts.total, facts.gyms.get('codeforces')], [3n, 2n]);
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const found = async (query: string) => totalIn(await ada.open(`/problem_list/${query}`));
  for (const [query, count] of [
    ['', 3],
    ['?source=codeforces', 3],
    ['?q=1021', 0],
    ['?q=pond&order=rating', 3],
    ['?order=-title', 3],
    ['?status=unsolved', 2],
    ['?status=not_started&order=title', 2],
    ['?unrated=true', 3],
    ['?gym=true', 2],
    ['?gym=true&q=101021', 2],
    ['?gym=true&status=unsolved', 1],
    ['?gym=true&source=atcoder', 0],
    ['?status=complete', 2],
    ['?status=complete&order=title', 2],
    ['?status=attempted&q=A', 2],
    ['?contest=101021', 2],
  ] as const)
    assert.equal(await found(query), count, query);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const { document } = await (await browserOf(url, 'root')).open('/authentication/staff/');
  assert.equal(document.querySelector('[href="/problem_list/"][data-count]')?.getAttribute('data-count'), '3');
  const [token] = await tokensFor(databaseUrl, ['ada']);
  const listed = await send(url, '/problem_list/api/problems/?count=true', { token });
  assert.equal(listed.headers['x-total-count'], '5', 'the interface lists them like all others');
  for (const text of ['101021a', 'https://codeforces.com/gym/101021/problem/A']) {
    const page = await ada.open(`/problem_list/?${new URLSearchParams({ q: text })}`);
    assert.match(page.path, /^\/problem_list\/problem\/\d+\/$/, text);
  }
  for (let nth = 0; nth < 5; nth++) {
    const page = await ada.open('/problem_list/random/');
    assert.match(textOf(page, 'h1'), /^Pond/);
  }
  const bulk = await ada.open('/problem_list/bulk/?do=all');
  assert.ok(bulk.status < 500);
});

test('a gym has its tab in the contest grid, beside the judge’s own contests', async (t) => {
  const { databaseUrl, garden } = await gardenWithGyms(t);
  const contest = { id: 1, name: 'Pond Round', phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds: 1000 };
  await garden.import('codeforces-contests', { status: 'OK', result: [contest] });
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const own = await ada.open('/problem_list/contests/?source=codeforces');
  assert.deepEqual([totalIn(own), textOf(own, '.contest h2')], [1, 'Pond Round Pond Round on Codeforces']);
  assert.match(textOf(own, '.page-head'), /Codeforces gym/);
  const gyms = await ada.open('/problem_list/contests/?source=codeforces&gym=true');
  assert.equal(totalIn(gyms), 1);
  assert.match(textOf(gyms, '.contest h2'), /^Gym 101021/);
  assert.equal(gyms.document.querySelectorAll('.contest .cell').length, 2);
});

test('a team’s row counts for each of its members, and says so', async (t) => {
  const { databaseUrl, garden } = await gardenWithGyms(t);
  const team = {
    id: 77,
    contestId: 101_021,
    creationTimeSeconds: 90,
    problem: { contestId: 101_021, index: 'B', name: 'Bridges', tags: [] },
    author: { members: [{ handle: 'ada_cf' }, { handle: 'bob_cf' }], teamName: 'Ponds', participantType: 'VIRTUAL' },
    programmingLanguage: 'GNU C++17',
    verdict: 'OK',
  };
  const bring = (row: object, member: string) =>
    garden.import('codeforces-submissions', { status: 'OK', result: [row] }, { member, handle: `${member}_cf` });
  for (const name of ['ada', 'bob']) await bring(team, name);
  const { url } = await serveHere(t, { databaseUrl });
  for (const name of ['ada', 'bob']) {
    const browser = await browserOf(url, name);
    const page = await browser.open('/problem_list/?q=101021B');
    assert.equal(textOf(page, 'h1'), 'Bridges');
    assert.match(textOf(page, '[data-submission="77"]'), /virtual.*with a team/, name);
    const gyms = await browser.open('/problem_list/contests/?source=codeforces&gym=true&show=taken');
    assert.match(textOf(gyms, '[data-contest="101021"] .facts'), /virtual\s*with a team/, name);
    assert.equal(textOf(gyms, '[data-took="virtual"] .took'), 'virtual, team', name);
  }
  // In the contest itself too, of which nobody knows yet when it was.
  const live = {
    ...team,
    id: 78,
    problem: { ...team.problem, index: 'D' },
    author: { ...team.author, participantType: 'CONTESTANT' },
  };
  await bring(live, 'ada');
  const ada = await browserOf(url, 'ada');
  const taken = () => ada.open('/problem_list/contests/?source=codeforces&gym=true&show=taken');
  assert.match(textOf(await taken(), '[data-contest="101021"] .facts'), /no date\s*took part\s*with a team/);
  assert.equal(textOf(await taken(), '[data-took="live"] .took'), 'live, team');
});

test('a list of gyms names those of which a problem is here, and leaves those that it does not name', async (t) => {
  const { databaseUrl, garden } = await gardenWithGyms(t);
  await garden.import('codeforces-submissions', submissions(['101022A', 'OK', 60]), { member: 'ada' });
  const times = { phase: 'FINISHED', durationSeconds: 18_000, startTimeSeconds: 1_476_000_000 };
  const about = { type: 'ICPC', difficulty: 3, kind: 'Official ICPC Contest', country: 'Spain', season: '2016-2017' };
  const gym = (id: number, name: string) => ({ id, name, ...times, ...about });
  const list = [gym(101_021, '2016 ACM \u202eICPC <b>'), gym(100_001, 'Of which nothing is here')];
  const first = await garden.import('codeforces-contests', { status: 'OK', result: list });
  assert.deepEqual(first.report, report({ read: 2, changed: 1, unmatched: 1 }));
  const again = await garden.import('codeforces-contests', { status: 'OK', result: list });
  assert.deepEqual([again.report, again.hasWritten], [report({ read: 2, kept: 1, unmatched: 1 }), false]);
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const gyms = await ada.open('/problem_list/contests/?source=codeforces&gym=true');
  assert.equal(totalIn(gyms), 2);
  assert.match(textOf(gyms, '[data-contest="101021"] h2'), /^2016 ACM ICPC <b>/);
  assert.match(textOf(gyms, '[data-contest="101021"] .facts'), /2016/);
  assert.match(textOf(gyms, '[data-contest="101022"] h2'), /^Gym 101022/);
  assert.match(textOf(await ada.open('/problem_list/?q=101021A'), '.crumbs'), /2016 ACM ICPC <b>, A/);
  const own = await ada.open('/problem_list/contests/?source=codeforces');
  assert.equal(own.document.querySelectorAll('select[name=year] option').length, 0);
  // A gym that was given by its link has no submission, and its name all the same.
  const given = { source: 'codeforces', key: '100001B', url: 'https://x.test/', isGym: true };
  await addProblems(garden.store, 1n, [given], noLimits);
  await garden.import('codeforces-contests', { status: 'OK', result: list });
  const shown = async () => totalIn(await ada.open('/problem_list/contests/?source=codeforces&gym=true'));
  assert.equal(await shown(), 3);
  const { id } = (await garden.rows('problems')).find(({ source_key }) => source_key === '100001B') ?? {};
  await removeAddedProblem(garden.store, 1n, BigInt(Number(id)));
  assert.equal(await shown(), 2);
});

test('unlinking takes a gym’s problems away unless somebody has anything on them', async (t) => {
  const { garden, ids } = await gardenWithGyms(t);
  await garden.import('codeforces-submissions', submissionsOf('bob_cf', ['101021C', 'OK', 40]), { member: 'bob' });
  const unlinkOf = async (owner: bigint) => {
    const { reader } = garden.store;
    const [handle] = await reader.selectFrom('handles').select('id').where('user_id', '=', owner).execute();
    const plan = await planUnlinking(reader, handle?.id ?? 0n, owner);
    assert.ok(handle && plan);
    await unlink(garden.store, handle.id, owner, versionOfUnlinking(plan));
  };
  const keys = async () => (await garden.rows('problems')).map(({ source_key }) => source_key);
  const revision = async () =>
    (await garden.store.reader.selectFrom('revisions').selectAll().execute()).find(({ scope }) => scope === 'problems');
  await unlinkOf(ids.ada);
  assert.deepEqual(await keys(), ['1A', '2A', '3A', '101021C']);
  const before = await revision();
  await unlinkOf(ids.bob);
  assert.notDeepEqual(await revision(), before, 'who reads the list reads it anew');
  assert.deepEqual(await keys(), ['1A', '2A', '3A']);
  assert.deepEqual(await garden.store.reader.selectFrom('contests').select('key').execute(), []);
});

test('a gym’s problem on which the member with the id 0 has a mark stays', async (t) => {
  const { garden } = await gardenWithGyms(t);
  await garden.import('records', [{ id: 0, username: 'zero' }]);
  const { reader } = garden.store;
  const problem = async () =>
    (await reader.selectFrom('problems').select('id').where('source_key', '=', '101021C').execute())[0]?.id;
  const id = (await problem()) ?? 0n;
  await setStatus(garden.store, { memberId: 0n, problemIds: [id], status: 'reading' });
  const [handle] = await reader.selectFrom('handles').select('id').execute();
  await garden.store.write((tx) => removeHandle(tx, handle?.id ?? 0n));
  assert.equal(await problem(), id);
});
