/**
 * Sends the messages of webhooks, in one process of all that share a database. What there is to say becomes a row first, so that
 * a restart loses nothing; each try takes the row before it sends, so that no two processes send the same.
 */
import { nextLook, occasionsAt, readOccasion } from '../practice/occasions.ts';
import { messageFor } from '../practice/reminder-messages.ts';
import { queue } from '../practice/webhooks.ts';
import type { Store } from '../store/store.ts';
import {
  claimDelivery,
  deleteOldDeliveries,
  listDeliveriesInTurn,
  listKnownOccasions,
  updateDelivery,
} from '../store/webhook-deliveries.ts';
import {
  findWebhook,
  listWebhooksToPlan,
  setNextLook,
  type Webhook,
  type WebhookDeliveriesTable,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { type LeadOptions, whileLeading } from './leading.ts';
import { listStaleJudges } from './stale-data.ts';
import { type Outcome, type SendOptions, sendMessage } from './webhook-sending.ts';

export interface ReminderOptions extends Omit<SendOptions, 'signal'> {
  /** The garden's own address, for links. */
  baseUrl: string;
}

const reminderLease = 'reminders';
const hooksAtOnce = 50;
const sentAtOnce = 20;
const minuteMs = 60_000;
/** The pause after each try that failed; after the last one it is given up. */
export const pausesMs = [1, 5, 30, 120, 480].map((minutes) => minutes * minuteMs);
/** A try that ended without a word, because the server was killed, is made again after so long. */
const claimMs = minuteMs;
const keptMs = 60 * 24 * 60 * minuteMs;

/** Goes on until the signal. */
export async function keepReminding(store: Store, options: ReminderOptions & LeadOptions): Promise<void> {
  await whileLeading(store, { name: reminderLease, work: 'sending reminders' }, options, async (signal) => {
    await planReminders(store, Date.now());
    await sendReminders(store, { ...options, signal }, Date.now());
  });
}

/** Makes a row for each occasion of webhooks that are to be looked at: at most one transaction, however many they are. */
export async function planReminders(store: Store, now: number): Promise<void> {
  const hooks = await listWebhooksToPlan(store.reader, now, hooksAtOnce);
  const found: { hook: WebhooksTable; occasions: readonly string[] }[] = [];
  for (const hook of hooks) {
    const occasions = await newOccasions(store, hook, now);
    if (occasions.length > 0) found.push({ hook, occasions });
  }
  if (hooks.length === 0) return;
  const at = new Date(now).toISOString();
  const forgotten = new Date(now - keptMs).toISOString();
  await store.write(async (tx) => {
    for (const { hook, occasions } of found) {
      // It may be gone by now, or off.
      if ((await findWebhook(tx, hook.id))?.is_off !== 0n) continue;
      for (const occasion of occasions) await queue(tx, hook, occasion, at);
    }
    const ids = hooks.map(({ id }) => id);
    await deleteOldDeliveries(tx, ids, forgotten);
    await setNextLook(tx, ids, nextLook(now));
  });
}

/** The occasions that have no message yet. */
async function newOccasions(store: Store, hook: WebhooksTable, now: number): Promise<string[]> {
  const occasions = await occasionsAt(store.reader, hook, now);
  if (occasions.length === 0) return [];
  const known = await listKnownOccasions(store.reader, hook.id, occasions);
  return occasions.filter((occasion) => !known.has(occasion));
}

/** Sends what is due now. */
export async function sendReminders(
  store: Store,
  options: ReminderOptions & Pick<SendOptions, 'signal'>,
  now: number,
): Promise<void> {
  const due = await listDeliveriesInTurn(store.reader, now, sentAtOnce);
  await Promise.all(due.map((delivery) => deliver(store, delivery, options, now)));
}

async function deliver(
  store: Store,
  delivery: WebhookDeliveriesTable,
  options: ReminderOptions & Pick<SendOptions, 'signal'>,
  now: number,
): Promise<void> {
  const hook = await findWebhook(store.reader, delivery.webhook_id);
  const until = now + claimMs;
  if (!hook || !(await store.writeBeside((tx) => claimDelivery(tx, delivery, until)))) return;
  const outcome = await attempt(store, hook, delivery, options, now);
  const tries = Number(delivery.tries) + 1;
  const end = endOf(outcome, tries, now);
  const tried_at = new Date(now).toISOString();
  const answer = outcome?.answer ?? null;
  await store.writeBeside((tx) => updateDelivery(tx, delivery.id, until, { ...end, answer, tried_at }));
}

/** Undefined where there is nothing to say any more. */
async function attempt(
  store: Store,
  hook: Webhook,
  { tries, occasion, message: id, made_at: madeAt }: WebhookDeliveriesTable,
  options: ReminderOptions & Pick<SendOptions, 'signal'>,
  now: number,
): Promise<Outcome | undefined> {
  // A server that is killed in each of its tries would try for ever.
  if (tries > pausesMs.length) return { isTaken: false, isOver: true, answer: 'interrupted' };
  if (hook.is_off === 1n || hook.is_left === 1n) return undefined;
  const listStale = (userIds: readonly bigint[]) => listStaleJudges(store.reader, userIds, now);
  const place = { baseUrl: options.baseUrl, now, listStale };
  const message = await messageFor(store.reader, hook, readOccasion(occasion), place);
  return message && sendMessage(hook, message, { id, now, madeAt }, options);
}

function endOf(
  outcome: Outcome | undefined,
  tries: number,
  now: number,
): Pick<WebhookDeliveriesTable, 'state' | 'next_at'> {
  if (!outcome) return { state: 'spared', next_at: null };
  if (outcome.isTaken) return { state: 'sent', next_at: null };
  const pauseMs = pausesMs[tries - 1];
  if (outcome.isOver || pauseMs === undefined) return { state: 'failed', next_at: null };
  // Up to a quarter later, so that what failed together does not come together again.
  return { state: 'waiting', next_at: BigInt(Math.round(now + pauseMs * (1 + Math.random() / 4))) };
}
