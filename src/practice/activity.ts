/**
 * A member's activity on each of their days, counted when it is read. A problem is solved on each day of an accepted
 * submission or of a mark, and solved first on the earliest of these days.
 */
import {
  allTime,
  findFirstMoment,
  listFirstSolves,
  listOwnFirstSolves,
  listSubmissionMoments,
  listWordsIn,
  type TimeRange,
} from '../store/activity.ts';
import { listReviewedAt } from '../store/reviews.ts';
import { inTransaction } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { type DayRule, type Days, daysOf, weekStarts } from './days.ts';
import { deriveCards } from './derivation.ts';
import { readDayRule, readPreferences, setWeekGoal, setWeekStart, writeDayRule } from './preferences.ts';

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
export function perDay<R extends { at: string }>(rows: Iterable<R>, days: Days): Map<number, R[]> {
  const byDay = new Map<number, R[]>();
  const moments = new Map<number, TimeRange>();
  let between: TimeRange = { from: '', until: '' };
  let some: R[] = [];
  for (const row of rows) {
    const { at } = row;
    if (at < between.from || at >= between.until) {
      const day = days.at(Date.parse(at));
      between = moments.get(day) ?? betweenDays(days, day, day);
      moments.set(day, between);
      some = byDay.get(day) ?? [];
      byDay.set(day, some);
    }
    some.push(row);
  }
  return byDay;
}

export async function readActivity(
  db: Db,
  userId: bigint,
  days: Days,
  [from, to]: readonly [from: number, to: number],
): Promise<ActivityRow[]> {
  const between = betweenDays(days, from, to);
  const rows = new Map<number, ActivityRow>();
  const none = { submissions: 0n, solved: 0n, first_solves: 0n, reviews: 0n, hardest: null };
  const on = (day: number) => {
    const row = rows.get(day) ?? { day: BigInt(day), ...none };
    rows.set(day, row);
    return row;
  };
  for (const [day, some] of perDay(await listFirstSolves(db, { userId, ...between }), days))
    Object.assign(on(day), { first_solves: BigInt(some.length), hardest: hardestText(some) });
  const solved = new Map<number, Set<bigint>>();
  const solvedOn = (day: number) => {
    const ids = solved.get(day) ?? new Set();
    solved.set(day, ids);
    return ids;
  };
  for (const [day, some] of perDay(await listWordsIn(db, { userId, ...between }), days))
    for (const { problem_id } of some) solvedOn(day).add(problem_id);
  for (const [day, some] of perDay(await listReviewedAt(db, [userId], between), days))
    on(day).reviews = BigInt(some.length);
  for await (const submissions of listSubmissionMoments(db, userId, between))
    for (const [day, some] of perDay(submissions, days)) {
      on(day).submissions += BigInt(some.length);
      for (const { solved } of some) if (solved !== null) solvedOn(day).add(solved);
    }
  for (const [day, ids] of solved) on(day).solved = BigInt(ids.size);
  return [...rows.values()].sort((one, other) => Number(one.day - other.day));
}

function hardestText(solves: readonly { source: string; rating: bigint | null }[]): string | null {
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
  isStreak: boolean;
}

export async function listActiveDays(
  db: Db,
  userId: bigint,
  days: Days,
  { from, to, isStreak }: DaysFilter,
): Promise<number[]> {
  const between = betweenDays(days, from, to);
  const active = new Set<number>();
  const add = (rows: Iterable<{ at: string }>) => {
    for (const day of perDay(rows, days).keys()) active.add(day);
  };
  add(await listOwnFirstSolves(db, { userId, ...between }));
  add(await listReviewedAt(db, [userId], between));
  if (!isStreak) {
    add(await listWordsIn(db, { userId, ...between }));
    for await (const submissions of listSubmissionMoments(db, userId, between)) add(submissions);
  }
  return [...active].sort((one, other) => one - other);
}

export async function findFirstActiveDay(
  db: Db,
  userId: bigint,
  days: Days,
  until: number,
): Promise<number | undefined> {
  const at = await findFirstMoment(db, userId);
  const day = at === undefined ? undefined : days.at(Date.parse(at));
  return day !== undefined && day <= until ? day : undefined;
}

export async function setDayRule(tx: Db, userId: bigint, rule: DayRule): Promise<void> {
  await writeDayRule(tx, userId, rule);
  await deriveCards(tx, userId);
}

interface DaySettings extends Required<DayRule> {
  weekGoal: number;
}

export async function readDaySettings(db: Db, userId: bigint): Promise<DaySettings> {
  const { weekStart = weekStarts[0], ...rule } = await readDayRule(db, userId);
  return { ...rule, weekStart, weekGoal: (await readPreferences(db, userId)).weekGoal };
}

export const versionOfDays = ({
  zone,
  startHour,
  weekStart,
  weekGoal,
}: Record<keyof DaySettings, string | number>) => `${zone} ${startHour} ${weekStart} ${weekGoal}`;

/** Returns true, and changes nothing, if other settings were saved since `version`. */
export const setDays = inTransaction(
  async (tx: Db, userId: bigint, settings: DaySettings, version: string) => {
    const now = await readDaySettings(tx, userId);
    if (![version, versionOfDays(settings)].includes(versionOfDays(now))) return true;
    const { zone, startHour, weekStart, weekGoal } = settings;
    if (zone !== now.zone || startHour !== now.startHour) await setDayRule(tx, userId, { zone, startHour });
    if (weekStart !== now.weekStart) await setWeekStart(tx, userId, weekStart);
    if (weekGoal !== now.weekGoal) await setWeekGoal(tx, userId, weekGoal);
    return false;
  },
);

export function betweenDays(days: Days, from: number | undefined, to: number | undefined): TimeRange {
  return {
    from: from === undefined ? allTime.from : startText(days, from),
    until: to === undefined ? allTime.until : startText(days, to + 1),
  };
}

/** After the year 9999 this is a text that sorts behind all times. */
export function startText(days: Days, day: number): string {
  const text = new Date(days.start(day)).toISOString();
  return text.startsWith('+') ? allTime.until : text;
}

export async function daysOfMember(db: Db, userId: bigint): Promise<Days> {
  return daysOf(await readDayRule(db, userId));
}

/* Streaks: days in a row with a first solve or a review. */

/** A day that the member's time zone left out does not end a streak. */
interface DaysInARow {
  length: number;
  first: number;
  last: number;
}

export interface Streak {
  /** A day that is not over yet does not end the streak. */
  current: DaysInARow | undefined;
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
