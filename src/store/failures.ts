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

/* Turns the error codes of a database driver into sentences for people; each engine has its own list of them. */

/** Codes, the error that they become, and its sentence about {database} and {code}. No sentence shows SQL. */
export type CodeSentence = readonly [codes: RegExp, name: ErrorName, sentence: string];

export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The AppError for a driver's error; returns an error without a sentence unchanged. */
export function translated(error: unknown, database: string, sentences: readonly CodeSentence[]): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const match = sentences.find(([codes]) => codes.test(code));
  if (!match) return error;
  const [, name, sentence] = match;
  const coded = sentence.replace('{code}', code || 'it does not answer');
  // A replacement that is a text could contain "$&".
  return new AppError(
    name,
    coded.replace('{database}', () => database),
    { cause: error },
  );
}
