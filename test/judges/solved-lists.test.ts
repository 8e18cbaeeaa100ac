/** VJudge's and Luogu's lists of solved problems, and the sample of a large field. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judges } from '../../src/judges/judges.ts';
import { linkAtLuogu } from '../../src/judges/luogu.ts';
import { fieldSampler } from '../../src/judges/real-field.ts';
import { addressAtVjudge } from '../../src/judges/vjudge.ts';
import { replayLuogu, replayVjudge } from '../replay/solved-lists.ts';
import { asking, assertFault } from './support.ts';

async function assertFaults(
  source: 'luogu' | 'vjudge',
  handle: string,
  cases: readonly (readonly [status: number, body: unknown, kind: string, says: RegExp])[],
) {
  for (const [status, body, kind, says] of cases)
    await assertFault(
      async () => judges[source].api.solved?.(asking(() => ({ status, body })).ask, handle),
      kind,
      says,
    );
}

test('VJudge lists ids by judge, and answers 500 for a name that nobody has', async () => {
  const { ask, paths } = asking(
    replayVjudge({
      'a d': { acRecords: { Kattis: ['zamka', ''], 洛谷: ['P1'], URAL: [1000, true], 'a/b': ['1'], x: 7 } },
    }),
  );
  const { values, skipped } = (await judges.vjudge.api.solved?.(ask, 'a d')) ?? {};
  assert.deepEqual(values, [
    { address: 'https://vjudge.net/problem/Kattis-zamka' },
    { address: 'https://vjudge.net/problem/%E6%B4%9B%E8%B0%B7-P1' },
    { address: 'https://vjudge.net/problem/URAL-1000' },
  ]);
  assert.equal(skipped?.length, 4);
  assert.deepEqual(paths, ['/user/solveDetail/a%20d']);
  const longest = addressAtVjudge('x'.repeat(50), '1'.repeat(100));
  assert.equal(longest?.length, 'https://vjudge.net/problem/'.length + 151);
  assert.equal(addressAtVjudge('x'.repeat(51), '1') ?? addressAtVjudge('x', '1'.repeat(101)), undefined);
  const records = (count: number) => ({ acRecords: { x: Array(count).fill(1) } });
  assert.equal(
    (await judges.vjudge.api.solved?.(asking(() => ({ body: records(50_000) })).ask, 'a'))?.values.length,
    50_000,
  );
  const badName = 'x'.repeat(51);
  await assertFaults('vjudge', 'ada', [
    [404, 'no', 'unknown handle', /no user ada/],
    [500, 'no', 'unknown handle', /no user ada/],
    [500, ' <html>', 'down', /answered 500/],
    [501, '{}', 'down', /answered 501/],
    [200, { acRecords: null }, 'odd answer', /no “acRecords”/],
    [200, { acRecords: [] }, 'odd answer', /no “acRecords”/],
    [200, { acRecords: 'x' }, 'odd answer', /no “acRecords”/],
    [200, records(50_001), 'odd answer', /more problems than anybody solves/],
    [200, { acRecords: { [badName]: [1] } }, 'odd answer', /: x{50} is 1/],
  ]);
});

test('Luogu lists rows under names that changed, and hides the list of some', async () => {
  const row = (pid: unknown, more: object = {}) => ({ pid, ...more });
  const passed = [
    row('P1001', { title: 'x'.repeat(501) }),
    row('CF4A', { title: ' ', name: 'y'.repeat(501) }),
    row('B1'),
  ];
  const expected = [
    { address: 'https://www.luogu.com.cn/problem/P1001', title: 'x'.repeat(500) },
    { address: 'https://www.luogu.com.cn/problem/CF4A', title: 'y'.repeat(500) },
    { address: 'https://www.luogu.com.cn/problem/B1', title: '' },
  ];
  for (const body of [
    { code: 200, currentData: { passedProblems: [...passed, row(7)] } },
    { status: 200, data: { user: { uid: 7 }, passed: [...passed, row('../x')] } },
  ]) {
    const { ask, paths } = asking(replayLuogu({ 7: body }), judges.luogu.api);
    const { values, skipped } = (await judges.luogu.api.solved?.(ask, '7')) ?? {};
    assert.deepEqual([values, skipped?.length, paths], [expected, 1, ['/user/7/practice']]);
  }
  assert.equal(linkAtLuogu(row('x'.repeat(50)))?.address.length, 'https://www.luogu.com.cn/problem/'.length + 50);
  assert.equal(linkAtLuogu(row('x'.repeat(51))), undefined);
  await assertFaults('luogu', '7', [
    [404, {}, 'unknown handle', /no user 7/],
    [200, { code: 404 }, 'unknown handle', /no user 7/],
    [200, { status: 401 }, 'refused', /signed in/],
    [200, { status: 403 }, 'refused', /signed in/],
    [418, { data: {} }, 'odd answer', /status 418 and no data/],
    [200, { data: null }, 'odd answer', /status 200 and no data/],
    [200, { data: 'x' }, 'odd answer', /status 200 and no data/],
    [200, { data: { user: { uid: 8 }, passed } }, 'odd answer', /for the user 8/],
    [200, { data: { user: { uid: 7 } } }, 'unknown handle', /./],
    [200, { data: { passed: {} } }, 'odd answer', /no “passed”/],
  ]);
});

test('a field has at most a thousand rows, at places that are multiples of 1, 2, 10, 20, 100 …', () => {
  for (const [total, step] of [
    [1000, 1],
    [1001, 2],
    [2001, 2],
    [2002, 10],
    [10_009, 10],
    [10_010, 20],
    [20_020, 100],
  ] as const) {
    const sampler = fieldSampler();
    for (let place = 1; place <= total; place++) sampler.add([place]);
    const { rows, ...sample } = sampler.sample();
    assert.deepEqual(sample, { total, step });
    assert.deepEqual(
      rows,
      Array.from({ length: Math.floor(total / step) }, (_, at) => [(at + 1) * step]),
    );
  }
});
