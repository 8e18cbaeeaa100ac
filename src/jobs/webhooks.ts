/**
 * Sends the waiting messages of webhooks. Each try claims its row first, so that no message is sent twice at once. A
 * failed try is repeated after a pause.
 */
import { createHmac } from 'node:crypto';
import { minuteMs } from '../durations.ts';
import { bandPoints, judgeName } from '../judges/judges.ts';
import type { WebhookMessage } from '../practice/messages.ts';
import { messageFor, parseOccasion } from '../practice/reminders.ts';
import { answerOfOff } from '../practice/webhooks.ts';
import type { Store } from '../store/store.ts';
import {
  claimDelivery,
  findWebhook,
  listDueDeliveries,
  updateDelivery,
  type Webhook,
  type WebhookDeliveriesTable,
  type WebhooksTable,
} from '../store/webhooks.ts';
import { faultCodeOf, fetchWithin, isPrivateHost } from './public-hosts.ts';
import { listStaleJudges } from './sync-health.ts';

export interface ReminderOptions extends SendOptions {
  baseUrl: string;
  language: string;
}

const deliveriesPerRun = 20;
const retryPausesMs = [1, 5, 30, 120, 480].map((minutes) => minutes * minuteMs);
/** A try whose server was killed is repeated after this time. */
const claimExpiresMs = minuteMs;

export async function sendReminders(store: Store, options: ReminderOptions, now: number): Promise<void> {
  const due = await listDueDeliveries(store.reader, now, deliveriesPerRun);
  await Promise.all(due.map((delivery) => deliver(store, delivery, options, now)));
}

async function deliver(
  store: Store,
  delivery: WebhookDeliveriesTable,
  options: ReminderOptions,
  now: number,
): Promise<void> {
  const hook = await findWebhook(store.reader, delivery.webhook_id);
  const until = now + claimExpiresMs;
  if (!hook || !(await store.writeConcurrently((tx) => claimDelivery(tx, delivery, until)))) return;
  const isOff = hook.is_off === 1n || hook.is_left === 1n;
  const outcome = isOff ? undefined : await attempt(store, hook, delivery, options, now);
  const tries = Number(delivery.tries) + 1;
  const nextState = nextStateOf(outcome, tries, now);
  const tried_at = new Date(now).toISOString();
  const answer = isOff ? answerOfOff : (outcome?.answer ?? null);
  await store.writeConcurrently((tx) =>
    updateDelivery(tx, delivery.id, until, { ...nextState, answer, tried_at }),
  );
}

async function attempt(
  store: Store,
  hook: Webhook,
  { tries, occasion, message: id, made_at: madeAt }: WebhookDeliveriesTable,
  options: ReminderOptions,
  now: number,
): Promise<Outcome | undefined> {
  // Otherwise a server that is killed in every try would never stop.
  if (tries > retryPausesMs.length) return { isAccepted: false, isFinal: true, answer: 'interrupted' };
  const listStale = (userIds: readonly bigint[]) => listStaleJudges(store.reader, userIds, now);
  const { baseUrl, language: defaultLanguage } = options;
  const context = { baseUrl, defaultLanguage, now, listStale, judgeName, pointsOf: bandPoints };
  const message = await messageFor(store.reader, hook, parseOccasion(occasion), context);
  return message && sendMessage(hook, message, { id, now, madeAt }, options);
}

function nextStateOf(
  outcome: Outcome | undefined,
  tries: number,
  now: number,
): Pick<WebhookDeliveriesTable, 'state' | 'next_at'> {
  if (!outcome) return { state: 'spared', next_at: null };
  if (outcome.isAccepted) return { state: 'sent', next_at: null };
  const pauseMs = retryPausesMs[tries - 1];
  if (outcome.isFinal || pauseMs === undefined) return { state: 'failed', next_at: null };
  return { state: 'waiting', next_at: BigInt(Math.round(now + pauseMs * (1 + Math.random() / 4))) };
}

interface SendOptions {
  privateOrigins: ReadonlySet<string>;
  answerMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

interface Outcome {
  isAccepted: boolean;
  isFinal: boolean;
  answer: string;
}

const defaultAnswerMs = 10_000;
const bodyBytesAtMost = 64 * 1024;

function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

async function sendMessage(
  { url, secret }: Pick<WebhooksTable, 'url' | 'secret'>,
  message: WebhookMessage,
  { id, now, madeAt }: { id: string; now: number; madeAt: string },
  { privateOrigins, answerMs = defaultAnswerMs, signal }: SendOptions,
): Promise<Outcome> {
  const body = bodyOf(message, madeAt);
  const seconds = Math.floor(now / 1000);
  try {
    const target = new URL(url);
    const isPrivateAllowed = privateOrigins.has(target.origin);
    if (!isPrivateAllowed && target.protocol !== 'https:') return failed('not-https');
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'practice-garden/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signatureOf(secret, id, seconds, body),
    };
    const bounds = { mayBePrivate: isPrivateAllowed, answerMs, signal };
    const response = await fetchWithin(target, { method: 'POST', headers, body }, bounds);
    await response.body?.cancel().catch(() => {});
    const { ok, status } = response;
    return { isAccepted: ok, isFinal: status === 410, answer: String(status) };
  } catch (error) {
    return failed(signal?.aborted ? 'interrupted' : faultCodeOf(error));
  }
}

/**
 * Only https addresses that are not private, or origins that the operator allows. The name is not looked up here,
 * because the form would reveal names of this network.
 */
export function isWebhookAddress(text: string, privateOrigins: ReadonlySet<string>): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return privateOrigins.has(url.origin) || (url.protocol === 'https:' && !isPrivateHost(url));
}

/** Slack and Mattermost show `text`, and Discord `content`, without mentions; `data` is for programs. */
function bodyOf({ type, text, data }: WebhookMessage, timestamp: string): string {
  const textFields = { type, timestamp, text, content: text, allowed_mentions: { parse: [] } };
  const body = JSON.stringify({ ...textFields, data });
  return Buffer.byteLength(body) <= bodyBytesAtMost ? body : JSON.stringify({ ...textFields, data: {} });
}

const failed = (answer: string): Outcome => ({ isAccepted: false, isFinal: false, answer });
