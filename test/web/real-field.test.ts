/** Rounds beside the real field: who chooses it, when its judge is asked, what is kept, and what shows at which minute. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fetchRealFields } from '../../src/jobs/real-fields.ts';
import type { RealField } from '../../src/judges/real-field.ts';
import { showRealField, withColumns } from '../../src/practice/real-fields.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { findRealField } from '../../src/store/real-fields.ts';
import { deleteRound, updateRound } from '../../src/store/rounds.ts';
import { openGarden } from '../importing/support.ts';
import { type CodeforcesRows, replayCodeforces } from '../replay/codeforces.ts';
import { allThatIsKept } from '../support/databases.ts';
import { type Browser, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { idOf } from '../support/members.ts';
import { generateContest, standingsAnswer } from '../support/real-fields.ts';
import { clubDatabase, clubRound } from '../support/rounds.ts';
import { replayOf } from '../sync/support.ts';

const minuteMs = 60_000;
const iso = (ms: number) => new Date(ms).toISOString();
const page = (id: bigint, rest = '') => `/dashboard/rounds/${id}/${rest}`;

async function club(t: TestContext, rows: Partial<CodeforcesRows> = {}) {
  const { databaseUrl, store } = await openGarden(t, await clubDatabase(t));
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status: {}, ...rows }) });
  const address = `${replay.url}/codeforces`;
  const { url } = await serveHere(t, { databaseUrl, env: { JUDGE_URLS: `codeforces=${address}` } });
  const demoId = await idOf(store, 'demo');
  const log: string[] = [];
  const fetch = (now = Date.now()) =>
    fetchRealFields(
      store,
      { judgeUrls: new Map([['codeforces', address]]), pace: { intervalMs: 0 }, log: (_, text) => log.push(text) },
      now,
    );
  const end = (id: bigint, minutesAgo: number) => {
    const ends = Date.now() - minutesAgo * minuteMs;
    const times = { starts_at: iso(ends - 120 * minuteMs), ends_at: iso(ends), freeze_minutes: 0n };
    return store.write((tx) => updateRound(tx, id, times));
  };
  return { databaseUrl, store, replay, demoId, log, fetch, end, as: (name: string) => browserOf(url, name) };
}

/** The name and the results of each, which is in no place. */
const ghostsOf = async (browser: Browser, id: bigint) => {
  const { document } = await browser.open(page(id));
  return document.querySelectorAll('.standings .ghost').map((row) => {
    assert.equal(row.querySelector('.c-place')?.text, '');
    const cells = row.querySelectorAll('td.c-p').map((cell) => cell.getAttribute('data-result') ?? '-');
    return [row.querySelector('.c-name')?.text.trim(), cells.join(' ')] as const;
  });
};

test('a field is shown with the columns of the round, and with nothing for a problem that it lacks', () => {
  const usual = { total: 1, step: 1, seconds: 60, wrongMinutes: 20 };
  const field = { ...usual, positions: ['A', 'B'], worth: [5, 9], rows: [[[7, 1], 2]] };
  const shown = { ...field, positions: ['B', ''], worth: [9, 0], rows: [[2, 0]] };
  assert.deepEqual(withColumns(field as RealField, [1, -1]), shown);
  assert.deepEqual(withColumns({ ...field, worth: [] } as unknown as RealField, [1, -1]), { ...shown, worth: [] });
});

