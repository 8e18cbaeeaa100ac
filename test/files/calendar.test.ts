/**
 * Calendars that name zones of the database without describing them: lengths, ends and exceptions are by their clocks. No event is
 * lost without a sentence.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish, type Message } from '../../src/errors.ts';
import { readCalendar } from '../../src/files/calendar.ts';

const span = { from: Date.parse('2027-03-01T00:00:00Z'), until: Date.parse('2027-06-01T00:00:00Z') };

function parse(text: string) {
  const found = readCalendar(text, span);
  assert.ok('events' in found, JSON.stringify(found));
  return found;
}

const textOf = (head: readonly string[], ...events: string[][]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', ...head],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');

const calendarOf = (...events: string[][]) => parse(textOf([], ...events));

/** The events of a calendar without odd ones. */
function eventsOf(...events: string[][]) {
  const { events: found, odd } = calendarOf(...events);
  assert.deepEqual(odd, []);
  return found;
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
  const { events, odd } = calendarOf([...series, rule], moved(';RANGE=THISANDFUTURE', '20270327'));
  assert.equal(events.length, 1, 'the change itself is an event');
  assert.match(inEnglish(odd[0] as Message), /“Training” is changed for all later dates at once/);
  assert.equal(
    eventsOf([...series, rule], moved(';RANGE=THISANDFUTURE', '20270403')).length,
    3,
    'nothing follows the last one',
  );
});

test('a cancelled event is cancelled in any case of its letters', () => {
  assert.deepEqual(read(...weekly, 'STATUS:cancelled'), []);
});

const pond = (...lines: string[]) => [
  'UID:pond',
  'SUMMARY:Pond',
  'DTSTART:20270410T120000Z',
  'DURATION:PT2H',
  ...lines,
];

test('one odd event is named, and the others stay', () => {
  const odd: [says: RegExp, ...lines: string[]][] = [
    [/no readable time, or no time zone/, 'DTSTART:20270411T120000'],
    [/no readable time/, 'DTSTART;TZID=Atlantis:20270411T120000'],
    [/no readable time/, 'DTSTART:tomorrow'],
    [/no readable time/, 'DESCRIPTION:no start'],
    [/no readable time/, 'RECURRENCE-ID:20270411T120000', 'DTSTART:20270411T130000Z'],
    [/ends before it starts/, 'DTSTART:20270411T120000Z', 'DTEND:20270411T110000Z'],
    [/lasts longer than 366 days/, 'DTSTART:20270411T120000Z', 'DTEND:30270411T110000Z'],
    [/is repeated too often/, 'DTSTART:20270411T120000Z', 'RRULE:FREQ=SECONDLY'],
    [/no readable time/, 'DTSTART:20200411T120000Z', 'RRULE:FREQ=SECONDLY'],
    [/no readable time/, 'DTSTART:20270411T120000Z', 'RRULE:FREQ=NEVER'],
    [/no readable time/, 'DTSTART:20270411T120000Z', 'RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30'],
    [/no readable time/, 'DTSTART:20270411T120000Z', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
  ];
  for (const [says, ...lines] of odd) {
    const found = calendarOf(pond(), ['UID:odd', 'SUMMARY:Odd one', ...lines], [...pond('X-A:1'), 'UID:reed']);
    assert.equal(found.events.length, 2, lines.join());
    assert.deepEqual(found.odd.length, 1, lines.join());
    assert.match(
      inEnglish(found.odd[0] as Message),
      new RegExp(`“Odd one” .*${says.source}|${says.source}`),
      lines.join(),
    );
  }
  const past = ['UID:old', 'SUMMARY:Old', 'DTSTART:20200411T120000'];
  const whole = ['UID:day', 'DTSTART;VALUE=DATE:20270411', 'DTEND;VALUE=DATE:20270412'];
  assert.deepEqual(calendarOf(pond(), past, whole).odd, [], 'what is long over, or a whole day, is no contest');
});

test('a line that is no property is left out, and a text that breaks off is refused', () => {
  const found = calendarOf(pond('DESCRIPTION:Rules', 'no colon here', 'http//x', ' folded'), [...pond(), 'UID:reed']);
  assert.deepEqual([found.events.length, found.odd], [2, []]);
  const cut = readCalendar(textOf([], pond('broken')).slice(0, -15), span);
  assert.ok('fault' in cut);
});

test('the zone of the calendar is that of times without one, and names of Windows are zones', () => {
  const starts = (head: string[], ...lines: string[]) =>
    parse(textOf(head, ['UID:1', ...lines])).events.map(
      ({ startsAt, seconds }) => `${startsAt.slice(5, 16)} ${seconds / 3600}`,
    );
  const shanghai = ['X-WR-TIMEZONE:Asia/Shanghai'];
  const floating = ['DTSTART:20270410T200000', 'DTEND:20270410T220000'];
  assert.deepEqual(starts(shanghai, ...floating), ['04-10T12:00 2']);
  assert.deepEqual(starts(['X-WR-TIMEZONE:China Standard Time'], ...floating), ['04-10T12:00 2']);
  assert.deepEqual(starts(['X-WR-TIMEZONE:Nowhere'], ...floating), []);
  assert.deepEqual(starts(shanghai, 'DTSTART:20270410T120000Z', 'DTEND:20270410T220000'), ['04-10T12:00 2']);
  assert.deepEqual(starts(shanghai, 'DTSTART;TZID=Asia/Tokyo:20270410T210000', 'DTEND:20270410T230000'), [
    '04-10T12:00 2',
  ]);
  const weeks = ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270417T200000'];
  assert.deepEqual(starts(shanghai, ...floating, ...weeks), ['04-10T12:00 2', '04-24T12:00 2']);
  for (const [zone, start] of [
    ['"Romance Standard Time"', '04-10T18:00 2'],
    ['W. Europe Standard Time', '04-10T18:00 2'],
    ['india standard time', '04-10T14:30 2'],
    ['Eastern Daylight Time', '04-11T00:00 2'],
    ['Mountain Standard Time (Mexico)', '04-11T03:00 2'],
    ['Central Asia Standard Time', '04-10T14:00 2'],
    ['UTC-11', '04-11T07:00 2'],
  ] as const)
    assert.deepEqual(starts([], `DTSTART;TZID=${zone}:20270410T200000`, 'DURATION:PT2H'), [start], zone);
});
