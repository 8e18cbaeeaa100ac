/** The figures of progress against tables made by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { setStatus } from '../../src/practice/marks.ts';
import {
  binsOf,
  cumulativeCounts,
  distancesOf,
  dotsOf,
  firstTriesOf,
  isWithin,
  listByTries,
  listOutcomes,
  type ProblemOutcome,
  type RatedOutcome,
  topicsOf,
} from '../../src/practice/progress.ts';
import { greatestId, leastId } from '../../src/store/ids.ts';
import { gardenOf, submissionsOf } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const one = (id: number, told: Partial<RatedOutcome>): RatedOutcome => ({
  id: BigInt(id),
  source: 'codeforces',
  title: `Pond ${id}`,
  rating: 1000,
  tags: new Set<string>(),
  isSolved: true,
  at: 0,
  firstAt: 0,
  day: id,
  tries: 1,
  isFirstTry: true,
  ...told,
});
const rated = (...ratings: number[]) => ratings.map((rating, n) => one(n + 1, { rating }));

test('climbing counts by band up to each day, and ends on the last one', () => {
  const steps = cumulativeCounts(rated(800, 1300, 900, 1300), { from: 1, to: 4 }, (rating) => (rating < 1200 ? 0 : 1), {
    bands: 2,
    most: 10,
  });
  const table = [
    [0, 0, 0],
    [1, 1, 0],
    [2, 1, 1],
    [3, 2, 1],
    [4, 2, 2],
  ];
  assert.deepEqual(
    steps.map(({ day, counts }) => [day, ...counts]),
    table,
  );
  const few = cumulativeCounts(rated(800, 1300, 900, 1300), { from: 1, to: 4 }, () => 0, { bands: 1, most: 2 });
  assert.deepEqual(
    few.map(({ day, counts }) => [day, ...counts]),
    [
      [0, 0],
      [2, 2],
      [4, 4],
    ],
  );
});

test('a dot is the hardest so far only above all before; the median is of the last thirty, from the fifth on', () => {
  const ratings = Array.from({ length: 45 }, (_, n) => 800 + 10 * n);
  const dots = dotsOf(rated(...ratings));
  assert.deepEqual(
    dots.slice(0, 4).map(({ median }) => median),
    Array(4).fill(undefined),
  );
  assert.equal(dots[4]?.median, 820);
  assert.equal(dots[29]?.median, 945);
  assert.equal(dots[44]?.median, 1095, 'of 950 to 1240');
  assert.deepEqual(
    dotsOf(rated(1000, 900, 1000, 1100)).map(({ isHardest }) => isHardest),
    [true, false, false, true],
  );
});

test('bins have no gap, and tell solved from tried', () => {
  const reached = [one(1, { rating: 899 }), one(2, { rating: 800 }), one(3, { rating: 1100, isSolved: false })];
  const table = [
    [800, 2, 0],
    [900, 0, 0],
    [1000, 0, 0],
    [1100, 0, 1],
  ];
  assert.deepEqual(
    binsOf(reached).map(({ from, solved, tried }) => [from, solved, tried]),
    table,
  );
  assert.deepEqual(binsOf([]), []);
});

/** First solves of 1000, in the order of their days. */
const atThousand = (count: number) => Array.from({ length: count }, (_, n) => one(n, {}));

test('a step is the rating minus the level before: the nearest 200, halves up, and without an end at both ends', () => {
  const table = [
    [-1000, -600],
    [499, -600],
    [500, -400],
    [899, -200],
    [900, 0],
    [1099, 0],
    [1100, 200],
    [1299, 200],
    [1499, 400],
    [1500, 600],
    [4000, 600],
  ] as const;
  for (const [rating, step] of table)
    for (const isSolved of [true, false])
      assert.equal(distancesOf([...atThousand(5), one(9, { rating, isSolved })]).at(-1), step, String(rating));
});

