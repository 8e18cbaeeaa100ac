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
  return levelsOf(await readLastRatings(db, userId, until));
}

type LastRatings = ReadonlyMap<string, readonly number[]>;

/** The ratings at each judge from which a level follows once they are enough. */
export async function readLastRatings(db: Db, userId: bigint, until?: string): Promise<LastRatings> {
  const last = Map.groupBy(await listLastRatings(db, userId, solvesOfLevel, until), ({ source }) => source);
  return new Map([...last].map(([source, rows]) => [source, rows.map(({ rating }) => Number(rating))]));
}

export function levelsOf(last: LastRatings): Level[] {
  return [...last].flatMap(([source, latest]) => {
    const ratings = latest.toSorted((a, b) => a - b);
    const level = levelOf(ratings);
    return level === undefined ? [] : { source, level, hardest: ratings.at(-1) ?? level };
  });
}
