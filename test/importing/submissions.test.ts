/** A member's submissions: what a judge's verdicts make of statuses, and what they never touch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeforcesNamed, type Garden, openGarden, report, second, submissions, twins } from './support.ts';

async function plant(garden: Garden, ...keys: string[]): Promise<void> {
  await garden.import('codeforces-problems', codeforcesNamed('Problem', ...keys));
  await garden.import('records', [
    { id: 1, username: 'ada' },
    { id: 2, username: 'bob' },
  ]);
}

async function send(garden: Garden, ...sent: Parameters<typeof submissions>) {
  return garden.import('codeforces-submissions', submissions(...sent), { member: 'ada' });
}

async function shown(garden: Garden): Promise<unknown[]> {
  const rows = await garden.rows('statuses');
  return rows.map(({ user, problem, status, origin, updated_at }) => [user, problem, status, origin, updated_at]);
}

test('tried is practicing since the first try, solved is complete since the first solve', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A', '2A', '3A');
  const sent = [
    ['1A', 'WRONG_ANSWER', 10],
    ['1A', 'OK', 30],
    ['1A', 'OK', 20],
    ['2A', undefined, 50],
    ['2A', 'TIME_LIMIT_EXCEEDED', 40],
  ] as const;
  const first = await send(garden, ...sent.map((one) => [...one] as Parameters<typeof submissions>[0]));
  assert.deepEqual(first.report, report({ read: 5, new: 2 }));
  assert.deepEqual(first.notes, ['5 submissions: 5 to 2 problems known here, 1 of them solved (complete)']);
  assert.deepEqual(await shown(garden), [
    [1, 1, 'complete', 'judge', second(20)],
    [1, 2, 'practicing', 'judge', second(40)],
  ]);
  const before = await garden.everything();
  const again = await send(garden, ...sent.map((one) => [...one] as Parameters<typeof submissions>[0]));
  assert.deepEqual(again.report, report({ read: 5, kept: 2 }));
  assert.equal(await garden.everything(), before);
});

test('a judge only moves forward: an older file without the solve changes nothing', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A', '2A');
  await send(garden, ['1A', 'OK', 20], ['2A', 'WRONG_ANSWER', 20]);
  const back = await send(garden, ['1A', 'WRONG_ANSWER', 90]);
  assert.deepEqual(back.report, report({ read: 1, kept: 1 }));
  const forth = await send(garden, ['1A', 'OK', 10], ['2A', 'OK', 95]);
  assert.deepEqual(forth.report, report({ read: 2, changed: 2 }));
  assert.deepEqual(await shown(garden), [
    [1, 1, 'complete', 'judge', second(10)],
    [1, 2, 'complete', 'judge', second(95)],
  ]);
});

test('a verdict never shows over a mark set by hand, and is kept beside it', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A', '2A');
  const at = '2026-05-05T00:00:00.000Z';
  await garden.import('statuses', [{ user: 1, problem: 1, status: 'not_started', updated_at: at }]);
  await send(garden, ['1A', 'OK', 20], ['2A', 'OK', 30]);
  await garden.import('statuses', [{ user: 1, problem: 2, status: 'skipped', origin: 'self', updated_at: at }]);
  assert.deepEqual(await shown(garden), [
    [1, 1, 'not_started', 'self', at],
    [1, 2, 'skipped', 'self', at],
  ]);
  const kept = await garden.store.reader.selectFrom('statuses').selectAll().orderBy('problem_id').execute();
  assert.deepEqual(
    kept.map((row) => [row.judge_status, row.judge_at]),
    [
      ['complete', second(20)],
      ['complete', second(30)],
    ],
  );
  const again = await send(garden, ['1A', 'OK', 20]);
  assert.deepEqual(again.report, report({ read: 1, kept: 1 }));
});

test('a solve under any of its keys counts once', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A');
  await garden.import('codeforces-twins', twins(['1A', '2A', '3A']));
  const { report: figures, notes } = await send(garden, ['3A', 'OK', 50], ['2A', 'OK', 40], ['1A', 'WRONG_ANSWER', 1]);
  assert.deepEqual(figures, report({ read: 3, new: 1 }));
  assert.deepEqual(notes, ['3 submissions: 3 to 1 problem known here under 3 keys, 1 of them solved (complete)']);
  assert.deepEqual(await shown(garden), [[1, 1, 'complete', 'judge', second(40)]]);
});

test('unknown problems are unmatched, each once, and those of gyms come with their submissions', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A');
  const {
    report: figures,
    notes,
    lines,
  } = await send(
    garden,
    ['1A', 'OK', 1],
    ['77B', 'OK', 2],
    ['77B', 'OK', 3],
    ['100001A', 'OK', 4],
    ['100002B', 'OK', 5],
  );
  assert.deepEqual(figures, report({ read: 5, new: 3, unmatched: 1 }));
  assert.deepEqual(notes, [
    '2 problems new here.',
    '5 submissions: 3 to 3 problems known here, 3 of them solved (complete); 2 to 1 problem not known here',
  ]);
  assert.match(lines[0] ?? '', /^unmatched codeforces 77B: no such problem here; import /);
  const keys = (await garden.rows('problems')).map(({ source_key }) => source_key);
  assert.deepEqual(keys, ['1A', '100001A', '100002B'], 'importing submissions makes no problem that a catalogue lists');
});

test('submissions touch their member alone, also in a dry run', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A');
  await garden.import('statuses', [{ username: 'bob', problem: 1, status: 'ignored', updated_at: second(5) }]);
  const before = await garden.everything();
  const file = submissions(['1A', 'OK', 20]);
  const dry = await garden.import('codeforces-submissions', file, { member: 'ADA', isDryRun: true });
  assert.equal(await garden.everything(), before);
  const wet = await garden.import('codeforces-submissions', file, { member: 'ADA' });
  assert.deepEqual(dry, wet);
  assert.deepEqual(await shown(garden), [
    [1, 1, 'complete', 'judge', second(20)],
    [2, 1, 'ignored', 'self', second(5)],
  ]);
});

test('AtCoder submissions count likewise', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  const problem = {
    id: 'abc001_a',
    contest_id: 'abc001',
    problem_index: 'A',
    name: 'Snow',
    title: 'A. Snow',
  };
  await garden.import('atcoder-problems', [problem]);
  const sent = (problem_id: string, result: string, epoch_second: number) => ({
    id: epoch_second,
    user_id: 'ada_ac',
    problem_id,
    result,
    epoch_second,
  });
  const file = [sent('abc001_a', 'WA', 10), sent('abc001_a', 'AC', 20), sent('abc999_a', 'AC', 30)];
  const { report: figures } = await garden.import('atcoder-submissions', file, { member: 'ada' });
  assert.deepEqual(figures, report({ read: 3, new: 1, unmatched: 1 }));
  assert.deepEqual(await shown(garden), [[1, 1, 'complete', 'judge', second(20)]]);
});

test('a file without submissions changes nothing', async (t) => {
  const garden = await openGarden(t);
  await plant(garden, '1A');
  assert.deepEqual((await send(garden)).report, report({}));
});
