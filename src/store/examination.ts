/** Whether a database is well off: its disk, its place, its log, and how many rows it has. */

import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { engineOf } from './engine.ts';
import { countRows } from './listings.ts';
import { newestVersion, schemaVersion } from './migrate.ts';
import { fileOf } from './open.ts';
import { logAlarmBytes, tendLog } from './sqlite/checkpoints.ts';
import { logBytes } from './sqlite/connection.ts';
import { remoteFileSystem } from './sqlite/files.ts';
import type { ReadableStore } from './store.ts';
import type { Db } from './tables.ts';

/* A number with its noun, for sentences that are no words of a page: of the command line, the log, messages and reports. */

/** Such as "1 row" and "1,200 rows". */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${Number(count) === 1 ? one : many}`;
}

/* How many rows a database holds, for `garden doctor`, `garden serve` and backups. */

/** Counts members, problems, and tokens that are neither revoked nor expired. */
export async function countOverview(db: Db) {
  const valid = db
    .selectFrom('tokens')
    .where('revoked_at', 'is', null)
    .where(({ eb }) => eb('expires_at', 'is', null).or('expires_at', '>', new Date().toISOString()));
  return {
    members: await countRows(db.selectFrom('members')),
    problems: await countRows(db.selectFrom('problems')),
    tokens: await countRows(valid),
  };
}

/** Counts the members and problems that came with the sample. */
export async function countSample(db: Db) {
  return {
    members: await countRows(db.selectFrom('members').where('is_sample', '=', 1n)),
    problems: await countRows(db.selectFrom('problems').where('is_sample', '=', 1n)),
  };
}

/* The upkeep of a database file while it is served, and warnings about it. A database server needs none of this. */

/** Starts the upkeep in one process of a server. The returned function stops it; await that before closing the store. */
export function tendStore(databaseUrl: string, notify: (sentence: string) => void): () => Promise<void> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return async () => {};
  const warning = placeWarning(databaseUrl);
  if (warning !== undefined) notify(warning);
  return tendLog(file, notify);
}

function placeWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const name = file === undefined ? undefined : remoteFileSystem(file);
  if (name === undefined) return undefined;
  return `${file} is on ${name}, which may be a network file system: use a local disk.`;
}

export function logWarning(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  const bytes = file === undefined ? 0 : logBytes(file);
  if (bytes <= logAlarmBytes) return undefined;
  return `${file}-wal has ${Math.round(bytes / 1024 / 1024)} MiB; unless a large import is running, another program still reads an older state: stop it (an export or backup that hangs, a sqlite3 shell).`;
}

/** The result of a look at one part of a garden. */
export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}

interface Place {
  databaseUrl: string;
}

/** A finding without a detail is not shown. */
export type Examined = readonly [result: Finding['result'], detail: string | undefined];

const leastFreeBytes = 256 * 1024 * 1024;

/** The disk under a database file; a database server has its own. */
export async function examineDisk({ databaseUrl }: Place): Promise<Examined> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return ['good', undefined];
  let directory = dirname(file);
  while (!existsSync(directory)) directory = dirname(directory);
  const fault = await access(directory, constants.W_OK).catch((error) => error);
  if (fault) return ['bad', `${directory} cannot be written; make it writable or set DATABASE_URL.`];
  const { bavail, bsize } = await statfs(directory);
  const free = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${directory}`;
  return bavail * bsize < leastFreeBytes ? ['warning', `${free}: free some space soon.`] : ['good', free];
}

export function examinePlace({ databaseUrl }: Place): Examined {
  return ['warning', placeWarning(databaseUrl)];
}

export function examineLog({ databaseUrl }: Place): Examined {
  return ['warning', logWarning(databaseUrl)];
}

/** The engine, the schema and the number of rows, in a line. */
export async function describeStore({ reader, name }: ReadableStore): Promise<string> {
  const { version } = engineOf(reader);
  const { members, problems, tokens } = await countOverview(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  const rows = [counted(members, 'member'), counted(problems, 'problem'), counted(tokens, 'working token')];
  return `${name}: ${engine?.version}, ${schema}, ${rows.join(', ')}`;
}
