/** The interface of a store, the same for both engines, and the options for opening one. */
import type { ErrorName } from '../errors.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db } from './tables.ts';

/** A store that was opened for reading only. */
export interface ReadableStore {
  /** The handle for reads, which never wait for a writer. */
  reader: Db;
  /** The address without a password, for messages. */
  name: string;
  /** Runs reads on one state of the database, whatever is written meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Store extends ReadableStore {
  /** The name of this database, different for every database ever created; every entity tag contains it. */
  instance: string;
  /** Device and inode of the file; absent for a database server and for a file opened to be read. */
  identity?: string;
  /** The current revisions of these scopes, in the same order; a scope that has never changed has 0. */
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> | readonly bigint[];
  /**
   * Called when bytes of requests arrive: until this turn of the event loop has polled, requests may share one look at whether
   * another process has changed anything. Absent where that look costs a round trip that is shared anyway.
   */
  polled?(): void;
  /**
   * Runs the work in one transaction, which is durable when the promise resolves. Such writers take turns, so rows that the
   * work has read stay as they are until it ends. The work may run more than once.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * The same without a turn. PostgreSQL runs such work beside other writers; SQLite groups the work of several callers into one
   * transaction (group commit). It is for short work whose statements are correct whatever other writers do meanwhile.
   */
  writeBeside<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Runs one statement, without a turn and durable in the same way. It is for statements that change no rows of a revision
   * scope.
   */
  change<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
  /** How many connections to the database server are busy and idle, and how many requests wait for one; absent for a file. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** The lasting reason why writes fail, such as a full disk; undefined while they succeed. */
  writeFailure(): Promise<ErrorName | undefined>;
  /**
   * Copies the write-ahead log into the file and cuts it off, so that it keeps no older state of any row; answers whether that
   * could be done. Absent for a database server.
   */
  checkpoint?(): boolean;
  /** Limits every wait for other processes' locks to this many milliseconds from now; absent for a database server. */
  hurry?(ms: number): void;
}

/** Writes a sentence to the log. */
export type Notify = (level: 'info' | 'warn', sentence: string) => void;

export interface OpenOptions {
  /** Whether to create a database that does not exist. */
  create: boolean;
  /** The device and inode that the file must have; another file is refused. */
  identity?: string;
  /** How long a write waits for another process's lock, in milliseconds. */
  lockTimeoutMs: number;
  /** How long a database server may take for one statement, in milliseconds; ten minutes by default. */
  statementTimeoutMs?: number;
  /** The most connections to a database server. */
  poolSize?: number;
  /** Called when the file is lost, and when it is back. */
  notify?: Notify;
  /** Whether to run the integrity check first, unless the file is too large for that. */
  checks?: boolean;
  /** Whether to migrate a database on a server that has no tables at all. */
  setsUp?: boolean;
}
