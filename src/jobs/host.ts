/** The server's side of jobs: starts one process when there is work, sends it requests, and logs why it died. */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { hourMs, minuteMs } from '../durations.ts';
import { readFeeds } from '../practice/upcoming.ts';
import { listSourcesOfHandles } from '../store/handles.ts';
import { listMembersWithWaiting } from '../store/inbox.ts';
import { hasFollows } from '../store/list-follows.ts';
import { fileIdentity, lockTimeouts, openStoreToRead, usingStore } from '../store/open.ts';
import type { Db } from '../store/tables.ts';
import { busyStates, listUploadsInStates } from '../store/uploads.ts';
import { hasWebhooks } from '../store/webhooks.ts';
import { type BackupPlan, isBackupDue } from './backups.ts';
import type { EnqueueJob, JobRequest, RunningJob, UploadCrash, WorkerMessage } from './job-protocol.ts';
import { newHolder } from './lease.ts';

type JobsConfig = ReturnType<typeof jobsConfigOf>;

export type HostMessage =
  | { begin: JobsConfig; holder: string; identity: string | undefined; crash: UploadCrash | undefined }
  | { jobRequest: JobRequest; requestNumber: number }
  | 'start schedules'
  | 'stop';

interface Log {
  info(sentence: string): void;
  warn(sentence: string): void;
  error(sentence: string): void;
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url));
// The process shares a computer with the server, so memory matters more than time. A file that needs more than 1 GiB
// ends only this process.
const flags = ['--max-semi-space-size=4', '--max-old-space-size=1024'];
const tookTooLong = 'it took too long';
const pollMs = 15_000;
const retryMs = 10 * minuteMs;
/** The process waits this long for the next job, so that an import begins at once after its check. */
const idleMs = 20_000;
const shutDownAtMostMs = 3_500;

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
  const openRequests = new Map<number, JobRequest>();
  let requestCount = 0;
  let running: RunningJob | undefined;
  let fault: string | undefined;
  let isEnding = false;
  let timeoutTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  child.on('message', (message: WorkerMessage) => {
    if (message === 'backup failed') failBackup();
    else if ('doneRequest' in message) {
      openRequests.delete(message.doneRequest);
      if (openRequests.size === 0) idleTimer = setTimeout(shutDown, idleMs).unref();
    } else if ('log' in message) log[message.log](message.sentence);
    else if ('fault' in message) fault = message.fault;
    else {
      running = message.running;
      clearTimeout(timeoutTimer);
      if (running?.timeoutMs === undefined) return;
      timeoutTimer = setTimeout(() => {
        fault = tookTooLong;
        child.kill('SIGKILL');
      }, running.timeoutMs);
    }
  });
  child.on('error', (error) => {
    fault = String(error);
  });
  // events.once would throw where the process cannot start, as while npm replaces Node.
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  child.once('close', (code, killSignal) => {
    clearTimeout(timeoutTimer);
    clearTimeout(idleTimer);
    onEnd(fault ?? `it ended by ${killSignal ?? `code ${code}`}`, running);
    resolve();
  });
  const send = (message: HostMessage) => void child.send(message, () => {});

  /** Ends the process, which frees the memory of an import. */
  async function shutDown(): Promise<void> {
    isEnding = true;
    clearTimeout(idleTimer);
    send('stop');
    const timer = setTimeout(() => child.kill('SIGKILL'), shutDownAtMostMs);
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
      send({ jobRequest, requestNumber: requestCount });
    },
    retire: shutDown,
    isEnding: () => isEnding,
    hasScheduledBackup: () =>
      [...openRequests.values()].some(
        (jobRequest) => jobRequest.job === 'backup' && jobRequest.holder === undefined,
      ),
  };
}

const noNeeds = { leads: false, uploads: false };

