/**
 * Decides when a backup is due, makes it, for the schedule or for staff, and removes old ones. A database has one
 * backup at a time.
 */
import { existsSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { AppError } from '../errors.ts';
import { fileTimestamp, folderFault, partialOf, writeBackup } from '../store/backup.ts';
import type { CopyProgress } from '../store/copy.ts';
import { fileOf, lockTimeouts, openStore, openStoreToRead, usingStore } from '../store/open.ts';
import { type CheckResult, firstMemberAt } from '../store/overview.ts';
import { backupMarkOf, getSetting, setSetting } from '../store/settings.ts';
import type { ReadableStore, Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { listRunningUploads } from '../store/uploads.ts';
import { withCleanup, withTemporaryFolder } from './cleanup.ts';
import type { EnqueueJob, WorkerMessage } from './job-protocol.ts';
import { leaseStartedAt, newHolder, renewLeaseDuring, takeLease, tryUnderLease } from './lease.ts';
import { uploadLease } from './uploads.ts';

export interface BackupFailure {
  at: string;
  why: 'busy' | 'full' | 'unwritable' | 'unknown';
}

export type BackupService = ReturnType<typeof backupService>;

const backupLease = 'backup';
const failureSetting = 'backup_failure';
/** The process of jobs, which has a low priority, may have to start first, and then renews the lease. */
const startAtMostMs = 2 * minuteMs;
/** Most backups are done by then, so the page shows the result. */
const waitAtMostMs = 2_500;
const pollMs = 100;
const lockTimeoutMs = lockTimeouts.requestMs;

export async function backupPlan(config: Config, reader: Db): Promise<BackupPlan | undefined> {
  const { databaseUrl, backupDir, backupEveryMs: everyMs } = config;
  if (everyMs === undefined) return undefined;
  return { folder: backupFolder(databaseUrl, backupDir), mark: await backupMarkOf(reader), everyMs };
}

export async function isBackupDue(plan: BackupPlan): Promise<boolean> {
  const newest = (await newestBackup(plan).catch(() => undefined)) ?? Number.NEGATIVE_INFINITY;
  return newest + plan.everyMs <= Date.now();
}

export function backupService(
  config: Config,
  store: Store,
  enqueueJob: EnqueueJob,
  onFault: (fault: string) => void,
) {
  const { databaseUrl, backupDir, backupKeep: keep } = config;
  const folderFault = () => backupFolderFault({ databaseUrl, backupDir });
  const folder = backupFolder(databaseUrl, backupDir);
  const underWay = () => leaseStartedAt(store.reader, backupLease);
  const lastFailure = () => findLastFailure(store.reader);
  return {
    folder,
    underWay,
    lastFailure,
    schedule: async () => {
      const plan = await backupPlan(config, store.reader);
      if (!plan) return undefined;
      const newest = await newestBackup(plan).catch(() => undefined);
      const next = Math.max(Date.now(), (newest ?? 0) + plan.everyMs);
      return { everyMs: plan.everyMs, keep, nextAt: new Date(next).toISOString() };
    },
    hasFolder: async () => (await folderFault()) === undefined,
    list: async () => listBackupFiles({ folder, mark: await backupMarkOf(store.reader) }),
    /** Starts a backup after `beforeStart`, unless one is running; a long one goes on in the background. */
    begin: async (
      beforeStart: () => Promise<unknown>,
    ): Promise<'made' | 'under-way' | Pick<BackupFailure, 'why'>> => {
      const holder = newHolder();
      const at = new Date().toISOString();
      const fault = await folderFault();
      if (fault !== undefined) {
        onFault(fault);
        return { why: 'unwritable' };
      }
      if (!(await takeLease(store, backupLease, holder, startAtMostMs))) return { why: 'busy' };
      try {
        await beforeStart();
        // This failure is replaced when the backup ends, and stays if its process dies.
        await saveFailure(store, { at, why: 'unknown' });
      } catch (error) {
        await renewLeaseDuring(store, backupLease, holder, async () => {});
        throw error;
      }
      enqueueJob({ job: 'backup', holder });
      for (const end = performance.now() + waitAtMostMs; performance.now() < end; await sleep(pollMs))
        if ((await underWay()) === undefined) return (await lastFailure()) ?? 'made';
      return 'under-way';
    },
  };
}

async function findLastFailure(db: Db): Promise<BackupFailure | undefined> {
  return JSON.parse((await getSetting(db, failureSetting)) ?? 'null') ?? undefined;
}

function saveFailure(store: Store, failure: BackupFailure | null): Promise<void> {
  return store.write((tx) => setSetting(tx, failureSetting, JSON.stringify(failure)));
}

interface BackupContext extends Pick<Config, 'databaseUrl' | 'backupDir' | 'backupKeep'> {
  store: Store;
  holder: string;
  signal: AbortSignal;
  runQueued(work: () => Promise<unknown>): Promise<unknown>;
  log(level: 'error', sentence: string): void;
  report(message: WorkerMessage): Promise<void>;
}

export async function makeRequestedBackup(
  context: BackupContext,
  requestHolder: string | undefined,
): Promise<void> {
  const { store, holder, runQueued, log, report } = context;
  const isScheduledBackup = requestHolder === undefined;
  const name = isScheduledBackup ? 'the scheduled backup' : 'the backup that staff asked for';
  const make = async () => {
    // This failure is replaced below, and stays if the process dies. A read-only database has it only in the log.
    const save = (why?: BackupFailure['why']) =>
      saveFailure(store, why ? { at: new Date().toISOString(), why } : null).catch(() => {});
    await save('unknown');
    const error = await makeAndPrune(context, isScheduledBackup).catch((fault: Error) => fault);
    if (error && !context.signal.aborted) {
      const advice = isScheduledBackup ? ' Run garden backup on the command line to test it.' : '';
      log('error', `${name} failed: ${error.message}${advice}`);
    }
    if (error && isScheduledBackup) await report('backup failed');
    const isCancelled = isScheduledBackup && context.signal.aborted;
    await save(error && !isCancelled ? whyOf(error) : undefined);
  };
  const runReported = (work: () => Promise<unknown>) =>
    runQueued(async () => {
      await report({ running: { name, isScheduledBackup } });
      await work();
      await report({ running: undefined });
    });
  if (isScheduledBackup) await runReported(() => tryUnderLease(store, backupLease, holder, make));
  else await renewLeaseDuring(store, backupLease, requestHolder, () => runReported(make));
}

async function makeAndPrune(
  { databaseUrl, backupDir, backupKeep, signal }: BackupContext,
  isScheduled: boolean,
): Promise<undefined> {
  const folder = backupFolder(databaseUrl, backupDir);
  const progress = { onTotal: () => {}, onRows: () => signal.throwIfAborted() };
  await usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs }), async (source) => {
    const mark = await backupMarkOf(source.reader);
    await makeBackup(source, join(folder, backupName(fileTimestamp(), mark, isScheduled)), progress);
    if (isScheduled) await removeOldBackups({ folder, mark }, backupKeep);
  });
}

