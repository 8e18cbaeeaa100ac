/** Opening and migrating a database by its URL. Nobody else knows which engine is underneath. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError, type ErrorName } from '../errors.ts';
import {
  type MigrationStep,
  newestVersion,
  pendingMigrations,
  refuseNewer,
  schemaVersion,
} from './migrate.ts';
import { openFile, openFileToRead, versionOfFile } from './open-file.ts';
import { isPostgresUrl } from './postgres-address.ts';
import type { RevisionScope } from './revisions.ts';
import { identityOf } from './sqlite-watch.ts';
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

/** Opens the database at this URL; a file is made where that is allowed, and migrated. Throws AppError. */
export async function openStore(databaseUrl: string, options: OpenOptions): Promise<Store> {
  if (!isPostgresUrl(databaseUrl)) {
    return openFile(sqlitePath(databaseUrl), options);
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(databaseUrl, options);
}

/**
 * Opens a database that is only looked at: nothing is made, migrated or marked, and a file may be one that this user
 * cannot write. Throws AppError, databaseOutdated where the schema is older than this program.
 */
export async function openStoreToRead(
  databaseUrl: string,
  options: Pick<OpenOptions, 'lockTimeoutMs'>,
): Promise<Store> {
  if (!isPostgresUrl(databaseUrl)) return openFileToRead(sqlitePath(databaseUrl), options.lockTimeoutMs);
  return openStore(databaseUrl, { ...options, create: false });
}

/** The file that the URL names; undefined where it names a server. Throws badSetting. */
export function fileOf(databaseUrl: string): string | undefined {
  return isPostgresUrl(databaseUrl) ? undefined : sqlitePath(databaseUrl);
}

/** Device and inode of the file that the URL names; undefined where there is none, or where it names a server. */
export function fileIdentity(databaseUrl: string): string | undefined {
  const file = fileOf(databaseUrl);
  return file === undefined ? undefined : identityOf(file);
}

/** Whether there is a database at this URL; of a server that is known only when it is asked. */
export function mayExist(databaseUrl: string): boolean {
  const file = fileOf(databaseUrl);
  return file === undefined || existsSync(file);
}

export interface MigrationReport {
  database: string;
  /** The version of the schema before; 0 where there was none. */
  from: number;
  to: number;
  steps: MigrationStep[];
}

/** Brings the schema of the database at this URL up to date, or with `isDryRun` only says what that would take. */
export async function migrateStore(
  databaseUrl: string,
  options: OpenOptions,
  isDryRun: boolean,
): Promise<MigrationReport> {
  const file = fileOf(databaseUrl);
  if (file === undefined) {
    const { withBarePostgres } = await import('./postgres.ts');
    return withBarePostgres(databaseUrl, options, async ({ db, name, migrateNow }) =>
      reportOf(name, await schemaVersion(db), isDryRun ? undefined : migrateNow),
    );
  }
  const from = existsSync(file) ? await versionOfFile(file) : 0;
  return reportOf(
    file,
    from,
    isDryRun
      ? undefined
      : async () => {
          const store = await openFile(file, options);
          await store.close();
          return pendingMigrations(from);
        },
  );
}

async function reportOf(
  database: string,
  from: number,
  migrateNow: (() => Promise<MigrationStep[]>) | undefined,
): Promise<MigrationReport> {
  refuseNewer(from);
  const steps = migrateNow ? await migrateNow() : pendingMigrations(from);
  return { database, from, to: newestVersion, steps };
}

/** The file that a `sqlite:` URL names. Throws badSetting on any other. */
function sqlitePath(databaseUrl: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path !== undefined && !path.includes('\0') && !path.startsWith(':')) return resolve(path);
  throw new AppError(
    'badSetting',
    'DATABASE_URL names no database; use sqlite: and a path, such as sqlite:./data/garden.db, or postgres://user@host/garden.',
  );
}
