/** Times and durations in words. */
import { dayMs, hourMs, minuteMs } from '../../durations.ts';
import { type Html, html } from '../markup.ts';
import { currentYear, dateAt, dayAt, formatter, fullDateTime, timeOfDay } from '../request/clock.ts';
import { utcFormat } from '../words/formats.ts';
import { richWords, words } from '../words/words.ts';

const dateText = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayText = formatter({ weekday: 'long' });

/** Such as "12 min ago" or "4 Mar 2026". */
export function timeAgo(at: string, now = Date.now()): Html {
  const ms = now - Date.parse(at);
  if (ms >= 7 * dayMs) return timeElement(at, dateText(at));
  if (ms >= 2 * dayMs) return timeElement(at, words('time.daysAgo', { count: Math.floor(ms / dayMs) }));
  if (ms >= 2 * hourMs) return timeElement(at, words('time.hoursAgo', { count: Math.floor(ms / hourMs) }));
  if (ms >= minuteMs) return timeElement(at, words('time.minutesAgo', { count: Math.floor(ms / minuteMs) }));
  return timeElement(at, words('time.justNow'));
}

/** In days up to 99, not in weeks, so that rows can be compared. */
export function lastActive(at: string): Html {
  const days = Math.floor((Date.now() - Date.parse(at)) / dayMs);
  if (days < 7 || days > 99) return timeAgo(at);
  return timeElement(at, words('time.daysAgo', { count: days }));
}

/** Such as "6 Sep 2026, in 90 days". */
export function futureDate(at: string, now = Date.now()): Html {
  const days = Math.round((Date.parse(at) - now) / dayMs);
  const daysLeft = days === 0 ? words('time.withinDay') : words('time.inDays', { count: days });
  const date = dateText(at);
  return timeElement(at, days < 7 ? daysLeft : days > 100 ? date : words('time.dateAndLeft', { date, left: daysLeft }));
}

/** Such as "in 48 min" or "in 6 days". */
export function timeUntil(at: Date, now = Date.now()): Html {
  const ms = at.getTime() - now;
  const text =
    ms < minuteMs
      ? words(ms <= 0 ? 'time.soon' : 'time.withinMinute')
      : ms < 1.5 * hourMs
        ? words('time.inMinutes', { count: Math.round(ms / minuteMs) })
        : ms < 2 * dayMs
          ? words('time.inHours', { count: Math.round(ms / hourMs) })
          : words('time.inDays', { count: Math.round(ms / dayMs) });
  return timeElement(at.toISOString(), text);
}

/** Such as "14:05", "Tuesday" or "4 Mar 2026", for sentences that say "since". */
export function startTime(at: string, now = Date.now()): Html {
  const startedAt = Date.parse(at);
  const text =
    now - startedAt < dayMs / 2
      ? timeOfDay(at)
      : now - startedAt < 6 * dayMs
        ? weekdayText(startedAt)
        : dateText(startedAt);
  return timeElement(at, text);
}

/** Such as "9 hours". */
export function duration(ms: number): string {
  if (ms >= 2 * dayMs) return words('time.days', { count: Math.floor(ms / dayMs) });
  return words('time.hours', { count: Math.floor(ms / hourMs) });
}

/** Such as "2 h 30 min". */
export function shortDuration(ms: number): string {
  if (ms >= 2 * dayMs) return words('time.days', { count: Math.floor(ms / dayMs) });
  const { hours, minutes } = splitMinutes(ms);
  return hours === 0 ? words('time.minutesLong', { minutes }) : words('time.hoursLong', { hours, minutes });
}

export function countdown(ms: number): Html {
  if (ms >= 2 * dayMs) return richWords('upcoming.daysLeft', { count: Math.floor(ms / dayMs) });
  const { hours, minutes } = splitMinutes(ms);
  return hours === 0
    ? richWords('upcoming.minutesLeft', { minutes })
    : richWords('upcoming.hoursLeft', { hours, minutes });
}

function splitMinutes(ms: number): { hours: number; minutes: number } {
  const minutes = Math.max(0, Math.round(ms / minuteMs));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

export function dateElement(at: string): Html {
  return timeElement(at, dateText(at));
}

export function timeElement(at: string, text: string): Html {
  return html`<time datetime="${at}" title="${fullDateTime(at)}">${text}</time>`;
}

/**
 * `day` is the day by the member's settings, which may begin after midnight; `date` is the calendar date; `sentence`
 * is a `day` that names its day in other years too.
 */
export function moment(at: string, kind: 'day' | 'sentence' | 'date' | 'time' = 'day'): Html {
  const text =
    kind === 'time' ? timeOfDay(at) : shortDate(kind === 'date' ? dateAt(at) : dayAt(at), kind === 'sentence');
  return html`<time class="num" datetime="${at}" title="${fullDateTime(at)}">${text}</time>`;
}
const sameYearFormat = utcFormat({ day: 'numeric', month: 'short' });
const otherYearFormat = utcFormat({ month: 'short', year: 'numeric' });
const fullFormat = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });

function shortDate(date: string, isExact: boolean): string {
  const format = date.slice(0, 4) === currentYear() ? sameYearFormat : isExact ? fullFormat : otherYearFormat;
  return format.format(Date.parse(date));
}

export function dayHeading(date: string): Html {
  return html`<time datetime="${date}">${fullDateFormat.format(Date.parse(date))}</time>`;
}
const fullDateFormat = utcFormat({ dateStyle: 'full' });
