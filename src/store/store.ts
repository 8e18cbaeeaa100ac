/** The interface of a store on either engine, its options, and the failures of its writes. */

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, type ErrorName } from '../errors.ts';
import type { ItemQuery } from './listings.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db } from './tables.ts';

export interface ReadableStore {
  /** Never waits for a writer. */
  reader: Db;
  name: string;
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Of a file with an older schema alone, whose rows this program cannot read. */
  copyPages?: ((to: string) => Promise<unknown>) | undefined;
  close(): Promise<void>;
}

export interface Store extends ReadableStore {
  /** For reads that may look at a whole table; one that waits for its turn can be aborted. */
  longReader: Db;
  /** Differs between all databases ever created; every entity tag contains it. */
  instance: string;
  identity?: string | undefined;
  /** In the order of the scopes; a scope that has never changed has 0. */
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> | readonly bigint[];
  /** Called when requests arrive: until the event loop has polled, their reads may share a revision check and a transaction. */
  startPoll?(): void;
  readItem<Ids>(item: ItemQuery<Ids>, ids: Ids): Promise<string | undefined> | string | undefined;
  /** Runs in a durable transaction, perhaps more than once. Writers take turns, so what the work read stays as it is. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Does not wait for other writers: for short work that is correct whatever others write. */
  writeConcurrently<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Runs one durable statement without waiting for other writers, and bumps no revision. */
  runChange<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
  /** Absent for a file. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** The lasting reason why writes fail, such as a full disk; undefined while they succeed. */
  writeFailure(): Promise<ErrorName | undefined>;
  /** Truncates the write-ahead log; answers whether it could. Absent for a database server. */
  checkpoint?(): boolean;
  /** Bounds every wait for another process's lock; absent for a database server. */
  limitLockWaits?(ms: number): void;
}

/** Opens a transaction on a store; given a transaction, the work is part of that. */
export function inTransaction<A extends unknown[], R>(work: (tx: Db, ...rest: A) => Promise<R>) {
  return (storeOrTx: Db | Pick<Store, 'write'>, ...rest: A): Promise<R> =>
    'write' in storeOrTx ? storeOrTx.write((tx) => work(tx, ...rest)) : work(storeOrTx, ...rest);
}

/** Returns a refusal that the work throws, and rolls back what the work wrote, but not what the transaction wrote before. */
export async function inSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T | AppError> {
  await sql`SAVEPOINT work`.execute(tx);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await sql`ROLLBACK TO SAVEPOINT work`.execute(tx);
    return error;
  }
}

export type Notify = (level: 'info' | 'warn', sentence: string) => void;

export interface OpenOptions {
  create: boolean;
  identity?: string | undefined;
  lockTimeoutMs: number;
  /** Limits one statement on a database server; ten minutes by default. */
  statementTimeoutMs?: number;
  poolSize?: number;
  notify?: Notify;
  /** Gives the connection a larger cache. */
  writesMuch?: boolean;
  /** Runs the integrity check first, unless the file is too large for that. */
  checksIntegrity?: boolean;
  /** Migrates a database on a server that has no tables at all. */
  migratesEmpty?: boolean;
  /** Before the schema of a file is updated. */
  beforeUpgrade?(): Promise<void>;
}

/* Whether a database takes writes. */

/** A lock or a lost connection says nothing about the next write. */
const lastingFailures: ReadonlySet<ErrorName> = new Set(['databaseFull', 'databaseReadOnly']);
/** More than any delete writes. */
const probeBytes = 64 * 1024;

export function trackFailures(attempt: Store['write']): Pick<Store, 'write' | 'writeFailure'> {
  let failure: ErrorName | undefined;

  const write: Store['write'] = async (work) => {
    try {
      const result = await attempt(work);
      failure = undefined;
      return result;
    } catch (error) {
      if (error instanceof AppError && lastingFailures.has(error.code)) failure = error.code;
      throw error;
    }
  };

  async function probeWrite(): Promise<void> {
    const name = `tried ${randomUUID()}`;
    const value = ' '.repeat(probeBytes);
    await write((tx) => tx.insertInto('settings').values({ name, value }).execute());
    await write((tx) => tx.deleteFrom('settings').where('name', '=', name).execute());
  }

  return {
    write,
    writeFailure: async () => {
      // A load balancer sends an unready server no requests, so no other write would show the recovery.
      if (failure !== undefined) await probeWrite().catch(() => {});
      return failure;
    },
  };
}
