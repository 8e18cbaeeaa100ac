/** Single fields of judges' answers: what is read, what is refused, and how the fault describes what was found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { message } from '../../src/errors.ts';
import {
  contestPlaceOf,
  integerOf,
  isoTimeOf,
  listOf,
  matchOf,
  numberOf,
  objectOf,
  optionalText,
  personRatingOf,
  solverCountIn,
  textOf,
  textsOf,
  timeOf,
  verdictClassOf,
  webAddressOf,
} from '../../src/judges/fields.ts';

/** What is read, or the fault's text behind the name of the field. */
const resultOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message.replace(/^f is /, '');
  }
};
const readEach = (values: readonly unknown[], read: (value: unknown) => unknown) =>
  values.map((value) => resultOf(() => read(value)));

test('numbers have their bounds, and times those of four digits of a year', () => {
  const integer = 'expected a whole number from 1 to 3.';
  assert.deepEqual(
    readEach([0, 1, 3, 4, 1.5, '1'], (value) => integerOf(value, 'f', 1, 3)),
    [`0; ${integer}`, 1, 3, `4; ${integer}`, `1.5; ${integer}`, `"1"; ${integer}`],
  );
  const most = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(
    readEach([0, most], (value) => integerOf(value, 'f')),
    [0, most],
  );
  const number = 'expected a number from -1 to 1.';
  assert.deepEqual(
    readEach([-1, 1, 1.1, Number.NaN, '1', JSON.rawJSON('0.5')], (value) => numberOf(value, 'f', -1, 1)),
    [-1, 1, `1.1; ${number}`, `null; ${number}`, `"1"; ${number}`, 0.5],
  );
  const rating = 'expected a whole number from -10000 to 10000.';
  assert.deepEqual(
    readEach([-10_000, 10_000, -10_001, 10_001], (value) => personRatingOf(value, 'f')),
    [-10_000n, 10_000n, `-10001; ${rating}`, `10001; ${rating}`],
  );
  assert.deepEqual([0, 7, -1, 1.5, '7', null].map(contestPlaceOf), [0n, 7n, null, null, null, null]);
  assert.deepEqual(
    [0, 5, null, undefined].map((n) => solverCountIn({ n }, 'n')),
    [0n, 5n, undefined, undefined],
  );
  const last = '9999-12-31T23:59:59.000Z';
  assert.deepEqual([timeOf(0, 'f'), timeOf(253_402_300_799, 'f')], ['1970-01-01T00:00:00.000Z', last]);
  assert.throws(() => timeOf(253_402_300_800, 'f'), { code: 'badRow' });
  const times = [
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999',
    '2026-01-01 12:00:00.5+0200',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-00:01',
    '2026-13-01T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00.0123456789Z',
    7,
  ];
  const time = 'expected a time such as 2026-01-31T12:00:00Z.';
  assert.deepEqual(
    readEach(times, (value) => isoTimeOf(value, 'f')),
    [
      '1970-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '2026-01-01T10:00:00.500Z',
      ...times.slice(3).map((one) => `${JSON.stringify(one)}; ${time}`),
    ],
  );
});

test('texts, lists, objects and addresses are of their kind, and a fault says what is there', () => {
  const text = 'expected text of 1 to 3 characters.';
  assert.deepEqual(
    readEach([' abc', 'abcd', '', 7, undefined], (value) => textOf(value, 'f', 3)),
    ['abc', `"abcd"; ${text}`, `""; ${text}`, `7; ${text}`, `missing; ${text}`],
  );
  assert.deepEqual(
    readEach([null, undefined, 'a', 'abcd'], (value) => optionalText(value, 'f', 3)),
    [null, null, 'a', `"abcd"; ${text}`],
  );
  assert.deepEqual(textsOf(['a', ' b '], 'f', 3), ['a', 'b']);
  assert.equal(
    resultOf(() => textsOf(['a', 'abcd'], 'f', 3)),
    `f[1] is "abcd"; ${text}`,
  );
  const list = 'expected a list.';
  assert.deepEqual(
    readEach([{}, JSON.rawJSON('1e400'), 'x'.repeat(58), 'x'.repeat(59)], (value) => listOf(value, 'f')),
    [`an object; ${list}`, `1e400; ${list}`, `"${'x'.repeat(58)}"; ${list}`, `"${'x'.repeat(56)}...; ${list}`],
  );
  const id = 'expected an id of letters, digits, _ and -.';
  assert.deepEqual(
    readEach(['7', 7, '8'], (value) => matchOf(value, 'f', /7/, message('expected.id'))),
    ['7', `7; ${id}`, `"8"; ${id}`],
  );
  const object = 'expected an object.';
  assert.deepEqual(
    readEach([[], [1], null, JSON.rawJSON('1'), 7], (value) => objectOf(value, 'f')),
    [`an empty list; ${object}`, `a list; ${object}`, `null; ${object}`, `1; ${object}`, `7; ${object}`],
  );
  const addresses = ['http://a.example', 'HTTPS://a.example/b?c#d'];
  assert.deepEqual(
    readEach(addresses, (value) => webAddressOf(value, 'f')),
    addresses,
  );
  const wrong = ['ftp://a.example', 'https://u@a.example', 'https://:p@a.example', 'https://a b', 'https://[', 7];
  const address = 'expected an address that begins with http:// or https://, without blanks, user name and password.';
  assert.deepEqual(
    readEach(wrong, (value) => webAddressOf(value, 'f')),
    wrong.map((one) => `${JSON.stringify(one)}; ${address}`),
  );
});

test('a verdict is solved, open, or says nothing of the solution, and any other is a try', () => {
  const verdicts = {
    a: 'accepted',
    b: 'waiting',
    c: 'wrongAnswer',
    d: 'compileError',
    e: 'internalError',
    f: 'failed',
    g: 'crashed',
    h: 'inputCrashed',
    i: 'skipped',
  } as const;
  const codes = [...'abcdefghi', 'toString', null];
  assert.deepEqual(codes.map((code) => verdictClassOf(verdicts, code)[0]).join(''), 'sptvvvvvttp');
  assert.equal(verdictClassOf(verdicts, 'x', 'pending'), 'pending');
});
