/** The variant of an answer (RFC 9110 §3.2): its format and coding, the name of what it is made of, and its entity tag. */
import type { Actor } from '../auth/guard.ts';
import type { ObjectSchema } from '../contract/common.ts';
import { apiVersion } from '../contract/operations.ts';
import { type Format, mediaTypes } from '../contract/rows.ts';
import { entityTag } from '../http/entity-tags.ts';
import type { Coding } from '../http/negotiation.ts';
import type { Api, Exchange } from './context.ts';
import type { Item } from './handlers.ts';
import type { Match } from './match.ts';

export interface Variant {
  format: Format;
  coding: Coding;
  /** All that the bytes follow from beside the coding. */
  name: string;
}

/** A read that no kept answer serves. */
export interface Reading {
  api: Api;
  exchange: Exchange;
  match: Match;
  variant: Variant;
  fields: ObjectSchema;
  /** Whether the client has gone. */
  hasLeft(): boolean;
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
export function tagOf({ store, baseUrl }: Api, variant: Variant): string {
  return entityTag([store.instance, apiVersion, baseUrl, keyOf(variant)]);
}

/** What a 304 has, and a 200 as well: names and values in turn. */
export function tagHeaders(tag: string): string[] {
  return [
    'ETag',
    tag,
    'Cache-Control',
    'private, no-cache',
    'Vary',
    'Authorization, Accept, Accept-Encoding',
  ];
}

/** All that a 200 has beside what depends on the request. `length` in bytes; undefined where it is not known yet. */
export function bodyHeaders({ format, coding }: Variant, tag: string, length: number | undefined): string[] {
  const headers = tagHeaders(tag);
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Type', mediaTypes[format]);
  if (length !== undefined) headers.push('Content-Length', String(length));
  return headers;
}
