/**
 * Suggestions: for each judge three problems a day without any mark. They are likely, even and a stretch by their chance, or by
 * the member's level where the chance is unknown.
 */

import { createHash } from 'node:crypto';
import type { ChanceModel } from '../judges/judge.ts';
import { type CompletedProblem, listCompleted } from '../store/activity.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import { listUnfinishedProblems } from '../store/contests.ts';
import {
  listAtPlaceInRange,
  listInRatingRange,
  placesInRange,
  type RatingRange,
} from '../store/problem-lists.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import { findStatuses } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { dayStartIso } from './activity.ts';
import { bandRange, type ChanceBand, chanceBandNames, chanceOf } from './chance.ts';
import type { Days } from './days.ts';
import { lastRatings, levelsOf, solvesAtLeast } from './level.ts';
import { readStrengths, type StrengthAnswer } from './strength.ts';

/** At the member's level, one step above it, and two. */
const levelKinds = ['like', 'up', 'stretch'] as const;
type LevelKind = (typeof levelKinds)[number];

export interface ProblemSuggestion {
  kind: LevelKind | ChanceBand;
  problem: ProblemRow;
  range: readonly [from: number, to: number];
  chance?: number;
}

export interface JudgeSuggestions {
  source: string;
  suggestions: readonly ProblemSuggestion[];
  /** Undefined at a judge whose ratings give no chances. */
  strength: StrengthAnswer | undefined;
}

interface Suggestions {
  judges: readonly JudgeSuggestions[];
  /** How many more solved problems of one judge the first suggestions need. */
  missing: number;
}

const stepRating = 200;
const rangeWidth = 100;

/** What is solved today changes the suggestions tomorrow, so that they stay the same for a day. */
export async function listSuggestions(
  db: Db,
  userId: bigint,
  { days, today, models }: { days: Days; today: number; models: ReadonlyMap<string, ChanceModel> },
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<Suggestions> {
  const completed = await (loaded ?? listCompleted(db, userId));
  const startOfDay = dayStartIso(days, today);
  const before = levelsOf(lastRatings(completed, startOfDay));
  const last = before.length > 0 ? undefined : lastRatings(completed);
  const levels = last ? levelsOf(last) : before;
  const strengths = await readStrengths(db, userId, models, Date.parse(startOfDay));
  const sources = new Set([...levels.map(({ source }) => source), ...models.keys()]);
  const bands = [...sources].flatMap((source): SuggestedBand[] => {
    const model = models.get(source);
    const level = levels.find((one) => one.source === source);
    const strength = strengths.get(source)?.strength;
    if (model && strength !== undefined)
      return chanceBandNames.map((kind) => bandOf(source, kind, bandRange(model, kind, strength)));
    if (!level) return [];
    const highest = level.hardest + 2 * stepRating;
    return levelKinds.map((kind) => bandOf(source, kind, rangeOf(level.level, kind), highest));
  });
  const suggestions = await suggestFrom(db, userId, today, bands);
  const all = [...sources].map((source): JudgeSuggestions => {
    const [model, strength] = [models.get(source), strengths.get(source)];
    const ofJudge = suggestions.filter(({ problem }) => problem.source === source);
    if (!model || strength?.strength === undefined) return { source, suggestions: ofJudge, strength };
    const chanceAt = (rating: bigint | null) => chanceOf(model, Number(rating), strength.strength);
    const withChances = ofJudge.map((one) => ({ ...one, chance: chanceAt(one.problem.rating) }));
    return { source, suggestions: withChances, strength };
  });
  const ratedSolves = last ? Math.max(0, ...[...last.values()].map(({ length }) => length)) : solvesAtLeast;
  return {
    judges: all.filter(({ suggestions }) => suggestions.length > 0),
    missing: Math.max(0, solvesAtLeast - ratedSolves),
  };
}

export function rangeOf(level: number, kind: LevelKind): readonly [from: number, to: number] {
  const from = Math.floor(level / rangeWidth) * rangeWidth + levelKinds.indexOf(kind) * stepRating;
  return [from, from + rangeWidth];
}

type Band = Omit<RatingRange, 'tag'>;
type SuggestedBand = Band & Pick<ProblemSuggestion, 'kind' | 'range'>;

/** A suggestion by level is never more than two steps above what the member solved, its `highest`. */
const bandOf = (
  source: string,
  kind: ProblemSuggestion['kind'],
  range: ProblemSuggestion['range'],
  highest = range[1],
): SuggestedBand => ({
  source,
  kind,
  range,
  from: Math.ceil(range[0]),
  to: Math.floor(Math.min(range[1], highest)),
});

/** Most problems of a band are untouched, so that one draw for each mostly saves reading them all. */
async function suggestFrom(
  db: Db,
  userId: bigint,
  day: number,
  bands: readonly SuggestedBand[],
): Promise<ProblemSuggestion[]> {
  const draws: { band: SuggestedBand; random: () => number; id: bigint | undefined }[] = [];
  for (const band of bands) {
    const { source, kind, from, to } = band;
    const random = randomNumbers(`${userId} ${source} ${day} ${kind}`);
    const place = BigInt(random() * placesInRange);
    const [drawn] = await listAtPlaceInRange(db, { source, from: BigInt(from), to: BigInt(to), place });
    draws.push({ band, random, id: drawn?.id });
  }
  const touched = await findTouched(
    db,
    userId,
    draws.flatMap(({ id }) => id ?? []),
  );
  for (const draw of draws)
    if (draw.id !== undefined && touched.has(draw.id))
      draw.id = await findUntouched(db, userId, draw.band, draw.random);
  const problems = await findProblemsByIds(
    db,
    draws.flatMap(({ id }) => id ?? []),
  );
  return draws.flatMap(({ band: { kind, range }, id }) => {
    const problem = problems.find((one) => one.id === id);
    return problem ? { kind, problem, range } : [];
  });
}

const candidatesAtMost = 100_000;
const batchSize = 100;

/** Each untouched problem is as likely as the others: the ids are shuffled as far as needed. */
async function findUntouched(
  db: Db,
  userId: bigint,
  band: Band,
  random: () => number,
): Promise<bigint | undefined> {
  const ids = await listInRatingRange(db, { ...band, tag: undefined }, candidatesAtMost);
  ids.sort((a, b) => Number(a - b));
  for (let start = 0; start < ids.length; start += batchSize) {
    const end = Math.min(start + batchSize, ids.length);
    for (let at = start; at < end; at++) {
      const other = at + Math.floor(random() * (ids.length - at));
      [ids[at], ids[other]] = [ids[other] ?? 0n, ids[at] ?? 0n];
    }
    const batch = ids.slice(start, end);
    const touched = await findTouched(db, userId, batch);
    const id = batch.find((one) => !touched.has(one));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Problems are touched by a status, a star, a note, or a request for the editorial; those of a running contest are left out. */
async function findTouched(db: Db, userId: bigint, ids: readonly bigint[]): Promise<Set<bigint | null>> {
  const touched = new Set<bigint | null>();
  for (const rows of [
    await findStatuses(db, userId, ids),
    await findBookmarks(db, userId, ids),
    await listUnfinishedProblems(db, ids, { now: new Date().toISOString() }),
  ])
    for (const { problem_id } of rows) touched.add(problem_id);
  return touched;
}

/** Numbers from 0 up to 1, the same for the same seed (SplitMix32). */
function randomNumbers(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / placesInRange;
  };
}
