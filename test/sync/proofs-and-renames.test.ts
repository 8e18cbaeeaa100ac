/** Renames at a judge: noticed by one request for all members, joined where both names are linked, and shown to the member. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle, syncRenames } from '../../src/jobs/sync-runs.ts';
import { renameOne } from '../../src/practice/handles.ts';
import { findProof, listRenames, saveProof } from '../../src/store/handles.ts';
import { codeforces, identity, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { askReplay, gardenWithHandle, keptIn, link, replayOf } from './support.ts';

const rowsOf = (answer: unknown) => (answer as { result: { id: number }[] }).result;

test('an old name becomes the present one, in one request for all, and keeps all that came and its proof', async (t) => {
  const status = { tourist: rowsOf(submissionsOf('tourist', ['1A', 'OK', 10])) };
  const renamed = { tourist_old: 'tourist' };
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status, renamed }) });
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'Tourist_Old');
  const other = await link(garden, 'codeforces', 'nobody_knows_me');
  const { store } = garden;
  await garden.import('codeforces-problems', codeforces({ ...identity('1A'), name: 'Pond' }));
  const sent = submissionsOf('Tourist_Old', ['1A', 'OK', 10]);
  await garden.import('codeforces-submissions', sent, { member: 'ada', handle: 'Tourist_Old' });
  await store.write((tx) =>
    saveProof(tx, {
      handle_id: handle.id,
      way: 'openid',
      subject: '7',
      proved_at: '2026-05-01T00:00:00.000Z',
    }),
  );
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
    const [first, second, third] = rowsOf(
      submissionsOf('t_old', ['1A', 'OK', 10], ['2A', 'WRONG_ANSWER', 20], ['3A', 'OK', 30]),
    );
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
      if (proved === 'both' || (proved === 'old') === (handle === old))
        await store.write((tx) =>
          saveProof(tx, {
            handle_id: handle.id,
            way: 'openid',
            subject,
            proved_at: '2026-05-01T00:00:00.000Z',
          }),
        );
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
  });
}

test('names that go round: a name that a handle has again is no former one', async (t) => {
  const { garden, handle } = await gardenWithHandle(t, 'codeforces', 'a');
  const { store } = garden;
  let now = handle;
  for (const name of ['b', 'c', 'a']) now = await store.write((tx) => renameOne(tx, now, name));
  const befores = (await listRenames(store.reader, handle.id)).map(({ before }) => before);
  assert.deepEqual([now.name, befores.toSorted()], ['a', ['b', 'c']]);
});
