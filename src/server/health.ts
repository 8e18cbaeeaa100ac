/** Whether the process lives and whether it can serve, for load balancers, containers and people. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, errors } from '../errors.ts';
import { newestBackup } from '../store/backup-folder.ts';
import { getSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import type { PageRoutes } from './page-routes.ts';
import type { BackupPlan } from './scheduled-backups.ts';

/** The result of one check. The reason names no path and no host, because no token is needed to read it. */
interface Check {
  check: 'server' | 'database' | 'backups';
  result: 'good' | 'warning' | 'bad';
  reason?: string;
}

export interface Watched {
  store: Store;
  isStopping(): boolean;
  backups: BackupPlan | undefined;
}

/** How long the database may take over a trivial query. */
const answerWithinMs = 2_000;
/** How long results are kept, so that frequent requests cost the database nothing. */
const keptMs = 1_000;
/** How much later than planned a backup may be there before /readyz warns of it. */
const backupSlackMs = 3_600_000;

/** Adds /livez and /readyz, which need no token. */
export function healthRoutes(
  { app, exchangeOf }: PageRoutes,
  basePath: string,
  { store, isStopping, backups }: Watched,
): void {
  let kept: Promise<Check[]> | undefined;
  const forget = () => {
    kept = undefined;
  };
  const look = async () => [await checkDatabase(store), ...(backups ? [await checkBackups(backups)] : [])];
  app.get(`${basePath}/livez`, ({ raw }, reply) => {
    exchangeOf(raw).operation = 'health';
    reply.header('Cache-Control', 'no-store').send({ status: 'alive' });
  });
  app.get(`${basePath}/readyz`, async ({ raw }, reply) => {
    exchangeOf(raw).operation = 'health';
    kept ??= look().finally(() => setTimeout(forget, keptMs).unref());
    const checks = [checkServer(isStopping()), ...(await kept)];
    const isReady = checks.every(({ result }) => result !== 'bad');
    reply.header('Cache-Control', 'no-store').code(isReady ? 200 : 503);
    if (!isReady) reply.header('Retry-After', '1');
    return { status: isReady ? 'ready' : 'unavailable', checks };
  });
}

function checkServer(isStopping: boolean): Check {
  if (!isStopping) return { check: 'server', result: 'good' };
  return { check: 'server', result: 'bad', reason: 'The server is stopping; ask another one.' };
}

async function checkDatabase(store: Store): Promise<Check> {
  const late = `It did not answer within ${answerWithinMs / 1000} seconds.`;
  const timer = sleep(answerWithinMs, late, { ref: false });
  const reason = await Promise.race([faultOf(store), timer]);
  return { check: 'database', ...(reason === undefined ? { result: 'good' } : { result: 'bad', reason }) };
}

/** Why the database cannot serve; undefined where it can. The message of an error may name a path or a host, so it is left out. */
async function faultOf(store: Store): Promise<string | undefined> {
  try {
    await store.revisions(['credentials']);
    await getSetting(store.reader, 'instance');
    const failure = await store.writeFailure();
    return failure && errors[failure].summary;
  } catch (error) {
    return error instanceof AppError ? errors[error.code].summary : 'It cannot be read.';
  }
}

/** Looks at the folder of backups, so that every process finds the same, also after a restart. */
async function checkBackups({ folder, everyMs }: BackupPlan): Promise<Check> {
  const warning = { check: 'backups', result: 'warning' } as const;
  try {
    const newest = await newestBackup(folder);
    if (newest === undefined) return { ...warning, reason: 'There is none yet; the log says why.' };
    const lateMs = everyMs + Math.min(everyMs / 2, backupSlackMs);
    if (Date.now() - newest <= lateMs) return { check: 'backups', result: 'good' };
    return {
      ...warning,
      reason: `The newest is of ${new Date(newest).toISOString()}; the log says why.`,
    };
  } catch {
    return { ...warning, reason: 'Their folder cannot be read.' };
  }
}
