/** Whether the process lives and whether it can serve, for load balancers, containers and people. */
import type { FastifyInstance } from 'fastify';
import { AppError, errors } from '../errors.ts';
import { newestBackup } from '../store/backup-folder.ts';
import { getSetting } from '../store/settings.ts';
import type { Store } from '../store/store.ts';

/** One thing that was looked at. The reason names no path and no host: anybody may ask. */
interface Check {
  check: 'server' | 'database' | 'backups';
  verdict: 'good' | 'warning' | 'bad';
  reason?: string;
}

export interface Watched {
  store: Store;
  isStopping(): boolean;
  /** Undefined where no backups are scheduled. */
  backups: { folder: string; everyMs: number } | undefined;
}

/** How long the database may take over a trivial query. */
const answerWithinMs = 2_000;
/** How long a verdict stands, so that asking often costs nothing. */
const verdictLastsMs = 1_000;
/** How much later than planned a backup may be there before somebody should look. */
const backupSlackMs = 3_600_000;

/** /livez and /readyz, for everyone; by the server's own rules OPTIONS and 405 too. */
export function healthRoutes(app: FastifyInstance, basePath: string, watched: Watched): void {
  const checks = remembered(async () => [await database(watched.store), ...(await backups(watched.backups))]);
  app.get(`${basePath}/livez`, (_request, reply) => {
    reply.header('Cache-Control', 'no-store').send({ status: 'alive' });
  });
  app.get(`${basePath}/readyz`, async (_request, reply) => {
    const found = [server(watched), ...(await checks())];
    const isReady = found.every(({ verdict }) => verdict !== 'bad');
    reply.header('Cache-Control', 'no-store').code(isReady ? 200 : 503);
    if (!isReady) reply.header('Retry-After', '1');
    return { status: isReady ? 'ready' : 'unavailable', checks: found };
  });
}

function server({ isStopping }: Watched): Check {
  const check = 'server';
  if (!isStopping()) return { check, verdict: 'good' };
  return { check, verdict: 'bad', reason: 'The server is stopping; ask another one.' };
}

async function database(store: Store): Promise<Check> {
  const check = 'database';
  const { promise: late, resolve } = Promise.withResolvers<Check>();
  const reason = `It did not answer within ${answerWithinMs / 1000} seconds.`;
  const timer = setTimeout(() => resolve({ check, verdict: 'bad', reason }), answerWithinMs);
  const asked = (async (): Promise<Check> => {
    try {
      await store.revisions(['credentials']);
      await getSetting(store.reader, 'instance');
      const failure = await store.writeFailure();
      if (failure !== undefined) return { check, verdict: 'bad', reason: errors[failure].summary };
      return { check, verdict: 'good' };
    } catch (error) {
      // Its own message may name a path or a host.
      const reason = error instanceof AppError ? errors[error.code].summary : 'It cannot be read.';
      return { check, verdict: 'bad', reason };
    }
  })();
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Looks at the folder of backups, so every process says the same, also after a restart. Never makes the server unready. */
async function backups(planned: Watched['backups']): Promise<Check[]> {
  if (!planned) return [];
  const check = 'backups';
  try {
    const newest = await newestBackup(planned.folder);
    const lateMs = planned.everyMs + Math.min(planned.everyMs / 2, backupSlackMs);
    if (newest !== undefined && Date.now() - newest <= lateMs) return [{ check, verdict: 'good' }];
    const what =
      newest === undefined ? 'There is none yet' : `The newest is of ${new Date(newest).toISOString()}`;
    return [{ check, verdict: 'warning', reason: `${what}; the log says why.` }];
  } catch {
    return [{ check, verdict: 'warning', reason: 'Their folder cannot be read.' }];
  }
}

/** What `work` found within the last second; asked by many at once it runs once. */
function remembered<T>(work: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= work().finally(() => {
      setTimeout(() => {
        found = undefined;
      }, verdictLastsMs).unref();
    });
    return found;
  };
}
