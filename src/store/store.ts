/** What a store is, whichever engine is underneath, and how it is opened. */
import type { ErrorName } from '../errors.ts';
import type { RevisionScope } from './revisions.ts';
import type { Db } from './tables.ts';

export interface Store {
  /** For reads: never waits for a writer. */
  reader: Db;
  /** The address in words, without a password, for messages. */
  name: string;
  /** Differs for every database ever created: part of every entity tag. */
  instance: string;
  /** Device and inode of the file; only where there is one that may be written. */
  identity?: string;
  /** The revisions of these scopes, in their order, as of now; a scope that never changed has 0. */
  revisions(scopes: readonly RevisionScope[]): Promise<readonly bigint[]> | readonly bigint[];
  /**
   * Runs the work in one transaction: all of it is durable when the promise resolves, or none of it happened. Such
   * writers take turns, so what the work reads stays true until it ends. It may be run again from its beginning.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * The same, but beside other writers where the engine can, else in one transaction with those that ask at once, or while
   * another one is under way: for short work that is right whatever they do meanwhile, because each of its statements
   * decides by itself.
   */
  writeBeside<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /**
   * Runs one statement that changes nothing which revisions count: what it did is durable when the promise resolves. For
   * statements that decide by themselves.
   */
  change<T>(statement: (db: Db) => T | Promise<T>): Promise<T>;
  /** How many connections to a database server are in use and how many wait for one; only where there is a server. */
  connections?(): { busy: number; idle: number; waiting: number };
  /** Why writes fail for as long as nobody mends it, such as a full disk; undefined where they do not. */
  writeFailure(): Promise<ErrorName | undefined>;
  /** Lets the work read one state of everything, whatever is written meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Folds the log into the file and cuts it off, so that it keeps no older state of any row; answers whether that could be
   * done. Only where there is a file.
   */
  foldLog?(): boolean;
  /** Ends all waiting for other processes within so many milliseconds; only where there may be such waiting. */
  hurry?(ms: number): void;
  close(): Promise<void>;
}

/** Takes a sentence for the log. */
export type Tell = (level: 'info' | 'warn', sentence: string) => void;

export interface OpenOptions {
  /** Whether a database that does not exist yet is made. */
  create: boolean;
  /** Of the file that it has to be: another one is refused. */
  identity?: string;
  /** How long a write waits for another process, in milliseconds. */
  lockTimeoutMs: number;
  /** How long a server may take over one statement, in milliseconds; default: ten minutes. */
  statementTimeoutMs?: number;
  /** Connections to a server, at most. */
  poolSize?: number;
  /** Hears when the file is lost, and when it is back. */
  tell?: Tell;
  /** Whether the file is read through first, as far as that does not take long. */
  checks?: boolean;
  /** Whether a server's database without any tables is set up without being asked to migrate. */
  setsUp?: boolean;
}
