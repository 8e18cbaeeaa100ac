/**
 * Keeps the log beside a database file small, off the path of requests: one process of a server looks at it every second
 * and lets a thread fold it into the file, and says so where something keeps it from shrinking.
 */
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Folded, FoldingPlace } from './checkpoint-thread.ts';
import { logFoldedBytes, logKeptBytes } from './connection.ts';
import { identityOf } from './watch.ts';

/** A log that is this large and cannot be folded is worth a word. */
export const logAlarmBytes = 64 * 1024 * 1024;

export interface Tending {
  everyMs: number;
  /** A smaller log is left alone. */
  foldedFromBytes: number;
  alarmBytes: number;
  /** An alarm that goes on is told again after so long. */
  againAfterMs: number;
}

const usual: Tending = {
  everyMs: 1000,
  foldedFromBytes: logFoldedBytes,
  alarmBytes: logAlarmBytes,
  againAfterMs: 600_000,
};

/** Begins; `tell` gets what whoever runs the server should know. Answers how to end it, which waits for what is under way. */
export function tendLog(
  path: string,
  tell: (sentence: string) => void,
  { everyMs, foldedFromBytes, alarmBytes, againAfterMs }: Tending = usual,
): () => Promise<void> {
  const identity = identityOf(path);
  let thread: Worker | undefined;
  let foldedAt: number | undefined;
  let toldAt: number | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;

  const fold = async (): Promise<Folded> => {
    const workerData: FoldingPlace = { path, keptBytes: logKeptBytes };
    // Only where much is written is there ever a thread.
    if (!thread) {
      thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData });
      thread.unref();
    }
    thread.postMessage('fold');
    const [folded] = await once(thread, 'message');
    return folded as Folded;
  };

  const look = async (): Promise<void> => {
    const found = await stat(`${path}-wal`).catch(() => undefined);
    if (!found || found.size < foldedFromBytes || found.mtimeMs === foldedAt) return;
    // A log is folded into the file that it belongs to, never into one that took its place.
    if (identityOf(path) !== identity) return;
    const folded = await fold();
    // What was written meanwhile makes it a later time; what is left is tried again.
    foldedAt = folded.leftBytes === 0 && folded.fault === undefined ? found.mtimeMs : undefined;
    const sentence = alarm(path, folded, alarmBytes);
    const now = performance.now();
    if (sentence === undefined) {
      if (toldAt !== undefined) tell(`${path}-wal was folded into the database; all is well again.`);
      toldAt = undefined;
    } else if (toldAt === undefined || now - toldAt >= againAfterMs) {
      tell(sentence);
      toldAt = now;
    }
  };

  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch((error: Error) => {
        // The thread is gone with what it could not open; the next look starts another one.
        thread = undefined;
        tell(`${path}-wal cannot be folded into the database (${error.message}).`);
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

function alarm(path: string, { leftBytes, fault }: Folded, alarmBytes: number): string | undefined {
  if (fault !== undefined) {
    return `${path}-wal cannot be folded into the database (${fault}) and grows until it can: look at the disk.`;
  }
  if (leftBytes <= alarmBytes) return undefined;
  const mebibytes = Math.round(leftBytes / 1024 / 1024);
  return `${path}-wal has ${mebibytes} MiB that cannot be folded into the database, because some process still reads an older state of it: find and end it (an export or backup that hangs, a sqlite3 shell).`;
}
