/** The ids of a catalogue in random order, each once before any comes again: the same order in every run. */

export interface Shuffled {
  /** Before the id; a slash comes behind it. */
  path: string;
  /** The ids are 1 to this. */
  count: number;
  /** Where the order begins. */
  seed: number;
}

// A linear congruential generator whose period is its modulus (Hull and Dobell), the least power of two that is large
// enough; the numbers beyond the last id are skipped. The load generator computes it in Lua, by this very text.
const modulus = 2 ** 18;
export const nextText = `(at * 1664525 + 1013904223) % ${modulus}`;

export function* shuffledIds({ count, seed }: Shuffled): Generator<number, never> {
  for (let at = seed; ; ) {
    do at = (at * 1664525 + 1013904223) % modulus;
    while (at >= count);
    yield at + 1;
  }
}
