/** Problems that members add: their titles and topics, how many are allowed, and which are here already. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addAndMarkSolved,
  addProblems,
  addWithinLimits,
  type IdOrProblemToAdd,
  limitsOfRole,
  noLimits,
  type ProblemToAdd,
  parseTopics,
  plainLine,
  plainTitle,
  readAllowance,
  removeAddedProblem,
  removeUnusedProblems,
  saveLimits,
  titleFrom,
  withoutLabel,
} from '../../src/practice/added-problems.ts';
import { setBookmarks } from '../../src/practice/marks.ts';
import { gardenOf } from '../importing/support.ts';

test('a title loses the letter or number of its contest, and no part of its own', () => {
  for (const [title, key, bare] of [
    ['G. Castle Defense', '954G', 'Castle Defense'],
    ['#12. Sum', '12', 'Sum'],
    ['Problem 1. Out of Sorts', '840', 'Out of Sorts'],
    ['1052. A jugar 2048', 'A-jugar-2048', 'A jugar 2048'],
    ['1. Two Sum', 'two-sum', 'Two Sum'],
    ['Problem A - Access Denied', 'accessdenied', 'Access Denied'],
    ['A. Teams', 'contest/teams', 'Teams'],
    ['A. Teams', 'other', 'A. Teams'],
    ['Problem 4: Alpha Nerd', 'wc174s4x', 'Problem 4: Alpha Nerd'],
    ['2048. And on', '7', '2048. And on'],
    ['2. Sum', '12', '2. Sum'],
    ['G.', '954G', 'G.'],
  ])
    assert.equal(withoutLabel(title ?? '', key ?? ''), bare);
});

test('a problem without a title is named after its key, and texts are lines of visible signs', () => {
  for (const [key, title, expected] of [
    ['a/two-sum_2/', undefined, 'Two sum 2'],
    ['a/ab', '', 'ab'],
    ['Two-Sum', '', 'Two-Sum'],
    ['a/%E6%BC%A2%E5%AD%97', '', '漢字'],
    ['a/100%', '', '100%'],
    ['/', '', '/'],
    ['a', ' A\tpond ', 'A pond'],
    ['pond', 'A \ufffd pond', 'Pond'],
  ] as const)
    assert.equal(titleFrom({ key, title }), expected);
  assert.deepEqual([plainLine('𝛼'.repeat(9), 3), plainLine('ab c', 3)], ['𝛼𝛼𝛼', 'ab']);
  assert.equal(plainTitle('x'.repeat(201)).length, 200);
  assert.deepEqual(parseTopics(` DP, ,dp,${'x'.repeat(51)}`), ['dp', 'x'.repeat(50)]);
  assert.equal(parseTopics(Array.from({ length: 21 }, (_, n) => n).join()).length, 20);
});

const at = (n: number | string, more: Partial<ProblemToAdd> = {}): ProblemToAdd => ({
  source: 'x.example',
  key: `p/${n}`,
  url: `https://x.example/p/${n}/`,
  isGym: false,
  ...more,
});

test('administrators may add ten times as many, unless limits of theirs are set', () => {
  const defaults = { perDay: 5, total: 8 };
  assert.deepEqual(limitsOfRole('member', { member: { total: 9 }, staff: { perDay: 1 } }, defaults), {
    perDay: 5,
    total: 9,
  });
  assert.deepEqual(limitsOfRole('staff', { member: { perDay: 6 }, staff: {} }, defaults), { perDay: 60, total: 80 });
  assert.deepEqual(limitsOfRole('staff', { member: {}, staff: { perDay: 1, total: 2 } }, defaults), {
    perDay: 1,
    total: 2,
  });
});

async function world(t: Parameters<typeof gardenOf>[0]) {
  const { store } = await gardenOf(t, 'ada', 'bob');
  const titles = async () =>
    (await store.reader.selectFrom('problems').select('title').orderBy('id').execute())
      .map(({ title }) => title)
      .join();
  return { store, titles };
}

test('what is beyond a day’s or the whole limit is not added, and each problem counts once', async (t) => {
  const { store, titles } = await world(t);
  const add = async (problems: ProblemToAdd[], perDay: number, reserved?: number) =>
    (await addWithinLimits(store, 1n, problems, { perDay, total: 8 }, reserved)).map((one) =>
      one ? `${one.id}${one.isNew ? ' new' : ''}` : '-',
    );
  const left = async (perDay = 5, total = 8) => {
    const { left, limit, most } = await readAllowance(store.reader, 1n, { perDay, total });
    return `${left} ${limit} ${most}`;
  };
  assert.equal(await left(), '5 day 5');
  assert.deepEqual(await add([], 5), []);
  assert.deepEqual(await add([at('one'), at('one'), at('two'), at('three')], 2), ['1 new', '1 new', '2 new', '-']);
  assert.deepEqual(await add([at('three'), at('four'), at('one')], 4, 1), ['3 new', '-', '1']);
  assert.deepEqual(await add([at('four')], 3, 9), ['-']);
  assert.deepEqual(
    [await left(), await left(0), await left(5, 0), await left(5, 4)],
    ['2 day 5', '0 off 0', '0 off 0', '1 total 4'],
  );
  const before = (ms: number) => new Date(Date.now() - ms).toISOString();
  const move = (ms: number) =>
    store.write((tx) =>
      tx
        .updateTable('added_problems')
        .set({ added_at: before(ms) })
        .execute(),
    );
  await move(86_400_000 - 60_000);
  assert.equal(await left(), '2 day 5');
  await move(86_400_000 + 1000);
  assert.equal(await left(), '5 total 8');
  const some = [at('five'), at('six'), at('six')];
  await assert.rejects(
    addProblems(store, 1n, some, { perDay: 1, total: 99 }),
    /You can add 1 more now, and this would be 2\./,
  );
  assert.equal(await titles(), 'One,Two,Three');
  assert.equal((await addProblems(store, 1n, some, noLimits)).length, 3);
  await addProblems(store, null, [at('seven')], { perDay: 0, total: 0 });
  await store.write((tx) => saveLimits(tx, { member: { perDay: 99, total: 6 }, staff: {} }));
  assert.equal(await left(), '1 total 6');
});

test('a problem at an unknown site is found by its page, and a copy by the page of its original', async (t) => {
  const { store } = await world(t);
  const add = async (...problems: ProblemToAdd[]) => {
    const [one] = await addProblems(store, null, problems, noLimits);
    return `${one?.id}${one?.isNew ? ' new' : ''}`;
  };
  assert.equal(await add(at('one')), '1 new');
  const other = { key: 'other', url: 'https://x.example/p/one' };
  assert.equal(await add(at('one', { ...other, matchedBy: 'host' })), '1');
  assert.equal(
    await add(at('one', { key: 'copy', url: 'https://y.example/', copyUrl: 'https://x.example/p/one/' })),
    '1',
  );
  assert.equal(await add(at('one', { ...other, matchedBy: 'judge' })), '2 new');
  assert.equal(await add(at('one', { source: 'y.example' })), '3 new', 'a key is of one site');
});

test('who added a problem removes it while nobody else uses it', async (t) => {
  const { store, titles } = await world(t);
  const limits = { perDay: 9, total: 9 };
  const solved = new Map<IdOrProblemToAdd, string | null>([
    [at('one'), '2026-03-01T00:00:00.000Z'],
    [99n, null],
  ]);
  await addAndMarkSolved(store, 1n, solved, limits);
  const [row] = await store.reader.selectFrom('statuses').selectAll().execute();
  assert.deepEqual([row?.problem_id, row?.self_status, row?.self_at], [1n, 'complete', '2026-03-01T00:00:00.000Z']);
  await addProblems(store, 1n, [at('two'), at('three')], limits);
  await addProblems(store, 2n, [at('four')], limits);
  await setBookmarks(store, 2n, [2n], true);
  await setBookmarks(store, 1n, [3n], true);
  await assert.rejects(removeAddedProblem(store, 2n, 1n), { code: 'unknownItem' });
  await assert.rejects(removeAddedProblem(store, 1n, 2n), { code: 'preconditionFailed' });
  await removeAddedProblem(store, 1n, 1n);
  await assert.rejects(removeAddedProblem(store, 1n, 1n), { code: 'unknownItem' });
  await store.write((tx) => removeUnusedProblems(tx, 1n, [2n, 3n, 4n]));
  assert.equal(await titles(), 'Two,Three,Four', 'two are used, one is another’s');
  await setBookmarks(store, 1n, [3n], false);
  await store.write((tx) => removeUnusedProblems(tx, 1n, [2n, 3n, 4n]));
  assert.equal(await titles(), 'Two,Four');
});
