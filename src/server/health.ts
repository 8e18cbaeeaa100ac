/** Health checks for load balancers, containers and people. */
import { setTimeout as sleep } from 'node:timers/promises';
import release from '../../package.json' with { type: 'json' };
import { hourMs, minuteMs } from '../durations.ts';
import { AppError, errors } from '../errors.ts';
import { type BackupPlan, backupState, newestBackup } from '../jobs/backups.ts';
import type { Finding } from '../store/overview.ts';
import { getSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { Db } from '../store/tables.ts';
import { serveGetAndHead } from '../web/request/static-routes.ts';
import type { PageRoutes } from './page-routes.ts';

const databaseTimeoutMs = 2_000;
const cacheMs = 1_000;
/** The server looks every 15 seconds, and the process of jobs has to start. */
const backupSlackMs = { least: minuteMs / 2, most: hourMs };

interface Result {
  check: string;
  result: Finding['result'];
  reason?: string;
}

/** No token is needed, so a reason names no path and no host. */
export function healthRoutes(
  { app, exchangeOf }: PageRoutes,
  basePath: string,
  { store, isStopping, backups }: { store: Store; isStopping(): boolean; backups: BackupPlan | undefined },
): void {
  let cached: Promise<Result[]> | undefined;
  const clearCache = () => {
    cached = undefined;
  };
  const runChecks = async () => [
    result('database', await databaseFault(store)),
    ...(backups ? [result('backups', await backupFault(backups, store.reader), 'warning')] : []),
  ];
  serveGetAndHead(app, `${basePath}/livez`, ({ raw }, reply) => {
    exchangeOf(raw).operation = 'health';
    reply.header('Cache-Control', 'no-store').send({ status: 'alive', version: release.version });
  });
  serveGetAndHead(app, `${basePath}/readyz`, async ({ raw }, reply) => {
    exchangeOf(raw).operation = 'health';
    cached ??= runChecks().finally(() => setTimeout(clearCache, cacheMs).unref());
    const stoppingReason = isStopping()
      ? 'The server is stopping; send the request to another one.'
      : undefined;
    const checks = [result('server', stoppingReason), ...(await cached)];
    const isReady = checks.every(({ result }) => result !== 'bad');
    reply.header('Cache-Control', 'no-store').code(isReady ? 200 : 503);
    if (!isReady) reply.header('Retry-After', '1');
    return { status: isReady ? 'ready' : 'unavailable', checks };
  });
}

function result(check: string, reason: string | undefined, severity: 'bad' | 'warning' = 'bad'): Result {
  return reason === undefined ? { check, result: 'good' } : { check, result: severity, reason };
}

/** The message of an error may name a path or a host, so its summary is returned. */
export async function databaseFault(store: Store): Promise<string | undefined> {
  const timeoutReason = `It did not answer within ${databaseTimeoutMs / 1000} seconds.`;
  try {
    return await Promise.race([storeFault(store), sleep(databaseTimeoutMs, timeoutReason, { ref: false })]);
  } catch (error) {
    return error instanceof AppError ? errors[error.code].summary : 'It cannot be read.';
  }
}

async function storeFault(store: Store): Promise<string | undefined> {
  await store.revisions(['credentials']);
  await getSetting(store.reader, 'instance');
  const failure = await store.writeFailure();
  return failure && errors[failure].summary;
}

/** All processes read the folder, so that they agree, also after a restart. */
export async function backupFault({ everyMs, ...backups }: BackupPlan, db: Db): Promise<string | undefined> {
  try {
    const newest = await newestBackup(backups);
    const { least, most } = backupSlackMs;
    const longestAgeMs = everyMs + Math.min(Math.max(everyMs / 2, least), most);
    if (newest !== undefined && Date.now() - newest <= longestAgeMs) return undefined;
    const state =
      newest === undefined
        ? 'There is no backup yet'
        : `The newest backup is from ${new Date(newest).toISOString()}`;
    return `${state}; ${await backupState(db, newest ?? 0)}.`;
  } catch {
    return 'The backup folder cannot be read.';
  }
}
