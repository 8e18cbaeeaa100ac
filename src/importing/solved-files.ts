/**
 * Reads solved problems as other programs and sites store them, with the times of submissions where a file has them.
 * LeetSRS has only times of reviews.
 */

import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName } from 'yauzl';
import { dayMs } from '../durations.ts';
import { decodeLeniently } from '../files/text.ts';
import type { Days } from '../practice/days.ts';
import { type FoundLink, linksAtMost } from './list-text.ts';

export interface SolvedFile {
  links: FoundLink[];
  skipped: FoundLink[];
  /** Whether USACO Guide's files of problems would resolve more names. */
  lacksProblemFiles?: boolean;
}

const filesAtMost = 100_000;

type NamedProblem = Omit<FoundLink, 'line' | 'address'> & { name: string; address: string | undefined };

function historyFileOf(problems: Iterable<NamedProblem>): SolvedFile {
  const file: SolvedFile = { links: [], skipped: [] };
  for (const { name, address, ...details } of problems) {
    if (file.links.length + file.skipped.length > linksAtMost) break;
    if (address === undefined) file.skipped.push({ line: 0, address: name.toWellFormed().slice(0, 100) });
    else file.links.push({ line: 0, address, ...details });
  }
  return file;
}

/** Returns undefined for other JSON. A time without a zone becomes the start of the member's day. */
export function readSolvedText(text: string, days: Days): SolvedFile | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const value = parseJson(text);
  const { acRecords, data, models, userProgressOnProblems } = Object(value) as Record<string, unknown>;
  const { cards, passed } = Object(data) as Record<string, unknown>;
  if (isRecord(acRecords)) return readVjudge(acRecords);
  if (Array.isArray(passed)) return readLuogu(passed);
  if (Array.isArray(models)) return readHackerRank(models);
  if (isRecord(userProgressOnProblems))
    return readUsacoGuide({ progress: userProgressOnProblems, problems: new Map() });
  if (isRecord(cards)) return readLeetSrs(cards);
  const rows = Object.values(Object(value)).filter(isRecord);
  const isHarwest = rows.some((row) => row['problem_url'] && row['submission_url']);
  return isHarwest ? readHarwest(rows, days) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');

const instantInPast = (ms: number) => (ms > 0 && ms <= Date.now() ? new Date(ms).toISOString() : undefined);

/** VJudge's `user/solveDetail/NAME`. */
const readVjudge = (records: Record<string, unknown>) =>
  historyFileOf(
    Object.entries(records).flatMap(([judge, ids]) =>
      (Array.isArray(ids) ? ids : []).map((id) => {
        const isNamed = /^[\p{L}\p{N}_.-]{1,50}$/u.test(judge) && /^[\w.+-]{1,100}$/.test(textOrEmpty(id));
        const address = isNamed ? `https://vjudge.net/problem/${encodeURIComponent(judge)}-${id}` : undefined;
        return { name: `${judge} ${id}`, address };
      }),
    ),
  );

/** Luogu's `user/UID/practice`. */
const readLuogu = (passed: readonly unknown[]) =>
  historyFileOf(
    passed.map((row) => {
      const { pid, title } = Object(row) as Record<string, unknown>;
      const name = textOrEmpty(pid);
      const address = /^\w{1,50}$/.test(name) ? `https://www.luogu.com.cn/problem/${name}` : undefined;
      return { name, address, title: textOrEmpty(title) };
    }),
  );

/** HackerRank's `recent_challenges`, with times. */
const readHackerRank = (models: readonly unknown[]) =>
  historyFileOf(
    models.map((row) => {
      const { ch_slug, url, name, created_at } = Object(row) as Record<string, unknown>;
      const path = textOrEmpty(url) || `/challenges/${textOrEmpty(ch_slug)}`;
      const address = /^\/[\w/-]{1,200}$/.test(path) ? `https://www.hackerrank.com${path}` : undefined;
      const solvedAt = instantInPast(Date.parse(textOrEmpty(created_at)));
      return { name: path, address, title: textOrEmpty(name), ...(solvedAt && { solvedAt }) };
    }),
  );

/**
 * Harwest (nileshsah/harwest-tool, harwest/lib/utils/submissions.py) has times without a zone, such as `Mar/15/2023
 * 10:11`.
 */
