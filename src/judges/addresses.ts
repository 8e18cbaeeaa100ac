/** Recognises the problem or contest at an address, without any request. */
import { localizedError } from '../errors.ts';
import { unseenSigns } from '../files/unseen-signs.ts';
import { atHost, contestInBook, inBook, plainly, withoutPassing } from './address-book.ts';
import type { Judge } from './judge.ts';
import { isGym, judgeOf, judges } from './judges.ts';

export interface AddressedProblem {
  source: string;
  key: string;
  /** For a copy, the page of the original. */
  url: string;
  by: 'judge' | 'book' | 'host';
  isGym: boolean;
}

export const longestAddress = 2000;
const longestKey = 200;

/**
 * `places` are sites configured in place of judges' own. Any words with a slash look like an address, so unknown sites
 * need http://.
 */
export function problemAt(
  address: string,
  places: ReadonlyMap<string, { url: string }>,
): AddressedProblem | undefined {
  const url = urlOf(address);
  const named = url && addressed(url, places);
  if (!named || (named.by === 'host' && !hasScheme(address)) || named.key.length > longestKey)
    return undefined;
  return { ...named, isGym: isGym({ source: named.source, source_key: named.key }) };
}

export function parseContestLink(
  address: string,
  places: ReadonlyMap<string, { url: string }>,
): { source: string; key: string } | undefined {
  const url = urlOf(address);
  if (!url) return undefined;
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.contestAt?.(url, places.get(source)?.url);
    if (key !== undefined) return { source, key };
  }
  const named = contestInBook(url);
  if (!named || (judgeOf(named.source)?.isRunElsewhere && places.has(named.source))) return undefined;
  return { source: named.source, key: named.key };
}

const hasScheme = (address: string) => /^https?:\/\//i.test(address);

function urlOf(address: string): URL | undefined {
  const seen = address.replaceAll(unseenSigns, '');
  const url = URL.parse(hasScheme(seen) ? seen : `https://${seen}`);
  if (!url || faultOf(seen, url)) return undefined;
  // A fully qualified host name ends in a dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = plainly(url.pathname);
  url.search = plainly(url.search);
  return url;
}

function addressed(
  url: URL,
  places: ReadonlyMap<string, { url: string }>,
): Omit<AddressedProblem, 'isGym'> | undefined {
  const own = withoutPassing(url).href;
  // Elsewhere, repeated slashes may matter.
  const known = new URL(url);
  known.pathname = url.pathname.replaceAll(/\/{2,}/g, '/');
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.keyAt?.(known, places.get(source)?.url);
    if (key !== undefined) return { source, key, url: pageOf(source, key) ?? own, by: 'judge' };
  }
  const named = inBook(known);
  if (named) {
    const { source, key, address } = named;
    return { source, key, url: address ?? pageOf(source, key) ?? own, by: 'book' };
  }
  const other = atHost(url);
  return other && { ...other, url: own, by: 'host' };
}

function pageOf(source: string, key: string): string | undefined {
  const judge: Judge | undefined = judges[source as keyof typeof judges];
  return judge?.problemPage?.(key, undefined);
}

function faultOf(address: string, url: URL | null) {
  if (address.length > longestAddress)
    return localizedError('badSetting.addressLong', { most: longestAddress });
  if (!url || !/^https?:$/.test(url.protocol) || !/[.:]/.test(url.hostname))
    return localizedError('badSetting.addressForm');
  if (url.username !== '' || url.password !== '') return localizedError('badSetting.addressUser');
  return undefined;
}

/** Throws badSetting. */
export function givenProblem(
  address: string,
  places: ReadonlyMap<string, { url: string }>,
): AddressedProblem {
  const text = address.replaceAll(unseenSigns, '').trim();
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  const fault = faultOf(whole, URL.parse(whole));
  if (fault) throw fault;
  const named = problemAt(whole, places);
  if (!named) throw localizedError('badSetting.addressSite');
  return named;
}
