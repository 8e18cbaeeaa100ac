/** A thread of its own that folds the log into the file when it is told to: syncing takes its time, and no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

export interface FoldingPlace {
  path: string;
  /** A log larger than this is cut off once all of it is folded; a smaller one is written over, which is faster. */
  keptBytes: number;
}

export interface Folded {
  /** Of the log, that could not be folded: somebody still reads an older state. */
  leftBytes: number;
  /** What kept it from trying, such as a full disk. */
  fault?: string;
}

type Outcome = { busy: number; log: number; checkpointed: number };

const { path, keptBytes } = workerData as FoldingPlace;
// Never waits for a reader or a writer: there is a next time.
const connection = new Database(path, { timeout: 0, fileMustExist: true });
const pageSize = Number(connection.pragma('page_size', { simple: true }));

function fold(): Folded {
  try {
    const [{ log, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [Outcome];
    if (log === checkpointed && log * pageSize > keptBytes) connection.pragma('wal_checkpoint(TRUNCATE)');
    return { leftBytes: (log - checkpointed) * pageSize };
  } catch (error) {
    return { leftBytes: 0, fault: String((error as { code?: unknown }).code) };
  }
}

parentPort?.on('message', (told: 'fold' | 'end') => {
  if (told === 'fold') {
    parentPort?.postMessage(fold());
    return;
  }
  connection.close();
  parentPort?.close();
});
