/** The figures for Prometheus, and the port where they are read. Loaded only if METRICS_PORT is set. */
import type { Worker } from 'node:cluster';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, type Metric, register } from 'prom-client';
import type { Config } from '../config.ts';
import { backupFolder, newestBackup } from '../store/backup-folder.ts';
import { fileOf } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { listen } from './listening.ts';
import { bucketsMs, type Counts, purposes, statusClasses } from './request-counts.ts';

/** In the primary process it asks the workers for their figures, and in a worker it answers. */
const ofWorkers = new AggregatorRegistry();

interface Value {
  value: number;
  labels: Record<string, string>;
  metricName?: string;
}

/** Adds a figure that is read when Prometheus asks: prom-client's own classes would count requests a second time, and slower. */
function add(
  [type, name]: ['counter' | 'gauge' | 'histogram', string],
  help: string,
  read: () => number | Promise<number> | Value[],
): void {
  const about = { name, help, type, aggregator: 'sum' };
  const get = async () => {
    const found = await read();
    return { ...about, values: typeof found === 'number' ? [{ value: found, labels: {} }] : found };
  };
  register.registerMetric({ ...about, get } as unknown as Metric);
}

/** Adds the figures of a process that answers requests. */
export function addServerFigures(counts: Counts, store: Store): void {
  const { answers, times, totalMs, failures } = counts;
  collectDefaultMetrics();
  add(['counter', 'garden_requests_total'], 'Answers by operation and by the hundreds of their status.', () =>
    purposes.flatMap((operation, place) =>
      [...answers.subarray(place * statusClasses, (place + 1) * statusClasses)]
        .map((value, hundreds) => ({ value, labels: { operation, status: `${hundreds}xx` } }))
        .filter(({ value }) => value > 0),
    ),
  );
  const duration = 'garden_request_duration_seconds';
  add(['histogram', duration], 'Time from a request to the end of its answer.', () =>
    purposes.flatMap((operation, place) => {
      let count = 0;
      const buckets = bucketsMs.map((ms, bucket) => {
        count += times[place * bucketsMs.length + bucket] ?? 0;
        const le = ms === Infinity ? '+Inf' : String(ms / 1000);
        return { metricName: `${duration}_bucket`, labels: { le, operation }, value: count };
      });
      if (count === 0) return [];
      const sum = (totalMs[place] ?? 0) / 1000;
      return [
        ...buckets,
        { metricName: `${duration}_sum`, labels: { operation }, value: sum },
        { metricName: `${duration}_count`, labels: { operation }, value: count },
      ];
    }),
  );
  add(['gauge', 'garden_requests_in_flight'], 'Requests that are being answered.', () => counts.inFlight());
  add(['counter', 'garden_store_errors_total'], 'Requests that the database failed, by error.', () =>
    [...failures].map(([error, value]) => ({ value, labels: { error } })),
  );
  const { connections } = store;
  if (connections) {
    const help = 'Connections to the database server, and requests that wait for one.';
    add(['gauge', 'garden_database_connections'], help, () =>
      Object.entries(connections()).map(([state, value]) => ({ value, labels: { state } })),
    );
  }
}

/** What a server has once, however many processes answer requests. */
export interface Host {
  failedBackups(): number;
  workers: { listening: ReadonlySet<Worker>; replaced(): number } | undefined;
}

/** Serves the figures of all processes at /metrics, and nothing else. Throws badSetting if the address cannot be used. */
export async function serveFigures(config: Config, port: number, host: Host): Promise<void> {
  addHostFigures(config, host);
  const server = createServer(async (request, response) => {
    const refuse = (status: number, headers = {}) => response.writeHead(status, headers).end();
    if (request.url?.split('?', 1)[0] !== '/metrics') return refuse(404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, { Allow: 'GET, HEAD' });
    try {
      const text = `${host.workers ? await sums() : ''}${await register.metrics()}`;
      const headers = { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' };
      response.writeHead(200, headers).end(text);
    } catch {
      refuse(503, { 'Retry-After': '1' });
    }
  });
  server.requestTimeout = 10_000;
  await listen(server, { host: config.metricsHost, port, prefix: 'METRICS_' });
  // An open connection here does not keep the server from stopping.
  server.unref();
}

/** Without the figures of a worker that dies or hangs the sums would fall, so then those of all workers are left out. */
async function sums(): Promise<string> {
  return `${await ofWorkers.clusterMetrics().catch(() => '')}\n`;
}

function addHostFigures({ databaseUrl, backupDir, backupEveryMs }: Config, host: Host): void {
  const { failedBackups, workers } = host;
  const file = fileOf(databaseUrl);
  if (file !== undefined) {
    add(['gauge', 'garden_sqlite_bytes'], 'Size of the database file.', () => sizeOf(file));
    add(['gauge', 'garden_sqlite_wal_bytes'], 'Size of its write-ahead log.', () => sizeOf(`${file}-wal`));
  }
  if (backupEveryMs) {
    const folder = backupFolder(databaseUrl, backupDir);
    const help = 'When the newest backup was begun, in seconds since 1970; 0 where there is none.';
    const newest = async () => ((await newestBackup(folder).catch(() => 0)) ?? 0) / 1000;
    add(['gauge', 'garden_backup_newest_timestamp_seconds'], help, newest);
    add(['counter', 'garden_backup_failures_total'], 'Scheduled backups that failed.', failedBackups);
  }
  if (workers) {
    const { listening, replaced } = workers;
    const memory = () => process.memoryUsage.rss();
    add(['gauge', 'garden_workers'], 'Server processes that take requests.', () => listening.size);
    add(
      ['counter', 'garden_workers_replaced_total'],
      'Server processes that died and were replaced.',
      replaced,
    );
    add(['gauge', 'garden_primary_resident_memory_bytes'], 'Memory of the process above them.', memory);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
