/** The cursors that say where in an ordered collection the next page begins. */
import { createHash } from 'node:crypto';
import { parseInt64 } from '../contract/common.ts';
import type { Row } from '../contract/rows.ts';
import { AppError, documentedError } from '../errors.ts';
import type { SortField, SortKey, SortValue } from '../store/keyset.ts';
import { firstKeys, type Ordered } from './walks.ts';

/** Of a cursor and of one text in it, in bytes of JSON: a link has to fit into a target beside other parameters. */
const longestCursor = 1500;
const longestText = 150;
const longestStart = 120;

/** A text too long for a cursor: how it starts, and the digest by which it is known again in the row it came from. */
interface LongText {
  start: string;
  digest: string;
}

/** What a cursor says of the row that a page ended with. */
export type Position = readonly (SortValue | LongText)[];

/** Says where a page after this row begins: the collection, the order and all of the row's sort values. */
export function writeCursor(collection: string, keys: readonly SortKey[], row: Row): string {
  const values = keys.map(({ field }) => {
    const value = row[field.name] ?? null;
    return typeof value === 'bigint' ? String(value) : value;
  });
  const whole = JSON.stringify([collection, spell(keys), ...values]);
  if (Buffer.byteLength(whole) <= longestCursor) return Buffer.from(whole).toString('base64url');
  const short = values.map((value) =>
    value !== null && byteLength(value) > longestText ? [startOf(value), digestOf(value)] : value,
  );
  return Buffer.from(JSON.stringify([collection, spell(keys), ...short])).toString('base64url');
}

/** The sort values in a cursor. Throws malformedCursor where it is not one of this collection and order. */
export function readCursor(cursor: string, collection: string, keys: readonly SortKey[]): Position {
  const parts = parseCursor(cursor);
  if (parts?.length === keys.length + 2 && parts[0] === collection && parts[1] === spell(keys)) {
    const values = keys.map((key, place) => readSortValue(key.field, parts[place + 2]));
    if (values.every((value) => value !== undefined)) return values;
  }
  throw documentedError('malformedCursor');
}

/**
 * The sort values that the page begins after; fewer than there are keys mean: after all rows that have these. A long
 * text is taken from the row that the cursor was made of. Where that row has gone or changed, its start says enough as
 * long as no other row's text starts alike; else the walk cannot go on without missing or repeating a row, and
 * malformedCursor is thrown.
 */
export async function beginAfter(position: Position, ordered: Ordered): Promise<readonly SortValue[]> {
  const place = position.findIndex(isLongText);
  const long = position[place];
  const { collection, keys, db } = ordered;
  const key = keys[place];
  if (!isLongText(long) || !key) return position as readonly SortValue[];
  const idOf = (name: string) => position[keys.findIndex(({ field }) => field.name === name)];
  const { find, ties } = collection;
  const row =
    find &&
    (await find(
      db,
      ties.map((name) => idOf(name) as bigint),
    ));
  const texts = keys.map(({ field }) => row?.[field.name] ?? null);
  const isSame = position.every(
    (value, at) => !isLongText(value) || (texts[at] !== null && digestOf(String(texts[at])) === value.digest),
  );
  if (isSame) return position.map((value, at) => (isLongText(value) ? (texts[at] ?? null) : value));
  const before = position.slice(0, place) as SortValue[];
  // Beyond every text that starts so, or before them all: either way the first row found is one of them, if there are any.
  const after = [...before, key.isDescending ? `${long.start}\u{10ffff}` : long.start];
  const [next] = await firstKeys(ordered, after, 1);
  const isAlike =
    next !== undefined &&
    before.every((value, at) => next[keys[at]?.field.name ?? ''] === value) &&
    String(next[key.field.name] ?? '').startsWith(long.start);
  if (!isAlike) return after;
  throw new AppError(
    'malformedCursor',
    'The row that this cursor was made of has gone or changed, and others are too like it; begin again without "cursor".',
  );
}

function parseCursor(cursor: string): unknown[] | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function readSortValue(field: SortField, value: unknown): SortValue | LongText | undefined {
  if (value === null) return field.isNullable ? null : undefined;
  if (field.kind === 'text' && Array.isArray(value) && value.length === 2) {
    const [start, digest] = value;
    return isText(start) && isText(digest) ? { start, digest } : undefined;
  }
  if (!isText(value)) return undefined;
  return field.kind === 'integer' ? parseInt64(value) : value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isLongText(value: SortValue | LongText | undefined): value is LongText {
  return typeof value === 'object' && value !== null;
}

/** As much of a text's beginning as fits, never half a surrogate pair. */
function startOf(text: string): string {
  let start = text.slice(0, longestStart);
  while (byteLength(start) > longestStart || !start.isWellFormed()) start = start.slice(0, -1);
  return start;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}

function byteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The keys as a cursor names them. */
function spell(keys: readonly SortKey[]): string {
  return keys.map(({ field, isDescending }) => (isDescending ? '-' : '') + field.name).join();
}
