/** The figures of progress against tables made by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Days, dayOf, daysOf, periodsOf, usualDayRule } from '../../src/practice/days.ts';

import {
  binsOf,
  climb,
  dotsOf,
  hoursOf,
  type Rated,
  reachedOf,
  surestAndSlowest,
  topicsOf,
  triesOf,
} from '../../src/practice/progress.ts';
import { greatestId, leastId } from '../../src/store/ids.ts';
import { openGarden } from '../importing/support.ts';

const one = (id: number, told: Partial<Rated>): Rated => ({
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
  ...told,
});
const rated = (...ratings: number[]) => ratings.map((rating, n) => one(n + 1, { rating }));

test('climbing counts by band up to each day, and ends on the last one', () => {
  const steps = climb(rated(800, 1300, 900, 1300), { from: 1, to: 4 }, (rating) => (rating < 1200 ? 0 : 1), {
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
  const few = climb(rated(800, 1300, 900, 1300), { from: 1, to: 4 }, () => 0, { bands: 1, most: 2 });
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

test('tries have a bin each up to five, and what has no submission is in none', () => {
  const solved = [0, 1, 1, 3, 6, 7, 8, 15, 16, 400].map((tries, n) => one(n, { tries }));
  assert.deepEqual(
    triesOf(solved).map(({ count }) => count),
    [2, 0, 1, 0, 0, 2, 1, 1, 2],
  );
});

test('hours begin at the start of the day and go by the clock of the zone', () => {
  const days = new Days({ zone: 'Asia/Kolkata', startHour: 4 }, 0);
  const at = (text: string) => one(1, { at: Date.parse(text) });
  const hours = hoursOf([at('2024-03-09T22:29:59Z'), at('2024-03-09T22:30:00Z'), at('2024-01-01T22:45:00Z')], days);
  assert.deepEqual(hours.map(({ hour }) => hour).slice(0, 2), [4, 5]);
  assert.deepEqual(
    hours.filter(({ count }) => count > 0),
    [
      { hour: 4, count: 2 },
      { hour: 3, count: 1 },
    ],
  );
});

test('topics tell soon from later, and rest after six weeks only while others go on', () => {
  const tags = new Set(['dp']);
  const reached = [
    one(1, { day: 1, tags, tries: 3 }),
    one(2, { day: 2, tags, tries: 4 }),
    one(3, { day: 3, tags, tries: 9, isSolved: false }),
    one(4, { day: 60, tags: new Set(['math']), tries: 0 }),
  ];
  const all = { from: undefined, to: undefined };
  const figures = (today: number) =>
    topicsOf(reached, all, [900, 1100], today).map((topic) => [
      ...[topic.tag, topic.soon, topic.later, topic.open, topic.levelSoon, topic.levelTried],
      ...[topic.last.id, topic.rests],
    ]);
  assert.deepEqual(figures(60), [
    ['dp', 1, 1, 1, 1, 3, 3n, true],
    ['math', 1, 0, 0, 1, 1, 4n, false],
  ]);
  assert.deepEqual(
    figures(45).map((row) => row.at(-1)),
    [false, false],
    'the 45th day is 42 after the last',
  );
  assert.deepEqual(
    figures(200).map((row) => row.at(-1)),
    [false, false],
    'nothing goes on',
  );
  assert.deepEqual(
    topicsOf(reached, { from: 2, to: 2 }, undefined, 60).map(({ later, levelTried }) => [later, levelTried]),
    [[1, 0]],
  );
  assert.equal(surestAndSlowest(topicsOf(reached, all, [900, 1100], 60)), undefined, 'too few');
});

test('periods are months, quarters or years, cut off at both ends', () => {
  const day = (text: string) => dayOf(text) ?? 0;
  const of = (from: string, to: string) =>
    periodsOf(day(from), day(to)).map(({ year, month, months, ...span }) => [
      year,
      month,
      months,
      span.to - span.from + 1,
    ]);
  assert.deepEqual(of('2024-01-30', '2024-03-01'), [
    [2024, 0, 1, 2],
    [2024, 1, 1, 29],
    [2024, 2, 1, 1],
  ]);
  assert.deepEqual(of('2023-02-28', '2024-06-30')[0], [2023, 0, 3, 32]);
  assert.deepEqual(of('2014-03-08', '2023-12-31').at(-1), [2023, 0, 12, 365]);
});

test('Progress has all that a member solved or tried, whatever ids a file gave the problems', async (t) => {
  const garden = await openGarden(t);
  await garden.import('records', [{ id: 1, username: 'ada' }]);
  const ids = [leastId, -5n, 0n, 3n, greatestId];
  const problem = (id: bigint) => `{"id":${id},"title":"Pond ${id}","source":"codeforces","source_key":"${id}A"}`;
  await garden.import('problems', `[${ids.map(problem)}]`);
  const status = (id: bigint, at: number) =>
    `{"user":1,"problem":${id},"status":"${at % 2 === 0 ? 'complete' : 'practicing'}"}`;
  await garden.import('statuses', `[${ids.map(status)}]`);
  const reached = await reachedOf(garden.store.reader, 1n, daysOf(usualDayRule));
  assert.deepEqual(new Set(reached.map(({ id }) => id)), new Set(ids));
});
