/** How often each thing is asked for: the intervals of docs/operations.md, with nothing left to chance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '../../src/durations.ts';
import { requestSync, unavailableUntil } from '../../src/jobs/schedule.ts';
import { dueInRound, nextDueAt } from '../../src/jobs/sync-intervals.ts';
import { insertMany } from '../../src/store/bulk.ts';
import { freshFeed, saveLiveFeed } from '../../src/store/live-feeds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { findSync, freshSync, pauseSubject, type SyncsTable, type SyncTask, saveSync } from '../../src/store/syncs.ts';
import { addContest, iso, solve } from '../support/seasons.ts';
import { gardenWithHandle, link } from './support.ts';

const now = Date.parse('2026-11-29T18:00:00Z');
const never = Number.NaN;

test('each thing is asked for in its interval, which is longer after faults and never later than documented', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  const ids = { codeforces: handle.id, leetcode: (await link(garden, 'leetcode', 'ada')).id };
  await store.write((tx) => addContest(tx, { key: '9', problems: 0 }));
  let luck = 1;
  t.mock.method(Math, 'random', () => luck);

  type Source = keyof typeof ids;
  /** The pause of a handle that last submitted so long ago, perhaps in a contest. */
  const ofHandle = (source: Source, task: SyncTask, agoMs: number, row: Partial<SyncsTable> = {}, contest?: string) =>
    store.write(async (tx) => {
      const handle_id = ids[source];
      await tx.deleteFrom('solves').execute();
      if (agoMs >= 0) {
        const sent = { handle_id, submitted_at: iso(now - agoMs), contest: contest ?? null };
        await insertSolves(tx, [solve({ ...sent, participation: contest ? 'contest' : 'practice' })]);
      }
      return Number(await nextDueAt(tx, { ...freshSync({ source, task, handle_id }), ...row }, now)) - now;
    });
  const ofList = async (source: string, task: SyncTask) =>
    Number(await nextDueAt(store.reader, freshSync({ source, task, handle_id: null }), now)) - now;
  const fault = (kind: SyncsTable['fault'], failures: bigint) => ({ fault: kind, failures });

  const submissions: [agoMs: number, row: Partial<SyncsTable>, pauseMs: number][] = [
    [dayMs - 1, {}, 15 * minuteMs],
    [dayMs, {}, 2 * hourMs],
    [14 * dayMs - 1, {}, 2 * hourMs],
    [14 * dayMs, {}, dayMs],
    [never, {}, dayMs],
    [0, fault('down', 1n), 5 * minuteMs],
    [0, fault('down', 2n), 10 * minuteMs],
    [0, fault('busy', 7n), 320 * minuteMs],
    [0, fault('busy', 8n), 6 * hourMs],
    [0, fault('refused', 1n), hourMs],
    [0, fault('refused', 3n), 4 * hourMs],
    [0, fault('unknown handle', 1n), minuteMs],
  ];
  for (const [agoMs, row, pauseMs] of submissions)
    assert.equal(await ofHandle('codeforces', 'submissions', agoMs, row), pauseMs, `${agoMs} ${row.fault}`);
  const others: [...Parameters<typeof ofHandle>, pauseMs: number][] = [
    ['leetcode', 'submissions', dayMs - 1, {}, '', 15 * minuteMs],
    ['leetcode', 'submissions', never, {}, '', hourMs],
    ['leetcode', 'submissions', 0, fault('unknown handle', 2n), '', dayMs],
    ['codeforces', 'ratings', never, {}, '', dayMs],
    ['codeforces', 'ratings', 2 * dayMs, {}, '9', 2 * hourMs],
    ['codeforces', 'ratings', 2 * dayMs + 1, {}, '9', dayMs],
    ['codeforces', 'ratings', hourMs, fault('down', 1n), '9', 5 * minuteMs],
  ];
  for (const [source, task, agoMs, row, contest, pauseMs] of others)
    assert.equal(await ofHandle(source, task, agoMs, row, contest), pauseMs, `${source} ${task} ${agoMs}`);

  const rated = async (agoMs: number) => {
    const row = { handle_id: handle.id, contest: '9', title: 'Nine', place: 1n, rating: 1500n };
    await store.write(async (tx) => {
      await tx.deleteFrom('ratings').execute();
      await insertMany(tx, 'ratings', [{ ...row, rated_at: iso(now - agoMs) }]);
    });
    return ofHandle('codeforces', 'ratings', hourMs, {}, '9');
  };
  assert.deepEqual([await rated(hourMs + 1), await rated(hourMs)], [2 * hourMs, dayMs], 'rated since the contest');

  const lists: [string, SyncTask, pauseMs: number][] = [
    ['atcoder', 'age', hourMs],
    ['clist', 'upcoming', 2 * hourMs],
    ['codeforces', 'contests', 6 * hourMs],
    ['atcoder', 'contests', dayMs],
    ['dmoj', 'contests', 2 * hourMs],
    ['atcoder', 'rounds', 66_000],
    ['leetcode', 'problems', dayMs],
    ['codeforces', 'gyms', dayMs],
    ['codeforces', 'renames', dayMs],
  ];
  for (const [source, task, pauseMs] of lists) assert.equal(await ofList(source, task), pauseMs, `${source} ${task}`);

  await t.test('beside a live feed', async () => {
    const live = (lateMs: number) =>
      store.write((tx) => saveLiveFeed(tx, 'codeforces', { ...freshFeed, completeAt: now - lateMs }));
    await live(15 * minuteMs);
    assert.equal(await ofHandle('codeforces', 'submissions', never), dayMs, 'the feed is not live');
    await live(0);
    const beside: [agoMs: number, contest: string, pauseMs: number][] = [
      [never, '', 7 * dayMs],
      [dayMs, '', 7 * dayMs],
      [dayMs - 1, '', dayMs],
      [hourMs, '9', 7 * hourMs],
      [4 * hourMs - 1, '9', 4 * hourMs + 1],
      [4 * hourMs, '9', dayMs],
    ];
    for (const [agoMs, contest, pauseMs] of beside)
      assert.equal(await ofHandle('codeforces', 'submissions', agoMs, {}, contest), pauseMs, `${agoMs} ${contest}`);
    assert.equal(await ofHandle('codeforces', 'submissions', 0, fault('down', 1n)), 5 * minuteMs);
    assert.equal(await ofList('codeforces', 'submissions'), dayMs, 'no handle');
    luck = 0;
    assert.equal(await ofHandle('codeforces', 'submissions', hourMs, {}, '9'), 2.4 * hourMs, 'a fifth sooner');
    assert.equal(await ofHandle('codeforces', 'ratings', never), 0.8 * dayMs);
  });
});

