/**
 * The leaderboard of a group: who chose to stand on it, with what they did of late by their own days. It has no last place: a
 * place is said only of the first three, and only where somebody is behind; all others stand by name.
 */

import { dayMs } from '../durations.ts';
import { allTime, listFirstSolvedAt } from '../store/activity.ts';
import { type BoardPerson, listBoardPeople } from '../store/groups.ts';
import { listReviewedAt } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { perDay } from './activity.ts';
import { type Days, dateOf, daysOf, type WeekStart, weekOf } from './days.ts';
import { dayRuleOf } from './preferences.ts';

/** The orders of a board: first solves since the viewer's week began, since the first of the month, and days in a row. */
export const boardFigures = ['week', 'month', 'streak'] as const;
export type BoardFigure = (typeof boardFigures)[number];

export type LeaderboardRow = Record<BoardFigure, number> & {
  person: BoardPerson;
  days: BoardDays;
};

/** Days as numbers (`days.ts`). */
interface BoardDays {
  today: number;
  /** The first days of the week and of the month. */
  week: number;
  month: number;
  /** The days in a row that go on; today where there are none. */
  first: number;
  last: number;
}

export interface RankedRow {
  line: LeaderboardRow;
  place: number | undefined;
}

interface Board {
  /** The line of the member who looks at it, on the board or not; a disabled member has none. */
  own: LeaderboardRow | undefined;
  lines: readonly LeaderboardRow[];
}

/** As many days as a month has, and the hours by which zones differ. */
const daysAtFirst = 33;

interface Counting {
  line: LeaderboardRow;
  days: Days;
  active: Set<number>;
}

/** The board as this member sees it, whose weeks begin on `weekStart`. */
export async function readBoard(
  db: Db,
  groupId: bigint,
  viewerId: bigint,
  now: number,
  weekStart?: WeekStart,
): Promise<Board> {
  const people = (await listBoardPeople(db, groupId)).filter(
    ({ on_board, user_id }) => on_board === 1n || user_id === viewerId,
  );
  const all = people.map((person) => emptyLine(person, now, weekStart));
  let goingOn = all;
  // Most days in a row end within the first stretch; each further one is read for those alone who have more.
  for (let [until, length] = [allTime.until, daysAtFirst]; goingOn.length > 0; length *= 4) {
    const from = new Date(now - length * dayMs).toISOString();
    const ids = goingOn.map(({ line }) => line.person.user_id);
    const solved = Map.groupBy(await listFirstSolvedAt(db, ids, { from, until }), (row) => row.user_id);
    const reviewed = Map.groupBy(await listReviewedAt(db, ids, { from, until }), (row) => row.user_id);
    goingOn = goingOn.filter((one) => {
      const id = one.line.person.user_id;
      count(one, solved.get(id) ?? [], reviewed.get(id) ?? []);
      return goesOnBefore(one, from);
    });
    until = from;
  }
  const lines = all.map(({ line }) => line);
  return {
    own: lines.find(({ person }) => person.user_id === viewerId),
    lines: lines.filter(({ person }) => person.on_board === 1n),
  };
}

function emptyLine(person: BoardPerson, now: number, weekStart: WeekStart | undefined): Counting {
  const days = daysOf(dayRuleOf(person.time_zone, person.day_start));
  const today = days.at(now);
  const [week, month] = [weekOf(today, weekStart), today + 1 - Number(dateOf(today).slice(-2))];
  const line = {
    person,
    week: 0,
    month: 0,
    streak: 0,
    days: { today, week, month, first: today, last: today },
  };
  return { line, days, active: new Set() };
}

type Moments = readonly { at: string }[];

function count({ line, days, active }: Counting, solved: Moments, reviewed: Moments): void {
  const { today, week, month } = line.days;
  for (const [day, some] of perDay(solved, days)) {
    active.add(day);
    if (day >= week && day <= today) line.week += some.length;
    if (day >= month && day <= today) line.month += some.length;
  }
  for (const day of perDay(reviewed, days).keys()) active.add(day);
}

/** Counts the days in a row that are known; answers whether there may be more of them before this moment. */
function goesOnBefore({ line, days, active }: Counting, from: string): boolean {
  const { today } = line.days;
  const last = [today, days.before(today)].find((day) => active.has(day));
  if (last === undefined) return false;
  let [first, streak] = [last, 1];
  for (let day = days.before(first); active.has(day); day = days.before(day))
    [first, streak] = [day, streak + 1];
  line.streak = streak;
  line.days = { ...line.days, first, last };
  return days.before(first) <= days.at(Date.parse(from));
}

const placesAtMost = 3;

/** The lines by one of their figures: those with a place, then all others by name. */
export function ranked(
  lines: readonly LeaderboardRow[],
  by: BoardFigure,
  byName: (one: BoardPerson, other: BoardPerson) => number,
): RankedRow[] {
  const least = Math.min(...lines.map((line) => line[by]));
  const placeOf = (line: LeaderboardRow) => {
    const place = 1 + lines.filter((other) => other[by] > line[by]).length;
    return place <= placesAtMost && line[by] > least ? place : undefined;
  };
  return lines
    .map((line) => ({ line, place: placeOf(line) }))
    .toSorted(
      (a, b) =>
        (a.place ?? placesAtMost + 1) - (b.place ?? placesAtMost + 1) || byName(a.line.person, b.line.person),
    );
}
