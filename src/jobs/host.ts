/**
 * The server's side of jobs: starts their process when there is something to do, tells it what to do at once, and says what it
 * died of. A server has one such process, however many processes answer requests.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { type BackupPlan, newestBackup } from '../store/backup.ts';
import { listSourcesOfHandles } from '../store/handles.ts';
import { fileIdentity, openStoreToRead, usingStore } from '../store/open.ts';
import { busyStates, listUploadsIn } from '../store/uploads.ts';
import { hasWebhooks } from '../store/webhooks.ts';
import { newHolder } from './lease.ts';

export type JobsConfig = Pick<
  Config,
  'databaseUrl' | 'judgeUrls' | 'baseUrl' | 'sync' | 'privatePlaces' | 'backupDir' | 'backupKeep'
>;

/** A job that somebody waits for. One with a holder is under a lease, which was taken before it was asked for. */
export type Wish =
  | { job: 'uploads' }
  | { job: 'backup'; holder: string | undefined }
  | { job: 'confirmed sync'; handleId: string; token: string; holder: string };

export type TellJobs = (wish: Wish) => void;

/** The work of the process, for the log where the process dies. */
export interface Work {
  name: string;
  /** The id of an upload that is run. */
  upload?: string;
  isScheduledBackup?: boolean;
  /** The process is killed if this work takes longer. */
  atMostMs?: number;
}

/** An upload whose run killed the process, or took too long. */
export interface Death {
  upload: string;
  isTooLong: boolean;
}

/** The messages to the process. `lead` has it sync and send reminders. */
export type Told =
  | { begin: JobsConfig; holder: string; identity: string | undefined; death: Death | undefined }
  | { wish: Wish; number: number }
  | 'lead'
  | 'stop';

/** The messages of the process. */
export type Said =
  | { log: 'info' | 'warn' | 'error'; sentence: string }
  | { work: Work | undefined }
  | { fault: string }
  | { backup: 'made' | 'failed' }
  | { done: number };

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
const retryMs = 600_000;
/** How long the process waits for the next upload or backup, so that an import that somebody decides on begins at once. */
const idleMs = 20_000;
/** How long work that is under way may take to end. */
const settleMs = 2_000;

export type JobsHost = ReturnType<typeof jobsHost>;

