/** If-Match and If-None-Match (RFC 9110 §13). */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError, documentedError } from '../errors.ts';
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

const codings: readonly Coding[] = ['gzip', 'br', 'zstd'];

/** The tag of a version, which a coding other than identity follows: answers in two codings differ (§8.8.3). */
export const versionTag = (version: string, coding: Coding = 'identity'): string =>
  coding === 'identity' ? `"${version}"` : `"${version}-${coding}"`;

/** Whether a tag names this version, in any coding. A weak tag names none. */
function namesVersion(header: string, version: string): boolean {
  const tags = new Set([versionTag(version), ...codings.map((coding) => versionTag(version, coding))]);
  return tagsIn(header).some((tag) => tags.has(tag));
}

/** Whether the client has seen the version that it changes, which `*` does not prove. */
export const hasVersionCondition = ({ ifMatch }: Conditions): boolean =>
  ifMatch !== undefined && !isAny(ifMatch);

export interface Conditions {
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

/** Throws preconditionFailed with the current tag. `version` is undefined where a write has none, `exists` false for nothing. */
export function assertConditions(
  { ifMatch, ifNoneMatch }: Conditions,
  version: string | undefined,
  exists = true,
): void {
  const isNamed = (header: string) => version !== undefined && namesVersion(header, version);
  const isMatched = ifMatch === undefined || isAny(ifMatch) || isNamed(ifMatch);
  const isExcluded = ifNoneMatch !== undefined && (isAny(ifNoneMatch) ? exists : isNamed(ifNoneMatch));
  if (isMatched && !isExcluded) return;
  const { message } = documentedError('preconditionFailed');
  const headers = version === undefined ? [] : ['ETag', versionTag(version)];
  throw new AppError('preconditionFailed', message, { headers });
}

const isAny = (header: string) => header.trim() === '*';

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
