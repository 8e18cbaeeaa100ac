/**
 * Events as iCalendar (RFC 5545): lines of at most 75 octets that end in CRLF, and texts in which nothing ends a line
 * or a field.
 */

/** At a moment, with an alarm a day before; or on a whole day, such as 2026-11-23, without one. */
export interface CalendarEvent {
  /** The same as long as it is the same event, wherever it moves. */
  uid: string;
  /** A moment as RFC 3339, or a date. */
  at: string;
  summary: string;
  description?: string;
  url?: string;
  /** When what it says last changed. */
  changedAt: string;
}

const dayMs = 86_400_000;
const longestLine = 75;
const longestText = 500;

export function calendarText(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Practice Garden//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    // Older than NAME (RFC 7986 §5.1), and the one that most calendars read.
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines({ uid, at, summary, description, url, changedAt }: CalendarEvent): string[] {
  const isDay = at.length === 10;
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', `DESCRIPTION:${escaped(summary)}`, 'TRIGGER:-P1D', 'END:VALARM'];
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp(changedAt)}`,
    ...(isDay
      ? [`DTSTART;VALUE=DATE:${dateStamp(at)}`, `DTEND;VALUE=DATE:${dateStamp(nextDate(at))}`]
      : // Without an end it takes no time (§3.6.1).
        [`DTSTART:${stamp(at)}`]),
    `SUMMARY:${escaped(summary)}`,
    ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
    ...(url ? [`URL:${url}`] : []),
    // It keeps nobody from another appointment.
    'TRANSP:TRANSPARENT',
    ...(isDay ? [] : alarm),
    'END:VEVENT',
  ];
}

/** 20261123T180000Z */
const stamp = (at: string) => `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`;
const dateStamp = (date: string) => date.replaceAll('-', '');
const nextDate = (date: string) => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);

/** A TEXT value (§3.3.11), without controls and marks that turn its direction, and of bearable length. */
function escaped(text: string): string {
  const shown = text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const letters = [...shown];
  const short = letters.length > longestText ? `${letters.slice(0, longestText - 1).join('')}…` : shown;
  return short.replaceAll(/[\\;,]/g, '\\$&');
}

/** In lines of at most 75 octets without their ends; no character is split (§3.1). */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (octets + size > longestLine) {
      text += '\r\n ';
      octets = 1;
    }
    text += letter;
    octets += size;
  }
  return text;
}
