/** Syncing with Codeforces: whatever happens while a list is paged, the garden ends with what the judge's rows say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { listGridProblems } from '../../src/store/contests.ts';
import { listHandles } from '../../src/store/handles.ts';
import { codeforcesNamed, type Sent, submissions, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import type { Fault } from '../replay/replay.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { addContest } from '../support/seasons.ts';
import { askReplay, gardenWithHandle, keptIds, keptIn, replayOf, syncing } from './support.ts';

interface Row {
  id: number;
  verdict?: string;
}

const rowsOf = (answer: unknown) => (answer as { result: Row[] }).result;

test('1,557 real submissions come through every fault, and are what a file of them brings', needsData, async (t) => {
  const status = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
  const replay = await replayOf(t, {
    codeforces: replayCodeforces({ status: { gbuenoandrade: rowsOf(JSON.parse(status)) } }),
  });
  const ofReal = async () => gardenWithHandle(t, 'codeforces', 'gbuenoandrade', await catalogueDatabase(t, 'folded'));
  const { garden, handle } = await ofReal();
  const byFile = await ofReal();
  const ask = askReplay(garden.store, 'codeforces', replay);
  const faults: Fault[] = [
    ...[{ kind: 'call limit' } as const, { kind: 'status', status: 502 } as const, { kind: 'none' } as const],
    ...[{ kind: 'truncated' } as const, { kind: 'page', status: 403 } as const],
    ...[{ kind: 'redirect', to: 'https://codeforces.example/' } as const, { kind: 'reset' } as const],
  ];
  replay.fail('codeforces', ...faults);
  for (const says of [/not JSON, perhaps cut off/, /only lets people in a browser through/, /to another address/]) {
    await assert.rejects(syncHandle(garden.store, handle, ask), says);
  }
  await syncHandle(garden.store, handle, ask);
  const { report } = await byFile.garden.import('codeforces-submissions', status, { member: 'ada' });
  assert.equal(report.unmatched, 1);
  const asCame = await keptIn(garden);
  const origins = new Set(asCame.solves.map(({ origin }) => origin));
  assert.deepEqual([...origins], ['server'], 'each submission says which way it came');
  const solves = asCame.solves.map((row) => ({ ...row, origin: 'file' }));
  assert.deepEqual({ ...asCame, solves }, await keptIn(byFile.garden));
  const rows = await garden.rows('statuses');
  const count = (word: string) => rows.filter((row) => row['status'] === word).length;
  assert.deepEqual([count('complete'), count('practicing')], [467, 12]);

  const before = await keptIn(garden);
  replay.log.length = 0;
  const again = await syncHandle(garden.store, handle, ask);
  assert.deepEqual([again.report.new, again.report.changed], [0, 0]);
  assert.equal(replay.log.length, 1, 'a second run asks for one page');
  assert.deepEqual(await keptIn(garden), before);
});

for (const [count, rowsAtMost] of [
  [2600, 500],
  [60, 20],
] as const)
  test(`a page with ${rowsAtMost} rows is not the end, and a run that stops behind it goes on`, async (t) => {
    const sent = Array.from({ length: count }, (_, at): Sent => [`${(at % 9) + 1}A`, 'OK', 10_000 - at]);
    const replayed = replayCodeforces(
      { status: { ada_cf: rowsOf(submissionsOf('ada_cf', ...sent)) } },
      undefined,
      rowsAtMost,
    );
    const replay = await replayOf(t, { codeforces: replayed });
    const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_cf');
    const ask = askReplay(garden.store, 'codeforces', replay, { pace: { retries: 0 } });
    const onAnswer = () => replay.log.length === 2 && replay.fail('codeforces', { kind: 'reset' });
    await assert.rejects(syncHandle(garden.store, handle, ask, { onAnswer }), /could not be reached/);
    replay.log.length = 0;
    await syncHandle(garden.store, handle, ask);
    assert.equal((await keptIds(garden)).length, count);
    assert.ok(replay.log.length <= 6, 'the first page, what was not read yet, and the end');
  });

test('pages overlap, and a report counts each submission, each status and each odd row once', async (t) => {
  const sent = Array.from({ length: 1100 }, (_, at): Sent => [at < 990 ? '1A' : '2A', 'OK', 10_000 - at]);
  const result: unknown[] = rowsOf(submissionsOf('ada_cf', ...sent));
  result.splice(970, 0, null, { id: 7, creationTimeSeconds: 9_000, problem: { index: 'B' } });
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status: { ada_cf: result } }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_cf');
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '2A'));
  const ask = askReplay(garden.store, 'codeforces', replay);
  for (const isDryRun of [true, false]) {
    const { report, notes } = await syncHandle(garden.store, handle, ask, { isDryRun });
    assert.deepEqual(report, { read: 1102, new: 2, changed: 0, kept: 0, unmatched: 0, bad: 2 });
    assert.equal(notes.length, 2);
    assert.match(notes.map(({ message }) => message).join(), /The entry is null.*problem\.contestId is missing/s);
  }
  assert.equal((await keptIds(garden)).length, 1100);
  const news = async () => (await garden.store.reader.selectFrom('syncs').select('news').executeTakeFirst())?.news;
  assert.equal(await news(), 2n);
});

test('a former handle is answered with the submissions of the present one, and takes its name', async (t) => {
  const rows = rowsOf(submissionsOf('new_cf', ['1A', 'OK', 9], ['2A', 'OK', 8]));
  const status = { old_cf: rows, new_cf: rows };
  const renamed: Record<string, string> = {};
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status, renamed }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'old_cf');
  const ask = askReplay(garden.store, 'codeforces', replay);
  const sync = async (isDryRun = false) => (await syncHandle(garden.store, handle, ask, { isDryRun })).report.bad;
  assert.equal(await sync(), 2, 'what another person sent is not theirs');
  renamed['old_cf'] = 'new_cf';
  assert.equal(await sync(true), 0);
  assert.deepEqual(await keptIds(garden), []);
  assert.equal(await sync(), 0);
  assert.equal((await keptIds(garden)).length, 2);
  assert.deepEqual(
    (await listHandles(garden.store.reader)).map(({ name }) => name),
    ['new_cf'],
  );
});

test('a submission that was stored under the key of another problem moves to its own', async (t) => {
  const row = (id: number, contestId: number, index: string) => ({
    id,
    contestId,
    creationTimeSeconds: id,
    problem: { contestId, index, name: `Pond ${index}` },
    verdict: 'OK',
  });
  const status = { ada_cf: [row(2, 104_520, '1A'), row(1, 104_521, '00')] };
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_cf');
  const ask = askReplay(garden.store, 'codeforces', replay);
  const other = [row(2, 1_045_201, 'A')];
  await garden.import('codeforces-submissions', { status: 'OK', result: other }, { member: 'ada', handle: 'ada_cf' });
  await syncHandle(garden.store, handle, ask);
  const { reader } = garden.store;
  const solved = await reader
    .selectFrom('problems')
    .innerJoin('statuses', 'problem_id', 'problems.id')
    .select(['source_key', 'url', 'judge_status'])
    .orderBy('source_key')
    .execute();
  assert.deepEqual(
    solved.map(({ source_key, url, judge_status }) => [source_key, url?.slice(23), judge_status]),
    [
      ['104520-1A', 'gym/104520/problem/1A', 'complete'],
      ['10452100', 'gym/104521/problem/00', 'complete'],
    ],
  );
});

test('a hack takes a solve back, and a mark set by hand stays', async (t) => {
  const status = { ada_cf: rowsOf(submissions(['1A', 'OK', 100], ['3A', 'OK', 50])) };
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_cf');
  await garden.import('codeforces-problems', {
    status: 'OK',
    result: {
      problems: ['1A', '3A'].map((key) => ({
        contestId: Number(key[0]),
        index: 'A',
        name: key,
        type: 'PROGRAMMING',
        tags: [],
      })),
      problemStatistics: [],
    },
  });
  const ask = askReplay(garden.store, 'codeforces', replay);
  await syncHandle(garden.store, handle, ask);
  const words = async () =>
    Object.fromEntries((await garden.rows('statuses')).map((row) => [String(row['problem']), row['status']]));
  assert.deepEqual(await words(), { 1: 'complete', 2: 'complete' });
  for (const row of status.ada_cf) row.verdict = 'CHALLENGED';
  await syncHandle(garden.store, handle, ask);
  assert.deepEqual(await words(), { 1: 'practicing', 2: 'practicing' });
  for (const row of status.ada_cf) row.verdict = 'COMPILATION_ERROR';
  await syncHandle(garden.store, handle, ask);
  assert.deepEqual(await words(), {}, 'nothing is left of what the judge takes back whole');
});

test('problems of a new contest that rows of a member name exist at once, and the catalogue knows more', async (t) => {
  const start = Date.now() - 3_600_000;
  const row = (id: number, contestId: number, index: string, name: string) => ({
    id,
    contestId,
    creationTimeSeconds: Math.floor(start / 1000) + 60 * id,
    verdict: 'OK',
    problem: { contestId, index, name, type: 'PROGRAMMING' },
    author: { contestId, members: [{ handle: 'ada_cf' }], participantType: 'CONTESTANT' },
  });
  const status = { ada_cf: [row(3, 1999, 'A', 'Nowhere'), row(2, 2000, 'C', 'Third'), row(1, 2000, 'A', 'First')] };
  const { garden, sync } = await syncing(t, 'codeforces', replayCodeforces({ status }), 'ada_cf');
  const contest = await garden.store.write((tx) =>
    addContest(tx, { key: '2000', starts_at: new Date(start).toISOString(), problems: 0, phase: 'BEFORE' }),
  );
  await sync();
  const places = async () =>
    (await listGridProblems(garden.store.reader, [contest.id])).map(
      (one) => `${one.position} ${one.title} ${one.rating}`,
    );
  assert.deepEqual((await places()).toSorted(), ['A First null', 'C Third null']);
  const solved = await garden.store.reader.selectFrom('solves').select(['key', 'problem_id']).execute();
  assert.deepEqual(
    solved.filter((one) => one.problem_id === null).map((one) => one.key),
    ['1999A'],
    'of no contest here',
  );
  const problems = [{ contestId: 2000, index: 'A', name: 'The first', type: 'PROGRAMMING', rating: 800, tags: [] }];
  const catalogue = JSON.stringify({ status: 'OK', result: { problems, problemStatistics: [] } });
  await garden.import('codeforces-problems', catalogue);
  await sync();
  assert.ok((await places()).includes('A The first 800'), 'a row changes nothing of it');
});
