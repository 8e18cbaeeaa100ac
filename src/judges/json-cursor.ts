/** A window that moves over the bytes of a JSON document: finds where values end, knows line and column, holds only what it must. */
import type { AppError } from '../errors.ts';
import { faultAt, type Place } from './json-text.ts';
import { wholeCharacters } from './utf8.ts';

const valueBytesMax = 1024 * 1024;
const nestingMax = 1000;

/** The bytes of JSON's punctuation. */
export const byteOf = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  newline: 0x0a,
} as const;

const { quote, comma, colon, openBracket, backslash, closeBracket, openBrace, closeBrace, newline } = byteOf;
const punctuation: ReadonlySet<number> = new Set([
  quote,
  comma,
  colon,
  openBracket,
  closeBracket,
  openBrace,
  closeBrace,
]);
const isBlank = byteTable((byte) => byte === 0x20 || byte === 0x09 || byte === newline || byte === 0x0d);
/** Bytes that a string or a bare word (number, true, null) runs over without a second look. */
const isInString = byteTable((byte) => byte >= 0x20 && byte !== quote && byte !== backslash);
const isInWord = byteTable((byte) => !isBlank[byte] && !punctuation.has(byte));
/** Bytes that change nothing between the strings of an array or object. */
const isIdle = byteTable(
  (byte) => byte !== newline && (!punctuation.has(byte) || byte === comma || byte === colon),
);

export interface Cursor {
  source: AsyncIterator<Buffer>;
  window: Buffer;
  at: number;
  /** A refill drops what lies before this and before `at`: the start of the value being taken, or Infinity. */
  keepFrom: number;
  /** How many bytes of the document went before the window. */
  passed: number;
  line: number;
  /** Offset in the document of the first byte of the line. */
  lineStart: number;
  /** Where passValue stood when the window ended: it may be in the middle of anything. */
  mode: 'between' | 'string' | 'escape' | 'word';
  /** The brackets that the value still has to close, innermost last. */
  closers: number[];
}

export function openCursor(bytes: AsyncIterable<Uint8Array>): Cursor {
  return {
    source: wholeCharacters(bytes)[Symbol.asyncIterator](),
    window: Buffer.alloc(0),
    at: 0,
    keepFrom: Number.POSITIVE_INFINITY,
    passed: 0,
    line: 1,
    lineStart: 0,
    mode: 'between',
    closers: [],
  };
}

export function placeOf(cursor: Cursor): Place {
  return { line: cursor.line, column: cursor.passed + cursor.at - cursor.lineStart + 1 };
}

/** Lets one more piece into the window; false at the end of the document. */
export async function grow(cursor: Cursor): Promise<boolean> {
  const next = await cursor.source.next();
  if (next.done) return false;
  const dropped = Math.min(cursor.keepFrom, cursor.at);
  const kept = cursor.window.subarray(dropped);
  cursor.window = kept.length === 0 ? next.value : Buffer.concat([kept, next.value]);
  cursor.passed += dropped;
  cursor.at -= dropped;
  cursor.keepFrom -= dropped;
  return true;
}

/** Lets one more piece into the window where the document cannot end yet. */
export async function refill(cursor: Cursor): Promise<void> {
  if (await grow(cursor)) return;
  throw faultAt(
    placeOf(cursor),
    'the file ends here, in the middle of its JSON: it was cut short, so get it again',
  );
}

/** Moves over white space; true when a byte stands at the cursor, false when the window ended first. */
export function passBlanks(cursor: Cursor): boolean {
  const { window } = cursor;
  let at = cursor.at;
  while (at < window.length && isBlank[window[at] as number]) {
    if (window[at] === newline) {
      cursor.line++;
      cursor.lineStart = cursor.passed + at + 1;
    }
    at++;
  }
  cursor.at = at;
  return at < window.length;
}

/**
 * Moves over the rest of one value; false when the window ended first: refill and call again.
 * Follows strings and brackets only; whether the grammar holds inside is for JSON.parse to say.
 */
export function passValue(cursor: Cursor): boolean {
  const { window, closers } = cursor;
  const end = window.length;
  let { at, mode } = cursor;
  let isWhole = false;
  while (at < end && !isWhole) {
    if (mode === 'string') {
      while (at < end && isInString[window[at] as number]) at++;
      if (at === end) break;
      const byte = window[at++] as number;
      if (byte < 0x20) throw faultBefore(cursor, at, 'a string holds a raw control character or line break');
      mode = byte === quote ? 'between' : 'escape';
      isWhole = byte === quote && closers.length === 0;
    } else if (mode === 'escape') {
      at++;
      mode = 'string';
    } else if (mode === 'word') {
      while (at < end && isInWord[window[at] as number]) at++;
      isWhole = at < end;
    } else {
      if (closers.length > 0) while (at < end && isIdle[window[at] as number]) at++;
      if (at === end) break;
      const byte = window[at++] as number;
      if (byte === quote) {
        mode = 'string';
      } else if (byte === openBrace || byte === openBracket) {
        closers.push(byte + 2); // In ASCII each closing bracket stands two after its opening one.
        if (closers.length > nestingMax)
          throw faultBefore(cursor, at, `nested deeper than ${nestingMax} levels`);
      } else if (byte === newline) {
        cursor.line++;
        cursor.lineStart = cursor.passed + at;
      } else if (closers.length > 0 && byte === closers[closers.length - 1]) {
        closers.pop();
        isWhole = closers.length === 0;
      } else if (closers.length === 0 && isInWord[byte]) {
        mode = 'word';
      } else {
        throw faultBefore(cursor, at, `expected ${nameOf(closers.at(-1))}, found ${nameOf(byte)}`);
      }
    }
  }
  cursor.at = at;
  cursor.mode = isWhole ? 'between' : mode;
  return isWhole;
}

/** The text of the value at the cursor, which moves behind it. */
export async function takeText(cursor: Cursor): Promise<string> {
  const start = placeOf(cursor);
  cursor.keepFrom = cursor.at;
  for (let isWhole = false; !isWhole; ) {
    isWhole = passValue(cursor);
    checkSize(cursor, start);
    if (!isWhole) await refill(cursor);
  }
  const text = cursor.window.toString('utf8', cursor.keepFrom, cursor.at);
  cursor.keepFrom = Number.POSITIVE_INFINITY;
  return text;
}

/** Refuses a value that is kept whole and would fill the memory. */
export function checkSize(cursor: Cursor, start: Place): void {
  if (cursor.at - cursor.keepFrom > valueBytesMax)
    throw faultAt(start, 'one value here is larger than 1 MiB');
}

/** A fault at the byte just before `at`, for a scan that has run ahead of the cursor. */
function faultBefore(cursor: Cursor, at: number, wrong: string): AppError {
  cursor.at = at - 1;
  return faultAt(placeOf(cursor), wrong);
}

function nameOf(byte: number | undefined): string {
  return byte === undefined ? 'a value' : `'${String.fromCharCode(byte)}'`;
}

function byteTable(holds: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0));
}
