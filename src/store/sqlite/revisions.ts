/** Reads how often rows changed from a database file, for next to nothing where nothing did. */
import type Database from 'better-sqlite3';
import { asAppError } from './errors.ts';

export interface RevisionReader {
  read(scopes: readonly string[]): bigint[];
  /** To be called when this very connection committed something. */
  forget(): void;
}

/**
 * Reads revisions without waiting. Most of the time nothing was committed since the last call by other connections, of
 * whatever process, which SQLite tells for less than a query costs (sqlite.org/pragma.html#pragma_data_version).
 */
export function revisionReader(connection: Database.Database, path: string): RevisionReader {
  const dataVersion = connection.prepare<[], bigint>('PRAGMA data_version').pluck();
  const revision = connection
    .prepare<[string], bigint>('SELECT revision FROM revisions WHERE scope = ?')
    .pluck();
  const known = new Map<string, bigint>();
  let knownAt: bigint | undefined;
  return {
    read: (scopes) => {
      try {
        const version = dataVersion.get();
        if (version !== knownAt) known.clear();
        knownAt = version;
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
  };
}

/**
 * Reads revisions by the connection that writes, which still has in its cache what it wrote, while the other one reads the
 * file again. But in its transaction it sees what may never be committed, and it never waits.
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
  };
}
