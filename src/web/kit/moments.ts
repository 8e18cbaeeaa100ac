/** Moments and days as pages show them, by the clock of the member. */
import { type Html, html } from '../markup.ts';
import { currentYear, dateAt, dayAt, timeOfDay, wholeMoment } from '../road/clock.ts';
import { utcFormat } from '../words/formats.ts';

/**
 * A moment, as exact as it has to be. `day` is the member's day, as in the headings of the history; `date` is the date
 * on the calendar, for an event of others or beside the time.
 */
export function moment(at: string, kind: 'day' | 'date' | 'time' = 'day'): Html {
  const text = kind === 'time' ? timeOfDay(at) : shortDate(kind === 'date' ? dateAt(at) : dayAt(at));
  return html`<time class="num" datetime="${at}" title="${wholeMoment(at)}">${text}</time>`;
}
const thisYear = utcFormat({ day: 'numeric', month: 'short' });
const otherYear = utcFormat({ month: 'short', year: 'numeric' });

/** The day in this year, or the month in another one. */
function shortDate(date: string): string {
  const format = date.slice(0, 4) === currentYear() ? thisYear : otherYear;
  return format.format(Date.parse(date));
}

/** The heading of a day of the member's: moments after midnight may belong to the evening before. */
export function dayHeading(date: string): Html {
  return html`<time datetime="${date}">${longDays.format(Date.parse(date))}</time>`;
}
const longDays = utcFormat({ dateStyle: 'full' });
