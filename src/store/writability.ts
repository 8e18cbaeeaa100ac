/** Whether a database takes writes: remembered from the writes that there are, and tried again only after one failed. */
import { AppError, type ErrorName } from '../errors.ts';

export interface Writability {
  /** Passes the outcome of a write on, and remembers it. */
  noting<T>(work: Promise<T>): Promise<T>;
  /** Why writes fail; undefined where they do not. After a failure `tryNow` writes something, to see whether it still does. */
  failure(tryNow: () => Promise<unknown>): Promise<ErrorName | undefined>;
}

/** What stays wrong until somebody mends it; a lock or a lost connection says nothing of the next write. */
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
      // An unready server may get no requests, so that no other write would tell of the mend.
      if (failed !== undefined) await noting(tryNow()).catch(() => {});
      return failed;
    },
  };
}
