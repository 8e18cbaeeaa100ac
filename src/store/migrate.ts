/** The migration runner: append-only, each migration in its own transaction together with its version row. */
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { type Dialect, engineOf } from './engine.ts';
import type { Migration } from './migration.ts';
import { foundation } from './migrations/0001-foundation.ts';
import type { Db } from './tables.ts';

/** Never reordered, never edited once released; version = place in the list, from 1. */
const migrations: readonly Migration[] = [foundation];
export const newestVersion = migrations.length;

const versionTable: Record<Dialect, string> = {
  sqlite: `CREATE TABLE schema_migrations (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`,
  postgres: `CREATE TABLE schema_migrations (
    version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)`,
};

/** The version of the schema in the database; 0 where there is none yet. */
export async function schemaVersion(db: Db): Promise<number> {
  const tables = await engineOf(db).listTables(db);
  if (!tables.includes('schema_migrations')) return 0;
  const row = await db
    .selectFrom('schema_migrations')
    .select((eb) => eb.fn.max('version').as('version'))
    .executeTakeFirst();
  return Number(row?.version ?? 0n);
}

export interface MigrationStep {
  version: number;
  name: string;
  why: string;
}

/** The migrations that a database of this version still needs, in order. */
export function pendingMigrations(version: number): MigrationStep[] {
  return migrations.map(({ name, why }, place) => ({ version: place + 1, name, why })).slice(version);
}

/**
 * Brings the schema up to date and answers what that took, step by step. Refuses a database of a newer version. Two
 * that migrate at once are safe: each step is applied by one of them.
 */
export async function migrate(db: Db, now: string): Promise<MigrationStep[]> {
  const applied: MigrationStep[] = [];
  for (;;) {
    const version = await schemaVersion(db);
    refuseNewer(version);
    const [next] = pendingMigrations(version);
    if (!next) return applied;
    try {
      if (await db.transaction().execute((tx) => applyNext(tx, version, now))) applied.push(next);
    } catch (error) {
      // Where two begin with an empty database no row can be locked: the second fails, and finds it done.
      if ((await schemaVersion(db)) === version) throw error;
    }
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

/** Says whether it was this process that applied it. */
async function applyNext(tx: Db, expected: number, now: string): Promise<boolean> {
  const { dialect, lockSchema } = engineOf(tx);
  if (expected > 0) await lockSchema(tx);
  // Another process may have migrated while this one waited.
  if ((await schemaVersion(tx)) !== expected) return false;
  const migration = migrations[expected];
  if (!migration) throw new Error(`no migration ${expected + 1}`);
  if (expected === 0) await sql.raw(versionTable[dialect]).execute(tx);
  for (const statement of migration[dialect].split(/;\s*$/m)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx);
  }
  await tx
    .insertInto('schema_migrations')
    .values({ version: BigInt(expected + 1), name: migration.name, applied_at: now })
    .execute();
  return true;
}
