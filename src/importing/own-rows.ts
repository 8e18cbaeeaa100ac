/** Reading files of our own resources: CSV, NDJSON or JSON with the fields of the contract, each value checked against its schema. */
import { closest } from 'fastest-levenshtein';
import { type Fields, longestText, parseInt64 } from '../contract/common.ts';
import { type Format, kindOf } from '../contract/rows.ts';
import { readInstant } from '../contract/times.ts';
import { AppError, badFile } from '../errors.ts';
import { type Row, readCsv, withoutProtection } from '../files/csv.ts';
import type { Entry, Located, Reader } from '../files/entries.ts';
import { readJsonArray } from '../files/json.ts';
import { readNdjson } from '../files/ndjson.ts';
import { badField, listOf, objectOf, toEntries, webAddressOf } from '../judges/fields.ts';

/** The fields that a row gave, as the store wants them: integers as bigint, lists as JSON text. */
export type GivenRow = Readonly<Record<string, Value>>;

type Value = bigint | string | null | undefined;

/** What the rows of a resource may hold in a file. */
export interface RowShape {
  fields: Fields;
  /** Fields that a file may have beside the contract's own, to name members and problems in other ways: texts. */
  extra: readonly string[];
  /** The texts among the fields that are addresses of web pages. */
  addresses?: readonly string[];
}

/** A reader of one resource in one format. */
export function rowReader({ fields, extra, addresses = [] }: RowShape, format: Format): Reader<GivenRow> {
  const isCsv = format === 'csv';
  const readers = new Map<string, (found: unknown) => Value>();
  for (const [name, schema] of Object.entries(fields.properties)) {
    const read = fieldReader(name, schema, isCsv);
    const isAddress = addresses.includes(name);
    readers.set(
      name,
      isAddress ? (found) => (found === null ? null : webAddressOf(read(found), name)) : read,
    );
  }
  for (const name of extra)
    readers.set(
      name,
      orLeftOut(isCsv, (found) => readName(name, isCsv ? textOf(found) : found)),
    );
  const names = [...readers.keys()];
  const toRow = (value: unknown): GivenRow => {
    const row: Record<string, Value> = {};
    for (const [name, found] of Object.entries(objectOf(value))) {
      const read = readers.get(name);
      if (!read) throw new AppError('badRow', unknownField(name, names));
      row[name] = read(found);
    }
    return row;
  };
  return async function* read(bytes) {
    if (isCsv) yield* rowsOf(withKnownColumns(readCsv(bytes), names));
    else yield* rowsOf(format === 'ndjson' ? readNdjson(bytes) : readJsonArray(bytes, { path: [] }));
  };

  async function* rowsOf(batches: AsyncIterable<Entry<unknown>[]>): AsyncGenerator<Entry<GivenRow>[]> {
    for await (const batch of batches) yield toEntries(batch, toRow);
  }
}

/** A column that no row can have is the header's fault: told once, and not to be skipped row by row. */
async function* withKnownColumns(
  batches: AsyncIterable<Entry<Row>[]>,
  names: readonly string[],
): AsyncGenerator<Entry<Row>[]> {
  let isChecked = false;
  for await (const batch of batches) {
    const first: Located<Row> | undefined = batch.find((entry) => 'value' in entry);
    const unknown = Object.keys(first?.value ?? {}).find((name) => !isChecked && !names.includes(name));
    if (unknown !== undefined) throw badFile(`The header: ${unknownField(unknown, names)}`);
    isChecked ||= first !== undefined;
    yield batch;
  }
}

function unknownField(name: string, names: readonly string[]): string {
  const shown = JSON.stringify(name.slice(0, 50));
  return `there is no field ${shown}, did you mean "${closest(name, names)}"? There are ${names.join(', ')}.`;
}

/** A text exactly as it is, spaces and all: what was exported comes back the same. */
function readText(name: string, found: unknown): string {
  if (typeof found !== 'string') throw badField(name, found, 'a text');
  // PostgreSQL holds no NUL, and half a surrogate pair has no UTF-8.
  if (found.includes('\0') || !found.isWellFormed())
    throw badField(name, found, 'well-formed Unicode without NUL');
  if (found.length > longestText)
    throw badField(name, found.slice(0, 20), `at most ${longestText} characters`);
  return found;
}

/** A text that names something. */
function readName(name: string, found: unknown): string {
  if (found === '') throw badField(name, found, 'a text that is not empty');
  return readText(name, found);
}

/** How the values of one field are checked and turned into the store's: worked out once, not for each row. */
function fieldReader(name: string, schema: object, isCell: boolean): (found: unknown) => Value {
  const { type, format, enum: values } = schema as { type?: unknown; format?: string; enum?: unknown[] };
  const isNullable = [type].flat().includes('null');
  const kind = kindOf(schema);
  const read =
    kind === 'integer'
      ? (found: unknown) => readInteger(name, found, format, isCell)
      : kind === 'list'
        ? (found: unknown) => readList(name, found, isCell)
        : format === 'date-time'
          ? timeReader(name)
          : values
            ? (found: unknown) => readChoice(name, found, values)
            : (found: unknown) => readText(name, isCell ? textOf(found) : found);
  return isNullable ? (found) => (found === null ? null : read(found)) : orLeftOut(isCell, read);
}

/** Only a text is protected from spreadsheets: digits, lists and times mean what stands in the cell. */
function textOf(cell: unknown): unknown {
  return typeof cell === 'string' ? withoutProtection(cell) : cell;
}

/** An empty cell is CSV's only way to leave a field out of one row alone. */
function orLeftOut(isCell: boolean, read: (found: unknown) => Value): (found: unknown) => Value {
  return isCell ? (found) => (found === null ? undefined : read(found)) : read;
}

function readChoice(name: string, found: unknown, values: readonly unknown[]): string {
  const text = readText(name, found);
  if (values.includes(text)) return text;
  throw badField(name, text, `one of ${values.filter((value) => value !== null).join(', ')}`);
}

function timeReader(name: string): (found: unknown) => string {
  // Rows that were written together bear one time.
  let before: { text: string; instant: string } | undefined;
  return (found) => {
    const text = readText(name, found);
    if (text === before?.text) return before.instant;
    const instant = readInstant(text);
    if (instant === undefined) throw badField(name, found, 'an RFC 3339 time such as 2026-11-21T08:30:00Z');
    before = { text, instant };
    return instant;
  };
}

/** An integer is the digits that stand in the file: parseExact leaves all others as they are written. */
function readInteger(name: string, found: unknown, format: string | undefined, isCell: boolean): bigint {
  const isText = isCell && typeof found === 'string';
  const digits = JSON.isRawJSON(found)
    ? found.rawJSON
    : typeof found === 'number'
      ? String(found)
      : isText
        ? found
        : '';
  const bits = format === 'int32' ? 32 : 64;
  const value = parseInt64(digits);
  if (value !== undefined && value === BigInt.asIntN(bits, value)) return value;
  const highest = 2n ** BigInt(bits - 1) - 1n;
  const plain = 'such as 42, without point, exponent, plus sign or leading zeros';
  throw badField(name, found, `an int${bits} in plain digits, ${plain}, from ${-highest - 1n} to ${highest}`);
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
  return JSON.stringify(listOf(list, name).map((text) => readName(name, text)));
}
