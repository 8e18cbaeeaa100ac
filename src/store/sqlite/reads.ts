/** Reading a database file: without changing it, by prepared statements, and in a thread. */

import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Database from 'better-sqlite3';
import { type CompiledQuery, type QueryResult, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { codeOf } from '../errors.ts';
import type { ItemQuery } from '../listings.ts';
import { assertNewest, isOlder, schemaVersion } from '../migrate.ts';
import type { ReadableStore } from '../store.ts';
import type { Db } from '../tables.ts';
import { openSqlite } from './connection.ts';
import { databaseOver, kyselyOver } from './dialect.ts';
import { asAppError } from './errors.ts';
import { type FileWatch, lostFile, refuseNetwork } from './files.ts';
import type { LongReadResult } from './long-read-thread.ts';

export async function openFileToRead(path: string, isOlderAllowed: boolean): Promise<ReadableStore> {
  refuseNetwork(path);
  if (!existsSync(path)) throw noSuchFile(path);
  const { file, db, copyPages, close } = openReadable(path);
  try {
    const version = await schemaVersion(db);
    const isCopied = isOlderAllowed && isOlder(version);
    if (!isCopied) assertNewest(path, version, ', which makes a backup first');
    return {
      reader: db,
      name: path,
      snapshot: (work) => snapshotOf(file, work),
      copyPages: isCopied ? copyPages : undefined,
      close: async () => close(),
    };
  } catch (error) {
    close();
    throw error;
  }
}

export async function versionOfFile(path: string): Promise<number> {
  const { db, close } = openReadable(path);
  try {
    return await schemaVersion(db);
  } finally {
    close();
  }
}

export async function snapshotOf<T>(path: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = openToInspect(path);
  try {
    return await db.connection().execute(async (one) => {
      await sql`BEGIN`.execute(one);
      return work(one);
    });
  } finally {
    close();
  }
}

export function noSuchFile(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `There is no database at ${path}; garden serve or garden import creates one, or set another one in DATABASE_URL.`,
  );
}

type ReadableFile = ReturnType<typeof openToInspect>;

function openToInspect(file: string) {
  const connection = openSqlite(file, 'inspect');
  const close = (): void => void connection.close();
  const copyPages = (to: string) => connection.backup(to);
  return { file, db: kyselyOver(connection, file), copyPages, close };
}

/** Opens a temporary copy if SQLite may not put files beside the original. */
function openReadable(path: string): ReadableFile {
  try {
    return openToInspect(path);
  } catch (error) {
    const { cause } = error as Error;
    if (!/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(codeOf(cause))) throw error;
    return openCopy(path, error);
  }
}

function openCopy(path: string, reason: unknown): ReadableFile {
  const folder = mkdtempSync(join(tmpdir(), 'garden-'));
  const release = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, 'garden.db');
  try {
    for (const end of ['', '-wal']) {
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    const inspected = openToInspect(copy);
    const close = () => {
      inspected.close();
      release();
    };
    return { ...inspected, close };
  } catch (error) {
    release();
    if (error instanceof AppError) throw error;
    if (codeOf(error) !== 'ENOSPC') throw reason;
    const sentence = `${path} is read from a copy, for which ${folder} has no room; name another place in TMPDIR.`;
    throw new AppError('databaseFull', sentence, { cause: error });
  }
}

/* The two reads that nearly every request needs: revisions, almost free when nothing has changed, and one item. */

interface OpenFile {
  writing: Database.Database;
  reading: Database.Database;
  reader: Db;
  path: string;
  watch: FileWatch;
}

const selectRevision = 'SELECT revision FROM revisions WHERE scope = ?';

