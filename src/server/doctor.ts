/** Checks of a server and its database, for `garden doctor` and for the health page of Administration. */
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import { backupPlan, describeUnscheduled, usedFolderFault } from '../jobs/backups.ts';
import { describeSync } from '../jobs/sync-health.ts';
import { existingFolder, folderFault } from '../store/backup.ts';
import { engineOf } from '../store/engine.ts';
import { newestVersion, schemaVersion } from '../store/migrate.ts';
import { fileOf, fileSystemWarning, walWarning } from '../store/open.ts';
import {
  administratorFault,
  type CheckResult,
  countOverview,
  countText,
  type Finding,
  hasOpenLinks,
} from '../store/overview.ts';
import type { ReadableStore } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { isLoopback } from '../web/request/site.ts';
import { backupFault } from './health.ts';

const leastFreeBytes = 256 * 1024 * 1024;
const none: CheckResult = ['good', undefined];

interface CheckInput {
  store: ReadableStore | CheckResult;
  port: CheckResult;
  /** Why the open database cannot serve. */
  fault: string | undefined;
  /** The host of the page, if BASE_URL does not lead there. */
  openedAt?: string | undefined;
}

export async function examine(
  config: Config,
  { store, fault, port, openedAt }: CheckInput,
): Promise<Finding[]> {
  const isOpen = 'reader' in store;
  const checks: Readonly<Record<string, CheckResult>> = {
    runtime: ['good', `Node ${process.versions.node} on ${process.platform}-${process.arch}`],
    disk: await examineDisk(config),
    place: ['warning', fileSystemWarning(config.databaseUrl)],
    database: !isOpen ? store : fault === undefined ? ['good', await describeStore(store)] : ['bad', fault],
    members: ['warning', isOpen && fault === undefined ? await administratorFault(store.reader) : undefined],
    log: ['warning', walWarning(config.databaseUrl)],
    address: [
      'warning',
      await addressWarning(config, openedAt, isOpen && fault === undefined ? store.reader : undefined),
    ],
    proxies: ['warning', proxyWarning(config)],
    backups: await examineBackups(config, isOpen ? store.reader : undefined),
    // A fault of the database itself is reported by its own check.
    sync: isOpen ? await describeSync(store.reader, new Date(), config.sync).catch(() => none) : none,
    port,
  };
  return Object.entries(checks).flatMap(([check, [result, detail]]) =>
    detail === undefined ? [] : [{ check, result, detail }],
  );
}

async function addressWarning(
  { baseUrl }: Config,
  host: string | undefined,
  reader: Db | undefined,
): Promise<string | undefined> {
  if (host === undefined) {
    if (!reader || !isLoopback(baseUrl) || !(await hasOpenLinks(reader))) return undefined;
    return `Invitations or slips lead to ${baseUrl}, which only this computer can open; set HOST and BASE_URL, and make them again.`;
  }
  return `You opened this page at ${host}, but BASE_URL is ${baseUrl}, where invitations and other links lead; set it to the address that members use.`;
}

/** The server itself speaks no TLS. */
function proxyWarning({ baseUrl, trustedProxies }: Config): string | undefined {
  if (trustedProxies !== undefined || !baseUrl.startsWith('https:')) return undefined;
  return 'BASE_URL is https, so a proxy is in front, but TRUSTED_PROXIES is none: all visitors have one address, also for wrong passwords; set it to the address of the proxy.';
}

async function examineBackups(config: Config, reader: Db | undefined): Promise<CheckResult> {
  const unwritable = await usedFolderFault(config, reader);
  if (unwritable !== undefined) return ['bad', unwritable];
  const plan = reader && (await backupPlan(config, reader));
  if (!plan) return reader ? describeUnscheduled(config, reader).catch(() => none) : none;
  const fault = await backupFault(plan, reader);
  return fault === undefined ? ['good', `the newest in ${plan.folder} is on time`] : ['warning', fault];
}

async function examineDisk({ databaseUrl }: Config): Promise<CheckResult> {
  const file = fileOf(databaseUrl);
  if (file === undefined) return ['good', undefined];
  const directory = existingFolder(dirname(file));
  const fault = await folderFault(directory, 'set DATABASE_URL');
  if (fault !== undefined) return ['bad', fault];
  const { bavail, bsize } = await statfs(directory);
  const free = `${Math.round((bavail * bsize) / 1024 / 1024)} MiB free in ${directory}`;
  return bavail * bsize < leastFreeBytes ? ['warning', `${free}: free some space soon.`] : ['good', free];
}

async function describeStore({ reader, name }: ReadableStore): Promise<string> {
  const { version } = engineOf(reader);
  const { members, problems, tokens } = await countOverview(reader);
  const [engine] = (await version.execute(reader)).rows;
  const schema = `schema ${await schemaVersion(reader)} of ${newestVersion}`;
  const rows = [
    countText(members, 'member'),
    countText(problems, 'problem'),
    countText(tokens, 'working token'),
  ];
  return `${name}: ${engine?.version}, ${schema}, ${rows.join(', ')}`;
}