test('the level before is of the last thirty solves, from the fifth on, and no later solve counts', () => {
  const stepAfter = (...solves: RatedOutcome[]) =>
    distancesOf([...solves, one(99, { rating: 1000 }), ...rated(3000)])[solves.length];
  assert.equal(stepAfter(...atThousand(4)), undefined);
  assert.equal(stepAfter(...atThousand(5)), 0);
  const at = (rating: number, count: number) => Array.from({ length: count }, () => one(1, { rating }));
  assert.equal(stepAfter(...at(400, 16), ...at(1400, 14)), 600, 'sixteen of thirty are at 400');
  assert.equal(stepAfter(...at(400, 16), ...at(1400, 16)), -400, 'fourteen of the last thirty are');
  const tried = at(1400, 20).map((solve) => ({ ...solve, isSolved: false }));
  assert.equal(stepAfter(...atThousand(5), ...tried), 0, 'what is not solved moves no level');
  const unknown = at(1400, 20).map((solve) => ({ ...solve, isFirstTry: undefined }));
  assert.equal(stepAfter(...atThousand(5), ...unknown), -400, 'what has no submission moves it');
});

test('first tries are counted by step within the days, from ten problems on; what has no step is in none', () => {
  const reached: ProblemOutcome[] = [
    ...atThousand(5),
    ...Array.from({ length: 10 }, (_, n) => one(6, { isFirstTry: n % 2 === 0 })),
    ...Array.from({ length: 10 }, () => one(7, { rating: 1100, isSolved: false, isFirstTry: false })),
    ...Array.from({ length: 9 }, () => one(7, { rating: 800 })),
    one(6, { isFirstTry: undefined }),
    { ...one(9, {}), rating: undefined },
  ];
  const counts = (from?: number, to?: number) => {
    const { steps, withoutStep } = firstTriesOf(reached, { from, to });
    return [...steps.map(({ distance, tried, solvedAtFirstTry }) => [distance, tried, solvedAtFirstTry]), withoutStep];
  };
  assert.deepEqual(counts(), [[0, 10, 5], [200, 10, 0], 7]);
  assert.deepEqual(counts(7, 8), [[200, 10, 0], 0]);
  assert.deepEqual(firstTriesOf([], { from: undefined, to: undefined }), { steps: [], withoutStep: 0 });
});

test('a first try is what the judge accepted at once, not what is unknown and not what a member says', async (t) => {
  const garden = await gardenOf(t, 'ada');
  await garden.import(
    'problems',
    ponds(9, () => ({ rating: 1000 })),
  );
  const [first, second] = [1_700_000_000, 1_700_000_100];
  const sent = submissionsOf(
    'ada_cf',
    ['1A', 'OK', first],
    ['1A', 'WRONG_ANSWER', second],
    ['2A', 'COMPILATION_ERROR', first],
    ['2A', 'OK', second],
    ['3A', 'WRONG_ANSWER', first],
    ['3A', 'OK', second],
    ['4A', 'WRONG_ANSWER', first],
    ['5A', 'WRONG_ANSWER', first],
    ['6A', 'OK', first],
    ['9A', 'WRONG_ANSWER', first],
  );
  await garden.import('codeforces-submissions', sent, { member: 'ada' });
  const mark = (problemIds: bigint[], status: 'complete' | 'practicing') =>
    garden.store.write((tx) => setStatus(tx, { memberId: 1n, problemIds, status }));
  await mark([5n, 7n], 'complete');
  await mark([6n, 8n], 'practicing');
  // A list of solved problems says that the judge accepted it, but not that it was this submission.
  const ofList = { problem: 9, status: 'complete', updated_at: '2024-01-01T00:00:00Z', judge_status: 'complete' };
  await garden.import('statuses', [{ user: 1, ...ofList, judge_at: null }]);
  const days = daysOf(defaultDayRule);
  const reached = await listOutcomes(garden.store.reader, 1n, days);
  const at = (second: number) => [second * 1000, days.at(second * 1000)];
  const [marked] = reached.slice(5).map(({ firstAt }) => at(firstAt / 1000));
  assert.deepEqual(
    reached.map(({ id, isFirstTry, tries, firstAt, day }) => [id, isFirstTry, tries, firstAt, day]).slice(0, 7),
    [
      [1n, true, 1, ...at(first)],
      [4n, false, 0, ...at(first)],
      [2n, true, 1, ...at(second)],
      [3n, false, 2, ...at(second)],
      [9n, false, 1, ...at(Date.parse('2024-01-01T00:00:00Z') / 1000)],
      [5n, false, 1, ...(marked ?? [])],
      [7n, undefined, 0, ...(marked ?? [])],
    ],
  );
  assert.deepEqual(
    reached.slice(7).map(({ id, isFirstTry }) => [id, isFirstTry]),
    [
      [6n, true],
      [8n, undefined],
    ],
  );
  const listed = (distance: number | 'none' | undefined, isFirstTry: boolean) =>
    listByTries(garden.store.reader, 1n, days, { distance, isFirstTry });
  assert.deepEqual(await listed(undefined, true), [1n, 2n, 6n]);
  assert.deepEqual(await listed('none', false), [1n, 4n, 2n, 3n, 9n, 5n, 7n, 8n]);
  assert.deepEqual(await listed(0, false), [6n], 'after the fifth solve there is a level');
});

