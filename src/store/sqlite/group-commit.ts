/** Group commit: works of many at once in one transaction, so that they share its sync to the disk. */
import type { Db } from '../tables.ts';

export type Write = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** Runs one statement outside any transaction; undefined where that cannot be now, and then nothing was done. */
type RunAtOnce = <T>(statement: (db: Db) => T) => T | Promise<never> | undefined;

interface Gathered {
  work(tx: Db): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

export interface GroupCommit {
  /**
   * Writes like `write`, but works that are asked for in one turn of the event loop, or while others are being written, are
   * written together: all of them, or none. So it is for works that fail only where the store itself does. However many wait
   * for another process's lock, none waits for longer than two of them would.
   */
  writeBeside: Write;
  /** The same for a single statement; one that comes alone is committed by itself, which costs less. */
  change<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
}

export function groupCommit(write: Write, runAtOnce: RunAtOnce): GroupCommit {
  let gathered: Gathered[] = [];
  let isWriting = false;
  const isAlone = watchTurns();
  const run = async () => {
    while (gathered.length > 0) {
      const batch = gathered;
      gathered = [];
      await writeAll(write, batch);
    }
    isWriting = false;
  };
  const writeBeside: Write = (work) =>
    new Promise((resolve, reject) => {
      gathered.push({ work, resolve: resolve as Gathered['resolve'], reject });
      if (isWriting) return;
      isWriting = true;
      // At the end of this turn, when every request that came in it has been read.
      setImmediate(run);
    });
  return {
    writeBeside,
    change: async (statement) => {
      const done = isAlone() && !isWriting ? runAtOnce(statement) : undefined;
      return done ?? writeBeside(async (tx) => statement(tx));
    },
  };
}

/** Answers whether a call is the first in its turn of the event loop, and the turn of the call before had no other. */
function watchTurns(): () => boolean {
  let turn = -1;
  let calls = 0;
  let callsBefore = 0;
  return () => {
    // By Node's own count: a callback at the end of each turn would cost a system call.
    const { loopCount } = performance.nodeTiming.uvMetricsInfo;
    if (loopCount !== turn) {
      turn = loopCount;
      callsBefore = calls;
      calls = 0;
    }
    calls++;
    return calls === 1 && callsBefore <= 1;
  };
}

async function writeAll(write: Write, batch: readonly Gathered[]): Promise<void> {
  try {
    const results = await write(async (tx) => {
      const done: unknown[] = [];
      for (const { work } of batch) done.push(await work(tx));
      return done;
    });
    for (const [place, { resolve }] of batch.entries()) resolve(results[place] as never);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
