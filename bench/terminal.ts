/** What a person sees while a benchmark runs: results on standard output, progress on a terminal only. */
import { stripVTControlCharacters } from 'node:util';

let isQuiet = false;
let shown = '';

/** Prints no results: they are printed as JSON at the end. */
export function beQuiet(): void {
  isQuiet = true;
}

export function say(text: string): void {
  if (isQuiet) return;
  progress('');
  process.stdout.write(`${text}\n`);
}

/** Shows what is being done, over what was shown before; the empty text takes it away. */
export function progress(text: string): void {
  if (!process.stderr.isTTY || text === shown) return;
  shown = stripVTControlCharacters(text).slice(0, (process.stderr.columns || 80) - 1);
  process.stderr.write(`\r\x1b[K${shown}`);
}

/** A table whose first column is text and whose others are figures. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}

export function markdownTable(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  const rule = `|${'---|'.repeat(rows[0]?.length ?? 0)}`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
