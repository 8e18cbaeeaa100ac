/**
 * Suggestions: for each judge three problems a day without any mark. They are likely, even and a stretch by their chance, or by
 * the member's level where the chance is unknown.
 */

import { createHash } from 'node:crypto';
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
import { bandRange, type ChanceBand, type ChanceModel, chanceBandNames, chanceOf } from './chance.ts';
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
  const all = await Promise.all(
    [...sources].map(async (source): Promise<JudgeSuggestions> => {
      const model = models.get(source);
      const level = levels.find((one) => one.source === source);
      const strength = strengths.get(source);
      const pick = (kind: ProblemSuggestion['kind'], range: ProblemSuggestion['range'], highest = range[1]) =>
        suggest(db, { userId, source, day: today, kind, range, highest });
      const found = await Promise.all(
        model && strength?.strength !== undefined
          ? chanceBandNames.map((kind) => pick(kind, bandRange(model, kind, strength.strength)))
          : level
            ? levelKinds.map((kind) => pick(kind, rangeOf(level.level, kind), level.hardest + 2 * stepRating))
            : [],
      );
      const suggestions = found.flatMap((one) => {
        if (!one || !model || strength?.strength === undefined) return one ?? [];
        return { ...one, chance: chanceOf(model, Number(one.problem.rating), strength.strength) };
      });
      return { source, suggestions, strength };
    }),
  );
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

interface SuggestionRequest {
  userId: bigint;
  source: string;
  day: number;
  kind: ProblemSuggestion['kind'];
  range: ProblemSuggestion['range'];
  /** A suggestion by level is never more than two steps above what the member solved. */
  highest: number;
}

async function suggest(db: Db, request: SuggestionRequest): Promise<ProblemSuggestion | undefined> {
  const { userId, source, day, kind, range, highest } = request;
  const band = { source, from: Math.ceil(range[0]), to: Math.floor(Math.min(range[1], highest)) };
  const random = randomNumbers(`${userId} ${source} ${day} ${kind}`);
  const id =
    (await drawUntouched(db, userId, band, random)) ?? (await findUntouched(db, userId, band, random));
  const [problem] = id === undefined ? [] : await findProblemsByIds(db, [id]);
  return problem && { kind, problem, range };
}

type Band = Omit<RatingRange, 'tag'>;

/** Most problems of a band are untouched, so that one draw mostly saves reading them all. */
async function drawUntouched(
  db: Db,
  userId: bigint,
  { source, from, to }: Band,
  random: () => number,
): Promise<bigint | undefined> {
  const place = BigInt(random() * placesInRange);
  const drawn = await listAtPlaceInRange(db, { source, from: BigInt(from), to: BigInt(to), place });
  return firstUntouched(
    db,
    userId,
    drawn.map(({ id }) => id),
  );
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
    const id = await firstUntouched(db, userId, ids.slice(start, end));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Problems are touched by a status, a star, a note, or a request for the editorial. */
async function firstUntouched(db: Db, userId: bigint, ids: readonly bigint[]): Promise<bigint | undefined> {
  const touched = new Set<bigint | null>();
  for (const rows of [
    await findStatuses(db, userId, ids),
    await findBookmarks(db, userId, ids),
    await listUnfinishedProblems(db, ids, { now: new Date().toISOString() }),
  ])
    for (const { problem_id } of rows) touched.add(problem_id);
  return ids.find((one) => !touched.has(one));
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
