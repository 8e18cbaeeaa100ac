/** How every verb talks: results on standard output, everything else on standard error, exit codes that mean something. */
import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { closest, distance } from 'fastest-levenshtein';
import { options, readConfig, type SettingKey } from '../config.ts';
import { AppError } from '../errors.ts';
import { fileOf, mayExist, openStore, openStoreToRead } from '../store/open.ts';
import type { OpenOptions, Store } from '../store/store.ts';

/** How long a verb waits for another writer. */
export const lockTimeoutMs = 30_000;

/** 0 is done. docs/cli.md tells them to scripts. */
export const exitCodes = { failed: 1, wrongUsage: 2, badFile: 3, noDatabase: 4 } as const;

export function exitCodeOf(error: unknown): number {
  if (!(error instanceof AppError)) return exitCodes.failed;
  if (error.code === 'badSetting') return exitCodes.wrongUsage;
  if (error.code === 'badFile' || error.code === 'badRow') return exitCodes.badFile;
  return error.status === 503 ? exitCodes.noDatabase : exitCodes.failed;
}

/** A verb with its examples; takes the database's address like every other. */
export function verb(name: string, summary: string, examples: readonly string[]): Command {
  return plainVerb(name, summary, examples).addOption(settingOption('databaseUrl'));
}

/** A verb with its examples that is told in another way what to work on. */
export function plainVerb(name: string, summary: string, examples: readonly string[]): Command {
  const command = new Command(name);
  examplesOf.set(command, examples);
  return command
    .summary(summary)
    .description(`${summary}.`)
    .addHelpText('after', exampleText(examples))
    .showHelpAfterError('(add --help for what it takes)');
}

const examplesOf = new WeakMap<Command, readonly string[]>();

function exampleText(examples: readonly string[]): string {
  return `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`;
}

/** A group of verbs with the first example of each, such as `garden token …`. */
export function group(name: string, summary: string, verbs: readonly Command[]): Command {
  const command = new Command(name).summary(summary).description(`${summary}.`);
  for (const one of verbs) command.addCommand(one);
  return command.addHelpText(
    'after',
    exampleText(verbs.flatMap((one) => examplesOf.get(one)?.slice(0, 1) ?? [])),
  );
}

/** A setting as a flag; its default stands in the help, but is read from the environment later. */
export function settingOption(key: SettingKey): Option {
  const option = options.find((known) => known.key === key);
  if (!option) throw new Error(`no setting ${key}`);
  const { flag, placeholder, help, env } = option;
  return new Option(`--${flag} <${placeholder}>`, `${help} (${env}, default ${option.default})`);
}

/** Takes one of these words alone; a misspelt one is answered with the nearest. */
export function withChoices<T extends Argument | Option>(taker: T, choices: readonly string[]): T {
  taker.choices(choices).argParser((text: string) => {
    if (choices.includes(text)) return text;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${suggestion(text, choices)}`);
  });
  return taker;
}

/** The nearest of the words in commander's own form, unless none is near. */
export function suggestion(text: string, words: readonly string[]): string {
  if (words.length === 0) return '';
  const nearest = closest(text.slice(0, 100), words);
  const isNear = distance(text.slice(0, 100), nearest) <= Math.max(2, text.length * 0.4);
  return isNear ? `\n(Did you mean ${nearest}?)` : '';
}

export const jsonOption = () => new Option('--json', 'Print the result as JSON');

/** The database that a verb works on: the flag's, else the environment's, else the default. */
export function databaseUrlOf({ databaseUrl }: { databaseUrl?: string }): string {
  return readConfig(databaseUrl === undefined ? {} : { databaseUrl }).databaseUrl;
}

/** Lets a verb run to its end on its database, and says so where that was made for it. */
export async function withStore<T>(
  flags: { databaseUrl?: string },
  create: OpenOptions['create'],
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const databaseUrl = databaseUrlOf(flags);
  const isNew = create && !mayExist(databaseUrl);
  const result = await usingStore(openStore(databaseUrl, { create, lockTimeoutMs }), work);
  // In another folder than usual the default address is another database.
  if (isNew) complain(`The database ${fileOf(databaseUrl)} was made: there was none.`);
  return result;
}

/** The same for a verb that only reads, so that it also works where nothing may be written. */
export async function withStoreToRead<T>(
  flags: { databaseUrl?: string },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  return usingStore(openStoreToRead(databaseUrlOf(flags), { lockTimeoutMs }), work);
}

/** Lets the work use a store and closes it whatever happens. */
export async function usingStore<T>(opening: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** JSON for people and scripts; ids of 64 bits stay exact. */
export function toJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_key, part) => (typeof part === 'bigint' ? JSON.rawJSON(String(part)) : part),
    2,
  );
}

/** Prints one object: as JSON, or a line a field. */
export function printObject(value: Readonly<Record<string, unknown>>, asJson: boolean): void {
  if (asJson) print(toJson(value));
  else printColumns(Object.entries(value).map(([name, part]) => [name, cell(part)]));
}

/** Prints rows under a header, or as a JSON array. */
export function printTable(rows: readonly Readonly<Record<string, unknown>>[], asJson: boolean): void {
  const names = Object.keys(rows[0] ?? {});
  if (asJson) print(toJson(rows));
  else if (rows.length === 0) complain('There are none.');
  else printColumns([names, ...rows.map((row) => names.map((name) => cell(row[name])))]);
}

function printColumns(lines: readonly string[][]): void {
  const widths = lines[0]?.map((_cell, place) => Math.max(...lines.map((line) => line[place]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((text, place) => text.padEnd(widths?.[place] ?? 0));
    print(cells.join('  ').trimEnd());
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return oneLine(Array.isArray(value) ? value.join(' ') : String(value));
}

/** Text from a file or a form as a terminal may have it: on one line, and unable to command the terminal. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ');
}
