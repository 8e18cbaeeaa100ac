/** Live feeds: one request brings what all members submitted, once, and own lists decide what a feed cannot. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dayMs, hourMs, minuteMs } from '../../src/durations.ts';
import { takeTurn } from '../../src/jobs/live-feeds.ts';
import { isLive } from '../../src/jobs/live-rules.ts';
import { handleHealth } from '../../src/jobs/sync-health.ts';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import type { SubmissionFeed } from '../../src/judges/judge.ts';
import { judgeOf } from '../../src/judges/judges.ts';
import { addHandle, removeHandle } from '../../src/practice/handles.ts';
import { findHandle, type HandlesTable, listHandles } from '../../src/store/handles.ts';
import { findLiveFeed, freshFeed, type LiveFeed, saveLiveFeed } from '../../src/store/live-feeds.ts';
import type { Store } from '../../src/store/store.ts';
import { findSync, freshSync, listDueHandles, pauseSubject, saveSync } from '../../src/store/syncs.ts';
import { codeforcesNamed, type Garden } from '../importing/support.ts';
import { acceptedRow, replayAtCoder } from '../replay/atcoder.ts';
import { type CodeforcesRows, replayCodeforces } from '../replay/codeforces.ts';
import { dmojRow, replayDmoj } from '../replay/dmoj.ts';
import type { Fault, ReplayedJudge } from '../replay/replay.ts';
import { askReplay, gardenWithHandle, keptIds, keptIn, replayOf } from './support.ts';

const began = Math.floor(Date.now() / 1000) * 1000 - 2 * hourMs;
const secondOf = (ms: number) => Math.floor(ms / 1000);

interface Sent {
  id: number;
  by?: string | string[];
  key?: string;
  verdict?: string | null;
  at?: number;
  contestant?: boolean;
}

function sent({ id, by = 'ada', key = '1A', verdict = 'OK', at = began + id * 1000, contestant }: Sent) {
  const [, contest, index] = /^(\d*)(\w)$/.exec(key) ?? [];
  const problem = { ...(contest && { contestId: Number(contest) }), index, name: key };
  return {
    id,
    ...(contest && { contestId: Number(contest) }),
    creationTimeSeconds: secondOf(at),
    problem,
    author: {
      members: [by].flat().map((handle) => ({ handle })),
      participantType: contestant ? 'CONTESTANT' : 'PRACTICE',
    },
    ...(verdict !== null && { verdict }),
  };
}

const strangers = (from: number, until: number, at = (id: number) => began + id * 1000) =>
  Array.from({ length: until - from }, (_, n) => sent({ id: from + n, by: `stranger${n % 7}`, at: at(from + n) }));

async function live(t: TestContext, source: 'codeforces' | 'atcoder' | 'dmoj', judge: ReplayedJudge) {
  const replay = await replayOf(t, { [source]: judge });
  const { garden, handle } = await gardenWithHandle(t, source, 'ada');
  const { store } = garden;
  const ask = askReplay(store, source, replay);
  const feed = judgeOf(source)?.api?.feed as SubmissionFeed;
  const said: string[] = [];
  const signal = new AbortController().signal;
  const state = async () => (await findLiveFeed(store.reader, source)) ?? freshFeed;
  const turn = async (now: number, { through = store as Store, signal: ownSignal = signal, isSpent = false } = {}) => {
    replay.log.length = 0;
    const log = (_level: unknown, sentence: string) => said.push(sentence);
    const context = { store: through, source, feed, ask, signal: ownSignal, log, now, isSpent };
    const next = await takeTurn(context, await state());
    await store.write((tx) => saveLiveFeed(tx, source, next));
    return next;
  };
  const asked = () => replay.log.map(({ path }) => decodeURIComponent(path).replace(/&(?:lang|check).*/, ''));
  const dueIn = async ({ id }: HandlesTable) =>
    Number((await findSync(store.reader, { source, task: 'submissions', handle_id: id }))?.due_at) - Date.now();
  return { garden, store, handle, replay, ask, said, state, turn, asked, dueIn };
}

function syncedAt(store: Store, { id }: HandlesTable, at: number) {
  const moment = new Date(at).toISOString();
  return store.write((tx) =>
    tx.updateTable('syncs').set({ tried_at: moment, good_at: moment }).where('handle_id', '=', id).execute(),
  );
}

