/** The order of a collection, and the cursors that say where in it the next page begins. */
import { closest } from 'fastest-levenshtein';
import { parseInt64 } from '../contract/common.ts';
import type { Row } from '../contract/rows.ts';
import { AppError } from '../errors.ts';
import type { SortField, SortKey, SortValue } from '../store/listing.ts';

/** The keys that an `order` parameter asks for, then the ties. Throws malformedParameter. */
export function readOrder(
  order: string | undefined,
  fields: readonly SortField[],
  ties: readonly string[],
): SortKey[] {
  const keys: SortKey[] = [];
  const asked = order === undefined ? [] : order.split(',');
  for (const part of asked) {
    const name = part.replace(/^-/, '');
    const field = fields.find((known) => known.name === name);
    if (!field) {
      const names = fields.map((known) => known.name);
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names ${JSON.stringify(name.slice(0, 60))}, which is no field to sort by; did you mean "${closest(name.slice(0, 60), names)}"?`,
      );
    }
    if (keys.some((key) => key.field === field)) {
      throw new AppError(
        'malformedParameter',
        `The parameter "order" names "${name}" twice; name each field once.`,
      );
    }
    keys.push({ field, isDescending: part.startsWith('-') });
  }
  for (const name of ties) {
    const field = fields.find((known) => known.name === name);
    if (field && !keys.some((key) => key.field === field)) keys.push({ field, isDescending: false });
  }
  return keys;
}

/** Says where a page after this row begins: the collection, the order and all of the row's sort values. */
export function writeCursor(collection: string, keys: readonly SortKey[], row: Row): string {
  const values = keys.map(({ field }) => {
    const value = row[field.name] ?? null;
    return typeof value === 'bigint' ? String(value) : value;
  });
  return Buffer.from(JSON.stringify([collection, spell(keys), ...values])).toString('base64url');
}

/** The sort values in a cursor. Throws malformedCursor where it is not one of this collection and order. */
export function readCursor(cursor: string, collection: string, keys: readonly SortKey[]): SortValue[] {
  const parts = parseCursor(cursor);
  if (parts?.length === keys.length + 2 && parts[0] === collection && parts[1] === spell(keys)) {
    const values = keys.map((key, place) => readSortValue(key.field, parts[place + 2]));
    if (values.every((value) => value !== undefined)) return values;
  }
  throw new AppError(
    'malformedCursor',
    'This cursor does not belong to this collection and order; take it from the Link header of the page before.',
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

function readSortValue(field: SortField, value: unknown): SortValue | undefined {
  if (value === null) return field.isNullable ? null : undefined;
  if (typeof value !== 'string' || value.includes('\0')) return undefined;
  return field.kind === 'integer' ? parseInt64(value) : value;
}

function spell(keys: readonly SortKey[]): string {
  return keys.map(({ field, isDescending }) => (isDescending ? '-' : '') + field.name).join();
}
