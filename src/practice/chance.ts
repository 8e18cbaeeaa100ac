/** The chance to solve a rated problem in a contest, for a strength in rating points; its phrases, and what to suggest. */
import { judgeOf } from '../judges/judges.ts';

export const hasChances = (source: string): boolean => judgeOf(source)?.chanceModel !== undefined;

/** Undefined at judges whose ratings were not measured. */
export function chanceOf(source: string, rating: number, strength: number): number | undefined {
  const model = judgeOf(source)?.chanceModel;
  return model && 1 / (1 + 10 ** ((model.scaledRating(rating) + model.shift - strength) / model.spread));
}

/** The stored rating of a problem that is solved with this chance. */
function ratingAtChance(source: string, chance: number, strength: number): number | undefined {
  const model = judgeOf(source)?.chanceModel;
  return model?.storedRating(strength - model.shift + model.spread * Math.log10((1 - chance) / chance));
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

/** The ratings of the problems of a band, both included. */
export function bandRange(
  source: string,
  band: ChanceBand,
  strength: number,
): readonly [from: number, to: number] | undefined {
  const [least, most] = chanceBands[band];
  const [from, to] = [ratingAtChance(source, most, strength), ratingAtChance(source, least, strength)];
  return from === undefined || to === undefined ? undefined : [from, to];
}
