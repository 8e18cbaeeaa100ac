/** Group commit: the deletes that arrive together share one transaction, and so one sync to the disk. */
import type Database from 'better-sqlite3';
import type { Store } from '../store.ts';
import type { Db } from '../tables.ts';
import type { FileWatch } from './watch.ts';

interface WaitingStatement {
  statement(db: Db): unknown;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * Returns `change` of a store, which commits the statements of one turn of the event loop together, and those that arrive
 * while `write` waits for a lock. One failure fails them all. A statement waits for a lock at most twice.
 */
export function groupCommit(
  connection: Database.Database,
  db: Db,
  { assertKept }: FileWatch,
  write: Store['write'],
  /** Called after a commit that `write` did not make. */
  onCommit: () => void,
): Store['change'] {
  let waiting: WaitingStatement[] = [];
  let isWriting = false;

  const runAll = (on: Db, batch: readonly WaitingStatement[]) => batch.map(({ statement }) => statement(on));
  const transaction = connection.transaction(runAll);

  /** Commits without waiting; returns undefined if that failed, and then nothing changed. */
  function commitNow(batch: readonly WaitingStatement[]): unknown[] | undefined {
    // In an open transaction the statements would become part of it.
    if (connection.inTransaction) return undefined;
    try {
      // A single statement commits by itself, which costs less.
      return batch.length === 1 ? runAll(db, batch) : transaction.immediate(db, batch);
    } catch {
      return undefined;
    }
  }

  async function commit(batch: readonly WaitingStatement[]): Promise<unknown[]> {
    const results = commitNow(batch);
    // `write` waits for the lock, or reports what is wrong.
    if (!results) return write(async (tx) => runAll(tx, batch));
    onCommit();
    assertKept();
    return results;
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const results = await commit(batch);
        for (const [place, { resolve }] of batch.entries()) resolve(results[place] as never);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  return (statement) =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // setImmediate runs after all requests of this turn have been read.
      setImmediate(run);
    });
}
