/** A cache of answers. The key of an answer contains everything that its bytes depend on, so an entry never goes stale. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../auth/tokens.ts';
import { apiVersion } from '../contract/operations.ts';
import type { Format } from '../contract/rows.ts';
import { type Body, type Coding, shortBodyLength } from '../http/codings.ts';
import type { Store } from '../store/store.ts';
import type { Item } from './handlers.ts';
import type { Match } from './match.ts';

const cacheBytesAtMost = 20 * 1024 * 1024;
const entryOverhead = 500;
/** Each has the digests of two keys. With more slots, reading many items once each would fill the cache. */
const recentSlots = 2039;

export interface CachedAnswer {
  tag: string;
  headers: readonly string[];
  body: Body;
}

export type AnswerCache = ReturnType<typeof answerCache>;

export function answerCache() {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: cacheBytesAtMost,
    sizeCalculation: ({ headers, body }, key) =>
      entryOverhead +
      2 * (key.length + headers.join().length) +
      (typeof body === 'string' ? 2 : 1) * body.length,
  });
  const recentDigests = new Uint32Array(2 * recentSlots);
  return {
    find: (key: string) => answers.get(key),
    /** Most short answers are requested only once, so they are stored at the second request. */
    add: (key: string, answer: CachedAnswer): void => {
      const digest = crc32(key);
      // The lower bits of the CRC-32 of similar keys are often equal, so the number of slots is a prime.
      const slot = 2 * (digest % recentSlots);
      const isRecent = recentDigests[slot] === digest || recentDigests[slot + 1] === digest;
      if (isRecent || answer.body.length > shortBodyLength) answers.set(key, answer);
      else {
        recentDigests[slot + 1] = recentDigests[slot] ?? 0;
        recentDigests[slot] = digest;
      }
    },
  };
}

export interface Variant {
  format: Format;
  coding: Coding;
  cacheKey: string;
}

export function variantOf(
  { operationId, id = '', query }: Match,
  { memberId, isStaff }: Actor,
  { isForEveryone }: Pick<Item, 'isForEveryone'>,
  representation: { format: Format; coding: Coding; revisions: readonly bigint[] },
): Variant {
  const { format, coding, revisions } = representation;
  const viewerKey = isForEveryone ? '' : `${memberId}${isStaff ? 's' : 'm'}`;
  const cacheKey = `${operationId} ${id} ${query}\n${viewerKey} ${format} ${revisions.join()} ${coding}`;
  return { format, coding, cacheKey };
}

export function withCoding({ format, coding, cacheKey }: Variant, other: Coding): Variant {
  return { format, coding: other, cacheKey: cacheKey.slice(0, -coding.length) + other };
}

/** A strong entity tag (RFC 9110 §8.8.3), which costs the same for a body of any size. */
export function tagOf(
  { store: { instance }, baseUrl }: { store: Pick<Store, 'instance'>; baseUrl: string },
  { cacheKey }: Variant,
): string {
  const input = `${instance}\n${apiVersion}\n${baseUrl}\n${cacheKey}`;
  return `"${hash('sha256', input, 'base64url').slice(0, 27)}"`;
}
