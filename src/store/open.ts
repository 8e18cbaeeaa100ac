/** Opens, migrates and maintains a database by its URL. No other module chooses the engine. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { invalidValue } from '../errors.ts';
import { quotedAddress } from './errors.ts';
import type { MigrationReport } from './migrate.ts';
import { maintainLog, walAlarmBytes } from './sqlite/checkpoints.ts';
import { databaseIn, isOpenElsewhere, walBytes } from './sqlite/connection.ts';
import { identityOf, remoteFileSystem } from './sqlite/files.ts';
import { openFileToRead } from './sqlite/reads.ts';
import { migrateFile, openFile } from './sqlite/store.ts';
import type { OpenOptions, ReadableStore, Store } from './store.ts';

/** How long a write waits for a lock: for statistics that may be left out, in a request, and in other work. */
export const lockTimeouts = { figuresMs: 1_000, requestMs: 3_000, workMs: 30_000 };

/** Migrates a file. Throws AppError. */
export async function openStore(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const file = fileOf(databaseUrl);
  if (file !== undefined) return openFile(file, options);
  const { openPostgres } = await import('./postgres/store.ts');
  return openPostgres(databaseUrl, options);
}

/** Neither creates nor migrates a database; its file may be read-only. `isOlderAllowed` opens files with an older schema too. */
export async function openStoreToRead(
  databaseUrl: string,
  options: Pick<OpenOptions, 'lockTimeoutMs'>,
  isOlderAllowed = false,
): Promise<ReadableStore> {
  const file = fileOf(databaseUrl);
  if (file !== undefined) return openFileToRead(file, isOlderAllowed);
  return openStore(databaseUrl, { ...options, create: false });
}

export async function usingStore<S extends ReadableStore, T>(
  opening: Promise<S>,
  work: (store: S) => Promise<T>,
): Promise<T> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The path of the database file; undefined for a database server. Throws invalidValue, which calls the address by this name. */
export function fileOf(databaseUrl: string, called = 'DATABASE_URL'): string | undefined {
  if (/^postgres(?:ql)?:/.test(databaseUrl)) return undefined;
  const path = /^sqlite:(?!\/\/[^/])(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path !== undefined && !path.includes('\0') && !path.startsWith(':')) return resolve(path);
  const example = databaseUrl.replace(/^(?:sqlite:\/\/(?=[^/])|(?=[./])|.*)/s, 'sqlite:');
  throw invalidValue(
    `${called} is ${quotedAddress(databaseUrl)}, which names no database; use sqlite: and a path, such as ${example === 'sqlite:' ? 'sqlite:./data/garden.db' : example}, or postgres://user@host/garden.`,
  );
}

export function fileIdentity(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  return file === undefined ? undefined : identityOf(file);
}

export function mayExist(databaseUrl: string): boolean {
  const file = fileOf(databaseUrl);
  return file === undefined || existsSync(file);
}

/** A sentence for who copies a file that a server may change meanwhile. */
export async function openFileWarning(databaseUrl: string): Promise<string | undefined> {
  const file = fileOf(databaseUrl);
  if (file === undefined || (await databaseIn(file)) !== 'garden' || !isOpenElsewhere(file)) return undefined;
  return `${file} is open in another process, and what that writes from now on will not be in the copy; to move a garden, stop its servers (and other garden commands) first, and copy again.`;
}

export async function migrateStore(
  databaseUrl: string,
  options: OpenOptions,
  isDryRun: boolean,
): Promise<MigrationReport> {
  const file = fileOf(databaseUrl);
  if (file !== undefined) return migrateFile(file, options, isDryRun);
  const { migratePostgres } = await import('./postgres/store.ts');
  return migratePostgres(databaseUrl, options, isDryRun);
}

/** Await the returned function before closing the store. */
export function maintainStore(databaseUrl: string, notify: (sentence: string) => void): () => Promise<void> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return async () => {};
  const warning = fileSystemWarning(databaseUrl);
  if (warning !== undefined) notify(warning);
  return maintainLog(file, notify);
}

export function fileSystemWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const name = file === undefined ? undefined : remoteFileSystem(file);
  if (name === undefined) return undefined;
  return `${file} is on ${name}, which may be a network file system: use a local disk.`;
}

export function walWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const bytes = file === undefined ? 0 : walBytes(file);
  if (bytes <= walAlarmBytes) return undefined;
  return `${file}-wal has ${Math.round(bytes / 1024 / 1024)} MiB; unless a large import is running, another program still reads an older state: stop it (an export or backup that hangs, a sqlite3 shell).`;
}
