/**
 * The process above several workers: it holds the port, starts them, replaces one that dies, and hands over to new ones
 * while the port stays open. It answers no requests itself.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Counted } from '../auth/limits.ts';
import type { Config } from '../config.ts';
import { openStore } from '../store/open.ts';
import type { OpenOptions } from '../store/store.ts';
import { type Duties, takeUpDuties } from './duties.ts';
import { openLog } from './log.ts';

/** The message to a worker whose place another one has taken: take no more connections, and end when the clients let you. */
export const leave = 'leave';
/** A worker that lived shorter than this died at once: the next one is started later and later. */
const shortLifeMs = 10_000;
const firstDelayMs = 100;
const longestDelayMs = 30_000;
/** Counts that workers send within so long are passed on together. */
const passOnEveryMs = 5;
/** The exit code of a process that could not do its work. */
const failed = 1;
/** Workers end within four seconds by themselves. */
const patienceMs = 4_500;

/** Starts the workers; answers the address once the first of them listens, or ends the process where that one cannot. */
export async function serveInWorkers(config: Config, storeOptions: OpenOptions): Promise<string> {
  const { lines: log, passOn, end: endLog } = openLog(config.logLevel);
  // Here and once, so that the workers do not race to make the database.
  const store = await openStore(config.databaseUrl, storeOptions);
  await store.close();
  const file = store.identity === undefined ? [] : ['--identity', store.identity];
  const args = [...process.argv.slice(2), '--port', String(config.port), ...file];
  // Each spawn and each exit of a Node process makes the pipes that it inherited blocking, for all who share them. So only
  // this process writes to standard error, and workers inherit nothing.
  cluster.setupPrimary({ exec: process.argv[1] ?? '', args, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });

  const listening = new Set<Worker>();
  /** Nobody takes their place: they are the first, or only tried, or have been replaced already. */
  const unreplaced = new Set<Worker>();
  let duties: Duties | undefined;
  let isStopping = false;
  let isHandingOver = false;
  let shortLives = 0;
  let replaced = 0;

  const passOnCounts = countsPassedOn(listening);

  /** Resolves with how it ended, where it ends before it listens. */
  function start(worker = cluster.fork()): Promise<{ worker: Worker; code: number | undefined }> {
    const startedAt = performance.now();
    const { promise, resolve } = Promise.withResolvers<{ worker: Worker; code: number | undefined }>();
    // Such as that it died before a message reached it; its exit says the rest.
    worker.on('error', () => {});
    passOnCounts(worker);
    passOnLines(worker, passOn);
    worker.once('listening', () => {
      listening.add(worker);
      resolve({ worker, code: undefined });
    });
    // Unlike exit, close comes after the last line of the worker.
    worker.process.once('close', (code, signal) => {
      listening.delete(worker);
      resolve({ worker, code: code ?? failed });
      if (isStopping || unreplaced.delete(worker)) return;
      replaced++;
      shortLives = performance.now() - startedAt < shortLifeMs ? shortLives + 1 : 0;
      const delayMs = shortLives > 0 ? Math.min(firstDelayMs * 2 ** (shortLives - 1), longestDelayMs) : 0;
      const how = signal ? `by ${signal}` : `with code ${code}`;
      log.error(`worker ${worker.process.pid} ended ${how}; another one takes its place in ${delayMs} ms`);
      setTimeout(() => {
        if (!isStopping) start();
      }, delayMs);
    });
    return promise;
  }

  /** Puts new workers in the places of the old, one after another, and the old ones end when their clients let them. */
  async function handOver(): Promise<void> {
    if (isHandingOver || isStopping) return;
    isHandingOver = true;
    const old = [...listening];
    log.info(`handing over to ${old.length} new workers`);
    for (const before of old) {
      const candidate = cluster.fork();
      unreplaced.add(candidate);
      const { code } = await start(candidate);
      if (isStopping) return;
      if (code !== undefined) {
        log.error(`handing over ended: the new worker ended with code ${code}; the others go on as they are`);
        break;
      }
      unreplaced.delete(candidate);
      // It may have died meanwhile, and somebody taken its place: then there is one more than before for a while.
      unreplaced.add(before);
      listening.delete(before);
      if (before.isConnected()) before.send(leave);
    }
    isHandingOver = false;
    log.info(`${listening.size} workers take requests`);
  }

  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ended = workers.map((worker) => new Promise((resolve) => worker.process.once('close', resolve)));
    for (const worker of workers) worker.process.kill('SIGTERM');
    await Promise.race([Promise.all([...ended, duties?.stop()]), sleep(patienceMs)]);
    for (const worker of workers) {
      if (!worker.isDead()) log.warn(`worker ${worker.process.pid} did not end in time and is killed`);
      worker.process.kill('SIGKILL');
    }
    await endLog();
    process.exit();
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  const first = cluster.fork();
  unreplaced.add(first);
  const { promise, resolve } = Promise.withResolvers<string>();
  first.once('listening', ({ port }) => {
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    resolve(`http://${host}:${port}`);
  });
  const { code } = await start(first);
  // It said why itself.
  if (code !== undefined) {
    await endLog();
    process.exit(code || failed);
  }
  unreplaced.delete(first);
  const workers = { alive: () => listening, replaced: () => replaced };
  try {
    duties = await takeUpDuties(config, { log, figures: undefined, workers });
  } catch (error) {
    isStopping = true;
    first.process.kill('SIGTERM');
    throw error;
  }
  process.on('SIGUSR2', handOver);
  // The others only where the first one could: each would say the same.
  for (let more = 1; more < config.workers; more++) start();
  return promise;
}

/** Passes on a worker's log: whole lines, because the lines of several workers come in turn. */
function passOnLines({ process: { stderr } }: Worker, passOn: (text: string) => void): void {
  let rest = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) passOn(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  stderr?.on('close', () => {
    if (rest !== '') passOn(`${rest}\n`);
  });
}

/**
 * Sends each worker the counts of the others: gathered for a while, so that the cost does not grow with their number. A worker
 * that has not read the message before gets none.
 */
function countsPassedOn(listening: ReadonlySet<Worker>): (worker: Worker) => void {
  const gathered = new Map<Worker, Counted[]>();
  const reading = new Set<Worker>();
  const passOn = () => {
    const all = [...gathered];
    gathered.clear();
    for (const worker of listening) {
      const counted = all.filter(([from]) => from !== worker).flatMap(([, counts]) => counts);
      if (counted.length === 0 || reading.has(worker) || !worker.isConnected()) continue;
      reading.add(worker);
      worker.send({ counted }, () => reading.delete(worker));
    }
  };
  return (worker) => {
    worker.on('message', ({ counted }: { counted?: Counted[] }) => {
      if (!counted) return;
      if (gathered.size === 0) setTimeout(passOn, passOnEveryMs);
      gathered.set(worker, [...(gathered.get(worker) ?? []), ...counted]);
    });
    worker.once('exit', () => reading.delete(worker));
  };
}
