/** Opening a database by its URL. Nobody else knows which engine is underneath. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Kysely } from 'kysely';
import { AppError } from '../errors.ts';
import { migrate, refuseNewer, schemaVersion } from './migrate.ts';
import { getSetting, setSettingOnce } from './settings.ts';
import { openSqlite, sqliteDialect } from './sqlite.ts';
import type { Db, Tables } from './tables.ts';

export interface Store {
  /** For reads: never waits for a writer. */
  reader: Db;
  /** The address in words, without a password, for messages. */
  name: string;
  /** Differs for every database ever created: part of every entity tag. */
  instance: string;
  /** Runs the work in one transaction: all of it is durable when the promise resolves, or none of it happened. */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Whether a database that does not exist yet is made. */
  create: boolean;
  /** How long a write waits for another process, in milliseconds. */
  lockTimeoutMs: number;
}

/** Opens (and where allowed creates and migrates) the database at `sqlite:PATH`. Throws AppError. */
export async function openStore(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const path = sqlitePath(databaseUrl);
  if (!options.create && !existsSync(path)) {
    throw new AppError(
      'databaseUnavailable',
      `There is no database at ${path}; garden serve or garden import makes one, or name another in DATABASE_URL.`,
    );
  }
  const sqlite = { path, lockTimeoutMs: options.lockTimeoutMs };
  const writeConnection = openSqlite({ ...sqlite, isReadOnly: false });
  const writer: Db = new Kysely<Tables>({
    dialect: sqliteDialect(writeConnection, { ...sqlite, isReadOnly: false }),
  });
  let reader: Db | undefined;
  try {
    const version = await schemaVersion(writer);
    refuseNewer(version);
    await migrate(writer, new Date().toISOString());
    const readConnection = openSqlite({ ...sqlite, isReadOnly: true });
    reader = new Kysely<Tables>({ dialect: sqliteDialect(readConnection, { ...sqlite, isReadOnly: true }) });
    let instance = await getSetting(reader, 'instance');
    if (instance === undefined) {
      instance = await writer.transaction().execute((tx) => setSettingOnce(tx, 'instance', randomUUID()));
    }
    const opened = reader;
    return {
      reader: opened,
      name: path,
      instance,
      write: (work) => writer.transaction().execute(work),
      close: async () => {
        await opened.destroy();
        await writer.destroy();
      },
    };
  } catch (error) {
    await reader?.destroy();
    await writer.destroy();
    throw error;
  }
}

/** The file that a `sqlite:` URL names; throws AppError on any other URL. */
export function sqlitePath(databaseUrl: string): string {
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(databaseUrl)?.[1];
  if (path !== undefined && !path.includes('\0') && !path.startsWith(':')) return resolve(path);
  const scheme = /^postgres(?:ql)?:/.test(databaseUrl)
    ? 'PostgreSQL is not supported by this release yet'
    : 'DATABASE_URL names no database';
  throw new AppError('badSetting', `${scheme}; use sqlite: and a path, such as sqlite:./data/garden.db.`);
}
