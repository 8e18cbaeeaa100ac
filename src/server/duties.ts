/**
 * A server has these duties once, however many processes it has: it looks after its database, shows its figures, makes its backups,
 * asks judges, sends reminders.
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { tendStore } from '../store/examination.ts';
import { openStoreToRead, usingStore } from '../store/open.ts';
import type { Host } from './metrics.ts';
import { backupPlan, scheduleBackups } from './scheduled-backups.ts';
import { startSyncing } from './syncing.ts';

/** Answers how to end the duties, before the store is closed. Throws badSetting if the figures cannot be shown. */
export async function takeUpDuties(config: Config, log: Logger, workers?: Host['workers']) {
  const open = () => openStoreToRead(config.databaseUrl, { lockTimeoutMs: 1_000 });
  const isPlanned = config.backupEveryMs !== undefined;
  const plan = isPlanned ? await usingStore(open(), ({ reader }) => backupPlan(config, reader)) : undefined;
  let backups: ReturnType<typeof scheduleBackups> | undefined;
  if (config.metricsPort !== undefined) {
    const { serveFigures } = await import('./metrics.ts');
    const failedBackups = () => backups?.failed() ?? 0;
    await serveFigures(config, config.metricsPort, { plan, failedBackups, workers });
  }
  if (plan) backups = scheduleBackups(config, plan, log);
  const endTending = tendStore(config.databaseUrl, (sentence) => log.warn(sentence));
  const endSyncing = startSyncing(config, log);
  return () => Promise.all([backups?.stop(), endTending(), endSyncing()]);
}
