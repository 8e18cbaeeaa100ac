/** A member's level at a judge: the median rating of the last problems that they solved there for the first time. */
import { bisectLeft, quantileSorted } from 'd3-array';
import { allTime, type CompletedProblem, listCompleted } from '../store/activity.ts';
import type { Db } from '../store/tables.ts';

export const solvesAtMost = 30;
/** The median of fewer ratings says little. */
export const solvesAtLeast = 5;

export function levelOf(sorted: number[]): number | undefined {
  return sorted.length < solvesAtLeast ? undefined : Math.round(quantileSorted(sorted, 0.5) ?? 0);
}

export function runningLevel(): (rating: number) => number | undefined {
  const chronological: number[] = [];
  const sorted: number[] = [];
  return (rating) => {
    chronological.push(rating);
    sorted.splice(bisectLeft(sorted, rating), 0, rating);
    const oldest = chronological.at(-1 - solvesAtMost);
    if (oldest !== undefined) sorted.splice(bisectLeft(sorted, oldest), 1);
    return levelOf(sorted);
  };
}

export interface Level {
  source: string;
  level: number;
  hardest: number;
}

/** The judge of the latest solve comes first. */
export async function readLevels(db: Db, userId: bigint, until?: string): Promise<Level[]> {
  return levelsOf(lastRatings(await listCompleted(db, userId), until));
}

type LastRatings = ReadonlyMap<string, readonly number[]>;

export function lastRatings(completed: readonly CompletedProblem[], until = allTime.until): LastRatings {
  const last = new Map<string, { at: string; id: bigint; rating: number }[]>();
  // Later problems were mostly solved later, so that most of a long history is skipped.
  for (const { problem_id: id, completed_at, facts } of completed.toReversed()) {
    const { source, rating } = facts;
    // A solve on an unknown day counts as the earliest.
    const at = completed_at ?? '';
    if (rating === null || at >= until) continue;
    const lastSolves = last.get(source) ?? [];
    last.set(source, lastSolves);
    const isAfter = (one: { at: string; id: bigint }) => at > one.at || (at === one.at && id > one.id);
    const oldest = lastSolves[solvesAtMost - 1];
    if (oldest && !isAfter(oldest)) continue;
    const index = lastSolves.findIndex(isAfter);
    lastSolves.splice(index === -1 ? lastSolves.length : index, 0, { at, id, rating });
    lastSolves.length = Math.min(lastSolves.length, solvesAtMost);
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
