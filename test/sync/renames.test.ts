/** Handles that have another name now: one request for the whole club, and what was sent under both names is one member's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle, syncRenames } from '../../src/jobs/sync-runs.ts';
import { removeHandle } from '../../src/practice/handles.ts';
import { listHandles } from '../../src/store/handles.ts';
import { codeforces, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import type { Answered } from '../replay/replay.ts';
import { askReplay, gardenWithHandle, keptIn, link, replayOf } from './support.ts';

const rowsOf = (handle: string) =>
  (submissionsOf(handle, ['1A', 'OK', 200], ['2A', 'WRONG_ANSWER', 100]) as { result: object[] }).result;
const catalogue = codeforces(...[1, 2].map((contestId) => ({ contestId, index: 'A', name: `${contestId}A` })));

async function syncing(t: Parameters<typeof replayOf>[0]) {
  const rows = {
    status: { Ada_old: rowsOf('Ada_old') } as Record<string, object[]>,
    renamed: {} as Record<string, string>,
  };
  const replay = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_old');
  await garden.import('codeforces-problems', catalogue);
  const ask = askReplay(garden.store, 'codeforces', replay, { pace: { retries: 0 } });
  const rename = () => {
    rows.status = { Ada_new: rowsOf('Ada_new') };
    rows.renamed = { Ada_old: 'Ada_new' };
  };
  const names = async () => (await listHandles(garden.store.reader)).map(({ name }) => name);
  const words = async () => (await garden.rows('statuses')).map(({ status }) => status);
  return { garden, handle, ask, replay, rename, names, words };
}

test('a handle whose name changed is unknown, gets its new name, and goes on', async (t) => {
  const { garden, handle, ask, replay, rename, names, words } = await syncing(t);
  await syncHandle(garden.store, handle, ask);
  const before = await keptIn(garden);
  assert.deepEqual([...(await syncRenames(garden.store, 'codeforces', ask))], []);
  rename();
  await assert.rejects(syncHandle(garden.store, handle, ask), /Codeforces has no user ada_old\. Unlink this handle/);
  replay.log.length = 0;
  assert.deepEqual([...(await syncRenames(garden.store, 'codeforces', ask))], [['ada_old', 'Ada_new']]);
  assert.equal(replay.log.length, 1);
  assert.deepEqual(await names(), ['Ada_new']);
  assert.deepEqual(await keptIn(garden), before);
  const { report } = await syncHandle(garden.store, { ...handle, name: 'Ada_new' }, ask);
  assert.deepEqual([report.read, report.new, report.changed, report.bad], [2, 0, 0, 0]);
  assert.deepEqual(await keptIn(garden), before);
  assert.deepEqual(await words(), ['complete', 'practicing']);
});

test('where both names were linked, they are joined to one with each submission once', async (t) => {
  const { garden, handle, ask, rename, names, words } = await syncing(t);
  await syncHandle(garden.store, handle, ask);
  rename();
  const other = await link(garden, 'codeforces', 'ada_NEW');
  await syncHandle(garden.store, other, ask);
  await syncRenames(garden.store, 'codeforces', ask);
  assert.deepEqual(await names(), ['ada_NEW']);
  const kept = await garden.store.reader.selectFrom('solves').select('handle_id').execute();
  assert.deepEqual(
    kept.map(({ handle_id }) => handle_id),
    [other.id, other.id],
  );
  assert.deepEqual(await words(), ['complete', 'practicing']);
  await garden.store.write((tx) => removeHandle(tx, other.id));
  assert.deepEqual(await words(), [], 'nothing is left behind by the joined handle');
});

test('joined, the later ruling holds: a solve that was taken back under the new name is no solve', async (t) => {
  const { garden, handle, ask, rename, words } = await syncing(t);
  await syncHandle(garden.store, handle, ask);
  rename();
  const other = await link(garden, 'codeforces', 'Ada_new');
  const hacked = replayCodeforces({
    status: { Ada_new: rowsOf('Ada_new').map((row) => ({ ...row, verdict: 'CHALLENGED' })) },
    renamed: { Ada_old: 'Ada_new' },
  });
  const replay = await replayOf(t, { codeforces: hacked });
  const present = askReplay(garden.store, 'codeforces', replay);
  await syncHandle(garden.store, other, present);
  assert.deepEqual(await words(), ['complete', 'practicing'], 'two handles that are not known to be one');
  await syncRenames(garden.store, 'codeforces', present);
  assert.deepEqual(await words(), ['practicing', 'practicing']);
});

test('unknown handles are left out, and an answer with fewer users than names mixes nobody up', async (t) => {
  const { garden, replay, rename, names } = await syncing(t);
  for (const name of ['nobody', 'Ada_new', 'gone']) await link(garden, 'codeforces', name);
  rename();
  const users: Record<string, string> = { ada_old: 'Ada_new', Ada_new: 'Ada_new', bob: 'Bob' };
  const other = await replayOf(t, {
    codeforces: (_path, query): Answered => {
      const asked = (query.get('handles') ?? '').split(';');
      const unknown = asked.find((name) => !(name in users));
      if (unknown !== undefined) {
        return {
          status: 400,
          body: { status: 'FAILED', comment: `handles: User with handle ${unknown} not found` },
        };
      }
      const found = [...new Set(asked.map((name) => users[name]))];
      return { body: { status: 'OK', result: found.map((handle) => ({ handle })) } };
    },
  });
  await link(garden, 'codeforces', 'bob');
  const asking = askReplay(garden.store, 'codeforces', other, { pace: { retries: 0 } });
  assert.deepEqual([...(await syncRenames(garden.store, 'codeforces', asking))], [['ada_old', 'Ada_new']]);
  assert.deepEqual((await names()).toSorted(), ['Ada_new', 'bob', 'gone', 'nobody']);
  assert.equal(replay.log.length, 0);
});
