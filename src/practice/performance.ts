/** Performance: the strength at which the expected number of solved problems is the number that was solved. */
import { type ChanceModel, chanceOf } from './chance.ts';

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

/** The root of a rising function of a strength. */
export function rootOf(rising: (strength: number) => number): number {
  let [low, high] = [-20_000, 20_000];
  while (high - low > 1e-7) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
