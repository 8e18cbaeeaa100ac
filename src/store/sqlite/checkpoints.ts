/** Keeps the write-ahead log of a database file small, and reports a log that does not shrink. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { CheckpointResult } from './checkpoint-thread.ts';
import { walBytes } from './connection.ts';
import { identityOf } from './files.ts';

export const walAlarmBytes = 64 * 1024 * 1024;

const checkpointFromBytes = 4 * 1024 * 1024;

const defaults = { everyMs: 1000, fromBytes: checkpointFromBytes, alarmBytes: walAlarmBytes };

/** `notify` receives warnings and their end. Returns a function that stops the watch after a running checkpoint. */
export function maintainLog(
  path: string,
  notify: (sentence: string) => void,
  { everyMs, fromBytes, alarmBytes } = defaults,
): () => Promise<void> {
  const identity = identityOf(path);
  const stop = new AbortController();
  let thread: Worker | undefined;
  let hasWarned = false;

  async function checkpoint(): Promise<CheckpointResult> {
    thread ??= new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path });
    thread.unref();
    try {
      thread.postMessage('checkpoint');
      const [result] = await once(thread, 'message');
      return result as CheckpointResult;
    } catch (error) {
      thread = undefined;
      return { remainingBytes: 0, fault: (error as Error).message };
    }
  }

  async function checkLog(): Promise<void> {
    if (walBytes(path) < fromBytes) return;
    // The log belongs to the file that was opened; a file that replaced it must not receive this log.
    if (identityOf(path) !== identity) return;
    const { remainingBytes, fault } = await checkpoint();
    const hadWarned = hasWarned;
    hasWarned = fault !== undefined || remainingBytes > alarmBytes;
    if (hasWarned && !hadWarned) notify(alarm(path, remainingBytes, fault));
    if (!hasWarned && hadWarned) notify(`${path}-wal was written into the database; all is well again.`);
  }

  async function checkRepeatedly(): Promise<void> {
    for (;;) {
      await sleep(everyMs, undefined, { ref: false, signal: stop.signal });
      // A folder that is not searchable now may become so again.
      await checkLog().catch(() => {});
    }
  }

  const running = checkRepeatedly().catch(() => {});
  return async () => {
    stop.abort();
    await running;
    await thread?.terminate();
  };
}

function alarm(path: string, remainingBytes: number, fault: string | undefined): string {
  if (fault !== undefined) {
    return `${path}-wal cannot be written into the database (${fault}) and grows until it can: look at the disk.`;
  }
  const mebibytes = Math.round(remainingBytes / 1024 / 1024);
  return `${path}-wal has ${mebibytes} MiB that cannot be written into the database, because some process still reads an older state of it: find and end it (an export or backup that hangs, a sqlite3 shell).`;
}
