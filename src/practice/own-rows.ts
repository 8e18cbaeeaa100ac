/** Reading files of our own resources: CSV, NDJSON or JSON with the fields of the contract, each value checked against its schema. */
import { closest } from 'fastest-levenshtein';
import { type Fields, parseInt64 } from '../contract/common.ts';
import { type Format, kindOf } from '../contract/rows.ts';
import { readInstant } from '../contract/times.ts';
import { readCsv } from '../judges/csv.ts';
import { badField, listOf, objectOf, textOf, toEntries } from '../judges/fields.ts';
import { readNdjson } from '../judges/files.ts';
import { readJsonArray } from '../judges/json.ts';
import type { Reader } from '../judges/judge.ts';

/** The fields that a row gave, as the store wants them: integers as bigint, lists as JSON text. */
export type GivenRow = Readonly<Record<string, bigint | string | null | undefined>>;

const longestText = 10_000;

/** A reader of one resource in one format. A row may also hold the `extra` fields, which are texts. */
export function rowReader(fields: Fields, extra: readonly string[], format: Format): Reader<GivenRow> {
  const names = [...Object.keys(fields.properties), ...extra];
  const toRow = (value: unknown): GivenRow => {
    const row: Record<string, bigint | string | null> = {};
    for (const [name, found] of Object.entries(objectOf(value))) {
      const schema = Object.hasOwn(fields.properties, name) ? fields.properties[name] : undefined;
      if (schema) row[name] = readField(name, found, schema, format === 'csv');
      else if (extra.includes(name)) row[name] = textOf(found, name, longestText);
      else throw badField(name, found, `one of the fields ${names.join(', ')} (did you mean ${closest(name, names)}?)`);
    }
    return row;
  };
  return async function* read(bytes) {
    const batches =
      format === 'csv' ? readCsv(bytes) : format === 'ndjson' ? readNdjson(bytes) : readJsonArray(bytes, { path: [] });
    for await (const batch of batches) {
      const values = batch.filter((entry) => 'value' in entry);
      const bad = batch.filter((entry) => 'bad' in entry);
      yield [...toEntries<unknown, GivenRow>(values, toRow), ...bad];
    }
  };
}

function readField(name: string, found: unknown, schema: object, isCell: boolean): bigint | string | null {
  const { type, format, enum: values } = schema as { type: string | string[]; format?: string; enum?: unknown[] };
  if (found === null) {
    if (type.includes('null')) return null;
    throw badField(name, found, 'a value');
  }
  const kind = kindOf(schema);
  if (kind === 'integer') return readInteger(name, found, format, isCell);
  if (kind === 'list') return readList(name, found, isCell);
  if (typeof found !== 'string') throw badField(name, found, 'a text');
  if (found.includes('\0') || !found.isWellFormed()) throw badField(name, found, 'well-formed Unicode without NUL');
  if (found.length > longestText) throw badField(name, found.slice(0, 20), `at most ${longestText} characters`);
  if (values && !values.includes(found)) {
    throw badField(name, found, `one of ${values.filter((value) => value !== null).join(', ')}`);
  }
  if (format !== 'date-time') return found;
  const instant = readInstant(found);
  if (instant === undefined) throw badField(name, found, 'an RFC 3339 time such as 2026-11-21T08:30:00Z');
  return instant;
}

function readInteger(name: string, found: unknown, format: string | undefined, isCell: boolean): bigint {
  const isNumber = typeof found === 'bigint' || (typeof found === 'number' && Number.isInteger(found));
  const digits = isNumber ? String(found) : isCell && typeof found === 'string' ? found : '';
  const value = parseInt64(digits);
  const isWithin = value !== undefined && (format !== 'int32' || value === BigInt.asIntN(32, value));
  if (isWithin) return value;
  throw badField(name, found, `an ${format === 'int32' ? 'int32' : 'int64'} in plain digits`);
}

function readList(name: string, found: unknown, isCell: boolean): string {
  let list = found;
  if (isCell && typeof found === 'string') {
    try {
      list = JSON.parse(found);
    } catch {
      throw badField(name, found, 'a JSON array of texts, such as ["dp","math"]');
    }
  }
  return JSON.stringify(listOf(list, name).map((text) => textOf(text, name, 500)));
}
