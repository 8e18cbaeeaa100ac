/**
 * Sends requests to judges: one at a time per host, in the judge's interval, with limits of bytes and time. Failed
 * requests are retried with growing pauses.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { minuteMs } from '../durations.ts';
import { type AppError, localizedError } from '../errors.ts';
import { decodeLeniently } from '../files/text.ts';
import { faultKindOf, isUnavailable, judgeFault, redirectFault } from '../judges/faults.ts';
import type { Judge, JudgeAnswer, JudgeApi, JudgeClient, JudgeRequest } from '../judges/judge.ts';
import { type JudgeSite, judgeOf } from '../judges/judges.ts';
import { addressOfJudge, type JudgeAddress, type JudgeAddresses } from '../practice/judge-addresses.ts';
import { pauseHost, takeSlot } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import { fetchWithin, type NetworkFailure, networkFault } from './public-hosts.ts';

/** `answerMiB` is ten times the largest known answer, because parsing may take thirty times its size in memory. */
const defaultLimits = { answerMs: minuteMs, retries: 3, retryMs: 4000, answerMiB: 32 };
export const interactiveLimits = { answerMiB: 1, retries: 1, retryMs: 2000, answerMs: 15_000 };

export interface JudgeClientOptions {
  address?: JudgeAddress | undefined;
  site?: { site?: string; baseUrl?: string; intervalMs?: number } | undefined;
  signal?: AbortSignal | undefined;
  pace?: Partial<typeof defaultLimits & { intervalMs: number }>;
  onWait?: ((sentence: string) => void) | undefined;
  /** How many bytes an answer had on its way. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Whether other requests let it pass at the gate of the host. */
  isFirst?: boolean;
}

export const siteClient = (
  store: Store,
  { source, name, branch }: JudgeSite,
  places: JudgeAddresses,
  options: JudgeClientOptions,
) =>
  judgeClient(store, judgeOf(source) as Judge, {
    ...options,
    address: addressOfJudge(places, name),
    site: branch,
  });

const defaultHeaders = {
  'User-Agent': 'practice-garden/1.0',
  Accept: 'application/json',
  'Accept-Encoding': 'gzip',
};

/** By this share of the interval others wait longer, so that a request that comes first meets an open gate. */
const yieldShare = 0.025;
/** Measured with submissions of Codeforces; only for answers whose compressed length is unknown. */
const gzipRatio = 7;

const isPassing = (error: unknown) => ['busy', 'down'].includes(faultKindOf(error) ?? '');

type ClientTarget = Pick<Judge, 'site'> & { api?: Pick<JudgeApi, 'baseUrl' | 'intervalMs' | 'headers'> };

export function judgeClient(
  store: Store,
  judge: ClientTarget,
  options: JudgeClientOptions = {},
): JudgeClient {
  const { api } = judge;
  const name = options.site?.site ?? judge.site;
  if (!api) throw new Error(`${name} is not asked by programs`);
  const { signal, onWait, onBytes, isFirst = false } = options;
  const { answerMs, retries, retryMs, intervalMs, answerMiB } = {
    ...defaultLimits,
    ...api,
    ...options.site,
    ...options.pace,
  };
  const address = (options.address?.url ?? options.site?.baseUrl ?? api.baseUrl).replace(/\/+$/, '');
  const base = new URL(address);
  const mayBePrivate = options.address?.mayBePrivate ?? false;

  async function waitForSlot(): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const waitMs = await takeSlot(store, base.host, intervalMs);
      if (waitMs === 0) return;
      if (waitMs > 5000) onWait?.(`${name} is asked in ${Math.round(waitMs / 1000)} s`);
      await sleep(waitMs + (isFirst ? 0 : intervalMs * yieldShare), undefined, { signal });
    }
  }

  async function send(path: string, request: JudgeRequest): Promise<JudgeAnswer & { restMs: number }> {
    await waitForSlot();
    try {
      const { method = 'GET', body = null } = request;
      const headers = { ...defaultHeaders, ...api?.headers, ...request.headers };
      const bounds = { mayBePrivate, answerMs, signal };
      const url = new URL(`${address}${path}`);
      const response = await fetchWithin(url, { method, headers, body, redirect: 'manual' }, bounds);
      await refuseRedirect(response, name, url);
      const text = await readResponseText(response, name, answerMiB, request);
      onBytes?.(receivedBytes(response, text));
      return { status: response.status, text, restMs: parseRetryAfter(response) };
    } catch (error) {
      signal?.throwIfAborted();
      if (faultKindOf(error) !== undefined) throw error;
      throw networkFault(error, answerMs, (cause) => unreachableError(name, cause, error));
    } finally {
      // A request may reach the judge late, so the interval starts again with the answer.
      await pauseHost(store, base.host, intervalMs);
    }
  }

  const retryAfterAtMostMs = 16 * retryMs;
  const ask = <T>(path: string, read: (answer: JudgeAnswer) => T, request: JudgeRequest = {}) => {
    let restMs = 0;
    const attempt = async () => {
      restMs = 0;
      const answer = await send(path, request);
      restMs = answer.restMs;
      return read(answer);
    };
    // A judge that asks for a longer pause is left alone until another run.
    const isRetried = (error: Error) => isPassing(error) && restMs <= retryAfterAtMostMs;
    return pRetry(attempt, {
      retries,
      minTimeout: retryMs,
      maxTimeout: retryAfterAtMostMs,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => isRetried(error),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        const kind = faultKindOf(error);
        const pauseMs = Math.max(kind === 'busy' ? retryMs : 0, Math.min(restMs, retryAfterAtMostMs));
        if (pauseMs > 0) await pauseHost(store, base.host, pauseMs);
        if (retriesLeft > 0 && isRetried(error)) onWait?.(error.message);
      },
    });
  };
  return Object.assign(ask, { site: address });
}

