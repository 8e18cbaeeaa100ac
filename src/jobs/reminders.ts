/**
 * Plans the messages of webhooks and has them sent, in one of the processes that share a database. A message is first
 * a row, so that a restart loses none. An occasion identifies the event of a message, so that none is sent twice.
 */
import { dayMs } from '../durations.ts';
import { nextQuarterHour, occasionsAt } from '../practice/reminders.ts';
import { enqueueDelivery } from '../practice/webhooks.ts';
import type { Store } from '../store/store.ts';
import {
  deleteOldDeliveries,
  findWebhook,
  listKnownOccasions,
  listWebhooksToPlan,
  setPlansAt,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { type LeadOptions, pollUntilAborted } from './lease.ts';
import { type ReminderOptions, sendReminders } from './webhooks.ts';

const hooksPerRun = 50;
const retentionMs = 60 * dayMs;

export const runReminders = (store: Store, options: ReminderOptions & LeadOptions): Promise<void> =>
  pollUntilAborted(store, { name: 'reminders', work: 'sending reminders' }, options, async (signal) => {
    await planReminders(store, Date.now());
    await sendReminders(store, { ...options, signal }, Date.now());
  });

export async function planReminders(store: Store, now: number): Promise<void> {
  const hooks = await listWebhooksToPlan(store.reader, now, hooksPerRun);
  const planned: { hook: WebhooksTable; occasions: readonly string[] }[] = [];
  for (const hook of hooks) {
    const occasions = await newOccasions(store, hook, now);
    if (occasions.length > 0) planned.push({ hook, occasions });
  }
  if (hooks.length === 0) return;
  const at = new Date(now).toISOString();
  const cutoff = new Date(now - retentionMs).toISOString();
  await store.write(async (tx) => {
    for (const { hook, occasions } of planned) {
      if ((await findWebhook(tx, hook.id))?.is_off !== 0n) continue;
      for (const occasion of occasions) await enqueueDelivery(tx, hook, occasion, at);
    }
    const ids = hooks.map(({ id }) => id);
    await deleteOldDeliveries(tx, ids, cutoff);
    await setPlansAt(tx, ids, nextQuarterHour(now));
  });
}

async function newOccasions(store: Store, hook: WebhooksTable, now: number): Promise<string[]> {
  const occasions = await occasionsAt(store.reader, hook, now);
  if (occasions.length === 0) return [];
  const existing = await listKnownOccasions(store.reader, hook.id, occasions);
  return occasions.filter((occasion) => !existing.has(occasion));
}
