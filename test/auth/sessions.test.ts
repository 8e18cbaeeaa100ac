/** Sessions: how many stay, and when the one that is used lasts longer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession, readSession } from '../../src/auth/sessions.ts';
import { hourMs } from '../../src/durations.ts';
import { memberWithToken, temporaryDatabase, withStore } from '../support/garden.ts';

test('of many sessions the newest stay, and one is renewed when it was last seen more than an hour ago', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { memberId } = await memberWithToken(databaseUrl, 'ada');
  await withStore(databaseUrl, async (store) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    const client = { browser: '', network: '', device: undefined };
    const open = () => store.write((tx) => openSession(tx, BigInt(memberId), client, { sessionsAtMost: 2 }));
    const secrets: string[] = [];
    for (let second = 0; second < 3; second++) {
      t.mock.timers.tick(1000);
      secrets.push((await open()).session);
    }
    const isRenewed = async (secret = '') => {
      const { member, isRenewed } = await readSession(store, secret);
      return member && isRenewed;
    };
    assert.deepEqual(await Promise.all(secrets.map(isRenewed)), [undefined, false, false]);
    t.mock.timers.tick(hourMs);
    assert.equal(await isRenewed(secrets[2]), false);
    t.mock.timers.tick(1);
    assert.deepEqual([await isRenewed(secrets[2]), await isRenewed(secrets[2])], [true, false]);
  });
});
