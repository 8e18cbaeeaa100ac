/** Which status is further than which. */
import type { State } from '../store/tables.ts';

/** From untouched to done. A problem that was put aside counts less than one in work. */
const order: readonly State[] = ['not_started', 'ignored', 'skipped', 'reading', 'practicing', 'complete'];

/** A member's or a judge's word on a problem, with its time; nulls if there is none. */
export type Word = readonly [status: State | null, at: string | null];

/** The further of two words with its date; of two alike the earlier. */
export function furtherWord(one: Word, other: Word): Word {
  const ranks = [rank(one[0]), rank(other[0])] as const;
  if (ranks[0] !== ranks[1]) return ranks[0] > ranks[1] ? one : other;
  return (one[1] ?? '') <= (other[1] ?? '') ? one : other;
}

/** Whether one status is at least as far as another. */
export function isAsFar(one: State | null, other: State | null): boolean {
  return rank(one) >= rank(other);
}

function rank(status: State | null): number {
  return status === null ? -1 : order.indexOf(status);
}
