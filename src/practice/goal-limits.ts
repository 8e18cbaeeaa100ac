/** The limits of a goal, and of how many goals a member may have. */
import { badSetting } from '../errors.ts';
import type { Narrowing, PlantsTable } from '../store/garden-tables.ts';
import { dayOf } from './days.ts';

/** For whatever a member brings: forms, files and archives. */
const plantsAtMost = 200;
export const longestPlantName = 200;
export const targetAtMost = 1_000_000n;

/** The fault of a goal's name; undefined for a good one. */
export function nameFault(name: string): 'missing' | 'long' | 'unshowable' | undefined {
  if (name.trim() === '') return 'missing';
  if (name.length > longestPlantName) return 'long';
  return /\p{Cc}/u.test(name) ? 'unshowable' : undefined;
}

export const isTarget = (target: bigint) => target >= 1n && target <= targetAtMost;

export const ratingAtMost = 10_000;

/** A sentence about wrong ratings or a wrong date, for every door of a goal; undefined where both are right. */
export function faultOfGoal({
  rating_min,
  rating_max,
  by_date,
}: Partial<Narrowing & Pick<PlantsTable, 'by_date'>>): string | undefined {
  const isRating = (rating: bigint | null | undefined) =>
    rating == null || (rating >= -ratingAtMost && rating <= ratingAtMost);
  if (!isRating(rating_min) || !isRating(rating_max))
    return `A rating is a whole number from -${ratingAtMost} to ${ratingAtMost}.`;
  if (rating_min != null && rating_max != null && rating_min > rating_max)
    return `The rating ${rating_min} is above ${rating_max}; enter the lower one first.`;
  if (by_date != null && dayOf(by_date) === undefined)
    return `${JSON.stringify(by_date)} is not a date; enter one such as 2026-12-31.`;
  return undefined;
}

/** Throws badSetting for a goal that no form takes. */
export function assertGoal(
  goal: Pick<PlantsTable, 'name' | 'tag' | 'target'> & Parameters<typeof faultOfGoal>[0],
): void {
  const { name, tag, target } = goal;
  const fault = nameFault(name) ?? (tag !== null && tag.length > longestPlantName ? 'long' : undefined);
  if (fault === 'long')
    throw badSetting(`A plant has a name and a topic of at most ${longestPlantName} characters.`);
  if (fault) throw badSetting('A plant has a name on one line.');
  if (!isTarget(target)) throw badSetting(`A target is a whole number from 1 to ${targetAtMost}.`);
  const wrong = faultOfGoal(goal);
  if (wrong !== undefined) throw badSetting(wrong);
}

/** Throws badSetting where a member has so many plants that there is no room for another one. */
export function assertRoom(plants: bigint | number): void {
  if (plants >= plantsAtMost)
    throw badSetting(`You can have up to ${plantsAtMost} plants; delete one first.`);
}
