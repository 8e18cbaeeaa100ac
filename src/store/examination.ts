/** Whether a database is well off: its disk, its place, its log, and how many rows it has. */
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted } from './counted.ts';
import { engineOf } from './engine.ts';
import { newestVersion, schemaVersion } from './migrate.ts';
import { fileOf } from './open.ts';
import type { ReadableStore } from './store.ts';
import { summary } from './summary.ts';
import { logWarning, placeWarning } from './upkeep.ts';

/** What a look at one part of a garden found. */
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
  const { members, problems, tokens } = await summary(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  const rows = [counted(members, 'member'), counted(problems, 'problem'), counted(tokens, 'working token')];
  return `${name}: ${engine?.version}, ${schema}, ${rows.join(', ')}`;
}
