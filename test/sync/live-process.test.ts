/** Live feeds as the program reads them: each submission once, whoever is killed, and rounds without own lists. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '../../src/durations.ts';
import { seenTogether } from '../../src/jobs/live-feeds.ts';
import { isLive } from '../../src/jobs/live-rules.ts';
import { runSyncSchedule } from '../../src/jobs/schedule.ts';
import { switchLive } from '../../src/practice/live-settings.ts';
import { findLiveFeed } from '../../src/store/live-feeds.ts';
import { codeforcesNamed, type Garden } from '../importing/support.ts';
import { acceptedRow, replayAtCoder } from '../replay/atcoder.ts';
import { type CodeforcesRows, codeforcesRow, replayCodeforces } from '../replay/codeforces.ts';
import type { Replay } from '../replay/replay.ts';
import { replayUva, type UvaRow, type UvaRows } from '../replay/uva.ts';
import { onceOnly, rowsOf } from '../support/databases.ts';
import { root, serve } from '../support/garden.ts';
import { until } from '../support/waiting.ts';
import { gardenWithHandle, keptIds, keptIn, replayOf, roundOf } from './support.ts';

const second = () => Math.floor(Date.now() / 1000);
const sent = (id: number, handle = 'ada', verdict = 'OK') => codeforcesRow(id, second(), handle, { verdict });

test('two processes that both lead, killed again and again, keep each submission once', async (t) => {
  const own = [sent(1)];
  const others = [sent(2, 'stranger')];
  const rows = { status: { ada: own, others }, online: { ada: second() + 3600 } };
  const replay = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const { garden } = await gardenWithHandle(t, 'codeforces', 'ada');
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A'));
  const script = join(root, 'test', 'sync', 'live-reader.ts');
  const start = () => spawn(process.execPath, [script, garden.databaseUrl, replay.url], { stdio: 'inherit' });
  const readers: ChildProcess[] = [start(), start()];
  const end = async (child: ChildProcess | undefined) => {
    const ended = child && once(child, 'exit');
    child?.kill('SIGKILL');
    await ended;
  };
  t.after(() => Promise.all(readers.map(end)));
  const kept = async () => (await keptIn(garden)).solves;
  await until('the first', async () => (await kept()).length === 1);
  for (let id = 10; id < 70; id += 2) {
    others.unshift(sent(id, 'stranger'));
    own.unshift(sent(id + 1, 'ada', 'TESTING'));
    await sleep(Math.random() * 40);
    if (own[1]) own[1].verdict = 'OK';
    if (id % 20 === 0) {
      await end(readers.shift());
      readers.push(start());
    }
  }
  if (own[0]) own[0].verdict = 'OK';
  const isDone = async () => (await kept()).every(({ verdict_class }) => verdict_class === 'solved');
  await until('all', async () => (await kept()).length === 31 && (await isDone()));
  await until(
    'nothing waits',
    async () => (await findLiveFeed(garden.store.reader, 'codeforces'))?.pending.length === 0,
  );
  assert.deepEqual(
    await keptIds(garden),
    own.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  assert.equal((await keptIn(garden)).statuses.length, 1);
});

test('a server reads the feed at the pace of the judge, and with SYNC=off nothing', { skip: onceOnly }, async (t) => {
  const rows: CodeforcesRows = { status: { ada: [sent(1)] }, online: { ada: second() } };
  const replay = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const { garden } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { databaseUrl } = garden;
  const env = { JUDGE_URLS: `codeforces=${replay.url}/codeforces`, PRIVATE_PLACES: 'none' };
  const silent = await serve(t, { databaseUrl, env: { ...env, SYNC: 'off' } });
  await sleep(3_000);
  assert.equal(await silent.stop(), 0);
  assert.equal(replay.log.length, 0);
  await serve(t, { databaseUrl, env: { ...env, SYNC: 'on' } });
  const feeds = () => replay.log.filter(({ path }) => path.startsWith('/problemset.recentStatus'));
  await until('the feed is asked', () => feeds().length > 0);
  const state = async () => (await rowsOf(databaseUrl, 'SELECT state FROM live_feeds'))[0]?.['state'];
  await until('it is live', async () => isLive(JSON.parse(String((await state()) ?? 'null')) ?? undefined, Date.now()));
  const { bytes, answers } = JSON.parse(String(await state()));
  assert.ok(bytes > 100 && answers > 0, 'what it takes is counted');
  const gaps = replay.log.slice(1).map(({ at }, n) => at - (replay.log[n]?.at ?? 0));
  assert.ok(Math.min(...gaps) > 1_900, `gaps of ${gaps.map(Math.round).join(', ')} ms`);
});

async function startSchedule(t: TestContext, { store }: Garden, replay: Replay, source: string, liveMb: number) {
  const stopping = new AbortController();
  const pace = { retries: 0, intervalMs: 0, retryMs: 5, roundMs: 100, liveMs: 50 };
  const judgeUrls = new Map([[source, `${replay.url}/${source}`]]);
  const lead = { holder: 'one', signal: stopping.signal, log: () => {}, pollMs: 20 };
  const running = runSyncSchedule(store, { ...lead, judgeUrls, liveMb, pace });
  t.after(async () => {
    stopping.abort();
    await running;
  });
}

test('in a round the feed brings everybody, and each own list is read once after the end', async (t) => {
  const names = Array.from({ length: 12 }, (_, n) => `player${n}`);
  const status = Object.fromEntries(names.map((name, n) => [name, [sent(n + 1, name)]]));
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status: { ada: [], ...status } }) });
  const { garden } = await gardenWithHandle(t, 'codeforces', 'ada');
  const { store } = garden;
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A'));
  const round = await roundOf(garden, names, 'codeforces');
  await startSchedule(t, garden, replay, 'codeforces', 250);
  const kept = async () => (await keptIds(garden)).length;
  const lists = () => replay.log.flatMap(({ path }) => /^\/user\.status\?handle=(\w+)/.exec(path)?.[1] ?? []);
  await until('all own lists are here', async () => new Set(lists()).size === 13 && (await kept()) === 12);
  await until('it is live', async () => isLive(await findLiveFeed(store.reader, 'codeforces'), Date.now()));
  await sleep(1_500);
  replay.log.length = 0;
  status['player7']?.unshift(sent(900, 'player7'));
  await until('the solve', async () => (await kept()) === 13);
  await sleep(500);
  assert.deepEqual(lists(), [], 'in five intervals of a round');
  const ended = new Date().toISOString();
  await store.write((tx) => tx.updateTable('rounds').set({ ends_at: ended }).where('id', '=', round).execute());
  await until('all own lists once more', () => new Set(lists()).size === 12);
  await sleep(500);
  assert.equal(lists().length, 12);
  await store.write((tx) => switchLive(tx, 'codeforces'));
  await until('it is off', async () => (await findLiveFeed(store.reader, 'codeforces')) === undefined);
  const dues = await store.reader.selectFrom('syncs').select('due_at').where('task', '=', 'submissions').execute();
  assert.ok(
    Math.max(...dues.map(({ due_at }) => Number(due_at))) < Date.now() + dayMs,
    'own lists have no week any more',
  );
});

test('a round at AtCoder is one request, which answers for those whose own list was read before', async (t) => {
  const row = (id: number, user_id: string) => acceptedRow(id, user_id, second());
  const submissions = [row(1, 'Player0')];
  const replay = await replayOf(t, { atcoder: replayAtCoder({ submissions }) });
  const { garden } = await gardenWithHandle(t, 'atcoder', 'ada');
  await garden.import('atcoder-problems', [{ id: 'abc001_a', contest_id: 'abc001', problem_index: 'A', name: 'One' }]);
  await roundOf(garden, ['player0', 'player1'], 'atcoder');
  await startSchedule(t, garden, replay, 'atcoder', 0);
  const { reader } = garden.store;
  const kept = async () => (await keptIds(garden)).length;
  const asked = (part: string) => replay.log.filter(({ path }) => path.includes(part));
  const read = reader
    .selectFrom('syncs')
    .select('name')
    .where('task', '=', 'submissions')
    .where('good_at', 'is not', null);
  await until('own lists', async () => (await read.execute()).length === 3 && (await kept()) === 1);
  await until('the round', () => asked('users_and_time').length > 1);
  assert.match(
    decodeURIComponent(asked('users_and_time')[0]?.path ?? ''),
    /users=player0,player1&problems=abc001_a&from=\d+&to=\d+$/,
  );
  replay.log.length = 0;
  submissions.push(row(2, 'player1'));
  await until('the solve', async () => (await kept()) === 2);
  assert.deepEqual(asked('user='), []);
  assert.ok(await seenTogether(reader, 'atcoder', Date.now()));
});

test('a round at UVa is one request by the numbers of people, who are in it once their own lists told these', async (t) => {
  const row = (id: number, verdict: number): UvaRow => [id, 36, verdict, 10, second(), 5, -1];
  const submissions: UvaRows['submissions'] = { ada: [], player0: [row(1, 90)], player1: [[9, 36, 90, 10, 1, 5, -1]] };
  const replay = await replayOf(t, { uva: replayUva({ submissions, problems: [[36, 100, 'The 3n + 1', 5]] }) });
  const { garden } = await gardenWithHandle(t, 'uva', 'ada');
  await garden.import('uva-problems', [[36, 100, 'The 3n + 1', 5]]);
  await roundOf(garden, ['player0', 'player1'], 'uva');
  await startSchedule(t, garden, replay, 'uva', 0);
  const { reader } = garden.store;
  const kept = async () => (await keptIds(garden)).length;
  await until('own lists', async () => (await kept()) === 2);
  const asked = () => replay.log.filter(({ path }) => path === '/subs-nums/2,3/100/0').length;
  await until('the round', () => asked() > 1);
  replay.log.length = 0;
  submissions['player1']?.push(row(2, 20), row(3, 90));
  await until('the solves', async () => (await kept()) === 4);
  submissions['player1']?.splice(1, 1, row(2, 70));
  const pending = reader.selectFrom('solves').select('key').where('verdict_class', '=', 'pending');
  await until('the verdict', async () => (await pending.execute()).length === 0);
  assert.deepEqual(new Set(replay.log.map(({ path }) => path)), new Set(['/subs-nums/2,3/100/0']));
  assert.ok(await seenTogether(reader, 'uva', Date.now()));
});
