/** Days of members against tables made by hand from the rules of the zones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Days, dateOf, dayOf, daysOf, isZone, weekdayOf } from '../../src/practice/days.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const days = (zone: string, startHour = 4) => new Days({ zone, startHour }, now);

const tables: readonly [zone: string, startHour: number, rows: readonly (readonly [string, string])[]][] = [
  [
    'UTC',
    4,
    [
      ['2026-03-01T03:59:59.999Z', '2026-02-28'],
      ['2026-03-01T04:00:00Z', '2026-03-01'],
      ['2024-02-29T03:59:59Z', '2024-02-28'],
      ['2024-02-29T04:00:00Z', '2024-02-29'],
      ['2024-03-01T03:59:59Z', '2024-02-29'],
      ['1970-01-01T03:00:00Z', '1969-12-31'],
      ['1999-12-31T23:59:59Z', '1999-12-31'],
    ],
  ],
  [
    'Asia/Kolkata',
    4,
    [
      ['2026-06-07T22:29:59Z', '2026-06-07'],
      ['2026-06-07T22:30:00Z', '2026-06-08'],
    ],
  ],
  // Clocks went forward at midnight of 18 October 2015, and back at midnight of 21 February 2016, to 23:00.
  [
    'America/Sao_Paulo',
    0,
    [
      ['2015-10-18T02:59:59Z', '2015-10-17'],
      ['2015-10-18T03:00:00Z', '2015-10-18'],
      ['2015-10-19T01:59:59Z', '2015-10-18'],
      ['2015-10-19T02:00:00Z', '2015-10-19'],
      ['2016-02-21T01:59:59Z', '2016-02-20'],
      ['2016-02-21T02:30:00Z', '2016-02-20'],
      ['2016-02-21T03:00:00Z', '2016-02-21'],
    ],
  ],
  [
    'America/Sao_Paulo',
    4,
    [
      ['2015-10-18T05:59:59Z', '2015-10-17'],
      ['2015-10-18T06:00:00Z', '2015-10-18'],
      ['2016-02-21T06:59:59Z', '2016-02-20'],
      ['2016-02-21T07:00:00Z', '2016-02-21'],
    ],
  ],
  // Samoa went from 29 to 31 December 2011, from ten hours behind UTC to fourteen ahead.
  [
    'Pacific/Apia',
    4,
    [
      ['2011-12-30T09:59:59Z', '2011-12-29'],
      ['2011-12-30T10:00:00Z', '2011-12-29'],
      ['2011-12-30T13:59:59Z', '2011-12-29'],
      ['2011-12-30T14:00:00Z', '2011-12-31'],
    ],
  ],
  // In St. John's clocks went back at 00:01 until 2011, so midnight came twice: the day began at the first.
  [
    'America/St_Johns',
    0,
    [
      ['2010-11-07T02:29:59Z', '2010-11-06'],
      ['2010-11-07T02:30:00Z', '2010-11-07'],
      ['2010-11-07T03:00:00Z', '2010-11-07'],
    ],
  ],
];

test('a moment belongs to the day that the rules of the zone give it', () => {
  for (const [zone, startHour, rows] of tables)
    for (const [moment, date] of rows)
      assert.equal(dateOf(days(zone, startHour).at(Date.parse(moment))), date, `${zone}, ${startHour}: ${moment}`);
});

test('Samoa had no 30 December 2011, and the day before the 31st is the 29th', () => {
  const apia = days('Pacific/Apia');
  const missing = dayOf('2011-12-30') as number;
  assert.equal(apia.exists(missing), false);
  assert.equal(apia.exists(missing - 1) && apia.exists(missing + 1), true);
  assert.equal(dateOf(apia.before(missing + 1)), '2011-12-29');
});

test('in every zone days follow each other, and each begins where the one before ends', () => {
  const odd = ['UTC', 'Pacific/Apia', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Europe/Istanbul'];
  const some = Intl.supportedValuesOf('timeZone').filter((_, place) => place % 4 === 0);
  for (const zone of [...some, ...odd]) {
    const own = days(zone, 0);
    for (let day = dayOf('2010-10-01') as number; day < (dayOf('2012-02-01') as number); day += 1) {
      const [start, end] = [own.start(day), own.start(day + 1)];
      assert.ok(start <= end, `${zone}, ${dateOf(day)}`);
      if (start === end) continue;
      assert.equal(own.at(start), day, `${zone}: start of ${dateOf(day)}`);
      assert.equal(own.at(end - 1), day, `${zone}: end of ${dateOf(day)}`);
    }
  }
});

test('names of places are zones; offsets and other words are none', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia']) assert.ok(isZone(name), name);
  for (const name of ['', '+05:30', 'Mars/Olympus', '../etc/passwd', 'Europe/Berlin\0']) assert.ok(!isZone(name), name);
});

test('dates that no calendar has are no days', () => {
  assert.equal(dateOf(dayOf('2024-02-29') as number), '2024-02-29');
  for (const date of ['2023-02-29', '2026-13-01', '2026-1-1', 'today', '', '2026-11-31'])
    assert.equal(dayOf(date), undefined, date);
  assert.equal(weekdayOf(dayOf('2016-06-08') as number), 2);
  assert.equal(weekdayOf(dayOf('1969-12-29') as number), 0);
});

test('the local time is what clocks of the zone show, and a rule has its days once', () => {
  const rule = { zone: 'Asia/Kolkata', startHour: 4 };
  assert.equal(daysOf(rule).localAt(Date.parse('2026-06-07T22:30:00Z')), Date.parse('2026-06-08T04:00:00Z'));
  assert.equal(daysOf(rule), daysOf({ ...rule }));
});
