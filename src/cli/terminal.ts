/** Commands print results on standard output and everything else on standard error. Their exit codes are here too. */
import { AppError } from '../errors.ts';

/** The code 0 is done. docs/cli.md explains each. */
export const exitCodes = { failed: 1, wrongUsage: 2, badFile: 3, noDatabase: 4 } as const;

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCodes.failed;
  if (error.code === 'badSetting') return exitCodes.wrongUsage;
  if (error.code === 'badFile' || error.code === 'badRow') return exitCodes.badFile;
  return error.status === 503 ? exitCodes.noDatabase : exitCodes.failed;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints JSON for people and programs; ids of 64 bits stay exact. */
export function printJson(value: unknown): void {
  const exact = (_key: string, part: unknown) =>
    typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part;
  print(JSON.stringify(value, exact, 2));
}

/** Prints one object: as JSON, or a line for each field. */
export function printObject(value: object, { json = false }: { json?: boolean }): void {
  if (json) printJson(value);
  else printColumns(Object.entries(value).map(([name, part]) => [name, cell(part)]));
}

/** Prints rows under a header, or as a JSON array. */
export function printTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  { json = false }: { json?: boolean } = {},
): void {
  const names = Object.keys(rows[0] ?? {});
  if (json) printJson(rows);
  else if (rows.length === 0) complain('There are none.');
  else printColumns([names, ...rows.map((row) => names.map((name) => cell(row[name])))]);
}

function printColumns(lines: readonly string[][]): void {
  const widths = lines[0]?.map((_cell, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    const cells = line.map((text, column) => text.padEnd(widths?.[column] ?? 0));
    print(cells.join('  ').trimEnd());
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return oneLine(Array.isArray(value) ? value.join(' ') : String(value));
}

/** Text from a file or a form, on one line and unable to command the terminal. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
