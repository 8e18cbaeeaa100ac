/** The kysely dialect for PostgreSQL: kysely's own, over our pool, with the SQL in which this engine differs. */
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, sql } from 'kysely';
import { type Engine, registerEngine } from '../engine.ts';
import type { Db, Tables } from '../tables.ts';

const engine: Engine = {
  dialect: 'postgres',
  sharesValues: false,
  placeholder: (nth) => `$${nth}`,
  tables: sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
  lockSchema: async (tx) => {
    await sql`SELECT version FROM schema_migrations ORDER BY version DESC LIMIT 1 FOR UPDATE`.execute(tx);
  },
  elementsOf: (list) => sql`jsonb_array_elements_text(${list}::jsonb) AS element (value)`,
  // json_build_object would write blanks.
  asJson: (columns) => {
    const parts = columns.flatMap(({ name, kind, expression }, place) => [
      sql.lit(`${place === 0 ? '{' : ','}${JSON.stringify(name)}:`),
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
  listFaults: async (db) => {
    const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db);
    const encoding = rows[0]?.server_encoding ?? '';
    return /^utf-?8$/i.test(encoding) ? [] : [`its encoding is ${encoding}, not UTF8`];
  },
};

export function kyselyOver(pool: PostgresPool): Db {
  const dialect = new PostgresDialect({ pool });
  const createAdapter = () => registerEngine(new PostgresAdapter(), engine);
  return new Kysely<Tables>({ dialect: Object.assign(dialect, { createAdapter }) });
}
