/** Answers that may be given again: by a name that says all that they were made of, so that none is ever stale. */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../auth/tokens.ts';
import { apiVersion } from '../contract/operations.ts';
import type { Format } from '../contract/rows.ts';
import { type Body, type Coding, shortAtMost } from '../http/codings.ts';
import type { Store } from '../store/store.ts';
import type { Item } from './handlers.ts';
import type { Match } from './match.ts';

/** Bytes of bodies, names and headers; an entry takes the overhead beside them. */
const cacheBytesAtMost = 20 * 1024 * 1024;
const entryOverhead = 500;
/** How many of the latest names are recognised. With more of them, items in random order are kept for nothing. */
const recentNames = 2 ** 12;

export interface CachedAnswer {
  tag: string;
  /** Those of every 200 with this body: names and values in turn. */
  headers: readonly string[];
  body: Body;
}

export type AnswerCache = ReturnType<typeof answerCache>;

export function answerCache() {
  const answers = new LRUCache<string, CachedAnswer>({
    maxSize: cacheBytesAtMost,
    sizeCalculation: ({ headers, body }, name) =>
      entryOverhead +
      2 * (name.length + headers.join().length) +
      (typeof body === 'string' ? 2 : 1) * body.length,
  });
  const recentDigests = new Uint32Array(recentNames);
  return {
    find: (name: string) => answers.get(name),
    /** Keeps a long answer at once, and a short one when it was made twice: most are asked for once. */
    keep: (name: string, answer: CachedAnswer): void => {
      const digest = crc32(name);
      const index = digest % recentNames;
      if (answer.body.length > shortAtMost || recentDigests[index] === digest) answers.set(name, answer);
      else recentDigests[index] = digest;
    },
  };
}

/** The form of an answer (RFC 9110 §3.2). */
export interface Variant {
  format: Format;
  coding: Coding;
  /** All facts that the bytes depend on, so that two answers of one name have the same. */
  name: string;
}

export function variantOf(
  { operationId, id = '', query }: Match,
  { memberId, isStaff }: Actor,
  { isForEveryone }: Pick<Item, 'isForEveryone'>,
  form: { format: Format; coding: Coding; revisions: readonly bigint[] },
): Variant {
  const { format, coding, revisions } = form;
  const reader = isForEveryone ? '' : `${memberId}${isStaff ? 's' : 'm'}`;
  const name = `${operationId} ${id} ${query}\n${reader} ${format} ${revisions.join()} ${coding}`;
  return { format, coding, name };
}

/** The same answer in another coding. */
export function recoded({ format, coding, name }: Variant, other: Coding): Variant {
  return { format, coding: other, name: name.slice(0, -coding.length) + other };
}

/**
 * A strong entity tag (RFC 9110 §8.8.3) of all facts that the bytes depend on: it costs the same for any size, outlives a
 * restart, and no two gardens or base addresses share one.
 */
export function tagOf(
  { store: { instance }, baseUrl }: { store: Pick<Store, 'instance'>; baseUrl: string },
  { name }: Variant,
): string {
  const facts = `${instance}\n${apiVersion}\n${baseUrl}\n${name}`;
  return `"${hash('sha256', facts, 'base64url').slice(0, 27)}"`;
}
