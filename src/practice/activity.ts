/**
 * A member's activity on each of their days, counted when it is read. A problem is solved on each day of an accepted
 * submission or of a mark, and solved first on the earliest of these days.
 */
import {
  allTime,
  findFirstActivity,
  listFirstSolves,
  listSolvedMarks,
  listSubmissionMoments,
  type TimeRange,
} from '../store/activity.ts';
import { listReviewTimes, listStreakTimes } from '../store/reviews.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type DayRule, type Days, daysOf, weekStarts } from './days.ts';
import { deriveCards } from './derivation.ts';
import {
  readDayRule,
  readPreferences,
  setPracticeDays,
  setWeekGoal,
  setWeekStart,
  writeDayRule,
} from './preferences.ts';

export interface ActivityRow {
  day: bigint;
  submissions: bigint;
  solved: bigint;
  first_solves: bigint;
  reviews: bigint;
  /** A JSON object with the highest rating among the first solves at each judge. */
  hardest: string | null;
}

/** Rows are mostly in order, so that few of them need a look-up of their day. */
export function groupByDay<R extends { at: string }>(rows: Iterable<R>, days: Days): Map<number, R[]> {
  const byDay = new Map<number, R[]>();
  const rangeOfDay = new Map<number, TimeRange>();
  let range: TimeRange = { from: '', until: '' };
  let rowsOfDay: R[] = [];
  for (const row of rows) {
    const { at } = row;
    if (at < range.from || at >= range.until) {
      const day = days.at(Date.parse(at));
      range = rangeOfDay.get(day) ?? timeRangeOfDays(days, day, day);
      rangeOfDay.set(day, range);
      rowsOfDay = byDay.get(day) ?? [];
      byDay.set(day, rowsOfDay);
    }
    rowsOfDay.push(row);
  }
  return byDay;
}

export async function readActivity(
  db: Db,
  userId: bigint,
  days: Days,
  [from, to]: readonly [from: number, to: number],
): Promise<ActivityRow[]> {
  const range = timeRangeOfDays(days, from, to);
  const rows = new Map<number, ActivityRow>();
  const noActivity = { submissions: 0n, solved: 0n, first_solves: 0n, reviews: 0n, hardest: null };
  const rowOf = (day: number) => {
    const row = rows.get(day) ?? { day: BigInt(day), ...noActivity };
    rows.set(day, row);
    return row;
  };
  for (const [day, rowsOfDay] of groupByDay(await listFirstSolves(db, { userId, ...range }), days))
    Object.assign(rowOf(day), { first_solves: BigInt(rowsOfDay.length), hardest: hardestJson(rowsOfDay) });
  const solvedIds = new Map<number, Set<bigint>>();
  const solvedIdsOn = (day: number) => {
    const ids = solvedIds.get(day) ?? new Set();
    solvedIds.set(day, ids);
    return ids;
  };
  for (const [day, rowsOfDay] of groupByDay(await listSolvedMarks(db, { userId, ...range }), days))
    for (const { problem_id } of rowsOfDay) solvedIdsOn(day).add(problem_id);
  for (const [day, rowsOfDay] of groupByDay(await listReviewTimes(db, [userId], range), days))
    rowOf(day).reviews = BigInt(rowsOfDay.length);
  for await (const submissions of listSubmissionMoments(db, userId, range))
    for (const [day, rowsOfDay] of groupByDay(submissions, days)) {
      rowOf(day).submissions += BigInt(rowsOfDay.length);
      for (const { solved } of rowsOfDay) if (solved !== null) solvedIdsOn(day).add(solved);
    }
  for (const [day, ids] of solvedIds) rowOf(day).solved = BigInt(ids.size);
  return [...rows.values()].sort((one, other) => Number(one.day - other.day));
}

