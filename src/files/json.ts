/** Reads JSON documents. They are parsed whole, so their size has a limit; places are computed on demand. */
import { badFile } from '../errors.ts';
import type { FilePlace, Located } from './entries.ts';
import { entriesIn, findFault, parseExact, placeIn } from './json-text.ts';
import { decoded } from './utf8.ts';

/** Thirty times the largest known catalogue. A parsed document takes about five times its size in memory. */
export const documentMiB = 64;
const entriesPerBatch = 1000;

/** The place of the entries in a document. */
export interface JsonTarget {
  /** The keys from the top of the document to the array or object; empty for the document itself. */
  path: readonly string[];
  /** The entries of an object are pairs of key and value. */
  isObject?: boolean;
  /** Fields that are often written as 1500.0 and whose digits do not matter, which saves time. */
  decimals?: readonly string[];
  /** Returns a sentence if a document with these fields at its top must be refused. */
  refuse?: (top: Readonly<Record<string, unknown>>) => string | undefined;
  /** Adds to the entries what the document says of them elsewhere. */
  complete?: (top: Readonly<Record<string, unknown>>) => void;
}

/** The entries of the target. Throws badFile if there is none; `check` may throw before the text is parsed. */
export async function* readJson(
  bytes: AsyncIterable<Uint8Array>,
  target: JsonTarget,
  check?: (text: string) => void,
): AsyncGenerator<Located<unknown>[]> {
  const text = await readText(bytes);
  check?.(text);
  const { path, isObject = false } = target;
  const found = valueAt(text, target);
  if (!isObject && !Array.isArray(found)) throw otherShape(path, 'a list');
  const values: readonly unknown[] = isObject ? Object.entries(fieldsOf(found, path)) : (found as unknown[]);
  // Most entries are valid and need no place, so the text is searched when the first place is needed.
  let offsets: ReadonlyMap<string | number, number> | undefined;
  const placeOf = (at: number): FilePlace => {
    offsets ??= entriesIn(text, path).offsets;
    const name = isObject ? (values[at] as [string, unknown])[0] : at;
    return placeIn(text, offsets.get(name) ?? 0);
  };
  for (let start = 0; start < values.length; start += entriesPerBatch) {
    const some = values.slice(start, start + entriesPerBatch);
    yield some.map((value, at) => ({ place: () => placeOf(start + at), value }));
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of decoded(bounded(bytes))) pieces.push(piece);
  return pieces.join('');
}

async function* bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > documentMiB * 1024 * 1024)
      throw badFile(
        `The file is larger than ${documentMiB} MiB, the most that is read as one JSON document: write our own rows as NDJSON or CSV, which may have any length, and a judge's list in parts.`,
      );
    yield chunk;
  }
}

function valueAt(text: string, { path, decimals, refuse, complete }: JsonTarget): unknown {
  const start = text.search(/[^\t\n\r ]/);
  if (start === -1) throw badFile('The file is empty: get it again.');
  if (text[start] === '<') throw faultAt(text, start, 'this is a web page, not JSON: get the file itself');
  if (!/[[{]/.test(text.charAt(start))) throw faultAt(text, start, 'this is not a JSON document');
  let value = parsed(text, decimals);
  const refusal = Array.isArray(value) ? undefined : refuse?.(value as Record<string, unknown>);
  if (refusal !== undefined) throw badFile(refusal);
  if (!Array.isArray(value)) complete?.(value as Record<string, unknown>);
  for (const [at, key] of path.entries()) {
    const fields = fieldsOf(value, path.slice(0, at));
    if (!Object.hasOwn(fields, key))
      throw badFile(`The file has no "${path.join('.')}": this is another kind of file.`);
    value = fields[key];
  }
  // JSON.parse takes the last of equal keys, so a repeated key of the path would drop a whole list.
  const mayRepeat = path.some((key) => text.includes(`"${key}"`, text.indexOf(`"${key}"`) + 1));
  const repeated = mayRepeat ? entriesIn(text, path).repeated : undefined;
  if (repeated !== undefined) throw faultAt(text, repeated.offset, `"${repeated.key}" appears twice`);
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
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw otherShape(path, 'an object');
  return value as Record<string, unknown>;
}

function otherShape(path: readonly string[], shape: string): Error {
  const where = path.length === 0 ? 'The document' : `"${path.join('.')}"`;
  return badFile(`${where} is not ${shape}: this is another kind of file.`);
}

function faultAt(text: string, offset: number, wrong: string): Error {
  const { line, column } = placeIn(text, offset);
  return badFile(`Line ${line}, column ${column}: ${wrong}.`);
}
