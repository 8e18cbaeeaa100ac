/**
 * Reads bare names of problems, such as those of a page of solved problems, as addresses at one site. A line counts only if all
 * of it has the form of such names, so that headings and sentences name nothing.
 */
import { type FoundLink, linksAtMost } from './list-text.ts';

interface Bare {
  /** The address of a problem; `judges/addresses.ts` reads it like any other. */
  address: string;
  form: RegExp;
  /** Whether words of a sentence have the same form, so that blanks do not part names. */
  isWordy?: boolean;
}

const number: RegExp = /^\d{1,7}$/;
const slug = { form: /^[a-z\d][\w.-]{1,99}$/, isWordy: true };

/** By the sources under which the problems are stored. */
const sites: Readonly<Record<string, Bare>> = {
  aoj: {
    address: 'https://onlinejudge.u-aizu.ac.jp/problems/{id}',
    form: /^(?:[A-Z]+\d*_)*[A-Z\d]*\d[A-Z\d_]*$|^\w+_[A-Z]$/,
  },
  atcoder: { address: 'https://vjudge.net/problem/AtCoder-{id}', form: /^[a-z\d_-]+_[a-z\d]+$/i },
  boj: { address: 'https://www.acmicpc.net/problem/{id}', form: number },
  codechef: { address: 'https://www.codechef.com/problems/{id}', form: /^[A-Z][A-Z\d_]{1,30}$/ },
  codeforces: { address: 'https://vjudge.net/problem/CodeForces-{id}', form: /^\d{1,7}[A-Z]\d?$/i },
  cses: { address: 'https://cses.fi/problemset/task/{id}', form: number },
  dmoj: { address: 'https://dmoj.ca/problem/{id}', ...slug },
  eolymp: { address: 'https://basecamp.eolymp.com/en/problems/{id}', form: number },
  hackerrank: { address: 'https://www.hackerrank.com/challenges/{id}/problem', ...slug },
  hdu: { address: 'https://acm.hdu.edu.cn/showproblem.php?pid={id}', form: number },
  kattis: { address: 'https://open.kattis.com/problems/{id}', ...slug },
  leetcode: { address: 'https://leetcode.com/problems/{id}/', ...slug },
  luogu: { address: 'https://www.luogu.com.cn/problem/{id}', form: /^[A-Z]{1,4}_?\w*\d\w*$/ },
  poj: { address: 'http://poj.org/problem?id={id}', form: number },
  qoj: { address: 'https://qoj.ac/problem/{id}', form: number },
  spoj: { address: 'https://www.spoj.com/problems/{id}/', form: /^[A-Z][A-Z\d_]{1,30}$/ },
  timus: { address: 'https://acm.timus.ru/problem.aspx?space=1&num={id}', form: number },
  usaco: { address: 'https://usaco.org/index.php?page=viewproblem2&cpid={id}', form: number },
  uva: { address: 'https://www.udebug.com/UVa/{id}', form: number },
  yukicoder: { address: 'https://yukicoder.me/problems/no/{id}', form: number },
};

/** The sites whose bare names can be read. */
export const bareSources: readonly string[] = Object.keys(sites);

/** Bare names of one site in a text, as links to their problems, and the lines that hold neither names nor links. */
export function readBareIds(text: string, source: string): { links: FoundLink[]; skipped: FoundLink[] } {
  const site = Object.hasOwn(sites, source) ? sites[source] : undefined;
  const links: FoundLink[] = [];
  const skipped: FoundLink[] = [];
  if (!site || /<html\b|<!doctype/i.test(text.slice(0, 2000))) return { links, skipped };
  const between = site.isWordy ? /[,;\t|]+/ : /[\s,;|]+/;
  for (const [place, whole] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = whole.slice(0, longestLine).replace(/^\s*(?:[-*•]|\d{1,5}[.)])\s+(?=\S)/, '');
    if (line.trim() === '' || /\w\/\w/.test(line)) continue;
    const names = line
      .split(between)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) continue;
    if (names.every((name) => site.form.test(name)))
      for (const name of names)
        links.push({ line: place + 1, address: site.address.replace('{id}', encodeURIComponent(name)) });
    else skipped.push({ line: place + 1, address: line.trim().slice(0, 100) });
    if (links.length > linksAtMost) break;
  }
  return { links, skipped };
}

/** Longer lines are no lists of names; what is behind is left out. */
const longestLine = 100_000;
