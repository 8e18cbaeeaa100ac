/** A member's level at a judge: the rating at which half of what they tried was solved. */
import type { Try } from '../store/next-problems.ts';

/** Where the chance to solve is ten times as much against: the scale of Elo, which Codeforces' and AtCoder's ratings follow. */
const elo = 400;
/** Fewer tries say little. */
const triesAtLeast = 5;

/** The chance that somebody of this level solves a problem of this rating. */
export function chanceAt(level: number, rating: number): number {
  return 1 / (1 + 10 ** ((rating - level) / elo));
}

/** The rating that is solved with this chance. */
export function ratingFor(level: number, chance: number): number {
  return level - elo * Math.log10(chance / (1 - chance));
}

/**
 * The level at which as many of these tries would be expected to succeed as did; undefined if they are too few. One solved and
 * one unsolved try at the middle are added, so that who solved everything has a level too.
 */
export function levelOf(tries: readonly Pick<Try, 'rating' | 'isSolved'>[]): number | undefined {
  if (tries.length < triesAtLeast) return undefined;
  const ratings = tries.map(({ rating }) => Number(rating)).toSorted((a, b) => a - b);
  const middle = ratings[Math.floor(ratings.length / 2)] ?? 0;
  const solved = tries.filter(({ isSolved }) => isSolved).length + 1;
  const all = [...ratings, middle, middle];
  let [low, high] = [-4000, 8000];
  while (high - low > 1) {
    const level = (low + high) / 2;
    const expected = all.reduce((sum, rating) => sum + chanceAt(level, rating), 0);
    if (expected < solved) low = level;
    else high = level;
  }
  return Math.round((low + high) / 2);
}

const dayMs = 86_400_000;
/** How far back tries count; where these are too few, older ones do as well. */
const recentDays = 90;

/** Those of a member's tries that say how good they are now. */
export function recentTries<One extends { at: string }>(tries: readonly One[], now: Date): readonly One[] {
  const since = new Date(now.getTime() - recentDays * dayMs).toISOString();
  const lately = tries.filter(({ at }) => at >= since);
  return lately.length >= triesAtLeast ? lately : tries;
}
