/**
 * The leaderboard of a group: who chose to be on it. Only the first three have a place, and only if somebody is behind
 * them, so that nobody is last.
 */

import { dayMs } from '../durations.ts';
import { allTime, listFirstSolvedAt } from '../store/activity.ts';
import { type BoardPerson, listBoardPeople } from '../store/groups.ts';
import { listReviewedAt } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { groupByDay } from './activity.ts';
import { type Days, dateOf, daysOf, type WeekStart, weekOf } from './days.ts';
import { dayRuleOf } from './preferences.ts';

export const boardFigures = ['week', 'month', 'streak'] as const;
export type BoardFigure = (typeof boardFigures)[number];

export type LeaderboardRow = Record<BoardFigure, number> & {
  person: BoardPerson;
  days: BoardDays;
};

interface BoardDays {
  today: number;
  week: number;
  month: number;
  /** The first and the last day of the current streak are today if there is none. */
  first: number;
  last: number;
}

export interface RankedRow {
  row: LeaderboardRow;
  place: number | undefined;
}

interface Board {
  own: LeaderboardRow | undefined;
  lines: readonly LeaderboardRow[];
}

/** A month, and the hours by which zones differ. */
const daysAtFirst = 33;

interface Counting {
  line: LeaderboardRow;
  days: Days;
  active: Set<number>;
}

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
  let unfinished = all;
  // Most streaks end within the first stretch; a further one is read only for people who have more.
  for (let [until, length] = [allTime.until, daysAtFirst]; unfinished.length > 0; length *= 4) {
    const from = new Date(now - length * dayMs).toISOString();
    const ids = unfinished.map(({ line }) => line.person.user_id);
    const solved = Map.groupBy(await listFirstSolvedAt(db, ids, { from, until }), (row) => row.user_id);
    const reviewed = Map.groupBy(await listReviewedAt(db, ids, { from, until }), (row) => row.user_id);
    unfinished = unfinished.filter((one) => {
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
  for (const [day, some] of groupByDay(solved, days)) {
    active.add(day);
    if (day >= week && day <= today) line.week += some.length;
    if (day >= month && day <= today) line.month += some.length;
  }
  for (const day of groupByDay(reviewed, days).keys()) active.add(day);
}

/** Returns whether the streak may go on before `from`. */
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
    .map((line) => ({ row: line, place: placeOf(line) }))
    .toSorted(
      (a, b) =>
        (a.place ?? placesAtMost + 1) - (b.place ?? placesAtMost + 1) || byName(a.row.person, b.row.person),
    );
}
