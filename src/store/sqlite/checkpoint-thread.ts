/** Runs a checkpoint (sqlite.org/wal.html#ckpt) for each message, so that no request waits for its syncs. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { codeOf } from '../errors.ts';
import { maxWalBytes } from './connection.ts';

export interface CheckpointResult {
  /** Bytes of the log that a reader of an older state still needs, so that no checkpoint can free them. */
  remainingBytes: number;
  fault?: string;
}

/** `log` and `checkpointed` count pages. */
type CheckpointRow = { busy: number; log: number; checkpointed: number };

// A checkpoint never waits for a reader or a writer, because another one follows soon.
const connection = new Database(workerData as string, { timeout: 0, fileMustExist: true });
const pageSize = Number(connection.pragma('page_size', { simple: true }));

function checkpoint(): CheckpointResult {
  try {
    const [{ log, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [CheckpointRow];
    if (log === checkpointed && log * pageSize > maxWalBytes) connection.pragma('wal_checkpoint(TRUNCATE)');
    return { remainingBytes: (log - checkpointed) * pageSize };
  } catch (error) {
    return { remainingBytes: 0, fault: codeOf(error) };
  }
}

parentPort?.on('message', () => parentPort?.postMessage(checkpoint()));
