/**
 * The board of a group: who chose to stand on it, with what they did of late by their own days. It has no last place: a place is
 * said only of the first three, and only where somebody is behind; all others stand by name.
 */
import { type BoardDays, type BoardPerson, countForBoard, listBoard } from '../store/boards.ts';
import type { Db } from '../store/tables.ts';
import { dateOf, daysOf, type WeekStart, weekOf } from './days.ts';
import { dayRuleOf } from './preferences.ts';
import { readStreak } from './streak.ts';

/** The orders of a board: first solves since the viewer's week began, since the first of the month, and days in a row. */
export const boardFigures = ['week', 'month', 'streak'] as const;
export type BoardFigure = (typeof boardFigures)[number];

export type BoardLine = Record<BoardFigure, number> & {
  person: BoardPerson;
  /** The days that the figures are of. */
  days: BoardDays & { first: number; last: number };
};

/** A line with its place in an order, if it has one. */
export interface PlacedLine {
  line: BoardLine;
  place: number | undefined;
}

export interface Board {
  /** The line of the member who looks at it, on the board or not; a disabled member has none. */
  own: BoardLine | undefined;
  lines: readonly BoardLine[];
}

/** The board as this member sees it, whose weeks begin on `weekStart`, by two statements however many stand on it. */
export async function readBoard(
  db: Db,
  groupId: bigint,
  viewerId: bigint,
  now: number,
  weekStart?: WeekStart,
): Promise<Board> {
  const people = await listBoard(db, groupId, viewerId);
  const asked = people.map((person) => daysFor(person, now, weekStart));
  const counts = new Map((await countForBoard(db, asked)).map((one) => [one.user_id, one]));
  const lines: BoardLine[] = [];
  for (const [at, person] of people.entries()) {
    const days = asked[at] as BoardDays;
    const { week = 0n, month = 0n, first = null, last = null } = counts.get(person.user_id) ?? {};
    const line: BoardLine = {
      person,
      ...{ week: Number(week), month: Number(month), streak: 0 },
      days: { ...days, first: days.today, last: days.today },
    };
    if (first !== null && last !== null) {
      line.streak = Number(last - first) + 1;
      line.days = { ...days, first: Number(first), last: Number(last) };
      await bridge(db, line);
    }
    lines.push(line);
  }
  return {
    own: lines.find(({ person }) => person.user_id === viewerId),
    lines: lines.filter(({ person }) => person.on_board === 1n),
  };
}

function daysFor(
  { user_id, time_zone, day_start }: BoardPerson,
  now: number,
  weekStart: WeekStart | undefined,
): BoardDays {
  const days = daysOf(dayRuleOf(time_zone, day_start));
  const today = days.at(now);
  return {
    ...{ userId: user_id, today, yesterday: days.before(today), week: weekOf(today, weekStart) },
    month: today + 1 - Number(dateOf(today).slice(-2)),
  };
}

/** A day that never came in somebody's zone ends no row of days; the statement for all does not know of it. */
async function bridge(db: Db, line: BoardLine): Promise<void> {
  const { person, days } = line;
  const own = daysOf(dayRuleOf(person.time_zone, person.day_start));
  if (!own.skipped.some((day) => day >= days.first - 1 && day <= days.last)) return;
  const { current } = await readStreak(db, person.user_id, own, days.today);
  if (!current) return;
  line.streak = current.length;
  line.days = { ...days, first: current.first, last: current.last };
}

const placesAtMost = 3;

/** The lines by one of their figures: those with a place, then all others by name. */
export function placed(
  lines: readonly BoardLine[],
  by: BoardFigure,
  nameOf: (person: BoardPerson) => string,
): PlacedLine[] {
  const collator = new Intl.Collator('en');
  const least = Math.min(...lines.map((line) => line[by]));
  const placeOf = (line: BoardLine) => {
    const place = 1 + lines.filter((other) => other[by] > line[by]).length;
    return place <= placesAtMost && line[by] > least ? place : undefined;
  };
  return lines
    .map((line) => ({ line, place: placeOf(line) }))
    .toSorted(
      (a, b) =>
        (a.place ?? placesAtMost + 1) - (b.place ?? placesAtMost + 1) ||
        collator.compare(nameOf(a.line.person), nameOf(b.line.person)),
    );
}
