/** garden doctor: checks the garden, and says how each fault is mended. */
import { type Config, readConfig, settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { engineOf } from '../store/engine.ts';
import { describeStore, type Examined, examineDisk, examineLog, examinePlace } from '../store/examination.ts';
import { fileOf, mayExist, openStoreToRead, usingStore } from '../store/open.ts';
import type { ReadableStore } from '../store/store.ts';
import { summary } from '../store/summary.ts';
import { describeSync } from '../sync/health.ts';
import { type Flags, settingOption, verb } from './command.ts';
import { exitCodes, print, printJson } from './terminal.ts';
import { tryPort } from './try-port.ts';

/** A finding without a detail is not shown. */
const checks: Readonly<Record<string, (config: Config) => Examined | Promise<Examined>>> = {
  runtime: () => ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`],
  disk: examineDisk,
  place: examinePlace,
  database: checkDatabase,
  log: examineLog,
  sync: checkSync,
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

async function checkDatabase({ databaseUrl }: Config): Promise<Examined> {
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

async function checkSync({ databaseUrl }: Config): Promise<Examined> {
  if (!mayExist(databaseUrl)) return ['good', undefined];
  const open = openStoreToRead(databaseUrl, { lockTimeoutMs: 1000 });
  // What is wrong with the database itself is said by its own check.
  return usingStore(open, ({ reader }) => describeSync(reader, new Date())).catch(() => ['good', undefined]);
}

async function checkStore(store: ReadableStore): Promise<Examined> {
  const { reader, name } = store;
  const [fault] = await engineOf(reader).listFaults(reader);
  if (fault !== undefined) {
    const advice = 'keep a copy of it, and bring back the newest backup with garden restore.';
    return ['bad', `${name} is not sound (${fault}); ${advice}`];
  }
  const detail = await describeStore(store);
  const { tokens } = await summary(reader);
  return tokens > 0n ? ['good', detail] : ['warning', `${detail}; make a token with garden token create.`];
}

async function checkPort({ host, port }: Config): Promise<Examined> {
  try {
    await tryPort(host, port);
    return ['good', `${host}:${port} is free`];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const sentence = `${host}:${port} cannot be listened on (${code}); a garden may be running there already.`;
    return ['warning', sentence];
  }
}
