/** Moments by the clocks of a time zone: when something is due, as a form gives it and as a page says it. */
import { Temporal } from 'temporal-polyfill';

const lastTime = '23:59';

/** The moment of a date and a time there, as RFC 3339; the end of the day where no time is given. Undefined for what is none. */
export function momentIn(zone: string, date: string, time: string): string | undefined {
  const clock = time === '' ? lastTime : time;
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^\d\d:\d\d$/.test(clock)) return undefined;
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${clock}`, { overflow: 'reject' });
    // Where clocks leave the time out or have it twice, the later moment is kinder.
    const { epochMilliseconds } = local.toZonedDateTime(zone, { disambiguation: 'later' });
    const moment = new Date(epochMilliseconds).toISOString();
    // The last evening of the year 9999 is in the year 10000 elsewhere, which times are not written in.
    return /^\d{4}-/.test(moment) ? moment : undefined;
  } catch {
    return undefined;
  }
}

/** What a form shows for a moment there. */
export function clockIn(zone: string, moment: string): { date: string; time: string } {
  const local = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}
