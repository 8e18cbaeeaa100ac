/** Reads revisions from a database file, almost for free when nothing has changed. */
import type Database from 'better-sqlite3';
import { asAppError } from './errors.ts';

export interface RevisionReader {
  read(scopes: readonly string[]): bigint[];
  /** Discards what is remembered. Call it after a commit on this connection, which data_version does not show. */
  forget(): void;
  /** Looks at data_version once for all reads until the event loop has polled. Call it only while the loop polls. */
  share(): void;
}

/**
 * Reads revisions and remembers them until another connection, of any process, commits. `PRAGMA data_version` shows such a
 * commit and costs less than a query (sqlite.org/pragma.html#pragma_data_version).
 */
export function revisionReader(connection: Database.Database, path: string): RevisionReader {
  const dataVersion = connection.prepare<[], bigint>('PRAGMA data_version').pluck();
  const revision = connection
    .prepare<[string], bigint>('SELECT revision FROM revisions WHERE scope = ?')
    .pluck();
  const known = new Map<string, bigint>();
  let knownAt: bigint | undefined;
  let isShared = false;
  let hasLooked = false;
  const look = () => {
    const version = dataVersion.get();
    if (version !== knownAt) known.clear();
    knownAt = version;
    hasLooked = true;
  };
  return {
    read: (scopes) => {
      try {
        if (!isShared || !hasLooked) look();
        return scopes.map((scope) => {
          const current = known.get(scope) ?? revision.get(scope) ?? 0n;
          known.set(scope, current);
          return current;
        });
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

/**
 * Reads revisions on the writing connection, because its cache still holds the pages it wrote, which the reading connection
 * would fetch from the file. During a transaction it would see uncommitted rows, and it never waits for a lock: then the
 * reading connection answers.
 */
export function revisionsOver(
  writing: Database.Database,
  reading: Database.Database,
  path: string,
): RevisionReader {
  const here = revisionReader(writing, path);
  const beside = revisionReader(reading, path);
  return {
    read: (scopes) => {
      if (writing.inTransaction) return beside.read(scopes);
      try {
        return here.read(scopes);
      } catch {
        return beside.read(scopes);
      }
    },
    forget: here.forget,
    share: here.share,
  };
}
