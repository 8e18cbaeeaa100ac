/** Moments in words: the shortest that are exact enough, with the whole moment beside them. */
import { dayMs, hourMs, minuteMs } from '../../durations.ts';
import { type Html, html } from '../markup.ts';
import { currentYear, dateAt, dayAt, formatter, timeOfDay, wholeMoment } from '../road/clock.ts';
import { utcFormat } from '../words/formats.ts';
import { richWords, words } from '../words/words.ts';

const dateText = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayText = formatter({ weekday: 'long' });

/** A moment of the past, such as "12 min ago" or "4 Mar 2026". */
export function past(at: string, now = Date.now()): Html {
  const ms = now - Date.parse(at);
  if (ms >= 7 * dayMs) return timed(at, dateText(at));
  if (ms >= 2 * dayMs) return timed(at, words('time.daysAgo', { count: Math.floor(ms / dayMs) }));
  if (ms >= 2 * hourMs) return timed(at, words('time.hoursAgo', { count: Math.floor(ms / hourMs) }));
  if (ms >= minuteMs) return timed(at, words('time.minutesAgo', { count: Math.floor(ms / minuteMs) }));
  return timed(at, words('time.justNow'));
}

/** A moment to come, such as "6 Sep 2026, in 90 days". */
export function future(at: string, now = Date.now()): Html {
  const days = Math.round((Date.parse(at) - now) / dayMs);
  const left = days === 0 ? words('time.withinDay') : words('time.inDays', { count: days });
  const date = dateText(at);
  return timed(at, days < 7 ? left : days > 100 ? date : words('time.dateAndLeft', { date, left }));
}

/** A moment soon to come, such as "in 48 min". */
export function ahead(at: Date, now = Date.now()): Html {
  const ms = at.getTime() - now;
  const text =
    ms < minuteMs
      ? words(ms <= 0 ? 'time.soon' : 'time.withinMinute')
      : ms < 1.5 * hourMs
        ? words('time.inMinutes', { count: Math.round(ms / minuteMs) })
        : words('time.inHours', { count: Math.round(ms / hourMs) });
  return timed(at.toISOString(), text);
}

/** When something began, such as "since 14:05", "since Tuesday" or "since 4 Mar 2026". */
export function since(at: string, now = Date.now()): Html {
  const began = Date.parse(at);
  const text = now - began < dayMs / 2 ? timeOfDay(at) : now - began < 6 * dayMs ? weekdayText(began) : dateText(began);
  return timed(at, text);
}

/** How long something took or is ago, such as "9 hours". */
export function length(ms: number): string {
  if (ms >= 2 * dayMs) return words('time.days', { count: Math.floor(ms / dayMs) });
  return words('time.hours', { count: Math.floor(ms / hourMs) });
}

/** How long a contest lasts, or how far it is, such as "2 h 30 min". */
export function shortLength(ms: number): string {
  if (ms >= 2 * dayMs) return words('time.days', { count: Math.floor(ms / dayMs) });
  const { hours, minutes } = hoursIn(ms);
  return hours === 0 ? words('time.minutesLong', { minutes }) : words('time.hoursLong', { hours, minutes });
}

/** The time that is left, with its figures in bold. */
export function countdown(ms: number): Html {
  if (ms >= 2 * dayMs) return richWords('upcoming.daysLeft', { count: Math.floor(ms / dayMs) });
  const { hours, minutes } = hoursIn(ms);
  return hours === 0
    ? richWords('upcoming.minutesLeft', { minutes })
    : richWords('upcoming.hoursLeft', { hours, minutes });
}

function hoursIn(ms: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.round(ms / minuteMs));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

export function day(at: string): Html {
  return timed(at, dateText(at));
}

/** A moment in words, which says when exactly to whoever points at it. */
export function timed(at: string, text: string): Html {
  return html`<time datetime="${at}" title="${wholeMoment(at)}">${text}</time>`;
}

/* Moments and days as pages show them, by the clock of the member. */

/**
 * A moment, as exact as it has to be. `day` is the member's day, as in the headings of the history, and `sentence` is
 * that day for words such as "on {day}", exact in other years too; `date` is the date on the calendar, for an event of
 * others or beside the time.
 */
export function moment(at: string, kind: 'day' | 'sentence' | 'date' | 'time' = 'day'): Html {
  const text =
    kind === 'time' ? timeOfDay(at) : shortDate(kind === 'date' ? dateAt(at) : dayAt(at), kind === 'sentence');
  return html`<time class="num" datetime="${at}" title="${wholeMoment(at)}">${text}</time>`;
}
const thisYear = utcFormat({ day: 'numeric', month: 'short' });
const otherYear = utcFormat({ month: 'short', year: 'numeric' });
const anyYear = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

/** The day in this year; of another one the month, or the day in a sentence. */
function shortDate(date: string, isInSentence: boolean): string {
  const format = date.slice(0, 4) === currentYear() ? thisYear : isInSentence ? anyYear : otherYear;
  return format.format(Date.parse(date));
}

/** The heading of a day of the member's: moments after midnight may belong to the evening before. */
export function dayHeading(date: string): Html {
  return html`<time datetime="${date}">${longDays.format(Date.parse(date))}</time>`;
}
const longDays = utcFormat({ dateStyle: 'full' });