const online = (now: number): LiveFeed => ({ ...freshFeed, onlineAt: now });
const start = (store: Store, now: number, change: Partial<LiveFeed> = {}) =>
  store.write((tx) => saveLiveFeed(tx, 'codeforces', { ...online(now), ...change }));

async function member({ store, import: bring }: Garden, username: string, ...names: string[]) {
  await bring('records', [{ username }]);
  const { id } = await store.reader
    .selectFrom('members')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  const handles: HandlesTable[] = [];
  for (const name of names) handles.push(await store.write((tx) => addHandle(tx, id, 'codeforces', name)));
  return handles[0] as HandlesTable;
}

test('one request brings the rows of all members, and nothing of strangers', async (t) => {
  const rows: CodeforcesRows & { recent: object[] } = {
    status: {},
    recent: [
      ...strangers(1, 90),
      sent({ id: 100, by: 'ADA' }),
      sent({ id: 101, by: ['stranger1', 'Bob_cf'], key: '2A' }),
      sent({ id: 102, by: 'shared', key: '2A', verdict: 'WRONG_ANSWER' }),
      sent({ id: 103, key: 'B' }),
      sent({ id: 104, key: '777B' }),
      sent({ id: 104, key: '777B' }),
      { id: 'odd', author: { members: [{ handle: 'ada' }] } },
      { id: 105, creationTimeSeconds: null, author: 'ada' },
      { id: 106, creationTimeSeconds: secondOf(began), author: { members: [{ handle: 'ada' }, { handle: 7 }, null] } },
      sent({ id: 9e15, at: Date.parse('2099-01-01') }),
      { ...sent({ id: 9e14 }), creationTimeSeconds: 1e15 },
    ],
  };
  const { garden, store, turn, asked } = await live(t, 'codeforces', replayCodeforces(rows));
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '2A'));
  await member(garden, 'bob', 'bob_cf', 'shared');
  await member(garden, 'eve', 'Shared');
  await start(store, began);
  const first = await turn(began + 200_000);
  assert.deepEqual(asked(), ['/problemset.recentStatus?count=1000']);
  const { solves } = await keptIn(garden);
  const names = new Map((await listHandles(store.reader)).map(({ id, username }) => [id, username]));
  assert.deepEqual(
    solves.map((one) => `${one.submission_id} ${names.get(one.handle_id)} ${one.problem_id !== null} ${one.origin}`),
    [
      '100 ada true server',
      '101 bob true server',
      '102 bob true server',
      '102 eve true server',
      '104 ada false server',
    ],
  );
  assert.deepEqual([first.newestId, first.delays], [106, {}], 'what was there before is no delay');
  assert.equal(
    JSON.stringify(await store.reader.selectFrom('live_feeds').selectAll().execute()).includes('strang'),
    false,
  );

  rows.recent.push(sent({ id: 110, key: '2A', at: began + 220_000 }));
  const second = await turn(began + 245_000);
  assert.deepEqual([second.newestId, second.delays, isLive(second, began + 245_000)], [110, { 25: 1 }, true]);
  assert.equal((await keptIds(garden)).length, 6);
  assert.equal((await turn(began + 290_000)).delays[25], 1, 'a row that is here already is no news');
});

test('a verdict goes from none to final once, and a stale row never undoes what an own list said', async (t) => {
  const row = sent({ id: 500, verdict: null });
  const status: Record<string, object[]> = { ada: [row] };
  const { garden, store, handle, turn, ask, state } = await live(t, 'codeforces', replayCodeforces({ status }));
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A'));
  await start(store, began, { newestId: 499, goodAt: began + 490_000, completeAt: began + 490_000 });
  const seen = async () => (await keptIn(garden)).solves.map((one) => `${one.verdict_class} ${one.verdict}`).join();
  const verdicts = ['TESTING', 'OK', 'CHALLENGED', 'TESTING'].entries();
  await turn(began + 510_000);
  assert.deepEqual([await seen(), (await state()).pending.map(({ id }) => id)], ['pending null', [500]]);
  const steps: string[] = [];
  for (const [n, verdict] of verdicts) {
    status['ada'] = [{ ...row, verdict }];
    const { pending, delays } = await turn(began + 525_000 + n * 15_000);
    steps.push(`${await seen()} ${pending.length} ${JSON.stringify(delays)}`);
  }
  assert.deepEqual(steps, [
    'pending TESTING 1 {}',
    'solved OK 0 {"15":1}',
    'solved OK 0 {"15":1}',
    'solved OK 0 {"15":1}',
  ]);
  status['ada'] = [{ ...row, verdict: 'CHALLENGED' }];
  await syncHandle(store, handle, ask);
  status['ada'] = [row, { ...row, verdict: 'OK' }];
  await turn(began + 700_000);
  assert.equal(await seen(), 'tried CHALLENGED');
});

