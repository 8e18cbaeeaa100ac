/** Runs a read for each message, on a connection of its own, so that no request waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CompiledQuery } from 'kysely';
import { codeOf } from '../errors.ts';
import { openSqlite } from './connection.ts';

export type LongReadResult = { rows: unknown[] } | { message: string; code: string };

const connection = openSqlite(workerData as string, 'read');

function read({ sql, parameters }: CompiledQuery): LongReadResult {
  try {
    return { rows: connection.prepare(sql).all(...parameters) };
  } catch (error) {
    return { message: (error as Error).message, code: codeOf(error) };
  }
}

parentPort?.on('message', (query) => parentPort?.postMessage(read(query)));
