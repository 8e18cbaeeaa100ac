/** Passwords: which ones are refused, and what opens a hash. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, isPassword, passwordFault } from '../../src/auth/passwords.ts';

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