test('a burst beyond the window is a gap: those who were online meanwhile are read, and nothing is lost', async (t) => {
  const now = Date.now();
  const before = now - 5 * minuteMs;
  const at = (id: number) => before + id * 20;
  const status: Record<string, object[]> = {
    ada: [sent({ id: 2001, at: at(2001) }), sent({ id: 1001, at: at(1001), key: '2A' }), sent({ id: 9, at: at(9) })],
    bob_cf: [sent({ id: 8, by: 'bob_cf', at: at(8) })],
  };
  const rows: CodeforcesRows = { status: { ...status, others: strangers(10, 2000, at) } };
  rows.online = { ada: secondOf(now), bob_cf: secondOf(before - dayMs) };
  const { garden, store, handle, turn, ask, asked, dueIn } = await live(t, 'codeforces', replayCodeforces(rows));
  const bob = await member(garden, 'bob', 'bob_cf');
  for (const one of [handle, bob]) {
    await syncHandle(store, one, ask);
    await syncedAt(store, one, before);
  }
  await store.write((tx) => tx.deleteFrom('solves').where('submission_id', 'in', ['1001', '2001']).execute());
  await start(store, now, { newestId: 9, grownAt: before, goodAt: before, completeAt: before, rowsPerSecond: 1 });
  const gap = await turn(now);
  assert.deepEqual(
    asked().map((path) => path.slice(0, 33)),
    ['/problemset.recentStatus?count=50', '/problemset.recentStatus?count=10', '/user.info?handles=ada;bob_cf'],
  );
  assert.deepEqual([gap.gaps, gap.gapFrom, gap.gapUntil, isLive(gap, now)], [1, before, now, false]);
  assert.ok((await keptIds(garden)).includes(2001) && !(await keptIds(garden)).includes(1001));
  assert.ok((await dueIn(handle)) < -minuteMs, 'ada was online');
  assert.ok((await dueIn(bob)) > minuteMs, 'bob was not');
  status['ada']?.splice(1, 0, sent({ id: 1002, at: at(1002), key: '2A', verdict: 'TESTING' }));
  await syncHandle(store, handle, ask);
  assert.ok((await keptIds(garden)).includes(1001));
  rows.online['bob_cf'] = secondOf(now);
  const open = await turn(now + 5 * minuteMs);
  assert.deepEqual(
    [open.gapFrom, open.pending.map(({ id }) => id)],
    [before, [1002]],
    'bob is missing still, and only its own list can show the verdict of ada',
  );
  await syncHandle(store, bob, ask);
  const closed = await turn(now + 10 * minuteMs);
  assert.deepEqual([closed.gapFrom, isLive(closed, now + 10 * minuteMs)], [null, true]);
});

test('three refusals in a row end live, never pause the judge, and people online are read instead', async (t) => {
  const now = Date.now();
  const status = { ada: [sent({ id: 1000, at: now - hourMs })] };
  const { store, handle, replay, turn, ask, dueIn, said, asked } = await live(
    t,
    'codeforces',
    replayCodeforces({ status, online: { ada: secondOf(now + hourMs) } }),
  );
  await syncHandle(store, handle, ask);
  await syncedAt(store, handle, now - hourMs);
  const at = now - 45_000;
  await start(store, now, { newestId: 1000, newestAt: now - hourMs, grownAt: at, goodAt: at, completeAt: at });
  const faults: Fault[] = [
    { kind: 'page', status: 403 },
    { kind: 'truncated' },
    { kind: 'answer', status: 200, body: '{"status":"OK","result":[]}' },
    { kind: 'answer', status: 200, body: '{"status":"OK","result":[7,null]}' },
  ];
  const lives: boolean[] = [];
  let last = freshFeed;
  for (const [n, fault] of faults.entries()) {
    replay.fail('codeforces', fault);
    last = await turn(now + n * minuteMs);
    lives.push(isLive(last, now + n * minuteMs));
  }
  assert.deepEqual([lives, last.failures, last.failedAt, last.gapFrom], [[true, true, false, false], 4, now, at]);
  assert.equal(said.length, 4);
  assert.ok((await dueIn(handle)) < 0);
  assert.equal(await findSync(store.reader, pauseSubject('codeforces')), undefined);
  await syncedAt(store, handle, now + 4 * minuteMs);
  assert.deepEqual([last.failures, (await turn(now + 4 * minuteMs)).failures], [4, 4]);
  assert.match(asked().join(), /^\/user\.info[^,]*$/, 'people are looked for until the feed is tried again');
  const back = await turn(now + hourMs);
  assert.deepEqual([back.failures, back.gapUntil], [0, now + hourMs]);
  assert.match(asked().join(), /user\.info/);
  await syncedAt(store, handle, now + 2 * hourMs);
  assert.equal((await turn(now + hourMs + 6 * minuteMs)).gapFrom, null);
});

