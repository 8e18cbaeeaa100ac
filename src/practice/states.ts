/** Which status is further than which. */
import type { State } from '../store/tables.ts';

/** From untouched to done; a problem put aside counts as less than one that is being worked on. */
const order: readonly State[] = ['not_started', 'ignored', 'skipped', 'reading', 'practicing', 'complete'];

/** What somebody said of a problem, and when; nulls where they said nothing. */
export type Word = readonly [status: State | null, at: string | null];

/** The further of two words with its date; of two alike the earlier. */
export function furtherWord(one: Word, other: Word): Word {
  const ranks = [rank(one[0]), rank(other[0])] as const;
  if (ranks[0] !== ranks[1]) return ranks[0] > ranks[1] ? one : other;
  return (one[1] ?? '') <= (other[1] ?? '') ? one : other;
}

function rank(status: State | null): number {
  return status === null ? -1 : order.indexOf(status);
}
