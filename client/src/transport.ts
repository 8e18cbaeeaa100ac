/** One request to the garden and its answer: the token, retries, remembered answers, refusals as errors. */
import { gardenError } from './errors.ts';
import type { ClientOptions, Ids } from './types.ts';

export interface Answer {
  text: string;
  /** The cursor of the next page. */
  next: string | undefined;
  /** X-Total-Count. */
  total: number | undefined;
}

/** What a call that may be sent again without an answer sends: a write has an Idempotency-Key. */
export interface Repeatable {
  key?: string | undefined;
  body?: object | undefined;
}

export type Send = (
  method: 'GET' | 'DELETE' | 'POST' | 'PATCH',
  pathAndQuery: string,
  signal: AbortSignal | undefined,
  repeatable?: Repeatable,
) => Promise<Answer>;

/** A server that wants a longer pause gets no retry: the caller learns of it at once. */
const longestPauseS = 60;
/** The number of a refusal: the first request with the same key has no answer yet. */
const stillRunning = 40901;
const cacheCharacters = 16 * 1024 * 1024;

/** How this client's requests are sent. Throws a TypeError where the base address is none. */
export function transport(options: ClientOptions<Ids>): Send {
  const { token, retries = 2 } = options;
  const base = readBaseUrl(options.baseUrl);
  const cache = options.cache ? createCache() : undefined;
  return async (method, pathAndQuery, callSignal, repeatable) => {
    const url = base + pathAndQuery;
    const signal = eitherOf(options.signal, callSignal);
    for (let attempt = 0; ; attempt++) {
      const known = cache?.find(url);
      const { key, body } = repeatable ?? {};
      const asked = (options.fetch ?? fetch)(url, {
        method,
        headers: {
          Accept: 'application/json',
          Authorization: `Bearer ${token}`,
          ...(known && { 'If-None-Match': known.tag }),
          ...(key && { 'Idempotency-Key': `"${key}"` }),
          ...(body && { 'Content-Type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
        // No canonical path redirects. Following one would only hide a wrong base address.
        redirect: 'manual',
        credentials: 'omit',
        signal: signal ?? null,
      });
      const sent = await asked
        .then(async (response) => ({ response, text: await response.text() }))
        .catch(async (error) => {
          if (!repeatable || attempt >= retries) throw error;
          await pause(2 ** attempt * 500, signal);
        });
      if (!sent) continue;
      const { response, text } = sent;
      if (response.status === 304 && known) return known;
      if (isExpected(method, response)) {
        const answer = { text, next: nextCursor(response), total: totalOf(response) };
        const tag = response.headers.get('ETag');
        if (tag !== null) cache?.keep(url, { ...answer, tag });
        return answer;
      }
      const error = gardenError(response, text, `${method} ${url}`);
      const pauseS = error.retryAfter ?? 2 ** attempt;
      const isBusy = [429, 503].includes(response.status) || error.error === stillRunning;
      if (!isBusy || attempt >= retries || pauseS > longestPauseS) throw error;
      await pause(pauseS * 1000, signal);
    }
  };
}

export function readBaseUrl(text: string): string {
  const { protocol, search, hash } = new URL(text);
  if (/^https?:$/.test(protocol) && search === '' && hash === '') return text.replace(/\/+$/, '');
  throw new TypeError(`baseUrl is ${JSON.stringify(text)}; give an http or https address without a query.`);
}

function eitherOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

function isExpected(method: string, { status, headers }: Response): boolean {
  if (method === 'DELETE') return status === 204;
  return [200, 201].includes(status) && /^application\/json\b/i.test(headers.get('Content-Type') ?? '');
}

/**
 * The cursor in Link rel="next" (RFC 8288). Only the cursor is taken: the next page is asked of the same base address,
 * so the token goes nowhere else, and a garden behind another address than it believes still has pages.
 */
function nextCursor({ headers }: Response): string | undefined {
  const [, target] = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(headers.get('Link') ?? '') ?? [];
  if (target === undefined) return undefined;
  return new URL(target, 'http://localhost').searchParams.get('cursor') ?? undefined;
}

function totalOf({ headers }: Response): number | undefined {
  const total = headers.get('X-Total-Count');
  return total === null ? undefined : Number(total);
}

/** Resolves after so many milliseconds; rejects with the signal's reason once that aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}

type Kept = Answer & { tag: string };

/** Answers by URL, the least recently used going first. As text: a caller may change the rows it was given. */
function createCache() {
  const kept = new Map<string, Kept>();
  let characters = 0;
  const forget = (url: string) => {
    const old = kept.get(url);
    if (!old) return;
    kept.delete(url);
    characters -= url.length + old.text.length;
  };
  return {
    find(url: string): Kept | undefined {
      const found = kept.get(url);
      if (found) {
        kept.delete(url);
        kept.set(url, found);
      }
      return found;
    },
    keep(url: string, answer: Kept): void {
      forget(url);
      kept.set(url, answer);
      characters += url.length + answer.text.length;
      for (const oldest of kept.keys()) {
        if (characters <= cacheCharacters) break;
        forget(oldest);
      }
    },
  };
}
