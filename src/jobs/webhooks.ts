/**
 * Sends the waiting messages of webhooks. Each try claims its row first, so that no message is sent twice at once. A
 * failed try is repeated after a pause.
 */
import { createHmac } from 'node:crypto';
import { minuteMs } from '../durations.ts';
import { bandPoints, judgeName } from '../judges/judges.ts';
import type { WebhookMessage } from '../practice/messages.ts';
import { messageFor, readOccasion } from '../practice/reminders.ts';
import type { Store } from '../store/store.ts';
import {
  claimDelivery,
  findWebhook,
  listDeliveriesInTurn,
  updateDelivery,
  type Webhook,
  type WebhookDeliveriesTable,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { faultWordOf, fetchWithin, isPrivateItself } from './public-hosts.ts';
import { listStaleJudges } from './sync-health.ts';

export interface ReminderOptions extends SendOptions {
  baseUrl: string;
  language: string;
}

const sentAtOnce = 20;
export const pausesMs = [1, 5, 30, 120, 480].map((minutes) => minutes * minuteMs);
/** A try whose server was killed is repeated after this time. */
const claimMs = minuteMs;

export async function sendReminders(store: Store, options: ReminderOptions, now: number): Promise<void> {
  const due = await listDeliveriesInTurn(store.reader, now, sentAtOnce);
  await Promise.all(due.map((delivery) => deliver(store, delivery, options, now)));
}

async function deliver(
  store: Store,
  delivery: WebhookDeliveriesTable,
  options: ReminderOptions,
  now: number,
): Promise<void> {
  const hook = await findWebhook(store.reader, delivery.webhook_id);
  const until = now + claimMs;
  if (!hook || !(await store.writeConcurrently((tx) => claimDelivery(tx, delivery, until)))) return;
  const outcome = await attempt(store, hook, delivery, options, now);
  const tries = Number(delivery.tries) + 1;
  const end = endOf(outcome, tries, now);
  const tried_at = new Date(now).toISOString();
  const answer = outcome?.answer ?? null;
  await store.writeConcurrently((tx) => updateDelivery(tx, delivery.id, until, { ...end, answer, tried_at }));
}

async function attempt(
  store: Store,
  hook: Webhook,
  { tries, occasion, message: id, made_at: madeAt }: WebhookDeliveriesTable,
  options: ReminderOptions,
  now: number,
): Promise<Outcome | undefined> {
  // Otherwise a server that is killed in every try would never stop.
  if (tries > pausesMs.length) return { isTaken: false, isOver: true, answer: 'interrupted' };
  if (hook.is_off === 1n || hook.is_left === 1n) return undefined;
  const listStale = (userIds: readonly bigint[]) => listStaleJudges(store.reader, userIds, now);
  const { baseUrl, language: usualLanguage } = options;
  const context = { baseUrl, usualLanguage, now, listStale, judgeName, pointsOf: bandPoints };
  const message = await messageFor(store.reader, hook, readOccasion(occasion), context);
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
  return { state: 'waiting', next_at: BigInt(Math.round(now + pauseMs * (1 + Math.random() / 4))) };
}

interface SendOptions {
  privateOrigins: ReadonlySet<string>;
  answerMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Outcome {
  isTaken: boolean;
  isOver: boolean;
  answer: string;
}

const usualAnswerMs = 10_000;
const bodyBytesAtMost = 64 * 1024;

function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

async function sendMessage(
  { url, secret }: Pick<WebhooksTable, 'url' | 'secret'>,
  message: WebhookMessage,
  { id, now, madeAt }: { id: string; now: number; madeAt: string },
  { privateOrigins: inside, answerMs = usualAnswerMs, signal }: SendOptions,
): Promise<Outcome> {
  const body = bodyOf(message, madeAt);
  const seconds = Math.floor(now / 1000);
  try {
    const to = new URL(url);
    const isInside = inside.has(to.origin);
    if (!isInside && to.protocol !== 'https:') return failed('not-https');
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'practice-garden/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secret, id, seconds, body),
    };
    const bounds = { mayBePrivate: isInside, answerMs, signal };
    const response = await fetchWithin(to, { method: 'POST', headers, body }, bounds);
    await response.body?.cancel().catch(() => {});
    const { ok, status } = response;
    return { isTaken: ok, isOver: status === 410, answer: String(status) };
  } catch (error) {
    return failed(signal?.aborted ? 'interrupted' : faultWordOf(error));
  }
}

/**
 * Only https addresses that are not private, or origins that the operator allows. The name is not looked up here,
 * because the form would reveal names of this network.
 */
export function isWebhookAddress(text: string, inside: ReadonlySet<string>): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return inside.has(url.origin) || (url.protocol === 'https:' && !isPrivateItself(url));
}

/** Slack and Mattermost show `text`, and Discord `content`, without mentions; `data` is for programs. */
function bodyOf({ type, text, data }: WebhookMessage, timestamp: string): string {
  const shown = { type, timestamp, text, content: text, allowed_mentions: { parse: [] } };
  const body = JSON.stringify({ ...shown, data });
  return Buffer.byteLength(body) <= bodyBytesAtMost ? body : JSON.stringify({ ...shown, data: {} });
}

const failed = (answer: string): Outcome => ({ isTaken: false, isOver: false, answer });
