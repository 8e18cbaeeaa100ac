/** Years, quarters and months of days, for tables of figures by time. */
import { dateOf, dayOf } from './days.ts';

export interface Period {
  year: number;
  /** The first month, from 0. */
  month: number;
  months: 1 | 3 | 12;
  from: number;
  to: number;
}

/** The longest periods of which the days between have at least some; the first and the last may be cut off. */
export function periodsOf(from: number, to: number): Period[] {
  const days = to - from + 1;
  const months = days <= 400 ? 1 : days <= 4 * 366 ? 3 : 12;
  const periods: Period[] = [];
  const [firstYear, firstMonth] = placeOf(from);
  for (let month = firstYear * 12 + firstMonth - (firstMonth % months); ; month += months) {
    const start = firstDayOf(month);
    if (start > to) return periods;
    periods.push({
      ...{ year: Math.floor(month / 12), month: month % 12, months },
      from: Math.max(from, start),
      to: Math.min(to, firstDayOf(month + months) - 1),
    });
  }
}

function placeOf(day: number): [year: number, month: number] {
  const [year = 0, month = 1] = dateOf(day).split('-').map(Number);
  return [year, month - 1];
}

/** Months are counted from the year 0. */
function firstDayOf(month: number): number {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return dayOf(`${year}-${String((month % 12) + 1).padStart(2, '0')}-01`) ?? 0;
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
