/**
 * Reads solved problems as other programs and sites store them, with the times of submissions where a file has them.
 * LeetSRS has only times of reviews.
 */

import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName } from 'yauzl';
import { dayMs } from '../durations.ts';
import { localizedError } from '../errors.ts';
import { addressesIn } from '../files/links.ts';
import { decodeLeniently } from '../files/text.ts';
import { problemAt } from '../judges/addresses.ts';
import { scalarText } from '../judges/fields.ts';
import { linkAtLuogu, passedAtLuogu } from '../judges/luogu.ts';
import { addressAtVjudge } from '../judges/vjudge.ts';
import type { Days } from '../practice/days.ts';
import type { JudgeAddresses } from '../practice/judge-addresses.ts';
import { tidyLine } from '../practice/lists.ts';
import { languageOf, solutionLimits } from '../practice/solutions.ts';
import { statusOfLine } from './link-statuses.ts';
import { type FoundLink, linksAtMost } from './list-text.ts';

export interface SolvedFile {
  links: FoundLink[];
  skipped: FoundLink[];
  /** Whether USACO Guide's files of problems would resolve more names. */
  lacksProblemFiles?: boolean;
  code?: FoundCode[];
}

/** A file of code beside the problem that it solves; without its bytes if it is larger than what is kept. */
export interface FoundCode {
  address: string;
  file: string;
  bytes: Uint8Array | undefined;
  submission?: string | undefined;
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
  const { acRecords, data, models, stat_status_pairs, userProgressOnProblems } = Object(value) as Record<
    string,
    unknown
  >;
  const { cards } = Object(data) as Record<string, unknown>;
  const passedProblems = passedAtLuogu(value);
  if (isRecord(acRecords)) return readVjudge(acRecords);
  if (Array.isArray(passedProblems)) return readLuogu(passedProblems);
  if (Array.isArray(stat_status_pairs)) return readLeetcode(stat_status_pairs);
  if (Array.isArray(models)) return readHackerRank(models);
  if (isRecord(userProgressOnProblems))
    return readUsacoGuide({ progress: userProgressOnProblems, problems: new Map() });
  if (isRecord(cards)) return readLeetSrs(cards);
  const rows = Object.values(Object(value)).filter(isRecord);
  return isHarwest(rows) ? readHarwest(rows, days) : undefined;
}

const isHarwest = (rows: readonly Record<string, unknown>[]) =>
  rows.some((row) => row['problem_url'] && row['submission_url']);

/** Tells these files from those of submissions by their first characters. */
export const looksLikeSolvedList = (start: string): boolean =>
  /"(?:acRecords|passedProblems|stat_status_pairs|userProgressOnProblems)"\s{0,9}:/.test(start);

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
        return { name: `${judge} ${scalarText(id)}`, address: addressAtVjudge(judge, id) };
      }),
    ),
  );

/** Luogu's `user/UID/practice`, whose fields had other names before 2026. */
const readLuogu = (passed: readonly unknown[]) =>
  historyFileOf(
    passed.map((row) => {
      return { name: textOrEmpty(Object(row).pid), address: undefined, ...linkAtLuogu(row) };
    }),
  );

/**
 * LeetCode's `api/problems/all/` as a signed-in member sees it. Problems of leetcode.cn alone have numbers such as
 * `LCR 001`.
 */
