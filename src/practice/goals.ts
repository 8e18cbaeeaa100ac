/** The goals of plants: their limits for forms, files and archives, and which targets are sensible. */
import { type AppError, localizedError } from '../errors.ts';
import type { PlantFilter, PlantsTable } from '../store/plants.ts';
import { dayOf } from './days.ts';

const plantsAtMost = 200;
export const longestPlantName = 200;
export const targetAtMost = 1_000_000n;

export function faultOfName(name: string): 'missing' | 'long' | 'unshowable' | undefined {
  if (name.trim() === '') return 'missing';
  if (name.length > longestPlantName) return 'long';
  return /\p{Cc}/u.test(name) ? 'unshowable' : undefined;
}

export const isTarget = (target: bigint) => target >= 1n && target <= targetAtMost;

export const ratingAtMost = 10_000;

export function faultOfGoal({
  rating_min,
  rating_max,
  by_date,
}: Partial<PlantFilter & Pick<PlantsTable, 'by_date'>>): AppError | undefined {
  const isRating = (rating: bigint | null | undefined) =>
    rating == null || (rating >= -ratingAtMost && rating <= ratingAtMost);
  if (!isRating(rating_min) || !isRating(rating_max))
    return localizedError('invalidValue.rating', { most: ratingAtMost });
  if (rating_min != null && rating_max != null && rating_min > rating_max)
    return localizedError('invalidValue.ratings', { from: rating_min, to: rating_max });
  if (by_date != null && dayOf(by_date) === undefined)
    return localizedError('invalidValue.date', { date: JSON.stringify(by_date) });
  return undefined;
}

/** Throws invalidValue. */
export function assertGoal(
  goal: Pick<PlantsTable, 'name' | 'tag' | 'target'> & Parameters<typeof faultOfGoal>[0],
): void {
  const { name, tag, target } = goal;
  const fault = faultOfName(name) ?? (tag !== null && tag.length > longestPlantName ? 'long' : undefined);
  if (fault === 'long') throw localizedError('invalidValue.plantText', { most: longestPlantName });
  if (fault) throw localizedError('invalidValue.plantName');
  if (!isTarget(target)) throw localizedError('invalidValue.target', { most: targetAtMost });
  const goalFault = faultOfGoal(goal);
  if (goalFault !== undefined) throw goalFault;
}

/** Throws invalidValue. */
export function assertPlantLimit(plants: bigint | number): void {
  if (plants >= plantsAtMost) throw localizedError('invalidValue.plants', { most: plantsAtMost });
}

const roundNumbers = [
  5, 10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 120, 150, 200, 250, 300, 400, 500, 750, 1000,
];

/** Returns at most three targets: a near one, one farther off and a far one. */
export function sensibleTargets(done: number, total: number): number[] {
  const remaining = total - done;
  if (remaining <= 0) return [];
  const estimates = [done + 3, done * 1.25 + 8, done * 2 + 15];
  const targets = estimates.map((least) => roundUp(least)).map((target) => Math.min(target, total));
  return [...new Set(targets)].filter((target) => target > done);
}

function roundUp(least: number): number {
  return roundNumbers.find((number) => number >= least) ?? Math.ceil(least / 500) * 500;
}
