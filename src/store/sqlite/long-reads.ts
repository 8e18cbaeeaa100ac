/** Reads that may look at a whole table run in a thread, one after another: SQLite would hold up all requests meanwhile. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { databaseOver } from './dialect.ts';
import { asAppError } from './errors.ts';
import type { LongReadResult } from './long-read-thread.ts';
import { type FileWatch, lostFile } from './watch.ts';

export function longReads(path: string, watch: FileWatch) {
  let thread: Worker | undefined;

  async function run<R>({ sql, parameters }: CompiledQuery<R>): Promise<QueryResult<R>> {
    if (watch.isLost) throw lostFile(path);
    thread ??= new Worker(new URL('./long-read-thread.ts', import.meta.url), { workerData: path });
    thread.unref();
    let result: LongReadResult;
    try {
      thread.postMessage({ sql, parameters });
      [result] = await once(thread, 'message');
    } catch (error) {
      // The error ended the thread; the next read starts another.
      thread = undefined;
      throw error;
    }
    if ('rows' in result) return { rows: result.rows as R[] };
    throw asAppError(Object.assign(new Error(result.message), { code: result.code }), path);
  }

  return {
    reader: databaseOver(run),
    end: async () => {
      await thread?.terminate();
    },
  };
}
