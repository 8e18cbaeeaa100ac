/** What a member shows is nothing at first, and a secret address says at most once an hour that it was used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { makeSharedAddress, recordAddressUse } from '../../src/practice/public-pages.ts';
import type { SharedAddress } from '../../src/store/plants.ts';
import type { Store } from '../../src/store/store.ts';
import { gardenOf } from '../importing/support.ts';

test('the use of an address is written once an hour, and not while nothing can be written', async (t) => {
  const [now, hourMs] = [Date.parse('2026-03-01T12:00:00.000Z'), 3_600_000];
  t.mock.timers.enable({ apis: ['Date'], now });
  const { store } = await gardenOf(t, 'ada');
  for (const _ of [1, 2]) await makeSharedAddress(store, 1n, 'calendar');
  const row = () => store.reader.selectFrom('shared_addresses').selectAll().executeTakeFirstOrThrow();
  const use = async (by = store) => recordAddressUse(by, (await row()) as unknown as SharedAddress);
  for (const [ms, usedAt] of [
    [0, 0],
    [hourMs - 1, 0],
    [1, hourMs],
  ] as const) {
    t.mock.timers.tick(ms);
    await use();
    assert.equal((await row()).used_at, new Date(now + usedAt).toISOString());
  }
  t.mock.timers.tick(hourMs);
  const failing = (error: Error) => ({ ...store, writeConcurrently: () => Promise.reject(error) }) as Store;
  await use(failing(new AppError('databaseBusy', 'x')));
  for (const error of [new AppError('unknownItem', 'x'), new Error('x')])
    await assert.rejects(use(failing(error)), error);
});
