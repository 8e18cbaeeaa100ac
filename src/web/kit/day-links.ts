/** A range of days in addresses and in words. */

import { dayMs } from '../../durations.ts';
import { dateOf, dayOf } from '../../practice/days.ts';
import { daysPath, problemsPath, submissionsPath } from '../paths.ts';
import { utcFormat } from '../words/formats.ts';
import { words } from '../words/words.ts';

/** Day numbers, both included. */
export type DayRange = readonly [from: number, to: number];

const rangeQuery = ([from, to]: DayRange, prefix = '') => {
  const first = dateOf(from);
  return `${prefix}from=${first}&${prefix}to=${from === to ? first : dateOf(to)}`;
};

export const solvedLink = (range: DayRange) => `${problemsPath}?${rangeQuery(range, 'solved_')}`;
export const firstSolvesLink = (range: DayRange) => `${solvedLink(range)}&first=true`;
export const submissionsLink = (range: DayRange) => `${submissionsPath}?${rangeQuery(range)}`;
/** Days with any activity; with `isStreak`, those of a streak. */
export const daysLink = (range: DayRange, isStreak: boolean) =>
  `${daysPath}?${rangeQuery(range)}${isStreak ? '&active=streak' : ''}`;

const fullDate = utcFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const dayAndMonth = utcFormat({ day: 'numeric', month: 'short' });
const withWeekday = utcFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** Such as 8 Jun, or 8 Jun 2016 in another year. */
export function shortDay(day: number, today: number): string {
  const year = (ofDay: number) => new Date(ofDay * dayMs).getUTCFullYear();
  return (year(day) === year(today) ? dayAndMonth : fullDate).format(day * dayMs);
}
export const dayWithWeekday = (day: number) => withWeekday.format(day * dayMs);

/** Such as "8 Jun 2016", "1–8 Jun 2016", "since 8 Jun 2016" or "until 8 Jun 2016"; empty without dates. */
export function dayRangeText(from: string, to: string): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first === undefined) return last === undefined ? '' : words('days.until', { day: fullDate.format(last * dayMs) });
  if (last === undefined) return words('days.since', { day: fullDate.format(first * dayMs) });
  if (first >= last) return fullDate.format(last * dayMs);
  return fullDate.formatRange(first * dayMs, last * dayMs);
}
