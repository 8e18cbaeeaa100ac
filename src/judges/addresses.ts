/** Recognises the problem or contest at an address, without any request. */
import { localizedError } from '../errors.ts';
import { invisibleCharacters } from '../files/invisible-characters.ts';
import {
  contestInBook,
  decodeUnreserved,
  problemAtHost,
  problemInBook,
  withoutTracking,
} from './address-book.ts';
import type { Judge } from './judge.ts';
import { isGym, judgeOf, judges } from './judges.ts';

export interface AddressedProblem {
  source: string;
  key: string;
  /** A copy of another judge's problem has the original's address. */
  url: string;
  matchedBy: 'judge' | 'book' | 'host';
  isGym: boolean;
}

export const longestAddress = 2000;
const longestKey = 200;

/**
 * `configuredSites` replace judges' own sites. Any words with a slash look like an address without http://,
 * so only known sites count.
 */
export function problemAt(
  address: string,
  configuredSites: ReadonlyMap<string, { url: string }>,
): AddressedProblem | undefined {
  const url = urlOf(address);
  const problem = url && problemOf(url, configuredSites);
  if (!problem || (problem.matchedBy === 'host' && !hasScheme(address)) || problem.key.length > longestKey)
    return undefined;
  return { ...problem, isGym: isGym({ source: problem.source, source_key: problem.key }) };
}

export function parseContestLink(
  address: string,
  configuredSites: ReadonlyMap<string, { url: string }>,
): { source: string; key: string } | undefined {
  const url = urlOf(address);
  if (!url) return undefined;
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.contestKeyAt?.(url, configuredSites.get(source)?.url);
    if (key !== undefined) return { source, key };
  }
  const contest = contestInBook(url);
  if (!contest || (judgeOf(contest.source)?.isSelfHostable && configuredSites.has(contest.source)))
    return undefined;
  return { source: contest.source, key: contest.key };
}

const hasScheme = (address: string) => /^https?:\/\//i.test(address);

function urlOf(address: string): URL | undefined {
  const visible = address.replaceAll(invisibleCharacters, '');
  const url = URL.parse(hasScheme(visible) ? visible : `https://${visible}`);
  if (!url || faultOf(visible, url)) return undefined;
  // A fully qualified host name ends in a dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = decodeUnreserved(url.pathname);
  url.search = decodeUnreserved(url.search);
  return url;
}

function problemOf(
  url: URL,
  configuredSites: ReadonlyMap<string, { url: string }>,
): Omit<AddressedProblem, 'isGym'> | undefined {
  const href = withoutTracking(url).href;
  // Only known sites are known to ignore repeated slashes.
  const normalized = new URL(url);
  normalized.pathname = url.pathname.replaceAll(/\/{2,}/g, '/');
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.problemKeyAt?.(normalized, configuredSites.get(source)?.url);
    if (key !== undefined) return { source, key, url: pageOf(source, key) ?? href, matchedBy: 'judge' };
  }
  const match = problemInBook(normalized);
  if (match) {
    const { source, key, address } = match;
    return { source, key, url: address ?? pageOf(source, key) ?? href, matchedBy: 'book' };
  }
  const other = problemAtHost(url);
  return other && { ...other, url: href, matchedBy: 'host' };
}

const pageOf = (source: string, key: string) => judgeOf(source)?.problemPage?.(key, undefined);

function faultOf(address: string, url: URL | null) {
  if (address.length > longestAddress)
    return localizedError('invalidValue.addressLong', { most: longestAddress });
  if (!url || !/^https?:$/.test(url.protocol) || !/[.:]/.test(url.hostname))
    return localizedError('invalidValue.addressForm');
  if (url.username !== '' || url.password !== '') return localizedError('invalidValue.addressUser');
  return undefined;
}

/** Throws invalidValue. */
export function parseProblemAddress(
  address: string,
  configuredSites: ReadonlyMap<string, { url: string }>,
): AddressedProblem {
  const text = address.replaceAll(invisibleCharacters, '').trim();
  const complete = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  const fault = faultOf(complete, URL.parse(complete));
  if (fault) throw fault;
  const problem = problemAt(complete, configuredSites);
  if (!problem) throw localizedError('invalidValue.addressSite');
  return problem;
}
