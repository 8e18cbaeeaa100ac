/** Reads JSON documents and NDJSON, and finds places in them only when needed. */
import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { localizedError, localizedText, type Message, type MessageValue, message } from '../errors.ts';
import { boundBlankLines, type Entry, type FilePlace, type Located } from './entries.ts';
import { decodeUtf8 } from './text.ts';

const nestingMax = 1000;
const strict = { disallowComments: true, allowTrailingComma: false };

/** Numbers that JavaScript would write differently, such as 1.0 and 2^53 + 1, stay raw JSON, except in `decimals`. */
export function parseExact(text: string, decimals: readonly string[] = []): unknown {
  const fields = decimals.join('|');
  const inexact = inexactPatterns.get(fields) ?? inexactPattern(fields);
  inexactPatterns.set(fields, inexact);
  // A reviver makes parsing ten times slower, so most texts get none.
  return inexact.test(text) ? JSON.parse(text, preserveDigits) : JSON.parse(text);
}

const inexactPatterns = new Map<string, RegExp>();

function inexactPattern(fields: string): RegExp {
  const number = String.raw`(?:^|"\s*:|[,[])\s*(?:-0|-?\d+[.eE]|-?\d{16})`;
  // Quotes inside JSON strings are escaped, so `"points":` can only be a key.
  const wholeDecimals = fields === '' ? '' : String.raw`(?<!"(?:${fields})":\s*\d+\.(?=0[,}\s]))`;
  // The pattern looks for what is rare: starting at every number takes twice as long.
  return new RegExp(String.raw`(?:-0|\d[.eE]|(?<!\d)\d{16})(?<=${number})${wholeDecimals}`);
}

function preserveDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const isExact = Number.isSafeInteger(value)
    ? String(value) === source
    : value % 1 !== 0 && Number.isFinite(value);
  return isExact ? value : JSON.rawJSON(source);
}

function placeIn(text: string, offset: number): FilePlace {
  const before = text.slice(0, offset);
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
  return { line, column: Buffer.byteLength(before.slice(before.lastIndexOf('\n') + 1)) + 1 };
}

export function findFault(text: string): { offset: number; wrong: Message } {
  let fault: { offset: number; wrong: Message } | undefined;
  const onError: JSONVisitor['onError'] = (code, offset, length) => {
    fault ??= { offset, wrong: wrongAt(text, printParseErrorCode(code), offset, length) };
  };
  const onValue = (offset: number, path: JSONPath) => {
    if (path.length >= nestingMax)
      fault ??= { offset, wrong: message('jsonText.nested', { most: nestingMax }) };
  };
  walk(text, { onError }, onValue);
  return fault ?? { offset: 0, wrong: message('jsonText.none') };
}

const codes = [
  'InvalidSymbol',
  'PropertyNameExpected',
  'ValueExpected',
  'EndOfFileExpected',
  'InvalidCommentToken',
  'UnexpectedEndOfString',
  'UnexpectedEndOfNumber',
  'InvalidUnicode',
  'InvalidEscapeCharacter',
  'InvalidCharacter',
] as const;

function wrongAt(text: string, code: string, offset: number, length: number): Message {
  const end = text.trimEnd().length;
  const token = text.slice(offset, offset + 12);
  const isIncomplete =
    /^(?:Unexpected|InvalidUnicode)/.test(code) || /^(?:-|tr?u?|fa?l?s?|nu?l?)\s*$/.test(token);
  if (offset >= end || (isIncomplete && offset + length >= end)) return message('jsonText.cut');
  const found = JSON.stringify(token);
  if (code === 'ColonExpected') return message('jsonText.colon', { colon: "':'", found });
  if (code === 'CommaExpected') return message('jsonText.comma', { comma: "','", found });
  return message(`json.${codes.find((one) => one === code) ?? 'Other'}`, { found });
}

function offsetsIn(text: string, path: readonly string[]) {
  const offsets = new Map<string | number, number>();
  const depths = new Set<number>();
  let repeated: { key: string; offset: number } | undefined;
  const isOnPath = (place: JSONPath) => path.every((key, at) => at >= place.length || place[at] === key);
  const onObjectProperty: JSONVisitor['onObjectProperty'] = (key, offset, ...[, , , pathOf]) => {
    const parentPath = pathOf();
    if (path[parentPath.length] !== key || !isOnPath(parentPath)) return;
    if (depths.has(parentPath.length)) repeated ??= { key, offset };
    depths.add(parentPath.length);
  };
  walk(text, { onObjectProperty }, (offset, place) => {
    const entry = place[path.length];
    if (entry !== undefined && place.length === path.length + 1 && isOnPath(place))
      offsets.set(entry, offset);
  });
  return { offsets, repeated };
}

