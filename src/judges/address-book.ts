/**
 * The address book: sites whose problems have addresses that a garden knows by rule, though it asks no such site for anything. Its
 * rows are data, in `address-book.json`. A row names its problem by source and key, which may be those of another site: a copy of a
 * problem at VJudge or Luogu is the problem of its judge. Rows of contests do the same for addresses of contests.
 */
import book from './address-book.json' with { type: 'json' };

/** A row of the book. The first one that fits an address counts. */
interface Row {
  source: string;
  /** Without `www.`; `*.` stands for any names before it. */
  hosts: readonly string[];
  /**
   * A regular expression for path, query and fragment. It need not reach their end, but it ends where a part of the address does,
   * and ignores case.
   */
  pattern: string;
  /** Templates over the named groups of the pattern. Without an address the problem keeps the one that it was given. */
  key: string;
  address?: string;
  /** Set where the site takes both cases for the same problem. */
  case?: 'upper' | 'lower';
}

/** Names of sites without judges. */
export const sites: ReadonlyMap<string, { name: string; short: string }> = new Map(
  Object.entries(book.sites),
);

interface Rule extends Row {
  regexp: RegExp;
}

/** The rows by the hosts for which they stand. Patterns are compiled when a host is first asked for. */
function bookOf(rows: readonly Row[]) {
  const rulesOf = new Map<string, Rule[]>();
  return (hostname: string): readonly Rule[] => {
    const parts = hostname.split('.');
    const names = [hostname, ...parts.slice(1).map((_, at) => `*.${parts.slice(at + 1).join('.')}`)];
    return names.flatMap((name) => {
      const known = rulesOf.get(name);
      if (known) return known;
      const some = rows.filter(({ hosts }) => hosts.includes(name));
      const rules = some.map((row) => ({ ...row, regexp: new RegExp(`^${row.pattern}(?![\\w-])`, 'i') }));
      // Names that nobody put in the book must not fill the memory.
      if (rules.length > 0) rulesOf.set(name, rules);
      return rules;
    });
  };
}

const problemRules = bookOf(book.rows as readonly Row[]);
const contestRules = bookOf(book.contests as readonly Row[]);

const filled = (template: string, groups: Readonly<Record<string, string>>) =>
  template.replaceAll(/\{(\w)\}/g, (_, name: string) => groups[name] ?? '');

/** The name of a problem or a contest, and its page where the row says more than the address that was given. */
interface Named {
  source: string;
  key: string;
  address: string | undefined;
}

/** The problem that the book knows at an address; undefined where it knows none. */
export const inBook = (url: URL): Named | undefined => namedBy(problemRules, url);

/** The contest that the book knows at an address. */
export const contestInBook = (url: URL): Named | undefined => namedBy(contestRules, url);

function namedBy(rulesAt: typeof problemRules, url: URL): Named | undefined {
  const address = plainly(url.pathname + url.search + url.hash);
  for (const row of rulesAt(bareHost(url.hostname))) {
    const { groups } = row.regexp.exec(address) ?? {};
    if (!groups) continue;
    const named = Object.fromEntries(
      Object.entries(groups).map(([name, text = '']) => [
        name,
        row.case === undefined ? text : cased(text, row.case),
      ]),
    );
    return {
      source: row.source,
      key: filled(row.key, named),
      address: row.address && filled(row.address, named),
    };
  }
  return undefined;
}

const cased = (text: string, wanted: 'upper' | 'lower') =>
  wanted === 'upper' ? text.toUpperCase() : text.toLowerCase();

const bareHost = (host: string) => host.replace(/^www\./, '');

/* Any other site. */

/** Parameters that say where a reader came from, or in which language they read. */
const passing = /^(?:utm_\w+|fbclid|gclid|locale|lang|hl)$/i;

/** An address without the parameters that name nothing. */
export function withoutPassing(url: URL): URL {
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !passing.test(pair.split('=', 1)[0] ?? ''));
  const clean = new URL(url);
  clean.search = kept.join('&');
  return clean;
}

/** Letters, digits and marks that mean the same with and without percent signs (RFC 3986 §6.2.2.2). */
export const plainly = (text: string) =>
  text.replaceAll(/%[\da-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : code.toUpperCase();
  });

/**
 * The name of a problem at a site that nobody described: the host, and path and query without what names nothing. The order of
 * parameters does not count, nor a place on the page; a path behind `#` does. Undefined for an address of a whole site.
 */
export function atHost(url: URL): { source: string; key: string } | undefined {
  const clean = withoutPassing(url);
  const query = clean.search.slice(1).split('&').toSorted().join('&');
  const path = clean.pathname.replaceAll(/^\/+|\/+$/g, '');
  const route = /^#!?\/[^/]/.test(clean.hash) ? clean.hash.replace(/\/+$/, '') : '';
  const key = plainly(`${path}${query && '?'}${query}${route}`);
  return key === '' ? undefined : { source: bareHost(clean.host), key };
}
