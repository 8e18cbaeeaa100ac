/** Sorts rows in the order of the engines' SQL: nulls last in both directions, text by code point. */
import type { SortKey, SortValue } from './keyset.ts';

export type KeyRow = Readonly<Record<string, SortValue>>;

export function sortKeys(rows: KeyRow[], keys: readonly SortKey[]): void {
  rows.sort((one, other) => compareKeys(one, other, keys));
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
    if (a.charCodeAt(place) !== b.charCodeAt(place))
      return Number(a.codePointAt(place)) - Number(b.codePointAt(place));
  }
  return a.length - b.length;
}
