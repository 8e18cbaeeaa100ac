/** Ratings beside the practice before them: spans of six weeks include both their ends, and what is usual is of other spans. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Days } from '../../src/practice/days.ts';
import type { ProblemOutcome } from '../../src/practice/progress.ts';
import {
  figuresOfSpan,
  ratingChanges,
  solvedByWeek,
  spanBefore,
  topicsSolved,
  upsolvedOf,
  usualFigures,
} from '../../src/practice/rating-history.ts';

const outcome = (day: number, more: Partial<ProblemOutcome> = {}): ProblemOutcome => ({
  id: BigInt(day),
  source: 'codeforces',
  title: '',
  rating: 1500,
  tags: new Set(),
  isSolved: true,
  at: day,
  day,
  firstAt: day,
  tries: 1,
  isFirstTry: true,
  ...more,
});
const dayOfRow = (day: number) => new Date(day * 86_400_000).toISOString();
const rated = (...rows: [handle: bigint, rating: bigint, day: number, place?: bigint][]) =>
  ratingChanges(
    rows.map(([handle_id, rating, day, place = null]) => ({
      handle_id,
      name: `ada_${handle_id}`,
      source: 'codeforces',
      contest: String(day),
      title: 'Round',
      place,
      rating,
      rated_at: dayOfRow(day),
    })),
    new Days({ zone: 'UTC', startHour: 0 }, 0),
  );
const history = (
  solved: readonly ProblemOutcome[],
  upsolved: readonly number[] = [],
  virtual: readonly number[] = [],
) => ({
  solved,
  upsolved: upsolved.map((day) => ({ problem: outcome(day), day })),
  virtual: virtual.map((day) => ({ contest: {} as never, day })),
});

test('a change is since the contest before under the same handle', () => {
  const changes = rated([1n, 1400n, 1], [2n, 900n, 2, 7n], [1n, 1350n, 3], [2n, 1000n, 3]);
  assert.deepEqual(
    changes.map(({ handle, rating, change, place, day }) => [handle, rating, change, place, day]),
    [
      ['ada_1', 1400, undefined, undefined, 1],
      ['ada_2', 900, undefined, 7, 2],
      ['ada_1', 1350, -50, undefined, 3],
      ['ada_2', 1000, 100, undefined, 3],
    ],
  );
});

test('a problem is upsolved from the earliest end of its contests that were taken', () => {
  const contest = (id: bigint, end: number) => ({ id, over_at: new Date(end).toISOString() }) as never;
  const place = (contest_id: bigint, id: bigint | null) => ({ contest_id, id }) as never;
  const places = [place(1n, 7n), place(2n, 7n), place(3n, 7n), place(3n, 8n), place(1n, null)];
  const solved = [49, 50, 60].map((firstAt) => outcome(firstAt, { id: 7n, firstAt }));
  const others = [outcome(90, { id: 8n }), outcome(90, { id: 9n })];
  assert.deepEqual(
    upsolvedOf([...solved, ...others], [contest(1n, 60), contest(2n, 50)], places).map(({ day }) => day),
    [50, 60],
  );
});

test('the figures of a span are of its days, and above the rating at its beginning', () => {
  const span = spanBefore(52);
  assert.deepEqual(span, { from: 10, to: 51 });
  const solved = [
    ...[9, 10, 51, 52].map((day) => outcome(day)),
    outcome(20, { rating: 1400 }),
    outcome(20, { rating: 1401 }),
    outcome(20, { rating: undefined }),
    outcome(20, { source: 'atcoder', rating: 3000 }),
  ];
  const figures = (changes: ReturnType<typeof rated>) =>
    figuresOfSpan(span, 'codeforces', changes, history(solved, [9, 10, 51, 52], [9, 51, 52]));
  const all = { solved: 6, virtual: 1, upsolved: 2 };
  assert.deepEqual(figures(rated([1n, 1300n, 8], [1n, 1400n, 9], [1n, 2000n, 10])), { ...all, above: 3 });
  assert.deepEqual(figures(rated([1n, 1400n, 10])), { ...all, above: undefined });
});

test('what is usual is the median of three other whole spans at least, back to the first solve and up to today', () => {
  const span = { from: 84, to: 125 };
  const solvesOf = [1, 2, 100, 3, 4, 10].map((count, nth) => Array.from({ length: count }, () => outcome(42 * nth)));
  const undated = outcome(0, { day: Number.NEGATIVE_INFINITY });
  const usual = (solved: readonly ProblemOutcome[], today: number, changes = rated()) =>
    usualFigures(span, today, 'codeforces', changes, history([undated, ...solved], [42, 42, 126, 168]));
  assert.deepEqual(usual(solvesOf.flat(), 251), { solved: 3, virtual: 0, upsolved: 1 });
  assert.deepEqual(usual(solvesOf.flat(), 250), { solved: 3, virtual: 0, upsolved: 1 }, 'of 1, 2, 3 and 4');
  assert.deepEqual(usual(solvesOf.flat().slice(1), 209), { solved: 3, virtual: 0, upsolved: 1 }, 'of 2, 3 and 4');
  assert.deepEqual(usual(solvesOf.flat().slice(1), 208), {}, 'two spans show nothing usual');
  assert.deepEqual(usual([], 251), { solved: 0, virtual: 0, upsolved: 1 }, 'the spans after it');
  assert.deepEqual(usual(solvesOf.flat(), 251, rated([1n, 1499n, 41])).above, 4, 'of 2, 3, 4 and 10');
  assert.deepEqual(usual(solvesOf.flat(), 251, rated([1n, 1499n, 42])).above, 4, 'of 3, 4 and 10');
  assert.deepEqual(usual(solvesOf.flat(), 251, rated([1n, 1499n, 126])).above, undefined);
});

test('topics of a span are the most solved ones, and by their names where they are equal', () => {
  const tagged = (day: number, ...tags: string[]) => outcome(day, { tags: new Set(tags) });
  const solved = [
    tagged(1, 'dp', 'trees'),
    tagged(2, 'trees', 'math'),
    tagged(3, 'math', 'dp', 'trees'),
    tagged(4, 'x'),
  ];
  assert.deepEqual(topicsSolved({ from: 1, to: 3 }, history(solved), 2), [
    { tag: 'trees', count: 3 },
    { tag: 'dp', count: 2 },
  ]);
});

test('weeks end with the span, cover the whole range, and are in the span as a whole', () => {
  const solved = [3, 4, 10, 11, 24, 25, 31, 32].map((day) => outcome(day));
  assert.deepEqual(solvedByWeek({ from: 5, to: 25 }, { from: 11, to: 24 }, history(solved)), [
    { from: 4, to: 10, count: 2, isIn: false },
    { from: 11, to: 17, count: 1, isIn: true },
    { from: 18, to: 24, count: 1, isIn: true },
    { from: 25, to: 31, count: 2, isIn: false },
  ]);
  assert.deepEqual(solvedByWeek({ from: 11, to: 10 }, { from: 4, to: 10 }, history([])), []);
});
