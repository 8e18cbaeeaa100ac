/** Cursors: where in an ordered collection the next page begins. */
import { createHash } from 'node:crypto';
import { parseInt64 } from '../contract/common.ts';
import type { Row } from '../contract/rows.ts';
import { AppError, documentedError } from '../errors.ts';
import type { SortField, SortKey, SortValue } from '../store/listings.ts';
import type { OrderedCollection } from './handlers.ts';

/** Bytes of JSON, so that the link to the next page fits into a request target. */
const longestCursor = 1500;
const longestCursorText = 150;
const longestAbbreviation = 120;

/** A text too long for a cursor, as its beginning and a digest that shows whether the row still has it. */
type AbbreviatedText = readonly [start: string, digest: string];

type CursorValues = readonly (SortValue | AbbreviatedText)[];

export function writeCursor(collection: string, keys: readonly SortKey[], row: Row): string {
  const values = keys.map(({ field }) => {
    const value = row[field.name] ?? null;
    return typeof value === 'bigint' ? String(value) : value;
  });
  const json = JSON.stringify([collection, orderText(keys), ...values]);
  if (Buffer.byteLength(json) <= longestCursor) return Buffer.from(json).toString('base64url');
  const shortened = values.map((value) =>
    value !== null && byteLength(value) > longestCursorText ? [startOf(value), digestOf(value)] : value,
  );
  return Buffer.from(JSON.stringify([collection, orderText(keys), ...shortened])).toString('base64url');
}

/** Throws malformedCursor. */
export function readCursor(cursor: string, collection: string, keys: readonly SortKey[]): CursorValues {
  const parts = parseCursor(cursor);
  if (parts?.length === keys.length + 2 && parts[0] === collection && parts[1] === orderText(keys)) {
    const values = keys.map((key, index) => readSortValue(key.field, parts[index + 2]));
    if (values.every((value) => value !== undefined)) return values;
  }
  throw documentedError('malformedCursor');
}

/**
 * Fewer values than keys mean "after all rows with these values". If the row of a long text changed, its beginning suffices
 * unless other rows share it: then pages could miss or repeat rows, and malformedCursor is thrown.
 */
export async function resolveCursor(
  values: CursorValues,
  ordered: OrderedCollection,
): Promise<readonly SortValue[]> {
  const index = values.findIndex(isAbbreviated);
  const abbreviated = values[index];
  const { collection, listing, keys, db, signal } = ordered;
  const key = keys[index];
  if (!isAbbreviated(abbreviated) || !key) return values as readonly SortValue[];
  const [start] = abbreviated;
  const ids = collection.tieBreakers.map(
    (name) => values[keys.findIndex(({ field }) => field.name === name)],
  );
  const row = await collection.find?.(db, ids as bigint[]);
  const currentValues = keys.map(({ field }) => row?.[field.name] ?? null);
  const isUnchanged = values.every(
    (value, at) => !isAbbreviated(value) || digestOf(String(currentValues[at])) === value[1],
  );
  if (isUnchanged)
    return values.map((value, at) => (isAbbreviated(value) ? (currentValues[at] ?? null) : value));
  const earlierValues = values.slice(0, index) as SortValue[];
  // U+10FFFF sorts after every text with this beginning, so the first row found has it, if any row does.
  const after = [...earlierValues, key.isDescending ? `${start}\u{10ffff}` : start];
  const [next] = await listing.list(db, { keys, after, limit: 1, signal });
  const isAmbiguous =
    next !== undefined &&
    earlierValues.every((value, at) => next[keys[at]?.field.name ?? ''] === value) &&
    String(next[key.field.name] ?? '').startsWith(start);
  if (!isAmbiguous) return after;
  throw new AppError(
    'malformedCursor',
    'The row of this cursor was deleted or changed, so the next row cannot be found; start again without "cursor".',
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

function readSortValue(field: SortField, value: unknown): SortValue | AbbreviatedText | undefined {
  if (value === null) return field.isNullable ? null : undefined;
  if (field.kind === 'text' && Array.isArray(value) && value.length === 2 && value.every(isText)) {
    return value as [string, string];
  }
  if (!isText(value)) return undefined;
  return field.kind === 'integer' ? parseInt64(value) : value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isAbbreviated(value: SortValue | AbbreviatedText | undefined): value is AbbreviatedText {
  return Array.isArray(value);
}

/** Never ends in half a surrogate pair. */
function startOf(text: string): string {
  let start = text.slice(0, longestAbbreviation);
  while (byteLength(start) > longestAbbreviation || !start.isWellFormed()) start = start.slice(0, -1);
  return start;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 27);
}

function byteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function orderText(keys: readonly SortKey[]): string {
  return keys.map(({ field, isDescending }) => (isDescending ? '-' : '') + field.name).join();
}
