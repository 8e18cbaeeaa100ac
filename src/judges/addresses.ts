/** Recognises the problem, the contest or another page at an address, without any request. */
import { type AppError, localizedError, type Message, message } from '../errors.ts';
import { invisibleCharacters } from '../files/invisible-characters.ts';
import { addressFrom } from '../files/links.ts';
import {
  atMainHost,
  contestInBook,
  decodeUnreserved,
  hasNoProblems,
  isShortLinkHost,
  originalOf,
  problemAtHost,
  problemInBook,
  profileInBook,
  sourceOfHost,
  withoutTracking,
} from './address-book.ts';
import type { Judge } from './judge.ts';
import { handleError, handleFault, isGym, judgeName, judgeOf, judges } from './judges.ts';
import { wrappedAddresses } from './redirects.ts';

type JudgeSites = ReadonlyMap<string, { url: string }>;

export interface AddressedProblem {
  source: string;
  key: string;
  /** A copy of another judge's problem has the original's address. */
  url: string;
  matchedBy: 'judge' | 'book' | 'host';
  isGym: boolean;
  /** The page of the copy. */
  copyUrl?: string;
  /** Whether the page at an unknown host looks like none of a problem. */
  isDoubtful?: boolean;
}

export const longestAddress = 2000;
const longestKey = 200;

/** A page that is no problem. */
export interface AddressedPage {
  kind: PageKind;
  source: string;
  name: Message;
}

/** Neither where the address is not valid, or is all of an unknown site. */
export interface AddressTarget {
  problem?: AddressedProblem;
  page?: AddressedPage;
}

/**
 * `configuredSites` replace judges' own sites. Any words with a slash look like an address without http://,
 * so only known sites count. `title` is what is written beside the address, where it names no problem alone.
 */