test('a site without the method, one that stands still and one that answers rows of before are not live', async (t) => {
  const now = Date.now();
  const status = { ada: [sent({ id: 1000, at: now - hourMs })] };
  const answers = replayCodeforces({ status });
  let isKnown = false;
  const { store, handle, turn, ask } = await live(t, 'codeforces', (path, query, request) =>
    isKnown || path === '/user.status' ? answers(path, query, request) : undefined,
  );
  await start(store, now);
  for (const n of [1, 2, 3]) assert.equal((await turn(now + n)).failures, n);
  isKnown = true;
  const good = { newestId: 1000, newestAt: now - hourMs, goodAt: now, completeAt: now, grownAt: now };
  await start(store, now, good);
  assert.equal((await turn(now + minuteMs)).failures, 0);
  // An own list has what the feed should have had.
  const feedRow = status.ada[0] as object;
  status.ada.unshift(sent({ id: 1001, at: now - minuteMs }));
  await syncHandle(store, handle, ask);
  status.ada = [feedRow as never];
  assert.equal((await turn(now + 2 * minuteMs)).failures, 1);
});

test('while nobody is online only that is asked, renamed handles get their name, and waking is no gap', async (t) => {
  const now = Date.now();
  const rows: CodeforcesRows = { status: { ada_new: [] }, renamed: { ada: 'ada_new' }, online: {} };
  const { garden, store, handle, turn, asked } = await live(t, 'codeforces', replayCodeforces(rows));
  const subject = { source: 'codeforces', task: 'submissions', handle_id: handle.id } as const;
  await start(store, now - hourMs, { newestId: 9, goodAt: now - hourMs, completeAt: now - hourMs });
  const asleep = await turn(now);
  assert.deepEqual(asked(), ['/user.info?handles=ada']);
  assert.deepEqual([asleep.completeAt, isLive(asleep, now)], [now, true]);
  const long = new Date(now - 6 * dayMs).toISOString();
  await store.write((tx) => saveSync(tx, { ...freshSync(subject), good_at: long, due_at: BigInt(now + dayMs) }));
  assert.equal(
    (await handleHealth(store.reader, new Date(now)))[0]?.state,
    'fine',
    'an own list a week ago is not late',
  );
  assert.deepEqual(
    (await listHandles(store.reader)).map(({ name }) => name),
    ['ada_new'],
  );
  rows.online = { ada_new: secondOf(now + 5 * minuteMs) };
  rows.status['others'] = strangers(5000, 6200, (id) => now - 10 * minuteMs + (id - 5000) * 750);
  const awake = await turn(now + 5 * minuteMs);
  assert.deepEqual(asked(), ['/user.info?handles=ada_new', '/problemset.recentStatus?count=1000']);
  assert.deepEqual([awake.gaps, awake.newestId], [0, 6199]);

  // Three hundred others come first in the look for people.
  const others = Array.from({ length: 300 }, (_, n) => `other${n}`);
  const { user_id, source, created_at } = handle;
  await store.write(async (tx) => {
    const row = { user_id, source, created_at };
    await tx.updateTable('handles').set({ created_at: '2026-01-01T00:00:00.000Z' }).execute();
    await tx
      .insertInto('handles')
      .values(others.map((name, n) => ({ ...row, id: BigInt(100 + n), name, name_key: name })))
      .execute();
  });
  const ofAda = [sent({ id: 9000, by: 'ada_new', at: now + 7 * minuteMs }), sent({ id: 6199, at: now })];
  rows.status = Object.fromEntries([...others.map((name) => [name, []]), ['ada_new', ofAda]]);
  rows.online = {};
  await start(store, now - hourMs, { newestId: 6199, goodAt: now, completeAt: now });
  const first = await turn(now + 8 * minuteMs);
  assert.deepEqual(asked().at(-1), '/problemset.recentStatus?count=1000');
  assert.deepEqual([await keptIds(garden), first.onlineAt > now], [[9000], true]);
});

