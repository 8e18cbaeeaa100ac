/** Moments in words: the shortest that are exact enough, with the whole moment beside them. */
import { dayMs } from '../../practice/days.ts';
import { type Html, html } from '../markup.ts';
import { formatter, timeOfDay, wholeMoment } from '../road/clock.ts';
import { words } from '../words/words.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const dateText = formatter({ day: 'numeric', month: 'short', year: 'numeric' });
const weekdayText = formatter({ weekday: 'long' });

/** A moment of the past, such as "12 min ago" or "4 Mar 2026". */
export function past(at: string, now = Date.now()): Html {
  const ms = now - Date.parse(at);
  if (ms >= 7 * dayMs) return moment(at, dateText(at));
  if (ms >= 2 * dayMs) return moment(at, words('time.daysAgo', { count: Math.floor(ms / dayMs) }));
  if (ms >= 2 * hourMs) return moment(at, words('time.hoursAgo', { count: Math.floor(ms / hourMs) }));
  if (ms >= minuteMs) return moment(at, words('time.minutesAgo', { count: Math.floor(ms / minuteMs) }));
  return moment(at, words('time.justNow'));
}

/** A moment to come, such as "6 Sep 2026, in 90 days". */
export function future(at: string, now = Date.now()): Html {
  const days = Math.round((Date.parse(at) - now) / dayMs);
  const left = days === 0 ? words('time.withinDay') : words('time.inDays', { count: days });
  const date = dateText(at);
  return moment(at, days < 7 ? left : days > 100 ? date : words('time.dateAndLeft', { date, left }));
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
  return moment(at.toISOString(), text);
}

/** When something began, such as "since 14:05", "since Tuesday" or "since 4 Mar 2026". */
export function since(at: string, now = Date.now()): Html {
  const began = Date.parse(at);
  const text = now - began < dayMs / 2 ? timeOfDay(at) : now - began < 6 * dayMs ? weekdayText(began) : dateText(began);
  return moment(at, text);
}

/** How long something took or is ago, such as "9 hours". */
export function length(ms: number): string {
  if (ms >= 2 * dayMs) return words('time.days', { count: Math.floor(ms / dayMs) });
  return words('time.hours', { count: Math.floor(ms / hourMs) });
}

export function day(at: string): Html {
  return moment(at, dateText(at));
}

function moment(at: string, text: string): Html {
  return html`<time datetime="${at}" title="${wholeMoment(at)}">${text}</time>`;
}
