/**
 * The leaderboard of a group: who chose to be on it. Only the first three have a place, and only if somebody is behind
 * them, so that nobody is last.
 */

import { dayMs } from '../durations.ts';
import { allTime, listFirstSolveTimesOfMembers } from '../store/activity.ts';
import { type BoardPerson, listBoardPeople } from '../store/groups.ts';
import { listReviewTimes } from '../store/reviews.ts';
import type { Db } from '../store/tables.ts';
import { groupByDay } from './activity.ts';
import { type Days, dateOf, daysOf, startOfWeek, type WeekStart } from './days.ts';
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
  ownRow: LeaderboardRow | undefined;
  rows: readonly LeaderboardRow[];
}

/** A month, and the hours by which zones differ. */
const firstStretchDays = 33;

interface RowInProgress {
  row: LeaderboardRow;
  days: Days;
  activeDays: Set<number>;
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
  const all = people.map((person) => startRow(person, now, weekStart));
  let unfinished = all;
  // Most streaks end within the first stretch; a further one is read only for people who have more.
  for (let [until, length] = [allTime.until, firstStretchDays]; unfinished.length > 0; length *= 4) {
    const from = new Date(now - length * dayMs).toISOString();
    const ids = unfinished.map(({ row }) => row.person.user_id);
    const solved = Map.groupBy(
      await listFirstSolveTimesOfMembers(db, ids, { from, until }),
      (row) => row.user_id,
    );
    const reviewed = Map.groupBy(await listReviewTimes(db, ids, { from, until }), (row) => row.user_id);
    unfinished = unfinished.filter((one) => {
      const id = one.row.person.user_id;
      addMoments(one, solved.get(id) ?? [], reviewed.get(id) ?? []);
      return mayContinueBefore(one, from);
    });
    until = from;
  }
  const rows = all.map(({ row }) => row);
  return {
    ownRow: rows.find(({ person }) => person.user_id === viewerId),
    rows: rows.filter(({ person }) => person.on_board === 1n),
  };
}

function startRow(person: BoardPerson, now: number, weekStart: WeekStart | undefined): RowInProgress {
  const days = daysOf(dayRuleOf(person.time_zone, person.day_start));
  const today = days.at(now);
  const [week, month] = [startOfWeek(today, weekStart), today + 1 - Number(dateOf(today).slice(-2))];
  const row = {
    person,
    week: 0,
    month: 0,
    streak: 0,
    days: { today, week, month, first: today, last: today },
  };
  return { row, days, activeDays: new Set() };
}

type Moments = readonly { at: string }[];

function addMoments({ row, days, activeDays }: RowInProgress, solved: Moments, reviewed: Moments): void {
  const { today, week, month } = row.days;
  for (const [day, solvesOfDay] of groupByDay(solved, days)) {
    activeDays.add(day);
    if (day >= week && day <= today) row.week += solvesOfDay.length;
    if (day >= month && day <= today) row.month += solvesOfDay.length;
  }
  for (const day of groupByDay(reviewed, days).keys()) activeDays.add(day);
}

/** Returns whether the streak may go on before `from`. */
function mayContinueBefore({ row, days, activeDays }: RowInProgress, from: string): boolean {
  const { today } = row.days;
  const last = [today, days.before(today)].find((day) => activeDays.has(day));
  if (last === undefined) return false;
  let [first, streak] = [last, 1];
  for (let day = days.before(first); activeDays.has(day); day = days.before(day))
    [first, streak] = [day, streak + 1];
  row.streak = streak;
  row.days = { ...row.days, first, last };
  return days.before(first) <= days.at(Date.parse(from));
}

const placesAtMost = 3;

export function rankRows(
  rows: readonly LeaderboardRow[],
  figure: BoardFigure,
  byName: (one: BoardPerson, other: BoardPerson) => number,
): RankedRow[] {
  const lowest = Math.min(...rows.map((line) => line[figure]));
  const placeOf = (line: LeaderboardRow) => {
    const place = 1 + rows.filter((other) => other[figure] > line[figure]).length;
    return place <= placesAtMost && line[figure] > lowest ? place : undefined;
  };
  return rows
    .map((row) => ({ row, place: placeOf(row) }))
    .toSorted(
      (a, b) =>
        (a.place ?? placesAtMost + 1) - (b.place ?? placesAtMost + 1) || byName(a.row.person, b.row.person),
    );
}
