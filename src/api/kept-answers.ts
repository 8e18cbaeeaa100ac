/** Answers that may be given again: by a name that says all that they were made of, so that none is ever stale. */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Actor } from '../auth/guard.ts';
import { apiVersion } from '../contract/operations.ts';
import type { Format } from '../contract/rows.ts';
import type { Body } from '../http/codings.ts';
import { entityTag } from '../http/entity-tags.ts';
import type { Coding } from '../http/negotiation.ts';
import type { Store } from '../store/store.ts';
import type { Item } from './handlers.ts';
import type { Match } from './match.ts';

/** For everything that is kept, in bytes: bodies, names and headers. */
const keptAtMost = 20 * 1024 * 1024;
/** What an entry takes beside its texts. */
const overhead = 500;
/** In characters or bytes. */
const shortAtMost = 16 * 1024;
/** How many of the names that were asked for last are recognised; a power of two. */
const namesSeen = 2 ** 14;

export interface Kept {
  tag: string;
  /** All that a 200 has and that does not depend on the request: names and values in turn. */
  headers: readonly string[];
  body: Body;
}

export interface KeptAnswers {
  find(name: string): Kept | undefined;
  /** Keeps a long answer at once. A short one is soon made again and mostly asked for once: it is kept when it was made twice. */
  keep(name: string, answer: Kept): void;
}

export function keptAnswers(): KeptAnswers {
  const answers = new LRUCache<string, Kept>({
    maxSize: keptAtMost,
    sizeCalculation: ({ headers, body }, name) =>
      overhead + 2 * (name.length + headers.join().length + body.length),
  });
  const seen = new Uint32Array(namesSeen);
  return {
    find: (name) => answers.get(name),
    keep: (name, answer) => {
      const digest = crc32(name);
      const place = digest % namesSeen;
      if (answer.body.length > shortAtMost || seen[place] === digest) answers.set(name, answer);
      else seen[place] = digest;
    },
  };
}

/** One of the answers that a target has (RFC 9110 §3.2). */
export interface Variant {
  format: Format;
  coding: Coding;
  /** All that the bytes follow from beside the coding. */
  name: string;
}

/** Two answers with one key have the same bytes. */
export function keyOf({ name, coding }: Pick<Variant, 'name' | 'coding'>): string {
  return `${name} ${coding}`;
}

/** The name of a variant. `revisions` are those of the source's keys. */
export function nameOf(
  { operationId, id = '', query }: Match,
  { memberId, isStaff }: Actor,
  { isForEveryone }: Pick<Item, 'isForEveryone'>,
  format: Format,
  revisions: readonly bigint[],
): string {
  const reader = isForEveryone ? '' : `${memberId}${isStaff ? 's' : 'm'}`;
  return `${operationId} ${id} ${query}\n${reader} ${format} ${revisions.join()}`;
}

/** The entity tag. It does not show what it is made of, and no two gardens or base addresses share one. */
export function tagOf(
  { store, baseUrl }: { store: Pick<Store, 'instance'>; baseUrl: string },
  variant: Variant,
): string {
  return entityTag([store.instance, apiVersion, baseUrl, keyOf(variant)]);
}
