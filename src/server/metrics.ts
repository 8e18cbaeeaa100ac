/** The figures of this process for Prometheus, and the port where they are read. Loaded only where somebody wants them. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type Metric,
  Registry,
} from 'prom-client';
import { newestBackup } from '../store/backup-folder.ts';
import type { Store } from '../store/store.ts';
import { listenOrSay } from './listening.ts';
import { bucketsMs, type Counts, purposes, statusClasses } from './request-counts.ts';

/** What a worker is asked by the primary process, and how long it may take to answer. */
const askFigures = 'figures';
const answerWithinMs = 2_000;

/** What a process that answers requests has to tell. In a worker it is fetched by the primary process. */
export function serverFigures(counts: Counts, store: Store): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Counter({
    name: 'garden_requests_total',
    help: 'Answers by what was asked for and by the hundreds of their status.',
    labelNames: ['operation', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [place, operation] of purposes.entries()) {
        for (let hundreds = 0; hundreds < statusClasses; hundreds++) {
          const count = counts.answers[place * statusClasses + hundreds] ?? 0;
          if (count > 0) this.inc({ operation, status: `${hundreds}xx` }, count);
        }
      }
    },
  });
  registry.registerMetric(durations(counts));
  new Gauge({
    name: 'garden_requests_in_flight',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(counts.inFlight());
    },
  });
  new Counter({
    name: 'garden_store_errors_total',
    help: 'Requests that the database failed, by the name of the error in the catalogue.',
    labelNames: ['error'],
    registers,
    collect() {
      this.reset();
      for (const [error, count] of counts.failures) this.inc({ error }, count);
    },
  });
  const { connections } = store;
  if (connections) {
    new Gauge({
      name: 'garden_database_connections',
      help: 'Connections to the database server, and requests that wait for one.',
      labelNames: ['state'],
      registers,
      collect() {
        const { busy, idle, waiting } = connections();
        this.set({ state: 'busy' }, busy);
        this.set({ state: 'idle' }, idle);
        this.set({ state: 'waiting' }, waiting);
      },
    });
  }
  if (cluster.isWorker) {
    process.on('message', async (message) => {
      if (message === askFigures) process.send?.({ figures: await registry.getMetricsAsJSON() });
    });
  }
  return registry;
}

/** A histogram out of counts that are kept already; prom-client's own would count them a second time, and slower. */
function durations({ times, totalMs }: Counts): Metric {
  const name = 'garden_request_duration_seconds';
  const about = {
    name,
    help: 'Time from a request to the end of its answer.',
    type: 'histogram',
    aggregator: 'sum',
  };
  const get = async () => {
    const values: { metricName: string; labels: Record<string, string>; value: number }[] = [];
    for (const [place, operation] of purposes.entries()) {
      let count = 0;
      const buckets = bucketsMs.map((ms, bucket) => {
        count += times[place * bucketsMs.length + bucket] ?? 0;
        const le = ms === Infinity ? '+Inf' : String(ms / 1000);
        return { metricName: `${name}_bucket`, labels: { le, operation }, value: count };
      });
      if (count === 0) continue;
      const labels = { operation };
      const sum = (totalMs[place] ?? 0) / 1000;
      values.push(
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      );
    }
    return { ...about, values };
  };
  return { ...about, get } as unknown as Metric;
}

export interface HostFigures {
  /** The file of the embedded store. */
  file: string | undefined;
  backups: { folder: string; failed(): number } | undefined;
  workers: { alive(): ReadonlySet<Worker>; replaced(): number } | undefined;
}

/** Figures that a server has once, however many processes answer requests. */
export function hostFigures({ file, backups, workers }: HostFigures): Registry {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  if (file !== undefined) {
    gauge('garden_sqlite_bytes', 'Size of the database file.', () => sizeOf(file));
    gauge('garden_sqlite_wal_bytes', 'Size of its write-ahead log.', () => sizeOf(`${file}-wal`));
  }
  if (backups) {
    const help = 'When the newest backup was begun, in seconds since 1970; 0 where there is none.';
    const newest = async () => ((await newestBackup(backups.folder).catch(() => 0)) ?? 0) / 1000;
    gauge('garden_backup_newest_timestamp_seconds', help, newest);
    counter('garden_backup_failures_total', 'Scheduled backups that failed since the start.', backups.failed);
  }
  if (workers) {
    gauge('garden_workers', 'Server processes that take requests.', () => workers.alive().size);
    counter(
      'garden_workers_replaced_total',
      'Server processes that died and were replaced.',
      workers.replaced,
    );
    const primaryBytes = () => process.memoryUsage.rss();
    gauge('garden_primary_resident_memory_bytes', 'Memory of the process above them.', primaryBytes);
  }
  return registry;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * The figures of these workers, added up, and then those of this process. Only workers that take requests are asked:
 * prom-client's own way asks those that are starting too, and gives up where one of them does not answer.
 */
export function clusterFigures(own: Registry, workers: () => Iterable<Worker>): () => Promise<string> {
  return async () => {
    const answers = await Promise.all([...workers()].map(figuresOf));
    const sum = AggregatorRegistry.aggregate(answers.filter((figures) => figures !== undefined));
    return `${await sum.metrics()}\n${await own.metrics()}`;
  };
}

/** Undefined where the worker leaves or is too busy. */
function figuresOf(worker: Worker): Promise<object[] | undefined> {
  const { promise, resolve } = Promise.withResolvers<object[] | undefined>();
  const hear = ({ figures }: { figures?: object[] }) => figures && end(figures);
  const leave = () => end();
  const timer = setTimeout(leave, answerWithinMs);
  const end = (figures?: object[]) => {
    clearTimeout(timer);
    worker.off('message', hear).off('exit', leave);
    resolve(figures);
  };
  worker.on('message', hear).on('exit', leave);
  worker.send(askFigures, (error) => error && end());
  return promise;
}

/** Serves figures at /metrics, and nothing else. Throws badSetting where the address cannot be had. */
export async function serveFigures(host: string, port: number, read: () => Promise<string>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const refuse = (status: number, headers: Record<string, string> = {}) =>
      response.writeHead(status, headers).end();
    if (request.url?.split('?', 1)[0] !== '/metrics') return refuse(404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, { Allow: 'GET, HEAD' });
    try {
      const text = await read();
      response.writeHead(200, {
        'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE,
        'Cache-Control': 'no-store',
      });
      response.end(text);
    } catch {
      refuse(503, { 'Retry-After': '1' });
    }
  });
  server.requestTimeout = 10_000;
  server.listen(port, host);
  await listenOrSay(once(server, 'listening'), { host, port, settings: 'METRICS_HOST or METRICS_PORT' });
  // An open connection here does not keep the server from stopping.
  server.unref();
  return server;
}
