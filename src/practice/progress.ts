/** The figures behind the charts of a member's progress, from one list of what they solved and tried. */
import { ascending, descending, extent } from 'd3-array';
import {
  type CompletedProblem,
  listCompleted,
  listFirstSolveTries,
  listPracticing,
} from '../store/activity.ts';
import type { Db } from '../store/tables.ts';
import type { Days } from './days.ts';
import { runningLevel } from './level.ts';

export interface ProblemOutcome {
  id: bigint;
  source: string;
  title: string;
  rating: number | undefined;
  tags: ReadonlySet<string>;
  isSolved: boolean;
  /** In milliseconds; −∞ if unknown, as for `day`. */
  at: number;
  day: number;
  /** The moment of the first solve, to which `day` belongs. */
  firstAt: number;
  /** Submissions until the first solve; 0 if they are unknown or there is none. */
  tries: number;
  isFirstTry: boolean | undefined;
}
export type RatedOutcome = ProblemOutcome & { rating: number };

/** Both days are included; a missing end is open. */
export interface Span {
  from: number | undefined;
  to: number | undefined;
}

export async function listOutcomes(db: Db, userId: bigint, days: Days): Promise<ProblemOutcome[]> {
  const firstTries = new Map((await listFirstSolveTries(db, { userId })).map((row) => [row.problem_id, row]));
  const momentOf = (text: string | null) => (text === null ? Number.NEGATIVE_INFINITY : Date.parse(text));
  const outcomeOf = (
    isSolved: boolean,
    { problem_id: id, completed_at, facts, judged }: CompletedProblem,
  ): ProblemOutcome => {
    const { source, title, tags } = facts;
    const submissions = Number(firstTries.get(id)?.tries ?? 0n);
    // A solved problem without submissions is from a list of the judge, which does not say how often it was tried.
    const isKnown = submissions > 0 || (!isSolved && judged !== null);
    const isFirstTry = isKnown ? submissions === 1 && judged === 'complete' : undefined;
    const solve = isSolved ? firstTries.get(id) : undefined;
    const tries = solve === undefined ? 0 : submissions;
    const at = momentOf(completed_at);
    const firstAt = solve === undefined || solve.at === completed_at ? at : momentOf(solve.at);
    const day = Number.isFinite(firstAt) ? days.at(firstAt) : firstAt;
    const rating = facts.rating ?? undefined;
    return { id, source, title, rating, tags, isSolved, at, firstAt, day, tries, isFirstTry };
  };
  const solved = (await listCompleted(db, userId)).map((one) => outcomeOf(true, one));
  const tried = (await listPracticing(db, userId)).map((one) => outcomeOf(false, one));
  return [...solved, ...tried].sort((a, b) => a.day - b.day || a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** An unknown day is only within all days. */
export function isWithin({ from, to }: Span, day: number): boolean {
  if (day === Number.NEGATIVE_INFINITY) return from === undefined && to === undefined;
  return day >= (from ?? day) && day <= (to ?? day);
}
export const isDated = ({ day }: Pick<ProblemOutcome, 'day'>) => Number.isFinite(day);
export const isRated = (one: ProblemOutcome): one is RatedOutcome => one.rating !== undefined;

export interface CumulativeCounts {
  day: number;
  counts: readonly number[];
}

export function cumulativeCounts(
  solved: readonly RatedOutcome[],
  { from, to }: { from: number; to: number },
  bandOf: (rating: number) => number,
  { bands, most }: { bands: number; most: number },
): CumulativeCounts[] {
  const counts = Array.from({ length: bands }, () => 0);
  const steps: CumulativeCounts[] = [{ day: from - 1, counts: [...counts] }];
  const stepDays = Math.max(1, Math.ceil((to - from + 1) / most));
  let index = 0;
  for (let day = from + ((to - from) % stepDays); day <= to; day += stepDays) {
    for (let one = solved[index]; one !== undefined && one.day <= day; one = solved[++index]) {
      const band = bandOf(one.rating);
      counts[band] = (counts[band] as number) + 1;
    }
    steps.push({ day, counts: [...counts] });
  }
  return steps;
}

export interface Dot {
  solve: RatedOutcome;
  day: number;
  isHardest: boolean;
  median: number | undefined;
}

export function dotsOf(solved: readonly RatedOutcome[]): Dot[] {
  const levelAfter = runningLevel();
  let hardest = -Infinity;
  return solved.map((solve) => {
    const { rating, day } = solve;
    const isHardest = rating > hardest;
    if (isHardest) hardest = rating;
    return { solve, day, isHardest, median: levelAfter(rating) };
  });
}

export interface Bin {
  from: number;
  solved: number;
  tried: number;
}

export const binSize = 100;
export const binOf = (rating: number) => Math.floor(rating / binSize) * binSize;

export function binsOf(outcomes: readonly RatedOutcome[]): Bin[] {
  const [least, most] = extent(outcomes, ({ rating }) => rating);
  if (least === undefined) return [];
  const lowest = binOf(least);
  const bins = Array.from({ length: (binOf(most) - lowest) / binSize + 1 }, (_, index) => ({
    from: lowest + index * binSize,
    solved: 0,
    tried: 0,
  }));
  for (const { rating, isSolved } of outcomes) {
    const bin = bins[(binOf(rating) - lowest) / binSize];
    if (bin) bin[isSolved ? 'solved' : 'tried'] += 1;
  }
  return bins;
}

/** Fewer problems say too little. */
export const countedAtLeast = 10;

/** Rating minus level; the first and the last have no end. */
export const distances = [-600, -400, -200, 0, 200, 400, 600] as const;
export type Distance = (typeof distances)[number];
export const distanceStep = 200;

/** Undefined without a rating, a level before it, or a known submission. */
export function distancesOf(outcomes: readonly ProblemOutcome[]): (Distance | undefined)[] {
  const levelAfter = runningLevel();
  let level: number | undefined;
  return outcomes.map(({ rating, isSolved, isFirstTry }) => {
    if (rating === undefined) return undefined;
    const before = level;
    if (isSolved) level = levelAfter(rating);
    if (before === undefined || isFirstTry === undefined) return undefined;
    const middle = distances.indexOf(0);
    const index = middle + Math.round((rating - before) / distanceStep);
    return distances[Math.max(0, Math.min(index, distances.length - 1))];
  });
}

export interface FirstTries {
  distance: Distance;
  tried: number;
  solvedAtFirstTry: number;
}

/** The steps with many problems, and how many problems are in no step. */
export function firstTriesOf(
  outcomes: readonly ProblemOutcome[],
  span: Span,
): { steps: FirstTries[]; withoutStep: number } {
  const distanceOfEach = distancesOf(outcomes);
  const byDistance = Map.groupBy(
    outcomes
      .map(({ day, isFirstTry }, index) => ({ day, isFirstTry, distance: distanceOfEach[index] }))
      .filter(({ day }) => isWithin(span, day)),
    ({ distance }) => distance,
  );
  const steps = distances.flatMap((distance) => {
    const some = byDistance.get(distance) ?? [];
    if (some.length < countedAtLeast) return [];
    return {
      distance,
      tried: some.length,
      solvedAtFirstTry: some.filter(({ isFirstTry }) => isFirstTry).length,
    };
  });
  return { steps, withoutStep: byDistance.get(undefined)?.length ?? 0 };
}

export async function listByTries(
  db: Db,
  userId: bigint,
  days: Days,
  { distance, isFirstTry }: { distance: number | 'none' | undefined; isFirstTry: boolean },
): Promise<bigint[]> {
  const bySource = Map.groupBy(await listOutcomes(db, userId, days), ({ source }) => source);
  return [...bySource.values()].flatMap((outcomes) => {
    const distanceOfEach = distancesOf(outcomes);
    const isAt = (place: number) => distance === undefined || (distanceOfEach[place] ?? 'none') === distance;
    return outcomes
      .filter((one, index) => isAt(index) && (one.isFirstTry || !isFirstTry))
      .map(({ id }) => id);
  });
}

export interface TopicFigures {
  tag: string;
  fewTries: number;
  manyTries: number;
  unsolved: number;
  last: ProblemOutcome;
  /** Whether the topic rested for six weeks while the member did something else. */
  isResting: boolean;
}

export const fewTriesAtMost = 3;
const restDays = 42;

export const triedOf = ({ fewTries, manyTries, unsolved }: TopicFigures) => fewTries + manyTries + unsolved;

export function topicsOf(outcomes: readonly ProblemOutcome[], span: Span, today: number): TopicFigures[] {
  const topics = new Map<string, TopicFigures>();
  const isActive = outcomes.some(({ day }) => today - day <= restDays);
  for (const one of outcomes) {
    if (!isWithin(span, one.day)) continue;
    const isFewTries = one.isSolved && one.tries <= fewTriesAtMost;
    for (const tag of one.tags) {
      const noFigures = { tag, fewTries: 0, manyTries: 0, unsolved: 0, last: one, isResting: false };
      const topic = topics.get(tag) ?? noFigures;
      topics.set(tag, topic);
      topic[isFewTries ? 'fewTries' : one.isSolved ? 'manyTries' : 'unsolved'] += 1;
      // Outcomes are in the order of their moments.
      topic.last = one;
      topic.isResting = isActive && isDated(one) && today - one.day > restDays;
    }
  }
  return [...topics.values()].sort((a, b) => descending(triedOf(a), triedOf(b)) || ascending(a.tag, b.tag));
}
