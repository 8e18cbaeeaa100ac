/** Recognises problems, contests and profiles of sites that the server never contacts. */
import book from './address-book.json' with { type: 'json' };

interface Rule {
  source: string;
  hosts: readonly string[];
  regexp: RegExp;
  /** `{1}` stands for the first group of the pattern. Undefined stands for all that the pattern matched. */
  key: string | undefined;
  /** A problem without it keeps the address that was entered. */
  address: string | undefined;
  letters: string | undefined;
}

export const sites: ReadonlyMap<string, { name: string; short: string }> = new Map(
  Object.entries(book.sites),
);

/**
 * A line has the source unless it is the host, the hosts without `www.`, the letters of the key, the pattern, the key
 * and the address. The pattern must match from the start of the path to the end of a word.
 */
const lineParts =
  /^(?:([\w-]+) )?([\w.,-]+) (?:(upper|lower) )?(\/\S+)(?: (?!https?:)(\S+))?(?: (https?:\S+))?$/;

function ruleOf(line: string): Rule {
  const [, source, hosts = '', letters, pattern, key, address] = lineParts.exec(line) ?? [];
  return {
    source: source ?? hosts,
    hosts: hosts.split(','),
    regexp: new RegExp(`^${pattern}(?![\\w-])`, 'i'),
    key: key ?? (source && '{1}'),
    address,
    letters,
  };
}

/** The name itself, and each domain above it. */
function domainsOf(hostname: string): string[] {
  const parts = hostname.replace(/^www\./, '').split('.');
  return parts.map((_, at) => parts.slice(at).join('.'));
}

function rulesByHost(lines: readonly string[]): ReadonlyMap<string, readonly Rule[]> {
  const rules = lines.map(ruleOf);
  const hosts = new Set(rules.flatMap((rule) => rule.hosts));
  return new Map([...hosts].map((host) => [host, rules.filter((rule) => rule.hosts.includes(host))]));
}

const problemRules = rulesByHost(book.problems);
const contestRules = rulesByHost(book.contests);
const profileRules = rulesByHost(book.profiles);

/** VJudge names a judge as the book does, or otherwise. */
function namesAtVjudge(): string[] {
  const pages = new Map(
    [...problemRules.values()].flat().flatMap(({ source, address }) => (address ? [[source, address]] : [])),
  );
  return Object.entries({ ...book.vjudge, ...Object.fromEntries(pages) }).map(
    ([name, target]) =>
      `vjudge.net lower /problem/${encodeURIComponent(name)}-([^/?#]+) ${pages.get(target) ?? target}`,
  );
}

const copyRules = rulesByHost([...book.copies, ...namesAtVjudge()]);

const mainHosts = new Map(
  Object.entries(book.mirrors).flatMap(([host, mirrors]) =>
    mirrors.split(' ').map((mirror) => [mirror, host]),
  ),
);

/** Mirrors and former hosts of a site have its paths. VJudge has many mirrors, which its paths show. */
export function atMainHost(url: URL): URL {
  const main = new URL(url);
  const isVjudge = /^vjudge\./.test(url.hostname) && /^\/+(?:problem\/+[^/]+-|user\/)/.test(url.pathname);
  main.hostname = isVjudge ? 'vjudge.net' : (mainHosts.get(withoutWww(url.hostname)) ?? url.hostname);
  return main;
}

/** VJudge and Luogu have copies of other judges' problems. */
export function originalOf(url: URL): URL {
  const { address } = findMatch(copyRules, url) ?? {};
  return address === undefined ? url : originalOf(new URL(address));
}

const sourcesByHost = new Map(
  [...contestRules.values(), ...profileRules.values(), ...problemRules.values()]
    .flat()
    .toReversed()
    .flatMap(({ source, hosts }) => hosts.map((host) => [host, source])),
);

/** The site of this host, or of a domain above it. */
export const sourceOfHost = (hostname: string): string | undefined =>
  domainsOf(hostname)
    .map((domain) => sourcesByHost.get(domain))
    .find((source) => source !== undefined);

/** `*.` stands for any subdomains. */
const isListed = (domains: string) => {
  const listed = new Set(domains.split(' '));
  return (hostname: string) =>
    domainsOf(hostname).some((domain, at) => listed.has(at === 0 ? domain : `*.${domain}`));
};

export const isShortLinkHost: (hostname: string) => boolean = isListed(book.shortLinks);

const isElsewhere = isListed(book.elsewhere);

/** Videos, code, articles, and pages that lead to others. */
export const hasNoProblems = (hostname: string): boolean =>
  isElsewhere(hostname) || /^(?:www\.)?google\.(?:com?\.)?[a-z]{2,3}$/.test(hostname);

interface BookMatch {
  source: string;
  key: string;
  address: string | undefined;
}

export const problemInBook = (url: URL): BookMatch | undefined => findMatch(problemRules, url);

export const contestInBook = (url: URL): BookMatch | undefined => findMatch(contestRules, url);

/** The key is the handle, or empty where the address has a number instead. */
export const profileInBook = (url: URL): BookMatch | undefined => findMatch(profileRules, url);

function findMatch(rules: typeof problemRules, url: URL): BookMatch | undefined {
  const text = decodeUnreserved(url.pathname + url.search + url.hash);
  for (const { source, regexp, key, address, letters } of domainsOf(url.hostname).flatMap(
    (domain) => rules.get(domain) ?? [],
  )) {
    const match = regexp.exec(text);
    if (!match) continue;
    const fill = (template: string) =>
      template.replaceAll(/\{(\d)\}/g, (_, at: number) => {
        const group = match[at] ?? '';
        if (letters === undefined) return group;
        return letters === 'upper' ? group.toUpperCase() : group.toLowerCase();
      });
    return {
      source,
      key: key === undefined ? match[0].slice(1) : fill(key),
      address: address && fill(address),
    };
  }
  return undefined;
}

const withoutWww = (host: string) => host.replace(/^www\./, '');

const trackingParameter = /^(?:utm_\w+|_x_tr_\w+|fbclid|gclid|locale|lang|hl)$/i;

export function withoutTracking(url: URL): URL {
  const pairs = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !trackingParameter.test(pair.split('=', 1)[0] ?? ''));
  const clean = new URL(url);
  clean.search = pairs.join('&');
  return clean;
}

/** Decodes unreserved characters (RFC 3986 §6.2.2.2). */
export const decodeUnreserved = (text: string) =>
  text.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
  });

/** A route of a page that draws itself, or the name of one of several problems of a page. */
const problemHash =
  /^#(?:!?\/[^/].*|(?:(?:problem|task|exercise|question|q|p|s=p)[-_/=]?)\d{1,4}|(?:(?:problem|task)[-_/=]?)?[A-Z]\d?)$/i;

/** Names a problem at an unknown site by path, sorted query and the part of the page. */
export function problemAtHost(url: URL): { source: string; key: string } | undefined {
  const clean = withoutTracking(url);
  const query = clean.search.slice(1).split('&').toSorted().join('&');
  const path = clean.pathname.replaceAll(/^\/+|\/+$/g, '');
  const part = problemHash.test(clean.hash) ? clean.hash.replace(/\/+$/, '') : '';
  const key = decodeUnreserved(`${path}${query && '?'}${query}${part}`);
  return key === '' ? undefined : { source: withoutWww(clean.host), key };
}