function hardestJson(solves: readonly { source: string; rating: bigint | null }[]): string | null {
  const ratings = new Map<string, bigint>();
  for (const { source, rating } of solves)
    if (rating !== null && rating > (ratings.get(source) ?? rating - 1n)) ratings.set(source, rating);
  if (ratings.size === 0) return null;
  const ordered = [...ratings].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${ordered.map(([source, rating]) => `${JSON.stringify(source)}:${rating}`).join()}}`;
}

interface DaysFilter {
  from: number | undefined;
  to: number | undefined;
  isStreakOnly: boolean;
}

export async function listActiveDays(
  db: Db,
  userId: bigint,
  days: Days,
  { from, to, isStreakOnly }: DaysFilter,
): Promise<number[]> {
  const range = timeRangeOfDays(days, from, to);
  const activeDays = new Set<number>();
  const add = (rows: Iterable<{ at: string }>) => {
    for (const day of groupByDay(rows, days).keys()) activeDays.add(day);
  };
  add(await listStreakTimes(db, { userId, ...range }));
  if (!isStreakOnly) {
    add(await listSolvedMarks(db, { userId, ...range }));
    for await (const submissions of listSubmissionMoments(db, userId, range)) add(submissions);
  }
  return [...activeDays].sort((one, other) => one - other);
}

export async function findFirstActiveDay(
  db: Db,
  userId: bigint,
  days: Days,
  until: number,
): Promise<number | undefined> {
  const at = await findFirstActivity(db, userId);
  const day = at === undefined ? undefined : days.at(Date.parse(at));
  return day !== undefined && day <= until ? day : undefined;
}

export async function setDayRule(tx: Db, userId: bigint, rule: DayRule): Promise<void> {
  await writeDayRule(tx, userId, rule);
  await deriveCards(tx, userId);
}

export const setZone = inTransaction(async (tx: Db, userId: bigint, zone: string) => {
  const { startHour } = await readDayRule(tx, userId);
  await setDayRule(tx, userId, { zone, startHour });
});

interface DaySettings extends Required<DayRule> {
  weekGoal: number;
  practiceDays: string;
}

export async function readDaySettings(db: Db, userId: bigint): Promise<DaySettings> {
  const { weekStart = weekStarts[0], ...rule } = await readDayRule(db, userId);
  const { weekGoal, practiceDays } = await readPreferences(db, userId);
  return { ...rule, weekStart, weekGoal, practiceDays };
}

export const versionOfDaySettings = ({
  zone,
  startHour,
  weekStart,
  weekGoal,
  practiceDays,
}: Record<keyof DaySettings, string | number>) =>
  `${zone} ${startHour} ${weekStart} ${weekGoal} ${practiceDays}`;

/** Returns true, and changes nothing, if other settings were saved since `version`. */
export const setDaySettings = inTransaction(
  async (tx: Db, userId: bigint, settings: DaySettings, version: string) => {
    const stored = await readDaySettings(tx, userId);
    if (![version, versionOfDaySettings(settings)].includes(versionOfDaySettings(stored))) return true;
    const { zone, startHour, weekStart, weekGoal, practiceDays } = settings;
    if (zone !== stored.zone || startHour !== stored.startHour)
      await setDayRule(tx, userId, { zone, startHour });
    if (weekStart !== stored.weekStart) await setWeekStart(tx, userId, weekStart);
    if (weekGoal !== stored.weekGoal) await setWeekGoal(tx, userId, weekGoal);
    if (practiceDays !== stored.practiceDays) await setPracticeDays(tx, userId, practiceDays);
    return false;
  },
);

export function timeRangeOfDays(days: Days, from: number | undefined, to: number | undefined): TimeRange {
  return {
    from: from === undefined ? allTime.from : dayStartIso(days, from),
    until: to === undefined ? allTime.until : dayStartIso(days, to + 1),
  };
}

/** After the year 9999 this is a text that sorts behind all times. */
export function dayStartIso(days: Days, day: number): string {
  const text = new Date(days.start(day)).toISOString();
  return text.startsWith('+') ? allTime.until : text;
}

export async function daysOfMember(db: Db, userId: bigint): Promise<Days> {
  return daysOf(await readDayRule(db, userId));
}

/* Streaks: days in a row with a first solve or a review. */

/** A day that the member's time zone left out does not end a streak. */
interface ConsecutiveDays {
  length: number;
  first: number;
  last: number;
}

export interface Streak {
  /** A day that is not over yet does not end the streak. */
  current: ConsecutiveDays | undefined;
  longest: ConsecutiveDays | undefined;
}

export async function readStreak(db: Db, userId: bigint, days: Days, today: number): Promise<Streak> {
  let latest: ConsecutiveDays | undefined;
  let longest: ConsecutiveDays | undefined;
  for (const day of await listActiveDays(db, userId, days, {
    from: undefined,
    to: today,
    isStreakOnly: true,
  })) {
    const isConsecutive = latest && (latest.last === day - 1 || latest.last === days.before(day));
    latest =
      latest && isConsecutive
        ? { ...latest, length: latest.length + 1, last: day }
        : { length: 1, first: day, last: day };
    if (latest.length >= (longest?.length ?? 0)) longest = latest;
  }
  const isCurrent = latest !== undefined && latest.last >= days.before(today);
  return { current: isCurrent ? latest : undefined, longest };
}
