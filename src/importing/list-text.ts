/**
 * Reads any text with links to problems: headings become sections, and links keep their order. It takes text,
 * Markdown, HTML, and files of lists: the garden's own (list-file.ts), courses (course-files.ts), USACO Guide's,
 * NeetCode's, and AtCoder Problems' courses. Every pattern is bounded, so that hostile text takes no longer.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { visit } from 'jsonc-parser';
import { decodeEntities } from '../files/entities.ts';
import { addressesIn } from '../files/links.ts';
import { arrayOf, moduleOf } from '../practice/courses.ts';
import { tidyLine } from '../practice/lists.ts';
import { courseFormat, objectsIn, readCourseFile } from './course-files.ts';
import { type LinkStatus, setStatuses } from './link-statuses.ts';
import { cellsIn, longestRow, type TitledTable, tableOfRow, tableWithHeader } from './text-tables.ts';

export const listFormat = 'practice-list/1';
export const markdownSignature = `<!-- ${listFormat} -->`;

export interface FoundLink {
  line: number;
  address: string;
  reference?: { source: string; key: string };
  title?: string;
  memo?: string;
  /** Unknown JSON members of the link, which an export writes back; see `unknownMembers`. */
  extras?: string;
  solvedAt?: string;
  /** What the text says of it. */
  status?: LinkStatus;
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
  linesWithoutLink: { line: number; address: string }[];
}

type Piece = { offset: number } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

interface ParsedFile {
  title: string;
  extras?: string;
  pieces: Piece[];
}

/** A text with more links is refused. */
export const linksAtMost = 10_000;

export function readListText(input: string): FoundText | undefined {
  const text = input.replaceAll(/\r\n?/g, '\n');
  const json = readCourseFile(text, parseJson(text));
  const file = parseListFile(text, json) ?? parseListMarkdown(text);
  const pieces = file?.pieces ?? [...headings(text), ...links(text).take(linksAtMost + 1)];
  if (pieces.filter((piece) => 'address' in piece).length > linksAtMost) return undefined;
  pieces.sort((one, other) => one.offset - other.offset);
  setStatuses(text, pieces, json);
  const bare = file || /<\/[a-z]/i.test(text) ? [] : [...linesWithoutLink(text, pieces)];
  const { title = titleIn(text, pieces[0]), extras } = file ?? {};
  const sections = sectionsOf(text, file || title === '' ? pieces : pieces.slice(1));
  return { title, ...(extras && { extras }), sections, linesWithoutLink: bare };
}

/** The heading in the first line of Markdown, if no other heading is of the first level. */
function titleIn(text: string, first: Piece | undefined): string {
  const isFirst = first && 'heading' in first && text.slice(0, first.offset).trim() === '';
  const isOnly =
    isFirst && /^ {0,3}# /.test(text.slice(first.offset)) && text.match(/^ {0,3}# /gm)?.length === 1;
  return isOnly ? first.heading : '';
}

/** Takes a JSON value of the form practice-list/1, whose links have no lines. */
export function readListFile(value: unknown): Pick<FoundText, 'title' | 'extras' | 'sections'> {
  const pieces = [...practiceListPieces(value)].map(({ searchText: _, ...piece }) => ({
    offset: 0,
    ...piece,
  }));
  return { ...detailsOfList(value), sections: sectionsOf('', pieces) };
}

const detailsOfList = (value: unknown) => ({
  title: tidyLine(textOrEmpty(Object(value).title)),
  ...extrasOf(value, 'list'),
});

function sectionsOf(text: string, pieces: readonly Piece[]): FoundSection[] {
  const sections: FoundSection[] = [{ name: '', links: [] }];
  let [line, scannedTo] = [1, 0];
  for (const { offset, ...piece } of pieces) {
    for (
      let end = text.indexOf('\n', scannedTo);
      end >= 0 && end < offset;
      end = text.indexOf('\n', scannedTo)
    ) {
      line++;
      scannedTo = end + 1;
    }
    if ('heading' in piece) {
      const { heading: name, ...extras } = piece;
      sections.push({ name, ...extras, links: [] });
    } else sections.at(-1)?.links.push({ line, ...piece });
  }
  return sections.filter(({ links, extras }) => links.length > 0 || moduleOf(extras));
}

