/** Entity tags (RFC 9110 §8.8.3), and the preconditions that name them: If-Match and If-None-Match (§13). */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { documentedError } from '../errors.ts';

/**
 * A strong entity tag, made of the facts that determine the bytes instead of the bytes themselves. It costs the same for
 * any size, is the same after a restart, and changes with every change because the revisions do.
 */
export function entityTag(parts: readonly string[]): string {
  return `"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 27)}"`;
}

/**
 * Whether a GET or HEAD of an existing resource is answered with 304 (§13.1.2, weak comparison). Throws preconditionFailed if
 * If-Match does not name the tag (§13.1.1, strong comparison); If-Match is evaluated first (§13.2.2).
 */
export function isNotModified(headers: IncomingHttpHeaders, tag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch) && !tagsIn(ifMatch).includes(tag))
    throw documentedError('preconditionFailed');
  if (ifNoneMatch === undefined) return false;
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((named) => named.replace(/^W\//, '') === tag);
}

/**
 * Whether the preconditions of a DELETE hold for an existing plant. A plant has no entity tag, so `If-Match: *` holds, and every
 * other If-Match and `If-None-Match: *` do not.
 */
export function deletionMayHappen(headers: IncomingHttpHeaders): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch)) return false;
  return ifNoneMatch === undefined || !isAny(ifNoneMatch);
}

const isAny = (header: string) => header.trim() === '*';

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
