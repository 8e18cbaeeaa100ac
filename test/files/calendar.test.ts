/**
 * Calendars that name zones of the database without describing them: lengths, ends and exceptions are by their clocks. No event is
 * lost without a sentence.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalendar } from '../../src/files/calendar.ts';

const span = { from: Date.parse('2027-03-01T00:00:00Z'), until: Date.parse('2027-06-01T00:00:00Z') };

const calendarOf = (...events: string[][]) =>
  readCalendar(
    [
      ...['BEGIN:VCALENDAR', 'VERSION:2.0'],
      ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
    ].join('\r\n'),
    span,
  );

/** The events of a calendar with these events. */
function eventsOf(...events: string[][]) {
  const found = calendarOf(...events);
  assert.ok('events' in found, JSON.stringify(found));
  return found.events;
}

/** The events of a calendar with one event of these lines: the start of each, and its length in hours. */
const read = (...lines: string[]): string[] =>
  eventsOf(['UID:1', ...lines]).map(({ startsAt, seconds }) => `${startsAt.slice(5, 16)} ${seconds / 3600}`);

test('a night in which summer time begins is an hour shorter', () => {
  const night = ['DTSTART;TZID=Europe/Berlin:20270327T220000', 'DTEND;TZID=Europe/Berlin:20270328T100000'];
  assert.deepEqual(read(...night), ['03-27T21:00 11']);
});

test('a start and an end in different zones are moments', () => {
  assert.deepEqual(read('DTSTART;TZID=Asia/Tokyo:20270410T210000', 'DTEND:20270410T140000Z'), ['04-10T12:00 2']);
  assert.deepEqual(read('DTSTART:20270410T120000Z', 'DTEND;TZID=America/New_York:20270410T100000'), ['04-10T12:00 2']);
  assert.deepEqual(read('DTSTART;TZID=Asia/Tokyo:20270410T210000', 'DTEND:20270410T230000'), ['04-10T12:00 2']);
});

const weekly = ['DTSTART;TZID=Europe/Berlin:20270320T180000', 'DURATION:PT2H'];

test('a rule ends at a moment in UTC, also across a change of the clocks', () => {
  const march = ['03-20T17:00 2', '03-27T17:00 2'];
  assert.deepEqual(read(...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20270403T160000Z'), [...march, '04-03T16:00 2']);
  assert.deepEqual(read(...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20270403T155959Z'), march);
  assert.deepEqual(read(...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20270327T170000Z'), march);
});

test('what is excluded is a moment, in whichever zone it is told', () => {
  const rule = 'RRULE:FREQ=WEEKLY;COUNT=3';
  const rest = ['03-20T17:00 2', '04-03T16:00 2'];
  assert.deepEqual(read(...weekly, rule, 'EXDATE:20270327T170000Z'), rest);
  assert.deepEqual(read(...weekly, rule, 'EXDATE;TZID=Europe/Berlin:20270327T180000'), rest);
  assert.deepEqual(read(...weekly, rule, 'EXDATE;TZID=Asia/Tokyo:20270328T020000'), rest);
  assert.deepEqual(read(...weekly, rule, 'EXDATE:20270327T180000'), rest, 'no zone is that of the start');
});

test('dates that are named come beside the start, and by the clocks of their own zone', () => {
  assert.deepEqual(read(...weekly, 'RDATE:20270401T160000Z'), ['04-01T16:00 2', '03-20T17:00 2']);
  assert.deepEqual(read(...weekly, 'RDATE;TZID=Asia/Tokyo:20270402T010000'), ['04-01T16:00 2', '03-20T17:00 2']);
  assert.deepEqual(read(...weekly, 'RDATE:20270401T160000Z', 'EXDATE:20270320T170000Z'), ['04-01T16:00 2']);
  const both = read(...weekly, 'RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20270327T170000Z,20270401T160000Z');
  assert.deepEqual(both.sort(), ['03-20T17:00 2', '03-27T17:00 2', '04-01T16:00 2'], 'each once');
});

test('events without a UID are told apart by their start', () => {
  const week = (date: string) => ['SUMMARY:Training', `DTSTART:${date}T180000Z`, 'DURATION:PT2H'];
  const found = eventsOf(week('20270403'), week('20270410'));
  assert.equal(new Set(found.map(({ key }) => key)).size, 2);
  assert.deepEqual(
    eventsOf(week('20270403')).map(({ key }) => key),
    [found[0]?.key],
    'the same at each reading',
  );
});

test('a change of all later dates at once is no change of one', () => {
  const series = ['UID:1', 'SUMMARY:Training', ...weekly];
  const moved = (range: string, date: string) => [
    'UID:1',
    `RECURRENCE-ID;TZID=Europe/Berlin${range}:${date}T180000`,
    `DTSTART;TZID=Europe/Berlin:${date}T200000`,
    'DURATION:PT2H',
  ];
  const rule = 'RRULE:FREQ=WEEKLY;COUNT=3';
  assert.deepEqual(
    eventsOf([...series, rule], moved('', '20270327')).map(({ startsAt }) => startsAt.slice(5, 16)),
    ['03-20T17:00', '04-03T16:00', '03-27T19:00'],
  );
  const refused = calendarOf([...series, rule], moved(';RANGE=THISANDFUTURE', '20270327'));
  assert.ok('fault' in refused);
  assert.match(JSON.stringify(refused.fault), /odd\.changedSeries.*Training/);
  assert.equal(
    eventsOf([...series, rule], moved(';RANGE=THISANDFUTURE', '20270403')).length,
    3,
    'nothing follows the last one',
  );
});

test('a cancelled event is cancelled in any case of its letters', () => {
  assert.deepEqual(read(...weekly, 'STATUS:cancelled'), []);
});
