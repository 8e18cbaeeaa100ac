/** What an answer that is none means: the kind of the fault, and the sentence. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, localizedError, message } from '../../src/errors.ts';
import {
  assertUserFound,
  badRowAsOddAnswer,
  faultKindOf,
  isUnavailable,
  oddAnswer,
  parseUnlessBusy,
  redirectFault,
} from '../../src/judges/faults.ts';
import { textOf } from '../../src/judges/fields.ts';

const kindOf = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    assert.ok(error instanceof AppError);
    return `${faultKindOf(error)}: ${error.message.replace('X ', '')}`;
  }
};
const kinds = {
  busy: 'busy: says that we send too many requests',
  down: 'down: is down: it answered',
  browser: 'refused: only lets people in a browser',
  signIn: 'refused: shows this only to people who are signed in',
  refused: 'refused: refused this server: “',
  odd: 'odd answer: answered',
} as const;

test('an answer is data, or is told apart by its status, its words and its page', () => {
  const password = '<input name=a type="password">';
  const answers: [status: number, text: string, kind: keyof typeof kinds | 'data'][] = [
    [200, '{}', 'data'],
    [404, '{}', 'data'],
    [499, '[1]', 'data'],
    [429, '{}', 'busy'],
    [500, '{}', 'down'],
    [401, '{}', 'signIn'],
    [403, '{}', 'browser'],
    [403, '{"error":"no"}', 'refused'],
    [403, '{"detail":"no"}', 'refused'],
    [403, '{"error":{"message":"no"}}', 'refused'],
    [403, '{"data":{"errorMessage":"no"}}', 'refused'],
    [200, '{"message":"Please log in first"}', 'signIn'],
    [200, '{"message":"no"}', 'data'],
    [200, '{"error":"Please login first"}', 'signIn'],
    [403, '{"data":{"errorMessage":"没有权限"}}', 'signIn'],
    [429, 'x', 'busy'],
    [500, 'x', 'down'],
    [403, 'Too many', 'busy'],
    [401, 'try again', 'busy'],
    [401, 'no', 'refused'],
    [403, 'Sign in', 'signIn'],
    [401, '', 'signIn'],
    [403, '', 'browser'],
    [402, 'no', 'odd'],
    [400, 'x', 'odd'],
    [499, 'x', 'odd'],
    [200, ` <p>${password}`, 'signIn'],
    [499, `<p>${password}`, 'signIn'],
    [500, `<p>${password}`, 'down'],
    [200, `<p>${'x'.repeat(100_000)}${password}`, 'down'],
    [200, '<p>Just a moment', 'browser'],
    [500, '<p>Just a moment', 'down'],
    [200, '<script>x()</script>', 'browser'],
    [200, '<script>x()', 'browser'],
    [500, '<script>x()</script>', 'down'],
    [200, '<p></p>', 'down'],
    [200, '<p>Back soon<script>captcha</script>', 'down'],
    ...[202, 401, 403, 429, 503].map((status): [number, string, 'browser'] => [status, '<p>Hello', 'browser']),
    ...[201, 203, 400, 402, 404, 428, 430, 502, 504].map((status): [number, string, 'down'] => [
      status,
      '<p>Hi',
      'down',
    ]),
  ];
  for (const [status, text, kind] of answers) {
    const found = kindOf(() => JSON.stringify(parseUnlessBusy({ status, text }, 'X')));
    const start = kind === 'data' ? text : kinds[kind];
    assert.ok(String(found).startsWith(start), `${status} ${text.slice(0, 50)}: ${found}`);
  }
  const long = kindOf(() => parseUnlessBusy({ status: 403, text: `{"error":"${'x'.repeat(201)}"}` }, 'X'));
  assert.match(String(long), /“x{200}” \(403\)/);
});

test('a redirect leads to a sign-in, to a challenge or elsewhere', () => {
  const from = new URL('http://judge.example/api/list?a=1');
  const places: [to: string | null, kind: string][] = [
    [null, 'browser'],
    ['http://[', 'browser'],
    ['/accounts/login/', 'signIn'],
    ['/enter?back=x', 'signIn'],
    ['/logins/', 'redirect'],
    ['?a=1&c=2', 'browser'],
    ['/api/list', 'browser'],
    ['/list', 'browser'],
    ['/cdn-cgi/challenge', 'browser'],
    ['https://judge.example/api/list?a=1', 'redirect'],
    ['https://judge.example/api/list', 'browser'],
    ['https://other.example/api/list', 'redirect'],
    ['/', 'redirect'],
    ['/new', 'redirect'],
  ];
  const start = { ...kinds, redirect: 'odd answer: redirected to another address' };
  for (const [to, kind] of places) {
    const fault = redirectFault('X', from, to);
    const found = `${faultKindOf(fault)}: ${fault.message.replace('X ', '')}`;
    assert.ok(found.startsWith(start[kind as keyof typeof start]), `${to}: ${found}`);
  }
});

test('a judge has no user where it says so in words, and a bad row of an answer is an odd answer', () => {
  const found = (status: number, text: string) => kindOf(() => assertUserFound({ status, text }, 'X', 'ada'));
  assert.match(String(found(404, 'none')), /^unknown handle: has no user ada/);
  assert.deepEqual([found(404, ' <html>'), found(400, 'none')], [undefined, undefined]);
  assert.deepEqual(['busy', 'down', 'refused', 'odd answer', null, undefined].map(isUnavailable), [
    ...[true, true, true],
    ...[false, false, false],
  ]);
  assert.equal(faultKindOf(new Error('x')), undefined);
  const bad = kindOf(() => badRowAsOddAnswer('X', () => textOf(7, 'name', 9)));
  assert.match(
    String(bad),
    /^odd answer: sent an unexpected answer: name is 7; expected text of 1 to 9 characters\. We/,
  );
  assert.match(oddAnswer('X', message('odd.noUserId')).message, / it gives no user number\. We try again later\.$/);
  const other = localizedError('invalidValue.addressForm');
  for (const error of [other, new Error('x')])
    assert.throws(
      () =>
        badRowAsOddAnswer('X', () => {
          throw error;
        }),
      error,
    );
});
