/** The chance to solve a rated problem in a contest, for a strength in rating points; its phrases, and what to suggest. */

/** What a judge's ratings of problems and people mean for the chance (judges/judge.ts). */
export interface ChanceModel {
  spread: number;
  shift: number;
  usualStrength: number;
  scaledRating(rating: number): number;
  storedRating(scaled: number): number;
  strengthOf(rating: number, ratedContests: number): number;
}

export function chanceOf(model: ChanceModel, rating: number, strength: number): number {
  return 1 / (1 + 10 ** ((model.scaledRating(rating) + model.shift - strength) / model.spread));
}

/** Each phrase is said of chances below its bound. */
const phraseBounds = [
  ['under1in20', 0.05],
  ['1in10', 0.15],
  ['1in5', 0.27],
  ['1in3', 0.42],
  ['1in2', 0.58],
  ['2in3', 0.73],
  ['4in5', 0.85],
  ['9in10', 0.95],
  ['over19in20', Number.POSITIVE_INFINITY],
] as const;
export type ChancePhrase = (typeof phraseBounds)[number][0];
export const chancePhrases: readonly ChancePhrase[] = phraseBounds.map(([name]) => name);

export function phraseOf(chance: number): ChancePhrase {
  return phraseBounds.find(([, bound]) => chance < bound)?.[0] ?? 'over19in20';
}

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
