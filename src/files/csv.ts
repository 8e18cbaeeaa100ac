/** Reads and writes CSV (RFC 4180). */
import { CsvError, type Parser, parse } from 'csv-parse';
import { type AppError, localizedError, localizedText, message } from '../errors.ts';
import { boundBlankLines, type Entry } from './entries.ts';
import { decodeUtf8 } from './text.ts';

/** An empty cell is null, a quoted empty cell is ''. */
export type CsvRow = Record<string, string | null>;

const rowBytesMax = 1024 * 1024;

/** Throws badFile for a wrong header, and for wrong quotes, after which no row is certain. */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  checkHeader?: (names: readonly string[]) => void,
): AsyncGenerator<Entry<CsvRow>[]> {
  let header: string[] | undefined;
  let line = 1;
  let batch: Entry<CsvRow>[] = [];
  let blankLines = 0;
  const parser = parse({
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    // By default the parser expects the first line's ending on every line.
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: rowBytesMax,
    on_record: (cells: (string | null)[]) => {
      const start = line;
      line += 1 + lineBreaksIn(cells);
      const isBlank = cells.length === 1 && cells[0] === null;
      if (isBlank) boundBlankLines(++blankLines);
      else if (header !== undefined) batch.push(rowOf(header, cells, start));
      else {
        header = headerOf(cells, start);
        checkHeader?.(header);
      }
      return null;
    },
  });
  parser.on('error', () => {}); // parseText() throws the error; without a listener Node would exit.
  for await (const text of decodeUtf8(bytes)) {
    await parseText(parser, text, () => line);
    if (batch.length > 0) yield batch;
    batch = [];
  }
  await parseText(parser, undefined, () => line);
  if (header === undefined) throw localizedError('badFile.csvEmpty');
  if (batch.length > 0) yield batch;
}

async function parseText(parser: Parser, text: string | undefined, currentLine: () => number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<Error | null | undefined>();
  if (text === undefined) parser.end(resolve);
  else parser.write(text, resolve);
  const error = await promise;
  if (error instanceof CsvError) throw unreadable(error, currentLine());
  if (error) throw error;
}

function unreadable(error: CsvError, line: number): AppError {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return localizedError('badFile.csvOpenQuote', { line }, error);
  if (error.code === 'CSV_MAX_RECORD_SIZE') return localizedError('badFile.csvLarge', { line }, error);
  return localizedError('badFile.csvQuote', { line }, error);
}

function headerOf(cells: (string | null)[], line: number): string[] {
  const names = cells.map((cell) => cell ?? '');
  const [only = ''] = names;
  if (names.length === 1 && /[;\t]/.test(only)) {
    throw localizedError(only.includes(';') ? 'badFile.csvSemicolons' : 'badFile.csvTabs', { line });
  }
  const empty = names.indexOf('');
  if (empty !== -1) throw localizedError('badFile.csvNoName', { line, column: empty + 1 });
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw localizedError('badFile.csvTwice', { line, name: repeated });
  return names;
}

function rowOf(header: string[], cells: (string | null)[], line: number): Entry<CsvRow> {
  const place = () => ({ line, column: 1 });
  if (cells.length !== header.length)
    return {
      place,
      bad: localizedText(message('badRow.cells', { cells: cells.length, most: header.length })),
    };
  return { place, value: Object.fromEntries(header.map((name, index) => [name, cells[index] ?? null])) };
}

function lineBreaksIn(cells: (string | null)[]): number {
  let count = 0;
  for (const cell of cells) if (cell?.includes('\n')) count += cell.split('\n').length - 1;
  return count;
}

/** An apostrophe stops spreadsheets from reading a formula; `textOfCell` removes it. */
export function csvCell(value: bigint | string | null): string {
  if (value === null) return '';
  if (typeof value === 'bigint') return String(value);
  const safe = /^[=+\-@\t\r']/.test(value) ? `'${value}` : value;
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Excel takes a file without a byte order mark for the encoding of the country. */
export const byteOrderMark = '\ufeff';

/** Where a program splits elsewhere, quotes behind the other sign are plain text, and a formula could begin inside of them. */
const innerFormula = /(?<=[,;\t\r\n])(?=[=+\-@])/g;

/** Where Excel separates cells by semicolons, numbers have a decimal comma. */
export function csvForPeople(
  rows: readonly (readonly (bigint | number | string | null)[])[],
  separator: ',' | ';' = ',',
): string {
  const cell = (value: bigint | number | string | null) => {
    if (typeof value === 'number') return separator === ';' ? String(value).replace('.', ',') : String(value);
    if (typeof value !== 'string') return String(value ?? '');
    const text = csvCell(value.replaceAll(innerFormula, "'"));
    return /^(?!").*[;\t]/s.test(text) ? `"${text}"` : text;
  };
  return byteOrderMark + rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join('');
}

export function textOfCell(cell: string): string {
  return /^'[=+\-@\t\r']/.test(cell) ? cell.slice(1) : cell;
}
