/** What next: for each judge three problems a day that the member never touched, by how likely they are to be solved. */
import { countTried, findUntouched, listTries } from '../store/next-problems.ts';
import type { ProblemRow } from '../store/problems.ts';
import type { Db } from '../store/tables.ts';
import { chanceAt, levelOf, ratingFor, recentTries } from './level.ts';

export const kinds = { likely: 0.8, even: 0.5, stretch: 0.2 } as const;
export type Kind = keyof typeof kinds;

export interface Suggestion {
  kind: Kind;
  problem: ProblemRow;
  /** The chance that the member solves it, from 0 to 1. */
  chance: number;
  /** The ratings from which it was taken, which also the list can be filtered by. */
  range: readonly [from: number, to: number];
  /** How many the member tried and solved in that range, whenever it was, as the list filters them. */
  tried: number;
  solved: number;
}

export interface Next {
  source: string;
  level: number;
  suggestions: readonly Suggestion[];
}

const dayMs = 86_400_000;
const halfRange = 50;

/** For each judge at which the member has tried enough. */
export async function listNext(
  db: Db,
  userId: bigint,
  now: Date,
  /** The member's day, for which the problems are drawn. */
  day = Math.floor(now.getTime() / dayMs),
): Promise<Next[]> {
  const all = Map.groupBy(await listTries(db, userId), ({ source }) => source);
  const found: Next[] = [];
  for (const [source, tries] of all) {
    const level = levelOf(recentTries(tries, now));
    if (level === undefined) continue;
    const suggestions: Suggestion[] = [];
    for (const [kind, chance] of Object.entries(kinds) as [Kind, number][]) {
      const suggestion = await suggest(db, { userId, source, day, level, kind, chance });
      if (suggestion) suggestions.push(suggestion);
    }
    found.push({ source, level, suggestions });
  }
  return found.toSorted((a, b) => (all.get(b.source)?.length ?? 0) - (all.get(a.source)?.length ?? 0));
}

interface Asked {
  userId: bigint;
  source: string;
  day: number;
  level: number;
  kind: Kind;
  chance: number;
}

async function suggest(
  db: Db,
  { userId, source, day, level, kind, chance }: Asked,
): Promise<Suggestion | undefined> {
  const rating = ratingFor(level, chance);
  const range = [Math.max(0, Math.round(rating - halfRange)), Math.round(rating + halfRange)] as const;
  const problem = await findUntouched(db, userId, source, range, day);
  if (!problem) return undefined;
  return {
    ...{ kind, problem, range },
    chance: chanceAt(level, Number(problem.rating)),
    ...(await countTried(db, userId, source, range)),
  };
}
