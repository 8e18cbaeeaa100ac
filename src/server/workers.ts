/** The primary process of several workers: it holds the port and replaces workers, and answers no requests. */
import cluster, { type Worker } from 'node:cluster';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestCount } from '../auth/rate-limits.ts';
import type { Config } from '../config.ts';
import { jobsHost } from '../jobs/host.ts';
import type { JobRequest } from '../jobs/job-protocol.ts';
import { openStore } from '../store/open.ts';
import { countText } from '../store/overview.ts';
import type { Notify, OpenOptions } from '../store/store.ts';
import { startBackgroundTasks } from './background-tasks.ts';
import { localUrlOf } from './listening.ts';
import { openLog } from './log.ts';

/** A worker that has not listened for so long when it exits is replaced after a delay, which doubles each time. */
const quickExitMs = 10_000;
const firstRestartDelayMs = 100;
const longestRestartDelayMs = 30_000;
const countsIntervalMs = 5;
const stopTimeoutMs = 4_500;

type Log = ReturnType<typeof openLog>;

/** Lines of several workers would mix if each wrote them itself. */
function forkWorker(writeLog: Log['write']): Worker {
  const worker = cluster.fork();
  worker.on('error', () => {});
  const { stderr } = worker.process;
  if (stderr) createInterface(stderr).on('line', (line) => writeLog(`${line}\n`));
  return worker;
}

function workerPool(log: Log['logger'], writeLog: Log['write']) {
  const listening = new Set<Worker>();
  const replacedOnExit = new Set<Worker>();
  let isStopping = false;
  let isHandingOver = false;
  let quickExits = 0;
  let replaced = 0;

  /** Resolves when the worker listens, or with its exit code. Without `retries` it is replaced only after it has listened. */
  function start({ retries }: { retries: boolean }): Promise<number | undefined> {
    const worker = forkWorker(writeLog);
    if (retries) replacedOnExit.add(worker);
    let listensFrom: number | undefined;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    worker.once('listening', () => {
      listensFrom = performance.now();
      replacedOnExit.add(worker);
      listening.add(worker);
      resolve(undefined);
    });
    // Unlike exit, close comes after the last line of the worker.
    worker.process.once('close', (code, signal) => {
      listening.delete(worker);
      resolve(code ?? 1);
      if (!replacedOnExit.delete(worker) || isStopping) return;
      replaced++;
      const isQuickExit = listensFrom === undefined || performance.now() - listensFrom < quickExitMs;
      quickExits = isQuickExit ? quickExits + 1 : 0;
      const delayMs =
        quickExits > 0 ? Math.min(firstRestartDelayMs * 2 ** (quickExits - 1), longestRestartDelayMs) : 0;
      const exitText = signal ? `by ${signal}` : `with code ${code}`;
      log.error(
        `worker ${worker.process.pid} ended ${exitText}; another one takes its place in ${delayMs} ms`,
      );
      setTimeout(() => {
        if (!isStopping) start({ retries: true });
      }, delayMs);
    });
    return promise;
  }

  async function handOver(): Promise<void> {
    if (isHandingOver || isStopping) return;
    isHandingOver = true;
    const oldWorkers = [...listening];
    log.info(`handing over to ${countText(oldWorkers.length, 'new worker')}`);
    for (const worker of oldWorkers) {
      if (!replacedOnExit.has(worker)) continue;
      const code = await start({ retries: false });
      if (isStopping) return;
      if (code !== undefined) {
        log.error(`handing over ended: the new worker ended with code ${code}; the others go on as they are`);
        break;
      }
      replacedOnExit.delete(worker);
      listening.delete(worker);
      worker.process.kill('SIGUSR2');
    }
    isHandingOver = false;
    log.info(`${countText(listening.size, 'worker takes', 'workers take')} requests`);
  }

  async function stop(otherTasks: readonly (Promise<unknown> | undefined)[]): Promise<void> {
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = workers.map((worker) => new Promise((resolve) => worker.process.once('close', resolve)));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await Promise.race([Promise.all([...ended, ...otherTasks]), sleep(stopTimeoutMs)]);
    for (const worker of workers) {
      if (!worker.isDead()) log.warn(`worker ${worker.process.pid} did not stop in time and was killed`);
      worker.process.kill('SIGKILL');
    }
  }

  return { listening, start, handOver, stop, isStopping: () => isStopping, replaced: () => replaced };
}

/** Returns the address once the first worker listens, or ends the process if it cannot. */
export async function serveInWorkers(config: Config, storeOptions: OpenOptions): Promise<string> {
  const { logger: log, write: writeLog, end: endLog } = openLog(config.logLevel);
  // The database is created here, so that the workers do not race to do it.
  const notify: Notify = (level, sentence) => log[level](sentence);
  const store = await openStore(config.databaseUrl, { ...storeOptions, notify });
  await store.close();
  const identityArgs = store.identity === undefined ? [] : ['--identity', store.identity];
  const args = [...process.argv.slice(2), '--port', String(config.port), ...identityArgs];
  // Starting or ending a Node process makes inherited pipes blocking for all who share them, so only this process
  // writes to standard error.
  cluster.setupPrimary({ exec: process.argv[1] ?? '', args, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });

  const jobs = jobsHost(config, log);
  const workers = workerPool(log, writeLog);
  let stopBackgroundTasks: (() => Promise<unknown>) | undefined;

  async function stop(): Promise<void> {
    if (workers.isStopping()) return;
    await workers.stop([stopBackgroundTasks?.(), jobs.stop()]);
    await endLog();
    process.exit();
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  relayCounts(workers.listening);
  cluster.on('message', (_worker, { jobRequest }: { jobRequest?: JobRequest }) => {
    if (jobRequest) jobs.enqueue(jobRequest);
  });
  const code = await workers.start({ retries: false });
  if (code !== undefined) {
    await endLog();
    process.exit(code || 1);
  }
  try {
    stopBackgroundTasks = await startBackgroundTasks(config, log, jobs, workers);
  } catch (error) {
    await workers.stop([]);
    throw error;
  }
  process.on('SIGUSR2', workers.handOver);
  // The others start only now, because each would log the same error as the first.
  for (let count = 1; count < config.workers; count++) workers.start({ retries: true });
  return localUrlOf(config);
}

/** Sends the counts of each worker to the others. A worker that has not read the previous message gets none. */
function relayCounts(workers: ReadonlySet<Worker>): void {
  const pendingCounts = new Map<Worker, RequestCount[]>();
  const sending = new WeakSet<Worker>();
  const sendCounts = () => {
    for (const worker of workers) {
      const otherWorkersCounts = [...pendingCounts].flatMap(([from, counts]) =>
        from === worker ? [] : counts,
      );
      if (otherWorkersCounts.length === 0 || sending.has(worker) || !worker.isConnected()) continue;
      sending.add(worker);
      worker.send({ counts: otherWorkersCounts }, () => sending.delete(worker));
    }
    pendingCounts.clear();
  };
  cluster.on('message', (worker, { counts }: { counts?: RequestCount[] }) => {
    if (!counts) return;
    if (pendingCounts.size === 0) setTimeout(sendCounts, countsIntervalMs);
    pendingCounts.set(worker, [...(pendingCounts.get(worker) ?? []), ...counts]);
  });
}
