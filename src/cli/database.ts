/** How commands open and close the database, and commands that several nouns have. */
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { parseInt64 } from '../contract/common.ts';
import { AppError } from '../errors.ts';
import { defaultBackupPath, makeBackup } from '../jobs/backups.ts';
import { getMemberByName } from '../practice/members.ts';
import type { MemberRow } from '../store/members.ts';
import { fileOf, lockTimeouts, mayExist, openStore, openStoreToRead, usingStore } from '../store/open.ts';
import type { ReadableStore, Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { databaseCommand, type Flags } from './command.ts';
import { printJson, printNotice, printTable } from './terminal.ts';

export const lockTimeoutMs = lockTimeouts.workMs;

export async function withStore<T>(
  flags: Flags,
  work: (store: Store) => Promise<T>,
  { create = false } = {},
): Promise<T> {
  const config = readConfig(flags);
  const { databaseUrl } = config;
  const isNew = create && !mayExist(databaseUrl);
  const beforeUpgrade = backUpBeforeUpgrade(config);
  const options = { create, lockTimeoutMs, writesMuch: true, beforeUpgrade };
  const result = await usingStore(openStore(databaseUrl, options), work);
  // In another working directory the default address is another database.
  if (isNew) printNotice(`Created the database ${fileOf(databaseUrl)}.`);
  return result;
}

/** Of a file with an older schema, for the release that made it. Without this backup the schema stays as it is. */
export const backUpBeforeUpgrade = (config: Config) => (): Promise<void> => {
  const make = async (source: ReadableStore) => {
    if (!source.copyPages) return;
    const path = await defaultBackupPath(source, config);
    printNotice(`Before the update of the schema, a backup is written to ${path} (BACKUP_DIR).`);
    await makeBackup(source, path, { onTotal: () => {}, onRows: () => {} });
  };
  return usingStore(openStoreToRead(config.databaseUrl, { lockTimeoutMs }, true), make).catch((error) => {
    // Another process has updated the schema, with a backup of its own.
    if (error.code !== 'databaseBusy') throw error;
  });
};

export async function withStoreToRead<T>(
  flags: Flags,
  work: (store: ReadableStore) => Promise<T>,
): Promise<T> {
  return usingStore(openStoreToRead(readConfig(flags).databaseUrl, { lockTimeoutMs }), work);
}

export function listCommand(
  noun: string,
  summary: string,
  list: (reader: Db, member: MemberRow | undefined) => Promise<Readonly<Record<string, unknown>>[]>,
): Command {
  return databaseCommand('list', summary, [`garden ${noun} list`, `garden ${noun} list ada --json`])
    .argument('[username]', 'Only this member’s')
    .action(async (username: string | undefined, flags: Flags) => {
      const rows = await withStoreToRead(flags, async ({ reader }) =>
        list(reader, username === undefined ? undefined : await getMemberByName(reader, username)),
      );
      printTable(rows, flags);
    });
}

export const unknownId = (noun: string, text: string) =>
  new AppError('unknownItem', `There is no ${noun} ${text}; garden ${noun} list shows all of them.`);

export function commandOnId(
  [noun, name, pastTense]: readonly [noun: string, name: string, ended: string],
  summary: string,
  work: (store: Store, id: bigint) => Promise<boolean>,
): Command {
  return databaseCommand(name, summary, [`garden ${noun} ${name} 7`])
    .argument('<id>', `Its number in garden ${noun} list`)
    .action(async (text: string, flags: Flags) => {
      const id = parseInt64(text);
      if (id === undefined || !(await withStore(flags, (store) => work(store, id)))) {
        throw unknownId(noun, text);
      }
      if (flags.json) printJson({ id, [pastTense]: true });
      else printNotice(`The ${noun} ${id} is ${pastTense}.`);
    });
}
