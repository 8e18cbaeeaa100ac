/** The place where a text stops being JSON is compared with that of JSON.parse over many broken documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEnglish } from '../../src/errors.ts';
import { findFault, parseExact } from '../../src/files/json.ts';

const sound = '{"a":[1,-0.5e+3,"x\\u00e9\\"",true,null,{}],"é":{"b":[[]]},"":false}';

test('every text that JSON.parse refuses has a fault with a place and a reason', () => {
  let broken = 0;
  const replacements = [...'{}[]:,"\\ 0-+.eatn\té'];
  for (let at = 0; at < sound.length; at++) {
    for (const replacement of ['', ...replacements]) {
      const text = sound.slice(0, at) + replacement + sound.slice(at + 1);
      if (isJson(text)) continue;
      const { offset, wrong } = findFault(text);
      assert.notEqual(inEnglish(wrong), 'this is not JSON', text);
      assert.ok(offset <= text.length, text);
      broken++;
    }
  }
  assert.ok(broken > 800, `${broken} broken texts`);
});

test('a text cut short is at fault at its end or at the token that is cut', () => {
  for (let end = 0; end < sound.length; end++) {
    const { offset, wrong } = findFault(sound.slice(0, end));
    assert.match(inEnglish(wrong), /^the JSON ends here, in the middle/);
    assert.ok(offset <= end);
  }
});

test('a fault behind a text of a million characters is still found', () => {
  const text = `["${'x\\n'.repeat(300_000)}" 1]`;
  const { offset, wrong } = findFault(text);
  assert.equal(offset, text.length - 2);
  assert.equal(inEnglish(wrong), `expected ',' or the closing bracket, found "1]"`);
});

test('only integers that a number would change keep their text', () => {
  const kept = ['0', '-1', '9007199254740991', '0.30000000000000004', '1.5e-3', '-0.5'];
  const raw = '9007199254740992 9007199254740993 -9007199254740993 1e400 -0 1.0 1E3 1e-0'.split(' ');
  const disguised = ['0.9999999999999999999', '10000000000000000.5', '1e21', '1e+21', '5e-400'];
  for (const text of kept) assert.deepEqual(parseExact(`[1,\n${text}]`), [1, Number(text)]);
  for (const text of [...raw, ...disguised]) {
    for (const [before, after] of [
      ['[', ']'],
      ['[1 ,', ']'],
      ['{"a":', '}'],
      ['{"a" :\n ', '}'],
      [' ', ' '],
    ]) {
      const value = parseExact(before + text + after);
      assert.equal(JSON.stringify(value), (before + text + after).replaceAll(/\s/g, ''));
    }
  }
});

test('fields whose digits do not matter come as numbers, and no other field or text does', () => {
  const text = (value: string) => `[{"points":${value},"id":7}]`;
  for (const decimals of [['points'], ['point', 'points']]) {
    assert.deepEqual(parseExact(text('1500.0'), decimals), [{ points: 1500, id: 7 }]);
    assert.deepEqual(parseExact(text('1500'), decimals), [{ points: 1500, id: 7 }]);
  }
  assert.equal(JSON.stringify(parseExact('{"":1.0}')), '{"":1.0}');
  const quoted = '{"points":2.0,"name":"\\"points\\":1.0"}';
  assert.match(JSON.stringify(parseExact(quoted, ['points'])), /"name":"\\"points\\":1\.0"/);
  const exact = text('1.0').replace('"id":7', '"id":7.0');
  assert.match(JSON.stringify(parseExact(exact, ['points'])), /"id":7\.0/);
  for (const value of ['-0', '1e3', '1.00', '9007199254740993'])
    assert.ok(JSON.stringify(parseExact(text(value), ['points'])).includes(`"points":${value}`), value);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
