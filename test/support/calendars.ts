/** Calendars as RFC 5545 wants them, read by an independent parser. */
import assert from 'node:assert/strict';
import ICAL from 'ical.js';

/** Properties that an event has at most once (RFC 5545 §3.6.1), and of these the ones that it must have. */
const wanted = ['uid', 'dtstamp', 'dtstart'];
const once = [
  ...wanted,
  ...['class', 'created', 'description', 'dtend', 'duration', 'geo', 'last-modified', 'location', 'organizer'],
  ...['priority', 'recurrence-id', 'sequence', 'status', 'summary', 'transp', 'url'],
];

/** Checks lines (§3.1), the order of properties and alarms and which there are (§3.6.1, §3.6.6), and ends (§3.8.2.2). */
export function checkedCalendar(text: string): ICAL.Component {
  assert.match(text, /^BEGIN:VCALENDAR\r\n/);
  assert.match(text, /END:VCALENDAR\r\n$/);
  assert.ok(!/[^\r]\n|\r[^\n]/.test(text), 'lines end in CRLF');
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  const unfolded = text.replaceAll('\r\n ', '');
  assert.doesNotMatch(unfolded, /END:VALARM\r\n(?!BEGIN:VALARM|END:VEVENT)/, 'properties stand before alarms');
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const name of ['prodid', 'version']) assert.equal(calendar.getAllProperties(name).length, 1, name);
  for (const event of calendar.getAllSubcomponents('vevent')) {
    for (const name of once) assert.ok(event.getAllProperties(name).length <= 1, `${name} once`);
    for (const name of wanted) assert.ok(event.hasProperty(name), name);
    const [start, end] = ['dtstart', 'dtend'].map((name) => event.getFirstPropertyValue(name) as ICAL.Time | null);
    if (end) {
      assert.ok(!event.hasProperty('duration'), 'an end or a length');
      assert.equal(end.isDate, start?.isDate);
      assert.ok(start && end.compare(start) > 0, `${end} is later than ${start}`);
    }
    for (const alarm of event.getAllSubcomponents('valarm'))
      for (const name of ['action', 'trigger', 'description'])
        assert.equal(alarm.getAllProperties(name).length, 1, `alarm ${name}`);
  }
  return calendar;
}
