/**
 * Handles that have another name now: one request for the whole club, and what was sent under both names is one member's, joined where
 * both were linked, with its proof.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle, syncRenames } from '../../src/jobs/sync-runs.ts';
import { removeHandle, renameOneHandle } from '../../src/practice/handles.ts';
import { findProof, type HandlesTable, listHandles, listRenames, saveProof } from '../../src/store/handles.ts';
import type { Store } from '../../src/store/store.ts';
import { codeforces, identity, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { askReplay, gardenWithHandle, keptIn, link, replayOf, rowsSent } from './support.ts';

const rowsOf = (handle: string) => rowsSent(handle, ['1A', 'OK', 200], ['2A', 'WRONG_ANSWER', 100]);
const prove = (store: Store, { id: handle_id }: HandlesTable, subject: string) =>
  store.write((tx) => saveProof(tx, { handle_id, method: 'openid', subject, proved_at: '2026-05-01T00:00:00.000Z' }));
const catalogue = codeforces(...[1, 2].map((contestId) => ({ contestId, index: 'A', name: `${contestId}A` })));

async function syncing(t: Parameters<typeof replayOf>[0]) {
  const rows = {
    status: { Ada_old: rowsOf('Ada_old') } as Record<string, object[]>,
    renamed: {} as Record<string, string>,
  };
  const replay = await replayOf(t, { codeforces: replayCodeforces(rows) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'ada_old');
  await garden.import('codeforces-problems', catalogue);
  const ask = askReplay(garden.store, 'codeforces', replay);
  const rename = () => {
    rows.status = { Ada_new: rowsOf('Ada_new') };
    rows.renamed = { Ada_old: 'Ada_new' };
  };
  const names = async () => (await listHandles(garden.store.reader)).map(({ name }) => name);
  const words = async () => (await garden.rows('statuses')).map(({ status }) => status);
  return { garden, handle, ask, replay, rename, names, words };
}

test('a handle whose name changed gets its new name when it is next asked for, and goes on', async (t) => {
  const { garden, handle, ask, replay, rename, names, words } = await syncing(t);
  await syncHandle(garden.store, handle, ask);
  const before = await keptIn(garden);
  assert.deepEqual([...(await syncRenames(garden.store, 'codeforces', ask))], []);
  rename();
  replay.log.length = 0;
  const trial = await syncHandle(garden.store, handle, ask, { isDryRun: true });
  assert.deepEqual([trial.report.read, trial.report.bad], [2, 0]);
  assert.deepEqual(await names(), ['ada_old'], 'a dry run renames nobody');
  const { report } = await syncHandle(garden.store, handle, ask);
  assert.deepEqual([report.read, report.new, report.changed, report.bad], [2, 0, 0, 0]);
  assert.deepEqual(await names(), ['Ada_new']);
  assert.deepEqual(await keptIn(garden), before);
  assert.deepEqual(await words(), ['complete', 'practicing']);
  assert.deepEqual([...(await syncRenames(garden.store, 'codeforces', ask))], []);
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

test('an old name becomes the present one, in one request for all, and keeps all that came and its proof', async (t) => {
  const status = { tourist: rowsSent('tourist', ['1A', 'OK', 10]) };
  const renamed = { tourist_old: 'tourist' };
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status, renamed }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'Tourist_Old');
  const other = await link(garden, 'codeforces', 'nobody_knows_me');
  const { store } = garden;
  await garden.import('codeforces-problems', codeforces({ ...identity('1A'), name: 'Pond' }));
  const sent = submissionsOf('Tourist_Old', ['1A', 'OK', 10]);
  await garden.import('codeforces-submissions', sent, { member: 'ada', handle: 'Tourist_Old' });
  await prove(store, handle, '7');
  const [before, proof] = [await keptIn(garden), await findProof(store.reader, handle.id)];
  const ask = askReplay(store, 'codeforces', replay);
  assert.deepEqual([...(await syncRenames(store, 'codeforces', ask))], [['Tourist_Old', 'tourist']]);
  assert.equal(replay.log.length, 2, 'one request, and one more without the name that nobody knows');
  const names = await store.reader.selectFrom('handles').select(['id', 'name', 'name_key']).orderBy('id').execute();
  assert.deepEqual(names, [
    { id: handle.id, name: 'tourist', name_key: 'tourist' },
    { id: other.id, name: other.name, name_key: other.name_key },
  ]);
  assert.deepEqual([await keptIn(garden), await findProof(store.reader, handle.id)], [before, proof]);
  const [line] = await listRenames(store.reader, handle.id);
  assert.equal(line?.before, 'Tourist_Old');
  assert.ok(Math.abs(Date.now() - Date.parse(line.renamed_at)) < 60_000);

  assert.equal((await syncRenames(store, 'codeforces', ask)).size, 0, 'a second run changes nothing');
  assert.equal((await listRenames(store.reader, handle.id)).length, 1);
  const present = { ...handle, name: 'tourist' };
  const { report } = await syncHandle(store, present, ask);
  assert.equal(report.bad, 0);
});

for (const proved of ['old', 'present', 'both'] as const) {
  test(`both names linked, the ${proved} proved: they are joined, nothing is lost or counted twice, the proof stays`, async (t) => {
    const status = { tourist: [], t_old: [] };
    const replay = await replayOf(t, {
      codeforces: replayCodeforces({ status, renamed: { t_old: 'tourist' } }),
    });
    const { garden, handle: old } = await gardenWithHandle(t, 'codeforces', 't_old');
    const present = await link(garden, 'codeforces', 'tourist');
    const { store } = garden;
    const problems = ['1A', '2A', '3A'].map((key) => ({ ...identity(key), name: key }));
    await garden.import('codeforces-problems', codeforces(...problems));
    const bring = (name: string, rows: unknown[]) =>
      garden.import('codeforces-submissions', { status: 'OK', result: rows }, { member: 'ada', handle: name });
    const [first, second, third] = rowsSent('t_old', ['1A', 'OK', 10], ['2A', 'WRONG_ANSWER', 20], ['3A', 'OK', 30]);
    const author = { members: [{ handle: 'tourist' }], participantType: 'PRACTICE' };
    await bring('t_old', [first, second]);
    await bring('tourist', [
      { ...second, author },
      { ...third, author },
    ]);
    for (const [handle, subject] of [
      [old, '1'],
      [present, '2'],
    ] as const) {
      if (proved === 'both' || (proved === 'old') === (handle === old)) await prove(store, handle, subject);
    }
    const before = await garden.rows('statuses');
    await syncRenames(store, 'codeforces', askReplay(store, 'codeforces', replay));
    const handles = await store.reader.selectFrom('handles').select(['id', 'name']).execute();
    assert.deepEqual(handles, [{ id: present.id, name: 'tourist' }]);
    const solves = await store.reader.selectFrom('solves').select(['handle_id', 'submission_id']).execute();
    assert.deepEqual(
      solves.map(({ handle_id, submission_id }) => [handle_id, submission_id]).toSorted(),
      [first, second, third].map((row) => [present.id, String(row?.id)]).toSorted(),
    );
    assert.deepEqual(await garden.rows('statuses'), before);
    const subject = proved === 'old' ? '1' : '2';
    assert.equal((await findProof(store.reader, present.id))?.subject, subject);
    const renames = await listRenames(store.reader, present.id);
    assert.deepEqual(
      renames.map((row) => row.before),
      ['t_old'],
    );
    await store.write((tx) => removeHandle(tx, present.id));
    assert.deepEqual(await garden.rows('statuses'), [], 'nothing is left behind by the joined handle');
  });
}

test('names that go round: a name that a handle has again is no former one', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'a');
  const { store } = garden;
  let now = handle;
  for (const name of ['b', 'c', 'a']) now = await store.write((tx) => renameOneHandle(tx, now, name));
  const befores = (await listRenames(store.reader, handle.id)).map(({ before }) => before);
  assert.deepEqual([now.name, befores.toSorted()], ['a', ['b', 'c']]);
});
