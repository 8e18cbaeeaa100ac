/** What a goal may be, and how many of them a member has room for. */
import { badSetting } from '../errors.ts';
import type { PlantsTable } from '../store/garden-tables.ts';

/** For whatever a member brings: forms, files and archives. */
const plantsAtMost = 200;
export const longestPlantName = 200;
export const targetAtMost = 1_000_000n;

/** What is wrong with the name of a goal; undefined where nothing is. */
export function nameFault(name: string): 'missing' | 'long' | 'unshowable' | undefined {
  if (name.trim() === '') return 'missing';
  if (name.length > longestPlantName) return 'long';
  return /\p{Cc}/u.test(name) ? 'unshowable' : undefined;
}

export const isTarget = (target: bigint) => target >= 1n && target <= targetAtMost;

/** Throws badSetting for a goal that no form takes. */
export function assertGoal({ name, tag, target }: Pick<PlantsTable, 'name' | 'tag' | 'target'>): void {
  const fault = nameFault(name) ?? (tag !== null && tag.length > longestPlantName ? 'long' : undefined);
  if (fault === 'long')
    throw badSetting(`A plant has a name and a topic of at most ${longestPlantName} characters.`);
  if (fault) throw badSetting('A plant has a name on one line.');
  if (!isTarget(target)) throw badSetting(`A target is a whole number from 1 to ${targetAtMost}.`);
}

/** Throws badSetting where a member has so many plants that there is no room for another one. */
export function assertRoom(plants: bigint | number): void {
  if (plants >= plantsAtMost)
    throw badSetting(`You can have up to ${plantsAtMost} plants; delete one first.`);
}
