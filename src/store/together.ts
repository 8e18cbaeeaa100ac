/** Works of many at once in one transaction, so that they share its sync to the disk. */
import type { Db } from './tables.ts';

export type Write = <T>(work: (tx: Db) => Promise<T>) => Promise<T>;

interface Gathered {
  work(tx: Db): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * Writes like `write`, but what asks at once, or while what asked before is being written, is written together: all of it,
 * or none. So it is for works that fail only where the store itself does. However many wait for somebody else's lock, none
 * waits for longer than two of them would.
 */
export function together(write: Write): Write {
  let gathered: Gathered[] = [];
  let isWriting = false;
  const run = async () => {
    while (gathered.length > 0) {
      const batch = gathered;
      gathered = [];
      await writeAll(write, batch);
    }
    isWriting = false;
  };
  return (work) =>
    new Promise((resolve, reject) => {
      gathered.push({ work, resolve: resolve as Gathered['resolve'], reject });
      if (isWriting) return;
      isWriting = true;
      queueMicrotask(run);
    });
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
