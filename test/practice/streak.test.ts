/** Streaks and the year against tables made by hand: days that begin at 04:00, days that never came, leap years. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  findFirstActiveDay,
  readActivity,
  readDaySettings,
  readStreak,
  setDayRule,
  setDaySettings,
  versionOfDaySettings,
} from '../../src/practice/activity.ts';
import { type DayRule, dateOf, dayOf, daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { yearPicture, yearUntil, yearWithin } from '../../src/web/drawing/charts/year.ts';
import { codeforces, type Garden, gardenOf, identity } from '../importing/support.ts';

const keys = Array.from({ length: 30 }, (_, n) => `${n + 1}A`);

async function solvedAt(t: TestContext, rule: DayRule, moments: readonly string[]): Promise<Garden> {
  const garden = await gardenOf(t, 'ada');
  const problems = keys.map((name, n) => ({ ...identity(name), name, rating: 800 + 100 * n }));
  await garden.import('codeforces-problems', codeforces(...problems));
  await garden.import(
    'statuses',
    moments.map((updated_at, n) => ({
      username: 'ada',
      source: 'codeforces',
      source_key: keys[n],
      status: 'complete',
      updated_at,
    })),
  );
  await move(garden, rule);
  return garden;
}

const move = ({ store }: Garden, rule: DayRule) => store.write((tx) => setDayRule(tx, 1n, rule));

async function streakAt({ store }: Garden, rule: DayRule, now: string): Promise<string> {
  const days = daysOf(rule);
  const { current, longest } = await readStreak(store.reader, 1n, days, days.at(Date.parse(now)));
  const said = (run: typeof current) => (run ? `${run.length}: ${dateOf(run.first)} ${dateOf(run.last)}` : 'none');
  return `${said(current)}, ${said(longest)}`;
}

const tables: readonly {
  name: string;
  rule: DayRule;
  solved: readonly string[];
  at: readonly (readonly [now: string, streaks: string])[];
}[] = [
  {
    name: 'days begin at 04:00: what was solved after midnight counts for the evening',
    rule: defaultDayRule,
    solved: ['2026-03-01T20:00:00Z', '2026-03-03T03:59:59Z', '2026-03-03T04:00:00Z'],
    at: [
      ['2026-03-03T05:00:00Z', '3: 2026-03-01 2026-03-03, 3: 2026-03-01 2026-03-03'],
      ['2026-03-05T03:59:59Z', '3: 2026-03-01 2026-03-03, 3: 2026-03-01 2026-03-03'],
      ['2026-03-05T04:00:00Z', 'none, 3: 2026-03-01 2026-03-03'],
      ['2026-03-02T12:00:00Z', '2: 2026-03-01 2026-03-02, 2: 2026-03-01 2026-03-02'],
    ],
  },
  {
    name: 'leap years have 29 February, and other years have none',
    rule: defaultDayRule,
    solved: [
      ...['2024-02-28T12:00:00Z', '2024-02-29T12:00:00Z', '2024-03-01T12:00:00Z'],
      ...['2023-02-28T12:00:00Z', '2023-03-01T12:00:00Z', '2023-03-02T12:00:00Z', '2023-03-03T12:00:00Z'],
    ],
    at: [
      ['2024-03-01T13:00:00Z', '3: 2024-02-28 2024-03-01, 4: 2023-02-28 2023-03-03'],
      ['2024-03-03T13:00:00Z', 'none, 4: 2023-02-28 2023-03-03'],
    ],
  },
  {
    name: 'Samoa had no 30 December 2011, and no streak ended by it',
    rule: { zone: 'Pacific/Apia', startHour: 4 },
    solved: ['2011-12-28T18:00:00Z', '2011-12-29T18:00:00Z', '2011-12-30T18:00:00Z', '2011-12-31T18:00:00Z'],
    at: [
      ['2011-12-31T20:00:00Z', '4: 2011-12-28 2012-01-01, 4: 2011-12-28 2012-01-01'],
      ['2011-12-30T13:00:00Z', '2: 2011-12-28 2011-12-29, 2: 2011-12-28 2011-12-29'],
    ],
  },
  {
    name: 'the day before 31 December 2011 was the 29th in Samoa',
    rule: { zone: 'Pacific/Apia', startHour: 4 },
    solved: ['2011-12-28T18:00:00Z', '2011-12-29T18:00:00Z'],
    at: [
      ['2011-12-30T18:00:00Z', '2: 2011-12-28 2011-12-29, 2: 2011-12-28 2011-12-29'],
      ['2011-12-31T18:00:00Z', 'none, 2: 2011-12-28 2011-12-29'],
    ],
  },
];

for (const { name, rule, solved, at } of tables)
  test(name, async (t) => {
    const garden = await solvedAt(t, rule, solved);
    for (const [now, streaks] of at) assert.equal(await streakAt(garden, rule, now), streaks, now);
  });

test('a member who moves has the days of the new place, also those of before', async (t) => {
  const solved = ['2026-01-01T06:00:00Z', '2026-01-02T02:00:00Z', '2026-01-02T20:00:00Z'];
  const garden = await solvedAt(t, defaultDayRule, solved);
  const now = '2026-01-02T21:00:00Z';
  assert.equal(await streakAt(garden, defaultDayRule, now), '2: 2026-01-01 2026-01-02, 2: 2026-01-01 2026-01-02');
  const honolulu = { zone: 'Pacific/Honolulu', startHour: 4 };
  await move(garden, honolulu);
  assert.equal(await streakAt(garden, honolulu, now), '3: 2025-12-31 2026-01-02, 3: 2025-12-31 2026-01-02');
  await move(garden, defaultDayRule);
  assert.equal(await streakAt(garden, defaultDayRule, now), '2: 2026-01-01 2026-01-02, 2: 2026-01-01 2026-01-02');
});

test('settings of days are saved each by itself, and not over those that were saved since', async (t) => {
  const { store } = await solvedAt(t, defaultDayRule, ['2026-01-01T06:00:00Z']);
  const read = () => readDaySettings(store.reader, 1n);
  let stored = await read();
  assert.deepEqual(stored, { ...defaultDayRule, weekStart: 'monday', weekGoal: 10, practiceDays: '' });
  const edits = [
    { zone: 'Asia/Kolkata' },
    { startHour: 0 },
    { weekStart: 'sunday' },
    { weekGoal: 3 },
    { practiceDays: '15' },
  ] as const;
  for (const edit of edits) {
    const settings = { ...stored, ...edit };
    assert.equal(await setDaySettings(store, 1n, settings, versionOfDaySettings(stored)), false);
    assert.equal(await setDaySettings(store, 1n, settings, versionOfDaySettings(stored)), false, 'it is the same');
    assert.equal(await setDaySettings(store, 1n, { ...settings, weekGoal: 9 }, versionOfDaySettings(stored)), true);
    stored = await read();
    assert.deepEqual(stored, settings);
  }
  const days = daysOf(stored);
  const first = dayOf('2026-01-01') ?? 0;
  assert.deepEqual(
    [
      await findFirstActiveDay(store.reader, 1n, days, first),
      await findFirstActiveDay(store.reader, 1n, days, first - 1),
    ],
    [first, undefined],
  );
  assert.equal(await findFirstActiveDay(store.reader, 2n, days, first), undefined);
});

test('a year is 53 weeks from a Monday to today, a cell a day, in its column and line', async (t) => {
  const day = (date: string) => dayOf(date) ?? 0;
  const ranges = ['2016-06-08', '2024-02-29', '2025-03-02', '2026-01-05'].map((date) =>
    yearUntil(day(date)).map(dateOf),
  );
  assert.deepEqual(ranges, [
    ['2015-06-08', '2016-06-08'],
    ['2023-02-27', '2024-02-29'],
    ['2024-02-26', '2025-03-02'],
    ['2025-01-06', '2026-01-05'],
  ]);
  const within = (from: string, to: string) => yearWithin({ from: dayOf(from), to: dayOf(to) }, day('2026-01-05'));
  const chosen = [
    ['2024-01-01', '2024-12-31'],
    ['2025-12-31', '2026-12-31'],
    ['2010-05-01', '2025-03-02'],
    ['', '2025-03-02'],
    ['2025-12-31', ''],
    ['2030-01-01', '2031-01-01'],
  ].map(([from = '', to = '']) => within(from, to).map(dateOf));
  assert.deepEqual(chosen, [
    ['2024-01-01', '2024-12-31'],
    ['2025-12-31', '2026-01-05'],
    ['2024-02-26', '2025-03-02'],
    ['2024-02-26', '2025-03-02'],
    ['2025-12-31', '2026-01-05'],
    ['2030-01-01', '2030-01-01'],
  ]);
  const solved = ['2023-02-27T05:00:00Z', '2024-02-28T05:00:00Z', '2024-02-29T05:00:00Z', '2024-02-29T06:00:00Z'];
  const garden = await solvedAt(t, defaultDayRule, solved);
  const today = day('2024-02-29');
  const range = yearUntil(today);
  const rows = await readActivity(garden.store.reader, 1n, daysOf(defaultDayRule), range);
  const picture = () =>
    String(yearPicture({ range, today, rows, mode: 'first', basePath: '/g', path: '/dashboard/', years: [] }));
  const first = /<g data-mode="first">(.*?)<\/g>/s.exec(picture())?.[1] ?? '';
  const marks = [...first.matchAll(/data-count="(\d)".*?class="(.*?)" x="(\d+)" y="(\d+)"><title>(.*?)</g)];
  assert.deepEqual(
    marks.map(([, ...found]) => found.join(' ')),
    [
      '1 year-1 0 18 Mon, 27 Feb 2023: 1 new problem solved',
      '1 year-1 832 50 Wed, 28 Feb 2024: 1 new problem solved',
      '2 year-2 832 66 Thu, 29 Feb 2024: 2 new problems solved',
    ],
  );
  assert.match(picture(), /<rect class="year-today" x="832" y="66"/);
  assert.match(first, /href="\/g\/problem_list\/\?solved_from=2024-02-29&amp;solved_to=2024-02-29&amp;first=true"/);
  assert.equal(picture(), picture(), 'the same each time');
});
