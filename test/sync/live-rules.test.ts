/** The rules of live feeds, by tables: how many rows how often, what is a gap, and when a feed is live. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, minuteMs } from '../../src/durations.ts';
import {
  delayAt,
  hasGap,
  isFrozen,
  isLive,
  isMissed,
  onDayOf,
  pauseOf,
  pendingPauseMs,
  readableRows,
  retryMs,
  rowCount,
  withAnswer,
  withContest,
  withDelay,
  withFailure,
  withKnownIds,
  withSweep,
} from '../../src/jobs/live-rules.ts';
import type { FeedRow, SubmissionFeed } from '../../src/judges/judge.ts';
import { freshFeed, type LiveFeed } from '../../src/store/live-feeds.ts';

const now = Date.parse('2026-11-29T18:00:00Z');
const before = now - 45_000;
const good: LiveFeed = {
  ...freshFeed,
  newestId: 1000,
  newestAt: before,
  grownAt: before,
  triedAt: before,
  goodAt: before,
  completeAt: before,
  sweptAt: before,
  onlineAt: before,
  rowsPerSecond: 2,
  day: '2026-11-29',
};
const feed: SubmissionFeed = {
  rowsAtMost: 1000,
  intervalMs: 45_000,
  ownListMs: { active: dayMs, others: 7 * dayMs },
  newest: async () => ({ rows: [] }),
  users: async () => new Map(),
};
const row = (id: number, at = now): FeedRow => ({ id, at, handles: [], value: {} });
const pending = (id: number) => [{ id, handleId: 1, contest: null, requestedAt: 0 }];

test('rows are half as many again as will have come, and back to the oldest without a verdict', () => {
  const cases: [Partial<LiveFeed>, number][] = [
    [{}, 185],
    [{ rowsPerSecond: 0 }, 100],
    [{ rowsPerSecond: 30 }, 1000],
    [{ pending: pending(900) }, 285],
    [{ pending: pending(185) }, 1000],
    [{ pending: [...pending(900), ...pending(184)] }, 285],
    [{ goodAt: now + 60_000, rowsPerSecond: 90 }, 100],
  ];
  for (const [change, count] of cases) assert.equal(rowCount({ ...good, ...change }, 1000, now), count);
});

test('the pause follows the rounds, the traffic, the sleep, refusals and the limit of bytes', () => {
  const limits = { bytes: 250_000_000, isRoundNear: false, isRoundRunning: false, contests: [] as string[] };
  const contestsRead = { 1: { newestId: 9, at: before, wholeAt: before } };
  const cases: [Partial<LiveFeed>, Partial<typeof limits>, number, boolean][] = [
    [{}, {}, 45_000, false],
    [{}, { isRoundNear: true }, 15_000, false],
    [{ rowsPerSecond: 45 }, { isRoundNear: true }, 13_333, false],
    [{ rowsPerSecond: 30 }, {}, 20_000, false],
    [{ rowsPerSecond: 900 }, {}, 4_000, false],
    [{ onlineAt: now - 15 * minuteMs - 1 }, {}, 300_000, false],
    [{ onlineAt: now - 15 * minuteMs }, {}, 45_000, false],
    [{ failures: 2 }, {}, 45_000, false],
    [{ failures: 3 }, {}, 60_000, false],
    [{ failures: 5 }, {}, 240_000, false],
    // People are looked for meanwhile.
    [{ failures: 9 }, {}, 300_000, false],
    [{ failures: 9, contests: contestsRead }, { contests: ['1'] }, 45_000, false],
    [{ failures: 9, contests: contestsRead, bytes: 249_999_999 }, { contests: ['1'] }, 45_000, false],
    [{ failures: 9, contests: contestsRead, bytes: 250_000_000 }, { contests: ['1'] }, 300_000, false],
    // Six hours are left, 10 MB, and an answer has 58 kB.
    [{ bytes: 240_000_000, answers: 4138 }, {}, 125_278, true],
    [{ bytes: 249_999_999, answers: 4138, rowsPerSecond: 10 }, {}, 60_000, true],
    [{ bytes: 249_999_999, answers: 4138, rowsPerSecond: 30 }, {}, 20_000, false],
    [{ bytes: 2_000_000, answers: 1 }, {}, 174_194, true],
    [{ bytes: 240_000_000, answers: 4138 }, { isRoundRunning: true }, 45_000, false],
    [{ bytes: 240_000_000, answers: 4138 }, { isRoundNear: true, isRoundRunning: true }, 15_000, false],
    [{ bytes: 100_000_000, answers: 1724 }, {}, 45_000, false],
    [{ bytes: 250_000_000, answers: 4138 }, { isRoundRunning: true }, 300_000, true],
  ];
  for (const [change, limit, pauseMs, isSlowed] of cases) {
    const pause = pauseOf(feed, { ...good, ...change }, { ...limits, ...limit }, now);
    assert.deepEqual([Math.round(pause.pauseMs), pause.isSlowed], [pauseMs, isSlowed], JSON.stringify(change));
  }
});

test('a gap is an oldest row that is newer than the newest known, except behind a sleep that it reaches back to', () => {
  assert.equal(hasGap(good, [row(1002), row(1001)], false), true);
  assert.equal(hasGap(good, [row(1001), row(1000)], false), false);
  assert.equal(hasGap(good, [row(1000), row(1002), row(1002)], false), false);
  assert.equal(hasGap({ ...good, newestId: 0 }, [row(9)], false), false, 'nothing was known yet');
  assert.equal(hasGap(good, [row(1001, before - 2 * minuteMs)], true), false);
  assert.equal(hasGap(good, [row(1001, before - 2 * minuteMs)], false), true);
  assert.equal(hasGap(good, [row(1001, before - 2 * minuteMs + 1)], true), true, 'clocks may differ by so much');
});

test('an answer moves what is known forward only, and a gap stays until nobody is missed', () => {
  const rows = [row(1003, now - 5_000), row(1001, now - 15_000), row(1003, now - 5_000), row(999, now - 25_000)];
  const next = withAnswer({ ...good, failures: 2, failedAt: 5 }, rows, false, now);
  const read = { ...good, triedAt: now, goodAt: now };
  const newest = { newestId: 1003, newestAt: now - 5_000, grownAt: now };
  assert.deepEqual(next, { ...read, ...newest, completeAt: now, rowsPerSecond: 0.15 });
  const stale = withAnswer(good, [row(998), row(999)], false, now);
  assert.deepEqual(stale, { ...read, rowsPerSecond: 1 });
  assert.deepEqual(withAnswer(good, [row(1000)], false, now), { ...read, completeAt: now });

  const gap = withAnswer(good, [row(2000)], true, now);
  assert.deepEqual([gap.gapFrom, gap.gapUntil, gap.gaps, isLive(gap, now)], [before, now, 1, false]);
  const later = withAnswer(gap, [row(2000), row(2001)], false, now + 45_000);
  assert.deepEqual([later.gapFrom, later.gapUntil, later.completeAt], [before, now, before]);
  assert.equal(isLive(withSweep(later, 3, now + 46_000), now + 46_000), false);
  const closed = withSweep(later, 0, now + 46_000);
  assert.deepEqual([closed.gapFrom, closed.completeAt, isLive(closed, now + 46_000)], [null, now + 45_000, true]);
});

test('the third failure in a row begins a gap, which ends with the next answer', () => {
  const second = withFailure(withFailure(good, now), now + 1);
  assert.deepEqual([isLive(second, now), second.gapFrom, second.failedAt], [true, null, now]);
  const third = withFailure(second, now + 2);
  assert.deepEqual([isLive(third, now), third.gapFrom, third.gapUntil, third.failedAt], [false, before, null, now]);
  assert.equal(withSweep(third, 0, now).gapFrom, before, 'it goes on');
  assert.deepEqual(
    [2, 3, 5, 9].map((failures) => retryMs({ ...good, failures }) / minuteMs),
    [0, 1, 4, 30],
  );
  const back = withAnswer(third, [row(1000)], false, now + minuteMs);
  assert.deepEqual([back.gapFrom, back.gapUntil], [before, now + minuteMs]);
});

test('a feed is live for a quarter of an hour after its last answer', () => {
  assert.equal(isLive(undefined, now), false);
  assert.equal(isLive(freshFeed, now), false);
  assert.equal(isLive(good, before + 15 * minuteMs - 1), true);
  assert.equal(isLive(good, before + 15 * minuteMs), false);
  for (const [grownAt, rowsPerSecond, isSo] of [
    [now - 15 * minuteMs - 1, 2, true],
    [now - 15 * minuteMs, 2, false],
    // A hundred rows were to be expected.
    [now - 100_000_001, 0.001, true],
    [now - 100_000_000, 0.001, false],
    [0, 2, false],
  ] as const)
    assert.equal(isFrozen({ ...good, grownAt, rowsPerSecond }, now), isSo, String(grownAt));
});

test('missed are those who were online since, or whose usual pause is over, and whose own list was not read', () => {
  const open = { ...good, gapFrom: before, gapUntil: null };
  const closing = { ...open, gapUntil: now - 5_000 };
  const someone = (triedAt: number, onlineAt: number | undefined, dueAt = now + dayMs) => ({
    triedAt,
    onlineAt,
    dueAt,
  });
  const earlier = before - dayMs;
  assert.equal(isMissed(open, someone(earlier, now), now), true);
  assert.equal(isMissed(open, someone(earlier, before - 2 * minuteMs), now), true, 'clocks may differ by so much');
  assert.equal(isMissed(open, someone(earlier, before - 2 * minuteMs - 1), now), false, 'not online since');
  assert.equal(isMissed(open, someone(now - 30_000, now - 150_000), now), true);
  assert.equal(isMissed(open, someone(now - 29_999, now - 150_000), now), false, 'read since');
  assert.equal(isMissed(open, someone(now - 1, now), now), true, 'the gap goes on');
  assert.equal(isMissed(closing, someone(now - 5_000, now), now), false, 'read at its end');
  assert.equal(isMissed(closing, someone(earlier, now), now), true);
  assert.equal(isMissed(good, someone(earlier, now), now), false, 'there is no gap');
  assert.equal(isMissed(open, someone(earlier, undefined, now), now), true);
  assert.equal(isMissed(open, someone(before, undefined, now + 1), now), false);
  assert.equal(isMissed(closing, someone(before, undefined, before + dayMs - 1), now), true);
  assert.equal(isMissed(closing, someone(before, undefined, before + dayMs), now), false, 'asked once a day');
});

test('what a clock that was ahead or an id that was too large left is forgotten, and what came meanwhile is a gap', () => {
  const later = now + 400 * dayMs;
  const ahead = { ...good, triedAt: later, completeAt: later, sweptAt: later, onlineAt: later, grownAt: later };
  const right = onDayOf(ahead, now);
  assert.deepEqual([right.triedAt, right.completeAt, right.sweptAt, right.onlineAt, right.grownAt], [0, 0, 0, 0, now]);
  const far = { ...good, newestId: 9e15, grownAt: now - 16 * minuteMs };
  assert.equal(withKnownIds({ ...far, grownAt: now - 14 * minuteMs }, [row(1001)], now).newestId, 9e15);
  assert.equal(withKnownIds(far, [row(9e15)], now).newestId, 9e15, 'it stands still');
  const known = withKnownIds(far, [row(1), row(2)], now);
  assert.deepEqual(known, { ...far, newestId: -1, newestAt: 0 });
  assert.equal(hasGap(known, [row(1), row(2)], false), true);
  assert.equal(withAnswer(known, [row(1), row(2)], true, now).newestId, 2);
});

test('the figures of a day begin anew, and delays are said in two digits', () => {
  const busy = { ...good, triedAt: now, bytes: 5, answers: 2, gaps: 1, delays: { 3: 1 }, isSlowed: true };
  assert.deepEqual(onDayOf(busy, now), busy);
  assert.deepEqual(onDayOf(busy, now + dayMs), { ...good, triedAt: now, day: '2026-11-30' });
  const some = [1_234_000, -90_000, 22_400, 22_000, 99_500].reduce(withDelay, {});
  assert.deepEqual(some, { 0: 1, 22: 2, 100: 1, 1200: 1 });
  assert.deepEqual([delayAt(some, 0.5), delayAt(some, 0.95), delayAt({}, 0.5)], [22, 1200, undefined]);
  const odd = [row(Number.NaN), row(2, Number.NaN), row(1.5), row(3, now + dayMs), row(4, 0)];
  const right = [row(1), row(5, now + dayMs - 1)];
  assert.deepEqual(readableRows([...right, ...odd], now), right);
  assert.deepEqual([0, 5 * minuteMs - 1, 5 * minuteMs].map(pendingPauseMs), [minuteMs, minuteMs, 2 * minuteMs]);
});

test('of a running contest all is here where an answer has less than it may, or reaches back to the one before', () => {
  const ids = (...some: number[]) => some.map((id) => row(id));
  const once = withContest(good, '7', { rows: ids(5, 9, 6), atMost: 3 }, now);
  const cases: [LiveFeed, FeedRow[], number, { newestId: number; wholeAt: number }][] = [
    [good, ids(5, 9, 6), 3, { newestId: 9, wholeAt: 0 }],
    [good, ids(5, 9, 6), 4, { newestId: 9, wholeAt: now }],
    [good, [], 4, { newestId: 0, wholeAt: now }],
    [once, ids(10, 11), 2, { newestId: 11, wholeAt: 0 }],
    [once, ids(9, 10), 2, { newestId: 10, wholeAt: now }],
    [once, ids(7, 8), 2, { newestId: 9, wholeAt: now }],
  ];
  for (const [state, rows, atMost, read] of cases)
    assert.deepEqual(withContest(state, '7', { rows, atMost }, now), {
      ...state,
      contests: { 7: { ...read, at: now } },
    });
});
