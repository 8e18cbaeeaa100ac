/** What a server does once, however many processes it has: it looks after its database, shows its figures, makes its backups. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { tendStore } from '../store/upkeep.ts';
import type { Host } from './metrics.ts';
import { type Backups, backupPlan, scheduleBackups } from './scheduled-backups.ts';

/** Ends the duties; to be awaited before the store is closed. */
export type EndDuties = () => Promise<void>;

/** Throws badSetting if the figures cannot be shown at the address of the settings. */
export async function takeUpDuties(
  config: Config,
  log: Logger,
  workers?: Host['workers'],
): Promise<EndDuties> {
  const { databaseUrl, metricsPort } = config;
  const plan = backupPlan(config);
  let backups: Backups | undefined;
  if (metricsPort !== undefined) {
    const { serveFigures } = await import('./metrics.ts');
    const failedBackups = () => backups?.failed() ?? 0;
    await serveFigures(config, metricsPort, { plan, failedBackups, workers });
  }
  if (plan) backups = scheduleBackups(config, plan, log);
  const endTending = tendStore(databaseUrl, (sentence) => log.warn(sentence));
  return async () => {
    await Promise.all([backups?.stop(), endTending()]);
  };
}
