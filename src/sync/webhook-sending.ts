/**
 * Sends one message to a webhook, signed as Standard Webhooks says (https://www.standardwebhooks.com): to public addresses by https,
 * to no other address than the one that was entered, within bounds of time. What the receiver answers is not read.
 */
import { createHmac } from 'node:crypto';
import type { Message } from '../practice/message-words.ts';
import type { WebhooksTable } from '../store/webhooks.ts';
import { assertNoPrivateAddress, isPrivateItself, PrivateAddressError, publicHosts } from './public-hosts.ts';

export interface SendOptions {
  /** Origins that may be private or without TLS: the operator says so, and nobody else. */
  inside: ReadonlySet<string>;
  /** Shorter ones are for tests. */
  answerMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Envelope {
  /** The same at each try. */
  id: string;
  now: number;
  /** When there was something to say. */
  madeAt: string;
}

/** How a try ended: a status, or a word that pages know. */
export interface Outcome {
  isTaken: boolean;
  /** Whether the receiver wants no more of it. */
  isOver: boolean;
  answer: string;
}

const usualAnswerMs = 10_000;
/** More than any message has. */
const bodyBytesAtMost = 64 * 1024;

/** The signature of a body, as the header `webhook-signature` has it. */
function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

export async function sendMessage(
  { url, secret }: Pick<WebhooksTable, 'url' | 'secret'>,
  message: Message,
  { id, now, madeAt }: Envelope,
  { inside, answerMs = usualAnswerMs, signal }: SendOptions,
): Promise<Outcome> {
  const body = bodyOf(message, madeAt);
  const seconds = Math.floor(now / 1000);
  const ends = AbortSignal.timeout(answerMs);
  try {
    const to = new URL(url);
    const isInside = inside.has(to.origin);
    if (!isInside && to.protocol !== 'https:') return failed('not-https');
    if (!isInside) assertNoPrivateAddress(to);
    const response = await fetch(to, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'practice-garden/1.0',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(secret, id, seconds, body),
      },
      body,
      // A redirect would lead to a host that nobody entered.
      redirect: 'error',
      ...(!isInside && { dispatcher: await publicHosts() }),
      signal: signal ? AbortSignal.any([signal, ends]) : ends,
    });
    await response.body?.cancel().catch(() => {});
    const { ok, status } = response;
    return { isTaken: ok, isOver: status === 410, answer: String(status) };
  } catch (error) {
    return failed(signal?.aborted ? 'interrupted' : wordFor(error));
  }
}

/**
 * Whether messages may be sent there: an https address that is not private itself, or one that the operator allows. A name is
 * looked up only when a message is sent: a form that did would tell its member which names this network has.
 */
export function isWebhookAddress(text: string, inside: ReadonlySet<string>): boolean {
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '') return false;
  return inside.has(url.origin) || (url.protocol === 'https:' && !isPrivateItself(url));
}

/**
 * `text` is what Slack and Mattermost show and `content` what Discord shows, which gets no right to call everybody; `data` is for
 * programs.
 */
function bodyOf({ type, text, data }: Message, timestamp: string): string {
  const shown = { type, timestamp, text, content: text, allowed_mentions: { parse: [] } };
  const body = JSON.stringify({ ...shown, data });
  return Buffer.byteLength(body) <= bodyBytesAtMost ? body : JSON.stringify({ ...shown, data: {} });
}

const failed = (answer: string): Outcome => ({ isTaken: false, isOver: false, answer });

function wordFor(error: unknown): string {
  const cause = (error as Error).cause as { message?: string; syscall?: string } | undefined;
  if (error instanceof PrivateAddressError) return 'private';
  // In the same word as a name that nobody has.
  if (cause instanceof PrivateAddressError) return 'unknown-host';
  if ((error as Error).name === 'TimeoutError') return 'timeout';
  if (cause?.message === 'unexpected redirect') return 'redirect';
  return cause?.syscall === 'getaddrinfo' ? 'unknown-host' : 'unreachable';
}
