/** Group commit: writes of several requests share one transaction, and so one sync to the disk. */
import type { Db } from '../tables.ts';

export type Write = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

/** Runs one statement with autocommit; returns undefined when it could not run, and then nothing changed. */
type Autocommit = <T>(statement: (db: Db) => T) => T | Promise<never> | undefined;

interface Gathered {
  work(tx: Db): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

export interface GroupCommit {
  /**
   * Writes like `write`, but joins the writes of one turn of the event loop, and those that arrive during a commit, into one
   * transaction. One failure rolls back all of them, so this is for work that fails only when the store itself fails. A
   * write waits for another process's lock at most twice: for the running commit and for its own.
   */
  writeBeside: Write;
  /** The same for a single statement; a statement without company runs with autocommit, which costs less. */
  change<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
}

export function groupCommit(write: Write, autocommit: Autocommit): GroupCommit {
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
      // setImmediate runs after all requests of this turn have been read.
      setImmediate(run);
    });
  return {
    writeBeside,
    change: async (statement) => {
      const done = isAlone() && !isWriting ? autocommit(statement) : undefined;
      return done ?? writeBeside(async (tx) => statement(tx));
    },
  };
}

/**
 * Returns a function that says whether its call is the only one so far in this turn and was so in the last turn that had
 * one.
 */
function watchTurns(): () => boolean {
  let turn = -1;
  let calls = 0;
  let callsBefore = 0;
  return () => {
    // Node counts the turns itself; a callback at the end of each turn would cost a system call.
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
