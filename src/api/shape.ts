/** The form an answer has: its format and coding, the entity tag of both, and the headers that follow. */
import type { Actor } from '../auth/guard.ts';
import type { Fields } from '../contract/common.ts';
import { apiVersion } from '../contract/operations.ts';
import { type Format, mediaTypes } from '../contract/rows.ts';
import { type Coding, chooseCoding } from '../http/negotiation.ts';
import { entityTag } from '../http/representation.ts';
import type { RevisionScope } from '../store/revisions.ts';
import type { Db } from '../store/tables.ts';
import type { Answer, ApiContext, ApiRequest } from './answer.ts';
import type { Item } from './handlers.ts';

export interface Asked {
  context: ApiContext;
  request: ApiRequest;
  actor: Actor;
  /** The scopes that the token needed. */
  needs: readonly string[];
  format: Format;
  fields: Fields;
}

/** What an answer is made of, and what it holds for. */
export interface Ready {
  /** Whose answer it is, which others of the same id and role get as well; undefined: everyone's. */
  actor: Actor | undefined;
  /** The scopes that a token needs to get it. */
  needs: readonly string[];
  /** Of these the answer was made, when they had these revisions. */
  scopes: readonly RevisionScope[];
  revisions: readonly bigint[];
  tag: string;
  /** Names and values in turn: those that a 304 has too, and those that only a 200 has. */
  sharedHeaders: readonly string[];
  bodyHeaders: readonly string[];
  /** The body; undefined where it was not made, or has been dropped meanwhile. */
  take(): { bytes: Buffer; release?(): void } | undefined;
}

/** What is asked for, by whom and in which form, and the entity tag of that form. */
export interface Shape extends Asked {
  source: Source;
  revisions: readonly bigint[];
  coding: Coding;
  tag: string;
  /** The tag that the same answer has in another coding. */
  tagIn(coding: Coding): string;
  /** Beside the tag, those that a 200 and a 304 share: names and values in turn. */
  headers: string[];
  /** Runs reads on a database that has these revisions; they may be run again, on another one. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** What an answer is made of. */
type Source = Pick<Item, 'scopes' | 'isForEveryone'>;

/** Reads the revisions, from which the entity tag follows. */
export async function shapeOf(asked: Asked, source: Source): Promise<Shape> {
  const { context, request, actor, format } = asked;
  const revisions = await context.store.revisions(source.scopes);
  const tagIn = (coding: Coding) =>
    entityTag([
      context.store.instance,
      apiVersion,
      ...source.scopes,
      ...revisions,
      context.baseUrl,
      request.operationId,
      request.id ?? '',
      request.query,
      ...(source.isForEveryone ? [] : [actor.memberId, actor.isStaff ? 'staff' : 'member']),
      format,
      coding,
    ]);
  const coding = chooseCoding(request.headers['accept-encoding']);
  const tag = tagIn(coding);
  const headers = ['cache-control', 'private, no-cache', 'vary', 'Authorization, Accept, Accept-Encoding'];
  const read: Shape['read'] = (work) => work(context.store.reader);
  return { ...asked, source, revisions, coding, tag, tagIn, headers, read };
}

/** What says which form a body has: names and values in turn. */
export function formHeaders({ format }: Shape, coding: Coding): string[] {
  return [...(coding === 'identity' ? [] : ['content-encoding', coding]), 'content-type', mediaTypes[format]];
}

export function notModified(shape: Shape): Answer {
  const sharedHeaders = ['etag', shape.tag, ...shape.headers];
  return { status: 304, headers: sharedHeaders, ready: readyOf(shape, sharedHeaders, [], () => undefined) };
}

/** A 200 with a whole body, and how those get it who ask later: by `again`. */
export function found(
  shape: Shape,
  { bytes, release }: { bytes: Buffer; release?(): void },
  more: readonly string[],
  again: Ready['take'],
): Answer {
  const sharedHeaders = ['etag', shape.tag, ...shape.headers];
  const bodyHeaders = [...more, ...formHeaders(shape, shape.coding)];
  return {
    status: 200,
    headers: [...sharedHeaders, ...bodyHeaders],
    body: bytes,
    ...(release && { release }),
    ready: readyOf(shape, sharedHeaders, bodyHeaders, again),
  };
}

function readyOf(
  { tag, needs, source, revisions, actor }: Shape,
  sharedHeaders: readonly string[],
  bodyHeaders: readonly string[],
  take: Ready['take'],
): Ready {
  return {
    actor: source.isForEveryone ? undefined : actor,
    needs,
    scopes: source.scopes,
    revisions,
    tag,
    sharedHeaders,
    bodyHeaders,
    take,
  };
}
