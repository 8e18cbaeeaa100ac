/** Syncing with AtCoder Problems: rows that come late, share a second or fill a page are all kept, each once. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { type AtCoderRows, acceptedRow, replayAtCoder } from '../replay/atcoder.ts';
import { link, syncing as syncingWith } from './support.ts';

const row = (id: number, second: number) => ({
  ...acceptedRow(id, 'Ada', second),
  problem_id: `abc${id % 40}_a`,
  contest_id: `abc${id % 40}`,
});

const syncing = (t: TestContext, rows: AtCoderRows, pageSize?: number) =>
  syncingWith(t, 'atcoder', replayAtCoder(rows, pageSize));

const ids = ({ submissions }: AtCoderRows) => submissions.map(({ id }) => id).toSorted((a, b) => a - b);

test('a page with fewer submissions than usual is not the end, also of a run that asks for all again', async (t) => {
  const at = 1_500_000_000;
  const rows = { submissions: Array.from({ length: 1100 }, (_, n) => row(n + 1, at + n * 3600)) };
  const { sync } = await syncing(t, rows, 200);
  assert.deepEqual((await sync()).ids, ids(rows));
  assert.equal((await sync()).asked.length, 1, 'nothing is newer');
  rows.submissions.push(row(2000, at + 400 * 3600));
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3_600_000 });
  assert.deepEqual((await sync()).ids, ids(rows));
});

test('a problem that is tried in one answer and solved in the next counts once', async (t) => {
  const submissions = Array.from({ length: 600 }, (_, at) => ({
    ...row(at + 1, 1_500_000_000 + at),
    result: at < 500 ? 'WA' : 'AC',
  }));
  const { sync, garden } = await syncing(t, { submissions });
  const tasks = Array.from({ length: 40 }, (_, n) => ({
    id: `abc${n}_a`,
    contest_id: `abc${n}`,
    name: `Task ${n}`,
  }));
  await garden.import('atcoder-problems', tasks);
  await sync();
  const [{ news } = {}] = await garden.store.reader.selectFrom('syncs').select('news').execute();
  assert.equal(news, 40n);
});

test('submissions that move to the new name of a user are kept once, and never lost meanwhile', async (t) => {
  const at = 1_500_000_000;
  const rows = { submissions: [row(1, at), row(2, at + 5), { ...row(3, at + 9), user_id: 'lovelace' }] };
  const { garden, sync, ask } = await syncing(t, rows);
  const renamed = await link(garden, 'atcoder', 'Lovelace');
  const syncBoth = async () => {
    await sync();
    await syncHandle(garden.store, renamed, ask);
    const solves = await garden.store.reader.selectFrom('solves').selectAll().orderBy('submission_id').execute();
    return solves.map(({ submission_id, handle_id }) => `${submission_id}${handle_id === renamed.id ? ' new' : ''}`);
  };
  assert.deepEqual(await syncBoth(), ['1', '2', '3 new']);
  const [moving] = rows.submissions.splice(0, 1);
  assert.ok(moving);
  assert.deepEqual(await syncBoth(), ['1', '2', '3 new'], 'under neither name');
  rows.submissions.push({ ...moving, user_id: 'lovelace' });
  assert.deepEqual(await syncBoth(), ['1 new', '2', '3 new']);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 25 * 3_600_000 });
  assert.deepEqual(await syncBoth(), ['1 new', '2', '3 new']);
  assert.equal((await sync()).asked.length, 1, 'the counts agree');
});

test('of 600 submissions in one second none is lost, wherever a page ends', async (t) => {
  const at = 1_500_000_000;
  const second = (first: number, from: number, count: number) =>
    Array.from({ length: count }, (_, n) => row(first + n, from));
  const others = second(5000, at, 300).map((one) => ({ ...one, user_id: 'eve' }));
  for (const [before, count] of [
    [0, 600],
    [300, 600],
    [0, 500],
    [200, 500],
    [499, 500],
    [500, 501],
  ] as const) {
    const own = [...second(1, at - 10, before), ...second(1001, at, count), row(4000, at + 5)];
    const { sync } = await syncing(t, { submissions: [...own, ...others] });
    const { ids: kept } = await sync();
    assert.deepEqual(kept, ids({ submissions: own }), `${before} and ${count}`);
    assert.deepEqual((await sync()).ids, kept);
  }
});
