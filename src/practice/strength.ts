/** A member's strength at a judge at a moment: a fresh contest rating, or else what the last contests taken say. */
import { LRUCache } from 'lru-cache';
import { dayMs, minuteMs } from '../durations.ts';
import type { ChanceModel } from '../judges/judge.ts';
import { type MemberRevisions, readRevisions } from '../store/activity.ts';
import { listUnfinishedProblems } from '../store/contests.ts';
import type { ProblemRow } from '../store/problems.ts';
import { type HandleRating, listRatings } from '../store/ratings.ts';
import type { Db } from '../store/tables.ts';
import { listTakingRows, listTakings, type Taking, type TakingRow } from '../store/takings.ts';
import { chanceOf } from './chance.ts';
import { ratedAtLeast, rootOf } from './performance.ts';

/** Judges show new accounts too low in their first contests. */
const ratedContestsAtLeast = 6;
const ratingAgeAtMostMs = 180 * dayMs;
const contestsAtMost = 20;
/** Contests that are not over yet do not count. */
const runningAtMost = 3;
const contestsAtLeast = 2;
const contestAgeAtMostMs = 365 * dayMs;
const priorDeviation = 500;
const deviationAtMost = 200;
/** People are better than their last contests say. */
const growth = 60;

export type RatedRow = Pick<TakingRow, 'rating' | 'isSolved'>;
export type CountedTaking = Taking & { rows: readonly TakingRow[] };

export interface Strength {
  strength: number;
  basis: 'rating' | 'contests';
  /** The rated contests, or those taken. */
  contests: number;
}

/** `contests` is how many were taken where nothing can be said. */
export type StrengthAnswer = Strength | { strength: undefined; contests: number; isTooOld?: boolean };

/** The most likely strength, and its standard deviation. */
export function fitStrength(
  model: ChanceModel,
  rows: readonly RatedRow[],
): { strength: number; deviation: number } {
  const slope = Math.LN10 / model.spread;
  const chances = (strength: number) => rows.map(({ rating }) => chanceOf(model, rating, strength));
  const solved = rows.filter(({ isSolved }) => isSolved).length;
  const strength = rootOf((one) => {
    const expected = chances(one).reduce((sum, chance) => sum + chance, 0);
    return (one - model.usualStrength) / priorDeviation ** 2 - slope * (solved - expected);
  });
  const information = chances(strength).reduce((sum, chance) => sum + chance * (1 - chance), 0);
  return { strength, deviation: 1 / Math.sqrt(1 / priorDeviation ** 2 + slope ** 2 * information) };
}

/** The handle that was rated last counts. `ratings` are of one judge, in the order of time. */
export function strengthOfRatings(
  model: ChanceModel,
  ratings: readonly HandleRating[],
  at: number,
): Strength | undefined {
  const before = ratings.filter(({ rated_at }) => Date.parse(rated_at) < at);
  const last = before.at(-1);
  const contests = before.filter(({ handle_id }) => handle_id === last?.handle_id).length;
  if (!last || contests < ratedContestsAtLeast) return undefined;
  if (at - Date.parse(last.rated_at) > ratingAgeAtMostMs) return undefined;
  return { strength: model.strengthOf(Number(last.rating), contests), basis: 'rating', contests };
}

const isKnownAt = ({ first_at, over_at }: Taking, at: number) =>
  Date.parse(first_at) < at && Date.parse(over_at) <= at;

/** The latest contest comes first in `takings`. */
export function strengthOfContests(
  model: ChanceModel,
  takings: readonly CountedTaking[],
  at: number,
): StrengthAnswer {
  const known: CountedTaking[] = [];
  for (const taking of takings) {
    if (known.length === contestsAtMost) break;
    if (isKnownAt(taking, at)) known.push(taking);
  }
  const contests = known.length;
  const [last] = known;
  const nothing = { strength: undefined, contests };
  if (!last || contests < contestsAtLeast) return nothing;
  if (at - Date.parse(last.first_at) > contestAgeAtMostMs) return { ...nothing, isTooOld: true };
  const fit = fitStrength(
    model,
    known.flatMap(({ rows }) => rows),
  );
  if (fit.deviation > deviationAtMost) return nothing;
  return { strength: fit.strength + growth, basis: 'contests', contests };
}

/** The contests that count, the latest first; at most so many. */
export async function readTakings(
  db: Db,
  memberId: bigint,
  source: string,
  known?: { all: readonly Taking[]; most: number },
): Promise<CountedTaking[]> {
  const all = known?.all ?? (await listTakings(db, memberId, source));
  const most = known?.most ?? all.length;
  const counted: CountedTaking[] = [];
  // Few contests have too few rated problems, so that one read is mostly enough.
  for (let start = 0; start < all.length && counted.length < most; start += most) {
    const batch = all.slice(start, start + most);
    const rows = Map.groupBy(await listTakingRows(db, memberId, source, batch), ({ contestId }) => contestId);
    for (const taking of batch) {
      const own = rows.get(taking.id) ?? [];
      if (own.length >= ratedAtLeast) counted.push({ ...taking, rows: own });
    }
  }
  return counted.slice(0, most);
}

