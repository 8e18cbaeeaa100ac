/** The store on a PostgreSQL server: opening it, migrating it, and the order in which writers take turns. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { runCompiled } from '../bulk.ts';
import type { Engine } from '../engine.ts';
import { type MigrationStep, migrate, newestVersion, refuseNewer, schemaVersion } from '../migrate.ts';
import type { RevisionScope } from '../revisions.ts';
import { getSetting, setSettingOnce, tryWrite } from '../settings.ts';
import type { OpenOptions, Store } from '../store.ts';
import type { Db, RevisionsTable, Tables } from '../tables.ts';
import { writability } from '../writability.ts';
import { readAddress } from './address.ts';
import { postgresDialect } from './driver.ts';
import { isConflict } from './errors.ts';
import { openPool, type PoolOptions } from './pool.ts';

const connectTimeoutMs = 2_500;
const defaultPoolSize = 10;
const longStatementMs = 600_000;
/** A transaction that PostgreSQL aborts (serialization failure, deadlock) runs at most this often. */
const attemptsAtMost = 5;

const engine: Engine = {
  dialect: 'postgres',
  // PostgreSQL allows 65,535 parameters a statement.
  rowsPerInsert: [500, 100, 20, 4, 1],
  listTables: async (db) => {
    const { rows } = await sql<{ table_name: string }>`
      SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`.execute(db);
    return rows.map((row) => row.table_name);
  },
  lockSchema: async (tx) => {
    await sql`SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1 FOR UPDATE`.execute(tx);
  },
  elementsOf: (column) => sql`jsonb_array_elements_text(${sql.ref(column)}::jsonb) AS element (value)`,
  asJson: (text) => sql`coalesce(to_json(${text})::text, 'null')`,
  joined: (text, order) => sql`string_agg(${sql.ref(text)}, ',' ORDER BY ${sql.ref(order)})`,
  describe: async (db) => {
    const { rows } = await sql<{ server_version: string }>`SHOW server_version`.execute(db);
    return `PostgreSQL ${rows[0]?.server_version}`;
  },
  listFaults: async (db) => {
    const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db);
    const encoding = rows[0]?.server_encoding ?? '';
    return /^utf-?8$/i.test(encoding) ? [] : [`its encoding is ${encoding}, not UTF8`];
  },
};

/**
 * Opens the store at a `postgres://` URL. Throws AppError when the server cannot be reached or its schema is not the newest.
 */
export async function openPostgres(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { pool, name, reader, writer } = connectTo(databaseUrl, options);
  try {
    const version = await schemaVersion(reader);
    refuseNewer(version);
    if (version < newestVersion) {
      const isEmpty = version === 0 && (await engine.listTables(reader)).length === 0;
      if (!isEmpty || !options.setsUp) throw outdated(name, version);
      await migrateWith(writer);
    }
    const instance = await instanceOf(reader, writer);
    const writes = writability();
    return {
      reader,
      name,
      instance,
      write: (work) =>
        writes.noting(
          attempt(writer, async (tx) => {
            // Writers take turns by locking one row, as SQLite's write lock makes them do.
            await sql`SELECT value FROM settings WHERE name = 'instance' FOR UPDATE`.execute(tx);
            return work(tx);
          }),
        ),
      writeBeside: (work) => writes.noting(attempt(writer, work)),
      change: (statement) => writes.noting(attempt(writer, async (tx) => statement(tx))),
      writeFailure: () => writes.failure(() => tryWrite((work) => attempt(writer, work))),
      revisions: (scopes) => readRevisions(reader, scopes),
      snapshot: (work) =>
        reader.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      connections: () => pool.load(),
      close: () => pool.end(),
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Runs `work` on a database of any schema version, to migrate it or to inspect it. */
export async function withBarePostgres<T>(
  databaseUrl: string,
  options: OpenOptions,
  work: (bare: { db: Db; name: string; migrateNow(): Promise<MigrationStep[]> }) => Promise<T>,
): Promise<T> {
  const { pool, name, writer } = connectTo(databaseUrl, options);
  try {
    return await work({ db: writer, name, migrateNow: () => migrateWith(writer) });
  } finally {
    await pool.end();
  }
}

function connectTo(databaseUrl: string, options: OpenOptions) {
  const address = readAddress(databaseUrl);
  const { name } = address;
  const { lockTimeoutMs, statementTimeoutMs = longStatementMs, poolSize = defaultPoolSize } = options;
  const poolOptions: PoolOptions = { size: poolSize, connectTimeoutMs, statementTimeoutMs, lockTimeoutMs };
  const pool = openPool(address, poolOptions);
  const reader: Db = new Kysely<Tables>({ dialect: postgresDialect(pool, name, engine) });
  const writer: Db = new Kysely<Tables>({ dialect: postgresDialect(pool, name, engine) });
  return { pool, name, reader, writer };
}

async function migrateWith(writer: Db): Promise<MigrationStep[]> {
  const steps = await migrate(writer, new Date().toISOString());
  await instanceOf(writer, writer);
  return steps;
}

/** Reads all revisions in one statement, because nearly every turn of the event loop needs them. */
async function readRevisions(reader: Db, scopes: readonly RevisionScope[]): Promise<bigint[]> {
  const rows = await runCompiled<RevisionsTable>(reader, 'readRevisions', [scopes], () =>
    reader.selectFrom('revisions').selectAll().where('scope', '=', sql<RevisionScope>`ANY(${scopes})`),
  );
  const byScope = new Map<string, bigint>(rows.map(({ scope, revision }) => [scope, revision]));
  return scopes.map((scope) => byScope.get(scope) ?? 0n);
}

async function instanceOf(reader: Db, writer: Db): Promise<string> {
  const known = await getSetting(reader, 'instance');
  return known ?? writer.transaction().execute((tx) => setSettingOnce(tx, 'instance', randomUUID()));
}

function outdated(name: string, version: number): AppError {
  const state =
    version === 0
      ? `The database ${name} has no tables of the garden yet`
      : `The database ${name} has schema version ${version}, this program needs ${newestVersion}`;
  return new AppError(
    'databaseOutdated',
    `${state}; run garden migrate (with --dry-run it only says what it would do).`,
  );
}

/** Runs a transaction, and repeats it when PostgreSQL aborts it because of a concurrent one. */
async function attempt<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isConflict(error) || tries >= attemptsAtMost) throw error;
    }
    await sleep(Math.random() * 2 ** tries * 10);
  }
}
