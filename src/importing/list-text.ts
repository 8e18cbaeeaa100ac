/**
 * Reads any text with links of problems: headings become sections, and each address stands where it was found. It takes text,
 * Markdown, pages of the web, and files of lists: the garden's own in both forms (web/pages/lists/files.ts), USACO Guide's
 * problems, NeetCode's, and AtCoder's courses. Every pattern is bounded, so hostile text takes no longer than other text.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { visit } from 'jsonc-parser';
import { tidyLine } from '../practice/lists.ts';

/** The name of the garden's own form, which web/pages/lists/files.ts writes. */
export const listFormat = 'practice-list/1';
/** The first line of its Markdown. */
export const markdownMark = `<!-- ${listFormat} -->`;

/** A link of a text, with the line where it stands, from 1. */
export interface FoundLink {
  line: number;
  address: string;
  /** The problem, where the text names it by judge and key. */
  named?: { source: string; key: string };
  title?: string;
  memo?: string;
  /** Members of the file about it that the garden does not know; see `incompleteHead`. */
  extras?: string;
  /** When the text says that the problem was solved. */
  solvedAt?: string;
}

export interface FoundSection {
  /** Empty for links above the first heading. */
  name: string;
  extras?: string;
  links: FoundLink[];
}

export interface FoundText {
  /** The name that a file of a list gives it; empty for any other text. */
  title: string;
  extras?: string;
  sections: FoundSection[];
  /** The lines of a plain text that have words, and neither a link nor a heading. */
  bare: { line: number; address: string }[];
}

/** A piece of a text that counts, and where it begins. */
type Piece = { at: number } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

interface ReadFile {
  title: string;
  extras?: string;
  pieces: Piece[];
}

/** A text with more links is no list of anybody's; it is refused as a whole. */
export const linksAtMost = 10_000;

/** The sections with links; undefined where there are more than `linksAtMost`. */
export function readListText(input: string): FoundText | undefined {
  const text = input.replaceAll(/\r\n?/g, '\n');
  const file = fromFile(text) ?? fromOwnMarkdown(text);
  const pieces = file?.pieces ?? [...headings(text), ...links(text).take(linksAtMost + 1)];
  if (pieces.filter((piece) => 'address' in piece).length > linksAtMost) return undefined;
  pieces.sort((one, other) => one.at - other.at);
  const sections: FoundSection[] = [{ name: '', links: [] }];
  let [line, scannedTo] = [1, 0];
  for (const { at, ...piece } of pieces) {
    for (let end = text.indexOf('\n', scannedTo); end >= 0 && end < at; end = text.indexOf('\n', scannedTo)) {
      line++;
      scannedTo = end + 1;
    }
    if ('heading' in piece) {
      const { heading: name, ...extras } = piece;
      sections.push({ name, ...extras, links: [] });
    } else sections.at(-1)?.links.push({ line, ...piece });
  }
  const bare = file || /<\/[a-z]/i.test(text) ? [] : [...bareLines(text, pieces)];
  const { title = '', extras } = file ?? {};
  return {
    title,
    ...(extras && { extras }),
    sections: sections.filter(({ links }) => links.length > 0),
    bare,
  };
}

const longestBare = 100;

/** `pieces` are in the order of the text. A line of names above a table is no line that somebody misses. */
function* bareLines(text: string, pieces: readonly Piece[]): Generator<FoundText['bare'][number]> {
  let [at, next] = [0, 0];
  for (const [before, line] of text.split('\n').entries()) {
    const first = next;
    at += line.length + 1;
    while ((pieces[next]?.at ?? at) < at) next++;
    if (next === first && /[\p{L}\p{N}]/u.test(line) && !tableAt(line))
      yield { line: before + 1, address: tidyLine(line, longestBare) };
  }
}

