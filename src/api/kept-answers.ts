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

/** Bytes of bodies, names and headers; an entry takes the overhead beside them. */
const keptAtMost = 20 * 1024 * 1024;
const overhead = 500;
/** Characters or bytes. */
const shortAtMost = 16 * 1024;
/** How many of the latest names are recognised. */
const namesSeen = 2 ** 14;

export interface Kept {
  tag: string;
  /** Those of every 200 with this body: names and values in turn. */
  headers: readonly string[];
  body: Body;
}

export type KeptAnswers = ReturnType<typeof keptAnswers>;

export function keptAnswers() {
  const answers = new LRUCache<string, Kept>({
    maxSize: keptAtMost,
    sizeCalculation: ({ headers, body }, name) =>
      overhead + 2 * (name.length + headers.join().length + body.length),
  });
  const seen = new Uint32Array(namesSeen);
  return {
    find: (name: string) => answers.get(name),
    /** Keeps a long answer at once, and a short one when it was made twice: most are asked for once. */
    keep: (name: string, answer: Kept): void => {
      const digest = crc32(name);
      const place = digest % namesSeen;
      if (answer.body.length > shortAtMost || seen[place] === digest) answers.set(name, answer);
      else seen[place] = digest;
    },
  };
}

/** The form of an answer (RFC 9110 §3.2). */
export interface Variant {
  format: Format;
  coding: Coding;
  /** All facts but the coding that the bytes depend on. */
  name: string;
}

/** Two answers with one key have the same bytes. */
export function keyOf({ name, coding }: Pick<Variant, 'name' | 'coding'>): string {
  return `${name} ${coding}`;
}

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

/** No two gardens or base addresses share an entity tag. */
export function tagOf(server: { store: Pick<Store, 'instance'>; baseUrl: string }, variant: Variant): string {
  return entityTag([server.store.instance, apiVersion, server.baseUrl, keyOf(variant)]);
}
