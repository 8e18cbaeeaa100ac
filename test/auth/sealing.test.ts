/** Sealed texts: one session opens its own, and nobody else any. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealingBy } from '../../src/auth/sealing.ts';
import { newSecret } from '../../src/auth/sessions.ts';

test('only the session that sealed a text opens it, as what it was, and unchanged', () => {
  const secret = newSecret();
  const own = sealingBy(secret);
  const text = JSON.stringify({ key: 'k'.repeat(40), secret: '\u{1f331}' });
  const sealed = own.seal('key of 1 for 2', text);
  assert.equal(own.open('key of 1 for 2', sealed), text);
  assert.equal(own.open('', own.seal('', '')), '');
  assert.equal(sealingBy(secret).open('key of 1 for 2', sealed), text);
  assert.notEqual(own.seal('key of 1 for 2', text), sealed, 'the same text is sealed differently each time');
  assert.equal(sealed.includes(Buffer.from('kkkkkkkkkkkk').toString('base64url')), false);
  assert.equal(own.open('key of 1 for 3', sealed), undefined);
  assert.equal(sealingBy(newSecret()).open('key of 1 for 2', sealed), undefined);
  const bytes = Buffer.from(sealed, 'base64url');
  // The nonce of AES-GCM has 96 bits, its tag 128 (NIST SP 800-38D §8.2).
  assert.equal(bytes.length, 12 + Buffer.byteLength(text) + 16);
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.equal(own.open('key of 1 for 2', changed.toString('base64url')), undefined, String(at));
  }
  for (const odd of ['', 'x', sealed.slice(0, 30)]) assert.equal(own.open('key of 1 for 2', odd), undefined);
});
