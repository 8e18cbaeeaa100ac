/** Folding agrees with Unicode's simple case folding, which the engine's own /iu regular expressions use. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { fold, searchColumn } from '../../src/store/case-folding.ts';

const points: string[] = [];
for (let code = 0; code <= 0x10ffff; code++) {
  if (code < 0xd800 || code > 0xdfff) points.push(String.fromCodePoint(code));
}
const escaped = (point: string) => `\\u{${point.codePointAt(0)?.toString(16)}}`;

const cased = points.filter(
  (point) => fold(point) !== point || point.toLowerCase() !== point || point.toUpperCase() !== point,
);

test('two characters fold alike exactly where a regular expression takes them for the same in any case', () => {
  const text = cased.join('');
  const alike = Map.groupBy(cased, fold);
  const wrong: string[] = [];
  for (const point of cased) {
    const byRegex = text.match(new RegExp(escaped(point), 'giu')) ?? [];
    const byFold = alike.get(fold(point)) ?? [];
    if (byRegex.join() !== byFold.join()) wrong.push(`${escaped(point)}: /iu ${byRegex}, fold ${byFold}`);
  }
  assert.deepEqual(wrong, []);
});

test('a character without case folds to itself and is joined with nothing', () => {
  const known = new Set(cased);
  const anyCased = new RegExp(`^[${cased.map(escaped).join('')}]$`, 'iu');
  const strays = points.filter((point) => !known.has(point) && (fold(point) !== point || anyCased.test(point)));
  assert.deepEqual(strays, []);
});

test('folding keeps each character one, and folding twice changes nothing more', () => {
  for (const point of points) {
    assert.equal([...fold(point)].length, 1);
    if (fold(fold(point)) !== fold(point)) assert.fail(escaped(point));
  }
});

test('a text folds character by character, whatever stands beside them', () => {
  assert.equal(fold('ΟΔΥΣΣΕΥΣ ΟΔΟΣ'), 'οδυσσευσ οδοσ');
  assert.equal(fold('Straße ſK 100% A_B'), 'straße sk 100% a_b');
  assert.equal(searchColumn(['A\u{fdd0}B', 'C']), 'a\u{fffd}b\u{fdd0}c', 'and two texts are apart');
});
