/** Syncing by itself: one of all processes leads, and what fails at one judge or handle keeps no other from being asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle } from '../../src/practice/handles.ts';
import { listHandleSyncs } from '../../src/store/syncs.ts';
import { keepSyncing } from '../../src/sync/schedule.ts';
import { submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { replayCses } from '../replay/cses.ts';
import { replayDmoj } from '../replay/dmoj.ts';
import type { ReplayedJudge } from '../replay/replay.ts';
import { until } from '../support/waiting.ts';
import { gardenWithHandle, link, replayOf } from './support.ts';

const pace = { retries: 0, intervalMs: 0, retryMs: 5, answerMs: 20_000 };
const rowsOf = (handle: string) => (submissionsOf(handle, ['1A', 'OK', 100]) as { result: object[] }).result;

async function scheduled(t: Parameters<typeof replayOf>[0], judges: Record<string, ReplayedJudge>) {
  const replay = await replayOf(t, judges);
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada');
  const judgeUrls = new Map(Object.keys(judges).map((judge) => [judge, `${replay.url}/${judge}`]));
  const stopping = new AbortController();
  const said: string[] = [];
  const start = (...holders: string[]) => {
    const log = (_level: unknown, sentence: string) => said.push(sentence);
    const all = holders.map((holder) =>
      keepSyncing(garden.store, { holder, judgeUrls, signal: stopping.signal, log, lookMs: 20, pace }),
    );
    t.after(async () => {
      stopping.abort();
      await Promise.all(all);
    });
  };
  const good = async () => {
    const syncs = await listHandleSyncs(garden.store.reader);
    return syncs.filter(({ good_at }) => good_at !== null).map(({ name }) => name);
  };
  return { garden, handle, replay, said, start, good };
}

test('of three that would, one asks, and each thing once', async (t) => {
  const { replay, start, good } = await scheduled(t, {
    codeforces: replayCodeforces({ status: { ada: rowsOf('ada') } }),
  });
  start('one', 'two', 'three');
  await until('the handle is synced', async () => (await good()).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(
    replay.log.map(({ path }) => path.split('?')[0]),
    ['/problemset.problems', '/contest.list', '/user.info', '/user.status'],
  );
});

test('an unknown handle, a judge in trouble and one that nobody can ask for others keep no one waiting', async (t) => {
  const { garden, replay, start, good, said } = await scheduled(t, {
    codeforces: replayCodeforces({ status: { bob: rowsOf('bob') } }),
    cses: replayCses({ tasks: [{ category: 'x', id: '1', name: 'One' }], members: {} }).answer,
    // A list of users who sent nothing, from a judge that answers nonsense otherwise.
    atcoder: () => ({ body: '{"unexpected":true}' }),
    dmoj: replayDmoj({ submissions: [], users: ['ada'] }),
  });
  for (const source of ['atcoder', 'cses', 'dmoj']) await link(garden, source, 'ada');
  await garden.store.write((tx) => addHandle(tx, 1n, 'codeforces', 'bob'));
  start('one');
  await until('bob and ada are synced', async () => (await good()).length === 2);
  assert.deepEqual((await good()).toSorted(), ['bob', 'ada'].toSorted());
  await until('the judge in trouble is named', () => said.length > 0);
  const count = replay.log.filter(({ judge }) => judge === 'atcoder').length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  const asked = replay.log.filter(({ judge }) => judge === 'atcoder').length;
  assert.equal(asked, count, 'it is left alone for minutes');
  assert.equal(said.length, 1, said.join('\n'));
  assert.match(
    said[0] ?? '',
    /^AtCoder Problems answered what this garden does not understand: .* \(again in 5 min\)$/,
  );
  assert.deepEqual(
    replay.log.filter(({ judge }) => judge === 'cses').map(({ path }) => path),
    ['/courses/problemset/list'],
    'without a confirmation nothing more is asked of CSES',
  );
});
