/** Ids without loss: how the client reads JSON and writes ids, whatever the strings beside them hold. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idText, parseRows } from '../../client/src/json.ts';
import { hostileTitle } from './support.ts';

const hostileText = fc
  .array(
    fc.constantFrom(
      '"',
      '\\',
      '\\"',
      '"id":',
      '9007199254740993',
      ':',
      ',',
      '{',
      '}',
      '\n',
      '\u2028',
      'é',
      '😀',
      '\ud800',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

test('any int64 beside any text is read exactly, as string and as bigint', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), hostileText, fc.option(fc.integer()))),
      fc.constantFrom(undefined, 2),
      (cases, space) => {
        const text = JSON.stringify(
          cases.map(([id, title, rating]) => ({
            id: JSON.rawJSON(String(id)),
            title,
            rating,
            tags: [title],
          })),
          null,
          space,
        );
        const rows = cases.map(([id, title, rating]) => ({ id, title, rating, tags: [title] }));
        deepEqual(parseRows(text, 'bigint'), rows);
        deepEqual(
          parseRows(text, 'string'),
          rows.map((row) => ({ ...row, id: String(row.id) })),
        );
      },
    ),
    { numRuns: 1000 },
  );
});

test('an id inside a title stays part of the title', () => {
  const text = `{"id":9007199254740993,"title":${JSON.stringify(hostileTitle)},"user": -9223372036854775808 }`;
  deepEqual(parseRows(text, 'string'), {
    id: '9007199254740993',
    title: hostileTitle,
    user: '-9223372036854775808',
  });
});

test('a key spelled with escapes is still that key', () => {
  deepEqual(parseRows(String.raw`[{"\u0069d":9007199254740993}]`, 'bigint'), [{ id: 9007199254740993n }]);
});

test('fractions and powers keep their value, and an unknown integer its digits', () => {
  const text = '[{"id":1,"a":0.12345678901234567,"b":1e16,"c":12345678901234567.5,"d":12345678901234567}]';
  deepEqual(parseRows(text, 'string'), [
    {
      id: '1',
      a: Number('0.12345678901234567'),
      b: 1e16,
      c: Number('12345678901234567.5'),
      d: '12345678901234567',
    },
  ]);
});

test('an id never touched by a row stays absent, and null stays null', () => {
  deepEqual(parseRows('[{"user":null,"title":"x"}]', 'bigint'), [{ user: null, title: 'x' }]);
});

test('a title of a million escapes or digits is read without trouble', () => {
  for (const part of ['\\"', '9', '\n', '"9":']) {
    const title = part.repeat(1_000_000);
    const text = JSON.stringify({ id: JSON.rawJSON('9007199254740993'), title });
    const row = parseRows(text, 'string') as { id: string; title: string };
    equal(row.id, '9007199254740993');
    ok(row.title === title, JSON.stringify(part));
  }
});

test('JSON that is broken stays broken', () => {
  for (const text of ['[{"id":9007199254740993', '{"id":09007199254740993,}', '{"a":"\n9007199254740993"}']) {
    throws(() => parseRows(text, 'string'), SyntaxError);
  }
});

test('an id is written as its digits', () => {
  equal(idText('9007199254740993'), '9007199254740993');
  equal(idText(-(2n ** 63n)), '-9223372036854775808');
  equal(idText(Number.MAX_SAFE_INTEGER), '9007199254740991');
});

test('a number that may have lost digits is refused, and so is what is no id', () => {
  for (const id of [2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    throws(() => idText(id), /^TypeError: The id .* is not exact as a number; pass it as a string or a bigint\.$/);
  }
  for (const id of ['', '..', '../1', 'abc', '01', '+1', '-0', '1.0', '1e3', ' 1', '1\n', '1/2']) {
    throws(() => idText(id), TypeError);
  }
});
