/** Months, quarters and longer stretches of days, for tables of figures by time. Months are counted from the year 0. */
import { dayMs } from './days.ts';

export interface Period {
  year: number;
  /** The first month, from 0. */
  month: number;
  months: number;
  from: number;
  to: number;
}

/** How many days are shown by periods of so many months: from months to centuries, so that no range has many periods. */
const lengths = [
  { months: 1, days: 400 },
  { months: 3, days: 4 * 366 },
  { months: 12, days: 60 * 366 },
  { months: 120, days: 600 * 366 },
] as const;

/** The longest periods of which the days between have at least some; the first and the last may be cut off. */
export function periodsOf(from: number, to: number): Period[] {
  const { months } = lengths.find(({ days }) => to - from < days) ?? { months: 1200 };
  const first = Math.floor(monthOf(from) / months);
  const count = from > to ? 0 : Math.floor(monthOf(to) / months) - first + 1;
  return Array.from({ length: count }, (_, at) => {
    const month = (first + at) * months;
    return {
      ...{ year: Math.floor(month / 12), month: month % 12, months },
      from: Math.max(from, firstDayOf(month)),
      to: Math.min(to, firstDayOf(month + months) - 1),
    };
  });
}

function monthOf(day: number): number {
  const date = new Date(day * dayMs);
  return whole(date.getUTCFullYear() * 12 + date.getUTCMonth());
}

function firstDayOf(month: number): number {
  return whole(new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1) / dayMs);
}

function whole(number: number): number {
  if (Number.isInteger(number)) return number;
  throw new RangeError('This day is in no month.');
}

/** What lies in each of these periods, which follow each other; `all` are in the order of their days. */
export function byPeriod<One extends { day: number }>(
  periods: readonly Period[],
  all: readonly One[],
): [Period, One[]][] {
  let place = 0;
  return periods.map((period) => {
    const start = place;
    while ((all[place]?.day ?? Infinity) <= period.to) place += 1;
    return [period, all.slice(start, place)];
  });
}
