/** Writes the rows of a resource as JSON, NDJSON or CSV. Answers and exports have the same bytes. */

import { csvCell } from '../files/csv.ts';
import type { ObjectSchema } from './common.ts';

export const formats = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

export const mediaTypes: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

/** A row as a store returns it: integers as bigint, lists and objects as JSON text. */
export type Row = Readonly<Record<string, bigint | string | null>>;

/** The text around and between the rows of a collection. */
interface RowFormat {
  start: string;
  row(row: Row): string;
  /** The text between two rows. */
  separator: string;
  end: string;
}

export function rowFormat(fields: ObjectSchema, format: Format): RowFormat {
  const json = jsonWriter(fields);
  if (format === 'json') return { start: '[', row: json, separator: ',', end: ']' };
  if (format === 'ndjson') return { start: '', row: (row) => `${json(row)}\n`, separator: '', end: '' };
  const header = `${Object.keys(fields.properties).join(',')}\r\n`;
  return { start: header, row: csvWriter(fields), separator: '', end: '' };
}

/** The kind of a field's values; null does not count. */
export function kindOf(schema: object): 'integer' | 'list' | 'object' | 'text' {
  const { type } = schema as { type?: string | string[] };
  const kinds = [type].flat();
  if (kinds.includes('integer')) return 'integer';
  if (kinds.includes('object')) return 'object';
  return kinds.includes('array') ? 'list' : 'text';
}

interface Column {
  name: string;
  kind: ReturnType<typeof kindOf>;
}

/** The columns by their fields: each resource has one list of them, by which the SQL that writes them is known again. */
const columnLists = new WeakMap<ObjectSchema, readonly Column[]>();

export function columnsOf(fields: ObjectSchema): readonly Column[] {
  let columns = columnLists.get(fields);
  if (!columns) {
    columns = Object.entries(fields.properties).map(([name, schema]) => ({ name, kind: kindOf(schema) }));
    columnLists.set(fields, columns);
  }
  return columns;
}

/** The writers by their fields. There is one for each resource, and every collection needs one. */
const jsonWriters = new WeakMap<ObjectSchema, (row: Row) => string>();

/** A row as a JSON object without spaces or line breaks. */
export function jsonWriter(fields: ObjectSchema): (row: Row) => string {
  const writer = jsonWriters.get(fields) ?? newJsonWriter(fields);
  jsonWriters.set(fields, writer);
  return writer;
}

function newJsonWriter(fields: ObjectSchema): (row: Row) => string {
  const parts = columnsOf(fields).map(({ name, kind }, index) => ({
    name,
    prefix: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    isText: kind === 'text',
  }));
  return (row) => {
    let json = '';
    for (const { name, prefix, isText } of parts) {
      const value = row[name];
      // An integer is written as its digits; the text of a list or an object is JSON already.
      json += prefix + (isText ? jsonText(value as string | null) : String(value));
    }
    return `${json}}`;
  };
}

/** JSON.stringify of a text. Most texts have nothing to escape, and testing for that takes a third of the time. */
function jsonText(text: string | null): string {
  if (text === null) return 'null';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes these characters.
  return /["\\\x00-\x1f\ud800-\udfff]/.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function csvWriter(fields: ObjectSchema): (row: Row) => string {
  const names = Object.keys(fields.properties);
  return (row) => `${names.map((name) => csvCell(row[name] ?? null)).join(',')}\r\n`;
}
