/** Passwords: which ones are refused, and what opens a hash. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword, passwordFault, taskQueue } from '../../src/auth/passwords.ts';

test('a password has 10 to 200 characters, four of them different, and not the name of its member', () => {
  const faults: [password: string, username: string, key: string | undefined][] = [
    ['🌱bcdefghi', 'ada', 'passwordShort'],
    ['🌱bcdefghij', 'ada', undefined],
    ['🌱bcd'.repeat(50), 'ada', undefined],
    [`${'🌱bcd'.repeat(50)}e`, 'ada', 'passwordLong'],
    ['abcabcabcabc', 'ada', 'passwordRepeats'],
    ['abcabcabcabd', 'ada', undefined],
    ['xx aDa xx yy', 'Ada', 'passwordName'],
    ['xx ab xx yyz', 'ab', undefined],
  ];
  for (const [password, username, key] of faults)
    assert.equal(passwordFault(password, username)?.localized?.key, key && `invalidValue.${key}`, password);
});

test('a hash is opened by its password in any encoding, and by no other', async () => {
  const hash = await hashPassword('Caf\u00e9 au lait');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(await hashPassword('Caf\u00e9 au lait'), hash);
  assert.deepEqual(
    await Promise.all(['Cafe\u0301 au lait', 'Cafe au lait'].map((password) => isPassword(password, hash))),
    [true, false],
  );
  for (const none of [null, undefined, '', hash.replace('t=2', 't=1')])
    assert.equal(await isPassword('Caf\u00e9 au lait', none), false);
});

test('two hashes are computed at once, others wait for their turn, and too many are refused', async () => {
  const run = taskQueue(2, 3);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = Array.from({ length: 6 }, (_, place) =>
    run(async () => {
      begun.push(place);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (place === 1) throw new Error('a fault');
    }),
  );
  const results = Promise.allSettled(tasks);
  for (let ended = 0; ended < 5; ended++) {
    await new Promise(setImmediate);
    assert.deepEqual(begun, [0, 1, 2, 3, 4].slice(0, ended + 2));
    ends[ended]?.();
  }
  const statuses = (await results).map(({ status }) => status);
  assert.deepEqual(statuses, ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  await assert.rejects(tasks[5] ?? Promise.resolve(), { code: 'overloaded' });
  assert.equal(await run(async () => 'free again'), 'free again');
});
