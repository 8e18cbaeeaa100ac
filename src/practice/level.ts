/** A member's level at a judge: the median rating of the last problems that they solved there for the first time. */
import { bisectLeft, quantileSorted } from 'd3-array';
import { allTime, type CompletedProblem, listCompleted } from '../store/activity.ts';
import type { Db } from '../store/tables.ts';

/** The last so many first solves of rated problems. */
export const solvesOfLevel = 30;
/** Fewer solves say little. */
export const solvesAtLeast = 5;

/** The level of these ratings, of which the lowest is first; undefined if they are too few. */
export function levelOf(sorted: number[]): number | undefined {
  return sorted.length < solvesAtLeast ? undefined : Math.round(quantileSorted(sorted, 0.5) ?? 0);
}

/** Takes the rating of one first solve after another, and answers the level after each. */
export function runningLevel(): (rating: number) => number | undefined {
  const inOrder: number[] = [];
  const sorted: number[] = [];
  return (rating) => {
    inOrder.push(rating);
    sorted.splice(bisectLeft(sorted, rating), 0, rating);
    const gone = inOrder.at(-1 - solvesOfLevel);
    if (gone !== undefined) sorted.splice(bisectLeft(sorted, gone), 1);
    return levelOf(sorted);
  };
}

export interface Level {
  source: string;
  level: number;
  /** The highest of the ratings from which the level follows. */
  hardest: number;
}

/** The member's level at each judge, by what they solved until this moment; the judge where they solved last comes first. */
export async function readLevels(db: Db, userId: bigint, until?: string): Promise<Level[]> {
  return levelsOf(lastRatings(await listCompleted(db, userId), until));
}

type LastRatings = ReadonlyMap<string, readonly number[]>;

/** The ratings at each judge from which a level follows once they are enough. */
export function lastRatings(completed: readonly CompletedProblem[], until = allTime.until): LastRatings {
  const last = new Map<string, { at: string; id: bigint; rating: number }[]>();
  // Later problems were mostly solved later, and in a long history most are older than the last ones.
  for (const { problem_id: id, completed_at, facts } of completed.toReversed()) {
    const { source, rating } = facts;
    // Solved on an unknown day counts as before all others.
    const at = completed_at ?? '';
    if (rating === null || at >= until) continue;
    const newest = last.get(source) ?? [];
    last.set(source, newest);
    const isAfter = (one: { at: string; id: bigint }) => at > one.at || (at === one.at && id > one.id);
    const oldest = newest[solvesOfLevel - 1];
    if (oldest && !isAfter(oldest)) continue;
    const place = newest.findIndex(isAfter);
    newest.splice(place === -1 ? newest.length : place, 0, { at, id, rating });
    newest.length = Math.min(newest.length, solvesOfLevel);
  }
  const byLatest = [...last].sort(([, [one]], [, [other]]) =>
    one && other && (one.at < other.at || (one.at === other.at && one.id < other.id)) ? 1 : -1,
  );
  return new Map(byLatest.map(([source, rows]) => [source, rows.map(({ rating }) => rating)]));
}

export function levelsOf(last: LastRatings): Level[] {
  return [...last].flatMap(([source, latest]) => {
    const ratings = latest.toSorted((a, b) => a - b);
    const level = levelOf(ratings);
    return level === undefined ? [] : { source, level, hardest: ratings.at(-1) ?? level };
  });
}
