/** Keys that are sorted here come in the order that the engines give them: nulls last, text by code point. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { SortKey } from '../../src/store/keyset.ts';
import { type KeyRow, sortKeys } from '../../src/store/sorting.ts';
import { compareRows } from '../support/walk.ts';

const texts = ['', 'a', 'aa', 'B', 'é', '～', '\u{e000}', '\u{ffff}', '😀', '😀a', '\u{10ffff}', null];
const rows: KeyRow[] = Array.from({ length: 300 }, (_, place) => ({
  id: BigInt((place * 7919) % 300) - 150n,
  rating: place % 4 ? BigInt(place % 5) : null,
  title: texts[(place * 31) % texts.length] ?? null,
}));

const keyOf = (spelled: string): SortKey => {
  const name = spelled.replace('-', '');
  const kind = name === 'title' ? 'text' : 'integer';
  const field = { name, kind, isNullable: name !== 'id', expression: sql.ref(name) } as const;
  return { field, isDescending: spelled.startsWith('-') };
};

test('rows put into a sorted list a few at a time are sorted as the contract says', () => {
  for (const order of ['title', '-title', 'rating,title', '-rating,-title', 'title,-rating', 'id', '-id']) {
    const keys = [...order.split(','), 'id'].map(keyOf);
    const expected = rows.toSorted((one, other) => compareRows(order, one, other));
    for (const size of [1, 7, 300]) {
      const list: KeyRow[] = [];
      for (let start = 0; start < rows.length; start += size) {
        list.push(...rows.slice(start, start + size));
        sortKeys(list, keys);
      }
      assert.deepEqual(list, expected, `${order}, ${size} at a time`);
    }
  }
});