function readHarwest(rows: readonly Record<string, unknown>[], days: Days): SolvedFile {
  const problems = rows.map((row): NamedProblem => {
    const { problem_url, problem_name, timestamp } = row;
    const [, month, dayOfMonth, year] = /^(\w{3})\/(\d\d)\/(\d{4}) /.exec(textOrEmpty(timestamp)) ?? [];
    const day = Date.parse(`${dayOfMonth} ${month} ${year} UTC`) / dayMs;
    const solvedAt = day <= days.at(Date.now()) ? instantInPast(days.start(day)) : undefined;
    const address = textOrEmpty(problem_url) || undefined;
    return {
      name: JSON.stringify(row),
      address,
      title: textOrEmpty(problem_name),
      ...(solvedAt && { solvedAt }),
    };
  });
  const timeOf = ({ solvedAt = '~' }: NamedProblem) => solvedAt;
  return historyFileOf(
    problems.toSorted((one, other) =>
      timeOf(one) < timeOf(other) ? -1 : Number(timeOf(one) > timeOf(other)),
    ),
  );
}

/** A card of LeetSRS is solved once it was rated (mattcdrake/LeetSRS, shared/cards.ts). */
function readLeetSrs(cards: Record<string, unknown>): SolvedFile {
  const isSolved = (card: unknown) =>
    Number((Object(card) as { fsrs?: { reps?: unknown } }).fsrs?.reps ?? 0) > 0;
  const solved = Object.entries(cards).filter(([, card]) => isSolved(card));
  return historyFileOf(solved.map(([slug]) => ({ name: slug, address: leetcodeAddress(slug) })));
}

const leetcodeAddress = (slug: string) =>
  /^[a-z\d-]{1,150}$/.test(slug) ? `https://leetcode.com/problems/${slug}/` : undefined;

/** USACO Guide has its own ids for problems of other sites, of which no address can be made. */
const guideAddresses: ReadonlyMap<string, string> = new Map([
  ['cf', 'https://vjudge.net/problem/CodeForces-{id}'],
  ['cses', 'https://cses.fi/problemset/task/{id}'],
  ['kattis', 'https://open.kattis.com/problems/{id}'],
  ['spoj', 'https://www.spoj.com/problems/{id}/'],
  ['usaco', 'https://usaco.org/index.php?page=viewproblem2&cpid={id}'],
]);

/** USACO Guide's files (cpinitiative/usaco-guide): the progress of a member, and `*.problems.json`. */
interface Guide {
  progress?: Record<string, unknown>;
  problems: Map<string, { url: string; name: string }>;
}

function readUsacoGuide({ progress = {}, problems }: Guide): SolvedFile {
  const solved = Object.entries(progress).filter(([, state]) => state === 'Solved');
  const file = historyFileOf(
    solved.map(([name]) => {
      const [, site = '', id = ''] = /^([a-z]+)-([\w.]{1,100})$/.exec(name) ?? [];
      const { url, name: title = '' } = problems.get(name) ?? {};
      return { name, address: url ?? guideAddresses.get(site)?.replace('{id}', id), title };
    }),
  );
  return { ...file, lacksProblemFiles: problems.size === 0 && file.skipped.length > 0 };
}

function addGuideFile(guide: Guide, text: string): void {
  const value = parseJson(text);
  if (!isRecord(value)) return;
  const { userProgressOnProblems } = value;
  if (isRecord(userProgressOnProblems)) guide.progress = userProgressOnProblems;
  for (const row of Object.values(value).flat()) {
    const { uniqueId, url, name } = Object(row) as Record<string, unknown>;
    const problem = { url: textOrEmpty(url), name: textOrEmpty(name) };
    if (textOrEmpty(uniqueId) && problem.url) guide.problems.set(textOrEmpty(uniqueId), problem);
  }
}

export const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

const textBytesAtMost = 512 * 1024;
const textBytesInAll = 64 * 1024 * 1024;

/**
 * A README of BaekjoonHub has a time in Korea such as `2023년 3월 15일 10:11:12`. Korea has had no summer time since
 * 1988.
 */
