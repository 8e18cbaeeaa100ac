/** Prints results to standard output and everything else to standard error; the exit codes of commands. */
import { createInterface, type Interface } from 'node:readline/promises';
import type { SingleBar } from 'cli-progress';
import { AppError, invalidValue } from '../errors.ts';
import type { CopyProgress } from '../store/copy.ts';

/** 0 is success. docs/cli.md explains each. */
export const exitCodes = { failed: 1, wrongUsage: 2, badFile: 3, noDatabase: 4 } as const;

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCodes.failed;
  if (error.code === 'invalidValue') return exitCodes.wrongUsage;
  if (error.code === 'badFile' || error.code === 'badRow') return exitCodes.badFile;
  return error.status === 503 ? exitCodes.noDatabase : exitCodes.failed;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function printNotice(text: string): void {
  process.stderr.write(`${text}\n`);
}

export async function ask(terminal: Interface, question: string): Promise<string | undefined> {
  try {
    return await terminal.question(question);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    printNotice('');
    return undefined;
  }
}

export const yesFlag = ['--yes', 'Delete without a prompt'] as const;

/** Throws invalidValue without a terminal, because a script has to pass --yes. */
export async function confirm(action: string, { yes = false }: { yes?: boolean }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw invalidValue(`This would ${action}. Nothing was deleted: pass --yes to delete without a prompt.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await ask(terminal, `This will ${action}. Type yes to confirm: `);
    if (reply?.trim().toLowerCase() === 'yes') return true;
  } finally {
    terminal.close();
  }
  printNotice('Nothing was deleted.');
  process.exitCode = exitCodes.failed;
  return false;
}

export function printJson(value: unknown): void {
  const exact = (_key: string, part: unknown) =>
    typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part;
  print(JSON.stringify(value, exact, 2));
}

export function printObject(value: object, { json = false }: { json?: boolean }): void {
  if (json) printJson(value);
  else printColumns(Object.entries(value).map(([name, part]) => [name, cell(part)]));
}

export function printTable(
  rows: readonly Readonly<Record<string, unknown>>[],
  { json = false }: { json?: boolean } = {},
): void {
  const names = Object.keys(rows[0] ?? {});
  if (json) printJson(rows);
  else if (rows.length === 0) printNotice('There are none.');
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

/** Control characters could command the terminal. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}

export async function withProgressBar<T>(format: string, work: (bar: SingleBar) => Promise<T>): Promise<T> {
  // Few commands show a progress bar, and the server none.
  const { Presets, SingleBar } = await import('cli-progress');
  const options = { format, stream: process.stderr, clearOnComplete: true };
  const bar = new SingleBar(options, Presets.shades_classic);
  try {
    return await work(bar);
  } finally {
    bar.stop();
  }
}

export async function withRowProgress<T>(
  what: string,
  work: (progress: CopyProgress) => Promise<T>,
): Promise<T> {
  return withProgressBar(`${what} [{bar}] {value} of {total} rows {eta_formatted}`, (bar) =>
    work({ onTotal: (rows) => bar.start(rows, 0), onRows: (rows) => bar.increment(rows) }),
  );
}
