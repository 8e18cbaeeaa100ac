/** Calendars that name zones of the database without describing them: lengths, ends and exceptions are by their clocks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCalendar } from '../../src/files/calendar.ts';

const span = { from: Date.parse('2027-03-01T00:00:00Z'), until: Date.parse('2027-06-01T00:00:00Z') };

/** The events of a calendar with one event of these lines: the start of each, and its length in hours. */
function read(...lines: string[]): string[] {
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR'];
  const found = readCalendar(text.join('\r\n'), span);
  assert.ok('events' in found, JSON.stringify(found));
  return found.events.map(({ startsAt, seconds }) => `${startsAt.slice(5, 16)} ${seconds / 3600}`);
}

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