test('a handle that is renamed, unlinked or swapped during a request gets no row of its former name', async (t) => {
  const rows: CodeforcesRows = { status: { ada: [sent({ id: 10 })], bob_cf: [sent({ id: 11, by: 'bob_cf' })] } };
  const { garden, store, handle, turn } = await live(t, 'codeforces', replayCodeforces(rows));
  const bob = await member(garden, 'bob', 'bob_cf');
  await start(store, began);
  let isDone = false;
  const through: Store = {
    ...store,
    write: async (work) => {
      if (!isDone)
        await store.write(async (tx) => {
          isDone = true;
          await tx.updateTable('handles').set({ name: 'x', name_key: 'x' }).where('id', '=', handle.id).execute();
          await removeHandle(tx, bob.id);
        });
      return store.write(work);
    },
  };
  await turn(began + 20_000, { through });
  assert.deepEqual([isDone, await keptIds(garden)], [true, []]);
  assert.equal((await findHandle(store.reader, handle.id))?.name, 'x');
});

test('a lease that is lost meanwhile stores no state', async (t) => {
  const rows: CodeforcesRows = { status: { ada: [sent({ id: 10 })] } };
  const losing = new AbortController();
  const answers = replayCodeforces(rows);
  const { garden, store, turn, state } = await live(t, 'codeforces', (path, query, request) => {
    losing.abort();
    return answers(path, query, request);
  });
  await start(store, began);
  await assert.rejects(turn(began + 20_000, { signal: losing.signal }), /abort/i);
  assert.deepEqual([(await state()).newestId, await keptIds(garden)], [0, []]);
});

const contestRuns = (store: Store, now: number) =>
  store.write((tx) =>
    tx
      .insertInto('upcoming_contests')
      .values({
        id: 1n,
        source: 'codeforces',
        key: '1999',
        title: 'Round',
        url: null,
        starts_at: new Date(now - hourMs).toISOString(),
        duration_s: 7200n,
        told_by: 'codeforces',
        sequence: 0n,
        changed_at: new Date(now).toISOString(),
        cancelled_at: null,
      })
      .execute(),
  );

test('while the feed is refused, a running contest brings who takes part, and own lists of others come first', async (t) => {
  const now = Date.now();
  const status: Record<string, object[]> = {
    ada: [sent({ id: 1, key: '1999A', at: now - 50 * minuteMs, contestant: true })],
    bob: [sent({ id: 2, by: 'bob', at: now - 50 * minuteMs })],
  };
  const recent: object[] = [];
  const online = { ada: secondOf(now), bob: secondOf(now) };
  const judge = replayCodeforces({ status, recent, online });
  const { garden, store, handle, turn, asked, ask, dueIn } = await live(t, 'codeforces', judge);
  const bob = await member(garden, 'bob', 'bob');
  for (const one of [handle, bob]) {
    await syncHandle(store, one, ask);
    await syncedAt(store, one, now - 40 * minuteMs);
  }
  await contestRuns(store, now);
  const refused = { failures: 9, triedAt: now, goodAt: now - hourMs, completeAt: now - hourMs, gapFrom: now - hourMs };
  await start(store, now, { newestId: 2, newestAt: now - hourMs, grownAt: now, ...refused });
  const contestRow = (id: number, verdict = 'OK') =>
    sent({ id, key: '1999B', at: now - minuteMs, verdict, contestant: true });
  recent.push(contestRow(10, 'TESTING'));
  const first = await turn(now + 1000);
  assert.match(asked().join(), /^\/contest\.status\?contestId=1999&from=1&count=6000,\/user\.info[^,]*$/);
  assert.deepEqual([await keptIds(garden), first.pending.length], [[1, 2, 10], 1]);
  assert.deepEqual([(await dueIn(handle)) > 0, (await dueIn(bob)) < -hourMs], [true, true]);
  recent.splice(0, 1, contestRow(10), contestRow(11));
  await turn(now + 40_000);
  assert.doesNotMatch(asked().join(), /contest/, 'not before the pause of the feed');
  const second = await turn(now + 50_000);
  assert.deepEqual(asked().length, 1, 'people are looked for every five minutes');
  assert.deepEqual([await keptIds(garden), second.pending], [[1, 2, 10, 11], []]);
  assert.equal((await turn(now + 7 * minuteMs)).contests['1999']?.newestId, 11);
  assert.ok((await dueIn(handle)) > 0);
  // More was sent than one answer has.
  const many = Array.from({ length: 6000 }, (_, n) => ({ ...sent({ id: 20 + n, by: 'stranger' }), contestId: 1999 }));
  recent.push(...many);
  await turn(now + 14 * minuteMs);
  assert.ok((await dueIn(handle)) < 0, 'own lists tell what may be missing');
});