const plainText = (text: string) =>
  tidyLine(
    text
      .replaceAll(/<[^<>]{0,500}>/g, ' ')
      .replaceAll(/!?\[([^[\]]{0,200})\]\([^()]{0,1000}\)/g, '$1')
      .replaceAll(/https?:\/\/\S+/gi, '')
      .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? ' ')
      .replaceAll(/[*`]{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)/g, '')
      .replace(/[\s#:]+$/, ''),
  );
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function* headings(text: string): Generator<Piece> {
  for (const { index, 1: inner = '' } of text.matchAll(
    /<h[1-6]\b[^<>]{0,300}>([\s\S]{0,300}?)<\/h[1-6]\b/gi,
  )) {
    const heading = plainText(inner);
    if (heading) yield { at: index, heading };
  }
  let at = 0;
  let previousLine = '';
  for (const line of text.split('\n')) {
    const isUnderline = line.length > 2 && /^ {0,3}(?:={3,}|-{3,})\s*$/.test(line);
    const heading = isUnderline ? underlined(previousLine) : headingOf(line);
    // An underlined heading stands above its line.
    if (heading) yield { at: isUnderline ? at - previousLine.length - 1 : at, heading };
    at += line.length + 1;
    previousLine = line;
  }
}

const longestHeading = 300;

function underlined(line: string): string {
  return line.length > longestHeading || /:\/\/|^\s*[|#<*-]|^\s*$|:\s*$/.test(line) ? '' : plainText(line);
}

/** The text of a line that is a heading by itself: `## Graphs`, `Graphs:` or `**Graphs**`. */
function headingOf(line: string): string {
  if (line === '' || line.length > longestHeading) return '';
  const [, marked] = /^ {0,3}#{1,6}\s+(.+)$/.exec(line) ?? [];
  // A heading that is a link is the name of a problem.
  if (marked !== undefined) return /:\/\//.test(marked) ? '' : plainText(marked);
  if (/:\/\//.test(line)) return '';
  const [, bold] = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line) ?? [];
  if (bold !== undefined) return plainText(bold);
  return /\S\s{0,3}:\s*(?:<[^<>]{0,100}>\s*)?$/.test(line.slice(-120)) ? plainText(line) : '';
}

/** Parts of pages that are no links to read: pictures, styles, scripts. */
const assetFile = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

// Without http:// only an address of a few parts is one; whether it is of a judge is decided later.
const addresses =
  /\bhttps?:\/\/[^\s<>"'`()[\]{}|\\^]{1,500}|(?<![\w/.@:-])(?:[a-z\d-]{1,30}\.){1,3}[a-z]{2,6}\/[^\s<>"'`()[\]{}|\\^]{1,500}/gi;

function* links(text: string): Generator<Piece> {
  let at = 0;
  let table: Table | undefined;
  for (const line of text.split('\n')) {
    table = tableAt(line) ?? (line.trim() === '' ? undefined : table);
    const cells = table && line.length <= longestRow ? cellsIn(line, table.mark) : [{ at: 0, cell: line }];
    const named = cells[table?.column ?? -1]?.cell ?? '';
    const rowTitle = named.includes('://') ? '' : table?.mark === '|' ? plainText(named) : tidyLine(named);
    for (const { at: before, cell } of cells)
      for (const { index, 0: found } of cell.matchAll(addresses)) {
        const address = found.replaceAll('&amp;', '&').replace(/[.,;:!?*_~]+$/, '');
        const path = address.split(/[?#]/, 1)[0] ?? '';
        if (assetFile.test(path)) continue;
        const place = at + before + index;
        const title = rowTitle || titleAround(text, place, place + found.length);
        yield { at: place, address, ...(title && { title }) };
      }
    at += line.length + 1;
  }
}

/* Titles of links. */

/** The text of a link of Markdown or of a page of the web; '' for one that is no title. */
function titleAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - longestHeading), start);
  const [, marked] = /\[([^[\]\n]{1,200})\]\(<?$/.exec(before) ?? [];
  const isAnchor = /<a\b[^<>]{0,200}\bhref\s{0,3}=\s{0,3}["']?$/i.test(before);
  const after = isAnchor ? text.slice(end, end + 2 * longestHeading) : '';
  const title = plainText(marked ?? /^[^<>]{0,200}>([\s\S]{1,300}?)<\/a\b/i.exec(after)?.[1] ?? '');
  // The name of the site, such as “LeetCode”, is none.
  const isSite = text.slice(start, end).toLowerCase().split('/')[2]?.includes(title.toLowerCase());
  return isSite || !/\p{L}/u.test(title) || /^(?:here|link|practice|problem|solve)$/i.test(title)
    ? ''
    : title;
}

/** A table with a column of titles. */
interface Table {
  mark: string;
  column: number;
}

/** Longer lines are no rows of tables. */
const longestRow = 4000;

/** The table that begins with a line of names; or a row of two cells, as one pastes it, of which one is a link. */
function tableAt(line: string): Table | undefined {
  if (line.length > longestRow) return undefined;
  const isRow = line.includes('://');
  for (const mark of isRow ? ['\t'] : ['\t', '|', ',', ';']) {
    const cells = line.includes(mark) ? cellsIn(line, mark) : [];
    const isTitle = ({ cell }: { cell: string }) =>
      isRow ? !cell.includes('://') : /^\s*(?:title|name|problem)s?\s*$/i.test(cell);
    const column = isRow && cells.length !== 2 ? -1 : cells.findIndex(isTitle);
    if (column >= 0) return { mark, column };
  }
  return undefined;
}

/** The cells of a row, with the places where they begin. Those in quotes may have the mark in them. */
function cellsIn(line: string, mark: string): { at: number; cell: string }[] {
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${mark}]*))(?:[${mark}]|$)`, 'g');
  // Its last match is the empty one at the end of the line.
  const found = [...line.matchAll(pattern)].filter(({ index }, place) => index < line.length || place === 0);
  return found.map(({ index, 1: quoted, 2: bare = '' }) => ({
    at: index,
    cell: quoted?.replaceAll('""', '"') ?? bare,
  }));
}

/** No list of anybody's is deeper; the reader of places calls itself for each level. */
const deepestJson = 100;

/** Whether a text that may be JSON is deeper than any list: what calls itself for each level would fail. */
export function isDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length && depth <= deepestJson; at++) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
  }
  return depth > deepestJson;
}

/** The pieces of a JSON file in a form that is known; undefined for any other text. */
function fromFile(text: string): ReadFile | undefined {
  if (!/^\s*[[{]/.test(text) || isDeep(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isOwn = Object(value).format === listFormat;
  const entries = isOwn
    ? [...ofPracticeList(value)]
    : [ofCourse, ofPatterns, ofModules].map((form) => [...form(value)]).find((all) => all.length > 0);
  if (!entries) return undefined;
  let at = 0;
  const positionsOf = positionsOfTexts(text);
  // In the order of the text, each value stands behind the one before.
  const placeOf = (shown: string) => {
    const positions = positionsOf.get(shown);
    while (positions && (positions.at(-1) ?? at) < at) positions.pop();
    at = positions?.pop() ?? at;
    return at;
  };
  const pieces = entries.map(({ shown, ...piece }): Piece => ({ at: placeOf(shown), ...piece }));
  if (!isOwn) return { title: '', pieces };
  return { title: tidyLine(textIn(Object(value).title)), ...extrasOf(value, 'list'), pieces };
}

/** The places of each text of a JSON document, the last one first. */
function positionsOfTexts(text: string): Map<string, number[]> {
  const positionsOf = new Map<string, number[]>();
  const note = (value: unknown, offset: number) => {
    if (typeof value !== 'string') return;
    const before = positionsOf.get(textIn(value));
    if (before) before.push(offset);
    else positionsOf.set(textIn(value), [offset]);
  };
  visit(text, { onObjectProperty: note, onLiteralValue: note });
  for (const some of positionsOf.values()) some.reverse();
  return positionsOf;
}

/** A piece of a JSON file, and the text of the file that stands for it. */
type FilePiece = { shown: string } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

const headingPiece = (heading: string): FilePiece => ({ shown: heading, heading: tidyLine(heading) });

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
/** Escapes of JSON may write signs that no store takes. */
const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';

/** The parts of a link that the file names beside its address; without what it leaves empty. */
function aboutOf(parts: { source?: string; key?: string; title?: string; memo?: string }) {
  const { source, key, title, memo } = parts;
  return {
    ...(source && key && key.length <= longestKey && { named: { source: source.slice(0, longestKey), key } }),
    ...(title && { title }),
    ...(memo && { memo: tidyLine(memo) }),
  };
}
const longestKey = 200;

const ownMembers = {
  list: ['format', 'title', 'by', 'updated', 'sections'],
  section: ['name', 'problems'],
  problem: ['url', 'title', 'memo', 'source', 'key', 'rating', 'tags'],
};
type Part = keyof typeof ownMembers;

/** The members of a part of a list that the garden does not know, as JSON; undefined without any. */
function restOf(value: unknown, part: Part): string | undefined {
  const rest = Object.entries(Object(value)).filter(([name]) => !ownMembers[part].includes(name));
  return rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest));
}

function extrasOf(value: unknown, part: Part) {
  const extras = restOf(value, part);
  return extras === undefined ? {} : { extras };
}

/** The same of a text that may be anybody's; undefined where it is no such JSON. */
export function restIn(text: unknown, part: Part): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('{') || isDeep(text)) return undefined;
  try {
    return restOf(JSON.parse(text), part);
  } catch {
    return undefined;
  }
}

/** The garden's own file. */
function* ofPracticeList(value: unknown): Generator<FilePiece> {
  for (const section of objectsIn(Object(value).sections)) {
    yield { ...headingPiece(textIn(section['name'])), ...extrasOf(section, 'section') };
    for (const one of objectsIn(section['problems'])) {
      const [url, source, key] = [textIn(one['url']), textIn(one['source']), textIn(one['key'])];
      const about = aboutOf({ source, key, title: textIn(one['title']), memo: textIn(one['memo']) });
      const shown = url || key;
      if (shown) yield { shown, address: url || `${source} ${key}`, ...about, ...extrasOf(one, 'problem') };
    }
  }
}

/* A problem of it: the title, the address, source and key, and the memo. */
const linkedItem = /^- \[((?:\\.|[^\\\]])*)\]\(([^\s<>()]{1,2000})\)(?: `([^`/]+)\/([^`/]+)`)?(?: — (.*))?$/;
const namedItem = /^- ((?:\\.|[^\\`])*)() `([^`/]+)\/([^`/]+)`(?: — (.*))?$/;

/** The garden's own Markdown. Lines in another form are read as in any text. */
function fromOwnMarkdown(text: string): ReadFile | undefined {
  if (!text.trimStart().startsWith(markdownMark)) return undefined;
  const pieces: Piece[] = [];
  let title = '';
  let at = 0;
  for (const line of text.split('\n')) {
    const [, heading] = /^##(?: (.*))?$/.exec(line) ?? [];
    const [, name] = /^# (.*)$/.exec(line) ?? [];
    const found = line.length <= longestItem ? (linkedItem.exec(line) ?? namedItem.exec(line)) : null;
    if (/^##(?: |$)/.test(line)) pieces.push({ at, heading: tidyLine(unescaped(heading ?? '')) });
    else if (name !== undefined && title === '') title = tidyLine(unescaped(name));
    else if (found) pieces.push({ at, ...itemOf(found) });
    else for (const link of links(line)) pieces.push({ ...link, at: at + link.at });
    at += line.length + 1;
  }
  return { title, pieces };
}
const longestItem = 8000;

/** A text of Markdown without the strokes before its signs. */
const unescaped = (text: string) => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');

function itemOf([, title = '', url, from = '', name = '', memo = '']: RegExpExecArray): Omit<
  FoundLink,
  'line'
> {
  const [source, key] = [decodePart(from), decodePart(name)];
  const about = { source, key, title: unescaped(title), memo: unescaped(memo) };
  return { address: url || `${source} ${key}`, ...aboutOf(about) };
}

function decodePart(text: string): string {
  try {
    return textIn(decodeURIComponent(text));
  } catch {
    return text;
  }
}

/** AtCoder Problems' courses, such as the boot camp: sets of keys of AtCoder. */
function* ofCourse(value: unknown): Generator<FilePiece> {
  for (const { title, problems } of objectsIn(Object(value).set_list)) {
    yield headingPiece(textIn(title));
    for (const { problem_id } of objectsIn(problems)) {
      const key = textIn(problem_id);
      if (key) yield { shown: key, address: `AtCoder ${key}`, named: { source: 'atcoder', key } };
    }
  }
}

/** NeetCode's list: problems of LeetCode by what follows its address, each with its title and pattern. */
function* ofPatterns(value: unknown): Generator<FilePiece> {
  let current: string | undefined;
  for (const row of objectsIn(value)) {
    const [pattern, link] = [textIn(row['pattern']), textIn(row['link'])];
    if (!pattern || !link) continue;
    if (pattern !== current) yield headingPiece(pattern);
    current = pattern;
    const isWhole = /^https?:/.test(link);
    const address = isWhole ? link : `https://leetcode.com/problems/${link}`;
    yield { shown: link, address, ...aboutOf({ title: textIn(row['problem']) }) };
  }
}

/** USACO Guide's problems of a module: by the name of each part, problems with their addresses. */
function* ofModules(value: unknown): Generator<FilePiece> {
  for (const [name, list] of Array.isArray(value) ? [] : Object.entries(Object(value))) {
    const problems = objectsIn(list).filter(({ url }) => textIn(url) !== '');
    if (problems.length > 0) yield headingPiece(name);
    for (const { url, name: title } of problems)
      yield { shown: textIn(url), address: textIn(url), ...aboutOf({ title: textIn(title) }) };
  }
}

/* Reads texts of lists so that nobody else waits: large ones in a thread, one after another. */

/** A text of so many characters is read in a few milliseconds; to start a thread takes longer. */
const shortAtMost = 16_384;

let last: Promise<unknown> = Promise.resolve();

/** The result of `readListText`, made in a thread for a long text. */
export async function readListBeside(text: string): Promise<FoundText | undefined> {
  if (text.length <= shortAtMost) return readListText(text);
  const reading = last.then(async () => {
    const thread = new Worker(new URL('./list-text-thread.ts', import.meta.url), { workerData: text });
    thread.unref();
    const [found] = await once(thread, 'message');
    return found as FoundText | undefined;
  });
  last = reading.catch(() => {});
  return reading;
}