/** Values deeper than the stack are skipped. */
function walk(text: string, visitor: JSONVisitor, onValue: (offset: number, path: JSONPath) => void): void {
  const begin: JSONVisitor['onArrayBegin'] = (offset, _length, _line, _column, pathOf) =>
    onValue(offset, pathOf());
  const onLiteralValue: JSONVisitor['onLiteralValue'] = (_value, ...place) => begin(...place);
  try {
    visit(text, { ...visitor, onObjectBegin: begin, onArrayBegin: begin, onLiteralValue }, strict);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Thirty times the largest known catalogue; parsing takes five times as much memory. */
export const documentMiB = 64;
const entriesPerBatch = 1000;

/** Where the entries of a JSON file are. */
export interface JsonLayout {
  path: readonly string[];
  /** Whether the entries are the fields of an object, not a list. */
  isObject?: boolean;
  /** Whether the file may be a TypeScript module that exports the value. */
  mayBeModule?: boolean;
  /** Fields whose digits do not matter, such as 1500.0; they save the reviver. */
  decimals?: readonly string[];
  errorOf?: (top: Readonly<Record<string, unknown>>) => Error | undefined;
  preprocess?: (top: Readonly<Record<string, unknown>>) => void;
}

/** Throws badFile, and what `check` throws. */
export async function* readJson(
  bytes: AsyncIterable<Uint8Array>,
  target: JsonLayout,
  check?: (text: string) => void,
): AsyncGenerator<Located<unknown>[]> {
  const { path, isObject = false, mayBeModule = false } = target;
  const source = await readText(bytes);
  const text = mayBeModule ? valueOfModule(source) : source;
  check?.(text);
  const value = valueAt(text, target);
  if (!isObject && !Array.isArray(value)) throw otherShape(path, 'list');
  const values: readonly unknown[] = isObject ? Object.entries(fieldsOf(value, path)) : (value as unknown[]);
  let offsets: ReadonlyMap<string | number, number> | undefined;
  const placeOf = (at: number): FilePlace => {
    offsets ??= offsetsIn(text, path).offsets;
    const name = isObject ? (values[at] as [string, unknown])[0] : at;
    return placeIn(text, offsets.get(name) ?? 0);
  };
  for (let start = 0; start < values.length; start += entriesPerBatch) {
    const batch = values.slice(start, start + entriesPerBatch);
    yield batch.map((value, at) => ({ place: () => placeOf(start + at), value }));
  }
}

/** Blanks replace the code, so that places stay the same. */
function valueOfModule(text: string): string {
  const [code] = /^\s*export const \w+ =\s*(?=[[{])/.exec(text) ?? [];
  if (code === undefined) return text;
  return code.replaceAll(/\S/g, ' ') + text.slice(code.length).replace(/;\s*$/, '');
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const texts: string[] = [];
  for await (const piece of decodeUtf8(bounded(bytes))) texts.push(piece);
  return texts.join('');
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > documentMiB * 1024 * 1024) throw localizedError('badFile.jsonLarge', { most: documentMiB });
    yield chunk;
  }
}

function valueAt(text: string, { path, decimals, errorOf, preprocess }: JsonLayout): unknown {
  const start = text.search(/[^\t\n\r ]/);
  if (start === -1) throw localizedError('badFile.empty');
  if (text[start] === '<') throw faultAt(text, start, message('jsonText.webPage'));
  if (!/[[{]/.test(text.charAt(start))) {
    const [found = ''] = /^.{1,60}/.exec(text.slice(start)) ?? [];
    throw faultAt(text, start, message('jsonText.noDocument', { found: JSON.stringify(found) }));
  }
  let value = parsed(text, decimals);
  const documentError = Array.isArray(value) ? undefined : errorOf?.(value as Record<string, unknown>);
  if (documentError !== undefined) throw documentError;
  if (!Array.isArray(value)) preprocess?.(value as Record<string, unknown>);
  for (const [at, key] of path.entries()) {
    const fields = fieldsOf(value, path.slice(0, at));
    if (!Object.hasOwn(fields, key)) throw localizedError('badFile.jsonNoPath', { path: path.join('.') });
    value = fields[key];
  }
  // JSON.parse takes the last of equal keys, which would drop a whole list.
  const mayRepeat = path.some((key) => text.includes(`"${key}"`, text.indexOf(`"${key}"`) + 1));
  const repeated = mayRepeat ? offsetsIn(text, path).repeated : undefined;
  if (repeated !== undefined)
    throw faultAt(text, repeated.offset, message('jsonText.twice', { key: repeated.key }));
  return value;
}

function parsed(text: string, decimals: readonly string[] | undefined): unknown {
  try {
    return parseExact(text, decimals);
  } catch {
    const { offset, wrong } = findFault(text);
    throw faultAt(text, offset, wrong);
  }
}

function fieldsOf(value: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw otherShape(path, 'object');
  return value as Record<string, unknown>;
}

function otherShape(path: readonly string[], shape: 'list' | 'object'): Error {
  const where: MessageValue = path.length === 0 ? message('field.document') : `"${path.join('.')}"`;
  return localizedError(`badFile.jsonNo.${shape}`, { where });
}

function faultAt(text: string, offset: number, wrong: Message): Error {
  const { line, column } = placeIn(text, offset);
  return localizedError('badFile.json', { line, column, wrong });
}

const lineLengthMax = 1024 * 1024;

export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Entry<unknown>[]> {
  let rest = '';
  let line = 1;
  let blankLines = 0;
  for await (const text of decodeUtf8(bytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    refuseLong(rest, line + lines.length);
    const batch: Entry<unknown>[] = [];
    for (const [index, one] of lines.entries()) {
      const entry = entryOfLine(one, line + index);
      if (entry) batch.push(entry);
      else boundBlankLines(++blankLines);
    }
    line += lines.length;
    if (batch.length > 0) yield batch;
  }
  const last = entryOfLine(rest, line);
  if (last) yield [last];
}

function entryOfLine(text: string, line: number): Entry<unknown> | undefined {
  refuseLong(text, line);
  const start = text.search(/[^\t\r ]/);
  if (start === -1) return undefined;
  try {
    return { place: () => ({ line, column: start + 1 }), value: parseExact(text) };
  } catch {
    const { offset, wrong } = findFault(text);
    const column = Buffer.byteLength(text.slice(0, offset)) + 1;
    return { place: () => ({ line, column }), bad: localizedText(message('badRow.json', { wrong })) };
  }
}

function refuseLong(text: string, line: number): void {
  if (text.length > lineLengthMax) throw localizedError('badFile.ndjsonLong', { line });
}
