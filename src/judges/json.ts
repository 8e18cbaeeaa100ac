/**
 * One JSON document of any size, read as a stream: the entries of one array or object in it are parsed,
 * everything else is skipped but has to be closed properly. Memory holds one batch, never the file.
 */
import {
  byteOf,
  type Cursor,
  grow,
  openCursor,
  passBlanks,
  passValue,
  placeOf,
  refill,
  takeText,
} from './json-cursor.ts';
import { elements } from './json-elements.ts';
import { faultAt, parseAt } from './json-text.ts';
import type { Located } from './judge.ts';
import { badFile } from './utf8.ts';

/** Where the entries are, and what the caller knows about documents that are of no use. */
export interface JsonTarget {
  /** The keys that lead from the top of the document to the array or object; none for the document itself. */
  path: readonly string[];
  /** Given the strings, numbers and literals at the top of the document: the sentence to refuse it with, if any. */
  refuse?: (scalars: Record<string, unknown>) => string | undefined;
}

type Entries<T> = AsyncGenerator<Located<T>[]>;

const batchEntries = 500;
const { quote, comma, colon, openBracket, openBrace, closeBrace } = byteOf;

/** The elements of the array at the path. Throws badFile when the document is not sound or has no such array. */
export function readJsonArray(bytes: AsyncIterable<Uint8Array>, target: JsonTarget): Entries<unknown> {
  return readDocument(bytes, target, openBracket, elements);
}

/** The members of the object at the path, as pairs of key and value. Throws like readJsonArray. */
export function readJsonObject(
  bytes: AsyncIterable<Uint8Array>,
  target: JsonTarget,
): Entries<[string, unknown]> {
  return readDocument(bytes, target, openBrace, members);
}

async function* readDocument<T>(
  bytes: AsyncIterable<Uint8Array>,
  { path, refuse }: JsonTarget,
  opener: number,
  entriesAt: (cursor: Cursor) => Entries<T>,
): Entries<T> {
  const cursor = openCursor(bytes);
  const scalars: Record<string, unknown> = {};
  let isFound = false;

  async function* descend(depth: number): Entries<T> {
    const expected = depth === path.length ? opener : openBrace;
    if ((await byteAt(cursor)) !== expected) {
      const where = depth === 0 ? 'The document' : `"${path.slice(0, depth).join('.')}"`;
      const shape = expected === openBrace ? 'an object' : 'a list';
      throw badFile(refuse?.(scalars) ?? `${where} is not ${shape}: this is another kind of file.`);
    }
    if (depth === path.length) {
      isFound = true;
      yield* entriesAt(cursor);
      return;
    }
    cursor.at++;
    for (let key = await nextKey(cursor, true); key !== undefined; key = await nextKey(cursor, false)) {
      const byte = await byteAt(cursor);
      if (key === path[depth]) {
        if (isFound) throw faultAt(placeOf(cursor), `"${key}" stands here a second time`);
        yield* descend(depth + 1);
      } else if (depth > 0 || byte === openBrace || byte === openBracket) {
        while (!passValue(cursor)) await refill(cursor);
      } else {
        scalars[key] = await takeValue(cursor);
      }
    }
  }

  try {
    if (!(await hasMore(cursor))) throw badFile('The file is empty: get it again.');
    const first = await byteAt(cursor);
    if (first !== openBrace && first !== openBracket) throw notJson(cursor, first);
    yield* descend(0);
    if (await hasMore(cursor))
      throw faultAt(placeOf(cursor), 'the JSON document has ended, but the file goes on');
  } finally {
    await cursor.source.return?.();
  }
  const refusal = refuse?.(scalars);
  if (refusal !== undefined) throw badFile(refusal);
  if (!isFound) throw badFile(`The file has no "${path.join('.')}": this is another kind of file.`);
}

async function* members(cursor: Cursor): Entries<[string, unknown]> {
  let batch: Located<[string, unknown]>[] = [];
  cursor.at++;
  for (let key = await nextKey(cursor, true); key !== undefined; key = await nextKey(cursor, false)) {
    const { line, column } = placeOf(cursor);
    batch.push({ line, column, value: [key, await takeValue(cursor)] });
    if (batch.length < batchEntries) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Moves to the start of the next entry; false when the list closes instead. */
async function nextEntry(cursor: Cursor, isFirst: boolean, closer: number): Promise<boolean> {
  const byte = await byteAt(cursor);
  if (byte === closer) {
    cursor.at++;
    return false;
  }
  if (isFirst) return true;
  if (byte !== comma) throw faultAt(placeOf(cursor), `expected ',' or '${String.fromCharCode(closer)}'`);
  cursor.at++;
  await byteAt(cursor);
  return true;
}

/** Takes the next key with its colon and moves to the start of its value; undefined when the object closes instead. */
async function nextKey(cursor: Cursor, isFirst: boolean): Promise<string | undefined> {
  if (!(await nextEntry(cursor, isFirst, closeBrace))) return undefined;
  if (cursor.window[cursor.at] !== quote) throw faultAt(placeOf(cursor), 'expected a key in double quotes');
  const key = await takeValue(cursor);
  if ((await byteAt(cursor)) !== colon) throw faultAt(placeOf(cursor), "expected ':'");
  cursor.at++;
  await byteAt(cursor);
  return String(key);
}

async function takeValue(cursor: Cursor): Promise<unknown> {
  const start = placeOf(cursor);
  return parseAt(await takeText(cursor), start);
}

/** The byte at the cursor behind any white space, where the document cannot end yet. */
async function byteAt(cursor: Cursor): Promise<number | undefined> {
  while (!passBlanks(cursor)) await refill(cursor);
  return cursor.window[cursor.at];
}

async function hasMore(cursor: Cursor): Promise<boolean> {
  while (!passBlanks(cursor)) if (!(await grow(cursor))) return false;
  return true;
}

function notJson(cursor: Cursor, first: number | undefined): Error {
  const isPage = first === '<'.charCodeAt(0);
  return faultAt(
    placeOf(cursor),
    isPage ? 'this is a web page, not JSON: get the file itself' : 'this is not a JSON document',
  );
}
