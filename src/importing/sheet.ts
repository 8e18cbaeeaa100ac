/**
 * The sheet of a school's own system: where its cells are, and the same bytes with marks in one column. A character of
 * `units` is a byte of the file, or two in UTF-16, so that places in the text are places in the file.
 */
import { isUtf8 } from 'node:buffer';
import { localizedError } from '../errors.ts';
import { utf16Of } from '../files/text.ts';
import { decodePeople, encodingOfSpreadsheets, isWorkbook } from './member-list.ts';

export const rowsAtMost = 2000;
export const columnsAtMost = 500;
/** Nothing is looked for in the rest of a longer cell, which stays as it is. */
const cellUnitsRead = 4000;

interface SheetRow {
  start: number;
  /** Where each cell ends. */
  ends: readonly number[];
}

export interface Sheet {
  bytes: Buffer;
  units: string;
  encoding: string;
  separator: string;
  rows: readonly SheetRow[];
  /** The place of the row with the names of the columns. */
  head: number;
  width: number;
}

/** Throws badFile. */
export function readSheet(bytes: Buffer, language: string): Sheet {
  if (isWorkbook(bytes)) throw localizedError('badFile.sheetWorkbook');
  if (decodePeople(bytes, language).trim() === '') throw localizedError('badFile.sheetEmpty');
  const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : encodingOfSpreadsheets(language));
  const units = unitsOf(bytes, encoding);
  const mark = units.startsWith('\ufeff') ? 1 : units.startsWith('\xef\xbb\xbf') ? 3 : 0;
  const [line = '', named] = /^"?sep=([;,\t])"?\s*?(?:\r\n?|\n)/i.exec(units.slice(mark, mark + 20)) ?? [];
  const start = mark + line.length;
  const separator = named ?? likelySeparator(units, start);
  const rows = [...rowsIn(units, start, separator)];
  const width = Math.max(...rows.map(({ ends }) => ends.length));
  if (rows.length > rowsAtMost || width > columnsAtMost)
    throw localizedError('badFile.sheetLarge', { rows: rowsAtMost, columns: columnsAtMost });
  if (width < 2) throw localizedError('badFile.sheetColumn');
  const sheet = { bytes, units, encoding, separator, rows, head: 0, width };
  // Lines above the names of the columns, such as one with the class, have fewer cells.
  const counts = rows
    .slice(0, 5)
    .map((_, row) => rowValues(sheet, row).filter((value) => value !== '').length);
  return { ...sheet, head: counts.indexOf(Math.max(...counts)) };
}

const isWide = (encoding: string) => encoding.startsWith('utf-16');

