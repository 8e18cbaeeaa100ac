/** JSON texts (RFC 8259): parses them without losing digits, and finds the places of values and faults. */
import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import type { FilePlace } from './entries.ts';

const nestingMax = 1000;
const strict = { disallowComments: true, allowTrailingComma: false };

/**
 * JSON.parse, except that integers which JavaScript would write differently, such as 1.0 and 2^53 + 1, stay raw JSON. Those of
 * the fields in `decimals` may come as numbers.
 */
export function parseExact(text: string, decimals: readonly string[] = []): unknown {
  const fields = decimals.join('|');
  const inexact = inexactBy.get(fields) ?? inexactBeside(fields);
  inexactBy.set(fields, inexact);
  // A reviver makes parsing ten times slower, so only texts with a point, an exponent, -0 or 16 digits get one.
  return inexact.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** Patterns by the fields whose digits do not matter, because each line of a file asks for one. */
const inexactBy = new Map<string, RegExp>();

function inexactBeside(fields: string): RegExp {
  const number = String.raw`(?:^|"\s*:|[,[])\s*(?:-0|-?\d+[.eE]|-?\d{16})`;
  // In a JSON string every quote is escaped, so `"points":` can only be a key.
  const whole = fields === '' ? '' : String.raw`(?<!"(?:${fields})":\s*\d+\.(?=0[,}\s]))`;
  // It begins with what is rare: to look at the beginning of every number takes twice as long.
  return new RegExp(String.raw`(?:-0|\d[.eE]|(?<!\d)\d{16})(?<=${number})${whole}`);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  const isKept = Number.isSafeInteger(value)
    ? String(value) === source
    : value % 1 !== 0 && Number.isFinite(value);
  return isKept ? value : JSON.rawJSON(source);
}

export function placeIn(text: string, offset: number): FilePlace {
  const before = text.slice(0, offset);
  let line = 1;
  for (let at = before.indexOf('\n'); at !== -1; at = before.indexOf('\n', at + 1)) line++;
  return { line, column: Buffer.byteLength(before.slice(before.lastIndexOf('\n') + 1)) + 1 };
}

/** The first fault in a text that JSON.parse refused. V8 names its place in some messages only. */
export function findFault(text: string): { offset: number; wrong: string } {
  let fault: { offset: number; wrong: string } | undefined;
  const onError: JSONVisitor['onError'] = (code, offset, length) => {
    fault ??= { offset, wrong: wrongAt(text, printParseErrorCode(code), offset, length) };
  };
  const onValue = (offset: number, path: JSONPath) => {
    if (path.length >= nestingMax) fault ??= { offset, wrong: `nested deeper than ${nestingMax} levels` };
  };
  walk(text, { onError }, onValue);
  return fault ?? { offset: 0, wrong: 'this is not JSON' };
}

const expectations: Readonly<Record<string, string>> = {
  InvalidSymbol: 'expected a value or a key in double quotes',
  PropertyNameExpected: 'expected a key in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: "expected ':'",
  CommaExpected: "expected ',' or the closing bracket",
  EndOfFileExpected: 'the JSON has ended, but the text goes on',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfString: 'a text is not closed in its line',
  UnexpectedEndOfNumber: 'a number lacks its last digits',
  InvalidUnicode: 'a text has a \\u without four hexadecimal digits',
  InvalidEscapeCharacter: 'a text has a backslash before a character that needs none',
  InvalidCharacter: 'a text holds a raw control character',
};

function wrongAt(text: string, code: string, offset: number, length: number): string {
  const end = text.trimEnd().length;
  const token = text.slice(offset, offset + 12);
  const isBegun = /^(?:Unexpected|InvalidUnicode)/.test(code) || /^(?:-|tr?u?|fa?l?s?|nu?l?)\s*$/.test(token);
  if (offset >= end || (isBegun && offset + length >= end))
    return 'the JSON ends here, in the middle: it was cut short, so get it again';
  return `${expectations[code] ?? 'this is not JSON'}, found ${JSON.stringify(token)}`;
}

/** The offsets of the values in the array or object at a path, by index or key, and a key of the path that occurs twice. */
export function entriesIn(text: string, path: readonly string[]) {
  const offsets = new Map<string | number, number>();
  const seen = new Set<number>();
  let repeated: { key: string; offset: number } | undefined;
  const isOnPath = (place: JSONPath) => path.every((key, at) => at >= place.length || place[at] === key);
  const onObjectProperty: JSONVisitor['onObjectProperty'] = (
    key,
    offset,
    _length,
    _line,
    _column,
    pathOf,
  ) => {
    const holder = pathOf();
    if (path[holder.length] !== key || !isOnPath(holder)) return;
    if (seen.has(holder.length)) repeated ??= { key, offset };
    seen.add(holder.length);
  };
  walk(text, { onObjectProperty }, (offset, place) => {
    const entry = place[path.length];
    if (entry !== undefined && place.length === path.length + 1 && isOnPath(place))
      offsets.set(entry, offset);
  });
  return { offsets, repeated };
}

/** Visits the values of a text with their paths. The stack allows several times `nestingMax` levels; the rest is left out. */
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
