/** Preconditions of a request (RFC 9110 §13): what If-Match and If-None-Match make of it. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../errors.ts';

/**
 * Whether a GET or HEAD of something that exists is answered with 304 (RFC 9110 §13.1.2: weak comparison). Throws
 * preconditionFailed where If-Match does not name the tag (§13.1.1: strong comparison), which counts first (§13.2.2).
 */
export function isNotModified(headers: IncomingHttpHeaders, tag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch) && !tagsIn(ifMatch).includes(tag)) throw preconditionFailed();
  if (ifNoneMatch === undefined) return false;
  return isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((named) => named.replace(/^W\//, '') === tag);
}

/**
 * Whether a DELETE of something that exists may happen. A plant has no entity tag: `If-Match: *` holds, every other If-Match
 * and `If-None-Match: *` do not.
 */
export function deletionMayHappen(headers: IncomingHttpHeaders): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch)) return false;
  return ifNoneMatch === undefined || !isAny(ifNoneMatch);
}

export function preconditionFailed(): AppError {
  return new AppError(
    'preconditionFailed',
    'If-Match or If-None-Match does not hold, and nothing was done; read the ETag again, or leave the header out.',
  );
}

const isAny = (header: string) => header.trim() === '*';

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
