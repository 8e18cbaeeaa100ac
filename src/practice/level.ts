/** A member's level at a judge: the median rating of the last problems that they solved there for the first time. */
import { quantileSorted } from 'd3-array';
import { listLastRatings } from '../store/completions.ts';
import type { Db } from '../store/tables.ts';

/** The last so many first solves of rated problems. */
export const solvesOfLevel = 30;
/** Fewer solves say little. */
export const solvesAtLeast = 5;

/** The level of these ratings, of which the lowest is first; undefined if they are too few. */
export function levelOf(sorted: number[]): number | undefined {
  return sorted.length < solvesAtLeast ? undefined : Math.round(quantileSorted(sorted, 0.5) ?? 0);
}

export interface Level {
  source: string;
  level: number;
  /** The highest of the ratings from which the level follows. */
  hardest: number;
}

/** The member's level at each judge, by what they solved until this moment; the judge where they solved last comes first. */
export async function readLevels(db: Db, userId: bigint, until?: string): Promise<Level[]> {
  const last = Map.groupBy(await listLastRatings(db, userId, solvesOfLevel, until), ({ source }) => source);
  return [...last].flatMap(([source, rows]) => {
    const ratings = rows.map(({ rating }) => Number(rating)).toSorted((a, b) => a - b);
    const level = levelOf(ratings);
    return level === undefined ? [] : { source, level, hardest: ratings.at(-1) ?? level };
  });
}

/** How many of the solves that a level needs the member has, at the judge at which they have most. */
export async function countForLevel(db: Db, userId: bigint): Promise<number> {
  const last = Map.groupBy(await listLastRatings(db, userId, solvesAtLeast), ({ source }) => source);
  return Math.max(0, ...[...last.values()].map(({ length }) => length));
}