const findNeeds = ({ databaseUrl, sync }: JobsConfig) =>
  usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs: lockTimeouts.figuresMs }), async ({ reader }) => ({
    leads:
      (sync && (await hasSyncWork(reader))) ||
      (await hasWebhooks(reader)) ||
      (await listMembersWithWaiting(reader)).length > 0,
    uploads: (await listUploadsInStates(reader, busyStates)).length > 0,
  })).catch(() => noNeeds);

const hasSyncWork = async (db: Db) =>
  (await listSourcesOfHandles(db)).length > 0 || (await readFeeds(db)).length > 0 || (await hasFollows(db));

function jobsConfigOf(config: Config) {
  const { databaseUrl, judgeUrls, baseUrl, language, sync, liveMb, backupDir, backupKeep } = config;
  return {
    databaseUrl,
    judgeUrls,
    liveMb,
    baseUrl,
    language,
    sync,
    backupDir,
    backupKeep,
    addLimits: { perDay: config.addedPerDay, total: config.addedPerMember },
    /** Origins on private networks that the operator allows. */
    privateOrigins: config.privatePlaces ?? new Set<string>(),
  };
}

export type JobsHost = ReturnType<typeof jobsHost>;

export function jobsHost(config: Config, log: Log) {
  const begin = jobsConfigOf(config);
  const { databaseUrl } = config;
  // A process that replaces a dead one gets its leases at once.
  const holder = newHolder();
  // Backups of a replaced database file would push out those of the right one.
  const identity = fileIdentity(databaseUrl);
  const stopping = new AbortController();
  const { signal } = stopping;
  let processes: ReturnType<typeof startProcess>[] = [];
  let polling: Promise<void> | undefined;
  let crash: UploadCrash | undefined;
  let failedBackupCount = 0;
  let backupNotBefore = 0;
  let retryBackupMs = retryMs;

  function failBackup(): void {
    failedBackupCount++;
    backupNotBefore = Date.now() + retryBackupMs;
  }

  function start() {
    const started = startProcess({ begin, holder, identity, crash }, log, failBackup, (why, runningJob) => {
      processes = processes.filter((one) => one !== started);
      if (signal.aborted || started.isEnding()) return;
      log.error(`${runningJob?.name ?? 'the process of jobs'} broke off: ${why}`);
      if (runningJob?.isScheduledBackup) failBackup();
      if (runningJob?.uploadId === undefined) return;
      // The next process reports the crash to the owner of the upload.
      crash = { uploadId: runningJob.uploadId, isTimeout: why === tookTooLong };
      enqueue({ job: 'uploads' });
    });
    crash = undefined;
    processes.push(started);
    return started;
  }

  const current = () => processes.find((one) => !one.isEnding()) ?? start();

  const enqueue: EnqueueJob = (request) => {
    if (!signal.aborted) current().enqueue(request);
  };

  async function pollOnce(plan: BackupPlan | undefined): Promise<void> {
    const { leads: needsSchedules, uploads } = config.demo ? noNeeds : await findNeeds(begin);
    if (signal.aborted) return;
    if (needsSchedules) current().send('start schedules');
    if (uploads) enqueue({ job: 'uploads' });
    if (!plan || backupNotBefore > Date.now() || processes.some((one) => one.hasScheduledBackup())) return;
    if (!(await isBackupDue(plan))) return;
    if (fileIdentity(databaseUrl) === identity) return enqueue({ job: 'backup', holder: undefined });
    failBackup();
    log.error('the scheduled backup was not made: the database file is gone or another one.');
  }

  return {
    enqueue,
    keep: (plan: BackupPlan | undefined): void => {
      if (plan) retryBackupMs = Math.min(plan.everyMs, retryMs);
      const pauseMs = Math.max(1_000, Math.min(pollMs, (plan?.everyMs ?? hourMs) / 4));
      polling = (async () => {
        while (!signal.aborted) {
          await pollOnce(plan);
          await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
    failedBackups: () => failedBackupCount,
    /** Interrupts running work. A backup leaves no partial file, and an import is rolled back. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await polling;
      await Promise.all(processes.map((one) => one.retire()));
    },
  };
}
