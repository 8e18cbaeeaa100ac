/** Requests are limited by token in all processes together, and without a valid one by network, in bounded memory. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { networkLimiter, networkOf, type RequestCount, rateLimiter } from '../../src/auth/rate-limits.ts';

test('a token has so many requests a second in all processes together', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shared: RequestCount[] = [];
  let receive: (count: RequestCount) => void = () => {};
  const limit = rateLimiter(5, {
    share: (count) => shared.push(count),
    onShared: (listener) => {
      receive = listener;
    },
  });
  const clockMs = () => Number(process.hrtime.bigint()) / 1e6;
  const before = clockMs();
  const headers = ['ratelimit-policy', '"token";q=5;w=1', 'ratelimit', '"token";r=4;t=1'];
  assert.deepEqual(limit(1n), { headers, perSecond: 5, isUsedUp: false });
  t.mock.timers.tick(50);
  const at = shared[0]?.begunAt ?? 0;
  assert.ok(before - 1 < at && at < clockMs() + 1, 'the clock of all processes');

  let now = performance.now() + 1000;
  t.mock.method(performance, 'now', () => now);
  const left = (id: bigint) => {
    const allowance = limit(id);
    return allowance.isUsedUp ? 'none' : Number(/r=(\d)/.exec(allowance.headers[3] ?? '')?.[1]);
  };
  assert.deepEqual(Array.from({ length: 6 }, () => left(1n)).concat(left(2n)), [4, 3, 2, 1, 0, 'none', 4]);
  t.mock.timers.tick(49);
  assert.equal(shared.length, 1);
  t.mock.timers.tick(1000);
  const { begunAt, requests } = shared[1] ?? { begunAt: 0 };
  assert.deepEqual(
    [shared.length, requests],
    [
      2,
      [
        ['1', 6],
        ['2', 1],
      ],
    ],
  );
  const steps: [after: number, requests: number, left: unknown][] = [
    [-1000, 9, 3],
    [999, 2, 0],
    [1000, 1, 3],
    [1, 0, 2],
  ];
  for (const [after, count, expected] of steps) {
    receive({ begunAt: begunAt + after, requests: [['2', count]] });
    assert.equal(left(2n), expected, String(after));
  }
  now += 1000.5;
  assert.deepEqual([left(2n), left(1n)], [1, 4]);
  now += 1;
  assert.equal(left(2n), 4, 'the window that began first has ended');
  assert.deepEqual(rateLimiter(0)(1n), { headers: [], perSecond: 0, isUsedUp: false });
  assert.ok(networkLimiter(0)(''));
});

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
