/** A list that changes while it is read: the next run ends with what the judge has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sent } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { rowsSent, syncing } from './support.ts';

const now = Math.floor(Date.now() / 1000);

function codeforcesRows(count: number, secondOf: (at: number) => number) {
  const sent = Array.from({ length: count }, (_, at): Sent => [`${(at % 9) + 1}A`, 'OK', secondOf(at)]);
  return rowsSent('ada', ...sent).map((row, at) => ({ ...row, id: 1_000_000 - at }));
}

test('Codeforces: of 2,600 rows 600 share a second, and others come while they are paged', async (t) => {
  const rows = codeforcesRows(2600, (at) => now - (at >= 700 && at < 1300 ? 1000 : at + 300));
  const onPage = (page: number) => {
    if (page > 3) return;
    const more = codeforcesRows(page === 1 ? 54 : 1, () => now);
    rows.unshift(...more.map((row, at) => ({ ...row, id: 2_000_000 + page * 100 + at })).toReversed());
  };
  const { sync } = await syncing(t, 'codeforces', replayCodeforces({ status: { ada: rows } }, onPage));
  await sync();
  assert.deepEqual(
    (await sync()).ids,
    rows.map(({ id }) => id).toSorted((one, other) => one - other),
  );
});
