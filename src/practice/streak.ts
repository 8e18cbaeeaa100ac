/** Streaks: days in a row with at least one first solve or review done (WEBSITE §4). */
import { findRuns, type Run } from '../store/streaks.ts';
import type { Db } from '../store/tables.ts';
import type { Days } from './days.ts';

/** Days in a row, from the first to the last. */
export interface DaysInARow {
  length: number;
  first: number;
  last: number;
}

export interface Streak {
  /** Today not yet done does not end it. */
  current: DaysInARow | undefined;
  longest: DaysInARow | undefined;
}

export async function readStreak(db: Db, userId: bigint, days: Days, today: number): Promise<Streak> {
  const { newest, longest } = await findRuns(db, userId, today, days.skipped);
  const isGoingOn = newest !== undefined && Number(newest.last) >= days.before(today);
  return {
    current: isGoingOn ? inARow(newest, days) : undefined,
    longest: longest && inARow(longest, days),
  };
}

function inARow({ length, last }: Run, days: Days): DaysInARow {
  let first = Number(last) - Number(length) + 1;
  // A day that never came lies between two of them.
  for (const day of days.skipped.toSorted((one, other) => other - one))
    if (day > first - 1 && day < Number(last)) first -= 1;
  return { length: Number(length), first, last: Number(last) };
}
