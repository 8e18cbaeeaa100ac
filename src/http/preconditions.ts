/** Preconditions: If-Match and If-None-Match (RFC 9110 §13), which name entity tags. They decide when a 304 or a 412 is sent. */
import type { IncomingHttpHeaders } from 'node:http';
import { documentedError } from '../errors.ts';

/**
 * Whether a GET or HEAD is answered with 304 (§13.1.2, weak comparison). Throws preconditionFailed if If-Match, which comes
 * first (§13.2.2), does not name the tag (§13.1.1, strong comparison).
 */
export function isNotModified(headers: IncomingHttpHeaders, tag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch) && !tagsIn(ifMatch).includes(tag))
    throw documentedError('preconditionFailed');
  if (ifNoneMatch === undefined) return false;
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((named) => named.replace(/^W\//, '') === tag);
}

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
