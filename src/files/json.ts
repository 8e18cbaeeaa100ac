/** Reads JSON documents. They are parsed whole, so their size has a limit; places are computed on demand. */
import { badFile } from '../errors.ts';
import type { Located, Place } from '../files/entries.ts';
import { entriesIn, findFault, parseExact, placeIn } from './json-text.ts';
import { wholeCharacters } from './utf8.ts';

/** Thirty times the largest known catalogue. A parsed document takes about five times its size in memory. */
const documentMiB = 64;
const entriesPerBatch = 1000;

/** The place of the entries in a document, and the caller's reason to refuse it. */
export interface JsonTarget {
  /** The keys from the top of the document to the array or object; empty for the document itself. */
  path: readonly string[];
  /** Returns the sentence with which to refuse a document that has these fields at its top, if any. */
  refuse?: (top: Readonly<Record<string, unknown>>) => string | undefined;
}

type Entries<T> = AsyncGenerator<Located<T>[]>;

/** The elements of the array at the path. Throws badFile if the document is malformed or has no such array. */
export async function* readJsonArray(bytes: AsyncIterable<Uint8Array>, target: JsonTarget): Entries<unknown> {
  const text = await readText(bytes);
  const list = valueAt(text, target);
  if (!Array.isArray(list)) throw otherShape(target.path, 'a list');
  yield* located(text, target.path, list, (at) => at);
}

/** The members of the object at the path, as pairs of key and value. Throws like readJsonArray. */
export async function* readJsonObject(
  bytes: AsyncIterable<Uint8Array>,
  target: JsonTarget,
): Entries<[string, unknown]> {
  const text = await readText(bytes);
  const members = Object.entries(fieldsOf(valueAt(text, target), target.path));
  yield* located(text, target.path, members, (_at, [key]) => key);
}

/** Adds places to values. Most entries are valid and need none, so the text is searched when the first place is needed. */
function* located<T>(
  text: string,
  path: readonly string[],
  values: readonly T[],
  nameOf: (at: number, value: T) => string | number,
): Generator<Located<T>[]> {
  let offsets: ReadonlyMap<string | number, number> | undefined;
  const placeOf = (name: string | number): Place => {
    offsets ??= entriesIn(text, path).offsets;
    return placeIn(text, offsets.get(name) ?? 0);
  };
  for (let start = 0; start < values.length; start += entriesPerBatch) {
    const some = values.slice(start, start + entriesPerBatch);
    yield some.map((value, at) => ({ place: () => placeOf(nameOf(start + at, value)), value }));
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of wholeCharacters(bytes)) {
    pieces.push(piece);
    length += piece.length;
    if (length <= documentMiB * 1024 * 1024) continue;
    throw badFile(
      `The file is larger than ${documentMiB} MiB, the most that is read as one JSON document: write our own rows as NDJSON or CSV, which may have any length, and a judge's list in parts.`,
    );
  }
  return Buffer.concat(pieces).toString();
}

/** The value at the target's path. */
function valueAt(text: string, { path, refuse }: JsonTarget): unknown {
  const start = text.search(/[^\t\n\r ]/);
  if (start === -1) throw badFile('The file is empty: get it again.');
  if (text[start] === '<') throw faultAt(text, start, 'this is a web page, not JSON: get the file itself');
  if (!/[[{]/.test(text.charAt(start))) throw faultAt(text, start, 'this is not a JSON document');
  let value = parsed(text);
  const refusal = Array.isArray(value) ? undefined : refuse?.(value as Record<string, unknown>);
  if (refusal !== undefined) throw badFile(refusal);
  for (const [at, key] of path.entries()) {
    const fields = fieldsOf(value, path.slice(0, at));
    if (!Object.hasOwn(fields, key))
      throw badFile(`The file has no "${path.join('.')}": this is another kind of file.`);
    value = fields[key];
  }
  // JSON.parse takes the last of equal keys, so a repeated key of the path would drop a whole list.
  const mayRepeat = path.some((key) => text.indexOf(`"${key}"`) !== text.lastIndexOf(`"${key}"`));
  const repeated = mayRepeat ? entriesIn(text, path).repeated : undefined;
  if (repeated !== undefined)
    throw faultAt(text, repeated.offset, `"${repeated.key}" stands here a second time`);
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
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
