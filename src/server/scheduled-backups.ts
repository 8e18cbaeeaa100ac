/** Backups that the server makes by itself: garden backup in a process of its own, whenever the newest one is old enough. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { backupFolder, newestBackup, type OwnBackups } from '../store/backup.ts';
import { fileIdentity } from '../store/open.ts';
import { backupMarkOf } from '../store/settings.ts';
import type { Db } from '../store/tables.ts';
import { startBackup } from './backup-process.ts';

export interface BackupPlan extends OwnBackups {
  everyMs: number;
}

/** A longer wait is cut into pieces: the clock may be set, and staff may make a backup by hand. */
const longestWaitMs = 600_000;
const retryMs = 600_000;
/** How long a backup that is to end may take to clear up. */
const clearUpMs = 2_000;

/** Undefined where no backups are scheduled. */
export async function backupPlan(config: Config, reader: Db): Promise<BackupPlan | undefined> {
  const { databaseUrl, backupDir, backupEveryMs: everyMs } = config;
  if (everyMs === undefined) return undefined;
  return { folder: backupFolder(databaseUrl, backupDir), mark: await backupMarkOf(reader), everyMs };
}

/** Makes backups until it is stopped. Stopping ends the backup that is under way, which leaves no partial file. */
export function scheduleBackups(
  { databaseUrl, backupKeep }: Config,
  { everyMs, ...own }: BackupPlan,
  log: Logger,
) {
  const stopping = new AbortController();
  // Backups of another file would push out those of the right one.
  const identity = fileIdentity(databaseUrl);
  let failed = 0;
  let making: ChildProcess | undefined;

  /** Answers why no backup was made, as the end of a sentence for the log. */
  async function make(): Promise<string | undefined> {
    if (fileIdentity(databaseUrl) !== identity) {
      return 'was not made: the database file is gone or another one.';
    }
    const started = startBackup({ databaseUrl, backupKeep }, own, true);
    making = started.child;
    const message = await started.made;
    if (message === undefined) return undefined;
    return `failed: ${message} Run garden backup on the command line to test it.`;
  }

  async function keepOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const newest = (await newestBackup(own).catch(() => undefined)) ?? -Infinity;
      let waitMs = newest + everyMs - Date.now();
      if (waitMs <= 0) {
        const failure = await make();
        if (stopping.signal.aborted) return;
        waitMs = failure === undefined ? everyMs : Math.min(everyMs, retryMs);
        if (failure !== undefined) {
          failed++;
          log.error(`the scheduled backup ${failure}`);
        }
      }
      const pieceMs = Math.min(Math.max(waitMs, 1_000), longestWaitMs);
      await sleep(pieceMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const over = keepOn();
  return {
    /** How many backups failed. */
    failed: () => failed,
    stop: async () => {
      stopping.abort();
      making?.kill('SIGTERM');
      const timer = setTimeout(() => making?.kill('SIGKILL'), clearUpMs);
      await over;
      clearTimeout(timer);
    },
  };
}
