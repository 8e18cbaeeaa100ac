/** Moments and days as pages show them, by the clock of the member. */
import { html } from 'hono/html';
import { formatter, localYear, timeOfDay, wholeMoment } from './clock.ts';
import { utcFormat } from './formats.ts';
import type { Html } from './layout.ts';

/** A moment, as exact as it has to be: the day of this year, or the month of another one. */
export function moment(at: string, kind: 'short' | 'time' | 'long' = 'short'): Html {
  const isThisYear = localYear(Date.parse(at)) === localYear(Date.now());
  const text =
    kind === 'time' ? timeOfDay(at) : kind === 'long' ? longDate(at) : isThisYear ? day(at) : month(at);
  return html`<time class="num" datetime="${at}" title="${wholeMoment(at)}">${text}</time>`;
}
const day = formatter({ day: 'numeric', month: 'short' });
const month = formatter({ month: 'short', year: 'numeric' });
const longDate = formatter({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The heading of a day of the member's: moments after midnight may belong to the evening before. */
export function dayHeading(date: string): Html {
  return html`<time datetime="${date}">${longDays.format(Date.parse(date))}</time>`;
}
const longDays = utcFormat({ dateStyle: 'full' });
