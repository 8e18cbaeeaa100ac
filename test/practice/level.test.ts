/** The level: the median rating of the last thirty first solves at a judge, whatever order they are read in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lastRatings, levelOf, levelsOf, runningLevel } from '../../src/practice/level.ts';

const sorted = (ratings: readonly number[]) => ratings.toSorted((a, b) => a - b);

test('the level is the median, and there is none before the fifth', () => {
  assert.equal(levelOf([800, 900, 1000, 1100]), undefined);
  assert.equal(levelOf([800, 900, 1000, 1100, 3500]), 1000);
  assert.equal(levelOf([800, 900, 1000, 1105, 1200, 1300]), 1053);
  const last = new Map([
    ['atcoder', [3500, 800, -1000, 900, 1100]],
    ['codeforces', [800, 900, 1000, 1100]],
  ]);
  assert.deepEqual(levelsOf(last), [{ source: 'atcoder', level: 900, hardest: 3500 }]);
});

test('after each solve the level is that of the last thirty', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 8, max: 20 }), { maxLength: 70, size: 'max' }), (ratings) => {
      const levels = ratings.map(runningLevel());
      assert.deepEqual(
        levels,
        ratings.map((_, index) => levelOf(sorted(ratings.slice(Math.max(0, index - 29), index + 1)))),
      );
    }),
  );
});

test('the last thirty of each judge are found in any order, the judge of the latest solve first', () => {
  const moment = fc.option(
    fc.integer({ min: 10, max: 40 }).map((day) => `2026-${day}`),
    { freq: 20 },
  );
  const solve = fc.record({
    completed_at: moment,
    rating: fc.option(fc.integer(), { freq: 9 }),
    source: fc.constantFrom('atcoder', 'codeforces'),
  });
  const until = fc.constantFrom(undefined, '2026-35');
  fc.assert(
    fc.property(fc.array(solve, { maxLength: 100, size: 'max' }), until, (solves, until) => {
      const completed = solves.map(({ completed_at, ...facts }, index) => {
        const problem_id = BigInt((index * 37) % 101);
        return {
          problem_id,
          completed_at,
          judged: null,
          facts: { ...facts, title: '', isGym: false, tags: new Set('') },
        };
      });
      const newest = completed
        .map(({ problem_id, completed_at, facts }) => ({ id: Number(problem_id), at: completed_at ?? '', ...facts }))
        .filter(({ at, rating }) => rating !== null && at < (until ?? '~'))
        .sort((a, b) => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1));
      const bySource = Map.groupBy(newest, ({ source }) => source);
      assert.deepEqual(
        [...lastRatings(completed, until)],
        Array.from(bySource, ([source, all]) => [source, all.slice(0, 30).map(({ rating }) => rating)]),
      );
    }),
  );
});
