/**
 * The two reads that nearly every request needs, by statements that are prepared once: the revisions, almost for free when
 * nothing has changed, and one item.
 */
import type Database from 'better-sqlite3';
import type { ItemQuery } from '../listings.ts';
import type { Db } from '../tables.ts';
import { asAppError } from './errors.ts';
import { type FileWatch, lostFile } from './watch.ts';

interface OpenFile {
  writing: Database.Database;
  reading: Database.Database;
  /** Over the reading connection. */
  reader: Db;
  path: string;
  watch: FileWatch;
}

export function preparedReads({ writing, reading, reader, path, watch }: OpenFile) {
  const dataVersion = writing.prepare<[], bigint>('PRAGMA data_version').pluck();
  const select = 'SELECT revision FROM revisions WHERE scope = ?';
  const revision = writing.prepare<[string], bigint>(select).pluck();
  const revisionBeside = reading.prepare<[string], bigint>(select).pluck();
  const known = new Map<string, bigint>();
  let knownAt: bigint | undefined;
  let isShared = false;
  let hasLooked = false;
  const begin = reading.prepare('BEGIN');
  const commit = reading.prepare('COMMIT');
  /** Whether the items of this poll are read in one transaction, which is open. */
  let isOpen = false;
  const items = new Map<ItemQuery, Database.Statement<bigint[], string | null>>();

  /** The revisions of all scopes since the last look, if they still count. A transaction under way changes none of it. */
  function remembered(scopes: readonly string[]): bigint[] | undefined {
    if (!isShared || !hasLooked) return undefined;
    const revisions: bigint[] = [];
    for (const scope of scopes) {
      const current = known.get(scope);
      if (current === undefined) return undefined;
      revisions.push(current);
    }
    return revisions;
  }

  /** Ends the shared transaction: the next read sees everything that is committed by then. */
  function endTransaction(): void {
    if (!isOpen) return;
    isOpen = false;
    // SQLite ends it by itself after some errors.
    if (reading.inTransaction) commit.run();
  }

  function readHere(scopes: readonly string[]): bigint[] {
    // Otherwise a later row could be older than its revision.
    endTransaction();
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
    /**
     * Remembers revisions until `PRAGMA data_version` shows another connection's commit (sqlite.org/pragma.html). It reads on
     * the writing connection, whose cache holds the pages that it wrote.
     */
    revisions: (scopes: readonly string[]): bigint[] => {
      if (watch.isLost) throw lostFile(path);
      const current = remembered(scopes);
      if (current) return current;
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
    /** Call this after a commit of this process, which data_version does not show. */
    forget: (): void => {
      known.clear();
      endTransaction();
    },
    /** Call this before what no reader may hold up. */
    endTransaction,
    /**
     * Until the event loop has polled, looks at data_version once for all reads, and reads all items in one transaction: the lock
     * that each takes by itself costs as much as its row. Call it only while the loop polls: a request
     * whose bytes arrived in this poll was sent before the poll began, and so before the look; what was committed after the look
     * was not acknowledged to anybody when the request was sent.
     */
    share: (): void => {
      if (isShared) return;
      isShared = true;
      hasLooked = false;
      setImmediate(() => {
        isShared = false;
        endTransaction();
      });
    },
    item: (item: ItemQuery, ids: readonly bigint[]): string | undefined => {
      if (watch.isLost) throw lostFile(path);
      try {
        let statement = items.get(item);
        if (!statement) {
          statement = reading.prepare<bigint[], string | null>(item.compile(reader).sql).pluck();
          items.set(item, statement);
        }
        if (isShared && !isOpen) {
          begin.run();
          isOpen = true;
        }
        return statement.get(...ids) ?? undefined;
      } catch (error) {
        throw asAppError(error, path);
      }
    },
  };
}
