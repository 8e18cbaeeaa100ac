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
const pollMs = 15_000;
const retryMs = 10 * minuteMs;
/** How long the process waits for the next upload or backup, so that an import that somebody decides on begins at once. */
const idleMs = 20_000;
/** How long work that is under way may take to end. */
const shutdownMs = 2_000;

/** Starts a process. `onEnd` is called with the reason of its end and the work that broke off. */
function startProcess(
  begin: HostMessage,
  log: Log,
  failBackup: () => void,
  onEnd: (why: string, runningJob: RunningJob | undefined) => void,
) {
  const child = fork(program, [], {
    execArgv: flags,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  /** The requestCount that it has not done yet, by their numbers. */
  const openRequests = new Map<number, JobRequest>();
  let requestCount = 0;
  let work: RunningJob | undefined;
  let fault: string | undefined;
  let isEnding = false;
  let limit: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  child.on('message', (message: WorkerMessage) => {
    if (message === 'backup failed') failBackup();
    else if ('done' in message) {
      openRequests.delete(message.done);
      if (openRequests.size === 0) idleTimer = setTimeout(retire, idleMs).unref();
    } else if ('log' in message) log[message.log](message.sentence);
    else if ('fault' in message) fault = message.fault;
    else {
      work = message.work;
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
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  child.once('close', (code, killer) => {
    clearTimeout(limit);
    clearTimeout(idleTimer);
    onEnd(fault ?? `it ended by ${killer ?? `code ${code}`}`, work);
    resolve();
  });
  const send = (message: HostMessage) => void child.send(message, () => {});

  /** Has it end. The memory that an import took goes with it. */
  async function retire(): Promise<void> {
    isEnding = true;
    clearTimeout(idleTimer);
    send('stop');
    const timer = setTimeout(() => child.kill('SIGKILL'), shutdownMs);
    await closed;
    clearTimeout(timer);
  }

  send(begin);
  return {
    send,
    enqueue: (jobRequest: JobRequest): void => {
      clearTimeout(idleTimer);
      requestCount++;
      openRequests.set(requestCount, jobRequest);
      send({ jobRequest, number: requestCount });
    },
    retire,
    isEnding: () => isEnding,
    /** Whether it has a scheduled backup to make, which may wait behind an import. */
    hasScheduledBackup: () =>
      [...openRequests.values()].some(
        (jobRequest) => jobRequest.job === 'backup' && jobRequest.holder === undefined,
      ),
  };
}

const nothing = { leads: false, uploads: false };

/** Finds the work that needs no request. A database that cannot be read now is looked at again. */
const findNeeds = ({ databaseUrl, sync }: JobsConfig) =>
  usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs }), async ({ reader }) => ({
    leads: (sync && (await hasSyncWork(reader))) || (await hasWebhooks(reader)),
    uploads: (await listUploadsIn(reader, busyStates)).length > 0,
  })).catch(() => nothing);

const hasSyncWork = async (db: Db) =>
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
  let processes: ReturnType<typeof startProcess>[] = [];
  let polling: Promise<void> | undefined;
  let death: UploadCrash | undefined;
  let failedCount = 0;
  let backupNotBefore = 0;
  let retryBackupMs = retryMs;

  function failBackup(): void {
    failedCount++;
    backupNotBefore = Date.now() + retryBackupMs;
  }

  function start() {
    const own = startProcess({ begin, holder, identity, death }, log, failBackup, (why, runningJob) => {
      processes = processes.filter((one) => one !== own);
      if (signal.aborted || own.isEnding()) return;
      log.error(`${runningJob?.name ?? 'the process of jobs'} broke off: ${why}`);
      if (runningJob?.isScheduledBackup) failBackup();
      if (runningJob?.upload === undefined) return;
      // Another process says so where the owner of the upload looks.
      death = { upload: runningJob.upload, isTooLong: why === tookTooLong };
      enqueue({ job: 'uploads' });
    });
    death = undefined;
    processes.push(own);
    return own;
  }

  const current = () => processes.find((one) => !one.isEnding()) ?? start();

  const enqueue: EnqueueJob = (request) => {
    if (!signal.aborted) current().enqueue(request);
  };

  async function look(plan: BackupPlan | undefined): Promise<void> {
    // A demo sends nothing out and imports nothing.
    const { leads, uploads } = config.demo ? nothing : await findNeeds(begin);
    if (signal.aborted) return;
    if (leads) current().send('lead');
    if (uploads) enqueue({ job: 'uploads' });
    if (!plan || backupNotBefore > Date.now() || processes.some((one) => one.hasScheduledBackup())) return;
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
      const pauseMs = Math.max(1_000, Math.min(pollMs, plan?.everyMs ?? pollMs));
      polling = (async () => {
        while (!signal.aborted) {
          await look(plan);
          await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
    failedBackups: () => failedCount,
    /** Ends the work that is under way. A backup leaves no partial file, and an import nothing. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await polling;
      await Promise.all(processes.map((one) => one.retire()));
    },
  };
}
