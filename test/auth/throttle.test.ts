/** The throttle of sign-ins, with a clock of its own: whom it stops, and whom nobody can have it stop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInThrottle } from '../../src/auth/throttle.ts';
import { AppError } from '../../src/errors.ts';

function clocked() {
  let now = 0;
  const throttle = signInThrottle(() => now);
  /** Whether an attempt is let through. */
  const tries = (username: string, network: string, isKnown = false) => {
    try {
      return throttle.begin(username, network, isKnown);
    } catch (error) {
      assert.ok(error instanceof AppError && error.status === 429);
      return undefined;
    }
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { throttle, tries, pass };
}

const quarter = 15 * 60_000;

test('ten wrong passwords for one account from one network, then none for a quarter of an hour', () => {
  const { tries, pass } = clocked();
  for (let time = 0; time < 10; time++) assert.ok(tries('ada', '1.1.1.1'));
  assert.equal(tries('ADA', '1.1.1.1'), undefined, 'a name in other letters is the same');
  assert.ok(tries('bob', '1.1.1.1'), 'another account');
  pass(quarter);
  assert.equal(tries('ada', '1.1.1.1'), undefined);
  pass(1);
  assert.ok(tries('ada', '1.1.1.1'));
});

test('right passwords count nothing', () => {
  const { tries } = clocked();
  for (let time = 0; time < 500; time++) tries('ada', '1.1.1.1')?.succeeded();
  assert.ok(tries('ada', '1.1.1.1'));
});

test('guesses from many networks stop at fifty for an account, and leave its member in', () => {
  const { tries } = clocked();
  const through = Array.from({ length: 300 }, (_, place) => tries('ada', `9.9.9.${place}`));
  assert.equal(through.filter(Boolean).length, 50);
  assert.equal(tries('ada', '8.8.8.8'), undefined);
  assert.ok(tries('ada', '1.1.1.1', true), 'where she is signed in');
  assert.ok(tries('bob', '8.8.8.8'));
});

test('one network with many names stops at a hundred, and takes no place from others', () => {
  const { tries } = clocked();
  const through = Array.from({ length: 30_000 }, (_, place) => tries(`made-up-${place}`, '6.6.6.6'));
  assert.equal(through.filter(Boolean).length, 100);
  for (const name of ['ada', 'bob', 'eve']) assert.ok(tries(name, '1.1.1.1'), name);
  assert.ok(tries('ada', '6.6.6.6', true), 'a member who is signed in there');
});

test('more names from more networks than are counted lock nobody out', () => {
  const { tries } = clocked();
  for (let place = 0; place < 50_000; place++) tries(`made-up-${place}`, `network-${place}`);
  for (const name of ['ada', 'bob', 'eve']) {
    for (let time = 0; time < 10; time++) assert.ok(tries(name, '1.1.1.1'), `${name}, try ${time}`);
    assert.equal(tries(name, '1.1.1.1'), undefined, 'and guesses are still counted');
  }
});

test('sixty accounts a quarter of an hour from one network', () => {
  const { throttle, pass } = clocked();
  for (let time = 0; time < 60; time++) throttle.beginSignUp('1.1.1.1');
  assert.throws(() => throttle.beginSignUp('1.1.1.1'), { status: 429 });
  throttle.beginSignUp('2.2.2.2');
  pass(quarter + 1);
  throttle.beginSignUp('1.1.1.1');
});
