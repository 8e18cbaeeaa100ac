/** The figures behind the pictures of a member's progress, from one list of what they solved and tried. */
import { extent } from 'd3-array';
import { type CompletedProblem, listCompleted, listFirstTries, listPracticing } from '../store/activity.ts';
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
  /** The moment of the first solve of a solved problem, in milliseconds, and the member's day; −∞ where nobody knows them. */
  at: number;
  day: number;
  /** The moment to which that day belongs. */
  firstAt: number;
  /** Submissions until then; 0 for a problem that is not solved, and where nobody knows them. */
  tries: number;
  /** Whether the judge accepted the first submission; undefined where no submission is known. */
  isFirstTry: boolean | undefined;
}
export type RatedOutcome = ProblemOutcome & { rating: number };

/** Days of the member, both included; an end that is not there is open. */
export interface Span {
  from: number | undefined;
  to: number | undefined;
}

/** In the order of their days and moments, those of unknown days first. */
export async function listOutcomes(db: Db, userId: bigint, days: Days): Promise<ProblemOutcome[]> {
  const first = new Map((await listFirstTries(db, { userId })).map((row) => [row.problem_id, row]));
  const momentOf = (text: string | null) => (text === null ? Number.NEGATIVE_INFINITY : Date.parse(text));
  const reachedAs = (
    isSolved: boolean,
    { problem_id: id, completed_at, facts, judged }: CompletedProblem,
  ): ProblemOutcome => {
    const { source, title, tags } = facts;
    const sent = Number(first.get(id)?.tries ?? 0n);
    // A solved problem with the judge's word and no submissions is from a list, which does not say how often it was tried.
    const isKnown = sent > 0 || (!isSolved && judged !== null);
    const isFirstTry = isKnown ? sent === 1 && judged === 'complete' : undefined;
    const solve = isSolved ? first.get(id) : undefined;
    const tries = solve === undefined ? 0 : sent;
    const at = momentOf(completed_at);
    const firstAt = solve === undefined || solve.at === completed_at ? at : momentOf(solve.at);
    const day = Number.isFinite(firstAt) ? days.at(firstAt) : firstAt;
    const rating = facts.rating ?? undefined;
    return { id, source, title, rating, tags, isSolved, at, firstAt, day, tries, isFirstTry };
  };
  const solved = (await listCompleted(db, userId)).map((one) => reachedAs(true, one));
  const tried = (await listPracticing(db, userId)).map((one) => reachedAs(false, one));
  return [...solved, ...tried].sort((a, b) => a.day - b.day || a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** An unknown day is within all days and no others. */
export function isWithin({ from, to }: Span, day: number): boolean {
  if (day === Number.NEGATIVE_INFINITY) return from === undefined && to === undefined;
  return day >= (from ?? day) && day <= (to ?? day);
}
export const isDated = ({ day }: Pick<ProblemOutcome, 'day'>) => Number.isFinite(day);
export const isRated = (one: ProblemOutcome): one is RatedOutcome => one.rating !== undefined;

/** How many were solved by the end of each of some days, by the place of their band. */
export interface Step {
  day: number;
  counts: readonly number[];
}

/** First solves so far, at most `most` steps apart. */
export function climb(
  solved: readonly RatedOutcome[],
  { from, to }: { from: number; to: number },
  bandOf: (rating: number) => number,
  { bands, most }: { bands: number; most: number },
): Step[] {
  const counts = Array.from({ length: bands }, () => 0);
  const steps: Step[] = [{ day: from - 1, counts: [...counts] }];
  const apart = Math.max(1, Math.ceil((to - from + 1) / most));
  let place = 0;
  for (let day = from + ((to - from) % apart); day <= to; day += apart) {
    for (let one = solved[place]; one !== undefined && one.day <= day; one = solved[++place]) {
      const band = bandOf(one.rating);
      counts[band] = (counts[band] ?? 0) + 1;
    }
    steps.push({ day, counts: [...counts] });
  }
  return steps;
}

export interface Dot {
  solve: RatedOutcome;
  day: number;
  /** Whether nothing so hard was solved before. */
  isHardest: boolean;
  /** The level of the member then. */
  median: number | undefined;
}

/** Each first solve in their order, however long ago the first of them was. */
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

/** Solved and tried by hundreds of rating, without a gap from the lowest to the highest. */
export function binsOf(reached: readonly RatedOutcome[]): Bin[] {
  const [least, most] = extent(reached, ({ rating }) => rating);
  if (least === undefined || most === undefined) return [];
  const lowest = binOf(least);
  const bins = Array.from({ length: (binOf(most) - lowest) / binSize + 1 }, (_, place) => ({
    from: lowest + place * binSize,
    solved: 0,
    tried: 0,
  }));
  for (const { rating, isSolved } of reached) {
    const bin = bins[(binOf(rating) - lowest) / binSize];
    if (bin) bin[isSolved ? 'solved' : 'tried'] += 1;
  }
  return bins;
}

/* Problems solved on the first try, by how far their rating was from the member's level before. */

/** The steps of rating minus level; the lowest and the highest have no end. */
export const distances = [-600, -400, -200, 0, 200, 400, 600] as const;
export type Distance = (typeof distances)[number];
/** From one step to the next. */
export const distanceStep = 200;

/**
 * The step of each problem of one judge, by the level before it; undefined where a problem has no rating, a member had no level yet
 * or no submission is known.
 */
export function distancesOf(reached: readonly ProblemOutcome[]): (Distance | undefined)[] {
  const levelAfter = runningLevel();
  let level: number | undefined;
  return reached.map(({ rating, isSolved, isFirstTry }) => {
    if (rating === undefined) return undefined;
    const before = level;
    if (isSolved) level = levelAfter(rating);
    if (before === undefined || isFirstTry === undefined) return undefined;
    const middle = distances.indexOf(0);
    const place = middle + Math.round((rating - before) / distanceStep);
    return distances[Math.max(0, Math.min(place, distances.length - 1))];
  });
}

export interface FirstTries {
  distance: Distance;
  tried: number;
  /** How many of them were solved on the first try. */
  first: number;
}

/** The problems of a judge that were reached within the days, by their step. */
export function firstTriesOf(reached: readonly ProblemOutcome[], span: Span): FirstTries[] {
  const steps = distancesOf(reached);
  return distances.map((distance) => {
    const some = reached.filter(({ day }, place) => steps[place] === distance && isWithin(span, day));
    return { distance, tried: some.length, first: some.filter(({ isFirstTry }) => isFirstTry).length };
  });
}

/** The problems that a member reached with these tries: at a step, or at none that is known, and solved on the first. */
export async function listByTries(
  db: Db,
  userId: bigint,
  days: Days,
  { distance, isFirstTry }: { distance: number | 'none' | undefined; isFirstTry: boolean },
): Promise<bigint[]> {
  const bySource = Map.groupBy(await listOutcomes(db, userId, days), ({ source }) => source);
  return [...bySource.values()].flatMap((reached) => {
    const steps = distancesOf(reached);
    const isAt = (place: number) => distance === undefined || (steps[place] ?? 'none') === distance;
    return reached.filter((one, place) => isAt(place) && (one.isFirstTry || !isFirstTry)).map(({ id }) => id);
  });
}

/* A member's topics: how much of what they tried they solved, soon or later, and which of them rest. */

/** A topic of a judge in figures. */
export interface TopicFigures {
  tag: string;
  /** Solved within three tries, and later. */
  soon: number;
  later: number;
  open: number;
  /** The problems at the member's level: how many were tried, and how many of them were solved soon. */
  levelTried: number;
  levelSoon: number;
  last: ProblemOutcome;
  /** Whether nothing of it was reached for six weeks, while something else was. */
  rests: boolean;
}

/** The last number of tries that count as soon. */
export const soonTries = 3;
const restDays = 42;

export const triedOf = ({ soon, later, open }: TopicFigures) => soon + later + open;

/** The topics of what was reached within the days, the most tried first. */
export function topicsOf(
  reached: readonly ProblemOutcome[],
  span: Span,
  level: readonly [from: number, to: number] | undefined,
  today: number,
): TopicFigures[] {
  const topics = new Map<string, TopicFigures>();
  const isActive = reached.some(({ day }) => today - day <= restDays);
  for (const one of reached) {
    if (!isWithin(span, one.day)) continue;
    const isSoon = one.isSolved && one.tries <= soonTries;
    const isAtLevel =
      level !== undefined && one.rating !== undefined && one.rating >= level[0] && one.rating <= level[1];
    for (const tag of one.tags) {
      const none = { tag, soon: 0, later: 0, open: 0, levelTried: 0, levelSoon: 0, last: one, rests: false };
      const topic = topics.get(tag) ?? none;
      topics.set(tag, topic);
      topic[isSoon ? 'soon' : one.isSolved ? 'later' : 'open'] += 1;
      if (isAtLevel) topic.levelTried += 1;
      if (isAtLevel && isSoon) topic.levelSoon += 1;
      // They come in the order of their moments.
      topic.last = one;
      topic.rests = isActive && isDated(one) && today - one.day > restDays;
    }
  }
  return [...topics.values()].sort((a, b) => triedOf(b) - triedOf(a) || (a.tag < b.tag ? -1 : 1));
}

/** Fewer tries at the level say little about a topic. */
const sayingAtLeast = 5;
const compared = 10;

/** The topics with the highest and the lowest share solved soon at the level, among those that are tried most. */
export function surestAndSlowest(
  topics: readonly TopicFigures[],
): { surest: TopicFigures; slowest: TopicFigures } | undefined {
  const share = ({ levelSoon, levelTried }: TopicFigures) => levelSoon / levelTried;
  const ranked = topics
    .slice(0, compared)
    .filter(({ levelTried }) => levelTried >= sayingAtLeast)
    .toSorted((a, b) => share(b) - share(a));
  const [surest, slowest] = [ranked[0], ranked.at(-1)];
  if (!surest || !slowest || share(surest) === share(slowest)) return undefined;
  return { surest, slowest };
}
