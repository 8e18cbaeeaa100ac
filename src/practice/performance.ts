/** Performance: the strength at which the expected number of solved problems is the number that was solved. */
import type { ChanceModel } from '../judges/judge.ts';
import { chanceOf } from './chance.ts';

/** Fewer problems, or fewer rows of a contest, say too little. */
export const ratedAtLeast = 3;

export interface Performance {
  bound: 'about' | 'under' | 'over';
  strength: number;
}

/** Undefined for too few problems, or at a judge without chances. */
export function performanceOf(
  model: ChanceModel | undefined,
  ratings: readonly number[],
  solvedCount: number,
): Performance | undefined {
  const count = ratings.length;
  if (count < ratedAtLeast || !model) return undefined;
  const bound = solvedCount === 0 ? 'under' : solvedCount === count ? 'over' : 'about';
  const target = { under: 0.5, about: solvedCount, over: count - 0.5 }[bound];
  const excess = (strength: number) =>
    ratings.reduce((sum, rating) => sum + chanceOf(model, rating, strength), -target);
  return { bound, strength: rootOf(excess) };
}

/** The root of a rising function of a strength, by the Illinois method: a third of the steps that halving takes. */
export function rootOf(rising: (strength: number) => number): number {
  let [low, high] = [-20_000, 20_000];
  let [below, above] = [rising(low), rising(high)];
  for (let [last, lastSign] = [low, 0]; ; ) {
    const strength = high - (above * (high - low)) / (above - below);
    const value = rising(strength);
    if (Math.abs(strength - last) < 1e-7 || value === 0) return strength;
    // An end that stays counts half, or the other one would creep.
    if (value < 0) [low, below, above] = [strength, value, lastSign < 0 ? above / 2 : above];
    else [high, above, below] = [strength, value, lastSign > 0 ? below / 2 : below];
    [last, lastSign] = [strength, Math.sign(value)];
  }
}
