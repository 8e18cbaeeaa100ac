/** Judges by the source of a problem. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeName, judgeShort } from '../../src/judges/judges.ts';

test('a judge is shown by its name, and a source without a judge as it is', () => {
  const sources = ['codeforces', 'leetcode', 'our-club', 'constructor', ''];
  assert.deepEqual(sources.map(judgeName), ['Codeforces', 'LeetCode', 'our-club', 'constructor', '']);
  assert.deepEqual(sources.map(judgeShort), ['CF', 'LC', 'our-club', 'constructor', '']);
});