export function makeBackup(
  source: ReadableStore,
  path: string,
  progress: CopyProgress,
): Promise<{ rows: number; sha256: string }> {
  return withCleanup(partialOf(path), () =>
    withTemporaryFolder((folder) => writeBackup(source, path, folder, progress)),
  );
}

export async function defaultBackupPath({ reader }: ReadableStore, { databaseUrl, backupDir }: Config) {
  const name = backupName(fileTimestamp(), await backupMarkOf(reader));
  return join(backupFolder(databaseUrl, backupDir), name);
}

/**
 * Throws alreadyExists while another backup of this database is running. A read-only database has no lease, and is
 * backed up all the same.
 */
export async function withBackupLease<T>(databaseUrl: string, make: () => Promise<T>): Promise<T> {
  let backup: Promise<T> | undefined;
  const begin = () => {
    backup = make();
    return backup;
  };
  try {
    await usingStore(openStore(databaseUrl, { create: false, lockTimeoutMs }), (store) =>
      tryUnderLease(store, backupLease, newHolder(), begin),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 503) throw error;
    backup ??= make();
  }
  if (backup) return backup;
  throw new AppError('alreadyExists', 'Another backup is in progress; wait until it is done.');
}

/** Pages show a word, since the error text contains paths of the server. */
function whyOf(error: Error): BackupFailure['why'] {
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (error instanceof AppError && error.code === 'databaseFull') return 'full';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'full';
  return 'unknown';
}

/** Time, mark of the database (missing in old releases), and whether the schedule made it. */
const defaultName = /^garden-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-([0-9a-f]{8}))?(-scheduled)?\.db\.gz$/;

function backupFolder(databaseUrl: string, configured: string | undefined): string {
  if (configured !== undefined) return resolve(configured);
  const file = fileOf(databaseUrl);
  return resolve(file === undefined ? join('data', 'backups') : join(dirname(file), 'backups'));
}

