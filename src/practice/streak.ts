/** Streaks: days in a row with at least one first solve or review done (WEBSITE §4). */
import type { Db } from '../store/tables.ts';
import { listActiveDays } from './activity.ts';
import type { Days } from './days.ts';

/** Days in a row, from the first to the last. A day that never came in the member's zone ends no row. */
export interface DaysInARow {
  length: number;
  first: number;
  last: number;
}

export interface Streak {
  /** Today not yet done does not end it. */
  current: DaysInARow | undefined;
  /** The later of two as long. */
  longest: DaysInARow | undefined;
}

export async function readStreak(db: Db, userId: bigint, days: Days, today: number): Promise<Streak> {
  let newest: DaysInARow | undefined;
  let longest: DaysInARow | undefined;
  for (const day of await listActiveDays(db, userId, days, { from: undefined, to: today, isStreak: true })) {
    const goesOn = newest && (newest.last === day - 1 || newest.last === days.before(day));
    newest =
      newest && goesOn
        ? { ...newest, length: newest.length + 1, last: day }
        : { length: 1, first: day, last: day };
    if (newest.length >= (longest?.length ?? 0)) longest = newest;
  }
  const isGoingOn = newest !== undefined && newest.last >= days.before(today);
  return { current: isGoingOn ? newest : undefined, longest };
}
