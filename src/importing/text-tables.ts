/** Reads rows of tables in text: CSV, tabs from a spreadsheet, and Markdown. */
import { localizedError } from '../errors.ts';

export interface TitledTable {
  separator: string;
  titleColumn: number;
}

export const longestRow = 4000;

const titleColumns =
  /^\s*(?:(?:(?:problem|question|task) )?(?:title|name)|problem[ae]?|problème|task|exercise|question|titel|aufgabe|titre|nom|exercice|título|nombre|ejercicio|nome|exercício|zadanie|название|имя|задача|[题題]目(?:名[称稱])?|[标標][题題]|名[称稱]|タイトル|問題名?|제목|이름|문제명?)s?\s*$/i;

export function tableWithHeader(line: string): TitledTable | undefined {
  if (line.length > longestRow || line.includes('://')) return undefined;
  for (const separator of separators) {
    const cells = line.includes(separator) ? cellsIn(line, separator) : [];
    const titleColumn = cells.findIndex(({ cell }) => titleColumns.test(cell));
    if (titleColumn >= 0) return { separator, titleColumn };
  }
  return undefined;
}

export const separators = ['\t', '|', ';', ','];

/** A row without a known header has a cell with an address alone. Its title is the only other cell with words. */
export function tableOfRow(line: string): TitledTable | undefined {
  if (line.length > longestRow || !line.includes('://')) return undefined;
  for (const separator of separators) {
    const cells = line.includes(separator) ? cellsIn(line, separator) : [];
    const linkColumn = cells.findIndex(({ cell }) => /^ ?https?:\/\/\S+(?<!&\w{1,5}) ?$/i.test(cell));
    // A sign after the address in the first cell may be its own.
    if (linkColumn < (separator === '\t' ? 0 : 1) || cells.length < 2) continue;
    const isText = ({ cell }: { cell: string }) => !cell.includes('://') && /\p{L}[^\d\s]/u.test(cell);
    const others = separator === '\t' && cells.length === 2 ? cells : cells.slice(0, linkColumn);
    const [first, second] = others.filter(isText);
    const isProse = separator === ',' && cells[linkColumn]?.cell.startsWith(' ');
    return { separator, titleColumn: first && !second && !isProse ? cells.indexOf(first) : -1 };
  }
  return undefined;
}

export function cellsIn(line: string, separator: string): { offset: number; cell: string }[] {
  const pattern = new RegExp(
    `(?:[^\\S\\t]*"((?:[^"]|"")*)"[^\\S\\t]*|([^${separator}]*))(?:[${separator}]|$)`,
    'g',
  );
  // The last match is the empty one at the end of the line.
  const found = [...line.matchAll(pattern)].filter(({ index }, count) => index < line.length || count === 0);
  return found.map(({ index, 1: quoted, 2: unquoted = '' }) => ({
    offset: index,
    cell: quoted?.replaceAll('""', '"') ?? unquoted,
  }));
}

export interface TableRecord {
  line: number;
  cells: string[];
}

const headLines = 10;
/** How many records may be blank although no empty line says so, such as a quoted cell of line breaks. */
const blankRecordsAtMost = 10_000;

/**
 * The separator is the one that Excel names (`sep=;`), or under which the first lines have the most known headings.
 * Throws badFile.
 */
export function recordsIn(text: string, isHeading: (cell: string) => boolean, most: number): TableRecord[] {
  const lines = text.normalize('NFC').split(/\r\n|\r|\n/);
  const named = /^\s*"?sep=(.)"?\s*$/i.exec(lines[0] ?? '')?.[1];
  if (named !== undefined) lines[0] = '';
  const head = lines.filter((line) => line.trim() !== '').slice(0, headLines);
  const count = (separator: string) => {
    const cells = head.filter((line) => line.includes(separator)).map((line) => valuesIn(line, separator));
    return headLines * Math.max(0, ...cells.map((row) => row.filter(isHeading).length)) + cells.length;
  };
  const [best = ','] = separators.toSorted((one, other) => count(other) - count(one));
  const separator = separators.find((one) => one === named) ?? best;
  const blankLine = new RegExp(`^(?:[\\s${separator}]|""(?=\\s*(?:[${separator}]|$)))*$`);
  const records: TableRecord[] = [];
  let blankRecords = 0;
  for (let at = 0; at < lines.length && records.length < most; ) {
    if (blankLine.test(lines[at] ?? '')) {
      at++;
      continue;
    }
    const lineCount = linesOfRecord(lines, at, separator);
    const cells = valuesIn(lines.slice(at, at + lineCount).join('\n'), separator);
    if (cells.some((cell) => cell !== '')) records.push({ line: at + 1, cells });
    else if (++blankRecords > blankRecordsAtMost)
      throw localizedError('badFile.manyRows', { most: blankRecordsAtMost });
    at += lineCount;
  }
  return records;
}

const valuesIn = (line: string, separator: string) =>
  cellsIn(line.slice(0, longestRow), separator).map(({ cell }) => cell.trim());

const linesInCell = 20;

/** A quoted cell, such as an address, may have several lines. A quote that nothing closes is a sign like others. */
function linesOfRecord(lines: readonly string[], start: number, separator: string): number {
  let record = lines[start] ?? '';
  if (!record.includes('"')) return 1;
  const opened = new RegExp(`(?:^|[${separator}]) *"(?:[^"]|"")*$`);
  for (let count = 1; count <= linesInCell && record.length <= longestRow; count++) {
    if (!opened.test(record)) return count;
    record += `\n${lines[start + count] ?? ''}`;
  }
  return 1;
}