export function targetAt(address: string, configuredSites: JudgeSites, title = ''): AddressTarget {
  const url = urlOf(address);
  const target = url ? targetOf(url, configuredSites, title) : {};
  const { matchedBy, key = '' } = target.problem ?? {};
  return (matchedBy === 'host' && !/^[\W_]*https?:\/\//i.test(address)) || key.length > longestKey
    ? {}
    : target;
}

export const problemAt = (
  address: string,
  configuredSites: JudgeSites,
  title = '',
): AddressedProblem | undefined => targetAt(address, configuredSites, title).problem;

export const pageAt = (address: string, configuredSites: JudgeSites): AddressedPage | undefined =>
  targetAt(address, configuredSites).page;

export function parseContestLink(
  address: string,
  configuredSites: JudgeSites,
): { source: string; key: string } | undefined {
  const url = urlOf(address);
  if (!url) return undefined;
  return [url, ...wrappedUrls(url)].map((one) => contestOf(one, configuredSites)).find((one) => one);
}

function contestOf(url: URL, configuredSites: JudgeSites) {
  const main = atMainHost(url);
  for (const [source, judge] of Object.entries<Judge>(judges)) {
    const key = judge.contestKeyAt?.(main, configuredSites.get(source)?.url);
    if (key !== undefined) return { source, key };
  }
  const contest = contestInBook(main);
  if (!contest || (judgeOf(contest.source)?.isSelfHostable && configuredSites.has(contest.source)))
    return undefined;
  return { source: contest.source, key: contest.key };
}

function targetOf(url: URL, configuredSites: JudgeSites, title: string): AddressTarget {
  const known = knownProblem(url, configuredSites, title);
  if (known) return { problem: known };
  const wrapped = wrappedUrls(url);
  for (const inner of wrapped) {
    const problem = knownProblem(inner, configuredSites, title);
    if (problem) return { problem };
  }
  const target = (hasNoProblems(url.hostname) && wrapped[0]) || url;
  const page = pageOf(target, configuredSites);
  if (page) {
    const problem = knownProblem(beforePunctuation(target), configuredSites, title);
    return problem ? { problem } : { page };
  }
  const other = problemAtHost(target);
  if (!other) return {};
  const { href } = withoutTracking(target);
  const isDoubtful = pageKindOf(target) !== undefined && !problemWords.test(target.pathname + target.search);
  return {
    problem: { ...other, url: href, matchedBy: 'host', isGym: false, ...(isDoubtful && { isDoubtful }) },
  };
}

const wrappedUrls = (url: URL) => [...wrappedAddresses(url)].flatMap((text) => urlOf(text) ?? []);

const hasScheme = (address: string) => /^https?:\//i.test(address);

function urlOf(address: string): URL | undefined {
  const visible = addressFrom(address.replaceAll(invisibleCharacters, ''));
  const url = URL.parse(hasScheme(visible) ? visible : `https://${visible}`);
  if (!url || faultOf(visible, url)) return undefined;
  // A fully qualified host name ends in a dot.
  url.hostname = url.hostname.replace(/\.$/, '');
  url.pathname = decodeUnreserved(url.pathname);
  url.search = decodeUnreserved(url.search);
  url.hash = decodeUnreserved(url.hash);
  return url;
}

/** Words that follow a link without a space are no part of an address of a known site. */
function beforePunctuation({ origin, pathname, search, hash }: URL): URL {
  const [start = ''] = `${pathname}${search}${hash}`.split(/[^\w/.?&=#~+:@!$*-]|(?<!\?.*)&/, 1);
  return new URL(origin + start.replace(/[^a-z\d/=]+$/i, ''));
}

function knownProblem(url: URL, configuredSites: JudgeSites, title: string): AddressedProblem | undefined {
  const { href } = withoutTracking(url);
  const named = (source: string, key: string, page: string | undefined, matchedBy: 'judge' | 'book') => {
    const isGymProblem = isGym({ source, source_key: key });
    const url = page ?? pageOfProblem(source, key) ?? href;
    return { source, key, url, matchedBy, isGym: isGymProblem, ...(copyUrl !== undefined && { copyUrl }) };
  };
  // Only known sites are known to ignore repeated slashes.
  const main = atMainHost(url);
  main.pathname = url.pathname.replaceAll(/\/{2,}/g, '/');
  const original = originalOf(main);
  const copyUrl = original === main ? undefined : (problemInBook(main)?.address ?? href);
  for (const one of new Set([original, main])) {
    for (const [source, judge] of Object.entries<Judge>(judges)) {
      const key = judge.problemKeyAt?.(one, configuredSites.get(source)?.url, title);
      if (key !== undefined) return named(source, key, undefined, 'judge');
    }
    const match = problemInBook(one);
    if (match) return named(match.source, match.key, match.address, 'book');
  }
  return undefined;
}

const pageOfProblem = (source: string, key: string) => judgeOf(source)?.problemPage?.(key, undefined);

/* Pages that are no problem. */

const pageWords = {
  start: /\/problem\/0\/?$/,
  signIn: /\/(?:enter|log-?in|sign-?(?:in|up)|register|auth)(?![\w-])/i,
  standings: /\/(?:standings|rank(?:ings?|list|s)?|scoreboard|leaderboard)(?![\w-])/i,
  profile: /\/(?:profiles?|users?|u|author|userstatus|@[\w-]+)(?![\w-])/i,
  submission: /\/(?:submissions?|status|solutions?|records?|viewsolution|results?|my|src|hacks?)(?![\w-])/i,
  post: /^(?:blog|discuss|forum|wiki)\.|\/(?:blogs?|discuss(?:ions?)?|editorials?|tutorials?|articles?|forums?|comments?|posts?|news|wiki)(?![\w-])/i,
} as const;

type PageKind = keyof typeof pageWords | 'contest' | 'elsewhere' | 'shortLink' | 'site';

const problemWords =
  /\/(?:problems?|tasks?|challenges?|exercises?|questions?|p)(?![a-z])|[?&](?:id|pid|problem|task)=/i;

const pageKinds = Object.keys(pageWords) as (keyof typeof pageWords)[];
const pageKindOf = ({ hostname, pathname, hash }: URL) =>
  pageKinds.find((kind) => pageWords[kind].test(hostname + pathname + hash));

function pageOf(url: URL, configuredSites: JudgeSites): AddressedPage | undefined {
  const page = (kind: PageKind, source: string) => {
    const isNamed = kind === 'site' || kind === 'elsewhere';
    const name = isNamed ? message('site.page', { site: judgeName(source) }) : message(`pageKind.${kind}`);
    return { kind, source, name };
  };
  const host = url.hostname.replace(/^www\./, '');
  if (isShortLinkHost(host)) return page('shortLink', host);
  if (hasNoProblems(host)) return page('elsewhere', host);
  const source = siteOf(url, configuredSites);
  if (source === undefined) return undefined;
  const isContest =
    contestOf(url, configuredSites) || /\/(?:contests?|gym|compete|c)(?![\w-])/.test(url.pathname);
  return page(pageKindOf(url) ?? (isContest ? 'contest' : 'site'), source);
}

/** The site to which the address belongs, if the garden knows its problems. */
function siteOf(url: URL, configuredSites: JudgeSites): string | undefined {
  for (const [source, { url: base }] of configuredSites)
    if (judgeOf(source)?.isSelfHostable && `${url.origin}${url.pathname}/`.startsWith(`${base}/`))
      return source;
  const source = sourceOfHost(atMainHost(url).hostname);
  return source && judgeOf(source)?.isSelfHostable && configuredSites.has(source) ? undefined : source;
}

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
  configuredSites: JudgeSites,
  title = '',
): AddressedProblem {
  const text = addressFrom(address.replaceAll(invisibleCharacters, '').trim());
  const complete = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  const fault = faultOf(complete, URL.parse(complete));
  if (fault) throw fault;
  const { problem, page } = targetAt(complete, configuredSites, title);
  if (problem) return problem;
  throw page ? pageFault(page) : localizedError('invalidValue.addressSite');
}

/** Says what the page is and what to do with it. */
export function pageFault({ kind, source, name }: AddressedPage): AppError {
  if (kind === 'contest') return localizedError('invalidValue.addressPage.contest');
  if (kind === 'profile' && judgeOf(source)) return localizedError('invalidValue.addressPage.profile');
  return localizedError('invalidValue.addressPage.other', { page: name });
}

/* Handles. */

const addressStart = /^(?:https?:\/\/|(?:[\w-]+\.)+[\w-]+(?::\d+)?\/)/i;

/** Takes a handle, or the link to a profile. Throws invalidValue. */
export function readHandle(source: string, text: string): string {
  const judge = judgeOf(source);
  const name = handleIn(source, text);
  const fault = judge && handleFault(judge, name);
  if (fault) throw fault;
  return name;
}

/** Finds the handle in the link to a profile; returns other text unchanged. Throws invalidValue. */
export function handleIn(source: string, text: string): string {
  const judge = judgeOf(source);
  if (!judge || !addressStart.test(text.trim())) return text;
  const url = urlOf(text.trim());
  const urls = url ? [url, ...wrappedUrls(url)] : [];
  const profile = urls.map((one) => profileInBook(atMainHost(one))).find((one) => one);
  if (profile && profile.source !== source)
    throw localizedError('invalidValue.handleElsewhere', {
      judge: judge.name,
      other: judgeName(profile.source),
    });
  if (profile?.key === '') throw localizedError('invalidValue.handleNumber', { judge: judge.name });
  const [, ownName] = (judge.isSelfHostable && /\/user\/(\w+)/.exec(url?.pathname ?? '')) || [];
  const name = profile?.key ?? ownName;
  if (name === undefined) throw handleError(judge, message('handleFault.link', { judge: judge.name }));
  return decodeURIComponent(name);
}
