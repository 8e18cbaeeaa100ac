/** If-Match and If-None-Match (RFC 9110 §13). */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { documentedError } from '../errors.ts';
import type { Coding } from './codings.ts';

export function entityTagOf(bytes: string | Buffer, coding: Coding): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}-${coding}"`;
}

/** If-Match comes first (§13.2.2) and compares strongly (§13.1.1), If-None-Match weakly (§13.1.2). Throws preconditionFailed. */
export function isNotModified(headers: IncomingHttpHeaders, tag: string): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const isStrong = !tag.startsWith('W/');
  if (ifMatch !== undefined && !isAny(ifMatch) && !(isStrong && tagsIn(ifMatch).includes(tag)))
    throw documentedError('preconditionFailed');
  if (ifNoneMatch === undefined) return false;
  return (
    isAny(ifNoneMatch) || tagsIn(ifNoneMatch).some((candidate) => opaqueTag(candidate) === opaqueTag(tag))
  );
}

const opaqueTag = (tag: string) => tag.replace(/^W\//, '');

/** A plant has no entity tag: an existing one matches `*` and nothing else. */
export function allowsDeletion(headers: IncomingHttpHeaders): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isAny(ifMatch)) return false;
  return ifNoneMatch === undefined || !isAny(ifNoneMatch);
}

const isAny = (header: string) => header.trim() === '*';

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
