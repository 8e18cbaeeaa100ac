/** The store on a PostgreSQL server: dialect, opening, migrating, and the turns of writers. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { AppError } from '../../errors.ts';
import { type Engine, listTables, registerEngine } from '../engine.ts';
import {
  assertNewest,
  type MigrationReport,
  type MigrationStep,
  migrate,
  newestVersion,
  pendingMigrations,
  schemaVersion,
} from '../migrate.ts';
import { prepared, run } from '../prepared.ts';
import type { RevisionScope } from '../revisions.ts';
import { instanceOf } from '../settings.ts';
import { type OpenOptions, type Store, trackFailures } from '../store.ts';
import type { Db, Tables } from '../tables.ts';
import { isConflict } from './errors.ts';
import { openPool, readAddress } from './pool.ts';

const engine: Engine = {
  dialect: 'postgres',
  canShareValues: false,
  placeholder: (position) => `$${position}`,
  tables: sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  lockSchema: async (tx) => {
    await sql`SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1 FOR UPDATE`.execute(tx);
  },
  elementsOf: (list) => sql`jsonb_array_elements_text(${list}::jsonb) AS element (value)`,
  // json_build_object would write blanks.
  asJson: (columns) => {
    const parts = columns.flatMap(({ name, kind, expression }, index) => [
      sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      sql`coalesce(${kind === 'text' ? sql`to_json(${expression})` : expression}::text, 'null')`,
    ]);
    return sql`concat(${sql.join(parts)}, '}')`;
  },
  // LIKE takes twice as long here, and as long as this or less in SQLite.
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  momentAfter: (at, seconds) =>
    sql`to_char((${at}::timestamptz + make_interval(secs => ${seconds})) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  clockMs: sql`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`,
  version: sql`SELECT 'PostgreSQL ' || current_setting('server_version') AS version`,
  checkIntegrity: async (db) => {
    const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db);
    const encoding = rows[0]?.server_encoding ?? '';
    return /^utf-?8$/i.test(encoding) ? [] : [`its encoding is ${encoding}, not UTF8`];
  },
};

function kyselyOver(pool: PostgresPool): Db {
  const dialect = new PostgresDialect({ pool });
  const createAdapter = () => registerEngine(new PostgresAdapter(), engine);
  return new Kysely<Tables>({ dialect: Object.assign(dialect, { createAdapter }) });
}

const maxAttempts = 5;

export async function openPostgres(databaseUrl: string, options: OpenOptions): Promise<Store> {
  const { pool, name, db } = connectTo(databaseUrl, options);
  try {
    if (options.migratesEmpty && (await listTables(db)).length === 0) {
      await assertEncoding(db, name);
      await migrateWithInstance(db);
    }
    assertNewest(name, await schemaVersion(db), ' after a backup by the older release');
    const { write: writeConcurrently, writeFailure } = trackFailures((work) =>
      transactionWithRetries(db, work),
    );
    return {
      reader: db,
      longReader: db,
      name,
      instance: await instanceOf(db),
      write: (work) =>
        writeConcurrently(async (tx) => {
          // Writers take turns by locking one row, as SQLite's write lock makes them do.
          await sql`SELECT value FROM settings WHERE name = 'instance' FOR UPDATE`.execute(tx);
          return work(tx);
        }),
      writeConcurrently,
      runChange: (statement) => writeConcurrently(async (tx) => statement(tx)),
      writeFailure,
      revisions: revisionReader(db),
      readItem: async (item, ids) => (await run(db, item, ids)).rows[0]?.json ?? undefined,
      snapshot: (work) =>
        db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
      connections: pool.load,
      close: pool.end,
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

export async function migratePostgres(
  databaseUrl: string,
  options: OpenOptions,
  isDryRun: boolean,
): Promise<MigrationReport> {
  const { pool, name, db } = connectTo(databaseUrl, options);
  try {
    const from = await schemaVersion(db);
    if (from === 0) await assertEncoding(db, name);
    const steps = isDryRun ? pendingMigrations(from) : await migrateWithInstance(db);
    return { database: name, from, to: newestVersion, steps };
  } finally {
    await pool.end();
  }
}

function connectTo(databaseUrl: string, options: OpenOptions) {
  const address = readAddress(databaseUrl);
  const pool = openPool(address, options);
  return { pool, name: address.name, db: kyselyOver(pool) };
}

async function assertEncoding(db: Db, name: string): Promise<void> {
  const [fault] = await engine.checkIntegrity(db);
  if (fault === undefined) return;
  const sentence = `${name} cannot be used, because ${fault}; create another one with createdb --encoding=UTF8 --template=template0.`;
  throw new AppError('databaseUnavailable', sentence);
}

async function migrateWithInstance(db: Db): Promise<MigrationStep[]> {
  const steps = await migrate(db);
  await instanceOf(db);
  return steps;
}

/** One text with blanks makes one statement fit any number of scopes. */
const revisionsOf = prepared((db, { scopes }: { scopes: string }) =>
  db
    .selectFrom('revisions')
    .selectAll()
    .where('scope', '=', sql<RevisionScope>`ANY(string_to_array(${scopes}, ' '))`),
);

/** Reads the revisions for all requests of one turn of the event loop together. They arrived before, so no revision is too old. */
function revisionReader(db: Db): Store['revisions'] {
  let batch: { scopes: Set<RevisionScope>; revisions: Promise<ReadonlyMap<string, bigint>> } | undefined;

  async function read(scopes: ReadonlySet<RevisionScope>): Promise<ReadonlyMap<string, bigint>> {
    await new Promise(setImmediate);
    batch = undefined;
    const rows = await revisionsOf(db, { scopes: [...scopes].join(' ') });
    return new Map(rows.map(({ scope, revision }) => [scope, revision]));
  }

  return async (scopes) => {
    if (!batch) {
      const collected = new Set<RevisionScope>();
      batch = { scopes: collected, revisions: read(collected) };
    }
    for (const scope of scopes) batch.scopes.add(scope);
    const revisions = await batch.revisions;
    return scopes.map((scope) => revisions.get(scope) ?? 0n);
  };
}

async function transactionWithRetries<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (!isConflict(error) || tries >= maxAttempts) throw error;
    }
    await sleep(Math.random() * 2 ** tries * 10);
  }
}
