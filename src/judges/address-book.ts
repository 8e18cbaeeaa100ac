/**
 * Recognises problems and contests of sites that the server never contacts. A row of `address-book.json` may name
 * another site's problem: VJudge and Luogu have copies.
 */
import book from './address-book.json' with { type: 'json' };

interface Row {
  source: string;
  /** Without `www.`; `*.` stands for any subdomains. */
  hosts: readonly string[];
  /** The pattern must match from the start of the path to the end of a word. */
  pattern: string;
  /** `{name}` stands for a group of the pattern. */
  key: string;
  /** A problem without it keeps the address that was entered. */
  address?: string;
  case?: 'upper' | 'lower';
}

export const sites: ReadonlyMap<string, { name: string; short: string }> = new Map(
  Object.entries(book.sites),
);

interface Rule extends Row {
  regexp: RegExp;
}

/** The name itself, and `*.` with each domain above it. */
function hostPatterns(hostname: string): string[] {
  const parts = hostname.split('.');
  return [hostname, ...parts.slice(1).map((_, at) => `*.${parts.slice(at + 1).join('.')}`)];
}

function rulesByHost(rows: readonly Row[]) {
  const cache = new Map<string, Rule[]>();
  return (hostname: string): readonly Rule[] => {
    return hostPatterns(hostname).flatMap((name) => {
      const cached = cache.get(name);
      if (cached) return cached;
      const matching = rows.filter(({ hosts }) => hosts.includes(name));
      const rules = matching.map((row) => ({ ...row, regexp: new RegExp(`^${row.pattern}(?![\\w-])`, 'i') }));
      // Only known hosts are cached, which bounds memory.
      if (rules.length > 0) cache.set(name, rules);
      return rules;
    });
  };
}

const problemRules = rulesByHost(book.rows as readonly Row[]);
const contestRules = rulesByHost(book.contests as readonly Row[]);
const profileRules = rulesByHost(book.profiles as readonly Row[]);

const mainHosts = new Map(
  Object.entries(book.mirrors).flatMap(([host, mirrors]) => mirrors.map((mirror) => [mirror, host])),
);

/** Mirrors and former hosts of a site have its paths. VJudge has many mirrors, whose paths name the judge. */
export function atMainHost(url: URL): URL {
  const main = new URL(url);
  const isVjudge = /^vjudge\./.test(url.hostname) && /^\/+problem\/+[^/]+-/.test(url.pathname);
  main.hostname = isVjudge ? 'vjudge.net' : (mainHosts.get(withoutWww(url.hostname)) ?? url.hostname);
  return main;
}

const sourcesByHost = new Map(
  [...book.contests, ...book.profiles, ...book.rows]
    .toReversed()
    .flatMap(({ source, hosts }) => hosts.map((host) => [host.replace('*.', ''), source])),
);

/** The site of this host, or of a domain above it. */
export const sourceOfHost = (hostname: string): string | undefined =>
  hostPatterns(withoutWww(hostname))
    .map((name) => sourcesByHost.get(name.replace('*.', '')))
    .find((source) => source !== undefined);

const isListed = (hosts: readonly string[]) => {
  const names = new Set(hosts);
  return (hostname: string) => hostPatterns(withoutWww(hostname)).some((name) => names.has(name));
};

export const isShortLinkHost: (hostname: string) => boolean = isListed(book.shortLinks);

/** Videos, code and articles, but no problems. */
export const hasNoProblems: (hostname: string) => boolean = isListed(book.elsewhere);

const fillTemplate = (template: string, groups: Readonly<Record<string, string>>) =>
  template.replaceAll(/\{(\w)\}/g, (_, name: string) => groups[name] ?? '');

interface BookMatch {
  source: string;
  key: string;
  address: string | undefined;
}

export const problemInBook = (url: URL): BookMatch | undefined => findMatch(problemRules, url);

export const contestInBook = (url: URL): BookMatch | undefined => findMatch(contestRules, url);

/** The key is the handle, or empty where the address has a number instead. */
export const profileInBook = (url: URL): BookMatch | undefined => findMatch(profileRules, url);

function findMatch(rulesFor: typeof problemRules, url: URL): BookMatch | undefined {
  const address = decodeUnreserved(url.pathname + url.search + url.hash);
  for (const row of rulesFor(withoutWww(url.hostname))) {
    const { groups } = row.regexp.exec(address) ?? {};
    if (!groups) continue;
    const values = Object.fromEntries(
      Object.entries(groups).map(([name, text = '']) => [
        name,
        row.case === undefined ? text : toCase(text, row.case),
      ]),
    );
    return {
      source: row.source,
      key: fillTemplate(row.key, values),
      address: row.address && fillTemplate(row.address, values),
    };
  }
  return undefined;
}

const toCase = (text: string, letters: 'upper' | 'lower') =>
  letters === 'upper' ? text.toUpperCase() : text.toLowerCase();

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