export function submittedAt(readme: string): string | undefined {
  const pattern = /### 제출 일자\s{1,20}(\d{4})년 (\d{1,2})월 (\d{1,2})일 (\d{1,2}):(\d{1,2}):(\d{1,2})/;
  const [, year = '', ...rest] = pattern.exec(readme.normalize('NFC')) ?? [];
  const [month, day, hour, minute, second] = rest.map((digits) => digits.padStart(2, '0'));
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+09:00`);
  return instantInPast(time);
}

/**
 * BaekjoonHub's folders are `백준/Silver/1463. 1로 만들기/`, with a special space, or have a README with a link to
 * Baekjoon. LeetHub's are `0001-two-sum/` with a solution of that name, or have a README with a link to LeetCode.
 */
function addFolder(folders: Map<string, NamedProblem>, path: string, readme: string): void {
  const [, folder = '', file = ''] = /^(.*)\/([^/]*)$/.exec(path) ?? [];
  const [, baekjoonFolder, number] =
    /(?:^|\/)([^/]{1,50}\/[^/]{1,50}\/(\d{1,7})번?\.\s{0,9}[^/\s][^/]{0,200})\//.exec(path) ?? [];
  const baekjoonNumber = baekjoonFolder?.startsWith('백준/') ? number : undefined;
  const [, baekjoonId = baekjoonNumber] =
    /\[문제 링크\]\(https?:\/\/www\.acmicpc\.net\/problem\/(\d{1,6})\)/.exec(readme.normalize('NFC')) ?? [];
  const [, folderName = '', slug = ''] = /(?:^|\/)((?:\d{1,5}-)?([a-z\d-]{1,150}))$/.exec(folder) ?? [];
  const isSolution =
    /^\d{1,5}-./.test(folderName) && file.startsWith(`${folderName}.`) && !/\.(?:md|txt|html)$/.test(file);
  const isLinked =
    readme !== '' && new RegExp(`\\bleetcode\\.(?:com|cn)/problems/${slug || '-'}(?![\\w-])`).test(readme);
  const leetcode = isSolution || isLinked ? leetcodeAddress(slug) : undefined;
  const address = baekjoonId === undefined ? leetcode : `https://www.acmicpc.net/problem/${baekjoonId}`;
  const name = baekjoonFolder ?? folder;
  const before = folders.get(name);
  if (!address && !before && baekjoonFolder === undefined) return;
  const solvedAt = submittedAt(readme) ?? before?.solvedAt;
  folders.set(name, { name, address: address ?? before?.address, ...(solvedAt && { solvedAt }) });
}

/** Git quotes the bytes of names that are not ASCII, such as `\355\224\204`, and some programs copy that. */
function nameOf({ fileNameRaw, generalPurposeBitFlag: flags, extraFields }: Entry): string {
  const utf8Flag = isUtf8(fileNameRaw) ? 0x800 : 0;
  return getFileNameLowLevel(flags | utf8Flag, fileNameRaw, extraFields, true)
    .replaceAll(/(?:\\[23][0-7]{2}){2,}/g, (quoted) => {
      const bytes = Buffer.from(
        quoted
          .split('\\')
          .slice(1)
          .map((octal) => Number.parseInt(octal, 8)),
      );
      return isUtf8(bytes) ? bytes.toString() : quoted;
    })
    .replaceAll('\\', '/')
    .normalize('NFC');
}

/** Undefined unless it is a zip file with not too many entries. */
export async function readSolvedZip(bytes: Buffer): Promise<SolvedFile | undefined> {
  const folders = new Map<string, NamedProblem>();
  const guide: Guide = { problems: new Map() };
  let bytesLeft = textBytesInAll;
  try {
    const zip = await fromBufferPromise(bytes, { decodeStrings: false });
    if (zip.entryCount > filesAtMost) return undefined;
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      if (validateFileName(path) != null) return undefined;
      const isJson = path.endsWith('.json');
      const { uncompressedSize: size } = entry;
      const isRead = (isJson || path.endsWith('/README.md')) && size <= Math.min(textBytesAtMost, bytesLeft);
      if (isRead) bytesLeft -= size;
      const text = isRead ? decodeLeniently(await buffer(await zip.openReadStreamPromise(entry))) : '';
      if (isJson) addGuideFile(guide, text);
      addFolder(folders, path, isJson ? '' : text);
    }
  } catch {
    return undefined;
  }
  return guide.progress ? readUsacoGuide(guide) : historyFileOf(folders.values());
}

/*
 * Ids of problems, such as those on a page of solved problems, become addresses. A line counts only if all its words
 * look like ids of the site, so headings and sentences are skipped.
 */

interface IdSite {
  address: string;
  idPattern: RegExp;
  /** Ids look like words of a sentence, so that spaces do not separate them. */
  hasWordLikeIds?: boolean;
  origin?: string;
  submissionLink?: RegExp;
  solvedPart?: (page: string) => string;
}

const digits: RegExp = /^\d{1,7}$/;
const slug = { idPattern: /^[a-z\d][\w.-]{1,99}$/, hasWordLikeIds: true };

