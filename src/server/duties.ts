/** What is done once for a server, however many processes it has: looking after its database, showing its figures, making its backups. */
import type { Worker } from 'node:cluster';
import type { Config } from '../config.ts';
import { backupFolder } from '../store/backup-folder.ts';
import { fileOf } from '../store/open.ts';
import { tendStore } from '../store/upkeep.ts';
import { type Backups, type DutyLog, scheduleBackups } from './scheduled-backups.ts';

export interface Duties {
  /** To be awaited before the store is closed. */
  stop(): Promise<void>;
}

export interface Server {
  log: DutyLog;
  /** The figures of the processes that answer requests, where these are not workers. */
  figures: (() => Promise<string>) | undefined;
  workers: { alive(): ReadonlySet<Worker>; replaced(): number } | undefined;
}

/** Throws badSetting where the figures cannot be shown at the address that was asked for. */
export async function takeUpDuties(config: Config, { log, figures, workers }: Server): Promise<Duties> {
  const { databaseUrl, backupDir, backupEveryMs, metricsHost, metricsPort } = config;
  const folder = backupFolder(databaseUrl, backupDir);
  let backups: Backups | undefined;
  if (metricsPort !== undefined) {
    const { clusterFigures, hostFigures, serveFigures } = await import('./metrics.ts');
    const own = hostFigures({
      file: fileOf(databaseUrl),
      backups: backupEveryMs ? { folder, failed: () => backups?.failed() ?? 0 } : undefined,
      workers,
    });
    const read = figures
      ? async () => `${await figures()}\n${await own.metrics()}`
      : clusterFigures(own, () => workers?.alive() ?? []);
    await serveFigures(metricsHost, metricsPort, read);
  }
  if (backupEveryMs) {
    backups = scheduleBackups({ databaseUrl, folder, everyMs: backupEveryMs, keep: config.backupKeep }, log);
  }
  const endTending = tendStore(databaseUrl, (sentence) => log.warn(sentence));
  return {
    stop: async () => {
      await Promise.all([backups?.stop(), endTending()]);
    },
  };
}
