/** The migration runner: append-only, each migration in its own transaction together with its version row. */
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { foundation } from './migrations/0001-foundation.ts';
import type { Db } from './tables.ts';

export interface Migration {
  name: string;
  why: string;
  /** Statements separated by semicolons at line ends. */
  sqlite: string;
}

/** Never reordered, never edited once released; version = place in the list, from 1. */
const migrations: readonly Migration[] = [foundation];
export const newestVersion = migrations.length;

/** The version of the schema in the database; 0 where there is none yet. */
export async function schemaVersion(db: Db): Promise<number> {
  const table = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'`.execute(db);
  if (!table.rows[0]?.n) return 0;
  const row = await db
    .selectFrom('schema_migrations')
    .select((eb) => eb.fn.max('version').as('version'))
    .executeTakeFirst();
  return Number(row?.version ?? 0n);
}

/** Brings the schema up to date and says how many migrations that took. Refuses a database of a newer version. */
export async function migrate(db: Db, now: string): Promise<number> {
  let applied = 0;
  for (;;) {
    const version = await schemaVersion(db);
    refuseNewer(version);
    if (version === newestVersion) return applied;
    applied += await db.transaction().execute((tx) => applyNext(tx, version, now));
  }
}

/** Throws where the database was written by a later release than this one. */
export function refuseNewer(version: number): void {
  if (version <= newestVersion) return;
  throw new AppError(
    'databaseNewer',
    `The database has schema version ${version}, this program knows ${newestVersion}; start the newer release, or restore a backup made before the upgrade.`,
  );
}

async function applyNext(tx: Db, expected: number, now: string): Promise<number> {
  // Another process may have migrated while this one waited for the write lock.
  if ((await schemaVersion(tx)) !== expected) return 0;
  const migration = migrations[expected];
  if (!migration) throw new Error(`no migration ${expected + 1}`);
  if (expected === 0) {
    await sql`CREATE TABLE schema_migrations (
      version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`.execute(tx);
  }
  for (const statement of migration.sqlite.split(/;\s*$/m)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx);
  }
  await tx
    .insertInto('schema_migrations')
    .values({ version: BigInt(expected + 1), name: migration.name, applied_at: now })
    .execute();
  return 1;
}
