/** Reads files of our own rows: CSV, NDJSON or JSON whose values are checked against the schemas of the contract. */
import { closest } from 'fastest-levenshtein';
import { longestText, type ObjectSchema, parseInt64 } from '../contract/common.ts';
import { readInstant } from '../contract/parameters.ts';
import { columnKindOf, type Format, formats } from '../contract/rows.ts';
import { withWebsiteName } from '../contract/statuses.ts';
import { localizedError, type Message, message } from '../errors.ts';
import { readCsv, textOfCell } from '../files/csv.ts';
import { type EntryReader, toEntries } from '../files/entries.ts';
import { readJson, readNdjson } from '../files/json.ts';
import { badField, listOf, objectOf, webAddressOf } from '../judges/fields.ts';

/** Values as the store has them: integers as bigint, lists as JSON text. */
export type ParsedRow = Readonly<Record<string, bigint | string | null>>;

export function formatByName(filename: string): Format | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase();
  return extension === 'jsonl' ? 'ndjson' : formats.find((format) => format === extension);
}

/** A field may also have its former name in a file. */
export function rowReader(
  { properties }: ObjectSchema,
  format: Format,
  formerNames: ReadonlyMap<string, string> = new Map(),
): EntryReader<ParsedRow> {
  const isCsv = format === 'csv';
  const fields = new Map(
    Object.entries(properties).map(([name, schema]) => {
      const isNullable = [(schema as { type?: unknown }).type].flat().includes('null');
      return [name, { isNullable, read: valueReader(name, schema, isCsv) }];
    }),
  );
  const unknownField = (name: string) => {
    const names = [...fields.keys()];
    const shown = JSON.stringify(name.slice(0, 50));
    return message('field.unknown', { name: shown, closest: closest(name, names), names: names.join(', ') });
  };
  const toRow = (value: unknown): ParsedRow => {
    const row: Record<string, bigint | string | null> = {};
    for (const [givenName, raw] of Object.entries(objectOf(value))) {
      const name = formerNames.get(givenName) ?? givenName;
      const field = fields.get(name);
      if (!field) throw localizedError('badRow.unknownField', { why: unknownField(name) });
      if (raw === null && field.isNullable) row[name] = null;
      // CSV can leave a field out of a row only by an empty cell.
      else if (raw !== null || !isCsv) row[name] = field.read(raw);
    }
    return row;
  };
  // An unknown column is a fault of the whole file, reported once, and cannot be skipped.
  const checkHeader = (columns: readonly string[]) => {
    const unknown = columns.find((name) => !fields.has(formerNames.get(name) ?? name));
    if (unknown !== undefined) throw localizedError('badFile.header', { why: unknownField(unknown) });
  };
  const readers = {
    csv: (bytes: AsyncIterable<Uint8Array>) => readCsv(bytes, checkHeader),
    ndjson: readNdjson,
    json: (bytes: AsyncIterable<Uint8Array>) => readJson(bytes, { path: [] }),
  };
  return async function* read(bytes) {
    for await (const batch of readers[format](bytes)) yield toEntries<unknown, ParsedRow>(batch, toRow);
  };
}

function readText(name: string, raw: unknown): string {
  if (typeof raw !== 'string') throw badField(name, raw, message('expected.string'));
  if (raw.includes('\0') || !raw.isWellFormed()) throw badField(name, raw, message('expected.unicode'));
  if (raw.length > longestText)
    throw badField(name, raw.slice(0, 20), message('expected.shorter', { most: longestText }));
  return raw;
}

function valueReader(name: string, schema: object, isCell: boolean): (raw: unknown) => bigint | string {
  const { format, enum: choices } = schema as { format?: string; enum?: unknown[] };
  const kind = columnKindOf(schema);
  if (kind === 'integer') return (raw) => readInteger(name, raw, format, isCell);
  if (kind === 'list') return (raw) => readList(name, raw, isCell);
  if (kind === 'object') return (raw) => readObject(name, raw, isCell);
  if (format === 'date-time') return timeReader(name);
  if (choices)
    return (raw) => {
      const text = readText(name, raw);
      if (choices.includes(text)) return text;
      const shown = choices
        .filter((choice) => choice !== null)
        .map((choice) => withWebsiteName(String(choice)))
        .join(', ');
      throw badField(name, text, message('expected.oneOf', { choices: shown }));
    };
  // Only text cells are escaped against spreadsheet formulas.
  const textOf = (raw: unknown) => readText(name, isCell && typeof raw === 'string' ? textOfCell(raw) : raw);
  return name.endsWith('url') ? (raw) => webAddressOf(textOf(raw), name) : textOf;
}

function timeReader(name: string): (raw: unknown) => string {
  let cached: { text: string; instant: string } | undefined;
  return (raw) => {
    const text = readText(name, raw);
    if (text === cached?.text) return cached.instant;
    const instant = readInstant(text);
    if (instant === undefined) throw badField(name, raw, message('expected.time'));
    cached = { text, instant };
    return instant;
  };
}

/** parseExact leaves numbers that JavaScript would round as raw JSON. */
function readInteger(name: string, raw: unknown, format: string | undefined, isCell: boolean): bigint {
  const number = typeof raw === 'number' || isCell ? String(raw) : '';
  const digits = JSON.isRawJSON(raw) ? raw.rawJSON : number;
  const bits = format === 'int32' ? 32 : 64;
  const value = parseInt64(digits);
  if (value !== undefined && value === BigInt.asIntN(bits, value)) return value;
  const highest = 2n ** BigInt(bits - 1) - 1n;
  throw badField(name, raw, message('expected.digits', { bits, least: -highest - 1n, most: highest }));
}

function readList(name: string, raw: unknown, isCell: boolean): string {
  const list = parseCell(name, raw, isCell, message('expected.jsonList'));
  const texts = listOf(list, name).map((text) => readText(name, text));
  if (texts.includes('')) throw badField(name, '', message('expected.notEmpty'));
  return JSON.stringify(texts);
}

function readObject(name: string, raw: unknown, isCell: boolean): string {
  const object = parseCell(name, raw, isCell);
  return JSON.stringify(isCell && object === null ? null : objectOf(object, name));
}

function parseCell(
  name: string,
  raw: unknown,
  isCell: boolean,
  expected: Message = message('expected.jsonObject'),
): unknown {
  if (!isCell || typeof raw !== 'string') return raw;
  try {
    return JSON.parse(raw);
  } catch {
    throw badField(name, raw, expected);
  }
}
