/** What is looked at to say whether a garden is well: the runtime, the disk, the place of the database, its log and its rows. */
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { engineOf } from './engine.ts';
import { newestVersion, schemaVersion } from './migrate.ts';
import { fileOf } from './open.ts';
import type { ReadableStore } from './store.ts';
import { summary } from './summary.ts';
import { logWarning, placeWarning } from './upkeep.ts';

/** What a look at one part of the garden found, for the health page of staff and for `garden doctor`. */
export interface Finding {
  check: string;
  result: 'good' | 'warning' | 'bad';
  detail: string;
}

/** A finding without a detail is not shown. */
export type Examined = readonly [result: Finding['result'], detail: string | undefined];

const leastFreeBytes = 256 * 1024 * 1024;

export function examineRuntime(): Examined {
  return ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`];
}

/** The disk under a database file; a database server has its own. */
export async function examineDisk(databaseUrl: string): Promise<Examined> {
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

export function examinePlace(databaseUrl: string): Examined {
  return ['warning', placeWarning(databaseUrl)];
}

export function examineLog(databaseUrl: string): Examined {
  return ['warning', logWarning(databaseUrl)];
}

/** The engine, the schema and the number of rows, in a line. */
export async function describeStore({ reader, name }: ReadableStore): Promise<string> {
  const { version } = engineOf(reader);
  const { members, problems, tokens } = await summary(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  return `${name}: ${engine?.version}, ${schema}, ${members} members, ${problems} problems, ${tokens} working tokens`;
}

/** Everything that a garden which runs can say of itself. The integrity of a file is left to `garden doctor`: it takes long. */
export async function examine(
  databaseUrl: string,
  store: ReadableStore,
  ready: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const findings = await ready();
  const looks: [check: string, Examined][] = [
    ['runtime', examineRuntime()],
    ['disk', await examineDisk(databaseUrl)],
    ['place', examinePlace(databaseUrl)],
    ['log', examineLog(databaseUrl)],
    ['rows', ['good', await describeStore(store)]],
  ];
  for (const [check, [result, detail]] of looks) {
    if (detail !== undefined) findings.push({ check, result, detail });
  }
  return findings;
}