const sites: Readonly<Record<string, IdSite>> = {
  aoj: {
    address: 'https://onlinejudge.u-aizu.ac.jp/problems/{id}',
    idPattern: /^(?:[A-Z]+\d*_)*[A-Z\d]*\d[A-Z\d_]*$|^\w+_[A-Z]$/,
  },
  atcoder: {
    address: 'https://vjudge.net/problem/AtCoder-{id}',
    idPattern: /^[a-z\d_-]+_[a-z\d]+$/i,
    origin: 'https://atcoder.jp',
  },
  boj: { address: 'https://www.acmicpc.net/problem/{id}', idPattern: digits },
  codechef: {
    address: 'https://www.codechef.com/problems/{id}',
    idPattern: /^[A-Z][A-Z\d_]{1,30}$/,
    submissionLink: /\/status\/(\w+),/,
    solvedPart: (page) => page.split(/Partially Solved/i, 1)[0] ?? '',
  },
  codeforces: {
    address: 'https://vjudge.net/problem/CodeForces-{id}',
    idPattern: /^\d{1,7}[A-Z]\d?$/i,
    origin: 'https://codeforces.com',
  },
  cses: { address: 'https://cses.fi/problemset/task/{id}', idPattern: digits },
  dmoj: { address: 'https://dmoj.ca/problem/{id}', ...slug },
  eolymp: { address: 'https://basecamp.eolymp.com/en/problems/{id}', idPattern: digits },
  hackerrank: { address: 'https://www.hackerrank.com/challenges/{id}/problem', ...slug },
  hdu: { address: 'https://acm.hdu.edu.cn/showproblem.php?pid={id}', idPattern: digits },
  kattis: { address: 'https://open.kattis.com/problems/{id}', ...slug },
  leetcode: { address: 'https://leetcode.com/problems/{id}/', ...slug },
  luogu: { address: 'https://www.luogu.com.cn/problem/{id}', idPattern: /^[A-Z]{1,4}_?\w*\d\w*$/ },
  poj: { address: 'http://poj.org/problem?id={id}', idPattern: digits },
  qoj: { address: 'https://qoj.ac/problem/{id}', idPattern: digits },
  spoj: {
    address: 'https://www.spoj.com/problems/{id}/',
    idPattern: /^[A-Z][A-Z\d_]{1,30}$/,
    submissionLink: /\/status\/(\w+),/,
    solvedPart: (page) => page.split(/TODO list of classical/i, 1)[0] ?? '',
  },
  timus: {
    address: 'https://acm.timus.ru/problem.aspx?space=1&num={id}',
    idPattern: digits,
    submissionLink: /status\.aspx\?.*\bnum=(\d+)/,
    solvedPart: (page) =>
      page.match(/<td\b[^<>]{0,100}\baccepted\b[\s\S]{0,300}?<\/td>/gi)?.join('\n') ?? page,
  },
  usaco: { address: 'https://usaco.org/index.php?page=viewproblem2&cpid={id}', idPattern: digits },
  uva: { address: 'https://www.udebug.com/UVa/{id}', idPattern: digits, origin: 'https://onlinejudge.org' },
  yukicoder: { address: 'https://yukicoder.me/problems/no/{id}', idPattern: digits },
};

export const idListSources: readonly string[] = Object.keys(sites);

const siteOf = (source: string) => (Object.hasOwn(sites, source) ? sites[source] : undefined);

const originOf = ({ origin, address }: IdSite) => new URL(origin ?? address).origin;

export function sourceOfSavedPage(text: string): string {
  const [, origin] =
    /<!-- saved from url=\(\d{4}\)(https?:\/\/[^/\s]{1,100})/.exec(text.slice(0, 2000)) ?? [];
  return Object.entries(sites).find(([, site]) => originOf(site) === origin)?.[0] ?? '';
}

/** Completes links without a host, and turns links to submissions into links to problems. */
export function withFullLinks(text: string, source: string): string {
  const site = siteOf(source);
  if (!site) return text;
  const origin = originOf(site);
  const links = /(<a\b[^<>]{0,300}?\bhref\s{0,3}=\s{0,3}["']?)([^"'\s<>]{1,500})/gi;
  return (site.solvedPart?.(text) ?? text).replaceAll(links, (whole, before: string, href: string) => {
    const [, id] = site.submissionLink?.exec(href) ?? [];
    if (id !== undefined) return before + site.address.replace('{id}', id);
    const isRelativeProblemLink = !/^[a-z]+:|^\/\//i.test(href) && /problem|task|challenge/i.test(href);
    return isRelativeProblemLink ? `${before}${origin}/${href.replace(/^\.?\//, '')}` : whole;
  });
}

export function readIdList(text: string, source: string): { links: FoundLink[]; skipped: FoundLink[] } {
  const site = siteOf(source);
  const links: FoundLink[] = [];
  const skipped: FoundLink[] = [];
  if (!site || /<html\b|<!doctype/i.test(text.slice(0, 2000))) return { links, skipped };
  const separators = site.hasWordLikeIds ? /[,;\t|]+/ : /[\s,;|]+/;
  for (const [place, whole] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = whole.slice(0, longestLine).replace(/^\s*(?:[-*•]|\d{1,5}[.)])\s+(?=\S)/, '');
    if (line.trim() === '' || /\w\/\w/.test(line)) continue;
    const names = line
      .split(separators)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (names.length === 0) continue;
    if (names.every((name) => site.idPattern.test(name)))
      for (const name of names)
        links.push({ line: place + 1, address: site.address.replace('{id}', encodeURIComponent(name)) });
    else skipped.push({ line: place + 1, address: line.trim().slice(0, 100) });
    if (links.length > linksAtMost) break;
  }
  return { links, skipped };
}

const longestLine = 100_000;
