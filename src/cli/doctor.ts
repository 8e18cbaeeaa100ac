/** garden doctor: checks the garden, and says how each fault is mended. */
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Config, readConfig, settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { engineOf } from '../store/engine.ts';
import { newestVersion, schemaVersion } from '../store/migrate.ts';
import { fileOf, mayExist, openStoreToRead, usingStore } from '../store/open.ts';
import type { ReadableStore } from '../store/store.ts';
import { summary } from '../store/summary.ts';
import { logWarning, placeWarning } from '../store/upkeep.ts';
import { type Flags, settingOption, verb } from './command.ts';
import { exitCodes, print, printJson } from './terminal.ts';
import { tryPort } from './try-port.ts';

type Finding = readonly [result: 'good' | 'warning' | 'bad', detail: string | undefined];

const leastFreeBytes = 256 * 1024 * 1024;

/** A finding without a detail is not shown. */
const checks: Readonly<Record<string, (config: Config) => Finding | Promise<Finding>>> = {
  runtime: () => ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`],
  disk: checkDisk,
  place: ({ databaseUrl }) => ['warning', placeWarning(databaseUrl)],
  database: checkDatabase,
  log: ({ databaseUrl }) => ['warning', logWarning(databaseUrl)],
  port: checkPort,
};

export const command = verb(
  'doctor',
  'Check runtime, settings, database and port; say what to do about what is wrong',
  ['garden doctor', 'garden doctor --json | jq ".[] | select(.result != \\"good\\")"'],
)
  .addOption(settingOption(settings.host))
  .addOption(settingOption(settings.port))
  .action(async ({ json, ...flags }: Flags & { host?: string; port?: string }) => {
    const config = readConfig(flags);
    const findings = [];
    for (const [check, examine] of Object.entries(checks)) {
      const [result, detail] = await examine(config);
      if (detail !== undefined) findings.push({ check, result, detail });
    }
    if (json) printJson(findings);
    else
      for (const { check, result, detail } of findings)
        print(`${result.padEnd(8)} ${check.padEnd(9)} ${detail}`);
    if (findings.some(({ result }) => result === 'bad')) process.exitCode = exitCodes.failed;
  });

/** The disk under a database file; a database server has its own. */
async function checkDisk({ databaseUrl }: Config): Promise<Finding> {
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

async function checkDatabase({ databaseUrl }: Config): Promise<Finding> {
  const file = fileOf(databaseUrl);
  if (!mayExist(databaseUrl)) return ['warning', `${file} does not exist yet; garden serve makes it.`];
  try {
    return await usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs: 1000 }), checkStore);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A file with an older schema is no fault: the next start brings it up to date.
    const isMendedAtStart = error.code === 'databaseOutdated' && file !== undefined;
    return [isMendedAtStart ? 'warning' : 'bad', error.message];
  }
}

async function checkStore({ reader, name }: ReadableStore): Promise<Finding> {
  const { listFaults, version } = engineOf(reader);
  const [fault] = await listFaults(reader);
  if (fault !== undefined) {
    const advice = 'keep a copy of it, and bring back the newest backup with garden restore.';
    return ['bad', `${name} is not sound (${fault}); ${advice}`];
  }
  const { members, problems, tokens } = await summary(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  const counts = `${members} members, ${problems} problems, ${tokens} working tokens`;
  const detail = `${name}: ${engine?.version}, ${schema}, ${counts}`;
  return tokens > 0n ? ['good', detail] : ['warning', `${detail}; make a token with garden token create.`];
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  try {
    await tryPort(host, port);
    return ['good', `${host}:${port} is free`];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const sentence = `${host}:${port} cannot be listened on (${code}); a garden may be running there already.`;
    return ['warning', sentence];
  }
}