test('its maker shows it, the judge is asked once after the end, and no name stays anywhere', async (t) => {
  const contest = generateContest('ICPC', 2_100, 11);
  const answer = standingsAnswer(contest, 2193, 'ABCDEF');
  const standings = { 2193: answer };
  const { databaseUrl, store, replay, log, fetch, end, as } = await club(t, { standings });
  const id = await clubRound(store, { minutesIn: 83 });
  const [demo, ana, outsider] = [await as('demo'), await as('ana'), await as('outsider')];
  for (const other of [ana, outsider]) {
    assert.equal((await other.open(page(id, 'field/'))).status, 404);
    await other.open('/dashboard/');
    assert.equal((await other.upload(page(id, 'field/'), [['show', 'yes']])).status, 403);
  }
  assert.equal((await ana.open(page(id))).text.includes('real field'), false, 'off by default');
  assert.match(
    textOf(await demo.submitAt(page(id, 'field/'), { name: 'show' }), 'main'),
    /They come after the round\./,
  );
  assert.match(textOf(await ana.open(page(id)), '.beside'), /The real results aren’t here yet\./);
  await fetch();
  assert.equal(replay.log.length, 0, 'not before the end');
  await end(id, 10);
  replay.fail('codeforces', { kind: 'status', status: 503 });
  await fetch();
  await fetch();
  assert.deepEqual([replay.log.length, log.length], [1, 1], 'it waits before it tries again');
  answer.contest.phase = 'SYSTEM_TEST';
  await fetch(Date.now() + 11 * minuteMs);
  answer.contest.phase = 'FINISHED';
  await fetch(Date.now() + 45 * minuteMs);
  await fetch(Date.now() + 1e9);
  assert.deepEqual(
    replay.log.map(({ path }) => path),
    Array.from({ length: 3 }, () => '/contest.standings?contestId=2193&lang=en'),
  );
  const shown = await ana.open(page(id));
  assert.match(textOf(shown, '.beside .figure-side'), /about [\d,]+(?:st|nd|rd|th) ?of 2,100/);
  assert.match(textOf(shown, '.standings [data-person] .about-place'), /^about /);
  assert.equal(shown.document.querySelectorAll('.beside svg').length, 2);
  assert.deepEqual(
    (await ghostsOf(ana, id)).map(([name]) => name),
    ['20th', '100th', '200th', '500th', '1,050th, the middle'],
  );
  for (const kept of [...(await allThatIsKept(databaseUrl)), ...log])
    assert.doesNotMatch(kept, /stranger|Strange Name/);
  await demo.submitAt(page(id), { name: 'hide' });
  assert.equal(await findRealField(store.reader, id), undefined);
  assert.equal(textOf(await ana.open(page(id)), '.beside'), '');
  await demo.submitAt(page(id, 'field/'), { name: 'show' });
  await store.write((tx) => deleteRound(tx, id));
  assert.equal(await findRealField(store.reader, id), undefined, 'it goes with its round');
});

test('a contest that its judge does not show is asked for once, and the page says so', async (t) => {
  const { store, replay, demoId, fetch, end, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 30 });
  const lockout = await clubRound(store, { minutesIn: 30, rule: 'lockout', name: 'Lockout' });
  const demo = await as('demo');
  assert.equal((await demo.open(page(lockout, 'field/'))).status, 404);
  await assert.rejects(showRealField(store, demoId, lockout), { code: 'unknownPath' });
  await showRealField(store, demoId, id);
  await end(id, 1);
  for (const days of [0, 1, 2]) await fetch(Date.now() + days * 1e8);
  assert.equal(replay.log.length, 1);
  assert.match(textOf(await demo.open(page(id)), '.beside'), /^Beside the real field ?Its judge did not show/);
  await store.write((tx) => tx.updateTable('real_fields').set({ due_at: 0n }).execute());
  assert.match(textOf(await demo.open(page(id)), '.beside'), /The round is over/);
  await store.write((tx) =>
    tx.updateTable('round_problems').set({ problem_id: 1n }).where('position', '=', 1n).execute(),
  );
  assert.match(textOf(await demo.open(page(id)), '.beside'), /aren’t all of one contest/);
});

test('a file of XCPCIO shows during the round what teams had at that minute, and no more while results are hidden', async (t) => {
  const { store, as } = await club(t);
  const id = await clubRound(store, { minutesIn: 106 });
  const demo = await as('demo');
  await demo.submitAt(page(id, 'field/'), { name: 'show' });
  const send = (bytes: string | Buffer) =>
    demo.submitAt(page(id, 'field/'), { name: 'file' }, { file: { name: 'run.json', bytes } });
  const run = (team_id: string, problem_id: unknown, timestamp: number) => {
    return { team_id, problem_id, timestamp, status: 'CORRECT' };
  };
  const refused = await send(`[${' '.repeat(20 * 1024 * 1024)}]`);
  assert.equal(refused.status, 422);
  assert.match(textOf(refused, '#file-fault'), /^This isn’t the run\.json of an XCPCIO board/);
  assert.equal((await findRealField(store.reader, id))?.field, null);
  const runs = [run('T2', 'A', 5200), run('T1', 1, 3000), run('T1', 0, 300), run('T1', 2, 5500)];
  const pending = { ...run('T3', 'F', 9), status: 'pending' };
  assert.match(textOf(await send(JSON.stringify([...runs, pending])), '.notice'), /^3 places are shown/);
  assert.deepEqual(await ghostsOf(await as('ana'), id), [
    ['1st', 'solved solved - - - -'],
    ['2nd, the middle', 'solved - - - - -'],
  ]);
  // Hidden from minute 90 on: 5200 s is before it and 5500 s is not.
  await store.write((tx) => updateRound(tx, id, { freeze_minutes: 0n }));
  assert.equal((await ghostsOf(demo, id))[0]?.[1], 'solved solved solved - - -');
});

