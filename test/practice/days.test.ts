/** Days of members against tables made by hand from the rules of the zones. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  canonicalZone,
  Days,
  dateOf,
  dayOf,
  daysOf,
  defaultDayRule,
  groupByPeriod,
  isZone,
  localTimeOfMoment,
  momentOfLocalTime,
  periodsOf,
  startOfWeek,
  weekdayOf,
  weekStartOfLanguage,
  weekStarts,
} from '../../src/practice/days.ts';

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

const day = (date: string) => dayOf(date) as number;

test('the days that clocks left out have no time, and the day before the next is the one before them', () => {
  const zones = ['Apia', 'Enderbury', 'Kwajalein', 'Honolulu', 'Auckland'];
  assert.deepEqual(
    [0, 4].map((hour) => zones.map((zone) => days(`Pacific/${zone}`, hour).skipped.map(dateOf).join())),
    Array(2).fill(['2011-12-30', '1994-12-31', '1993-08-21', '', '']),
  );
  const apia = days('Pacific/Apia');
  const missing = day('2011-12-30');
  assert.deepEqual(
    [-1, 0, 1].map((other) => apia.exists(missing + other)),
    [true, false, true],
  );
  assert.equal(dateOf(apia.before(missing + 1)), '2011-12-29');
});

test('a day begins when clocks first show its hour, or would have shown it where they skip it', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const known = fc.integer({ min: day('1970-01-05') * 24, max: day('2029-04-01') * 24 });
  const beside = fc.tuple(known, fc.integer({ min: -72 * 60, max: 72 * 60 }));
  const many = fc.array(beside, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(zone, fc.nat(23), many, (timeZone, hour, moments) => {
      const own = days(timeZone, hour);
      const start = (one: number) =>
        Temporal.PlainDate.from(dateOf(one)).toZonedDateTime({ timeZone, plainTime: { hour } }).epochMilliseconds;
      for (const [hours, minutes] of moments) {
        const at = Temporal.Instant.fromEpochMilliseconds(hours * 3_600_000).toZonedDateTimeISO(timeZone);
        const clock = (at.getTimeZoneTransition('next') ?? at).add({ minutes });
        const around = [-2, -1, 0, 1, 2].map((other) => day(clock.toPlainDate().toString()) + other);
        assert.deepEqual(
          around.map((one) => own.start(one)),
          around.map(start),
        );
        const moments = around.slice(2, 4).flatMap((one) => [start(one) - 1, start(one)]);
        for (const moment of [clock.epochMilliseconds, ...moments])
          assert.equal(
            own.at(moment),
            around.findLast((one) => start(one) <= moment),
          );
        assert.equal(own.localAt(clock.epochMilliseconds), Date.parse(`${clock.toPlainDateTime()}Z`));
      }
    }),
    { numRuns: 100 },
  );
});

test('names of places are zones, and those that were renamed have their new name; offsets and other words are none', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'asia/calcutta', 'Asia/Calcutta'])
    assert.equal(canonicalZone(name), /kol|cal/i.test(name) ? 'Asia/Kolkata' : name);
  for (const name of ['', '+05:30', 'Mars/Olympus', '../etc/passwd', 'Europe/Berlin\0']) assert.ok(!isZone(name), name);
});

test('dates that no calendar has are no days', () => {
  assert.equal(dateOf(day('2024-02-29')), '2024-02-29');
  for (const date of ['2023-02-29', '2026-13-01', '2026-1-1', 'today', '', '2026-11-31'])
    assert.equal(dayOf(date), undefined, date);
  assert.equal(daysOf({ zone: 'UTC', startHour: 0 }).at(8.64e15), 100_000_000);
  for (const odd of [Number.NaN, Infinity, -Infinity, 8.64e15 + 1]) {
    assert.throws(() => dateOf(odd), RangeError);
    assert.throws(() => daysOf(defaultDayRule).at(odd), RangeError);
    if (odd !== -Infinity) assert.throws(() => periodsOf(0, odd), RangeError);
  }
});

test('a week begins on the day that is usual for the language, or that the member chose', () => {
  const dates = ['2016-06-08', '1969-12-29', '0000-01-01'].map(day);
  assert.deepEqual(
    [undefined, ...weekStarts].map((weekStart) => dates.map((one) => weekdayOf(one, weekStart))),
    [
      [2, 0, 5],
      [2, 0, 5],
      [3, 1, 6],
      [4, 2, 0],
    ],
  );
  assert.equal(dateOf(startOfWeek(day('2016-06-08'), 'sunday')), '2016-06-05');
  assert.deepEqual((['en', 'ja'] as const).map(weekStartOfLanguage), ['monday', 'sunday']);
});

test('a rule has its days once', () => {
  const rule = { zone: 'Asia/Kolkata', startHour: 4 };
  assert.equal(daysOf(rule), daysOf({ ...rule }));
  assert.notEqual(daysOf(rule), daysOf({ ...rule, weekStart: 'sunday' }));
  assert.equal(daysOf(defaultDayRule), daysOf({ zone: 'UTC', startHour: 4 }));
});

test('moments are of the clocks of a zone, without a time at the end of the day', () => {
  const rows = [
    ['Asia/Kolkata', '2026-06-11', '20:00', '2026-06-11T14:30:00.000Z'],
    ['Europe/Lisbon', '2026-01-05', '', '2026-01-05T23:59:00.000Z'],
    // Clocks go from 01:59 to 03:00 there, and in Cuba from 23:59 to 01:00; in October 02:30 comes twice.
    ['Europe/Berlin', '2026-03-29', '02:30', undefined],
    ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T01:30:00.000Z'],
    ['America/Havana', '2026-03-08', '00:30', undefined],
    ['Pacific/Apia', '2011-12-30', '', '2011-12-31T09:59:00.000Z'],
    ['UTC', '2026-02-30', '10:00', undefined],
    ['UTC', '', '10:00', undefined],
    ['UTC', '2026-01-01', '24:10', undefined],
    ['UTC', '2026-01-01', '10', undefined],
    ['UTC', 'x', '', undefined],
    // RFC 3339 has no year 10000.
    ['America/New_York', '9999-12-31', '', undefined],
    ['UTC', '9999-12-31', '', '9999-12-31T23:59:00.000Z'],
  ] as const;
  for (const [zone, date, time, moment] of rows)
    assert.equal(momentOfLocalTime(zone, date, time), moment, `${zone} ${date} ${time}`);
  assert.deepEqual(localTimeOfMoment('Asia/Kolkata', '2026-06-11T14:30:00.000Z'), {
    date: '2026-06-11',
    time: '20:00',
  });
});

test('periods are months, quarters, years, decades or centuries, cut off at both ends, and have the rows of their days', () => {
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
  for (const [days, months, more] of [
    [400, 1, 3],
    [1464, 3, 12],
    [21_960, 12, 120],
    [219_600, 120, 1200],
  ] as const) {
    assert.equal(periodsOf(-1, days - 2)[0]?.months, months);
    assert.equal(periodsOf(-1, days - 1)[0]?.months, more);
  }
  const rows = [0, 31, 31, 89].map((one) => ({ day: one }));
  assert.deepEqual(
    groupByPeriod(periodsOf(0, 89), rows).map(([{ month }, some]) => [month, some.length]),
    [
      [0, 1],
      [1, 2],
      [2, 1],
    ],
  );
  const ends = ['0000', '0001', '0050', '0099', '1582', '1969', '1970', '2026', '2100', '9998', '9999'].map((year) =>
    day(`${year}-12-31`),
  );
  for (const from of ends)
    for (const to of ends) {
      const periods = periodsOf(from, to);
      assert.ok(periods.length <= 102, `${periods.length} periods`);
      if (from > to) assert.equal(periods.length, 0);
      if (from > to) continue;
      assert.deepEqual([periods[0]?.from, periods.at(-1)?.to], [from, to]);
      for (const [at, { from }] of periods.slice(1).entries()) assert.equal(from, (periods[at]?.to ?? 0) + 1);
    }
});