test('a late verdict is in the list of the running contest, or else in the own list every two minutes', async (t) => {
  const now = Date.now();
  const rows: CodeforcesRows & { recent: object[] } = {
    status: {},
    recent: [
      ...strangers(2000, 3100, (id) => now - 110_000 + (id - 2000) * 100),
      sent({ id: 1500, key: '1999A', at: now - 9 * minuteMs, contestant: true }),
    ],
  };
  let comment = '';
  const answers = replayCodeforces(rows);
  const { garden, store, handle, turn, ask, asked, dueIn } = await live(t, 'codeforces', (path, query, request) =>
    path === '/contest.status' && comment !== ''
      ? { status: 400, body: { status: 'FAILED', comment } }
      : answers(path, query, request),
  );
  const testing = sent({ id: 1500, key: '1999A', verdict: 'TESTING', at: now - 9 * minuteMs, contestant: true });
  rows.status = { ada: [testing] };
  await syncHandle(store, handle, ask);
  const pending = [{ id: 1500, handleId: Number(handle.id), contest: '1999', requestedAt: 0 }];
  const known = { newestId: 2100, grownAt: now, goodAt: now - 9000, completeAt: now - 9000, pending };
  await start(store, now, known);
  const later = await turn(now);
  assert.ok((await dueIn(handle)) < -minuteMs, 'no contest is known to run');
  assert.deepEqual(
    later.pending.map(({ requestedAt }) => requestedAt),
    [now],
  );
  const due_at = BigInt(now + hourMs);
  const dueLater = () => store.write((tx) => tx.updateTable('syncs').set({ due_at }).execute());
  await dueLater();
  await turn(now + minuteMs);
  assert.ok((await dueIn(handle)) > minuteMs, 'not twice in two minutes');

  await contestRuns(store, now);
  comment = 'Call limit exceeded';
  assert.deepEqual((await turn(now + 2 * minuteMs)).refusedContests, [], 'it is asked for again');
  comment = 'contestId: not now';
  const refused = await turn(now + 3 * minuteMs);
  assert.match(asked().join(), /contest\.status\?contestId=1999&from=1&count=17[45]\d$/);
  assert.deepEqual([refused.refusedContests, refused.failures], [['1999'], 0]);
  await turn(now + 4 * minuteMs);
  assert.doesNotMatch(asked().join(), /contest\.status/, 'one refusal is enough');
  comment = '';
  rows.recent.splice(-1, 1, testing);
  await start(store, now, known);
  await dueLater();
  await turn(now + 5 * minuteMs);
  assert.ok((await dueIn(handle)) > minuteMs, 'the list of the contest says that it has no verdict yet');
  rows.recent.splice(-1, 1, sent({ id: 1500, key: '1999A', at: now - 9 * minuteMs, contestant: true }));
  const settled = await turn(now + 6 * minuteMs);
  assert.deepEqual([settled.pending, (await keptIn(garden)).solves[0]?.verdict], [[], 'OK']);

  rows.status = { ada: [sent({ id: 1600, verdict: 'TESTING', at: now - 10_000 })] };
  await syncHandle(store, handle, ask);
  await start(store, now, { ...known, pending: [{ ...pending[0], id: 1600, contest: null } as never] });
  const isAsked = [];
  for (const seconds of [20, 51, 90, 112]) {
    await dueLater();
    await turn(now + 1000 * seconds);
    isAsked.push((await dueIn(handle)) < 0);
  }
  assert.deepEqual(isAsked, [false, true, false, true], 'a young one each minute');
});