function receivedBytes({ headers }: Response, text: string): number {
  const length = Number(headers.get('content-length') ?? 0);
  if (!headers.has('content-encoding')) return length || text.length;
  return length || Math.ceil(text.length / gzipRatio);
}

/** Throws judgeFailed. */
async function refuseRedirect({ status, headers, body }: Response, name: string, url: URL): Promise<void> {
  if (status < 300 || status >= 400) return;
  await body?.cancel();
  throw redirectFault(name, url, headers.get('location'));
}

/** Retry-After (RFC 9110 §10.2.3) in milliseconds; 0 if there is none. */
function parseRetryAfter({ status, headers }: Response): number {
  const header = headers.get('retry-after') ?? '';
  if (status !== 429 && status !== 503) return 0;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}

/**
 * A judge is left alone after this many requests in a row without an answer. An odd answer is the fault of one
 * request.
 */
const faultsUntilPause = 3;

export function consecutiveFaults(): (fault: unknown) => boolean {
  let count = 0;
  return (fault) => {
    count = isUnavailable(faultKindOf(fault)) ? count + 1 : 0;
    return count === faultsUntilPause;
  };
}

/** Throws judgeFailed if the answer is too large or breaks off. The connection is closed behind what is enough. */
export async function readResponseText(
  response: Response,
  name: string,
  mib: number,
  {
    decode = decodeLeniently,
    isEnough,
    reader,
  }: Pick<JudgeRequest, 'isEnough' | 'reader'> & {
    decode?: (bytes: Uint8Array, type: string) => string | Promise<string>;
  } = {},
): Promise<string> {
  const takePiece = reader?.();
  const pieces: Uint8Array[] = [];
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > mib * 1024 * 1024) {
      throw judgeFault('odd answer', localizedError('judgeFailed.large', { judge: name, most: mib }));
    }
    if (takePiece) {
      text += takePiece(decoder.decode(piece, { stream: true }));
      continue;
    }
    pieces.push(piece);
    if (!isEnough) continue;
    text += decoder.decode(piece, { stream: true });
    if (isEnough(text)) break;
  }
  if (takePiece) return text;
  return decode(Buffer.concat(pieces), response.headers.get('content-type') ?? '');
}

function unreachableError(
  judge: string,
  { word, host, why, seconds }: NetworkFailure,
  error: unknown,
): AppError {
  if (word === 'private') return localizedError('judgeFailed.inside', { host, judge }, error);
  if (word === 'unknown-host') return localizedError('judgeFailed.notFound', { judge, code: why }, error);
  if (word === 'timeout') return localizedError('judgeFailed.slow', { judge, seconds }, error);
  return localizedError('judgeFailed.unreachable', { judge, why }, error);
}
