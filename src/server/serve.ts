/** Serves in this process: alone, or as one of several workers under a primary process. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type OtherProcesses, type RequestCount, rateLimiter } from '../auth/rate-limits.ts';
import type { Config } from '../config.ts';
import { jobsHost } from '../jobs/host.ts';
import type { EnqueueJob } from '../jobs/job-protocol.ts';
import { openStore } from '../store/open.ts';
import type { Notify, OpenOptions } from '../store/store.ts';
import { readLanguages } from '../words/catalogue.ts';
import { startBackgroundTasks } from './background-tasks.ts';
import { listen, localUrlOf } from './listening.ts';
import { openLog } from './log.ts';
import { buildServer } from './server.ts';
import { handOverTimes, shutdownTimes, stopper } from './stopping.ts';

const disconnectTimeoutMs = 1_000;

// V8 guesses by allocation site which objects live long and moves them to the old generation, but those of a request are
// garbage at once. The guess took a fifth of the time of short answers.
setFlagsFromString('--no-allocation-site-pretenuring');

/** Returns the address; ends the process after a signal. Throws invalidValue. */
export async function serveInProcess(config: Config, storeOptions: OpenOptions): Promise<string> {
  const { logger: log, end: endLog } = openLog(config.logLevel);
  const notify: Notify = (level, sentence) => log[level](sentence);
  const store = await openStore(config.databaseUrl, { ...storeOptions, notify });
  // A starting worker answers its primary process, so this listener must be the first.
  const metricsModule = config.metricsPort === undefined ? undefined : await import('./metrics.ts');
  const limitRequests = rateLimiter(config.rateLimit, cluster.isWorker ? otherWorkers() : undefined);
  const metrics = metricsModule?.createServerMetrics(store);
  const jobs = cluster.isWorker ? undefined : jobsHost(config, log);
  const enqueueJob: EnqueueJob = jobs?.enqueue ?? ((jobRequest) => process.send?.({ jobRequest }));
  const gardenServer = await buildServer(config, store, {
    log,
    limitRequests,
    metrics,
    enqueueJob,
  });
  const stop = stopper(gardenServer);
  let stopBackgroundTasks: (() => Promise<unknown>) | undefined;
  let isEnding = false;
  const shutDown = async (times: typeof shutdownTimes) => {
    if (isEnding) return;
    isEnding = true;
    store.limitLockWaits?.(times.settleMs);
    await Promise.all([stop(times), stopBackgroundTasks?.(), jobs?.stop()]);
    await store.close();
    await Promise.all([endLog(), cluster.isWorker && disconnectFromPrimary()]);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => shutDown(shutdownTimes));
  process.on('SIGUSR2', () => {
    // The primary process sends it once another worker has taken over.
    if (cluster.isWorker) shutDown(handOverTimes);
    else log.warn('nothing to hand over to: that takes WORKERS=2 or more; restart instead');
  });
  try {
    await listen(gardenServer.server, config);
    const address = localUrlOf(config);
    log.info({ event: 'start' }, `listening on ${address}`);
    await readLanguages();
    if (jobs) stopBackgroundTasks = await startBackgroundTasks(config, log, jobs);
    return address;
  } catch (error) {
    gardenServer.server.close();
    await gardenServer.finish();
    await store.close();
    await endLog();
    throw error;
  }
}

function otherWorkers(): OtherProcesses {
  return {
    share: (count) => {
      if (process.connected) process.send?.({ counts: [count] });
    },
    onShared: (listener) => {
      process.on('message', ({ counts }: { counts?: RequestCount[] }) => counts?.forEach(listener));
    },
  };
}

/** The primary process must know first, or it hands further connections to this worker. */
async function disconnectFromPrimary(): Promise<void> {
  if (!process.connected) return;
  const disconnected = once(process, 'disconnect');
  cluster.worker?.disconnect();
  await Promise.race([disconnected, sleep(disconnectTimeoutMs)]);
}