test('topics tell soon from later, and rest after six weeks only while others go on', () => {
  const tags = new Set(['trees']);
  const reached = [
    one(1, { day: 1, tags, tries: 3 }),
    one(2, { day: 2, tags, tries: 4 }),
    one(3, { day: 3, tags, tries: 9, isSolved: false }),
    one(4, { day: 60, tags: new Set(['math', 'ad hoc']), tries: 0 }),
  ];
  const all = { from: undefined, to: undefined };
  const figures = (today: number) =>
    topicsOf(reached, all, today).map((topic) => [
      ...[topic.tag, topic.fewTries, topic.manyTries, topic.unsolved],
      ...[topic.last.id, topic.isResting],
    ]);
  assert.deepEqual(figures(60), [
    ['trees', 1, 1, 1, 3n, true],
    ['ad hoc', 1, 0, 0, 4n, false],
    ['math', 1, 0, 0, 4n, false],
  ]);
  // The last of trees was on the 3rd day, and that of the others on the 60th.
  assert.deepEqual(
    [45, 46, 102, 103].map((today) => figures(today).map((row) => row.at(-1))),
    [
      [false, false, false],
      [true, false, false],
      [true, false, false],
      [false, false, false],
    ],
    'six weeks after the last, while something goes on',
  );
  assert.deepEqual(
    topicsOf(reached, { from: 2, to: 2 }, 60).map(({ fewTries, manyTries }) => [fewTries, manyTries]),
    [[0, 1]],
  );
});

test('a span includes its days, and an unknown day is in all days alone', () => {
  const table = [
    [undefined, undefined, [4, 5, 6, 7, Number.NEGATIVE_INFINITY]],
    [5, undefined, [5, 6, 7]],
    [undefined, 6, [4, 5, 6]],
    [5, 6, [5, 6]],
  ] as const;
  for (const [from, to, days] of table)
    assert.deepEqual(
      [4, 5, 6, 7, Number.NEGATIVE_INFINITY].filter((day) => isWithin({ from, to }, day)),
      days,
    );
});

test('Progress has all that a member solved or tried, whatever ids a file gave the problems', async (t) => {
  const garden = await gardenOf(t, 'ada');
  const ids = [leastId, -5n, 0n, 3n, greatestId];
  const problem = (id: bigint) => `{"id":${id},"title":"Pond ${id}","source":"codeforces","source_key":"${id}A"}`;
  await garden.import('problems', `[${ids.map(problem)}]`);
  const status = (id: bigint, at: number) =>
    `{"user":1,"problem":${id},"status":"${at % 2 === 0 ? 'complete' : 'practicing'}"}`;
  await garden.import('statuses', `[${ids.map(status)}]`);
  const reached = await listOutcomes(garden.store.reader, 1n, daysOf(defaultDayRule));
  assert.deepEqual(
    reached.map(({ id }) => id),
    ids,
  );
});