const longestLineWithoutLink = 100;

/** `pieces` are in the order of the text. The header line of a table is left out, because it names no problem. */
function* linesWithoutLink(
  text: string,
  pieces: readonly Piece[],
): Generator<FoundText['linesWithoutLink'][number]> {
  let [offset, nextPiece] = [0, 0];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const firstPiece = nextPiece;
    offset += line.length + 1;
    while ((pieces[nextPiece]?.offset ?? offset) < offset) nextPiece++;
    // Excel begins a file with the separator.
    const isHeader = () =>
      tableWithHeader(line) || isHeaderOf(line, lines[index + 1] ?? '') || /^sep=.\s*$/.test(line);
    if (nextPiece === firstPiece && /[\p{L}\p{N}]/u.test(line) && !isHeader())
      yield { line: index + 1, address: tidyLine(line, longestLineWithoutLink) };
  }
}

/** Whether the line below is the first row of a table, or the line of dashes in Markdown. */
function isHeaderOf(line: string, nextLine: string): boolean {
  const { separator = '|' } = tableOfRow(nextLine) ?? {};
  const hasRow = nextLine.includes('://') || /^[\s|:-]*-[\s|:-]*$/.test(nextLine.slice(0, longestRow));
  const countCells = (row: string) => row.split(separator).length;
  return hasRow && line.includes(separator) && countCells(line) === countCells(nextLine);
}