/** By judge. */
export async function readStrengths(
  db: Db,
  memberId: bigint,
  models: ReadonlyMap<string, ChanceModel>,
  at: number,
): Promise<Map<string, StrengthAnswer>> {
  const strengths = new Map<string, StrengthAnswer>();
  if (models.size === 0) return strengths;
  const ratings = Map.groupBy(await listRatings(db, { userId: memberId }), ({ source }) => source);
  for (const [source, model] of models) {
    const strength = strengthOfRatings(model, ratings.get(source) ?? [], at);
    if (strength) strengths.set(source, strength);
  }
  const others = [...models].filter(([source]) => !strengths.has(source));
  if (others.length === 0) return strengths;
  const revisions = await readRevisions(db, memberId);
  for (const [source, model] of others) {
    const takings = await readLastTakings(db, memberId, { source }, revisions);
    strengths.set(source, strengthOfContests(model, takings, at));
  }
  return strengths;
}

const anyRevision = ['problems', 'statuses', 'solves'] as const satisfies (keyof MemberRevisions)[];

/**
 * Keeps the rows of a member at a judge while these revisions stay, in one cache for each database, found by its kysely adapter.
 * New contests and contest ratings are noticed when the time is over.
 */
export function cachedByRevisions<Judge extends { source: string }, Row>(
  read: (db: Db, memberId: bigint, judge: Judge, revisions: MemberRevisions) => Promise<Row[]>,
  scopes: readonly (keyof MemberRevisions)[] = anyRevision,
  sizeOf: (row: Row) => number = () => 1,
) {
  const caches = new WeakMap<object, LRUCache<string, Row[]>>();
  const sizeCalculation = (rows: Row[]) => rows.reduce((sum, row) => sum + sizeOf(row), 1);
  return async (db: Db, memberId: bigint, judge: Judge, known?: MemberRevisions): Promise<Row[]> => {
    const revisions = known ?? (await readRevisions(db, memberId));
    const { adapter } = db.getExecutor();
    const cache = caches.get(adapter) ?? new LRUCache({ ...cacheLimits, sizeCalculation });
    caches.set(adapter, cache);
    const key = [memberId, judge.source, ...scopes.map((scope) => revisions[scope])].join(' ');
    const rows = cache.get(key) ?? (await read(db, memberId, judge, revisions));
    cache.set(key, rows);
    return rows;
  };
}

const cacheLimits = { max: 500, maxSize: 100_000, ttl: 5 * minuteMs };

type Judge = { source: string };

/** A mark leaves them as they are: 2.4 of 20 ms of Today after one, for a member with 400 contests. */
const readTakingsOfSubmissions = cachedByRevisions(
  (db, memberId, { source }: Judge) => listTakings(db, memberId, source),
  ['problems', 'solves'],
);

/** The cache saves 6 of 17 ms of Today for a member with 50,000 submissions. */
const readLastTakings = cachedByRevisions(async (db, memberId, judge: Judge, revisions) => {
  const all = await readTakingsOfSubmissions(db, memberId, judge, revisions);
  return readTakings(db, memberId, judge.source, { all, most: contestsAtMost + runningAtMost });
});

/** The cache saves 13 of 36 ms of Ratings for a member with 600 contests. */
export const readAllTakings = cachedByRevisions(
  (db, memberId, { source }: Judge) => readTakings(db, memberId, source),
  anyRevision,
  ({ rows }) => rows.length,
);

/** What the chance of a problem is said from. */
export type Chance = StrengthAnswer & { chance?: number };

/** By problem; those without a rating or of a contest that is not over have none. The member has not solved `problems`. */
export async function readChances(
  db: Db,
  memberId: bigint,
  models: ReadonlyMap<string, ChanceModel>,
  problems: readonly Pick<ProblemRow, 'id' | 'source' | 'rating'>[],
  at: number,
): Promise<Map<bigint, Chance>> {
  const rated = problems.filter(({ source, rating }) => rating !== null && models.has(source));
  const ids = rated.map(({ id }) => id);
  const hidden = new Set<bigint | null>();
  for (const { problem_id } of await listUnfinishedProblems(db, ids, { now: new Date(at).toISOString() }))
    hidden.add(problem_id);
  const shown = rated.filter(({ id }) => !hidden.has(id));
  const sources = new Set(shown.map(({ source }) => source));
  const shownModels = new Map([...models].filter(([source]) => sources.has(source)));
  const strengths = await readStrengths(db, memberId, shownModels, at);
  const chances = new Map<bigint, Chance>();
  for (const { id, source, rating } of shown) {
    const [model, answer] = [models.get(source), strengths.get(source)];
    if (!model || !answer) continue;
    const isKnown = answer.strength !== undefined;
    chances.set(
      id,
      isKnown ? { ...answer, chance: chanceOf(model, Number(rating), answer.strength) } : answer,
    );
  }
  return chances;
}
