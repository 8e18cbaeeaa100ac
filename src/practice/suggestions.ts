/** Suggestions: for each judge three problems a day without any mark, at the member's level and one and two steps above it. */

import { type CompletedProblem, listCompleted, listPracticing } from '../store/activity.ts';
import { findBookmarks } from '../store/bookmarks.ts';
import { listShuffled, shufflePrime } from '../store/problem-lists.ts';
import { findProblemsByIds, type ProblemRow } from '../store/problems.ts';
import { findStatuses } from '../store/statuses.ts';
import type { Db } from '../store/tables.ts';
import { dayStartIso } from './activity.ts';
import type { Days } from './days.ts';
import { type Level, lastRatings, levelsOf, solvesAtLeast } from './level.ts';

/** At the member's level, one step above it, and two. */
export const suggestionKinds = ['like', 'up', 'stretch'] as const;
export type SuggestionKind = (typeof suggestionKinds)[number];

export interface ProblemSuggestion {
  kind: SuggestionKind;
  problem: ProblemRow;
  range: readonly [from: number, to: number];
  triedCount: number;
  solvedCount: number;
}

export interface JudgeSuggestions {
  source: string;
  suggestions: readonly ProblemSuggestion[];
}

interface Suggestions {
  judges: readonly JudgeSuggestions[];
  /** How many more solved problems of one judge the first suggestions need. */
  missing: number;
}

const stepRating = 200;
const rangeWidth = 100;

/** What is solved today changes the level tomorrow, so that suggestions stay the same for a day. */
export async function listSuggestions(
  db: Db,
  userId: bigint,
  days: Days,
  today: number,
  loaded?: Promise<readonly CompletedProblem[]>,
): Promise<Suggestions> {
  const completed = await (loaded ?? listCompleted(db, userId));
  const before = levelsOf(lastRatings(completed, dayStartIso(days, today)));
  const last = before.length > 0 ? undefined : lastRatings(completed);
  const levels = last ? levelsOf(last) : before;
  const practicing = levels.length === 0 ? [] : await listPracticing(db, userId);
  const all = await Promise.all(
    levels.map(async (level) => {
      const suggestions = await Promise.all(
        suggestionKinds.map((kind) =>
          suggest(db, { userId, day: today, level, kind }, completed, practicing),
        ),
      );
      return { source: level.source, suggestions: suggestions.filter((one) => one !== undefined) };
    }),
  );
  const ratedSolves = last ? Math.max(0, ...[...last.values()].map(({ length }) => length)) : solvesAtLeast;
  return {
    judges: all.filter(({ suggestions }) => suggestions.length > 0),
    missing: Math.max(0, solvesAtLeast - ratedSolves),
  };
}

export function rangeOf(level: number, kind: SuggestionKind): readonly [from: number, to: number] {
  const from = Math.floor(level / rangeWidth) * rangeWidth + suggestionKinds.indexOf(kind) * stepRating;
  return [from, from + rangeWidth];
}

interface SuggestionRequest {
  userId: bigint;
  day: number;
  level: Level;
  kind: SuggestionKind;
}

async function suggest(
  db: Db,
  { userId, day, level, kind }: SuggestionRequest,
  completed: readonly RatedProblem[],
  practicing: readonly RatedProblem[],
): Promise<ProblemSuggestion | undefined> {
  const { source } = level;
  const range = rangeOf(level.level, kind);
  // A suggestion is never more than two steps above what the member solved.
  const highestRating = Math.min(range[1], level.hardest + 2 * stepRating);
  const problem = await findUntouched(db, userId, source, [range[0], highestRating], day);
  if (!problem) return undefined;
  const solvedCount = countIn(completed, source, range);
  return {
    kind,
    problem,
    range,
    solvedCount,
    triedCount: solvedCount + countIn(practicing, source, range),
  };
}

const firstBatchSize = 100n;

/** Problems are touched by a status, a star, a note, or a request for the editorial. */
async function findUntouched(
  db: Db,
  userId: bigint,
  source: string,
  range: readonly [from: number, to: number],
  day: number,
): Promise<ProblemRow | undefined> {
  const factor = 1n + ((BigInt(day) * 104_729n + userId * 7919n) % (shufflePrime - 1n));
  // Most of the first ones are untouched, and looking up the whole range would cost more.
  for (let [offset, count] = [0n, firstBatchSize]; ; [offset, count] = [offset + count, count * 10n]) {
    const ids = await listShuffled(db, source, range, { factor, offset, count });
    const [marked, starred] = [await findStatuses(db, userId, ids), await findBookmarks(db, userId, ids)];
    const touched = new Set([...marked, ...starred].map(({ problem_id }) => problem_id));
    const id = ids.find((one) => !touched.has(one));
    if (id !== undefined) return (await findProblemsByIds(db, [id]))[0];
    if (BigInt(ids.length) < count) return undefined;
  }
}

type RatedProblem = Pick<CompletedProblem, 'facts'>;

function countIn(
  problems: readonly RatedProblem[],
  judge: string,
  [from, to]: ProblemSuggestion['range'],
): number {
  let count = 0;
  for (const { facts } of problems) {
    const { source, rating, isGym } = facts;
    if (rating !== null && rating >= from && rating <= to && source === judge && !isGym) count += 1;
  }
  return count;
}
