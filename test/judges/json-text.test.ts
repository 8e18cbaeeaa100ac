/** Where a text stops being JSON: held against JSON.parse over many broken documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFault, parseExact } from '../../src/judges/json-text.ts';

const sound = '{"a":[1,-0.5e+3,"x\\u00e9\\"",true,null,{}],"é":{"b":[[]]},"":false}';

test('a text is at fault before its end exactly if JSON.parse refuses it', () => {
  const replacements = [...'{}[]:,"\\ 0-+.eatn\té'];
  for (let at = 0; at < sound.length; at++) {
    for (const replacement of ['', ...replacements]) {
      const text = sound.slice(0, at) + replacement + sound.slice(at + 1);
      const { offset, wrong } = findFault(text);
      const isSound = wrong === 'expected the end, found the end';
      assert.equal(isSound, isJson(text), text);
      assert.ok(offset <= text.length);
    }
  }
});

test('a text cut short is at fault at its end or at the token that is cut', () => {
  for (let end = 0; end < sound.length; end++) {
    const { offset, wrong } = findFault(sound.slice(0, end));
    assert.match(wrong, offset === end ? /found the end$/ : /found "/);
    assert.notEqual(wrong, 'expected the end, found the end');
  }
});

test('a fault behind a text of a million characters is still found', () => {
  const text = `["${'x\\n'.repeat(300_000)}" 1]`;
  assert.deepEqual(findFault(text), { offset: text.length - 2, wrong: `expected ',' or ']', found "1]"` });
});

test('only integers that a number cannot hold become bigint', () => {
  const text = '[9007199254740993,9007199254740991,1e400,0.30000000000000004,-9007199254740993]';
  const values = [
    9007199254740993n,
    9007199254740991,
    Number.POSITIVE_INFINITY,
    0.1 + 0.2,
    -9007199254740993n,
  ];
  assert.deepEqual(parseExact(text), values);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