export function jobsHost(config: JobsConfig, log: Log) {
  const { databaseUrl, judgeUrls, baseUrl, sync, privatePlaces, backupDir, backupKeep } = config;
  const begin = { databaseUrl, judgeUrls, baseUrl, sync, privatePlaces, backupDir, backupKeep };
  // The process that takes the place of a dead one has its leases at once.
  const holder = newHolder();
  // Backups of another file would push out those of the right one.
  const identity = fileIdentity(databaseUrl);
  const stopping = new AbortController();
  const { signal } = stopping;
  let child: ChildProcess | undefined;
  let leaving: NodeJS.Timeout | undefined;
  /** The ends of the processes that live: one, and for a moment another that is about to end. */
  const ends = new Map<ChildProcess, Promise<unknown>>();
  let keeping: Promise<void> | undefined;
  let work: Work | undefined;
  /** The wishes of the process that it has not done yet, by their numbers. */
  const open = new Map<number, Wish>();
  let wishes = 0;
  let death: Death | undefined;
  let failed = 0;
  let backupNotBefore = 0;

  function failBackup(everyMs: number): void {
    failed++;
    backupNotBefore = Date.now() + Math.min(everyMs, retryMs);
  }

  /** Has a process end. The memory that an import took goes with it; the next look starts another one. */
  async function retire(own: ChildProcess): Promise<void> {
    if (child === own) child = undefined;
    own.send('stop' satisfies Told, () => {});
    const timer = setTimeout(() => own.kill('SIGKILL'), settleMs);
    await ends.get(own);
    clearTimeout(timer);
  }

  function start(everyMs = retryMs): ChildProcess {
    const own = fork(program, [], {
      ...{ execArgv: flags, serialization: 'advanced' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let fault: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    own.on('message', (said: Said) => {
      if ('done' in said) {
        open.delete(said.done);
        if (open.size === 0) leaving = setTimeout(() => retire(own), idleMs).unref();
      } else if ('log' in said) log[said.log](said.sentence);
      else if ('fault' in said) fault = said.fault;
      else if ('backup' in said) {
        if (said.backup === 'failed') failBackup(everyMs);
      } else {
        work = said.work;
        clearTimeout(timer);
        if (work?.atMostMs === undefined) return;
        timer = setTimeout(() => {
          fault = tookTooLong;
          own.kill('SIGKILL');
        }, work.atMostMs);
      }
    });
    own.on('error', (error) => {
      fault = String(error);
    });
    const ended = once(own, 'close').then(([code, killer]) => {
      clearTimeout(timer);
      ends.delete(own);
      const isWanted = child === own;
      if (isWanted) child = undefined;
      if (signal.aborted || !isWanted) return;
      mourn(fault ?? `it ended by ${killer ?? `code ${code}`}`, everyMs);
    });
    ends.set(own, ended);
    own.send({ begin, holder, identity, death } satisfies Told, () => {});
    death = undefined;
    child = own;
    return own;
  }

  /** Says what a process died of, and has another one say so where the owner of the upload looks. */
  function mourn(why: string, everyMs: number): void {
    const dead = work;
    work = undefined;
    open.clear();
    log.error(`${dead?.name ?? 'the process of jobs'} broke off: ${why}`);
    if (dead?.isScheduledBackup) failBackup(everyMs);
    if (dead?.upload === undefined) return;
    death = { upload: dead.upload, isTooLong: why === tookTooLong };
    wish({ job: 'uploads' });
  }

  function send(told: Told, everyMs?: number): void {
    if (!signal.aborted) (child ?? start(everyMs)).send(told, () => {});
  }

  function ask(asked: Wish, everyMs?: number): void {
    clearTimeout(leaving);
    wishes++;
    open.set(wishes, asked);
    send({ wish: asked, number: wishes }, everyMs);
  }

  const wish: TellJobs = (asked) => ask(asked);

  /** Whether the process has a scheduled backup to make, which may wait behind an import. */
  const hasScheduledBackup = () =>
    [...open.values()].some((asked) => asked.job === 'backup' && asked.holder === undefined);

  /** Finds the work that needs no wish. A database that cannot be read now is looked at again. */
  const isNeeded = () =>
    usingStore(openStoreToRead(databaseUrl, { lockTimeoutMs: 1_000 }), async ({ reader }) => ({
      leads: (sync && (await listSourcesOfHandles(reader)).length > 0) || (await hasWebhooks(reader)),
      uploads: (await listUploadsIn(reader, busyStates)).length > 0,
    })).catch(() => ({ leads: false, uploads: false }));

  async function look(plan: BackupPlan | undefined): Promise<void> {
    const { leads, uploads } = await isNeeded();
    if (signal.aborted) return;
    if (leads) send('lead');
    if (uploads) wish({ job: 'uploads' });
    if (!plan || backupNotBefore > Date.now() || hasScheduledBackup()) return;
    const newest = (await newestBackup(plan).catch(() => undefined)) ?? Number.NEGATIVE_INFINITY;
    if (newest + plan.everyMs > Date.now()) return;
    if (fileIdentity(databaseUrl) === identity)
      return ask({ job: 'backup', holder: undefined }, plan.everyMs);
    failBackup(plan.everyMs);
    log.error('the scheduled backup was not made: the database file is gone or another one.');
  }

  return {
    /** Has a job done at once. */
    wish,
    /** Looks again and again for what is to do: syncs, reminders, uploads that wait, and backups by this plan. */
    keep: (plan: BackupPlan | undefined): void => {
      const pauseMs = Math.max(1_000, Math.min(lookMs, plan?.everyMs ?? lookMs));
      keeping = (async () => {
        while (!signal.aborted) {
          await look(plan);
          await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {});
        }
      })();
    },
    /** How many scheduled backups failed. */
    failedBackups: () => failed,
    /** Ends the work that is under way. A backup leaves no partial file, and an import nothing. */
    stop: async (): Promise<void> => {
      stopping.abort();
      clearTimeout(leaving);
      await keeping;
      await Promise.all([...ends.keys()].map(retire));
    },
  };
}
