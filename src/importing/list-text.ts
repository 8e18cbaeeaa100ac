/**
 * Reads any text with links to problems: headings become sections, and links keep their order. It takes text,
 * Markdown, HTML, and files of lists: the garden's own (web/pages/lists/files.ts), USACO Guide's, NeetCode's, and
 * AtCoder Problems' courses. Every pattern is bounded, so that hostile text takes no longer.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { visit } from 'jsonc-parser';
import { tidyLine } from '../practice/lists.ts';

export const listFormat = 'practice-list/1';
export const markdownMark = `<!-- ${listFormat} -->`;

export interface FoundLink {
  line: number;
  address: string;
  reference?: { source: string; key: string };
  title?: string;
  memo?: string;
  /** Unknown JSON members of the link, which an export writes back; see `restOf`. */
  extras?: string;
  solvedAt?: string;
}

export interface FoundSection {
  /** Empty for links above the first heading. */
  name: string;
  extras?: string;
  links: FoundLink[];
}

export interface FoundText {
  title: string;
  extras?: string;
  sections: FoundSection[];
  /** Lines with words, but neither a link nor a heading. */
  bare: { line: number; address: string }[];
}

type Piece = { at: number } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

interface ReadFile {
  title: string;
  extras?: string;
  pieces: Piece[];
}

/** A text with more links is refused. */
export const linksAtMost = 10_000;

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

/** `pieces` are in the order of the text. The header line of a table is not missed by anybody. */
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
    if (heading) yield { at: isUnderline ? at - previousLine.length - 1 : at, heading };
    at += line.length + 1;
    previousLine = line;
  }
}

const longestHeading = 300;

