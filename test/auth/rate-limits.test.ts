/** Requests without a valid token are limited by network, and counting them takes bounded memory. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { networkLimiter, networkOf } from '../../src/auth/rate-limits.ts';

test('a network is an IPv4 address or the first 64 bits of an IPv6 address', () => {
  const cases: [address: string, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::5:6:7:8:9', '2001:db8:0:5'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['1::', '1:0:0:0'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', 'unknown'],
    ['nonsense', 'unknown'],
    ['203.0.113.7:80', 'unknown'],
  ];
  for (const [address, network] of cases) assert.equal(networkOf(address), network, address);
});

test('a network that asks too often is limited for the rest of the second, and others are not', (t) => {
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const limit = networkLimiter(100);
  const count = (address: string, requests: number) =>
    Array.from({ length: requests }, () => limit(address)).filter((isAllowed) => !isAllowed).length;
  assert.equal(limit('203.0.113.7'), true);
  assert.equal(count('::ffff:203.0.113.7', 99), 0);
  assert.equal(count('203.0.113.7', 5), 5);
  assert.equal(count('203.0.113.8', 100), 0);
  assert.equal(count('2001:db8::1', 60), 0);
  assert.equal(count('2001:db8::ffff:1', 60), 20);
  assert.equal(count('2001:db8:0:1::1', 60), 0);
  now += 999;
  assert.equal(count('203.0.113.7', 1), 1);
  now += 1;
  assert.equal(count('203.0.113.7', 100), 0);
});

test('above 10,000 networks in a second all further ones share a count, and known ones keep theirs', (t) => {
  let now = 5_000;
  t.mock.method(performance, 'now', () => now);
  const limit = networkLimiter(100);
  const address = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  for (let n = 0; n < 10_000; n++) assert.ok(limit(address(n)));
  for (let n = 10_000; n < 10_100; n++) assert.ok(limit(address(n)));
  assert.ok(!limit(address(10_100)));
  assert.ok(limit(address(0)));
  now += 1_000;
  assert.ok(limit(address(10_100)));
});
