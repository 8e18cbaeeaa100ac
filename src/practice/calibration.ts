/** How often what is said of problems came true: predictions before each contest taken, by phrase, with intervals. */
import type { HandleRating } from '../store/ratings.ts';
import type { TakingRow } from '../store/takings.ts';
import { type ChanceModel, type ChancePhrase, chanceOf, chancePhrases, phraseOf } from './chance.ts';
import { type CountedTaking, strengthOfContests, strengthOfRatings } from './strength.ts';

export interface Prediction {
  chance: number;
  isSolved: boolean;
  row: TakingRow;
}

/** Of the problems of each contest taken, from what was known before its first submission. */
export function predictionsOf(
  model: ChanceModel,
  ratings: readonly HandleRating[],
  takings: readonly CountedTaking[],
): Prediction[] {
  return takings.flatMap(({ first_at, rows }, index) => {
    const at = Date.parse(first_at);
    const { strength } =
      strengthOfRatings(model, ratings, at) ?? strengthOfContests(model, takings.slice(index + 1), at);
    if (strength === undefined) return [];
    return rows.map((row) => ({
      chance: chanceOf(model, row.rating, strength),
      isSolved: row.isSolved,
      row,
    }));
  });
}

const normalQuantile = 1.96;

/** Wilson's score interval of a share, 95 %. */
export function wilsonInterval(solved: number, count: number): readonly [low: number, high: number] {
  const square = normalQuantile ** 2;
  const share = solved / count;
  const centre = share + square / (2 * count);
  const width = normalQuantile * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  const scale = 1 + square / count;
  return [Math.max(0, (centre - width) / scale), Math.min(1, (centre + width) / scale)];
}

export interface CalibrationLine {
  phrase: ChancePhrase;
  count: number;
  solved: number;
  expected: number;
  interval: readonly [low: number, high: number];
}

/** Fewer predictions of a phrase say too little. */
const predictionsOfLine = 10;

export function calibrationLines(predictions: readonly Prediction[]): CalibrationLine[] {
  const byPhrase = Map.groupBy(predictions, ({ chance }) => phraseOf(chance));
  return chancePhrases.flatMap((phrase) => {
    const said = byPhrase.get(phrase) ?? [];
    const count = said.length;
    if (count < predictionsOfLine) return [];
    const solved = said.filter(({ isSolved }) => isSolved).length;
    const expected = said.reduce((sum, { chance }) => sum + chance, 0);
    return { phrase, count, solved, expected, interval: wilsonInterval(solved, count) };
  });
}
