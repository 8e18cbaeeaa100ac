/** Tasks of one process, however many serve: maintenance of the database, metrics and jobs. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { backupFolderFault, backupPlan } from '../jobs/backups.ts';
import type { JobsHost } from '../jobs/host.ts';
import { lockTimeouts, maintainStore, openStoreToRead, usingStore } from '../store/open.ts';
import type { MetricsSources } from './metrics.ts';

/** Returns a function to stop them. Throws invalidValue if metrics cannot be served. */
export async function startBackgroundTasks(
  config: Config,
  log: Logger,
  jobs: JobsHost,
  workers?: MetricsSources['workers'],
) {
  const open = () => openStoreToRead(config.databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs });
  const hasSchedule = config.backupEveryMs !== undefined;
  const fault = hasSchedule || config.backupDir !== undefined ? await backupFolderFault(config) : undefined;
  if (fault !== undefined) log.error(fault);
  const plan = hasSchedule ? await usingStore(open(), ({ reader }) => backupPlan(config, reader)) : undefined;
  if (config.metricsPort !== undefined) {
    const { serveMetrics } = await import('./metrics.ts');
    const { failedBackups } = jobs;
    await serveMetrics(config, config.metricsPort, { plan, failedBackups, workers });
  }
  const stopMaintenance = maintainStore(config.databaseUrl, (sentence) => log.warn(sentence));
  jobs.keep(plan);
  return stopMaintenance;
}
