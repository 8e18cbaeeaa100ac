/** Whether a database takes writes. The last write answers this; only after a failed one is another write tried. */
import { AppError, type ErrorName } from '../errors.ts';

export interface Writability {
  /** Returns the outcome of a write and remembers it. */
  noting<T>(work: Promise<T>): Promise<T>;
  /** The reason why writes fail; undefined while they succeed. After a failure, `tryNow` tries one more write. */
  failure(tryNow: () => Promise<unknown>): Promise<ErrorName | undefined>;
}

/** Failures that last until an operator acts. A lock or a lost connection says nothing about the next write. */
const lasting: ReadonlySet<ErrorName> = new Set(['databaseFull', 'databaseReadOnly']);

export function writability(): Writability {
  let failed: ErrorName | undefined;

  async function noting<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      failed = undefined;
      return result;
    } catch (error) {
      if (error instanceof AppError && lasting.has(error.code)) failed = error.code;
      throw error;
    }
  }

  return {
    noting,
    failure: async (tryNow) => {
      // A load balancer sends an unready server no requests, so no other write would show the recovery.
      if (failed !== undefined) await noting(tryNow()).catch(() => {});
      return failed;
    },
  };
}
