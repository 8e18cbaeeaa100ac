/** What runs once, however many processes serve: database care, metrics and jobs. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { backupPlan } from '../jobs/backups.ts';
import type { JobsHost } from '../jobs/host.ts';
import { lockTimeouts, maintainStore, openStoreToRead, usingStore } from '../store/open.ts';
import type { Host } from './metrics.ts';

/** Returns a function to stop them. Throws invalidValue if metrics cannot be served. */
export async function startDuties(config: Config, log: Logger, jobs: JobsHost, workers?: Host['workers']) {
  const open = () => openStoreToRead(config.databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs });
  const isPlanned = config.backupEveryMs !== undefined;
  const plan = isPlanned ? await usingStore(open(), ({ reader }) => backupPlan(config, reader)) : undefined;
  if (config.metricsPort !== undefined) {
    const { serveFigures } = await import('./metrics.ts');
    const { failedBackups } = jobs;
    await serveFigures(config, config.metricsPort, { plan, failedBackups, workers });
  }
  const endTending = maintainStore(config.databaseUrl, (sentence) => log.warn(sentence));
  jobs.keep(plan);
  return endTending;
}
