/** Goals of plants: their limits, whoever writes them, and the targets that are offered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertGoal, assertPlantLimit, faultOfName, isTarget, sensibleTargets } from '../../src/practice/goals.ts';

test('a goal has a name on one line, a target and, if at all, ratings in their order and a date', () => {
  const fault = (goal: Partial<Parameters<typeof assertGoal>[0]>) => {
    try {
      assertGoal({ name: 'Pond', tag: null, target: 1n, ...goal });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  const long = 'A plant has a name and a topic of at most 200 characters.';
  const line = 'A plant has a name on one line.';
  const rating = 'A rating is a whole number from -10000 to 10000.';
  const table: readonly [goal: Parameters<typeof fault>[0], message: string | undefined][] = [
    [{ name: 'x'.repeat(200), tag: 'x'.repeat(200), target: 1_000_000n }, undefined],
    [{ name: 'x'.repeat(201) }, long],
    [{ tag: 'x'.repeat(201) }, long],
    [{ name: '  ' }, line],
    [{ name: 'a\nb' }, line],
    [{ target: 0n }, 'A target is a whole number from 1 to 1000000.'],
    [{ target: 1_000_001n }, 'A target is a whole number from 1 to 1000000.'],
    [{ rating_min: -10_000n, rating_max: 10_000n, by_date: '2026-02-28' }, undefined],
    [{ rating_min: 800n, rating_max: null }, undefined],
    [{ rating_min: null, rating_max: 800n }, undefined],
    [{ rating_min: 800n, rating_max: 800n }, undefined],
    [{ rating_min: -10_001n }, rating],
    [{ rating_max: 10_001n }, rating],
    [{ rating_min: 900n, rating_max: 800n }, 'The rating 900 is above 800; enter the lower one first.'],
    [{ by_date: '2026-02-30' }, '"2026-02-30" is not a date; enter one such as 2026-12-31.'],
  ];
  for (const [goal, message] of table)
    assert.equal(
      fault(goal),
      message,
      JSON.stringify(goal, (_, one) => String(one)),
    );
  assert.deepEqual(['Pond', '', 'x\t'].map(faultOfName), [undefined, 'missing', 'unshowable']);
  assert.deepEqual([0n, 1n, 1_000_000n, 1_000_001n].map(isTarget), [false, true, true, false]);
  assertPlantLimit(199);
  assert.throws(() => assertPlantLimit(200n), /up to 200 plants/);
});

test('targets are round numbers above what is done and not above what there is', () => {
  const rounded = [
    5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000,
  ];
  assert.deepEqual(
    rounded.map((target) => sensibleTargets(target - 3, 1e6)[0]),
    rounded,
  );
  assert.deepEqual(sensibleTargets(0, 100), [5, 10, 15]);
  assert.deepEqual(sensibleTargets(33, 1e6), [40, 50, 100]);
  assert.deepEqual(sensibleTargets(47, 60), [50, 60]);
  assert.deepEqual(sensibleTargets(9, 10), [10]);
  assert.deepEqual(sensibleTargets(10, 10), []);
  assert.deepEqual(sensibleTargets(1460, 11_363), [1500, 2000, 3000]);
});