test('own lists for late verdicts are read in the order in which they were wanted, before those that are due', async (t) => {
  const now = Date.now();
  const at = now - 9 * minuteMs;
  const rows = {
    status: {
      ada: [sent({ id: 1500, verdict: 'TESTING', at })],
      bob: [sent({ id: 1501, by: 'bob', verdict: 'TESTING', at })],
    },
    recent: strangers(2000, 3100, (id) => now - 110_000 + (id - 2000) * 100),
  };
  const { garden, store, handle, turn, ask } = await live(t, 'codeforces', replayCodeforces(rows));
  const bob = await member(garden, 'bob', 'bob');
  const due = await member(garden, 'eve', 'eve');
  for (const one of [handle, bob]) await syncHandle(store, one, ask);
  const eves = freshSync({ source: 'codeforces', task: 'submissions', handle_id: due.id });
  await store.write((tx) => saveSync(tx, { ...eves, due_at: BigInt(now - dayMs) }));
  for (const [later, { id, name }] of [bob, handle].entries()) {
    const pending = [{ id: name === 'bob' ? 1501 : 1500, handleId: Number(id), contest: null, requestedAt: 0 }];
    await start(store, now, { newestId: 2100, grownAt: now, goodAt: now - 9000, completeAt: now - 9000, pending });
    await turn(now + 2000 * later);
  }
  const first = await listDueHandles(store.reader, 'codeforces', now, 3);
  assert.deepEqual(
    first.map(({ name }) => name),
    ['bob', 'ada', 'eve'],
  );
});

test('at the limit of bytes nothing is asked, and own lists are read in their usual pauses', async (t) => {
  const now = Date.now();
  const status = { ada: [sent({ id: 1000, at: now - hourMs })] };
  const { store, handle, turn, ask, asked, dueIn } = await live(t, 'codeforces', replayCodeforces({ status }));
  await syncHandle(store, handle, ask);
  await start(store, now, { newestId: 1000, goodAt: now, completeAt: now });
  await syncedAt(store, handle, now - 14 * minuteMs);
  const dues = [];
  for (const later of [0, 2 * minuteMs]) {
    const { gapFrom } = await turn(now + later, { isSpent: true });
    dues.push([gapFrom, (await dueIn(handle)) < 0]);
  }
  assert.deepEqual(
    [asked(), dues],
    [
      [],
      [
        [now, false],
        [now, true],
      ],
    ],
  );
});

test('AtCoder shows the newest thousand; those that it learns of late are among them too', async (t) => {
  const now = Date.now();
  const row = (id: number, user_id: string, at: number) => acceptedRow(id, user_id, secondOf(at));
  const submissions = Array.from({ length: 400 }, (_, n) => row(1000 + n, 'someone', now - 20 * minuteMs + n * 1000));
  const { garden, turn, asked } = await live(t, 'atcoder', replayAtCoder({ submissions }));
  await turn(now);
  submissions.push(row(900, 'Ada', now - 25 * minuteMs));
  const next = await turn(now + minuteMs);
  assert.deepEqual([asked(), await keptIds(garden), next.gaps], [['/atcoder-api/v3/recent'], [900], 0]);
});

test('the last page of DMOJ is found by bisection, and a row there only asks for the own list', async (t) => {
  const now = Date.now();
  const row = (id: number, user = 'someone', result = 'WA') => ({
    ...dmojRow(id, 'aplusb', now - hourMs + id * 1000, result),
    user,
  });
  const submissions = Array.from({ length: 205 }, (_, n) => row(n + 1));
  const answers = replayDmoj({ submissions, users: ['ada'] }, { pageSize: 10 });
  const { garden, store, handle, turn, asked, ask, dueIn } = await live(t, 'dmoj', answers);
  await syncHandle(store, handle, ask);
  const first = await turn(now);
  assert.ok(asked().length < 14, asked().join());
  assert.deepEqual([first.newestId, first.cursor], [205, 21]);
  submissions.push(...Array.from({ length: 6 }, (_, n) => row(206 + n)), row(212, 'ada', 'AC'));
  const next = await turn(now + minuteMs);
  assert.deepEqual(asked(), ['/api/v2/submissions?page=21', '/api/v2/submissions?page=22']);
  assert.deepEqual([next.newestId, next.cursor, await keptIds(garden)], [212, 22, []]);
  assert.ok((await dueIn(handle)) < -dayMs, 'due before all others');
  submissions.length = 30;
  const fewer = await turn(now + 2 * minuteMs);
  assert.deepEqual([fewer.cursor, fewer.failures, fewer.newestId], [3, 0, 212], 'pages of deleted rows are gone');
});
