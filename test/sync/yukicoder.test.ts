/** Syncing with yukicoder: one answer has every solved problem, and problems follow what it says of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { getMemberByName } from '../../src/practice/members.ts';
import { replayYukicoder, solvedRow } from '../replay/yukicoder.ts';
import { askReplay, gardenWithHandle, replayOf } from './support.ts';

const second = Math.floor(Date.now() / 1000) - 86_400;

test('solved problems are one row for all members, and follow the judge', async (t) => {
  const solved: Record<string, object[]> = {
    ada: [solvedRow(1, second), solvedRow(3, second + 5)],
    星: [solvedRow(3, second, { Level: 3 })],
  };
  const replay = await replayOf(t, { yukicoder: replayYukicoder(solved) });
  const { garden, handle } = await gardenWithHandle(t, 'yukicoder', 'ada');
  await garden.import('records', [{ username: 'bob' }]);
  const { store } = garden;
  // A member added one of them by its link.
  await garden.import('problems', [{ source: 'yukicoder', source_key: '3', title: 'Mine' }]);
  const ask = askReplay(store, 'yukicoder', replay);
  const { report } = await syncHandle(store, handle, ask);
  assert.deepEqual([report.new, report.unmatched], [2, 0]);
  const problems = async () =>
    (await garden.rows('problems')).map((row) => [row['source_key'], row['title'], row['rating']]);
  assert.deepEqual(await problems(), [
    ['3', 'Task 3', 250],
    ['1', 'Task 1', 250],
  ]);
  const other = await store.write(async (tx) => {
    const { id } = await getMemberByName(tx, 'bob');
    return addHandle(tx, id, 'yukicoder', '星');
  });
  await syncHandle(store, other, ask);
  assert.deepEqual(await problems(), [
    ['3', 'Task 3', 300],
    ['1', 'Task 1', 250],
  ]);
  const before = await store.reader.selectFrom('solves').selectAll().execute();
  assert.equal(before.length, 3);
  await syncHandle(store, handle, ask);
  assert.deepEqual(await store.reader.selectFrom('solves').selectAll().execute(), before);
  delete solved['ada'];
  await assert.rejects(syncHandle(store, handle, ask), /yukicoder has no user ada;/);
});
