/** The matches of a pattern in a text, for loops that assert: a loop over nothing would assert nothing. */
import assert from 'node:assert/strict';

export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches = [...text.matchAll(pattern)];
  assert.ok(matches.length > 0, `nothing is like ${pattern}`);
  return matches;
}
