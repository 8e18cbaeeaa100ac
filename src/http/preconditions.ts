/** Preconditions: If-Match and If-None-Match (RFC 9110 §13), which name entity tags. They decide when a 304 or a 412 is sent. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { documentedError } from '../errors.ts';
import type { Coding } from './codings.ts';

/** The entity tag of an answer with these bytes, sent in this coding (RFC 9110 §8.8.3). */
export function tagOfBytes(bytes: string | Buffer, coding: Coding): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}-${coding}"`;
}

/**
 * Whether a GET or HEAD is answered with 304 (§13.1.2, weak comparison). Throws preconditionFailed if If-Match, which comes
 * first (§13.2.2), does not name the tag (§13.1.1, strong comparison).
 */
export function isNotModified(headers: IncomingHttpHeaders, tag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const isStrong = !tag.startsWith('W/');
  if (ifMatch !== undefined && !isAny(ifMatch) && !(isStrong && tagsIn(ifMatch).includes(tag)))
    throw documentedError('preconditionFailed');
  if (ifNoneMatch === undefined) return false;
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((candidate) => opaque(candidate) === opaque(tag));
}

const opaque = (tag: string) => tag.replace(/^W\//, '');

/** A plant has no entity tag: for an existing one `If-Match: *` holds; every other If-Match and `If-None-Match: *` fail. */
export function deletionMayHappen(headers: IncomingHttpHeaders): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch)) return false;
  return ifNoneMatch === undefined || !isAny(ifNoneMatch);
}

const isAny = (header: string) => header.trim() === '*';

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
