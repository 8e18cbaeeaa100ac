/** A list that changes while it is read: the next run ends with what the judge has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submissionsOf } from '../importing/support.ts';
import { type CodeforcesRows, replayCodeforces } from '../replay/codeforces.ts';
import { keptIn, syncing } from './support.ts';

const now = Math.floor(Date.now() / 1000);

interface CodeforcesRow {
  id: number;
  creationTimeSeconds: number;
  verdict: string;
}

function codeforcesRows(count: number, secondOf: (at: number) => number): CodeforcesRow[] {
  const all = Array.from({ length: count }, (_, at) => [`${(at % 9) + 1}A`, 'OK', secondOf(at)] as const);
  const { result } = submissionsOf('ada', ...all.map((one) => [...one] as never)) as {
    result: CodeforcesRow[];
  };
  return result.map((row, at) => ({ ...row, id: 1_000_000 - at }));
}

test('Codeforces: of 2,600 rows 600 share a second, and others come while they are paged', async (t) => {
  const rows = codeforcesRows(2600, (at) => now - (at >= 700 && at < 1300 ? 1000 : at + 300));
  const status: CodeforcesRows['status'] = { ada: rows };
  const { sync, garden } = await syncing(
    t,
    'codeforces',
    replayCodeforces({ status }, (page) => {
      if (page > 3) return;
      const more = codeforcesRows(page === 1 ? 54 : 1, () => now).map((row, at) => ({
        ...row,
        id: 2_000_000 + page * 100 + at,
      }));
      rows.unshift(...(more.toReversed() as typeof rows));
    }),
  );
  await sync();
  await sync();
  const { solves } = await keptIn(garden);
  const ids = (found: readonly (string | number)[]) => found.map(Number).toSorted((one, other) => one - other);
  assert.deepEqual(ids(solves.map(({ submission_id }) => submission_id)), ids(rows.map(({ id }) => id)));
});
