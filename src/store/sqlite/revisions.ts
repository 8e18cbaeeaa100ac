/** Reads revisions from a database file, almost for free when nothing has changed. */
import type Database from 'better-sqlite3';
import { asAppError } from './errors.ts';

export interface RevisionReader {
  read(scopes: readonly string[]): bigint[];
  /** Call this after a commit of this process, which data_version does not show. */
  forget(): void;
  /** Looks at data_version once for all reads until the event loop has polled. Call it only while the loop polls. */
  share(): void;
}

/**
 * Remembers revisions until `PRAGMA data_version` shows another connection's commit (sqlite.org/pragma.html). It reads on the
 * writing connection, whose cache holds the pages that it wrote.
 */
export function revisionReader(
  writing: Database.Database,
  reading: Database.Database,
  path: string,
): RevisionReader {
  const dataVersion = writing.prepare<[], bigint>('PRAGMA data_version').pluck();
  const select = 'SELECT revision FROM revisions WHERE scope = ?';
  const revision = writing.prepare<[string], bigint>(select).pluck();
  const revisionBeside = reading.prepare<[string], bigint>(select).pluck();
  const known = new Map<string, bigint>();
  let knownAt: bigint | undefined;
  let isShared = false;
  let hasLooked = false;

  function readHere(scopes: readonly string[]): bigint[] {
    if (!isShared || !hasLooked) {
      const version = dataVersion.get();
      if (version !== knownAt) known.clear();
      knownAt = version;
      hasLooked = true;
    }
    return scopes.map((scope) => {
      const current = known.get(scope) ?? revision.get(scope) ?? 0n;
      known.set(scope, current);
      return current;
    });
  }

  return {
    read: (scopes) => {
      try {
        // During a transaction the writing connection would show rows that are not committed.
        if (!writing.inTransaction) return readHere(scopes);
      } catch {
        // The writing connection never waits for a lock; the reading one does.
      }
      try {
        return scopes.map((scope) => revisionBeside.get(scope) ?? 0n);
      } catch (error) {
        throw asAppError(error, path);
      }
    },
    forget: () => known.clear(),
    // A request whose bytes arrived in this poll was sent before the poll began, and so before the look: what was committed
    // after the look was not acknowledged to anybody when the request was sent.
    share: () => {
      if (isShared) return;
      isShared = true;
      hasLooked = false;
      setImmediate(() => {
        isShared = false;
      });
    },
  };
}
