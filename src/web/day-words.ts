/** Days and hours of a member in words. */
import { words } from './words.ts';

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A date such as 2016-06-08 in words. */
export const dayWords = (date: string) => format.format(new Date(`${date}T00:00:00Z`));

/** The days from one date to another, both inclusive; an empty date leaves that end open. */
export function daysBetween(from: string, to: string): string {
  if (from === to) return words('days.on', { day: dayWords(from) });
  if (from === '') return words('days.to', { day: dayWords(to) });
  if (to === '') return words('days.from', { day: dayWords(from) });
  return words('days.between', { from: dayWords(from), to: dayWords(to) });
}

/** An hour of the clock with its end. */
export function hoursFrom(hour: number): string {
  const clock = (one: number) => `${String(one % 24).padStart(2, '0')}:00`;
  return words('days.hours', { from: clock(hour), to: clock(hour + 1) });
}
