/** The text of one JSON value: parsed without losing digits, or explained where it stops being JSON (RFC 8259). */
import type { AppError } from '../errors.ts';
import { badFile } from './utf8.ts';

/** Counted from 1; the column in bytes. */
export interface Place {
  line: number;
  column: number;
}

export function faultAt({ line, column }: Place, wrong: string): AppError {
  return badFile(`Line ${line}, column ${column}: ${wrong}.`);
}

/**
 * JSON.parse, but an integer that a JavaScript number would change stays as it is written, as raw JSON: 1.0 and 1e3 are
 * no ids, and 2^53 + 1 is not 2^53. Throws SyntaxError.
 */
export function parseExact(text: string): unknown {
  // A reviver makes parsing ten times slower, so it is kept for texts with a point, an exponent, -0 or 16 digits.
  const isPlain = !/(?:^|"\s*:|[,[])\s*(?:-0|-?\d+[.eE]|-?\d{16})/.test(text);
  return isPlain ? JSON.parse(text) : JSON.parse(text, keepDigits);
}

/** The value of a text that starts at a place of its file. Throws badFile with the place where the text goes wrong. */
export function parseAt(text: string, start: Place): unknown {
  try {
    return parseExact(text);
  } catch {
    const { offset, wrong } = findFault(text);
    const lines = text.slice(0, offset).split('\n');
    const column = Buffer.byteLength(lines.at(-1) ?? '') + (lines.length === 1 ? start.column : 1);
    throw faultAt({ line: start.line + lines.length - 1, column }, wrong);
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const isKept = Number.isSafeInteger(value)
    ? String(value) === source
    : value % 1 !== 0 && Number.isFinite(value);
  return isKept ? value : JSON.rawJSON(source);
}

const blanks = /[\t\n\r ]*/y;
const token =
  /[{}[\]:,]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Where a text that JSON.parse refused goes wrong. Own code, because V8 names the place only in some messages. */
export function findFault(text: string): { offset: number; wrong: string } {
  const closers: string[] = [];
  let expects = 'a value';
  let at = 0;
  for (;;) {
    at = matchAt(blanks, text, at);
    const end = matchAt(token, text, at);
    const first = end > at ? text.charAt(at) : '';
    const closer = closers.at(-1);
    const isKey = expects.startsWith('a key');
    if (expects.endsWith(`'${closer}'`) && first === closer) {
      closers.pop();
      expects = afterValue(closers);
    } else if (expects.startsWith("','") && first === ',') {
      expects = closer === '}' ? 'a key' : 'a value';
    } else if (expects === "':'" && first === ':') {
      expects = 'a value';
    } else if (isKey && first === '"') {
      expects = "':'";
    } else if (expects.startsWith('a value') && (first === '{' || first === '[')) {
      closers.push(first === '{' ? '}' : ']');
      expects = first === '{' ? "a key or '}'" : "a value or ']'";
    } else if (expects.startsWith('a value') && /["\-\dtfn]/.test(first)) {
      expects = afterValue(closers);
    } else {
      const found = at < text.length ? `found ${JSON.stringify(text.slice(at, at + 12))}` : 'found the end';
      return { offset: at, wrong: `expected ${expects}, ${found}` };
    }
    at = end;
  }
}

function afterValue(closers: string[]): string {
  return closers.length === 0 ? 'the end' : `',' or '${closers.at(-1)}'`;
}

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
