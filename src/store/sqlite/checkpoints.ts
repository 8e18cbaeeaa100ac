/**
 * Keeps the write-ahead log of a database file small. One process of a server looks at the log every second, has a thread
 * run the checkpoint, and warns when something keeps the log from shrinking.
 */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CheckpointResult, CheckpointTarget } from './checkpoint-thread.ts';
import { checkpointFromBytes, logKeptBytes } from './connection.ts';
import { identityOf } from './watch.ts';

/** A log of this size that no checkpoint can empty is worth a warning. */
export const logAlarmBytes = 64 * 1024 * 1024;

export interface CheckpointSchedule {
  everyMs: number;
  /** A checkpoint is run only for a log of at least this size. */
  foldedFromBytes: number;
  alarmBytes: number;
  /** A warning whose cause lasts is repeated after this time. */
  againAfterMs: number;
}

const usual: CheckpointSchedule = {
  everyMs: 1000,
  foldedFromBytes: checkpointFromBytes,
  alarmBytes: logAlarmBytes,
  againAfterMs: 600_000,
};

/**
 * Starts watching the log; `notify` receives warnings for the operator. Returns a function that stops and waits for a
 * running checkpoint.
 */
export function tendLog(
  path: string,
  notify: (sentence: string) => void,
  { everyMs, foldedFromBytes, alarmBytes, againAfterMs }: CheckpointSchedule = usual,
): () => Promise<void> {
  const identity = identityOf(path);
  let thread: Worker | undefined;
  let checkpointedAt: number | undefined;
  let warnedAt: number | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;

  const checkpoint = async (): Promise<CheckpointResult> => {
    const workerData: CheckpointTarget = { path, keptBytes: logKeptBytes };
    // The thread starts with the first checkpoint, so a garden with few writes never has one.
    if (!thread) {
      thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData });
      thread.unref();
    }
    thread.postMessage('checkpoint');
    const [result] = await once(thread, 'message');
    return result as CheckpointResult;
  };

  const look = async (): Promise<void> => {
    const found = await stat(`${path}-wal`).catch(() => undefined);
    if (!found || found.size < foldedFromBytes || found.mtimeMs === checkpointedAt) return;
    // The log belongs to the file that was opened; a file that replaced it must not receive this log.
    if (identityOf(path) !== identity) return;
    const result = await checkpoint();
    // A write during the checkpoint gives the log a later mtime, and pages that were left are tried again.
    checkpointedAt = result.leftBytes === 0 && result.fault === undefined ? found.mtimeMs : undefined;
    const sentence = alarm(path, result, alarmBytes);
    const now = performance.now();
    if (sentence === undefined) {
      if (warnedAt !== undefined) notify(`${path}-wal was folded into the database; all is well again.`);
      warnedAt = undefined;
    } else if (warnedAt === undefined || now - warnedAt >= againAfterMs) {
      notify(sentence);
      warnedAt = now;
    }
  };

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch((error: Error) => {
        // The error ended the thread; the next look starts another.
        thread = undefined;
        notify(`${path}-wal cannot be folded into the database (${error.message}).`);
      })
      .finally(() => {
        isLooking = false;
      });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
    if (!thread) return;
    thread.ref();
    const ended = once(thread, 'exit');
    thread.postMessage('end');
    await ended;
  };
}

function alarm(path: string, { leftBytes, fault }: CheckpointResult, alarmBytes: number): string | undefined {
  if (fault !== undefined) {
    return `${path}-wal cannot be folded into the database (${fault}) and grows until it can: look at the disk.`;
  }
  if (leftBytes <= alarmBytes) return undefined;
  const mebibytes = Math.round(leftBytes / 1024 / 1024);
  return `${path}-wal has ${mebibytes} MiB that cannot be folded into the database, because some process still reads an older state of it: find and end it (an export or backup that hangs, a sqlite3 shell).`;
}
