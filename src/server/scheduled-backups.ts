/** Backups that the server makes unasked: garden backup as a process of its own, whenever the newest one is old enough. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWith } from '../config.ts';
import { newestBackup } from '../store/backup-folder.ts';
import { fileIdentity } from '../store/open.ts';

export interface DutyLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Plan {
  databaseUrl: string;
  folder: string;
  everyMs: number;
  /** How many are kept. */
  keep: number;
}

export interface Backups {
  /** How many did not come about. */
  failed(): number;
  /** Ends the one under way, of which nothing stays. */
  stop(): Promise<void>;
}

/** Longer waits are waited for in pieces: the clock may be set, somebody may make a backup by hand. */
const longestWaitMs = 600_000;
const retryMs = 600_000;
/** How long a backup that is to end may take to clear up. */
const clearUpMs = 2_000;
const saidAtMost = 1_000;

export function scheduleBackups({ databaseUrl, folder, everyMs, keep }: Plan, log: DutyLog): Backups {
  const stopping = new AbortController();
  // Backups of another file would push out those of the right one.
  const identity = fileIdentity(databaseUrl);
  let failed = 0;
  let child: ChildProcess | undefined;

  async function run(): Promise<boolean> {
    if (fileIdentity(databaseUrl) !== identity) {
      failed++;
      log.error('the scheduled backup was not made: the database file is gone or another one.');
      return false;
    }
    const args = [process.argv[1] ?? '', 'backup', '--keep', String(keep)];
    // Not as flags, which everybody on the machine can read.
    const env = environmentWith({ DATABASE_URL: databaseUrl, BACKUP_DIR: folder });
    child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-saidAtMost);
    });
    try {
      // Members come first. On some systems it may not be had, and then the backup takes its share.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    } catch {}
    try {
      const [code] = await once(child, 'close');
      if (code === 0) return true;
    } catch (error) {
      said = String(error);
    }
    if (stopping.signal.aborted) return false;
    failed++;
    log.error(`the scheduled backup failed: ${said.trim()} Run garden backup by hand to see it succeed.`);
    return false;
  }

  async function keepOn(): Promise<void> {
    let last = -Infinity;
    while (!stopping.signal.aborted) {
      const now = Date.now();
      const newest = (await newestBackup(folder).catch(() => undefined)) ?? last;
      let waitMs = newest + everyMs - now;
      if (waitMs <= 0) {
        const isMade = await run();
        if (isMade) last = now;
        waitMs = isMade ? everyMs : Math.min(everyMs, retryMs);
      }
      const pieceMs = Math.min(Math.max(waitMs, 1_000), longestWaitMs);
      await sleep(pieceMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  }

  const over = keepOn();
  return {
    failed: () => failed,
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      const timer = setTimeout(() => child?.kill('SIGKILL'), clearUpMs);
      await over;
      clearTimeout(timer);
    },
  };
}
