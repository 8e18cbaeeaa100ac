/** Character references of HTML in titles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEntities } from '../../src/files/entities.ts';

test('what markup needs, and numbers, are decoded once; anything else stays', () => {
  for (const [text, decoded] of [
    ['A &amp; B', 'A & B'],
    ['&lt;b&gt; &quot;x&quot; &apos;y&apos; &#39;z&#39;', `<b> "x" 'y' 'z'`],
    ['&amp;lt;', '&lt;'],
    ['a&nbsp;b', 'a b'],
    ['&#x4e00;&#19968;&#x1F600;', '一一😀'],
    ['&#0; &#x110000; &#xd800; &copy; &x; & &amp', '&#0; &#x110000; \ufffd &copy; &x; & &amp'],
    ['&AMP;', '&'],
  ] as const)
    assert.equal(decodeEntities(text), decoded, text);
});