const readLeetcode = (rows: readonly unknown[]) =>
  historyFileOf(
    rows.flatMap((row) => {
      const { stat, status } = Object(row) as Record<string, unknown>;
      if (status !== 'ac') return [];
      const {
        question__title_slug: slug,
        question__title: title,
        frontend_question_id: number,
      } = Object(stat) as Record<string, unknown>;
      const name = textOrEmpty(slug);
      const isChinese = typeof number === 'string' && !/^\d+$/.test(number) && /^[\w-]{1,150}$/.test(name);
      const address = isChinese ? `https://leetcode.cn/problems/${name}/` : leetcodeAddress(name);
      return { name: name || scalarText(number), address, title: textOrEmpty(title) };
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
    Number(scalarText((Object(card) as { fsrs?: { reps?: unknown } }).fsrs?.reps)) > 0;
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
  const [, year = '', ...rest] = pattern.exec(readme) ?? [];
  const [month, day, hour, minute, second] = rest.map((digits) => digits.padStart(2, '0'));
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}+09:00`);
  return instantInPast(time);
}

interface Folder {
  path: string;
  files: string[];
  code: Omit<FoundCode, 'address'>[];
  readme: string;
}

const firstHeading = /^\s{0,3}(?:#{1,6}\s[^\n]{1,1000}|<h[1-6]\b[\s\S]{1,1000}?<\/h)/m;
const linkLine =
  /^[\s>*-]{0,10}(?:[\p{L} *]{1,30}[:：]\**\s{0,3})?(?:\[[^[\]\n]{0,200}\]\()?<?https?:\/\/[^\s()<>]{1,500}[)>]{0,2}\s*$/gmu;

const addressesOf = (text: string) => [...addressesIn(text)].map(({ address }) => address);
const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/**
 * The link of a README to its problem stands in the first heading, names the folder, or is alone on a line.
 * Statements link to other problems too.
 */
function* linksToProblem({ path, readme }: Folder): Generator<string> {
  yield* addressesOf(firstHeading.exec(readme)?.[0] ?? '');
  const name = lastPart(path.toLowerCase()).replace(/^\d{1,5}-/, '');
  const nameIn = (address: string) =>
    lastPart(address.toLowerCase().replaceAll(/[?#].*|\/(?:description\/?)?$/g, ''));
  if (name.length > 2) yield* addressesOf(readme).filter((address) => nameIn(address) === name);
  const alone = new Set(readme.match(linkLine)?.flatMap(addressesOf));
  if (alone.size === 1) yield* alone;
}

/**
 * LeetHub's folders are `0001-two-sum/` with a solution of that name, those of leetcode-tracker `1-TwoSum/`, and those
 * of LeetSync `two-sum/` with a statement of LeetCode.
 */
function leetcodeSlug({ path, files, readme }: Folder): string | undefined {
  const folder = lastPart(path);
  const [, number, name = ''] = /^(?:(\d{1,5})-)?([A-Za-z\d-]{1,150})$/.exec(folder) ?? [];
  const isStatement = /Example 1:/.test(readme) && /Constraints:/.test(readme);
  const isSolution = (file: string) => file.startsWith(`${folder}.`) && !/\.(?:md|txt|html)$/.test(file);
  if (!files.some(isSolution) || !(number || isStatement)) return undefined;
  if (!number || !/^\d*(?:[A-Z][a-z\d]*)+$/.test(name)) return name;
  const [, title = name.replaceAll(/(?<=[a-z]\d*)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-')] =
    /\b\d{1,5}\. ([^<]+)/.exec(firstHeading.exec(readme)?.[0] ?? '') ?? [];
  return title
    .toLowerCase()
    .replaceAll(/[^a-z\d\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-');
}

/** BaekjoonHub's folders are `백준/Silver/1463. 1로 만들기/`, with a special space. */
const baekjoonFolder = /(?:^|\/)백준\/[^/]{1,50}\/(\d{1,7})번?\.\s{0,9}[^/\s][^/]{0,200}$/;

function problemOfFolder(folder: Folder, addresses: JudgeAddresses): string | undefined {
  for (const address of linksToProblem(folder))
    if ((problemAt(address, addresses)?.matchedBy ?? 'host') !== 'host') return address;
  const [, number] = baekjoonFolder.exec(folder.path) ?? [];
  if (number !== undefined) return `https://www.acmicpc.net/problem/${number}`;
  return leetcodeAddress(leetcodeSlug(folder) ?? '');
}

const isReadme = (file: string) => /^readme\.md$/i.test(file);

/** Folders with a solution or a README of which no problem is known are skipped, but not those with problems inside. */
function problemsInFolders(folders: readonly Folder[], addresses: JudgeAddresses): Map<string, NamedProblem> {
  const [first = ''] = folders[0]?.path.split('/') ?? [];
  const root = folders.every(({ path }) => path === first || path.startsWith(`${first}/`)) ? first : '';
  const parents = new Set(folders.map(({ path }) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  const found = new Map<string, NamedProblem>();
  const depth = ({ path }: Folder) => path.split('/').length;
  for (const folder of folders.toSorted((one, other) => depth(one) - depth(other))) {
    const { path, files, readme } = folder;
    // The README at the root is about the repository.
    const address = path === root && folders.length > 1 ? undefined : problemOfFolder(folder, addresses);
    const solvedAt = submittedAt(readme);
    const name = tidyLine(path.slice(root.length).replace(/^\/+/, ''));
    const hasProblem = files.some((file) => languageOf({ file })) || (readme !== '' && !parents.has(path));
    const isInside = path.split('/').some((_, at, parts) => found.get(parts.slice(0, at).join('/'))?.address);
    const isPassedOver = hasProblem && !isInside && name !== '' && !/(?:^|\/)\./.test(path);
    if (address || isPassedOver) found.set(path, { name, address, ...(solvedAt && { solvedAt }) });
  }
  return found;
}

/** Harwest's `submissions.json` has the path of the code of each submission. */
function codeOfHarwest(
  rows: readonly Record<string, unknown>[],
  folders: readonly Folder[],
  root: string,
): FoundCode[] {
  const byPath = new Map<string, Folder['code'][number]>(
    folders.flatMap(({ path, code }) => code.map((one) => [`${path}/${one.file}`, one] as const)),
  );
  return rows.flatMap(({ path, problem_url, submission_url }) => {
    const code = byPath.get(
      `${root && `${root}/`}${textOrEmpty(path).replaceAll('\\', '/').normalize('NFC')}`,
    );
    const address = textOrEmpty(problem_url);
    return code && address ? [{ ...code, address, submission: textOrEmpty(submission_url) }] : [];
  });
}

/** Git quotes the bytes of names that are not ASCII, such as `\355\224\204`, and some programs copy that. */
function nameOf({ fileNameRaw, generalPurposeBitFlag: flags, extraFields }: Entry): string {
  const utf8Flag = isUtf8(fileNameRaw) ? 0x800 : 0;
  return getFileNameLowLevel(flags | utf8Flag, fileNameRaw, extraFields, true)
    .replaceAll(/(?:\\[23][0-7]{2}){2,}/g, (quoted) => {
      const bytes = Buffer.from(quoted.match(/\d+/g)?.map((octal) => Number.parseInt(octal, 8)) ?? []);
      return isUtf8(bytes) ? bytes.toString() : quoted;
    })
    .replaceAll('\\', '/')
    .normalize('NFC');
}

/** Throws for another file than a zip, one with too many entries, and one with a path that leads out of it. */
export async function* entriesOfZip(bytes: Buffer) {
  const zip = await fromBufferPromise(bytes, { decodeStrings: false });
  for await (const entry of zip.eachEntry()) {
    const path = nameOf(entry);
    if (zip.entryCount > filesAtMost || validateFileName(path) != null)
      throw localizedError('badFile.compressed');
    // A stream for each of thousands of small files would take most of the time.
    const read = async () => {
      const { compressedSize, uncompressedSize: size } = entry;
      if (!entry.canDecodeFileData()) throw localizedError('badFile.compressed');
      const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      const packed = bytes.subarray(start, start + compressedSize);
      const isPacked = entry.compressionMethod !== 0;
      const content = isPacked ? inflateRawSync(packed, { maxOutputLength: Math.max(1, size) }) : packed;
      if (content.length !== size) throw localizedError('badFile.compressed');
      return content;
    };
    yield { path, size: entry.uncompressedSize, read };
  }
}

/** Undefined unless it is a zip file with not too many entries. */
export async function readSolvedZip(
  bytes: Buffer,
  addresses: JudgeAddresses,
  days: Days,
): Promise<SolvedFile | undefined> {
  const folders = new Map<string, Folder>();
  const guide: Guide = { problems: new Map() };
  let harwest: { rows: Record<string, unknown>[]; root: string } | undefined;
  let bytesLeft = textBytesInAll;
  let codeBytesLeft: number = solutionLimits.bytesOfMember;
  try {
    for await (const { path: entryPath, size, read } of entriesOfZip(bytes)) {
      const end = entryPath.lastIndexOf('/');
      const [path, file] = [entryPath.slice(0, Math.max(0, end)), entryPath.slice(end + 1)];
      const isRead =
        (file.endsWith('.json') || isReadme(file)) && size <= Math.min(textBytesAtMost, bytesLeft);
      if (isRead) bytesLeft -= size;
      const text = isRead ? decodeLeniently(await read()) : '';
      if (file.endsWith('.json')) addGuideFile(guide, text);
      if (file === 'submissions.json') {
        const rows = Object.values(Object(parseJson(text))).filter(isRecord);
        if (isHarwest(rows)) harwest = { rows, root: path };
      }
      const folder = folders.get(path) ?? { path, files: [], code: [], readme: '' };
      folders.set(path, folder);
      if (languageOf({ file })) {
        const isKept = size <= Math.min(solutionLimits.bytes, codeBytesLeft);
        if (isKept) codeBytesLeft -= size;
        const bytes = isKept ? await read() : undefined;
        folder.code.push({ file, bytes });
      }
      folder.files.push(file);
      if (isReadme(file)) folder.readme = text.normalize('NFC');
    }
  } catch {
    return undefined;
  }
  if (guide.progress) return readUsacoGuide(guide);
  const all = [...folders.values()];
  if (harwest)
    return { ...readHarwest(harwest.rows, days), code: codeOfHarwest(harwest.rows, all, harwest.root) };
  const problems = problemsInFolders(all, addresses);
  const code = all.flatMap((folder) => {
    const { address } = problems.get(folder.path) ?? {};
    return address === undefined ? [] : folder.code.map((one) => ({ ...one, address }));
  });
  return { ...historyFileOf(problems.values()), code };
}

/*
 * Ids of problems, such as those on a page of solved problems, become addresses. A line counts only if all its words
 * look like ids of the site, so headings and sentences are skipped.
 */

interface IdSite {
  address: string;
  idPattern: RegExp;
  /** Ids look like words, so that a line of several ids needs one of this kind and no line has `commonWords`. */
  separableBy?: RegExp;
  origin?: string;
  submissionLink?: RegExp;
  solvedPart?: (page: string) => string;
}

const digits: RegExp = /^\d{1,7}$/;
const slug = { idPattern: /^[a-z\d][\w.-]{1,99}$/, separableBy: /[\d-]/ };
const code = { idPattern: /^(?:[A-Z][A-Z\d_]{1,30}|[a-z][a-z\d_]{1,30})$/, separableBy: /./ };
const commonWords =
  /^(?:a|an|and|are|at|by|de|done|el|for|from|i|in|is|it|la|las|list|los|me|mis|my|no|not|of|on|or|problem|problemas|problems|que|solved|that|the|these|this|to|was|we|with|you)$/;

const sites: Readonly<Record<string, IdSite>> = {
  aoj: {
    address: 'https://onlinejudge.u-aizu.ac.jp/problems/{id}',
    idPattern: /^(?:[A-Z]+\d*_)*[A-Z\d]*\d[A-Z\d_]*$|^\w+_[A-Za-z]$/,
  },
  atcoder: {
    address: 'https://vjudge.net/problem/AtCoder-{id}',
    idPattern: /^[a-z\d_-]+_[a-z\d]+$/i,
    origin: 'https://atcoder.jp',
  },
  boj: { address: 'https://www.acmicpc.net/problem/{id}', idPattern: digits },
  codechef: {
    address: 'https://www.codechef.com/problems/{id}',
    ...code,
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
  kattis: { address: 'https://open.kattis.com/problems/{id}', ...slug, separableBy: /./ },
  leetcode: { address: 'https://leetcode.com/problems/{id}/', ...slug },
  luogu: {
    address: 'https://www.luogu.com.cn/problem/{id}',
    idPattern: /^(?:[A-Z]{1,4}_?\w*\d\w*|[pb]\d{3,5})$/,
  },
  poj: { address: 'http://poj.org/problem?id={id}', idPattern: digits },
  qoj: { address: 'https://qoj.ac/problem/{id}', idPattern: digits },
  spoj: {
    address: 'https://www.spoj.com/problems/{id}/',
    ...code,
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
  for (const [place, whole] of text.split(/\r\n|[\r\n]/).entries()) {
    const line = whole.slice(0, longestLine);
    if (/\w\/\w/.test(line)) continue;
    const words = line
      .replace(/^\s*(?:[-*•]|\d{1,5}[.)])\s+(?=\S)/, '')
      .replace(/^\s*\\?\[.?\\?\](?=\s)/, '');
    const names = words.split(/[\s,;|]+/).filter((name) => /[\p{L}\p{N}]/u.test(name));
    if (names.length === 0) continue;
    const status = statusOfLine(line);
    if (names.every((name) => site.idPattern.test(name)) && areIds(words, names, site))
      for (const name of names) {
        const address = site.address.replace('{id}', encodeURIComponent(name));
        links.push({ line: place + 1, address, ...(status && { status }) });
      }
    else skipped.push({ line: place + 1, address: line.trim().slice(0, 100) });
    if (links.length > linksAtMost) break;
  }
  return { links, skipped };
}

const longestLine = 100_000;

/** Spaces separate ids only where they cannot be the words of a sentence or a title. */
const areIds = (line: string, names: readonly string[], { separableBy }: IdSite) =>
  !separableBy ||
  (!names.some((name) => commonWords.test(name)) &&
    (names.some((name) => separableBy.test(name)) || !/\S \S/.test(line.replaceAll(/[,;|]\s+/g, ','))));
