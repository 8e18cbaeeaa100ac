/** Sorted rows put together here, in the order that the engines sort by: nulls last in both directions, text by code point. */
import type { SortKey, SortValue } from './listing.ts';

/** The sort values of a row by the names of their fields. */
export type KeyRow = Readonly<Record<string, SortValue>>;

/** Both lists, each sorted by the keys, as one that is sorted; `found` is the shorter one. */
export function merged(
  best: readonly KeyRow[],
  found: readonly KeyRow[],
  keys: readonly SortKey[],
): KeyRow[] {
  const all: KeyRow[] = [];
  let start = 0;
  for (const row of found) {
    const end = placeOf(row, best, keys, start);
    for (; start < end; start++) all.push(best[start] as KeyRow);
    all.push(row);
  }
  for (; start < best.length; start++) all.push(best[start] as KeyRow);
  return all;
}

/** Where a row belongs in a sorted list that is searched from `start`. */
function placeOf(row: KeyRow, sorted: readonly KeyRow[], keys: readonly SortKey[], start: number): number {
  let low = start;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sorted[middle] as KeyRow, row, keys) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareKeys(one: KeyRow, other: KeyRow, keys: readonly SortKey[]): number {
  for (const { field, isDescending } of keys) {
    const a = one[field.name] ?? null;
    const b = other[field.name] ?? null;
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    const ascending = typeof a === 'string' ? compareTexts(a, String(b)) : a < BigInt(b) ? -1 : 1;
    return isDescending ? -ascending : ascending;
  }
  return 0;
}

/** Compares by code point. JavaScript compares UTF-16 units, of which surrogates come before U+E000 to U+FFFF. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let place = 0; place < length; place++) {
    const one = a.charCodeAt(place);
    const other = b.charCodeAt(place);
    if (one !== other) return codePointRank(one) - codePointRank(other);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