const plainText = (text: string) =>
  tidyLine(
    text
      .replaceAll(/<[^<>]{0,500}>/g, ' ')
      .replaceAll(/!?\[([^[\]]{0,200})\]\([^()]{0,1000}\)/g, '$1')
      .replaceAll(/https?:\/\/\S+/gi, '')
      .replaceAll(/&[#\w]{1,9};/g, decodeEntities)
      .replaceAll(/[*`]{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)/g, '')
      .replace(/[\s#:]+$/, ''),
  );

function* headings(text: string): Generator<Piece> {
  for (const { index, 1: inner = '' } of text.matchAll(
    /<h[1-6]\b[^<>]{0,300}>([\s\S]{0,300}?)<\/h[1-6]\b/gi,
  )) {
    const heading = plainText(inner);
    if (heading) yield { offset: index, heading };
  }
  let offset = 0;
  let previous = { offset, line: '' };
  for (const line of text.split('\n')) {
    const isUnderline = /^ {0,3}(?:={3,}|-{3,})\s*$/.test(line);
    const heading = isUnderline ? underlinedHeading(previous.line) : headingOf(line);
    if (heading) yield { offset: isUnderline ? previous.offset : offset, heading };
    previous = { offset, line };
    offset += line.length + 1;
  }
}

const longestHeading = 300;

function underlinedHeading(line: string): string {
  return line.length > longestHeading || /:\/\/|^\s*[|#<*-]|^\s*$|:\s*$/.test(line) ? '' : plainText(line);
}

/** Recognizes `## Graphs`, `Graphs:` and `**Graphs**`. */
function headingOf(line: string): string {
  if (line.length > longestHeading) return '';
  const [, label] = /^ {0,3}#{1,6}\s+(.+)$/.exec(line) ?? [];
  // A heading with a link is the title of a problem.
  if (label !== undefined) return /:\/\//.test(label) ? '' : plainText(label);
  if (/:\/\//.test(line)) return '';
  const [, boldText] = /^\s*\*\*([^*]+)\*\*:?\s*$/.exec(line) ?? [];
  if (boldText !== undefined) return plainText(boldText);
  return /\S\s{0,3}:\s*(?:<[^<>]{0,100}>\s*)?$/.test(line.slice(-120)) ? plainText(line) : '';
}

const assetFile = /\.(?:png|jpe?g|gif|svg|webp|ico|css|js|woff2?)$/i;

function* links(text: string): Generator<Piece> {
  let offset = 0;
  let header: TitledTable | undefined;
  for (const line of text.split('\n')) {
    if (line === '') {
      header = undefined;
      offset++;
      continue;
    }
    header = tableWithHeader(line) ?? (line.trim() === '' ? undefined : header);
    const table = line.length > longestRow ? undefined : (header ?? tableOfRow(line));
    const cells = table ? cellsIn(line, table.separator) : [{ offset: 0, cell: line }];
    const titleCell = cells[table?.titleColumn ?? -1]?.cell ?? '';
    const rowTitle = titleCell.includes('://')
      ? ''
      : table?.separator === '|'
        ? plainText(titleCell)
        : tidyLine(titleCell);
    for (const { offset: cellOffset, cell } of cells)
      for (const { index, length, address } of addressesIn(cell)) {
        const path = address.split(/[?#]/, 1)[0] ?? '';
        if (assetFile.test(path)) continue;
        const start = offset + cellOffset + index;
        const title = rowTitle || titleAround(text, start, start + length);
        yield { offset: start, address, ...(title && { title }) };
      }
    offset += line.length + 1;
  }
}

/** Returns '' for the text of a link that is no title. */
function titleAround(text: string, start: number, end: number): string {
  const textBefore = text.slice(Math.max(0, start - longestHeading), start);
  const [, slackLabel] =
    (textBefore.endsWith('<') && /^\|([^|<>\n]{1,200})>/.exec(text.slice(end, end + longestHeading))) || [];
  const [, label = slackLabel] = /\[([^[\]\n]{1,200})\]\(<?$/.exec(textBefore) ?? [];
  const isAnchor = /<a\b[^<>]{0,200}\bhref\s{0,3}=\s{0,3}["']?$/i.test(textBefore);
  const textAfter = isAnchor ? text.slice(end, end + 2 * longestHeading) : '';
  const title = plainText(label ?? /^[^<>]{0,200}>([\s\S]{1,300}?)<\/a\b/i.exec(textAfter)?.[1] ?? '');
  const [, host] = text.slice(start, end).toLowerCase().split(/[/:]+/);
  const isHostName = `.${host}.`.includes(`.${title.toLowerCase()}.`);
  return isHostName || !/\p{L}/u.test(title) || /^(?:here|link|practice|problem|solve)$/i.test(title)
    ? ''
    : title;
}

/** Real lists are shallower. The JSON parser recurses for each level. */
const deepestJson = 100;

/** Whether recursing into this JSON could overflow the stack. */
export function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let offset = 0; offset < text.length && depth <= deepestJson; offset++) {
    const character = text[offset];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) offset += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
  }
  return depth > deepestJson;
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || isNestedTooDeep(text)) return undefined;
  // Of JSON lines.
  const isLines = /^\s*\{[^\n]*\}\n\{/.test(text);
  const whole = isLines ? `[${text.replaceAll('}\n{', '},{')}]` : text;
  try {
    return JSON.parse(whole);
  } catch {
    return undefined;
  }
}

function parseListFile(text: string, value: unknown): ParsedFile | undefined {
  if (value === undefined) return undefined;
  const isPracticeList = [listFormat, courseFormat].includes(Object(value).format);
  const entries = isPracticeList
    ? [...practiceListPieces(value)]
    : [atcoderCoursePieces, neetCodePieces, usacoGuidePieces]
        .map((parse) => [...parse(value)])
        .find((all) => all.length > 0);
  if (!entries) return undefined;
  let offset = 0;
  const offsetsByString = offsetsOfStrings(text);
  // Entries follow the order of the text, so each is searched behind the one before.
  const offsetOf = (searchText: string) => {
    const offsets = offsetsByString.get(searchText);
    while (offsets && (offsets.at(-1) ?? offset) < offset) offsets.pop();
    offset = offsets?.pop() ?? offset;
    return offset;
  };
  const pieces = entries.map(
    ({ searchText, ...piece }): Piece => ({ offset: offsetOf(searchText), ...piece }),
  );
  if (!isPracticeList) return { title: '', pieces };
  return { ...detailsOfList(value), pieces };
}

function offsetsOfStrings(text: string): Map<string, number[]> {
  const offsetsByString = new Map<string, number[]>();
  const addOffset = (value: unknown, offset: number) => {
    if (typeof value !== 'string') return;
    const offsets = offsetsByString.get(textOrEmpty(value));
    if (offsets) offsets.push(offset);
    else offsetsByString.set(textOrEmpty(value), [offset]);
  };
  visit(text, { onObjectProperty: addOffset, onLiteralValue: addOffset });
  for (const offsets of offsetsByString.values()) offsets.reverse();
  return offsetsByString;
}

type FilePiece = { searchText: string } & ({ heading: string; extras?: string } | Omit<FoundLink, 'line'>);

const headingPiece = (heading: string): FilePiece => ({ searchText: heading, heading: tidyLine(heading) });

/** JSON escapes can contain characters that no database stores. */
const textOrEmpty = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';

function linkDetails(parts: { source?: string; key?: string; title?: string; memo?: string }) {
  const { source, key, title, memo } = parts;
  return {
    ...(source &&
      key &&
      key.length <= longestKey && { reference: { source: source.slice(0, longestKey), key } }),
    ...(title && { title }),
    ...(memo && { memo: tidyLine(memo) }),
  };
}
const longestKey = 200;

const knownMembers = {
  list: ['format', 'title', 'by', 'updated', 'sections', 'modules'],
  section: ['name', 'problems'],
  module: ['title', 'problems'],
  problem: ['url', 'title', 'memo', 'source', 'key', 'rating', 'tags'],
};
type ListLevel = keyof typeof knownMembers;

/** JSON members of a list that the garden does not know are kept as JSON; undefined if there are none. */
function unknownMembers(value: unknown, part: ListLevel): string | undefined {
  const unknown = Object.entries(Object(value)).filter(([name]) => !knownMembers[part].includes(name));
  return unknown.length === 0 ? undefined : JSON.stringify(Object.fromEntries(unknown));
}

function extrasOf(value: unknown, part: ListLevel) {
  const extras = unknownMembers(value, part);
  return extras === undefined ? {} : { extras };
}

/** Takes text from anywhere, and returns undefined unless it is a JSON object. */
export function parseUnknownMembers(text: unknown, part: ListLevel): string | undefined {
  if (typeof text !== 'string' || !text.startsWith('{') || isNestedTooDeep(text)) return undefined;
  try {
    return unknownMembers(JSON.parse(text), part);
  } catch {
    return undefined;
  }
}

function* practiceListPieces(value: unknown): Generator<FilePiece> {
  const { format, modules, sections } = Object(value);
  const isCourse = format === courseFormat;
  for (const [index, section] of objectsIn(isCourse ? modules : sections).entries()) {
    // A module without an id cannot be needed, but is one.
    const members = isCourse ? Object.assign({ id: String(index + 1) }, section) : section;
    const heading = headingPiece(textOrEmpty(section[isCourse ? 'title' : 'name']));
    yield { ...heading, ...extrasOf(members, isCourse ? 'module' : 'section') };
    const problems = arrayOf(section['problems']);
    for (const one of objectsIn(problems.map((one) => (typeof one === 'string' ? { url: one } : one)))) {
      const [url, source, key] = [
        textOrEmpty(one['url']),
        textOrEmpty(one['source']),
        textOrEmpty(one['key']),
      ];
      const details = linkDetails({
        source,
        key,
        title: textOrEmpty(one['title']),
        memo: textOrEmpty(one['memo']),
      });
      const searchText = url || key;
      if (searchText)
        yield { searchText, address: url || `${source} ${key}`, ...details, ...extrasOf(one, 'problem') };
    }
  }
}

const markdownLinkItem =
  /^- \[((?:\\.|[^\\\]])*)\]\(([^\s<>()]{1,2000})\)(?: `([^`/]+)\/([^`/]+)`)?(?: — (.*))?$/;
const markdownKeyItem = /^- ((?:\\.|[^\\`])*)() `([^`/]+)\/([^`/]+)`(?: — (.*))?$/;

/** The garden's own Markdown. Other lines are read as in any text. */
function parseListMarkdown(text: string): ParsedFile | undefined {
  if (!text.trimStart().startsWith(markdownSignature)) return undefined;
  const pieces: Piece[] = [];
  let title = '';
  let offset = 0;
  for (const line of text.split('\n')) {
    const [, heading] = /^##(?: (.*))?$/.exec(line) ?? [];
    const [, name] = /^# (.*)$/.exec(line) ?? [];
    const found =
      line.length <= longestItem ? (markdownLinkItem.exec(line) ?? markdownKeyItem.exec(line)) : null;
    if (/^##(?: |$)/.test(line)) pieces.push({ offset, heading: tidyLine(unescaped(heading ?? '')) });
    else if (name !== undefined && title === '') title = tidyLine(unescaped(name));
    else if (found) pieces.push({ offset, ...markdownItem(found) });
    else for (const link of links(line)) pieces.push({ ...link, offset: offset + link.offset });
    offset += line.length + 1;
  }
  return { title, pieces };
}
const longestItem = 8000;

const unescaped = (text: string) => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');

function markdownItem([, title = '', url, from = '', name = '', memo = '']: RegExpExecArray): Omit<
  FoundLink,
  'line'
> {
  const [source, key] = [decodePart(from), decodePart(name)];
  const details = { source, key, title: unescaped(title), memo: unescaped(memo) };
  return { address: url || `${source} ${key}`, ...linkDetails(details) };
}

function decodePart(text: string): string {
  try {
    return textOrEmpty(decodeURIComponent(text));
  } catch {
    return text;
  }
}

/** Courses of AtCoder Problems, such as the boot camp. */
function* atcoderCoursePieces(value: unknown): Generator<FilePiece> {
  for (const { title, problems } of objectsIn(Object(value).set_list)) {
    yield headingPiece(textOrEmpty(title));
    for (const { problem_id } of objectsIn(problems)) {
      const key = textOrEmpty(problem_id);
      if (key) yield { searchText: key, address: `AtCoder ${key}`, reference: { source: 'atcoder', key } };
    }
  }
}

/** The problem list of NeetCode, in which each pattern is a module. */
function* neetCodePieces(value: unknown): Generator<FilePiece> {
  const rows = objectsIn(value).filter(({ pattern, link }) => textOrEmpty(pattern) && textOrEmpty(link));
  for (const [pattern, some] of Map.groupBy(rows, (row) => textOrEmpty(row['pattern']))) {
    yield { ...headingPiece(pattern), extras: JSON.stringify({ id: pattern }) };
    for (const row of some) {
      const link = textOrEmpty(row['link']);
      const isUrl = /^https?:/.test(link);
      const address = isUrl ? link : `https://leetcode.com/problems/${link}`;
      yield { searchText: link, address, ...linkDetails({ title: textOrEmpty(row['problem']) }) };
    }
  }
}

function* usacoGuidePieces(value: unknown): Generator<FilePiece> {
  for (const [name, list] of Array.isArray(value) ? [] : Object.entries(Object(value))) {
    const problems = objectsIn(list).filter(({ url }) => textOrEmpty(url) !== '');
    if (problems.length > 0) yield headingPiece(name);
    for (const { url, name: title } of problems)
      yield {
        searchText: textOrEmpty(url),
        address: textOrEmpty(url),
        ...linkDetails({ title: textOrEmpty(title) }),
      };
  }
}

/** Up to this many characters, reading takes less time than starting a thread. */
const charactersWithoutThread = 16_384;

let lastReading: Promise<unknown> = Promise.resolve();

export async function readListTextInThread(text: string): Promise<FoundText | undefined> {
  if (text.length <= charactersWithoutThread) return readListText(text);
  const reading = lastReading.then(async () => {
    const thread = new Worker(new URL('./list-text-thread.ts', import.meta.url), { workerData: text });
    thread.unref();
    const [found] = await once(thread, 'message');
    return found as FoundText | undefined;
  });
  lastReading = reading.catch(() => {});
  return reading;
}
