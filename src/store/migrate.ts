/** The migration runner. Each migration runs in a transaction together with its version row. */
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { engineOf, listTables, type Migration, onBothEngines } from './engine.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { signIn } from './migrations/0002-sign-in.ts';
import { solves } from './migrations/0003-solves.ts';
import { sync } from './migrations/0004-sync.ts';
import { activity } from './migrations/0005-activity.ts';
import { garden } from './migrations/0006-garden.ts';
import { reviews } from './migrations/0007-reviews.ts';
import { lists } from './migrations/0008-lists.ts';
import { groups } from './migrations/0009-groups.ts';
import { openid } from './migrations/0010-openid.ts';
import { reminders } from './migrations/0011-reminders.ts';
import { linkMakers } from './migrations/0012-link-makers.ts';
import { backupMark } from './migrations/0013-backup-mark.ts';
import { goals } from './migrations/0014-goals.ts';
import { webhookMakers } from './migrations/0015-webhook-makers.ts';
import { countedTopics } from './migrations/0016-counted-topics.ts';
import { firstSolves } from './migrations/0017-first-solves.ts';
import { addedProblems } from './migrations/0018-added-problems.ts';
import { undatedSolves } from './migrations/0019-undated-solves.ts';
import { listFollows } from './migrations/0020-list-follows.ts';
import { inbox } from './migrations/0021-inbox.ts';
import { gym } from './migrations/0022-gym.ts';
import { notes } from './migrations/0023-notes.ts';
import { gymKeys } from './migrations/0024-gym-keys.ts';
import { dayCounts } from './migrations/0026-day-counts.ts';
import { upcoming } from './migrations/0027-upcoming.ts';
import { timers } from './migrations/0028-timers.ts';
import { ratings } from './migrations/0029-ratings.ts';
import { rounds } from './migrations/0030-rounds.ts';
import { seasons } from './migrations/0031-seasons.ts';
import { groupLanguage } from './migrations/0032-group-language.ts';
import { passkeys } from './migrations/0033-passkeys.ts';
import { firstTries } from './migrations/0034-first-tries.ts';
import { sharedNotes } from './migrations/0035-shared-notes.ts';
import { listExtras } from './migrations/0036-list-extras.ts';
import type { Db } from './tables.ts';

/** The version is the place in the list, from 1. A released migration is never edited or moved. */
const migrations: readonly Migration[] = [
  foundation,
  signIn,
  solves,
  sync,
  activity,
  garden,
  reviews,
  lists,
  groups,
  openid,
  reminders,
  linkMakers,
  backupMark,
  goals,
  webhookMakers,
  countedTopics,
  firstSolves,
  addedProblems,
  undatedSolves,
  listFollows,
  inbox,
  gym,
  notes,
  gymKeys,
  dayCounts,
  upcoming,
  timers,
  ratings,
  rounds,
  seasons,
  groupLanguage,
  passkeys,
  firstTries,
  sharedNotes,
  listExtras,
];
export const newestVersion = migrations.length;

const versionTable = onBothEngines(`
  CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;`);

/** The schema version of the database; 0 without a schema. */
export async function schemaVersion(db: Db): Promise<number> {
  const tables = await listTables(db);
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

export interface MigrationReport {
  database: string;
  from: number;
  to: number;
  steps: MigrationStep[];
}

/** The migrations that a database of this version needs. Throws databaseNewer if a later release has migrated it. */
export function pendingMigrations(version: number): MigrationStep[] {
  if (version > newestVersion) {
    throw new AppError(
      'databaseNewer',
      `The database has schema version ${version}, this program knows ${newestVersion}; start the newer release, or restore a backup made before the upgrade (on PostgreSQL: into an empty database).`,
    );
  }
  return migrations.map(({ name, why }, place) => ({ version: place + 1, name, why })).slice(version);
}

/** Brings the schema up to date, also when several processes do so at once, and returns the steps that this call applied. */
export async function migrate(db: Db): Promise<MigrationStep[]> {
  const applied: MigrationStep[] = [];
  for (;;) {
    const version = await schemaVersion(db);
    if (pendingMigrations(version).length === 0) return applied;
    try {
      const next = await db.transaction().execute((tx) => applyNext(tx, version));
      if (next) applied.push(next);
    } catch (error) {
      // An empty database has no row to lock. There the second process fails, and finds that the first has migrated.
      if ((await schemaVersion(db)) === version) throw error;
    }
  }
}

export function assertNewest(database: string, version: number): void {
  if (pendingMigrations(version).length === 0) return;
  const state = version === 0 ? 'no tables of the garden yet' : 'an older schema';
  throw new AppError(
    'databaseOutdated',
    `The database ${database} has ${state} (schema version ${version}, this program needs ${newestVersion}); run garden migrate (with --dry-run it only reports what it would do).`,
  );
}

/**
 * Applies the first migration that the database has not had, unless another process did while this one waited; answers the step.
 * Databases of a clone between two releases may have had some in another order, so the names say which are missing.
 */
async function applyNext(tx: Db, expected: number): Promise<MigrationStep | undefined> {
  const { dialect, lockSchema } = engineOf(tx);
  if (expected > 0) await lockSchema(tx);
  if ((await schemaVersion(tx)) !== expected) return undefined;
  if (expected === 0) await sql.raw(versionTable[dialect]).execute(tx);
  const had = (await tx.selectFrom('schema_migrations').select('name').execute()).map(({ name }) => name);
  const migration = migrations.find(({ name }) => !had.includes(name));
  if (!migration) throw new Error(`no migration ${expected + 1}`);
  for (const statement of migration[dialect].split(/;\s*$/m)) {
    if (statement.trim() !== '') await sql.raw(statement).execute(tx);
  }
  const { name, why } = migration;
  const row = { version: BigInt(expected + 1), name, applied_at: new Date().toISOString() };
  await tx.insertInto('schema_migrations').values(row).execute();
  return { version: expected + 1, name, why };
}
