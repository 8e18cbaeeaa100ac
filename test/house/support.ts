/** Helpers of the house's tests: the files that are or would be committed, the documents, their tables. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { root } from '../support/garden.ts';

let listed: readonly string[] | undefined;

/** Every file that is committed, or would be with `git add`. */
export function committedFiles(): string[] {
  listed ??= listFiles();
  return [...listed];
}

function listFiles(): string[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const paths = [...new Set(list.split('\0'))].filter((path) => path !== '' && existsSync(join(root, path)));
  // A rule about all files would hold for none.
  if (paths.length < 300) throw new Error(`git lists ${paths.length} files only`);
  return paths.sort();
}

export function sourceFiles(folder = 'src/'): string[] {
  const paths = committedFiles().filter((path) => /^src\/.*\.ts$/.test(path));
  if (paths.length < 100) throw new Error(`the source has ${paths.length} files only`);
  return paths.filter((path) => path.startsWith(folder));
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The rows of the table whose header begins with this cell, each a list of its cells without code marks. */
export function tableOf(markdown: string, firstHeader: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${firstHeader} |`));
  if (start < 0) throw new Error(`no table whose header begins with ${firstHeader}`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    const cells = line.slice(1, -1).split('|');
    rows.push(cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')));
  }
  return rows;
}

export interface Verb {
  /** As it is typed, without `garden`. */
  name: string;
  flags: string[];
  /** The text that `--help` prints. */
  help(): string;
  command: Command;
}

/** Every verb of the command line that does something, with the flags it takes. */
export async function everyVerb(): Promise<Verb[]> {
  const verbs: Verb[] = [];
  for (const [, path = ''] of read('src/main.ts').matchAll(/import\('\.\/(cli\/[a-z-]+\.ts)'\)\]/g)) {
    const { command } = (await import(join(root, 'src', path))) as { command: Command };
    verbs.push(...leaves(command, []));
  }
  if (verbs.length < 15) throw new Error(`${verbs.length} verbs were found only`);
  return verbs;
}

function leaves(command: Command, before: readonly string[]): Verb[] {
  const path = [...before, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((one) => leaves(one, path));
  const shown = command.options.filter(({ hidden }) => !hidden);
  const flags = shown.map((option) => option.long).filter((flag) => typeof flag === 'string');
  return [{ name: path.join(' '), flags, help: () => command.helpInformation(), command }];
}
