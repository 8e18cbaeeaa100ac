/**
 * Suggestions by level: for each judge three problems a day without any mark, drawn the same all day. What is drawn by the chance
 * to solve it is in chance-suggestions.ts, which programs do not see.
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
import type { Days } from './days.ts';
import { lastRatings, levelsOf, solvesAtLeast } from './level.ts';

/** At the member's level, one step above it, and two. */
const levelKinds = ['like', 'up', 'stretch'] as const;
export type LevelKind = (typeof levelKinds)[number];

export interface DrawnProblem<Kind> {
  kind: Kind;
  problem: ProblemRow;
  range: readonly [from: number, to: number];
}

export interface SuggestionDay {
  days: Days;
  today: number;
}

type Level = ReturnType<typeof levelsOf>[number];

const stepRating = 200;
const rangeWidth = 100;

/** What is solved today changes the suggestions tomorrow, so that they stay the same for a day. */
export async function readLevelsAtStart(
  db: Db,
  userId: bigint,
  { days, today }: SuggestionDay,
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<{ levels: readonly Level[]; missing: number; startOfDay: string }> {
  const completed = await (loaded ?? listCompleted(db, userId));
  const startOfDay = dayStartIso(days, today);
  const before = levelsOf(lastRatings(completed, startOfDay));
  if (before.length > 0) return { levels: before, missing: 0, startOfDay };
  const last = lastRatings(completed);
  const most = Math.max(0, ...[...last.values()].map(({ length }) => length));
  return { levels: levelsOf(last), missing: Math.max(0, solvesAtLeast - most), startOfDay };
}

export async function listLevelSuggestions(
  db: Db,
  userId: bigint,
  day: SuggestionDay,
): Promise<{ items: DrawnProblem<LevelKind>[]; missing: number }> {
  const { levels, missing } = await readLevelsAtStart(db, userId, day);
  return { items: await drawProblems(db, userId, day.today, levels.flatMap(levelBands)), missing };
}

/** A suggestion by level is never more than two steps above what the member solved. */
export const levelBands = ({ source, level, hardest }: Level): SuggestedBand<LevelKind>[] =>
  levelKinds.map((kind) => bandOf(source, kind, rangeOf(level, kind), hardest + 2 * stepRating));

export function rangeOf(level: number, kind: LevelKind): readonly [from: number, to: number] {
  const from = Math.floor(level / rangeWidth) * rangeWidth + levelKinds.indexOf(kind) * stepRating;
  return [from, from + rangeWidth];
}

type Band = Omit<RatingRange, 'tag'>;
export type SuggestedBand<Kind> = Band & Pick<DrawnProblem<Kind>, 'kind' | 'range'>;

export const bandOf = <Kind>(
  source: string,
  kind: Kind,
  range: SuggestedBand<Kind>['range'],
  highest = range[1],
): SuggestedBand<Kind> => ({
  source,
  kind,
  range,
  from: Math.ceil(range[0]),
  to: Math.floor(Math.min(range[1], highest)),
});

/** Most problems of a band are untouched, so that one draw for each mostly saves reading them all. */
export async function drawProblems<Kind extends string>(
  db: Db,
  userId: bigint,
  day: number,
  bands: readonly SuggestedBand<Kind>[],
): Promise<DrawnProblem<Kind>[]> {
  const draws: { band: SuggestedBand<Kind>; random: () => number; id: bigint | undefined }[] = [];
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