test('in a running round a handle is due by the round, and a judge that answers nobody by its pause', async (t) => {
  const { garden } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  t.mock.timers.enable({ apis: ['Date'], now });
  const tried = iso(now);
  const of = (fault: SyncsTable['fault'], dueInMs: number, tried_at: string | null = tried) => ({
    tried_at,
    due_at: BigInt(now + dueInMs),
    fault,
  });
  const cases: [Parameters<typeof dueInRound>[0], number][] = [
    [of(null, dayMs, null), 0],
    [{ ...of(null, dayMs), due_at: null }, 0],
    [{ ...of(null, dayMs), due_at: 0n }, 0],
    [of(null, dayMs), now + 66_000],
    [of('unknown handle', dayMs), now + dayMs],
    [of('down', dayMs), now + 5 * minuteMs],
    [of('down', minuteMs), now + minuteMs],
  ];
  for (const [row, at] of cases) assert.equal(dueInRound(row, 66_000), at, `${row.fault} ${row.due_at}`);

  const until = (...handles: ReturnType<typeof of>[]) => unavailableUntil(store.reader, 'codeforces', handles);
  const pause = (dueInMs: number) =>
    store.write((tx) => saveSync(tx, { ...freshSync(pauseSubject('codeforces')), ...of('down', dueInMs) }));
  const [fine, down, later] = [of(null, dayMs), of('down', minuteMs), of('down', 2 * minuteMs)];
  assert.deepEqual(
    [await until(), await until(fine, down), await until(down), await until(later, down)],
    [undefined, undefined, now + minuteMs, now + minuteMs],
  );
  await pause(0);
  assert.equal(await until(fine), undefined);
  await pause(3 * minuteMs);
  assert.deepEqual([await until(fine), await until(down)], [now + 3 * minuteMs, now + 3 * minuteMs]);
});

test('a requested sync is due before all others, unless its last is of the last half minute', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  t.mock.timers.enable({ apis: ['Date'], now });
  const dueAt = async (triedMs: number | null, userId = handle.user_id) => {
    const subjects = (['submissions', 'ratings'] as const).map((task) => ({
      source: 'codeforces',
      task,
      handle_id: handle.id,
    }));
    const tried_at = triedMs === null ? null : iso(now - triedMs);
    await store.write(async (tx) => {
      for (const one of subjects) await saveSync(tx, { ...freshSync(one), tried_at, due_at: 5n });
    });
    const isDone = await requestSync(store, userId, handle.id);
    const rows = await Promise.all(subjects.map((one) => findSync(store.reader, one)));
    return [isDone, ...rows.map((row) => row?.due_at)];
  };
  for (const triedMs of [null, 30_001, -30_001]) assert.deepEqual(await dueAt(triedMs), [true, 0n, 0n]);
  for (const triedMs of [0, 30_000, -30_000]) assert.deepEqual(await dueAt(triedMs), [true, 5n, 5n]);
  assert.deepEqual(await dueAt(null, handle.user_id + 1n), [false, 5n, 5n]);
});
