/** Single statements on the embedded store: durable by themselves, and never part of another caller's transaction. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { deletePlant, findPlantsByIds } from '../../src/store/plants.ts';
import type { Store } from '../../src/store/store.ts';
import { holdPlants } from '../support/databases.ts';
import { importPlants, memberWithToken, temporaryFile } from '../support/garden.ts';

async function planted(
  t: test.TestContext,
  lockTimeoutMs = 30_000,
): Promise<{ store: Store; databaseUrl: string; credentials: bigint }> {
  const databaseUrl = await temporaryFile(t);
  const store = await openStore(databaseUrl, { create: true, lockTimeoutMs });
  t.after(() => store.close());
  await memberWithToken(databaseUrl, 'ada');
  await importPlants(databaseUrl, 20);
  const [credentials = 0n] = await store.revisions(['credentials']);
  return { store, databaseUrl, credentials };
}

const remove = (store: Store, credentials: bigint, id: bigint) => deletePlant(store, id, undefined, credentials);
const left = async (store: Store, ids: bigint[]) => (await findPlantsByIds(store.reader, ids)).map(({ id }) => id);

test('a statement that is asked for while a transaction is open stays when that is called off', async (t) => {
  const { store, credentials } = await planted(t);
  const begun = Promise.withResolvers<void>();
  const calledOff = store.write(async (tx) => {
    await tx.deleteFrom('plants').where('id', '=', 1n).execute();
    begun.resolve();
    await sleep(50);
    throw new Error('called off');
  });
  await begun.promise;
  const [deleted] = await Promise.all([remove(store, credentials, 2n), assert.rejects(calledOff)]);
  assert.equal(deleted, true);
  assert.deepEqual(await left(store, [1n, 2n]), [1n]);
});

test('a statement waits for the lock of another process', async (t) => {
  const { store, databaseUrl, credentials } = await planted(t);
  const release = await holdPlants(databaseUrl);
  const soon = remove(store, credentials, 3n);
  await sleep(100);
  await release();
  assert.equal(await soon, true);
  assert.deepEqual(await left(store, [3n]), []);
});

test('a statement is refused when the lock of another process is held for too long', async (t) => {
  const { store, databaseUrl, credentials } = await planted(t, 1_000);
  const release = await holdPlants(databaseUrl);
  await assert.rejects(remove(store, credentials, 4n), { code: 'databaseBusy' });
  await release();
  assert.deepEqual(await left(store, [4n]), [4n]);
});

test('statements that are asked at once all happen, each once', async (t) => {
  const { store, credentials } = await planted(t);
  const ids = [5n, 6n, 7n, 5n, 6n, 7n, 99n];
  const deleted = await Promise.all(ids.map((id) => remove(store, credentials, id)));
  assert.deepEqual(deleted, [true, true, true, false, false, false, false]);
});

test('nothing is deleted once the credentials have changed', async (t) => {
  const { store, databaseUrl, credentials } = await planted(t);
  await memberWithToken(databaseUrl, 'ben');
  assert.equal(await remove(store, credentials, 8n), false);
  assert.deepEqual(await left(store, [8n]), [8n]);
});
