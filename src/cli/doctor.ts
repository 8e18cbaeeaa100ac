/** garden doctor: whether everything is as it should be, and what to do where it is not. */
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

/** Undefined where nothing needs to be said. */
type Finding = { result: 'good' | 'warning' | 'bad'; detail: string } | undefined;

const good = (detail: string): Finding => ({ result: 'good', detail });
const warning = (detail: string): Finding => ({ result: 'warning', detail });
const bad = (detail: string): Finding => ({ result: 'bad', detail });
const doubt = (sentence: string | undefined) => (sentence === undefined ? undefined : warning(sentence));

const leastFreeBytes = 256 * 1024 * 1024;
const lockTimeoutMs = 1000;

const checks: Readonly<Record<string, (config: Config) => Finding | Promise<Finding>>> = {
  runtime: () => good(`Node ${process.versions.node} on ${process.platform}-${process.arch}`),
  disk: checkDisk,
  place: ({ databaseUrl }) => doubt(placeWarning(databaseUrl)),
  database: checkDatabase,
  log: ({ databaseUrl }) => doubt(logWarning(databaseUrl)),
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
      const finding = await examine(config);
      if (finding) findings.push({ check, ...finding });
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
  if (file === undefined) return undefined;
  let directory = dirname(file);
  while (!existsSync(directory)) directory = dirname(directory);
  const fault = await access(directory, constants.W_OK).catch((error) => error);
  if (fault) return bad(`${directory} cannot be written; make it writable or set DATABASE_URL.`);
  const { bavail, bsize } = await statfs(directory);
  const free = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${directory}`;
  return bavail * bsize < leastFreeBytes ? warning(`${free}: free some space soon.`) : good(free);
}

async function checkDatabase({ databaseUrl }: Config): Promise<Finding> {
  const file = fileOf(databaseUrl);
  if (!mayExist(databaseUrl)) return warning(`${file} does not exist yet; garden serve makes it.`);
  try {
    return await usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs }), checkStore);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A file with an older schema is no fault: the next start brings it up to date.
    const isMendedAtStart = error.code === 'databaseOutdated' && file !== undefined;
    return isMendedAtStart ? warning(error.message) : bad(error.message);
  }
}

async function checkStore({ reader, name }: ReadableStore): Promise<Finding> {
  const { listFaults, version } = engineOf(reader);
  const [fault] = await listFaults(reader);
  if (fault !== undefined) {
    const advice = 'keep a copy of it, and bring back the newest backup with garden restore.';
    return bad(`${name} is not sound (${fault}); ${advice}`);
  }
  const { members, problems, tokens } = await summary(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  const counts = `${members} members, ${problems} problems, ${tokens} working tokens`;
  const detail = `${name}: ${engine?.version}, ${schema}, ${counts}`;
  return tokens === 0n ? warning(`${detail}; make a token with garden token create.`) : good(detail);
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  try {
    await tryPort(host, port);
    return good(`${host}:${port} is free`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return warning(`${host}:${port} cannot be listened on (${code}); a garden may be running there already.`);
  }
}