test('as long as there is no other, the last round of the group with the same problems is the field', async (t) => {
  const { store, demoId, as } = await club(t);
  const earlier = await clubRound(store, { minutesIn: 2000, freezeMinutes: 0, name: 'Last year' });
  const id = await clubRound(store, { minutesIn: 100 });
  await showRealField(store, demoId, id);
  const [ana, other] = [await as('ana'), await clubRound(store, { minutesIn: 100, groupId: undefined })];
  const ghosts = await ghostsOf(ana, id);
  assert.deepEqual(
    ghosts.map(([name]) => name),
    ['1st', '2nd', '3rd', '5th', '6th, the middle'],
  );
  assert.equal(ghosts[0]?.[1], 'solved solved solved solved - -', 'as at minute 90, when results were hidden');
  assert.match(textOf(await ana.open(page(id)), '.beside .facts'), /^of 12 ?Last year ?\d/);
  await showRealField(store, demoId, other);
  assert.deepEqual(await ghostsOf(ana, other), [], 'a round of another audience');
  await store.write((tx) =>
    updateRound(tx, earlier, { freeze_minutes: 1n, ends_at: iso(Date.now() - 101 * minuteMs) }),
  );
  assert.deepEqual(await ghostsOf(ana, id), [], 'its last results are hidden');
});

test('a private gym is asked for with the key of the session, once the round has started', async (t) => {
  const [key, secret] = ['a1b2'.repeat(10), '9f8e7d6c'.repeat(5)];
  const gym = standingsAnswer(generateContest('ICPC', 3, 1), 200_001, 'ABCDEF');
  const { store, replay, demoId, as } = await club(t, { closed: { 200001: gym }, keys: { [key]: secret } });
  const problems = [...'BCA'].map((letter) => {
    const url = `https://codeforces.com/gym/200001/problem/${letter}`;
    return { source: 'codeforces', key: `200001${letter}`, title: letter, url, isGym: true };
  });
  const times = { startsAt: iso(Date.now() + 1e6), minutes: 60, freezeMinutes: 0 };
  const plan = { name: 'Ours', rule: 'icpc', points: [], ...times } as const;
  const id = await makeRound(store, demoId, plan, { groupId: 1n, problems, limits: { perDay: 99, total: 99 } });
  await store.write((tx) =>
    tx.deleteFrom('round_problems').where('round_id', '=', id).where('position', '=', 2n).execute(),
  );
  await showRealField(store, demoId, id);
  const [demo, phone] = [await as('demo'), await as('demo')];
  await demo.submitAt('/dashboard/groups/1/settings/', { name: 'api_key' }, { api_key: key, api_secret: secret });
  const hasButton = async (browser: Browser) =>
    (await browser.open(page(id, 'field/'))).document.querySelector('[name=get]') !== null;
  assert.equal(await hasButton(demo), false, 'the round has not started');
  await store.write((tx) => updateRound(tx, id, { starts_at: iso(Date.now() - minuteMs) }));
  assert.deepEqual([await hasButton(phone), await hasButton(demo)], [false, true]);
  assert.match(textOf(await demo.submit({ name: 'get' }), '.notice'), /^3 places are shown\. ?Gym 200001$/);
  assert.match(replay.log[0]?.path ?? '', /contestId=200001&lang=en&time=\d+&apiSig=/);
  const { rows, positions } = JSON.parse((await findRealField(store.reader, id))?.field ?? '');
  assert.deepEqual([positions, rows.length, rows[0].length], [['B', '', 'A'], 3, 3], 'at the positions of the round');
});