function revisionCache(writing: Database.Database) {
  const dataVersion = writing.prepare<[], bigint>('PRAGMA data_version').pluck();
  const revision = writing.prepare<[string], bigint>(selectRevision).pluck();
  const cache = new Map<string, bigint>();
  let cachedVersion: bigint | undefined;
  let isVersionRead = false;

  /** Undefined unless data_version was read since `expire`. */
  function lookUp(scopes: readonly string[]): bigint[] | undefined {
    if (!isVersionRead) return undefined;
    const revisions: bigint[] = [];
    for (const scope of scopes) {
      const current = cache.get(scope);
      if (current === undefined) return undefined;
      revisions.push(current);
    }
    return revisions;
  }

  function read(scopes: readonly string[], isShared: boolean): bigint[] {
    if (!isShared || !isVersionRead) {
      const version = dataVersion.get();
      if (version !== cachedVersion) cache.clear();
      cachedVersion = version;
      isVersionRead = true;
    }
    return scopes.map((scope) => {
      const current = cache.get(scope) ?? revision.get(scope) ?? 0n;
      cache.set(scope, current);
      return current;
    });
  }

  return {
    lookUp,
    read,
    expire: () => {
      isVersionRead = false;
    },
    clear: () => cache.clear(),
  };
}

function itemReads(reading: Database.Database, reader: Db) {
  const begin = reading.prepare('BEGIN');
  const commit = reading.prepare('COMMIT');
  let isOpen = false;
  const items = new Map<unknown, (ids: unknown) => string | null | undefined>();

  function beginTransaction(): void {
    if (isOpen) return;
    begin.run();
    isOpen = true;
  }

  function endTransaction(): void {
    if (!isOpen) return;
    isOpen = false;
    if (reading.inTransaction) commit.run();
  }

  function readItem<Ids>(item: ItemQuery<Ids>, ids: Ids): string | undefined {
    let prepared = items.get(item);
    if (!prepared) {
      const { query, bind } = item(reader, ids);
      const statement = reading.prepare<unknown[], string | null>(query.sql).pluck();
      prepared = (values) => statement.get(...bind(values as Ids));
      items.set(item, prepared);
    }
    return prepared(ids) ?? undefined;
  }

  return { readItem, beginTransaction, endTransaction };
}

export function preparedReads({ writing, reading, reader, path, watch }: OpenFile) {
  const revisionOnReader = reading.prepare<[string], bigint>(selectRevision).pluck();
  let isShared = false;
  const { readItem, beginTransaction, endTransaction } = itemReads(reading, reader);
  const cache = revisionCache(writing);
  const beforeRead = () => {
    if (isShared) beginTransaction();
  };

  return {
    /** Reads on the writing connection, whose cache holds the pages that it wrote. */
    revisions: (scopes: readonly string[]): bigint[] => {
      if (watch.isLost) throw lostFile(path);
      const current = isShared ? cache.lookUp(scopes) : undefined;
      if (current) return current;
      try {
        // During a transaction the writing connection would show rows that are not committed.
        if (!writing.inTransaction) {
          // Otherwise a later row could be older than its revision.
          endTransaction();
          return cache.read(scopes, isShared);
        }
      } catch {
        // The writing connection never waits for a lock; the reading one does.
      }
      try {
        return scopes.map((scope) => revisionOnReader.get(scope) ?? 0n);
      } catch (error) {
        throw asAppError(error, path);
      }
    },
    /** Must be called after a commit of this process, which data_version does not show (sqlite.org/pragma.html). */
    onCommit: (): void => {
      cache.clear();
      endTransaction();
    },
    endTransaction,
    /** Must be called before each statement of the reader. */
    beforeRead,
    /**
     * Until the event loop has polled, reads share one check of data_version and one transaction, whose lock costs as much as a
     * row. Call it only while the loop polls: a request whose bytes arrived in this poll was sent before the check, and a commit
     * after the check was not yet acknowledged to anybody.
     */
    startPoll: (): void => {
      if (isShared) return;
      isShared = true;
      cache.expire();
      setImmediate(() => {
        isShared = false;
        endTransaction();
      });
    },
    item: <Ids>(item: ItemQuery<Ids>, ids: Ids): string | undefined => {
      if (watch.isLost) throw lostFile(path);
      try {
        beforeRead();
        return readItem(item, ids);
      } catch (error) {
        throw asAppError(error, path);
      }
    },
  };
}

/* Long reads run in a thread, one after another: SQLite would block all requests meanwhile. */

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
