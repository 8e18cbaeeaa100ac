/**
 * The server's side of jobs: starts their process when there is something to do, tells it what to do at once, and says what it
 * died of. A server has one such process, however many processes answer requests.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { minuteMs } from '../durations.ts';
import { readFeeds } from '../practice/upcoming.ts';
import { listSourcesOfHandles } from '../store/handles.ts';
import { hasFollows } from '../store/list-follows.ts';
import { fileIdentity, lockTimeouts, openStoreToRead, usingStore } from '../store/open.ts';
import type { Db } from '../store/tables.ts';
import { busyStates, listUploadsIn } from '../store/uploads.ts';
import { hasWebhooks } from '../store/webhooks.ts';
import { type BackupPlan, isBackupDue } from './backups.ts';
import type { EnqueueJob, JobRequest, RunningJob, UploadCrash, WorkerMessage } from './job-protocol.ts';
import { newHolder } from './lease.ts';

type JobsConfig = ReturnType<typeof settingsOf>;

/** The messages to the process. `lead` has it sync, ask for contests and send reminders. */
export type HostMessage =
  | { begin: JobsConfig; holder: string; identity: string | undefined; death: UploadCrash | undefined }
  | { jobRequest: JobRequest; number: number }
  | 'lead'
  | 'stop';

interface Log {
  info(sentence: string): void;
  warn(sentence: string): void;
  error(sentence: string): void;
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url));
// It runs beside a server, so memory counts for more than time. A file that needs more than 1 GiB ends this process alone.
const flags = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
const tookTooLong = 'it took too long';
const lookMs = 15_000;
const retryMs = 10 * minuteMs;
/** How long the process waits for the next upload or backup, so that an import that somebody decides on begins at once. */
const idleMs = 20_000;
/** How long work that is under way may take to end. */
const settleMs = 2_000;

/** Starts a process. `onEnd` is called with the reason of its end and the work that broke off. */
function startProcess(
  begin: HostMessage,
  log: Log,
  failBackup: () => void,
  onEnd: (why: string, dead: RunningJob | undefined) => void,
) {
  const child = fork(program, [], {
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  /** The requestCount that it has not done yet, by their numbers. */
  const open = new Map<number, JobRequest>();
  let requestCount = 0;
  let work: RunningJob | undefined;
  let fault: string | undefined;
  let isLeaving = false;
  let limit: NodeJS.Timeout | undefined;
  let leaving: NodeJS.Timeout | undefined;
  child.on('message', (said: WorkerMessage) => {
    if (said === 'backup failed') failBackup();
    else if ('done' in said) {
      open.delete(said.done);
      if (open.size === 0) leaving = setTimeout(retire, idleMs).unref();
    } else if ('log' in said) log[said.log](said.sentence);
    else if ('fault' in said) fault = said.fault;
    else {
      work = said.work;
      clearTimeout(limit);
      if (work?.atMostMs === undefined) return;
      limit = setTimeout(() => {
        fault = tookTooLong;
        child.kill('SIGKILL');
      }, work.atMostMs);
    }
  });
  child.on('error', (error) => {
    fault = String(error);
  });
  // Not events.once, which throws where the process could not be started, as while npm replaces Node.
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  child.once('close', (code, killer) => {
    clearTimeout(limit);
    clearTimeout(leaving);
    onEnd(fault ?? `it ended by ${killer ?? `code ${code}`}`, work);
    resolve();
  });
  const tell = (told: HostMessage) => void child.send(told, () => {});

  /** Has it end. The memory that an import took goes with it. */
  async function retire(): Promise<void> {
    isLeaving = true;
    clearTimeout(leaving);
    tell('stop');
    const timer = setTimeout(() => child.kill('SIGKILL'), settleMs);
    await ended;
    clearTimeout(timer);
  }

  tell(begin);
  return {
    tell,
    enqueue: (jobRequest: JobRequest): void => {
      clearTimeout(leaving);
      requestCount++;
      open.set(requestCount, jobRequest);
      tell({ jobRequest, number: requestCount });
    },
    retire,
    isLeaving: () => isLeaving,
    /** Whether it has a scheduled backup to make, which may wait behind an import. */
    hasScheduledBackup: () =>
      [...open.values()].some((jobRequest) => jobRequest.job === 'backup' && jobRequest.holder === undefined),
  };
}

const nothing = { leads: false, uploads: false };

/** Finds the work that needs no request. A database that cannot be read now is looked at again. */
const findNeeds = ({ databaseUrl, sync }: JobsConfig) =>
  usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs }), async ({ reader }) => ({
    leads: (sync && (await hasToAsk(reader))) || (await hasWebhooks(reader)),
    uploads: (await listUploadsIn(reader, busyStates)).length > 0,
  })).catch(() => nothing);

