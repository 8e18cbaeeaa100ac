/** Metrics for Prometheus, loaded only if METRICS_PORT is set. */
import type { Worker } from 'node:cluster';
import { statSync } from 'node:fs';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import type { Config } from '../config.ts';
import { createServer } from '../http/node-http.ts';
import { type BackupPlan, newestBackup } from '../jobs/backups.ts';
import { delayAt, isLive } from '../jobs/live-rules.ts';
import { judgeHealth } from '../jobs/sync-health.ts';
import { type LiveFeed, listLiveFeeds } from '../store/live-feeds.ts';
import { fileOf, lockTimeouts, openStoreToRead, usingStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { listen } from './listening.ts';

/** Collects the metrics of workers in the primary process and reports them in a worker. */
const workerRegistry = new AggregatorRegistry();

/** In seconds. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type ServerMetrics = ReturnType<typeof createServerMetrics>;

export function createServerMetrics(store: Store) {
  collectDefaultMetrics();
  const requests = new Counter({
    name: 'garden_requests_total',
    help: 'Answers by operation and by the hundreds of their status.',
    labelNames: ['operation', 'status'],
  });
  const durations = new Histogram({
    name: 'garden_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['operation'],
    buckets: durationBuckets,
  });
  const inFlight = new Gauge({
    name: 'garden_requests_in_flight',
    help: 'Requests that are being answered.',
  });
  const storeErrors = new Counter({
    name: 'garden_store_errors_total',
    help: 'Requests that the database failed, by error.',
    labelNames: ['error'],
  });
  const { connections } = store;
  if (connections) {
    new Gauge({
      name: 'garden_database_connections',
      help: 'Connections to the database server, and requests that wait for one.',
      labelNames: ['state'],
      collect() {
        for (const [state, value] of Object.entries(connections())) this.set({ state }, value);
      },
    });
  }
  const count = (operation: string, status: number, ms?: number) => {
    requests.inc({ operation, status: `${Math.floor(status / 100)}xx` });
    if (ms !== undefined) durations.observe({ operation }, ms / 1000);
  };
  return { count, inFlight, storeErrors };
}

export interface MetricsSources {
  plan: BackupPlan | undefined;
  failedBackups(): number;
  workers: { listening: ReadonlySet<Worker>; replaced(): number } | undefined;
}

/** Throws invalidValue if the address cannot be used. */
export async function serveMetrics(config: Config, port: number, sources: MetricsSources): Promise<void> {
  addProcessMetrics(config, sources);
  const server = createServer(async (request, response) => {
    const refuse = (status: number, headers = {}) => response.writeHead(status, headers).end();
    if (request.url?.split('?', 1)[0] !== '/metrics') return refuse(404);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, { Allow: 'GET, HEAD' });
    try {
      // A counter must not fall, as the sums would without a worker that died, so they are all omitted then.
      const sums = sources.workers ? await workerRegistry.clusterMetrics().catch(() => '') : '';
      const text = [sums, await register.metrics()].join('\n');
      const headers = { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' };
      response.writeHead(200, headers).end(text);
    } catch {
      refuse(503, { 'Retry-After': '1' });
    }
  });
  server.requestTimeout = 10_000;
  await listen(server, { host: config.metricsHost, port }, 'METRICS_');
  server.unref();
}

function addProcessMetrics({ databaseUrl }: Config, { plan, failedBackups, workers }: MetricsSources): void {
  const file = fileOf(databaseUrl);
  if (file !== undefined) {
    addGauge('garden_sqlite_bytes', 'Size of the database file.', () => sizeOf(file));
    addGauge('garden_sqlite_wal_bytes', 'Size of its write-ahead log.', () => sizeOf(`${file}-wal`));
  }
  addSyncMetrics(databaseUrl);
  addLiveMetrics(databaseUrl);
  if (plan) {
    const help = 'When the newest backup was begun, in seconds since 1970; 0 where there is none.';
    const newest = async () => ((await newestBackup(plan).catch(() => 0)) ?? 0) / 1000;
    addGauge('garden_backup_newest_timestamp_seconds', help, newest);
    addCounter('garden_backup_failures_total', 'Scheduled backups that failed.', failedBackups);
  }
  if (workers) {
    const { listening, replaced } = workers;
    addGauge('garden_workers', 'Server processes that take requests.', () => listening.size);
    addCounter('garden_workers_replaced_total', 'Server processes that died and were replaced.', replaced);
    const memory = () => process.memoryUsage.rss();
    addGauge('garden_primary_resident_memory_bytes', 'Memory of the process above them.', memory);
  }
}

function addSyncMetrics(databaseUrl: string): void {
  const gauge: Gauge = new Gauge({
    name: 'garden_sync_handles',
    help: 'Handles by judge, and whether their last sync failed.',
    labelNames: ['judge', 'result'],
    collect: async () => {
      const store = openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs });
      const health = await usingStore(store, ({ reader }) => judgeHealth(reader, new Date())).catch(() => []);
      gauge.reset();
      for (const { source, handles, failing } of health) {
        gauge.set({ judge: source, result: 'failing' }, failing);
        gauge.set({ judge: source, result: 'good' }, handles - failing);
      }
    },
  });
}

function addLiveMetrics(databaseUrl: string): void {
  const gauge: Gauge = new Gauge({
    name: 'garden_live_feed',
    help: 'Live feeds by judge: whether it has all rows, the age of the last answer, and of today delays in seconds, gaps and bytes.',
    labelNames: ['judge', 'figure'],
    collect: async () => {
      const store = openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs });
      const feeds = await usingStore(store, ({ reader }) => listLiveFeeds(reader)).catch(() => new Map());
      gauge.reset();
      for (const [judge, feed] of feeds)
        for (const [figure, value] of Object.entries(figuresOf(feed, Date.now())))
          if (value !== undefined) gauge.set({ judge, figure }, value);
    },
  });
}

/** A figure is left out where nothing was measured: a feed that never answered has no age. */
const figuresOf = (feed: LiveFeed, now: number) => ({
  live: Number(isLive(feed, now)),
  age: feed.goodAt === 0 ? undefined : Math.round((now - feed.goodAt) / 1000),
  delay_p50: delayAt(feed.delays, 0.5),
  delay_p95: delayAt(feed.delays, 0.95),
  gaps: feed.gaps,
  bytes: feed.bytes,
});

function addGauge(name: string, help: string, read: () => number | Promise<number>): void {
  const gauge: Gauge = new Gauge({ name, help, collect: async () => gauge.set(await read()) });
}

function addCounter(name: string, help: string, read: () => number): void {
  const collect = () => {
    counter.reset();
    counter.inc(read());
  };
  const counter = new Counter({ name, help, collect });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
