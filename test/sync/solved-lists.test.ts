/**
 * Syncing with sites that list what is solved without days: each problem is its judge's own and is solved once, whatever goes wrong
 * on the way, and goes with its handle.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { describeSync, handleHealth } from '../../src/jobs/sync-health.ts';
import { type SyncOptions, syncHandle } from '../../src/jobs/sync-runs.ts';
import { planUnlinking, removeHandle } from '../../src/practice/handles.ts';
import { listDueHandles } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';
import { codeforcesRow } from '../replay/codeforces.ts';
import { replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { ponds } from '../support/ponds.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { askReplay, gardenWithHandle, link, replayOf } from './support.ts';

const small = {
  acRecords: { CodeForces: ['1A', '2A'], Kattis: ['zamka'], UVA: ['100'], Gym: ['100796F'] },
  failRecords: { CodeForces: ['3A'] },
};

async function syncing(t: TestContext, answers: Record<string, unknown> = { ada: small }) {
  const replay = await replayOf(t, { vjudge: replayVjudge(answers) });
  const { garden, handle } = await gardenWithHandle(t, 'vjudge', 'ada');
  await garden.import('problems', ponds(3));
  const ask = askReplay(garden.store, 'vjudge', replay);
  const { reader } = garden.store;
  const solved = async () => {
    const rows = await reader
      .selectFrom('statuses')
      .innerJoin('problems', 'problems.id', 'problem_id')
      .select(['source', 'source_key', 'judge_status', 'judge_at', 'solved_list_source'])
      .orderBy('source')
      .orderBy('source_key')
      .execute();
    return rows.map((row) => Object.values(row).join(' '));
  };
  return {
    garden,
    replay,
    handle,
    solved,
    sync: (options?: SyncOptions) => syncHandle(garden.store, handle, ask, options),
  };
}

const listed = (...names: string[]) => names.map((name) => `${name} complete  vjudge`);
const all = listed('codeforces 100796F', 'codeforces 1A', 'codeforces 2A', 'kattis zamka', 'uva 100');

test('a list is kept once, with problems that are made for it, and asked for once a day', async (t) => {
  const { garden, replay, handle, solved, sync } = await syncing(t);
  const { reader } = garden.store;
  assert.deepEqual((await sync()).report, { read: 5, new: 5, changed: 3, kept: 0, unmatched: 0, bad: 0 });
  assert.deepEqual(await solved(), all);
  assert.deepEqual((await sync()).report, { read: 5, new: 0, changed: 0, kept: 5, unmatched: 0, bad: 0 });
  assert.deepEqual(await solved(), all);
  assert.equal(replay.log.length, 2);
  assert.deepEqual(await reader.selectFrom('first_solves').selectAll().execute(), []);
  const [health] = await handleHealth(reader, new Date());
  assert.equal(health?.state, 'fine');
  assert.deepEqual(await listDueHandles(reader, 'vjudge', Date.now(), 5), []);
  const other = await openGarden(t);
  await other.import('records', [{ username: 'ada' }]);
  await other.import('problems', await garden.rows('problems'));
  await other.import('statuses', JSON.parse(JSON.stringify(await garden.rows('statuses'))));
  assert.equal((await other.store.reader.selectFrom('first_solves').selectAll().execute()).length, 0);
  assert.equal((await planUnlinking(reader, handle.id, handle.user_id))?.removedByState.get('complete'), 5);
});

test('a submission with a date gives a problem its day; what is unlinked goes, and the rest stays', async (t) => {
  const { garden, handle, solved, sync } = await syncing(t);
  const { store } = garden;
  await sync();
  const at = '2025-03-04T05:06:07.000Z';
  const dated = await link(garden, 'codeforces', 'ada_cf');
  const answer = { status: 'OK', result: [codeforcesRow(9, Date.parse(at) / 1000, 'ada_cf')] };
  const options = { member: 'ada', handle: 'ada_cf' };
  await garden.import('codeforces-submissions', answer, options);
  const withDay = all.map((line) => (line.includes(' 1A ') ? `codeforces 1A complete ${at} vjudge` : line));
  assert.deepEqual(await solved(), withDay);
  await sync();
  assert.deepEqual(await solved(), withDay);
  await store.write((tx) => removeHandle(tx, dated.id));
  assert.deepEqual(await solved(), all);
  await link(garden, 'codeforces', 'ada_cf');
  await garden.import('codeforces-submissions', answer, options);
  await store.write((tx) => removeHandle(tx, handle.id));
  assert.deepEqual(await solved(), [`codeforces 1A complete ${at} `]);
});

test('a dry run says what a list would change, and changes nothing, not even when it is asked for next', async (t) => {
  const { garden, handle, solved, sync } = await syncing(t);
  const { reader } = garden.store;
  const dry = await sync({ isDryRun: true });
  assert.deepEqual(dry.report, { read: 5, new: 5, changed: 3, kept: 0, unmatched: 0, bad: 0 });
  assert.deepEqual(await solved(), []);
  assert.equal((await handleHealth(reader, new Date()))[0]?.state, 'new');
  assert.deepEqual(
    (await listDueHandles(reader, 'vjudge', Date.now(), 5)).map(({ id }) => id),
    [handle.id],
  );
  assert.deepEqual((await sync()).report, dry.report);
});

test('a list names judges in any script, as VJudge does', async (t) => {
  const answer = { acRecords: { 洛谷: ['P1001'], 计蒜客: ['T1001'], CodeForces: ['1A'] }, failRecords: {} };
  const { garden, solved, sync } = await syncing(t, { ada: answer });
  assert.deepEqual((await sync()).report, { read: 3, new: 3, changed: 2, kept: 0, unmatched: 0, bad: 0 });
  const names = ['codeforces 1A', 'luogu P1001', 'vjudge %E8%AE%A1%E8%92%9C%E5%AE%A2-T1001'];
  assert.deepEqual(await solved(), listed(...names));
  const titles = (await garden.rows('problems')).map(({ title }) => title);
  assert.ok(titles.includes('计蒜客-T1001'), titles.join());
});

test('whatever is answered in its place changes nothing, and the line of health says it', async (t) => {
  const answers: Record<string, unknown> = { ada: small };
  const { garden, replay, solved, sync } = await syncing(t, answers);
  const { reader } = garden.store;
  const faultNow = async () => (await handleHealth(reader, new Date()))[0]?.fault;
  await sync();
  const odd: [unknown, string][] = [
    [{}, 'odd answer'],
    [undefined, 'unknown handle'],
  ];
  for (const [answer, fault] of odd) {
    answers['ada'] = answer;
    await assert.rejects(sync());
    assert.equal(await faultNow(), fault, JSON.stringify(answer));
  }
  answers['ada'] = small;
  for (const [fault, kind] of [
    [{ kind: 'page', status: 200 }, 'refused'],
    [{ kind: 'status', status: 429 }, 'busy'],
    [{ kind: 'truncated' }, 'odd answer'],
    [{ kind: 'reset' }, 'down'],
  ] as const) {
    replay.fail('vjudge', fault);
    await assert.rejects(sync());
    assert.equal(await faultNow(), kind, JSON.stringify(fault));
    assert.deepEqual(await solved(), all);
  }
  await sync();
  assert.equal(await faultNow(), null);
});

test('one odd entry is counted and named, and the others are solved', async (t) => {
  const { garden, sync, solved } = await syncing(t, {
    ada: { acRecords: { CodeForces: ['1A', null], 'a/b': ['1'], Kattis: 'zamka', UVA: ['100'] } },
  });
  const { report, notes } = await sync();
  assert.deepEqual([report.read, report.new, report.bad], [5, 2, 3]);
  assert.deepEqual(await solved(), listed('codeforces 1A', 'uva 100'));
  const said = notes.map(({ message }) => message).join('\n');
  assert.match(said, /^CodeForces is null; .*\na\/b is "1"; .*\nKattis is missing; expected a problem id/s);
  const [health] = await handleHealth(garden.store.reader, new Date());
  assert.deepEqual([health?.state, health?.skipped.length], ['fine', 3]);
});

test('Luogu’s list has its own problems and copies, and a private profile is said to be so', async (t) => {
  const passed = [
    { pid: 'P1001', type: 'P', title: 'A+B Problem', difficulty: 1 },
    { pid: 'CF2A', type: 'CF', title: 'Winner', difficulty: 3 },
  ];
  const answers = { 7: { status: 200, data: { passed } }, 8: { status: 200, data: {} } };
  const replay = await replayOf(t, { luogu: replayLuogu(answers) });
  const { garden, handle } = await gardenWithHandle(t, 'luogu', '7');
  await garden.import('problems', ponds(3));
  const ask = askReplay(garden.store, 'luogu', replay);
  assert.deepEqual((await syncHandle(garden.store, handle, ask)).report.new, 2);
  const problems = await garden.rows('problems');
  assert.deepEqual(problems.map(({ source, source_key, title }) => [source, source_key, title]).at(-1), [
    'luogu',
    'P1001',
    'A+B Problem',
  ]);
  const hidden = await link(garden, 'luogu', '8');
  await assert.rejects(
    syncHandle(garden.store, hidden, ask),
    /shows the solved problems of this profile to nobody else/,
  );
  const nobody = await link(garden, 'luogu', '9');
  await assert.rejects(syncHandle(garden.store, nobody, ask), /has no user 9/);
  // One handle is synced, and nothing is wrong with the server.
  const said = 'luogu: 2 handles are unknown or private there; members see which under Judge handles.';
  assert.deepEqual(await describeSync(garden.store.reader, new Date(), true), ['warning', said]);
});

test('a real list of VJudge is kept whole', needsData, async (t) => {
  const answer = JSON.parse(await readReal('reach/vjudge/user.solveDetail.json')) as {
    acRecords: Record<string, string[]>;
  };
  const { sync, solved } = await syncing(t, { ada: answer });
  const count = Object.values(answer.acRecords).flat().length;
  assert.equal((await sync()).report.new, count);
  const sources = Map.groupBy(await solved(), (line) => line.split(' ')[0]);
  assert.deepEqual(
    ['codeforces', 'atcoder', 'kattis', 'uva', 'timus', 'spoj'].map((source) => sources.get(source)?.length),
    [48, 3, 3, 24, 3, 8],
  );
});