const hasToAsk = async (db: Db) =>
  (await listSourcesOfHandles(db)).length > 0 || (await readFeeds(db)).length > 0 || (await hasFollows(db));

function settingsOf(config: Config) {
  const { databaseUrl, judgeUrls, baseUrl, language, sync, backupDir, backupKeep } = config;
  return {
    databaseUrl,
    judgeUrls,
    baseUrl,
    language,
    sync,
    backupDir,
    backupKeep,
    addLimits: { perDay: config.addedPerDay, inAll: config.addedPerMember },
    /** Origins that may be private: the operator says so, and nobody else. */
    inside: config.privatePlaces ?? new Set<string>(),
  };
}

export type JobsHost = ReturnType<typeof jobsHost>;

export function jobsHost(config: Config, log: Log) {
  const begin = settingsOf(config);
  const { databaseUrl } = config;
  // The process that takes the place of a dead one has its leases at once.
  const holder = newHolder();
  // Backups of another file would push out those of the right one.
  const identity = fileIdentity(databaseUrl);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** One process, and for a moment another that is about to end. */
  let living: ReturnType<typeof startProcess>[] = [];
  let keeping: Promise<void> | undefined;
  let death: UploadCrash | undefined;
  let failed = 0;
  let backupNotBefore = 0;
  let retryBackupMs = retryMs;

  function failBackup(): void {
    failed++;
    backupNotBefore = Date.now() + retryBackupMs;
  }

  function start() {
    const own = startProcess({ begin, holder, identity, death }, log, failBackup, (why, dead) => {
      living = living.filter((one) => one !== own);
      if (signal.aborted || own.isLeaving()) return;
      log.error(`${dead?.name ?? 'the process of jobs'} broke off: ${why}`);
      if (dead?.isScheduledBackup) failBackup();
      if (dead?.upload === undefined) return;
      // Another process says so where the owner of the upload looks.
      death = { upload: dead.upload, isTooLong: why === tookTooLong };
      enqueue({ job: 'uploads' });
    });
    death = undefined;
    living.push(own);
    return own;
  }

  const current = () => living.find((one) => !one.isLeaving()) ?? start();

  const enqueue: EnqueueJob = (asked) => {
    if (!signal.aborted) current().enqueue(asked);
  };

  async function look(plan: BackupPlan | undefined): Promise<void> {
    // A demo sends nothing out and imports nothing.
    const { leads, uploads } = config.demo ? nothing : await findNeeds(begin);
    if (signal.aborted) return;
    if (leads) current().tell('lead');
    if (uploads) enqueue({ job: 'uploads' });
    if (!plan || backupNotBefore > Date.now() || living.some((one) => one.hasScheduledBackup())) return;
    if (!(await isBackupDue(plan))) return;
    if (fileIdentity(databaseUrl) === identity) return enqueue({ job: 'backup', holder: undefined });
    failBackup();
    log.error('the scheduled backup was not made: the database file is gone or another one.');
  }

  return {
    enqueue,
    /** Looks again and again for what is to do: syncs, reminders, uploads that wait, and backups by this plan. */
    keep: (plan: BackupPlan | undefined): void => {
      if (plan) retryBackupMs = Math.min(plan.everyMs, retryMs);
      const pauseMs = Math.max(1_000, Math.min(lookMs, plan?.everyMs ?? lookMs));
      keeping = (async () => {
        while (!signal.aborted) {
          await look(plan);
          await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
    failedBackups: () => failed,
    /** Ends the work that is under way. A backup leaves no partial file, and an import nothing. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await keeping;
      await Promise.all(living.map((one) => one.retire()));
    },
  };
}
