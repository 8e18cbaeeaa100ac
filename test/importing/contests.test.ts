/** Contests and the problems that were set in them, from the judges' own lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeProblem, restoreProblem } from '../../src/practice/merging.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { assertRefused, codeforcesNamed, type Garden, openGarden, report, second, twins } from './support.ts';

const round = {
  id: 1459,
  name: 'Round',
  type: 'CF',
  phase: 'FINISHED',
  frozen: false,
  durationSeconds: 7200,
  startTimeSeconds: 1000,
};
const answer = (...result: unknown[]) => ({ status: 'OK', result });

async function contests({ store }: Garden) {
  const rows = await store.reader.selectFrom('contests').selectAll().orderBy('source').orderBy('key').execute();
  return rows.map(({ id: _, search_text: __, ...row }) => row);
}

async function places({ store }: Garden) {
  const rows = await store.reader
    .selectFrom('contest_problems')
    .innerJoin('contests', 'contests.id', 'contest_id')
    .leftJoin('problems', 'problems.id', 'problem_id')
    .select(['contests.key as contest', 'position', 'contest_problems.key', 'source_key'])
    .orderBy('contests.key')
    .orderBy('position')
    .execute();
  return rows.map((row) => Object.values(row).join(' '));
}

const list = (garden: Garden, ...keys: string[]) =>
  garden.import('codeforces-problems', codeforcesNamed('Problem', ...keys));

test('a contest is kept with its time and phase, and follows the judge', async (t) => {
  const garden = await openGarden(t);
  const file = answer(round, { ...round, id: 1460, phase: 'BEFORE', startTimeSeconds: undefined, difficulty: 5 });
  assert.deepEqual((await garden.import('codeforces-contests', file)).report, report({ read: 2, new: 2 }));
  const [first, second_] = await contests(garden);
  const told = {
    source: 'codeforces',
    key: '1459',
    title: 'Round',
    starts_at: second(1000),
    duration_s: 7200n,
    phase: 'FINISHED',
    is_gym: 0n,
    difficulty: null,
  };
  assert.deepEqual(first, told);
  assert.deepEqual(second_, { ...told, key: '1460', phase: 'BEFORE', starts_at: null, difficulty: 5n });
  const again = await garden.import('codeforces-contests', file);
  assert.deepEqual([again.report, again.hasWritten], [report({ read: 2, kept: 2 }), false]);
  const over = await garden.import('codeforces-contests', answer({ ...round, id: 1460, difficulty: '3' }));
  assert.deepEqual(over.report, report({ read: 1, changed: 1 }));
  assert.deepEqual((await contests(garden))[1], { ...told, key: '1460' });
});

test('a contest with a wrong field is bad', async (t) => {
  const wrong = answer({ ...round, startTimeSeconds: 'now' });
  await assertRefused(await openGarden(t), /startTimeSeconds is "now"/, 'codeforces-contests', wrong);
});

test('a gym is kept while a problem of it is here, and another is unmatched', async (t) => {
  const garden = await openGarden(t);
  const file = answer({ ...round, id: 104520 }, { ...round, id: 104521 });
  const none = await garden.import('codeforces-contests', file);
  assert.deepEqual(none.report, report({ read: 2, unmatched: 2 }));
  assert.equal(none.lines[0], 'unmatched codeforces 104520: no problem of it is here');
  await garden.import('problems', [{ source: 'codeforces', source_key: '104520A', title: 'Pond' }]);
  const one = await garden.import('codeforces-contests', file);
  assert.deepEqual(one.report, report({ read: 2, new: 1, unmatched: 1 }));
  const [gym, ...others] = await contests(garden);
  assert.deepEqual([gym?.key, gym?.title, gym?.is_gym, others], ['104520', 'Round', 1n, []]);
  assert.deepEqual(await places(garden), ['104520 A 104520A 104520A']);
});

test('problems stand at the places that their keys say, whichever came first, and twins in both contests', async (t) => {
  const garden = await openGarden(t);
  await list(garden, '1459B', '1459A1', '7A');
  await garden.import('codeforces-contests', answer(round, { ...round, id: 1460 }));
  assert.deepEqual(await places(garden), ['1459 A1 1459A1 1459A1', '1459 B 1459B 1459B']);
  await list(garden, '1460C', '1460D');
  await garden.import('codeforces-twins', twins(['1459B', '1460C'], ['1459A1', '1460E']));
  const all = [
    '1459 A1 1459A1 1459A1',
    '1459 B 1459B 1459B',
    '1460 C 1460C 1459B',
    '1460 D 1460D 1460D',
    '1460 E 1460E 1459A1',
  ];
  assert.deepEqual(await places(garden), all);
  await garden.import('codeforces-contests', answer(round));
  assert.deepEqual(await places(garden), all);
});

test('a problem that staff merge into one of another site keeps its place in a contest, and has it back when that is undone', async (t) => {
  const garden = await openGarden(t);
  await list(garden, '1459B', '7A');
  await garden.import('codeforces-contests', answer(round));
  await garden.import('problems', [{ source: 'club.example', source_key: 'move', title: 'Move' }]);
  const [merged, , into] = (await garden.rows('problems')).map(({ id }) => BigInt(id as number));
  await garden.store.write((tx) => mergeProblem(tx, merged ?? 0n, into ?? 0n));
  assert.deepEqual(await places(garden), ['1459 B 1459B move']);
  const again = await garden.import('codeforces-contests', answer(round));
  assert.deepEqual([await places(garden), again.hasWritten], [['1459 B 1459B move'], false]);
  await garden.store.write((tx) => restoreProblem(tx, merged ?? 0n));
  assert.deepEqual(await places(garden), ['1459 B 1459B 1459B']);
});

test('AtCoder says in a list of its own what was set where, also before its catalogue comes', async (t) => {
  const garden = await openGarden(t);
  const contest = { start_epoch_second: 1000, duration_second: 6000, title: 'Beginner', rate_change: '-' };
  const two = [
    { ...contest, id: 'abc042' },
    { ...contest, id: 'arc058' },
  ];
  assert.deepEqual((await garden.import('atcoder-contests', two)).report, report({ read: 2, new: 2 }));
  const set = (contest_id: string, problem_index: string) => ({
    contest_id,
    problem_id: 'arc058_a',
    problem_index,
  });
  const file = [set('abc042', 'C'), set('arc058', 'C'), set('abc999', 'A')];
  const first = await garden.import('atcoder-contest-problems', file);
  assert.deepEqual(first.report, report({ read: 3, new: 2, unmatched: 1 }));
  assert.deepEqual(await places(garden), ['abc042 C arc058_a ', 'arc058 C arc058_a ']);
  const task = { id: 'arc058_a', contest_id: 'arc058', problem_index: 'C', name: 'Iroha', title: 'C. Iroha' };
  await garden.import('atcoder-problems', [task]);
  assert.deepEqual(await places(garden), ['abc042 C arc058_a arc058_a', 'arc058 C arc058_a arc058_a']);
  const again = await garden.import('atcoder-contest-problems', [...file.slice(0, 1), task]);
  assert.deepEqual([again.report, again.hasWritten], [report({ read: 2, kept: 2 }), false]);
  const moved = await garden.import('atcoder-contest-problems', [{ ...task, problem_index: 'D' }]);
  assert.deepEqual(moved.report, report({ read: 1, changed: 1 }));
});

test(
  '2,140 real contests of Codeforces and 100 of AtCoder; every rated problem has its place',
  needsData,
  async (t) => {
    const garden = await openGarden(t, await catalogueDatabase(t, 'folded'));
    for (const [what, name, count] of [
      ['codeforces-contests', 'codeforces/contest.list.2026-08.json', 2140],
      ['atcoder-contests', 'atcoder/atcoder_problems.contests.fixture.json', 100],
    ] as const) {
      const text = await readReal(name);
      assert.deepEqual((await garden.import(what, text)).report, report({ read: count, new: count }));
      const again = await garden.import(what, text);
      assert.deepEqual([again.report, again.hasWritten], [report({ read: count, kept: count }), false]);
    }
    const { reader } = garden.store;
    const keys = await reader.selectFrom('problem_keys').select('key').where('source', '=', 'codeforces').execute();
    const known = new Set((await contests(garden)).map(({ key }) => key));
    // The problems of the contest 921 are named by two digits.
    const placed = keys.filter(({ key }) => known.has(/^\d+(?=[A-Z]|\d\d$)/.exec(key)?.[0] ?? ''));
    assert.ok(placed.length > 11_000);
    const stored = await reader.selectFrom('contest_problems').selectAll().execute();
    assert.deepEqual(stored.map(({ key }) => key).toSorted(), placed.map(({ key }) => key).toSorted());
    assert.ok(stored.every(({ problem_id }) => problem_id !== null));
  },
);
