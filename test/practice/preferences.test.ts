/** What a member may set: which values a file may bring, what is there before anything is set, and the limits of lists of settings. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultDayRule } from '../../src/practice/days.ts';
import {
  dayRuleOf,
  deleteView,
  isPreference,
  readPreferences,
  type SavedView,
  type Switch,
  saveView,
  setCalendar,
  setSwitch,
  setWeekGoal,
  showContestsOf,
} from '../../src/practice/preferences.ts';
import { gardenOf } from '../importing/support.ts';

const view = (name: string, query = '?q=x') => ({ name, query });
const viewsOf = (...all: unknown[]) => JSON.stringify(all);
const many = (count: number) => Array.from({ length: count }, (_, n) => String(n));

test('a file brings the values that a page offers, and no others', () => {
  for (const [name, good, bad] of [
    ['hide_topics', ['true', 'false'], ['', 'yes', 'TRUE']],
    ['calendar_reviews', ['true', 'false'], ['1']],
    ['contest_alarm', ['0', '10', '1440'], ['', '11', '00']],
    ['reviews_a_day', ['0', '9', '19', '20'], ['', '21', '00', '-1', '3.0']],
    ['day_start', ['0', '9', '19', '23'], ['24', '04', '-1', '']],
    ['week_goal', ['0', '1', '500'], ['501', '01', '1000', '']],
    ['language', ['en', 'ja'], ['xx', '']],
    [
      'hidden_contests',
      ['[]', '["dmoj"]', JSON.stringify(many(100)), viewsOf('x'.repeat(200))],
      ['x', '{}', '[1]', '[""]', JSON.stringify(many(101)), viewsOf('x'.repeat(201))],
    ],
    [
      'problem_views',
      [
        '[]',
        viewsOf(view('a'), view('b', '')),
        viewsOf(view('x'.repeat(40))),
        viewsOf(...many(20).map((one) => view(one))),
        viewsOf(view('a', `?${'x'.repeat(8191)}`)),
      ],
      [
        'x',
        viewsOf(view('')),
        viewsOf(view('a'), view('a')),
        viewsOf(view('a', 'q=x')),
        viewsOf(view('a', '?q=x y')),
        viewsOf(view('a', '?x#y')),
        viewsOf({ ...view('a'), more: 1 }),
        viewsOf(view('x'.repeat(41))),
        viewsOf(...many(21).map((one) => view(one))),
        viewsOf(view('a', `?${'x'.repeat(8192)}`)),
        viewsOf(null),
      ],
    ],
    ['unknown', [], ['', 'true']],
  ] as const) {
    assert.deepEqual(
      good.filter((value) => !isPreference(name, value)),
      [],
      name,
    );
    assert.deepEqual(
      bad.filter((value) => isPreference(name, value)),
      [],
      name,
    );
  }
});

test('each switch is its own, topics alone are hidden at first, and lists of settings have limits', async (t) => {
  const { store } = await gardenOf(t, 'ada');
  const read = () => readPreferences(store.reader, 1n);
  const atFirst = {
    hidesTopics: true,
    hidesRatings: false,
    hidesChances: false,
    showsChances: false,
    hidesName: false,
    showsReviews: false,
    showsContests: false,
    contestAlarm: 0,
    hiddenContests: [],
    views: [],
    practiceDays: '',
    weekGoal: 10,
    reviewsADay: 3,
  };
  assert.deepEqual(await read(), atFirst);
  for (const name of Object.keys(atFirst).slice(0, 7) as Switch[]) {
    await setSwitch(store, 1n, name, !atFirst[name]);
    assert.deepEqual(await read(), { ...atFirst, [name]: !atFirst[name] });
    await setSwitch(store, 1n, name, atFirst[name]);
  }
  await setCalendar(store, 1n, { showsReviews: true, showsContests: true, contestAlarm: 30 });
  await store.write((tx) => setWeekGoal(tx, 1n, 0));
  for (const source of ['dmoj', 'x'.repeat(300), 'dmoj']) await showContestsOf(store, 1n, source, false);
  const hiddenContests = ['x'.repeat(200), 'dmoj'];
  const changed = { ...atFirst, showsReviews: true, showsContests: true, contestAlarm: 30, weekGoal: 0 };
  assert.deepEqual(await read(), { ...changed, hiddenContests });
  await showContestsOf(store, 1n, 'dmoj', true);
  assert.deepEqual((await read()).hiddenContests, hiddenContests.slice(0, 1));
  const views: SavedView[] = many(20).map((name) => view(name));
  for (const one of [...views, view('3', '')]) assert.equal(await saveView(store, 1n, one), true);
  assert.equal(await saveView(store, 1n, view('another')), false);
  await deleteView(store, 1n, '7');
  assert.deepEqual(
    (await read()).views,
    views.map((one) => (one.name === '3' ? view('3', '') : one)).filter(({ name }) => name !== '7'),
  );
});

test('an unknown zone is UTC, and weeks that nobody set begin as is usual for the language', () => {
  const { zone, startHour } = defaultDayRule;
  assert.deepEqual(dayRuleOf(undefined, null), { zone, startHour });
  assert.deepEqual(dayRuleOf('Mars/Olympus', '0', 'never'), { zone: 'UTC', startHour: 0 });
  assert.deepEqual(dayRuleOf('Europe/Berlin', '5', 'saturday', 'ja'), {
    zone: 'Europe/Berlin',
    startHour: 5,
    weekStart: 'saturday',
  });
  assert.deepEqual(dayRuleOf('UTC', '4', 'never', 'ja'), { zone, startHour, weekStart: 'sunday' });
  assert.deepEqual(dayRuleOf('UTC', '4', null, 'xx'), { zone, startHour });
});
