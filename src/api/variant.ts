/** The variant of an answer (RFC 9110 §3.2): its format and coding, the name of what it is made of, and its entity tag. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '../auth/guard.ts';
import type { Fields } from '../contract/common.ts';
import { apiVersion } from '../contract/operations.ts';
import { type Format, mediaTypes } from '../contract/rows.ts';
import { entityTag } from '../http/codings.ts';
import { type Coding, chooseCoding } from '../http/negotiation.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Db } from '../store/tables.ts';
import type { Api } from './context.ts';
import type { Item } from './handlers.ts';
import type { Match } from './match.ts';

export interface Asked {
  context: Api;
  /** `signal` is aborted once nobody waits for the answer any more. */
  request: Match & { headers: IncomingHttpHeaders; signal(): AbortSignal };
  actor: Actor;
  format: Format;
  fields: Fields;
}

export interface Variant extends Asked {
  coding: Coding;
  /** All that the bytes of the answer follow from: two answers of one name are the same. */
  name: string;
  tag: string;
  /** The tag that the same answer has in another coding. */
  tagIn(coding: Coding): string;
  /** Runs reads, after the revisions in the name were read: so what they find is as new as the name says, or newer. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Revisions that are known already. */
interface Revisions {
  scopes: readonly RevisionScope[];
  revisions: readonly bigint[];
}

/** Finds the variant; the revisions of scopes that are not among the known ones are read. */
export async function findVariant(
  asked: Asked,
  { scopes, isForEveryone }: Pick<Item, 'scopes' | 'isForEveryone'>,
  known: Revisions,
): Promise<Variant> {
  const { context, request, actor, format } = asked;
  const { store } = context;
  const isKnown = scopes.every((scope, place) => known.scopes[place] === scope);
  const revisions = isKnown ? known.revisions.slice(0, scopes.length) : await store.revisions(scopes);
  const reader = isForEveryone ? '' : `${actor.memberId}${actor.isStaff ? 's' : 'm'}`;
  const base = `${request.operationId} ${request.id ?? ''} ${request.query}\n${reader} ${format} ${revisions.join()}`;
  const nameIn = (coding: Coding) => `${base} ${coding}`;
  // The tag tells nothing of what it is made of, and no two gardens or base addresses share one.
  const tagIn = (coding: Coding) => entityTag([store.instance, apiVersion, context.baseUrl, nameIn(coding)]);
  const coding = chooseCoding(request.headers['accept-encoding']);
  let tag: string | undefined;
  return {
    ...asked,
    coding,
    name: nameIn(coding),
    get tag() {
      tag ??= tagIn(coding);
      return tag;
    },
    tagIn,
    read: (work) => work(store.reader),
  };
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
export function bodyHeaders(variant: Variant, length: number | undefined, coding = variant.coding): string[] {
  const headers = tagHeaders(coding === variant.coding ? variant.tag : variant.tagIn(coding));
  if (coding !== 'identity') headers.push('Content-Encoding', coding);
  headers.push('Content-Type', mediaTypes[variant.format]);
  if (length !== undefined) headers.push('Content-Length', String(length));
  return headers;
}
