/** garden doctor: is everything as it should be, and what to do where it is not. */
import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { engineOf } from '../store/engine.ts';
import { newestVersion, schemaVersion } from '../store/migrate.ts';
import { fileOf, mayExist, openStoreToRead } from '../store/open.ts';
import { summary } from '../store/summary.ts';
import { logWarning, placeWarning } from '../store/upkeep.ts';
import { exitCodes, jsonOption, print, settingOption, toJson, verb } from './terminal.ts';

interface Finding {
  check: string;
  verdict: 'good' | 'warning' | 'bad';
  detail: string;
}

const leastFreeBytes = 256 * 1024 * 1024;

export function doctorVerb(): Command {
  return verb('doctor', 'Check runtime, settings, database and port; say what to do about what is wrong', [
    'garden doctor',
    'garden doctor --json | jq ".[] | select(.verdict != \\"good\\")"',
  ])
    .addOption(settingOption('host'))
    .addOption(settingOption('port'))
    .addOption(jsonOption())
    .action(
      async ({ json, ...flags }: { databaseUrl?: string; host?: string; port?: string; json?: boolean }) => {
        const config = readConfig(flags);
        const findings = [
          runtime(),
          ...(await disk(config)),
          ...place(config),
          await database(config),
          ...log(config),
          await port(config),
        ];
        if (json) print(toJson(findings));
        else
          for (const { check, verdict, detail } of findings)
            print(`${verdict.padEnd(8)} ${check.padEnd(9)} ${detail}`);
        if (findings.some((finding) => finding.verdict === 'bad')) process.exitCode = exitCodes.failed;
      },
    );
}

function runtime(): Finding {
  return {
    check: 'runtime',
    verdict: 'good',
    detail: `Node ${process.versions.node} on ${process.platform}-${process.arch}`,
  };
}

/** Of a database server the disk is its own business. */
async function disk({ databaseUrl }: Config): Promise<Finding[]> {
  const file = fileOf(databaseUrl);
  return file === undefined ? [] : [await diskUnder(file)];
}

async function diskUnder(file: string): Promise<Finding> {
  const check = 'disk';
  let directory = dirname(file);
  while (!existsSync(directory)) directory = dirname(directory);
  try {
    await access(directory, constants.W_OK);
  } catch {
    return {
      check,
      verdict: 'bad',
      detail: `${directory} cannot be written; make it writable or set DATABASE_URL.`,
    };
  }
  const { bavail, bsize } = await statfs(directory);
  const free = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${directory}`;
  return bavail * bsize < leastFreeBytes
    ? { check, verdict: 'warning', detail: `${free}: free some space soon.` }
    : { check, verdict: 'good', detail: free };
}

/** Whether the file stands where its locks and its log hold; told only where that is not sure. */
function place({ databaseUrl }: Config): Finding[] {
  const told = placeWarning(databaseUrl);
  return told === undefined ? [] : [{ check: 'place', verdict: 'warning', detail: told }];
}

/** The log beside a file, where it became large. */
function log({ databaseUrl }: Config): Finding[] {
  const told = logWarning(databaseUrl);
  return told === undefined ? [] : [{ check: 'log', verdict: 'warning', detail: told }];
}

async function database({ databaseUrl }: Config): Promise<Finding> {
  const check = 'database';
  if (!mayExist(databaseUrl)) {
    const detail = `${fileOf(databaseUrl)} does not exist yet; garden serve makes it.`;
    return { check, verdict: 'warning', detail };
  }
  try {
    const store = await openStoreToRead(databaseUrl, { lockTimeoutMs: 1000 });
    const { name } = store;
    try {
      const faults = await engineOf(store.reader).listFaults(store.reader);
      if (faults.length > 0) {
        return {
          check,
          verdict: 'bad',
          detail: `${name} is not sound (${faults[0]}); keep a copy of it, and bring back the newest backup with garden restore.`,
        };
      }
      const { members, problems, tokens } = await summary(store.reader);
      const version = await schemaVersion(store.reader);
      const counts = `${members} members, ${problems} problems, ${tokens} working tokens`;
      const detail = `${name}: ${await engineOf(store.reader).describe(store.reader)}, schema ${version} of ${newestVersion}, ${counts}`;
      return tokens === 0n
        ? { check, verdict: 'warning', detail: `${detail}; make a token with garden token create.` }
        : { check, verdict: 'good', detail };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // A file with an older schema is no fault: the next start brings it up to date.
    const isMendedAtStart = error.code === 'databaseOutdated' && fileOf(databaseUrl) !== undefined;
    return { check, verdict: isMendedAtStart ? 'warning' : 'bad', detail: error.message };
  }
}

async function port({ host, port: wanted }: Config): Promise<Finding> {
  const check = 'port';
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<Finding>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    resolve({
      check,
      verdict: 'warning',
      detail: `${host}:${wanted} cannot be listened on (${error.code}); a garden may be running there already.`,
    }),
  );
  server.listen(wanted, host, () => resolve({ check, verdict: 'good', detail: `${host}:${wanted} is free` }));
  const finding = await promise;
  server.close();
  return finding;
}
