/** Plans to a date against examples made by hand, and against a naive model that walks through the days. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayMs } from '../../src/durations.ts';
import { inEnglish } from '../../src/errors.ts';
import { Days, dateOf, dayOf, daysOf } from '../../src/practice/days.ts';
import { dueDay, type Plan, paceOf, planMessage, planOf, spreadMinutes } from '../../src/practice/plan.ts';
import { isPreference } from '../../src/practice/preferences.ts';

const day = (date: string) => dayOf(date) as number;
const everyDay = [0, 1, 2, 3, 4, 5, 6];
const pace = { weekdays: everyDay, usual: 2 };

const examples = [
  ['2026-11-28', '2026-12-12', everyDay, 31, 15, 3, 3, '2026-12-08', '3 today · 31 left · on course to finish on'],
  ['2026-11-28', '2026-12-12', [0, 2, 4], 31, 6, 6, 0, '2026-12-11', 'none today · 31 left · 6 a day until'],
  ['2028-02-28', '2028-03-01', everyDay, 5, 3, 2, 2, '2028-03-01', '2 today · 5 left · on course to finish on'],
  ['2026-03-27', '2026-03-31', everyDay, 10, 5, 2, 2, '2026-03-31', '2 today · 10 left · on course to finish on'],
  ['2026-11-28', '2026-12-02', everyDay, 7, 5, 2, 2, '2026-12-01', '2 today · 7 left · on course to finish on'],
  ['2026-11-28', '2026-11-28', everyDay, 41, 1, 41, 41, '2026-11-28', '41 today · 41 left · 41 a day until'],
  // No Monday comes before this date, so both days count.
  ['2026-11-28', '2026-11-29', [0], 3, 2, 2, 2, '2026-11-29', '2 today · 3 left · on course to finish on'],
] as const;
const sentence = (plan: Plan) => inEnglish(planMessage(plan, dateOf));

test('what is left is spread over the chosen weekdays until the date, both days included', () => {
  for (const [today, until, weekdays, left, dayCount, aDay, share, finish, text] of examples) {
    const input = { today: day(today), until: day(until), left, solvedToday: 0 };
    const plan = planOf(input, { weekdays, usual: 3 });
    assert.deepEqual(
      [plan.dayCount, plan.aDay, plan.today, dateOf(plan.finish), sentence(plan)],
      [dayCount, aDay, share, finish, `${text} ${finish}`],
      `${today} ${until}`,
    );
    const isEnough = (usual: number) => planOf(input, { weekdays, usual }).isOnCourse;
    const needed = Math.ceil(left / dayCount);
    assert.deepEqual([isEnough(needed), isEnough(needed - 1 || needed)], [true, needed === 1]);
  }
  const over = planOf({ today: day('2026-11-28'), until: day('2026-11-27'), left: 3, solvedToday: 0 }, pace);
  assert.deepEqual(
    [over.dayCount, over.left, over.today, over.isOnCourse, sentence(over)],
    [0, 3, 0, false, '3 left, the date is over'],
  );
  assert.ok(planOf({ today: 1, until: 2, left: 2, solvedToday: 0 }, { ...pace, usual: 0 }).isOnCourse);
  for (const until of [0, 2]) {
    const done = planOf({ today: 1, until, left: 0, solvedToday: 3 }, pace);
    assert.deepEqual([done.left, done.today, done.isOnCourse, sentence(done)], [0, 0, true, 'done']);
  }
});

test('what was solved since midnight counts to the share of today, and the minutes of problems level the days', () => {
  const [today, until] = [day('2026-11-28'), day('2026-11-29')];
  assert.deepEqual(spreadMinutes([60, 20, 30, 40, 25], 2), [
    [60, 25],
    [40, 30, 20],
  ]);
  assert.deepEqual(spreadMinutes([5, 5, 5], 9), [[5], [5], [5]]);
  const plan = planOf({ today, until, left: 5, solvedToday: 0, minutes: [60, 20, 30, 40, 25] }, pace);
  assert.deepEqual([plan.today, plan.minutesToday, dateOf(plan.finish)], [2, 85, '2026-11-29']);
  assert.equal(sentence(plan), '2 today (about 85 min) · 5 left · 3 a day until 2026-11-29');
  const later = planOf({ today, until, left: 4, solvedToday: 1, minutes: [60, 20, 30, 40, 25] }, pace);
  assert.deepEqual([later.today, later.minutesToday], [1, 0]);
  const tomorrow = planOf({ today, until, left: 2, solvedToday: 0, minutes: [60, 20] }, { weekdays: [6], usual: 2 });
  assert.deepEqual([tomorrow.today, tomorrow.minutesToday, dateOf(tomorrow.finish)], [0, 0, '2026-11-29']);
  const shares = [0, 1, 2, 3, 4].map((n) => planOf({ today, until, left: 5 - n, solvedToday: n }, pace).today);
  assert.deepEqual(shares, [3, 2, 1, 0, 0]);
});

test('weekdays with a solve in four of the last eight weeks are those of practice, unless some are chosen', () => {
  const today = day('2026-11-28');
  const weeksAgo = (weekday: number, ...weeks: number[]) => weeks.map((n) => today - 5 + weekday - 7 * n);
  const solves = [...weeksAgo(0, 0, 1, 1, 1, 3, 7), ...weeksAgo(2, 0, 1, 2), ...weeksAgo(5, 1, 2, 3, 8)];
  assert.deepEqual(paceOf(solves, today, ''), { weekdays: [0, 5], usual: 1 });
  assert.deepEqual(paceOf([...solves, today, today - 57], today, '37').weekdays, [2, 6]);
  assert.deepEqual(paceOf([today - 57, today], today, ''), { weekdays: everyDay, usual: 0 });
  assert.deepEqual(paceOf(weeksAgo(2, 1, 2, 3, 8), today, ''), { weekdays: everyDay, usual: 1 });
  assert.deepEqual(paceOf(weeksAgo(2, 1, 2, 3, 7), today, ''), { weekdays: [2], usual: 1 });
  assert.deepEqual(
    ['', '1357', '31', '8', '11'].map((days) => isPreference('practice_days', days)),
    [true, true, false, false, false],
  );
  assert.equal(paceOf([today - 1, today - 1, today - 1, today - 3, today - 3], today, '').usual, 3);
});

test('a plan is that of somebody who walks through the days, in every zone and over changes of clocks', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland', 'Africa/Cairo'];
  const inputs = fc.record({
    zone: fc.constantFrom(...zones),
    now: fc.integer({ min: Date.UTC(2014, 0), max: Date.UTC(2029, 0) }),
    length: fc.integer({ min: 0, max: 400 }),
    left: fc.integer({ min: 1, max: 300 }),
    solvedToday: fc.integer({ min: 0, max: 9 }),
    weekdays: fc.subarray(everyDay, { minLength: 1 }),
  });
  fc.assert(
    fc.property(inputs, ({ zone, now, length, left, solvedToday, weekdays }) => {
      const days = new Days({ zone, startHour: 0 }, now);
      const today = days.at(now);
      const plan = planOf(
        { today, until: dueDay(days, new Date(days.start(today + length + 1)).toISOString()), left, solvedToday },
        { weekdays, usual: 3 },
      );
      const localNoon = (n: number) => new Date(Date.parse(`${dateOf(today)}T12:00:00Z`) + n * dayMs);
      const all = Array.from({ length: length + 1 }, (_, n) => localNoon(n));
      const chosen = all.filter((date) => weekdays.includes((date.getUTCDay() + 6) % 7));
      const walked = chosen.length > 0 ? chosen : all;
      assert.equal(plan.dayCount, walked.length);
      let [unsolved, lastDate] = [left + solvedToday, ''];
      for (const date of walked) {
        if (unsolved <= 0) break;
        unsolved -= plan.aDay;
        lastDate = date.toISOString().slice(0, 10);
      }
      assert.ok(unsolved <= 0 && (plan.aDay - 1) * walked.length < left + solvedToday);
      assert.equal(dateOf(plan.finish), lastDate);
      const isToday = walked[0]?.getTime() === localNoon(0).getTime();
      assert.equal(plan.today, isToday ? Math.min(left, Math.max(0, plan.aDay - solvedToday)) : 0);
    }),
    { numRuns: 500 },
  );
  for (const [dueAt, day] of [
    ['2026-03-29T22:00:00.000Z', '2026-03-29'],
    ['2026-03-29T22:00:00.001Z', '2026-03-30'],
  ] as const)
    assert.equal(dateOf(dueDay(daysOf({ zone: 'Europe/Berlin', startHour: 0 }), dueAt)), day);
});