/** A new garden is not asked for a backup on its first day. */
const missedAfterMs = dayMs;

/** Says where no schedule is set how old the newest backup is. */
export async function describeUnscheduled(
  { databaseUrl, backupDir }: Config,
  reader: Db,
): Promise<CheckResult> {
  const folder = backupFolder(databaseUrl, backupDir);
  const newest = await newestBackup({ folder, mark: await backupMarkOf(reader) }).catch(() => undefined);
  if (newest !== undefined)
    return ['good', `the newest in ${folder} is from ${new Date(newest).toISOString()}; none is scheduled`];
  const advice = 'set BACKUP_EVERY=24h, or run garden backup';
  const isNew = (await firstMemberAt(reader)) > new Date(Date.now() - missedAfterMs).toISOString();
  return [
    'warning',
    isNew ? undefined : `There is no backup in ${folder}, and none is scheduled; ${advice}.`,
  ];
}

/** The default folder is checked too once backups were made in it. */
export async function usedFolderFault(config: Config, reader: Db | undefined): Promise<string | undefined> {
  const { databaseUrl, backupDir, backupEveryMs } = config;
  const isUsed =
    (backupDir ?? backupEveryMs) !== undefined ||
    existsSync(backupFolder(databaseUrl, backupDir)) ||
    (reader && (await getSetting(reader, failureSetting).catch(() => undefined)) !== undefined);
  return isUsed ? backupFolderFault(config) : undefined;
}

export async function backupFolderFault({
  databaseUrl,
  backupDir,
}: Pick<Config, 'databaseUrl' | 'backupDir'>): Promise<string | undefined> {
  const folder = backupFolder(databaseUrl, backupDir);
  const fault = await folderFault(folder, 'set BACKUP_DIR');
  return fault && `No backup can be made: ${fault}`;
}

function backupName(time: string, mark: string, isScheduled = false): string {
  return `garden-${time}-${mark}${isScheduled ? '-scheduled' : ''}.db.gz`;
}

export function isBackupName(name: string): boolean {
  return defaultName.test(name);
}

/** A folder may contain backups of several databases; `mark` selects one. */
export interface DatabaseBackups {
  folder: string;
  mark: string;
}

export interface BackupPlan extends DatabaseBackups {
  everyMs: number;
}

/** Clocks of several servers differ by less. */
const clockSkewMs = hourMs;
const isNotInFuture = (name: string) => Date.parse(startOf(name)) <= Date.now() + clockSkewMs;

export async function newestBackup(backups: DatabaseBackups): Promise<number | undefined> {
  const newest = (await listBackups(backups)).findLast(isNotInFuture);
  return newest === undefined ? undefined : Date.parse(startOf(newest));
}

function startOf(name: string): string {
  return name.replace(defaultName, '$1T$2:$3:$4Z');
}

export interface BackupFile {
  name: string;
  startedAt: string;
  bytes: number;
  isScheduled: boolean;
}

async function listBackupFiles(backups: DatabaseBackups): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const name of (await listBackups(backups)).reverse()) {
    const stats = await lstat(join(backups.folder, name)).catch(() => undefined);
    if (!stats?.isFile()) continue;
    files.push({
      name,
      startedAt: startOf(name),
      bytes: stats.size,
      isScheduled: name.includes('-scheduled'),
    });
  }
  return files;
}

/** Why a backup that is due is not there. A long import cannot renew its lease, so its state is asked for too. */
export async function backupState(db: Db, newestAt: number): Promise<string> {
  const isImporting = (await listRunningUploads(db)).length > 0;
  if (isImporting || (await leaseStartedAt(db, uploadLease)) !== undefined)
    return 'the next one waits for an import';
  if ((await leaseStartedAt(db, backupLease)) !== undefined) return 'the next one is being made';
  const failure = await findLastFailure(db);
  // The names of backups tell seconds apart.
  return failure && Date.parse(failure.at) >= newestAt + 1000
    ? 'the last try failed, and the log says why'
    : 'the next one is due, and a running server makes it soon';
}

/** Removes all but the newest `keep` backups with default names, and returns the removed names. */
export async function removeOldBackups(backups: DatabaseBackups, keep: number): Promise<string[]> {
  const names = (await listBackups(backups)).filter(isNotInFuture);
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) {
    await rm(join(backups.folder, name));
    await rm(join(backups.folder, `${name}.sha256`), { force: true });
  }
  return old;
}

async function listBackups({ folder, mark }: DatabaseBackups): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => defaultName.exec(name)?.[5] === mark).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
