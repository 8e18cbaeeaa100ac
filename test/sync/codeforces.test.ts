/** Syncing with Codeforces: whatever happens while a list is paged, the garden ends with what the judge's rows say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { codeforcesNamed, type Sent } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import type { Fault } from '../replay/replay.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { askReplay, gardenWithHandle, keptIds, keptIn, replayOf, rowsSent, syncing } from './support.ts';

test('1,557 real submissions come through every fault, and are what a file of them brings', needsData, async (t) => {
  const status = await readReal('codeforces/user.status.gbuenoandrade-1557.json');
  const rows = { status: { gbuenoandrade: JSON.parse(status).result } };
  const replay = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const ofReal = async () => gardenWithHandle(t, 'codeforces', 'gbuenoandrade', await catalogueDatabase(t, 'folded'));
  const { garden, handle } = await ofReal();
  const byFile = await ofReal();
  const ask = askReplay(garden.store, 'codeforces', replay, { pace: { retries: 3 } });
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
  const statuses = await garden.rows('statuses');
  const count = (word: string) => statuses.filter(({ status }) => status === word).length;
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
    const replayed = replayCodeforces({ status: { ada: rowsSent('ada', ...sent) } }, undefined, rowsAtMost);
    const { replay, sync } = await syncing(t, 'codeforces', replayed);
    const onAnswer = () => replay.log.length === 2 && replay.fail('codeforces', { kind: 'reset' });
    await assert.rejects(sync({ onAnswer }), /could not be reached/);
    const { ids, asked } = await sync();
    assert.equal(ids.length, count);
    assert.ok(asked.length <= 6, 'the first page, what was not read yet, and the end');
  });

test('pages overlap, and a report counts each submission, each status and each odd row once', async (t) => {
  const sent = Array.from({ length: 1100 }, (_, at): Sent => [at < 990 ? '1A' : '2A', 'OK', 10_000 - at]);
  const rows: unknown[] = rowsSent('ada', ...sent);
  rows.splice(970, 0, null, { id: 7, creationTimeSeconds: 9_000, problem: { index: 'B' } });
  const { garden, sync } = await syncing(t, 'codeforces', replayCodeforces({ status: { ada: rows } }));
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '2A'));
  for (const isDryRun of [true, false]) {
    const { report, notes } = await sync({ isDryRun });
    assert.deepEqual(report, { read: 1102, new: 2, changed: 0, kept: 0, unmatched: 0, bad: 2 });
    assert.equal(notes.length, 2);
    assert.match(notes.join(), /The entry is null.*problem\.contestId is missing/s);
  }
  assert.equal((await keptIds(garden)).length, 1100);
  const news = async () => (await garden.store.reader.selectFrom('syncs').select('news').executeTakeFirst())?.news;
  assert.equal(await news(), 2n);
});

test('a submission that was stored under the key of another problem moves to its own', async (t) => {
  const row = (id: number, contestId: number, index: string) => ({
    id,
    contestId,
    creationTimeSeconds: id,
    problem: { contestId, index, name: `Pond ${index}` },
    verdict: 'OK',
  });
  const status = { ada: [row(2, 104_520, '1A'), row(1, 104_521, '00')] };
  const { garden, sync } = await syncing(t, 'codeforces', replayCodeforces({ status }));
  const other = [row(2, 1_045_201, 'A')];
  await garden.import('codeforces-submissions', { status: 'OK', result: other }, { member: 'ada', handle: 'ada' });
  await sync();
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
