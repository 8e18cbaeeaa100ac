/** Webhooks: what is stored of one, since when it sends weeks, and how often a member may try. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  removeWebhook,
  renewSecret,
  saveWebhook,
  sendTest,
  switchWebhook,
  versionOfWebhook,
} from '../../src/practice/webhooks.ts';
import { findWebhookOf } from '../../src/store/webhooks.ts';
import { gardenOf } from '../importing/support.ts';

test('a webhook sends no week from before it sent weeks, and a member tries twenty times a day', async (t) => {
  const [now, dayMs] = [Date.parse('2026-11-26T01:00:00.000Z'), 86_400_000];
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  t.mock.timers.enable({ apis: ['Date'], now });
  const [{ store }, user_id] = [await gardenOf(t, 'ada'), 1n];
  const owner = { user_id };
  const wishes = { url: 'https://a.test/', sendsWeeks: false, sendsDues: true, sendsContests: false };
  const find = () => findWebhookOf(store.reader, owner);
  const save = async (more: Partial<typeof wishes> = {}) =>
    saveWebhook(store, owner, user_id, { ...wishes, ...more }, versionOfWebhook(await find()));
  const send = (time = now) => sendTest(store, owner, user_id, time);

  assert.deepEqual([await send(), await renewSecret(store, owner, user_id)], [false, undefined], 'there is none');
  await removeWebhook(store, owner, user_id);
  const { secret } = (await save()) as { secret: string };
  const always = { id: 1n, group_id: null, user_id, made_by: user_id, plans_at: 0n, is_off: 0n, is_left: 0n };
  const rest = { ...always, secret, sends_dues: 1n };
  for (const [more, url, sends_weeks, sends_contests, made_at] of [
    [undefined, 'https://a.test/', 0n, 0n, at(0)],
    [{ url: '', sendsContests: true }, 'https://a.test/', 0n, 1n, at(0)],
    [{ url: 'https://b.test/', sendsWeeks: true }, 'https://b.test/', 1n, 0n, at(2)],
    [{ url: '', sendsWeeks: true }, 'https://b.test/', 1n, 0n, at(2)],
  ] as const) {
    if (more) assert.deepEqual(await save(more), { secret: undefined });
    assert.deepEqual(await find(), { ...rest, url, sends_weeks, sends_contests, made_at });
    t.mock.timers.tick(1000);
  }

  for (let n = 1; n < 20; n++) assert.equal(await send(), true);
  for (const time of [now, now + dayMs - 1]) await assert.rejects(send(time), /up to 20 times a day/);
  const turn = (isOff: boolean, id = 1n) => store.write((tx) => switchWebhook(tx, id, isOff));
  const countWaiting = async () =>
    (await store.reader.selectFrom('webhook_deliveries').selectAll().execute()).filter((one) => one.state === 'waiting')
      .length;
  assert.equal(await turn(true, 99n), undefined);
  assert.deepEqual([(await turn(false))?.id, await countWaiting()], [1n, 19]);
  await turn(true);
  assert.deepEqual([(await find())?.is_off, await countWaiting()], [1n, 0]);
  await turn(false);
  await removeWebhook(store, owner, user_id);
  await assert.rejects(save(), /up to 20 times a day/, 'nor by making it anew');
  t.mock.timers.setTime(now + dayMs);
  assert.notEqual(((await save()) as { secret: string }).secret, secret);
});
