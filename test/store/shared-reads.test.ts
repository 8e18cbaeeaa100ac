/** What one poll reads shares a transaction: its rows are never older than a commit of this process or a revision read before. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Problem } from '../../src/contract/problems.ts';
import { columnsOf } from '../../src/contract/rows.ts';
import { openStore } from '../../src/store/open.ts';
import { findProblem, problemItem } from '../../src/store/problems.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import type { Store } from '../../src/store/store.ts';
import { importProblems, temporaryFile } from '../support/garden.ts';

const item = problemItem(columnsOf(Problem));

test('items read in one poll', async (t) => {
  const databaseUrl = await temporaryFile(t);
  await importProblems(databaseUrl, 2, (place) => ({ title: place === 0 ? 'before' : 'beside' }));
  const open = () => openStore(databaseUrl, { create: false, lockTimeoutMs: 1000 });
  const [store, other] = await Promise.all([open(), open()]);
  t.after(() => Promise.all([store.close(), other.close()]));
  const titleOf = (id: bigint) => JSON.parse(String(store.readItem(item, { id }))).title;
  const rename = (by: Store, title: string) =>
    by.write(async (tx) => {
      await tx.updateTable('problems').set({ title }).where('id', '=', 1n).execute();
      await bumpRevisions(tx, ['problems', 'statuses:1']);
    });

  await t.test('come from one state of the database until the loop has polled', async () => {
    store.startPoll?.();
    store.revisions(['problems']);
    assert.equal(titleOf(2n), 'beside');
    await rename(other, 'elsewhere');
    assert.equal(titleOf(1n), 'before');
    assert.equal((await findProblem(store.reader, 1n))?.title, 'before');
    await immediate();
    assert.equal(titleOf(1n), 'elsewhere');
  });

  await t.test('show what this process committed', async () => {
    store.startPoll?.();
    assert.equal(titleOf(1n), 'elsewhere');
    await rename(store, 'here');
    assert.equal(titleOf(1n), 'here');
  });

  await t.test('are no older than a revision that was read before them', async () => {
    await immediate();
    store.startPoll?.();
    store.revisions(['problems']);
    assert.equal(titleOf(1n), 'here');
    await rename(other, 'newer');
    const [revision] = await store.revisions(['statuses:1']);
    assert.equal(revision, (await other.revisions(['statuses:1']))[0]);
    assert.equal(titleOf(1n), 'newer');
  });
});
