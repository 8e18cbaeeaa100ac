/**
 * The process of jobs: syncs with judges, reminders, imports of uploads and backups. It has a connection of its own to the
 * database, and gives way to the processes that answer requests.
 */
import { setPriority } from 'node:os';
import { lockTimeouts, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { makeRequestedBackup } from './backups.ts';
import type { HostMessage } from './host.ts';
import type { JobRequest, WorkerMessage } from './job-protocol.ts';
import { runListFollows } from './list-follows.ts';
import { runReminders } from './reminders.ts';
import { runContestFeeds, runSyncSchedule } from './schedule.ts';
import { syncAsConfirmed } from './sync-runs.ts';
import { runUploads } from './upload-run.ts';
import { uploadFolder } from './uploads.ts';

const lockTimeoutMs = lockTimeouts.workMs;
/** Under load the processes that answer get three quarters of a core that they share with this one. */
const niceness = 5;

type Begin = Extract<HostMessage, { begin: unknown }>;

// A server that ends takes its jobs along; what they wrote is rolled back.
process.on('disconnect', () => process.exit(1));
try {
  setPriority(0, niceness);
} catch {
  // The system refuses it; then the jobs take their share.
}

const stopping = new AbortController();
const { signal } = stopping;
const underWay = new Set<Promise<void>>();
let jobs: ReturnType<typeof open> | undefined;

process.on('message', (told: HostMessage) => {
  if (told === 'stop') return void leave();
  if (told === 'lead') return follow(async () => (await jobs)?.lead());
  if ('jobRequest' in told)
    return follow(async () => {
      await (await jobs)?.run(told.jobRequest);
      await say({ done: told.number });
    });
  const opening = open(told);
  jobs = opening;
  follow(async () => void (await opening));
});

/** Keeps the process until the work is done; a fault that the work did not foresee ends it. */
function follow(work: () => Promise<void> | undefined): void {
  const done = Promise.resolve(work())
    .catch(async (error) => {
      await say({ fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      process.exit(1);
    })
    .finally(() => underWay.delete(done));
  underWay.add(done);
}

function say(said: WorkerMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(said, () => resolve()));
}

async function leave(): Promise<void> {
  stopping.abort();
  await Promise.all(underWay);
  await (await jobs)?.store.close();
  process.exit(0);
}

async function open({ begin, holder, identity, death }: Begin) {
  const { databaseUrl, sync } = begin;
  const options = { create: false, identity, lockTimeoutMs, writesMuch: true, poolSize: 3 };
  const store: Store = await openStore(databaseUrl, options);
  const log = (level: 'info' | 'warn' | 'error', sentence: string) => void say({ log: level, sentence });
  const place = { ...begin, store, holder, signal, log, say };
  let isLeading = false;
  /** Uploads and backups are made one after another, so that a file that takes all memory ends no backup. */
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(work: () => Promise<unknown>): Promise<unknown> {
    turn = turn.then(work);
    return turn;
  }

  function run(jobRequest: JobRequest): Promise<unknown> {
    if (jobRequest.job === 'confirmed sync') return syncAsConfirmed(place, jobRequest);
    if (jobRequest.job === 'backup') return makeRequestedBackup({ ...place, inTurn }, jobRequest.holder);
    const folder = uploadFolder(databaseUrl, store.instance);
    return inTurn(() => runUploads({ ...place, folder, death }));
  }

  return {
    store,
    lead: async (): Promise<void> => {
      if (isLeading) return;
      isLeading = true;
      await Promise.all([
        ...(sync ? [runSyncSchedule, runListFollows, runContestFeeds] : []).map((keep) => keep(store, place)),
        runReminders(store, place),
      ]);
    },
    run,
  };
}
