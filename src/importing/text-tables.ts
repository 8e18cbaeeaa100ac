/** Reads rows of tables in text: CSV, tabs from a spreadsheet, and Markdown. */

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
  const pattern = new RegExp(`(?:\\s*"((?:[^"]|"")*)"\\s*|([^${separator}]*))(?:[${separator}]|$)`, 'g');
  // The last match is the empty one at the end of the line.
  const found = [...line.matchAll(pattern)].filter(({ index }, count) => index < line.length || count === 0);
  return found.map(({ index, 1: quoted, 2: unquoted = '' }) => ({
    offset: index,
    cell: quoted?.replaceAll('""', '"') ?? unquoted,
  }));
}