function underlined(line: string): string {
  return line.length > longestHeading || /:\/\/|^\s*[|#<*-]|^\s*$|:\s*$/.test(line) ? '' : plainText(line);
}

/** Recognizes `## Graphs`, `Graphs:` and `**Graphs**`. */
function headingOf(line: string): string {
  if (line === '' || line.length > longestHeading) return '';
  const [, marked] = /^ {0,3}#{1,6}\s+(.+)$/.exec(line) ?? [];
  // A heading that is a link is the title of a problem.
  if (marked !== undefined) return /:\/\//.test(marked) ? '' : plainText(marked);
  if (/:\/\//.test(line)) return '';
  const [, bold] = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line) ?? [];
  if (bold !== undefined) return plainText(bold);
  return /\S\s{0,3}:\s*(?:<[^<>]{0,100}>\s*)?$/.test(line.slice(-120)) ? plainText(line) : '';
}

const assetFile = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

// Without http:// only short host names match; the judges decide later whether one is theirs.
const addresses =
  /\bhttps?:\/\/[^\s<>"'`()[\]{}|\\^]{1,500}|(?<![\w/.@:-])(?:[a-z\d-]{1,30}\.){1,3}[a-z]{2,6}\/[^\s<>"'`()[\]{}|\\^]{1,500}/gi;

function* links(text: string): Generator<Piece> {
  let at = 0;
  let table: Table | undefined;
  for (const line of text.split('\n')) {
    table = tableAt(line) ?? (line.trim() === '' ? undefined : table);
    const cells = table && line.length <= longestRow ? cellsIn(line, table.mark) : [{ at: 0, cell: line }];
    const titleCell = cells[table?.column ?? -1]?.cell ?? '';
    const rowTitle = titleCell.includes('://')
      ? ''
      : table?.mark === '|'
        ? plainText(titleCell)
        : tidyLine(titleCell);
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

/** Returns '' for the text of a link that is no title. */
function titleAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - longestHeading), start);
  const [, marked] = /\[([^[\]\n]{1,200})\]\(<?$/.exec(before) ?? [];
  const isAnchor = /<a\b[^<>]{0,200}\bhref\s{0,3}=\s{0,3}["']?$/i.test(before);
  const after = isAnchor ? text.slice(end, end + 2 * longestHeading) : '';
  const title = plainText(marked ?? /^[^<>]{0,200}>([\s\S]{1,300}?)<\/a\b/i.exec(after)?.[1] ?? '');
  const isSite = text.slice(start, end).toLowerCase().split('/')[2]?.includes(title.toLowerCase());
  return isSite || !/\p{L}/u.test(title) || /^(?:here|link|practice|problem|solve)$/i.test(title)
    ? ''
    : title;
}

interface Table {
  mark: string;
  column: number;
}

const longestRow = 4000;

/** A table starts with a line of column names, or is pasted rows of two cells, one of them a link. */
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

function cellsIn(line: string, mark: string): { at: number; cell: string }[] {
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${mark}]*))(?:[${mark}]|$)`, 'g');
  // The last match is the empty one at the end of the line.
  const found = [...line.matchAll(pattern)].filter(({ index }, place) => index < line.length || place === 0);
  return found.map(({ index, 1: quoted, 2: bare = '' }) => ({
    at: index,
    cell: quoted?.replaceAll('""', '"') ?? bare,
  }));
}

/** Real lists are shallower. The JSON parser recurses for each level. */
const deepestJson = 100;

/** Whether recursing into this JSON could overflow the stack. */
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
  // Entries follow the order of the text, so each is searched behind the one before.
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

type FilePiece = { shown: string } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

const headingPiece = (heading: string): FilePiece => ({ shown: heading, heading: tidyLine(heading) });

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];
/** JSON escapes can contain characters that no database stores. */
const textIn = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';

function aboutOf(parts: { source?: string; key?: string; title?: string; memo?: string }) {
  const { source, key, title, memo } = parts;
  return {
    ...(source && key && key.length <= longestKey && { reference: { source: source.slice(0, longestKey), key } }),
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

/** JSON members of a list that the garden does not know are kept as JSON; undefined if there are none. */
function restOf(value: unknown, part: Part): string | undefined {
  const rest = Object.entries(Object(value)).filter(([name]) => !ownMembers[part].includes(name));
  return rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest));
}

function extrasOf(value: unknown, part: Part) {
  const extras = restOf(value, part);
  return extras === undefined ? {} : { extras };
}

/** Takes text from anywhere, and returns undefined unless it is a JSON object. */
export function restIn(text: unknown, part: Part): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('{') || isDeep(text)) return undefined;
  try {
    return restOf(JSON.parse(text), part);
  } catch {
    return undefined;
  }
}

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

const linkedItem = /^- \[((?:\\.|[^\\\]])*)\]\(([^\s<>()]{1,2000})\)(?: `([^`/]+)\/([^`/]+)`)?(?: — (.*))?$/;
const namedItem = /^- ((?:\\.|[^\\`])*)() `([^`/]+)\/([^`/]+)`(?: — (.*))?$/;

/** The garden's own Markdown. Other lines are read as in any text. */
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

/** Courses of AtCoder Problems, such as the boot camp. */
function* ofCourse(value: unknown): Generator<FilePiece> {
  for (const { title, problems } of objectsIn(Object(value).set_list)) {
    yield headingPiece(textIn(title));
    for (const { problem_id } of objectsIn(problems)) {
      const key = textIn(problem_id);
      if (key) yield { shown: key, address: `AtCoder ${key}`, reference: { source: 'atcoder', key } };
    }
  }
}

/** The problem list of NeetCode. */
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

function* ofModules(value: unknown): Generator<FilePiece> {
  for (const [name, list] of Array.isArray(value) ? [] : Object.entries(Object(value))) {
    const problems = objectsIn(list).filter(({ url }) => textIn(url) !== '');
    if (problems.length > 0) yield headingPiece(name);
    for (const { url, name: title } of problems)
      yield { shown: textIn(url), address: textIn(url), ...aboutOf({ title: textIn(title) }) };
  }
}

/** Up to this many characters, reading takes less time than starting a thread. */
const shortAtMost = 16_384;

let last: Promise<unknown> = Promise.resolve();

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
