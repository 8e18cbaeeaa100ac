/** Ratings of handles: each rated contest once, a fault leaves what is kept, and unlinking or renaming takes them along. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { handleHealth } from '../../src/jobs/sync-health.ts';
import { syncHandle, syncRatings } from '../../src/jobs/sync-runs.ts';
import { removeHandle, renameHandle } from '../../src/practice/handles.ts';
import { listCurrentRatings } from '../../src/store/ratings.ts';
import { findSync } from '../../src/store/syncs.ts';
import { replayAtCoder } from '../replay/atcoder.ts';
import { codeforcesRow, replayCodeforces } from '../replay/codeforces.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { link, syncing } from './support.ts';

const day = 86_400;
const rated = (contestId: number, newRating: number, at = 1_700_000_000 + contestId * day) => ({
  contestId,
  contestName: `Round ${contestId} (Div. 2)`,
  handle: 'ada',
  rank: 100 - contestId,
  ratingUpdateTimeSeconds: at,
  oldRating: 0,
  newRating,
});

async function rating(t: TestContext, source: 'codeforces' | 'atcoder', judge: ReplayedJudge) {
  const { garden, handle, replay, ask } = await syncing(t, source, judge);
  const sync = () => syncRatings(garden.store, handle, ask);
  const kept = async () =>
    (await garden.store.reader.selectFrom('ratings').selectAll().orderBy('rated_at').execute()).map(
      ({ contest, rating, rated_at, title, place }) => [contest, Number(rating), rated_at.slice(0, 16), title, place],
    );
  return { garden, handle, replay, ask, sync, kept };
}

test('each rated contest of Codeforces is kept once, and one that is no longer rated goes', async (t) => {
  const rows = { status: { ada: [] }, ratings: { ada: [rated(1, 382), rated(2, 700)] as object[] } };
  const { sync, kept, garden } = await rating(t, 'codeforces', replayCodeforces(rows));
  assert.equal(await sync(), 2);
  assert.equal(await sync(), 0);
  assert.deepEqual(await kept(), [
    ['1', 382, '2023-11-15T22:13', 'Round 1 (Div. 2)', 99n],
    ['2', 700, '2023-11-16T22:13', 'Round 2 (Div. 2)', 98n],
  ]);
  rows.ratings.ada = [rated(2, 710), rated(3, 650)];
  assert.equal(await sync(), 3, 'one changed, one new, one gone');
  assert.deepEqual(
    (await kept()).map(([contest, value]) => [contest, value]),
    [
      ['2', 710],
      ['3', 650],
    ],
  );
  const [now] = await listCurrentRatings(garden.store.reader, [1n, 2n]);
  assert.deepEqual([now?.user_id, now?.source, now?.rating, now?.best], [1n, 'codeforces', 650n, 710n]);
});

test('a fault is noted for the handle, and leaves what is kept', async (t) => {
  const rows = { status: { ada: [] }, ratings: { ada: [rated(1, 1400)] as object[] } };
  const { sync, kept, replay, garden } = await rating(t, 'codeforces', replayCodeforces(rows));
  await sync();
  const before = await kept();
  for (const [fault, kind] of [
    [{ kind: 'truncated' }, 'odd answer'],
    [{ kind: 'reset' }, 'down'],
  ] as const) {
    replay.fail('codeforces', fault);
    await assert.rejects(sync(), { code: 'judgeFailed' });
    const [health] = await handleHealth(garden.store.reader, new Date());
    assert.deepEqual([health?.ratings?.state, health?.ratings?.fault, health?.fault], ['failing', kind, null]);
  }
  for (const bad of [[], [{}]]) {
    rows.ratings.ada = bad;
    await assert.rejects(sync(), { code: 'judgeFailed' }, JSON.stringify(bad));
  }
  assert.deepEqual(await kept(), before);
  rows.ratings.ada = [rated(1, 1400), rated(2, 1500)];
  await sync();
  assert.equal((await handleHealth(garden.store.reader, new Date()))[0]?.ratings?.state, 'fine');
});

test('an odd row is skipped and named, and takes nothing away that is kept', async (t) => {
  const codeforces = { status: { ada: [] }, ratings: { ada: [rated(1, -17), rated(2, 0)] as object[] } };
  const { sync, kept, garden } = await rating(t, 'codeforces', replayCodeforces(codeforces));
  await sync();
  codeforces.ratings.ada = [{ ...rated(1, -20), rank: null, contestName: 7 }, { newRating: null }, null as never];
  await sync();
  assert.deepEqual(
    (await kept()).map(([contest, value, , title, place]) => [contest, value, title, place]),
    [
      ['1', -20, '1', null],
      ['2', 0, 'Round 2 (Div. 2)', 98n],
    ],
  );
  const [health] = await handleHealth(garden.store.reader, new Date());
  assert.deepEqual([health?.ratings?.state, health?.ratings?.skipped.length], ['fine', 2]);
});

test('after a contest ratings are asked for in two hours, until it is rated', async (t) => {
  const now = Math.floor(Date.now() / 1000);
  const rows = { status: { ada: [] as object[] }, ratings: { ada: [rated(1, 1400)] } };
  const { sync, ask, handle, garden } = await rating(t, 'codeforces', replayCodeforces(rows));
  const hours = async () => {
    const row = await findSync(garden.store.reader, { source: 'codeforces', task: 'ratings', handle_id: handle.id });
    return Math.round((Number(row?.due_at ?? 0n) - Date.now()) / 3_600_000);
  };
  await sync();
  const contest = { id: 9, name: 'Round 9', phase: 'FINISHED', durationSeconds: 7200, startTimeSeconds: now - 5000 };
  await garden.import('codeforces-contests', { status: 'OK', result: [contest] });
  const inContest = {
    contestId: 9,
    problem: { contestId: 9, index: 'A', name: 'A' },
    author: { members: [{ handle: 'ada' }], participantType: 'CONTESTANT' },
  };
  rows.status.ada = [codeforcesRow(5, now + 60, 'ada', inContest)];
  await syncHandle(garden.store, handle, ask);
  assert.equal(await hours(), 2, 'the contest is not rated yet');
  rows.ratings.ada.push(rated(9, 1500, now + 7200));
  await sync();
  assert.ok((await hours()) >= 19);
});

test('unlinking takes the ratings of a handle away, and joining two names keeps each contest once', async (t) => {
  const rows = {
    status: { ada: [], ada2: [] },
    ratings: { ada: [rated(1, 1400), rated(2, 1500)], ada2: [rated(2, 1500)] },
  };
  const { sync, kept, garden, handle, ask } = await rating(t, 'codeforces', replayCodeforces(rows));
  await sync();
  const second = await link(garden, 'codeforces', 'ada2');
  await syncRatings(garden.store, second, ask);
  assert.equal((await kept()).length, 3, 'two handles have their own rows');
  await renameHandle(garden.store, 'codeforces', 'ada', 'ada2');
  assert.deepEqual(
    (await kept()).map(([contest]) => contest),
    ['1', '2'],
  );
  await garden.store.write((tx) => removeHandle(tx, second.id, 1n));
  assert.deepEqual(await kept(), []);
  await assert.rejects(syncRatings(garden.store, handle, ask), { code: 'unknownItem' });
});

test('the real rows of Codeforces and AtCoder are read', needsData, async (t) => {
  const cf = JSON.parse(await readReal('reach/codeforces/user.rating.one-row.json'));
  const one = await rating(t, 'codeforces', replayCodeforces({ status: {}, ratings: { ada: cf.result } }));
  await one.sync();
  assert.deepEqual(await one.kept(), [['1624', 382, '2022-01-10T16:50', 'Codeforces Round 764 (Div. 3)', 14899n]]);
  const ac = JSON.parse(await readReal('reach/atcoder/users.history.json'));
  const two = await rating(t, 'atcoder', replayAtCoder({ submissions: [], history: { ada: ac } }));
  await two.sync();
  assert.deepEqual(
    (await two.kept()).map(([contest, value]) => [contest, value]),
    [
      ['agc004', 2720],
      ['arc061', 1255],
    ],
  );
});
