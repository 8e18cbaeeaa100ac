/** Sorts and merges rows in the order of the engines' SQL: nulls last in both directions, text by code point. */
import type { SortKey, SortValue } from './keyset.ts';

/** The sort values of a row by the names of their fields. */
export type KeyRow = Readonly<Record<string, SortValue>>;

export function sortKeys(rows: KeyRow[], keys: readonly SortKey[]): KeyRow[] {
  return rows.sort((one, other) => compareKeys(one, other, keys));
}

/** Merges sorted rows into a sorted list, in place, because copying a long list for a few rows is slow. */
export function mergeInto(best: KeyRow[], rows: readonly KeyRow[], keys: readonly SortKey[]): void {
  let end = best.length;
  // Pushing first keeps the array dense; V8 makes an array slow that is written far beyond its end.
  for (const row of rows) best.push(row);
  let free = best.length;
  for (let place = rows.length - 1; place >= 0; place--) {
    const row = rows[place] as KeyRow;
    const start = placeOf(row, best, keys, end);
    // Rows move from the end, so that none is overwritten before it has moved.
    while (end > start) best[--free] = best[--end] as KeyRow;
    best[--free] = row;
  }
}

/** The index at which a row belongs in a sorted list, found by a binary search up to `end`. */
function placeOf(row: KeyRow, sorted: readonly KeyRow[], keys: readonly SortKey[], end: number): number {
  let low = 0;
  let high = end;
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

/** Compares by code point. JavaScript compares UTF-16 units, and sorts surrogates before U+E000 to U+FFFF. */
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
