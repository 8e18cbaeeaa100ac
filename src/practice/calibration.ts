/** How often what is said of problems came true: predictions before each contest taken, by phrase, with intervals. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dayMs } from '../durations.ts';
import type { ChanceModel } from '../judges/judge.ts';
import { listMembersWithHandles } from '../store/handles.ts';
import { type HandleRating, listRatings } from '../store/ratings.ts';
import type { Db } from '../store/tables.ts';
import type { TakingRow } from '../store/takings.ts';
import { type ChancePhrase, chanceOf, chancePhrases, phraseOf } from './chance.ts';
import {
  type CountedTaking,
  cachedByRevisions,
  readTakings,
  strengthOfContests,
  strengthOfRatings,
} from './strength.ts';

export interface Prediction {
  chance: number;
  isSolved: boolean;
  /** The first submission to the contest, in milliseconds. */
  at: number;
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
      at,
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

export interface PredictionCounts {
  count: number;
  solved: number;
  expected: number;
}

export const countPredictions = (predictions: readonly Prediction[]): PredictionCounts => ({
  count: predictions.length,
  solved: predictions.filter(({ isSolved }) => isSolved).length,
  expected: predictions.reduce((sum, { chance }) => sum + chance, 0),
});

export interface CalibrationLine extends PredictionCounts {
  phrase: ChancePhrase;
  interval: readonly [low: number, high: number];
}

/** Whether what was said is outside the interval of what was solved. */
export const isOff = ({ count, expected, interval: [low, high] }: CalibrationLine): boolean =>
  expected < low * count || expected > high * count;

/** Fewer predictions of a phrase or a topic, or of a page, say too little. */
export const predictionsOfLine = 10;
export const predictionsOfPage = 30;
/** A line of fewer people would reveal too much about each. */
const peopleOfLine = 5;

type Models = ReadonlyMap<string, ChanceModel>;
type Judge = { source: string; model: ChanceModel };

async function computePredictions(db: Db, memberId: bigint, { source, model }: Judge): Promise<Prediction[]> {
  const takings = await readTakings(db, memberId, source);
  if (takings.length === 0) return [];
  const ratings = await listRatings(db, { userId: memberId });
  return predictionsOf(
    model,
    ratings.filter((one) => one.source === source),
    takings,
  );
}

/** The cache saves 40 of 100 ms of Progress for a member with 400 contests and without a contest rating. */
export const readPredictions = cachedByRevisions(computePredictions);

/** One for each database, found by its kysely adapter. */
const gardens = new WeakMap<object, { day: number; lines: Promise<CalibrationLine[]> }>();

/** Of all members together, without samples and disabled accounts; computed once a day. */
export function readGardenCalibration(db: Db, models: Models, now: number): Promise<CalibrationLine[]> {
  const { adapter } = db.getExecutor();
  const day = Math.floor(now / dayMs);
  const known = gardens.get(adapter);
  if (known?.day === day) return known.lines;
  const lines = computeGarden(db, models);
  gardens.set(adapter, { day, lines });
  lines.catch(() => gardens.delete(adapter));
  return lines;
}

async function computeGarden(db: Db, models: Models): Promise<CalibrationLine[]> {
  const all: Prediction[] = [];
  const people = new Map<ChancePhrase, number>();
  for (const id of await listMembersWithHandles(db, [...models.keys()])) {
    // Other requests are answered between members.
    await nextTurn();
    const own: Prediction[] = [];
    for (const [source, model] of models) own.push(...(await computePredictions(db, id, { source, model })));
    all.push(...own);
    for (const phrase of new Set(own.map(({ chance }) => phraseOf(chance))))
      people.set(phrase, (people.get(phrase) ?? 0) + 1);
  }
  return calibrationLines(all).filter(({ phrase }) => (people.get(phrase) ?? 0) >= peopleOfLine);
}

export function calibrationLines(predictions: readonly Prediction[]): CalibrationLine[] {
  const byPhrase = Map.groupBy(predictions, ({ chance }) => phraseOf(chance));
  return chancePhrases.flatMap((phrase) => {
    const counts = countPredictions(byPhrase.get(phrase) ?? []);
    if (counts.count < predictionsOfLine) return [];
    return { phrase, ...counts, interval: wilsonInterval(counts.solved, counts.count) };
  });
}

export interface TopicLine extends PredictionCounts {
  tag: string;
}

/** Most predictions come first, because two halves of one history hardly agree on which topics went better than expected. */
export function topicLines(predictions: readonly Prediction[]): TopicLine[] {
  const byTopic = new Map<string, Prediction[]>();
  for (const one of predictions)
    for (const tag of JSON.parse(one.row.tags) as string[]) {
      const some = byTopic.get(tag) ?? [];
      byTopic.set(tag, some);
      some.push(one);
    }
  return Array.from(byTopic, ([tag, some]) => ({ tag, ...countPredictions(some) }))
    .filter(({ count }) => count >= predictionsOfLine)
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
}
