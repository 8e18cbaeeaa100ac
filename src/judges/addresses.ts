/** Turns the address of a problem into the source and the key under which a garden stores it. Nothing is asked for anything. */
import { localizedError } from '../errors.ts';
import { unseenSigns } from '../files/unseen-signs.ts';
import { atHost, contestInBook, inBook, plainly, withoutPassing } from './address-book.ts';
import type { Judge } from './judge.ts';
import { isGym, judgeOf, judges } from './judges.ts';

/** The problem that an address names. */
export interface AddressedProblem {
  source: string;
  key: string;
  /** Its page: the address itself, or that of the judge whose problem it is a copy of. */
  url: string;
  /** How the address was understood: by a judge, by a row of the address book, or by its host alone. */
  by: 'judge' | 'book' | 'host';
  /** Whether it is of private training, which no catalogue lists. */
  isGym: boolean;
}

export const longestAddress = 2000;
const longestKey = 200;

/**
 * The problem at an address. An address without http:// counts only where a judge or the address book knows it: it may be any words
 * with a stroke between them. `places` are the other addresses of judges. Undefined for what names no problem.
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

/** The contest at an address of a judge, or at one that the address book knows; undefined for other texts. `places` as above. */
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
  // The garden knows another site of this judge in place of the judge's own.
  if (!named || (judgeOf(named.source)?.isRunElsewhere && places.has(named.source))) return undefined;
  return { source: named.source, key: named.key };
}

const hasScheme = (address: string) => /^https?:\/\//i.test(address);

function urlOf(address: string): URL | undefined {
  const seen = address.replaceAll(unseenSigns, '');
  const url = URL.parse(hasScheme(seen) ? seen : `https://${seen}`);
  if (!url || faultOf(seen, url)) return undefined;
  // The whole name of a host ends in a dot.
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
  // Sites that a garden knows take several strokes for one; at another site they may name something else.
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

/** The problem at an address that somebody gave alone. Throws badSetting, which says what is wrong with it. */
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
