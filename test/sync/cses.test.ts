/** Syncing with CSES: the member confirms a token in the browser, which is used for one run and kept nowhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncCatalogue, syncHandle, syncWithToken } from '../../src/jobs/sync-runs.ts';
import { csesApi } from '../../src/judges/cses.ts';
import type { MemberTokenApi } from '../../src/judges/judge.ts';
import { type CsesRows, replayCses } from '../replay/cses.ts';
import { askReplay, gardenWithHandle, replayOf } from './support.ts';

const api = csesApi.memberToken as MemberTokenApi;
const tasks = Array.from({ length: 50 }, (_, at) => ({
  category: at < 20 ? 'Graph Algorithms' : 'Mathematics',
  id: String(1000 + at),
  name: `Task ${at}`,
}));
const sent = (id: number, outcome_status: 'pass' | 'fail', day = 1) => ({
  id,
  outcome_status,
  time: `2026-01-0${day}T12:00:00Z`,
});

async function syncing(t: Parameters<typeof replayOf>[0], members: CsesRows['members']) {
  const rows: CsesRows = { tasks, members };
  const cses = { ...replayCses(rows) };
  const replay = await replayOf(t, { cses: (...request) => cses.answer(...request) });
  Object.assign(cses, replayCses(rows, replay.url));
  const { garden, handle } = await gardenWithHandle(t, 'cses', 'Ada');
  const ask = askReplay(garden.store, 'cses', replay);
  const sync = async (name = 'ada') => {
    const { token } = await api.begin(ask);
    cses.confirm(token, name);
    replay.log.length = 0;
    await syncWithToken(garden.store, handle, ask, token);
    cses.end(token);
    return { token, asked: replay.log.map(({ path }) => path) };
  };
  const statuses = async () => {
    const problems = new Map((await garden.rows('problems')).map(({ id, source_key }) => [id, source_key]));
    const found = await garden.rows('statuses');
    return Object.fromEntries(found.map(({ problem, status }) => [problems.get(problem), status]));
  };
  return { garden, handle, replay, cses, rows, ask, sync, statuses };
}

test('the catalogue comes without a token', async (t) => {
  const { garden, ask } = await syncing(t, {});
  const { report } = await syncCatalogue(garden.store, 'cses', 'problems', ask);
  assert.equal(report.new, 50);
  const [first] = await garden.rows('problems');
  assert.equal(first?.['url'], 'https://cses.fi/problemset/task/1000');
  assert.deepEqual(first?.['tags'], ['graph algorithms']);
});

test('a token waits for the member, names them, and ends', async (t) => {
  const { ask, cses, replay } = await syncing(t, { ada: {} });
  const { token, address } = await api.begin(ask);
  assert.ok(address.startsWith(`${replay.url}/confirm?`), address);
  assert.equal(await api.usernameOf(ask, token), undefined);
  cses.confirm(token, 'ada');
  assert.equal(await api.usernameOf(ask, token), 'ada');
  cses.end(token);
  await assert.rejects(api.usernameOf(ask, token), /did not accept this confirmation.*Confirm again in your browser/);
});

test('problems that were not here are made, with dates by one request for each new state', async (t) => {
  const ada = { 1000: [sent(1, 'fail'), sent(2, 'pass', 2)], 1001: [sent(3, 'fail')] };
  const { garden, rows, sync, statuses } = await syncing(t, { ada });
  const first = await sync();
  assert.deepEqual(await statuses(), { 1000: 'complete', 1001: 'practicing' });
  assert.equal(first.asked.length, 4, 'who it is, the list, and two tasks');
  const kept = await garden.store.reader.selectFrom('statuses').select('judge_at').orderBy('problem_id').execute();
  assert.deepEqual(
    kept.map(({ judge_at }) => judge_at),
    ['2026-01-02T12:00:00.000Z', '2026-01-01T12:00:00.000Z'],
  );
  assert.equal((await sync()).asked.length, 2, 'nothing is new');
  rows.members['ada'] = { ...ada, 1001: [sent(3, 'fail'), sent(4, 'pass', 3)] };
  const { asked, token } = await sync();
  assert.deepEqual(asked.slice(2), ['/courses/problemset/submissions?task=1001']);
  assert.deepEqual(await statuses(), { 1000: 'complete', 1001: 'complete' });
  const tables = ['syncs', 'request_slots', 'handles', 'solves', 'staff_log'] as const;
  for (const table of tables) {
    const text = JSON.stringify(await garden.store.reader.selectFrom(table).selectAll().execute(), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.ok(!text.includes(token), table);
  }
});

test('a run that stops midway keeps what came', async (t) => {
  const ada = Object.fromEntries(tasks.map(({ id }) => [id, [sent(Number(id), 'pass')]]));
  const { replay, sync, statuses } = await syncing(t, { ada });
  const good = Array.from({ length: 26 }, () => ({ kind: 'none' }) as const);
  replay.fail('cses', ...good, { kind: 'reset' });
  await assert.rejects(sync(), /CSES could not be reached/);
  assert.equal(Object.keys(await statuses()).length, 20);
  const { asked } = await sync();
  assert.equal(asked.length, 2 + 30);
  assert.equal(Object.values(await statuses()).filter((word) => word === 'complete').length, 50);
});

test('without a confirmation nothing is asked', async (t) => {
  const { garden, handle, ask, replay } = await syncing(t, {});
  await assert.rejects(syncHandle(garden.store, handle, ask), /shows your submissions only to you: confirm/);
  assert.equal(replay.log.length, 0);
});
