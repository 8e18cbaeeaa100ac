/** The chance to solve a rated problem in a contest, for a strength in rating points; its phrases, and what to suggest. */

import type { ChanceModel } from '../judges/judge.ts';

export function chanceOf(model: ChanceModel, rating: number, strength: number): number {
  return 1 / (1 + 10 ** ((model.scaledRating(rating) + model.shift - strength) / model.spread));
}

/** "about 1 in 3": said of chances below the bound that no earlier phrase was said of. */
export interface ChancePhrase {
  bound: number;
  kind: 'under' | 'about' | 'over';
  some: number;
  all: number;
}

const phrase = (bound: number, some: number, all: number, kind: ChancePhrase['kind'] = 'about') => ({
  bound,
  kind,
  some,
  all,
});
const highest = phrase(Number.POSITIVE_INFINITY, 19, 20, 'over');
export const chancePhrases: readonly ChancePhrase[] = [
  phrase(0.05, 1, 20, 'under'),
  phrase(0.15, 1, 10),
  phrase(0.27, 1, 5),
  phrase(0.42, 1, 3),
  phrase(0.58, 1, 2),
  phrase(0.73, 2, 3),
  phrase(0.85, 4, 5),
  phrase(0.95, 9, 10),
  highest,
];

export const phraseOf = (chance: number): ChancePhrase =>
  chancePhrases.find(({ bound }) => chance < bound) ?? highest;

const chanceBands = { likely: [0.7, 0.85], even: [0.4, 0.6], stretch: [0.15, 0.3] } as const;
export type ChanceBand = keyof typeof chanceBands;
export const chanceBandNames = ['likely', 'even', 'stretch'] as const satisfies ChanceBand[];

/** The stored ratings of the problems of a band, both included. */
export function bandRange(
  model: ChanceModel,
  band: ChanceBand,
  strength: number,
): readonly [from: number, to: number] {
  const [least, most] = chanceBands[band];
  const ratingAt = (chance: number) =>
    model.storedRating(strength - model.shift + model.spread * Math.log10((1 - chance) / chance));
  return [ratingAt(most), ratingAt(least)];
}
