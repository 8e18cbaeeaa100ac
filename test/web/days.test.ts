/** Days and goal: a member sets the zone and hour of their days, and every page shows times and days by them from then on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setStatus } from '../../src/practice/marks.ts';
import { openGarden } from '../importing/support.ts';
import { gardenHere } from '../support/commands.ts';
import { attributesOf, hrefOf, textsOf, totalIn, valueIn } from '../support/elements.ts';
import { memberWithPassword, remarksIn, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const path = '/authentication/account/days/';
const save = { within: '.form', name: 'time_zone' };
const pond = { id: 1, title: 'Pond', source: 'codeforces', source_key: '1A', rating: 800 };
const solved = { username: 'ada', problem: 1, origin: 'judge', status: 'complete' };

test('days, times and the goal of the week follow what the member sets', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const memberId = await memberWithPassword(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', [pond, { ...pond, id: 2, title: 'Lake', source_key: '2A' }]);
  await importRows(databaseUrl, 'statuses', [{ ...solved, updated_at: '2016-06-08T22:45:00Z' }]);
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const dayOf = async () => attributesOf(await ada.open('/dashboard/days/'), '[data-day]', 'data-day')[0];
  assert.equal(await dayOf(), '2016-06-08');
  await ada.open(path);
  const kolkata = { time_zone: 'Asia/Kolkata', day_start: '4', week_goal: '3' };
  const saved = await ada.submit(save, kolkata);
  assert.equal(saved.path, `${path}?done=saved`);
  assert.match(textOf(saved, '.sub'), /^Your local time: \w+ \d\d:\d\d \(Kolkata\)\.$/);
  assert.equal(await dayOf(), '2016-06-09');
  const found = await ada.open('/problem_list/?solved_from=2016-06-09&solved_to=2016-06-09&first=true');
  assert.equal(totalIn(found), 1);
  assert.match(textOf(found, '.chosen'), /^First solved 9 Jun 2016/);
  for (const path of ['submissions/', 'days/', 'progress/']) {
    const wrong = await ada.open(`/dashboard/${path}?from=2016-02-30&to=never`);
    assert.deepEqual(remarksIn(wrong), [
      'Ignored from=2016-02-30: enter a date such as 2026-03-31.',
      'Ignored to=never: enter a date such as 2026-03-31.',
    ]);
    const twice = await ada.open(`/dashboard/${path}?from=2016-06-08&from=2016-06-09&from=2016-06-08`);
    assert.deepEqual(remarksIn(twice), ['Ignored from=2016-06-09: use at most 1.'], path);
    const turned = await ada.open(`/dashboard/${path}?from=2016-06-09&to=2016-06-08`);
    assert.deepEqual(remarksIn(turned), ['9 Jun 2016 is after 8 Jun 2016, so nothing can match.'], path);
  }
  assert.equal(valueIn(found, 'solved_from'), '2016-06-09', 'other filters keep it');
  const problem = await ada.open('/problem_list/problem/1/');
  const [time] = problem.document.querySelectorAll('.event time');
  assert.deepEqual([time?.textContent, time?.getAttribute('title')], ['04:15', '2016-06-09 04:15 Kolkata time']);
  assert.match(textOf(await ada.open('/dashboard/history/'), '.sub'), /Times are in Kolkata time\.$/);
  const streak = hrefOf(await ada.open('/dashboard/'), '[aria-labelledby="streak"] .figure a');
  const quiet = 'submissions/?from=2016-07-01&to=2016-07-02';
  const older = ['days/?before=1999-01-01', 'submissions/?after=1999-01-01T00:00:00Z~1'];
  for (const at of [streak.replace('/dashboard/', ''), quiet, ...older]) {
    const nothing = await ada.open(`/dashboard/${at}`);
    assert.match(textOf(nothing, '.empty'), /^No data for this period\. ?All time$/, at);
  }
  await setStatus(store, { memberId, problemIds: [2n], status: 'complete' });
  const today = await ada.open('/dashboard/');
  assert.equal(textOf(today, '.page-head .sub'), 'Your day ends at 04:00, Kolkata time.');
  assert.match(textOf(today, '[aria-labelledby="week"]'), /^This week1 of 3new problems solved\. 2 to go this week\./);
  await ada.open(path);
  await ada.submit(save, { ...kolkata, week_goal: '' });
  assert.match(
    textOf(await ada.open('/dashboard/'), '[aria-labelledby="week"]'),
    /^This week1new problems solved this week/,
  );
});

test('a solve after midnight has the date of the day that it belongs to, on its problem as in the lists of days', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const at = '2016-07-01T03:20:00.000Z';
  await importRows(databaseUrl, 'problems', [pond]);
  await importRows(databaseUrl, 'statuses', [{ ...solved, updated_at: at }]);
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const problem = await ada.open('/problem_list/problem/1/');
  const times = [...problem.document.querySelectorAll(`time[datetime="${at}"]`)];
  const shown = times.map((time) => [time.textContent, time.getAttribute('title')]);
  assert.deepEqual(shown, [
    ['30 Jun 2016', '2016-07-01 03:20 UTC'],
    ['03:20', '2016-07-01 03:20 UTC'],
  ]);
  assert.equal(textOf(problem, 'h3 time'), 'Thursday, 30 June 2016');
  const list = await ada.open('/problem_list/?solved_from=2016-06-30&solved_to=2016-06-30');
  assert.equal(textOf(list, `time[datetime="${at}"]`), 'Jun 2016');
  assert.match(textOf(await ada.open('/dashboard/days/'), '[data-day]'), /^Thu, 30 Jun 2016/);
});

test('what is no zone, hour or goal is refused with a sentence each, and two tabs do not overwrite each other', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  await ada.open(path);
  const form = Object.fromEntries(ada.filled(save).fields);
  for (const time_zone of ['Atlantis/Centre', '', 'UTC\0']) {
    const refused = await ada.post(path, { ...form, time_zone, day_start: '24', week_goal: '-1' });
    assert.equal(refused.status, 422, time_zone);
    assert.deepEqual(textsOf(refused, '.fault'), [
      'Unknown time zone; choose one from the list, such as Europe/Berlin.',
      'Choose one of the options.',
      'Enter a number from 1 to 500, or leave it empty.',
    ]);
    assert.equal(refused.document.querySelector('[name="time_zone"]')?.getAttribute('aria-invalid'), 'true');
  }
  const first = await ada.post(path, { ...form, time_zone: 'Asia/Tokyo', day_start: '5', week_goal: '7' });
  assert.equal(first.path, `${path}?done=saved`);
  const second = await ada.post(path, { ...form, time_zone: 'Europe/Paris', day_start: '0', week_goal: '7' });
  assert.equal(second.status, 409);
  assert.match(textOf(second, '.notice'), /Another tab changed this to Tokyo and 05:00\./);
  assert.equal(valueIn(second, 'time_zone'), 'Europe/Paris');
  const again = await ada.submit(save);
  assert.equal(again.path, `${path}?done=saved`);
});

test('a week begins on the day that the member chooses: on Today, in the year, in the file of their settings', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const memberId = await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  await importRows(databaseUrl, 'problems', [pond]);
  await setStatus(store, { memberId, problemIds: [1n], status: 'complete' });
  const shown = async () => {
    const today = await ada.open('/dashboard/');
    const asked = new URLSearchParams(hrefOf(today, '[aria-labelledby="week"] .figure a').split('?')[1]);
    const letters = textsOf(today, '.week [aria-hidden="true"]');
    const rows = attributesOf(today, '.year-weekdays text', 'y');
    const days = [asked.get('solved_from') ?? '', asked.get('solved_to') ?? ''];
    const weekdays = days.map((day) => new Date(day).getUTCDay());
    return { weekdays, letters: letters.join('').replaceAll('·', ''), rows };
  };
  const monday = { weekdays: [1, 0], letters: 'MTWTFSS', rows: ['28', '60', '92', '124'] };
  assert.deepEqual(await shown(), monday);
  for (const [week_start, expected] of [
    ['sunday', { weekdays: [0, 6], letters: 'SMTWTFS', rows: ['44', '76', '108', '28'] }],
    ['saturday', { weekdays: [6, 5], letters: 'SSMTWTF', rows: ['60', '92', '124', '44'] }],
  ] as const) {
    await ada.open(path);
    assert.equal((await ada.submit(save, { week_start })).path, `${path}?done=saved`);
    assert.deepEqual(await shown(), expected);
  }
  const { stdout } = await gardenHere(['export', 'preferences', '--database-url', databaseUrl, '--format', 'csv']);
  assert.match(stdout, /week_start,saturday/);
  await importRows(databaseUrl, 'preferences', [{ username: 'ada', name: 'week_start', value: 'monday' }]);
  assert.deepEqual(await shown(), monday);
});