function unitsOf(bytes: Buffer, encoding: string): string {
  if (!isWide(encoding)) return bytes.toString('latin1');
  return (encoding === 'utf-16be' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
}

/** The separator under which most of the first rows have the most cells; numbers may have a decimal comma. */
function likelySeparator(units: string, start: number): string {
  const width = (separator: string) => {
    const widths: number[] = [];
    try {
      for (const { ends } of rowsIn(units, start, separator)) if (widths.push(ends.length) === 30) break;
    } catch {
      return 0;
    }
    return widths.toSorted((one, other) => one - other)[widths.length >> 1] ?? 0;
  };
  const widths = new Map(['\t', ';', ','].map((separator) => [separator, width(separator)]));
  const [[best] = [',']] = [...widths].toSorted(([, one], [, other]) => other - one);
  return best;
}

/** Stops one row after the limit. Throws badFile for a quote that nothing closes. */
function* rowsIn(units: string, start: number, separator: string): Generator<SheetRow> {
  const cellEnd = new RegExp(`[${separator}\r\n]`, 'g');
  const opening = / *"/y;
  let count = 0;
  for (let at = start; at < units.length && count <= rowsAtMost; ) {
    const row = { start: at, ends: [] as number[] };
    for (;;) {
      opening.lastIndex = at;
      cellEnd.lastIndex = opening.test(units) ? afterQuotes(units, opening.lastIndex, count + 1) : at;
      at = cellEnd.exec(units)?.index ?? units.length;
      row.ends.push(at);
      if (units[at] !== separator || row.ends.length > columnsAtMost) break;
      at++;
    }
    count++;
    yield row;
    if (row.ends.length > columnsAtMost) return;
    at += units.startsWith('\r\n', at) ? 2 : 1;
  }
}

const quote = 0x22;

function afterQuotes(units: string, start: number, line: number): number {
  for (let at = start; at < units.length; at++) {
    if (units.charCodeAt(at) !== quote) continue;
    // A call for each of half a million doubled quotes would take a second.
    if (units.charCodeAt(at + 1) !== quote) return at + 1;
    at++;
  }
  throw localizedError('badFile.csvOpenQuote', { line });
}

const cellAt = ({ rows }: Sheet, row: number, column: number) => {
  const { start = 0, ends = [] } = rows[row] ?? {};
  return { start: column === 0 ? start : (ends[column - 1] ?? 0) + 1, end: ends[column] };
};

/** Excel shows the digits of `="0042"`. */
export function valueAt(sheet: Sheet, row: number, column: number): string {
  const { start, end } = cellAt(sheet, row, column);
  if (end === undefined || end === start) return '';
  const { units, encoding } = sheet;
  const cell = units.slice(start, Math.min(end, start + cellUnitsRead));
  const text =
    isWide(encoding) || !/[^\0-\x7f]/.test(cell)
      ? cell
      : new TextDecoder(encoding).decode(Buffer.from(cell, 'latin1'));
  const [, quoted] = /^ *"(.*)" *$/s.exec(text) ?? [];
  const value = quoted?.replaceAll('""', '"') ?? text;
  return (/^="(.*)"$/.exec(value)?.[1] ?? value).trim().normalize('NFC');
}

export const rowValues = (sheet: Sheet, row: number): string[] =>
  (sheet.rows[row]?.ends ?? []).map((_, column) => valueAt(sheet, row, column));

export const isEmptyRow = ({ rows, units }: Sheet, row: number): boolean =>
  !/[^\s",;\0]/.test(units.slice(rows[row]?.start, rows[row]?.ends.at(-1)));

/** The same bytes but for one column of the rows that have a mark, by the place of the row. */
export function fillColumn(sheet: Sheet, column: number, marks: ReadonlyMap<number, string>): Buffer {
  const { bytes, units, encoding, separator, rows } = sheet;
  const unitBytes = isWide(encoding) ? 2 : 1;
  const pieces: Buffer[] = [];
  let copied = 0;
  for (const [row, mark] of [...marks].toSorted(([one], [other]) => one - other)) {
    const { start, end = start } = cellAt(sheet, row, column);
    const ends = rows[row]?.ends ?? [];
    const missing = Math.max(0, column + 1 - ends.length);
    const [from, to] = missing > 0 ? [ends.at(-1) ?? 0, ends.at(-1) ?? 0] : [start, end];
    const isQuoted = mark.includes(separator) || /^ *"/.test(units.slice(from, to));
    const text = separator.repeat(missing) + (isQuoted ? `"${mark}"` : mark);
    const written = Buffer.from(text, unitBytes === 2 ? 'utf16le' : 'latin1');
    pieces.push(
      bytes.subarray(copied, from * unitBytes),
      encoding === 'utf-16be' ? written.swap16() : written,
    );
    copied = to * unitBytes;
  }
  return Buffer.concat([...pieces, bytes.subarray(copied)]);
}

/** A sheet whose other numbers have a decimal comma gets one too. */
export function usesDecimalComma(sheet: Sheet): boolean {
  const values = sheet.rows.slice(0, 30).flatMap((_, row) => rowValues(sheet, row));
  const count = (form: RegExp) => values.filter((value) => form.test(value)).length;
  return count(/^-?\d+,\d+$/) > count(/^-?\d+\.\d+$/);
}
