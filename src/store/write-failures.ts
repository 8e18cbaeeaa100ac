/** Whether a database takes writes. The last write answers this; only after a failed one is another write tried. */
import { randomUUID } from 'node:crypto';
import { AppError, type ErrorName } from '../errors.ts';
import type { Store } from './store.ts';

/** Failures that last until an operator acts. A lock or a lost connection says nothing about the next write. */
const lasting: ReadonlySet<ErrorName> = new Set(['databaseFull', 'databaseReadOnly']);
/** A delete writes less than this, so a database with room for this much has room for it. */
const triedBytes = 64 * 1024;

export function noteFailures(attempt: Store['write']): Pick<Store, 'write' | 'writeFailure'> {
  let failed: ErrorName | undefined;

  const write: Store['write'] = async (work) => {
    try {
      const result = await attempt(work);
      failed = undefined;
      return result;
    } catch (error) {
      if (error instanceof AppError && lasting.has(error.code)) failed = error.code;
      throw error;
    }
  };

  /** Writes a setting that no code reads and deletes it again. */
  async function tryWrite(): Promise<void> {
    const name = `tried ${randomUUID()}`;
    const value = ' '.repeat(triedBytes);
    await write((tx) => tx.insertInto('settings').values({ name, value }).execute());
    await write((tx) => tx.deleteFrom('settings').where('name', '=', name).execute());
  }

  return {
    write,
    writeFailure: async () => {
      // A load balancer sends an unready server no requests, so no other write would show the recovery.
      if (failed !== undefined) await tryWrite().catch(() => {});
      return failed;
    },
  };
}
