/**
 * The process of jobs: syncs, reminders, imports and backups, with a lower priority than processes that answer
 * requests.
 */
import { setPriority } from 'node:os';
import { lockTimeouts, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { makeRequestedBackup } from './backups.ts';
import type { HostMessage } from './host.ts';
import type { JobRequest, WorkerMessage } from './job-protocol.ts';
import { runListFollows } from './list-follows.ts';
import { runFeedExpiry } from './program-feeds.ts';
import { runRealFields } from './real-fields.ts';
import { runReminders } from './reminders.ts';
import { runContestFeeds, runSyncSchedule } from './schedule.ts';
import { runTokenSync } from './sync-runs.ts';
import { runUploads } from './upload-run.ts';
import { uploadFolder } from './uploads.ts';
import { runWaitingProblems } from './waiting-problems.ts';

const lockTimeoutMs = lockTimeouts.workMs;
/** On a shared core, the processes that answer requests get three quarters under load. */
const niceness = 5;

type Begin = Extract<HostMessage, { begin: unknown }>;

// If the server dies, running jobs are rolled back.
process.on('disconnect', () => process.exit(1));
try {
  setPriority(0, niceness);
} catch {
  // The system may refuse; then the priority stays normal.
}

const stopping = new AbortController();
const { signal } = stopping;
const running = new Set<Promise<void>>();
let jobs: ReturnType<typeof open> | undefined;

process.on('message', (message: HostMessage) => {
  if (message === 'stop') return void shutDown();
  if (message === 'start schedules') return track(async () => (await jobs)?.startSchedules());
  if ('jobRequest' in message)
    return track(async () => {
      await (await jobs)?.run(message.jobRequest);
      await report({ doneRequest: message.requestNumber });
    });
  const opening = open(message);
  jobs = opening;
  track(async () => void (await opening));
});

function track(work: () => Promise<void> | undefined): void {
  const task = Promise.resolve(work())
    .catch(async (error) => {
      await report({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      process.exit(1);
    })
    .finally(() => running.delete(task));
  running.add(task);
}

function report(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

async function shutDown(): Promise<void> {
  stopping.abort();
  await Promise.all(running);
  await (await jobs)?.store.close();
  process.exit(0);
}

async function open({ begin, holder, identity, crash }: Begin) {
  const { databaseUrl, sync } = begin;
  const options = { create: false, identity, lockTimeoutMs, writesMuch: true, poolSize: 3 };
  const store: Store = await openStore(databaseUrl, options);
  const log = (level: 'info' | 'warn' | 'error', sentence: string) => void report({ log: level, sentence });
  const context = { ...begin, store, holder, signal, log, report };
  let areSchedulesStarted = false;
  /** Uploads and backups run one after another, so that a file that takes all memory interrupts no backup. */
  let queue: Promise<unknown> = Promise.resolve();

  function runQueued(work: () => Promise<unknown>): Promise<unknown> {
    queue = queue.then(work);
    return queue;
  }

  function run(jobRequest: JobRequest): Promise<unknown> {
    if (jobRequest.job === 'confirmed sync') return runTokenSync(context, jobRequest);
    if (jobRequest.job === 'backup') return makeRequestedBackup({ ...context, runQueued }, jobRequest.holder);
    const folder = uploadFolder(databaseUrl, store.instance);
    return runQueued(() => runUploads({ ...context, folder, crash }));
  }

  return {
    store,
    startSchedules: async (): Promise<void> => {
      if (areSchedulesStarted) return;
      areSchedulesStarted = true;
      await Promise.all([
        ...(sync ? [runSyncSchedule, runListFollows, runContestFeeds, runRealFields] : []).map(
          (runSchedule) => runSchedule(store, context),
        ),
        runReminders(store, context),
        runWaitingProblems(store, context),
        runFeedExpiry(store, context),
      ]);
    },
    run,
  };
}
