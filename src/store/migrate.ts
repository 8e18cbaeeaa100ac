/** The migration runner. Each migration runs in a transaction together with its version row. */
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { engineOf, listTables, type Migration, onBothEngines } from './engine.ts';
import { schema } from './migrations/0001-schema.ts';
import { plainNames } from './migrations/0002-plain-names.ts';
import type { Db } from './tables.ts';

/** A released migration is never edited or moved: its position in this list, from 1, is its version. */
const migrations: readonly Migration[] = [schema, plainNames];
export const newestVersion = migrations.length;

const versionTable = onBothEngines(`
  CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;`);

/** Before schema 1 there were 35 migrations; a database that has had all of them has schema 1. */
const unreleased = { firstName: 'foundation', lastVersion: 35, commit: '6cfdfbe505d2' };

interface AppliedSchema {
  version: number;
  hasOldNumbers: boolean;
}

async function readSchema(db: Db): Promise<AppliedSchema> {
  const tables = await listTables(db);
  if (!tables.includes('schema_migrations')) return { version: 0, hasOldNumbers: false };
  const rows = await db
    .selectFrom('schema_migrations')
    .select(['version', 'name'])
    .orderBy('version')
    .execute();
  const version = Number(rows.at(-1)?.version ?? 0n);
  const { firstName, lastVersion, commit } = unreleased;
  if (rows[0]?.name !== firstName) return { version, hasOldNumbers: false };
  if (version === lastVersion) return { version: 1, hasOldNumbers: true };
  throw new AppError(
    'databaseTooOld',
    `The database is from before schema 1 (it has ${version} of the ${lastVersion} steps to it), and only commit ${commit} updates it: run git checkout ${commit}, npm ci and bin/garden migrate (for a backup, bin/garden restore), then use this program again.`,
  );
}

/** 0 without a schema. Throws databaseTooOld. */
export async function schemaVersion(db: Db): Promise<number> {
  return (await readSchema(db)).version;
}

export interface MigrationStep {
  version: number;
  name: string;
  why: string;
}

export interface MigrationReport {
  database: string;
  from: number;
  to: number;
  steps: MigrationStep[];
}

/** Throws databaseNewer. */
export function pendingMigrations(version: number): MigrationStep[] {
  if (version > newestVersion) {
    throw new AppError(
      'databaseNewer',
      `The database has schema version ${version}, this program knows ${newestVersion}; start the newer release, or restore a backup made before the upgrade (on PostgreSQL: into an empty database).`,
    );
  }
  return migrations.map(({ name, why }, index) => ({ version: index + 1, name, why })).slice(version);
}

/** Whether there are tables of an earlier release. Throws databaseNewer. */
export const isOlder = (version: number): boolean => version > 0 && pendingMigrations(version).length > 0;

export async function migrate(db: Db): Promise<MigrationStep[]> {
  const applied: MigrationStep[] = [];
  for (;;) {
    const { version, hasOldNumbers } = await readSchema(db);
    if (hasOldNumbers) await db.transaction().execute(renumber);
    if (pendingMigrations(version).length === 0) return applied;
    try {
      const next = await db.transaction().execute((tx) => applyNext(tx, version));
      if (next) applied.push(next);
    } catch (error) {
      // An empty database has no row to lock: the second process fails, and finds that the first has migrated.
      if ((await schemaVersion(db)) === version) throw error;
    }
  }
}

/** `backup` says of tables with rows who makes a backup before the migration. */
export function assertNewest(database: string, version: number, backup: string): void {
  if (pendingMigrations(version).length === 0) return;
  const state = version === 0 ? 'no tables of the garden yet' : 'an older schema';
  throw new AppError(
    'databaseOutdated',
    `The database ${database} has ${state} (schema version ${version}, this program needs ${newestVersion}); run garden migrate${version === 0 ? '' : backup} (with --dry-run it only reports what it would do).`,
  );
}

async function renumber(tx: Db): Promise<void> {
  const { dialect, lockSchema } = engineOf(tx);
  await lockSchema(tx);
  if (!(await readSchema(tx)).hasOldNumbers) return;
  if (dialect === 'postgres') await sql.raw(renameConstraints).execute(tx);
  await tx.deleteFrom('schema_migrations').execute();
  await insertMigrationRow(tx, 1, schema);
}

/** The table of statuses was made under another name, which PostgreSQL gave to its constraints. */
const renameConstraints = `DO $$ DECLARE old text; BEGIN
  FOR old IN SELECT conname FROM pg_constraint WHERE conrelid = 'statuses'::regclass AND conname LIKE 'statuses\\_anew%'
  LOOP EXECUTE format('ALTER TABLE statuses RENAME CONSTRAINT %I TO %I', old, replace(old, '_anew', '')); END LOOP;
END $$`;

async function applyNext(tx: Db, expected: number): Promise<MigrationStep | undefined> {
  const { dialect, lockSchema } = engineOf(tx);
  if (expected > 0) await lockSchema(tx);
  if ((await schemaVersion(tx)) !== expected) return undefined;
  if (expected === 0) await sql.raw(versionTable[dialect]).execute(tx);
  const migration = migrations[expected];
  if (!migration) throw new Error(`no migration ${expected + 1}`);
  for (const statement of migration[dialect].split(/;\s*$/m)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx);
  }
  await insertMigrationRow(tx, expected + 1, migration);
  return { version: expected + 1, name: migration.name, why: migration.why };
}

async function insertMigrationRow(tx: Db, version: number, { name }: Migration): Promise<void> {
  const row = { version: BigInt(version), name, applied_at: new Date().toISOString() };
  await tx.insertInto('schema_migrations').values(row).execute();
}
