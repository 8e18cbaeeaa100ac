/** The interface of a store, the same for both engines, the options for opening one, and the failures of its writes. */

import { randomUUID } from 'node:crypto';
import { AppError, type ErrorName } from '../errors.ts';
import type { ItemQuery } from './listings.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db } from './tables.ts';

export interface ReadableStore {
  /** The handle for reads, which never wait for a writer. */
  reader: Db;
  name: string;
  /** Runs reads on one state of the database, whatever is written meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Store extends ReadableStore {
  /** The handle for reads that may look at a whole table. One that is still waiting for its turn can be given up. */
  longReader: Db;
  /** The name of this database, different for every database ever created; every entity tag contains it. */
  instance: string;
  /** Device and inode of the file that was opened to be served or changed. */
  identity?: string | undefined;
  /** The current revisions of these scopes, in the same order; a scope that has never changed has 0. */
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> | readonly bigint[];
  /** Called when requests arrive: until the event loop has polled, their reads may share a look and a transaction. */
  polled?(): void;
  /** The JSON of the row that has these ids; undefined if there is none. */
  readItem<Ids>(item: ItemQuery<Ids>, ids: Ids): Promise<string | undefined> | string | undefined;
  /** Runs the work in a durable transaction, perhaps more than once. Writers take turns, so what it read stays as it is. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** The same without a turn, for short work that is correct whatever others write. SQLite groups it (group commit). */
  writeBeside<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Runs one durable statement, without a turn. It bumps no revision. */
  change<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
  /** Absent for a file. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** The lasting reason why writes fail, such as a full disk; undefined while they succeed. */
  writeFailure(): Promise<ErrorName | undefined>;
  /** Copies the write-ahead log into the file and cuts it off; answers whether it could. Absent for a database server. */
  checkpoint?(): boolean;
  /** Limits every wait for other processes' locks to this long from now; absent for a database server. */
  hurry?(ms: number): void;
}

/**
 * Makes a function that writes run in one transaction. Given a store it opens a durable one, perhaps more than once; given a
 * transaction it is part of that.
 */
export function inTransaction<A extends unknown[], R>(work: (tx: Db, ...rest: A) => Promise<R>) {
  return (to: Db | Pick<Store, 'write'>, ...rest: A): Promise<R> =>
    'write' in to ? to.write((tx) => work(tx, ...rest)) : work(to, ...rest);
}

export type Notify = (level: 'info' | 'warn', sentence: string) => void;

export interface OpenOptions {
  create: boolean;
  /** The device and inode that the file must have; another file is refused. */
  identity?: string | undefined;
  /** How long a write waits for another's lock. */
  lockTimeoutMs: number;
  /** How long a database server may take for one statement; ten minutes by default. */
  statementTimeoutMs?: number;
  poolSize?: number;
  /** Called when the file is lost, and when it is back. */
  notify?: Notify;
  /** Whether much is written, as by an import: then the connection that writes keeps more of the file in memory. */
  writesMuch?: boolean;
  /** Whether to run the integrity check first, unless the file is too large for that. */
  checks?: boolean;
  /** Whether to migrate a database on a server that has no tables at all. */
  setsUp?: boolean;
}

/* Whether a database takes writes. The last write answers this; only after a failed one is another write tried. */

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
