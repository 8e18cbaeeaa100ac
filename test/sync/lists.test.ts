/** Lists that change while they are read, and rows that come late or share a second: the next run ends with what the judge has. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { submissionsOf } from '../importing/support.ts';
import { type AtCoderRows, replayAtCoder } from '../replay/atcoder.ts';
import { type CodeforcesRows, replayCodeforces } from '../replay/codeforces.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { keptIn, syncing as syncingWith } from './support.ts';

const day = 86_400;
const now = Math.floor(Date.now() / 1000);

async function syncing(t: TestContext, source: 'codeforces' | 'atcoder', judge: ReplayedJudge) {
  const made = await syncingWith(t, source, judge);
  return async () => {
    const { asked } = await made.sync();
    const { solves } = await keptIn(made.garden);
    const kept = Object.fromEntries(solves.map(({ submission_id, verdict }) => [submission_id, verdict]));
    return { kept, asked: asked.length };
  };
}

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

function assertKept(kept: Record<string, string | null>, rows: readonly CodeforcesRow[]): void {
  const wrong = rows.filter(({ id, verdict }) => kept[id] !== verdict);
  assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} rows`);
  assert.equal(Object.keys(kept).length, rows.length);
}

test('Codeforces: of 2,600 rows 600 share a second, and others come while they are paged', async (t) => {
  const rows = codeforcesRows(2600, (at) => now - (at >= 700 && at < 1300 ? 1000 : at + 300));
  const status: CodeforcesRows['status'] = { ada: rows };
  const sync = await syncing(
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
  assertKept((await sync()).kept, rows);
});

test('Codeforces: a row that comes late is found in the week after, and an older one within a month', async (t) => {
  const rows = codeforcesRows(2400, (at) => now - at * 3600);
  const sync = await syncing(t, 'codeforces', replayCodeforces({ status: { ada: rows } }));
  await sync();
  const [late, old] = codeforcesRows(2, () => 0) as [CodeforcesRow, CodeforcesRow];
  rows.splice(48, 0, { ...late, id: 5, creationTimeSeconds: now - 2 * day });
  rows.splice(2000, 0, {
    ...old,
    id: 6,
    creationTimeSeconds: (rows[2000] as CodeforcesRow).creationTimeSeconds,
  });
  (rows.at(-1) as CodeforcesRow).verdict = 'SKIPPED';
  const next = await sync();
  assert.equal(next.asked, 1);
  assert.ok('5' in next.kept && !('6' in next.kept));
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * day * 1000 });
  const whole = await sync();
  assertKept(whole.kept, rows);
  assert.equal(whole.asked, 3, 'a page that is much shorter than the others is the last');
  assert.equal((await sync()).asked, 1);
});

const atcoderRow = (id: number, epoch_second: number) => ({
  id,
  epoch_second,
  problem_id: `abc001_${'abcde'[id % 5]}`,
  contest_id: 'abc001',
  user_id: 'ada',
  language: 'C++',
  point: 100,
  length: 10,
  result: 'AC',
  execution_time: 1,
});

test('AtCoder: rows come while they are paged, late, and 600 to a second', async (t) => {
  const submissions = Array.from({ length: 1200 }, (_, at) => atcoderRow(at + 1, now - 10 * day + at));
  const rows: AtCoderRows = { submissions };
  const replayed = replayAtCoder(rows);
  let pages = 0;
  const sync = await syncing(t, 'atcoder', (path, ...rest) => {
    const answer = replayed(path, ...rest);
    if (path.endsWith('/submissions') && ++pages === 2) {
      submissions.push(atcoderRow(5000, now - 10 * day - 50), atcoderRow(5001, now));
    }
    return answer;
  });
  const expected = () => submissions.map(({ id }) => String(id)).toSorted();
  await sync();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3_600_000 });
  assert.deepEqual(Object.keys((await sync()).kept).toSorted(), expected());

  const count = submissions.length;
  for (let id = 6000; id < 6600; id++) submissions.push(atcoderRow(id, now + 100));
  submissions.push(atcoderRow(7000, now + 200));
  const { kept, asked } = await sync();
  assert.ok(Object.keys(kept).length >= count + 501, 'a page of a second is all that AtCoder Problems gives');
  assert.ok('7000' in kept);
  assert.ok(asked < 8, `${asked} requests`);
});
