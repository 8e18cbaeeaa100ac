/** Opens a database file that this process does not change: for reading commands, for its version and for snapshots. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { codeOf } from '../failures.ts';
import { assertNewest, schemaVersion } from '../migrate.ts';
import type { ReadableStore } from '../store.ts';
import type { Db } from '../tables.ts';
import { openSqlite } from './connection.ts';
import { kyselyOver } from './dialect.ts';
import { refuseNetwork } from './file-system.ts';

/** Opens the file for reading only, also when this user may not write it. */
export async function openFileToRead(path: string): Promise<ReadableStore> {
  refuseNetwork(path);
  if (!existsSync(path)) throw absent(path);
  const { file, db, close } = openReadable(path);
  try {
    assertNewest(path, await schemaVersion(db));
    return { reader: db, name: path, snapshot: (work) => snapshotOf(file, work), close: async () => close() };
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

/** Runs reads on one state of the database, on a connection that holds up no other reader. */
export async function snapshotOf<T>(path: string, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = lookAt(path);
  try {
    return await db.connection().execute(async (one) => {
      await sql`BEGIN`.execute(one);
      return work(one);
    });
  } finally {
    // This ends the transaction too.
    close();
  }
}

export function absent(path: string): AppError {
  return new AppError(
    'databaseUnavailable',
    `There is no database at ${path}; garden serve or garden import creates one, or set another one in DATABASE_URL.`,
  );
}

type Reading = ReturnType<typeof lookAt>;

function lookAt(file: string) {
  const connection = openSqlite(file, 'look');
  const close = (): void => void connection.close();
  return { file, db: kyselyOver(connection, file), close };
}

/** Opens the file itself, or a temporary copy if SQLite may not put files beside it. */
function openReadable(path: string): Reading {
  try {
    return lookAt(path);
  } catch (error) {
    const { cause } = error as Error;
    if (!/^SQLITE_(?:CANTOPEN|READONLY|PERM)/.test(codeOf(cause))) throw error;
    return openCopy(path, error);
  }
}

function openCopy(path: string, reason: unknown): Reading {
  const folder = mkdtempSync(join(tmpdir(), 'garden-'));
  const release = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, 'garden.db');
  try {
    for (const end of ['', '-wal']) {
      if (existsSync(`${path}${end}`)) copyFileSync(`${path}${end}`, `${copy}${end}`);
    }
    const opened = lookAt(copy);
    const close = () => {
      opened.close();
      release();
    };
    return { ...opened, close };
  } catch (error) {
    release();
    if (error instanceof AppError) throw error;
    if (codeOf(error) !== 'ENOSPC') throw reason;
    const sentence = `${path} is read from a copy, for which ${folder} has no room; name another place in TMPDIR.`;
    throw new AppError('databaseFull', sentence, { cause: error });
  }
}
