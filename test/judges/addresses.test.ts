/** Judges by the source of a problem. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeName } from '../../src/judges/addresses.ts';

test('a judge is shown by its name, and a source without a judge as it is', () => {
  const names = ['codeforces', 'leetcode', 'our-club', 'constructor', ''].map(judgeName);
  assert.deepEqual(names, ['Codeforces', 'LeetCode', 'our-club', 'constructor', '']);
});
