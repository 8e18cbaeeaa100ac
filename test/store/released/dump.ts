/** Writes a database as text: its schema on each store, and its rows, which are the same on both. */
import { spawnSync } from 'node:child_process';
import Database from 'better-sqlite3';

/** The texts of a frozen database. In a schema, `rowsMark` stands where the rows go in. */
export interface FrozenTexts {
  sqlite: string;
  postgres: string;
  rows: string;
}

export const rowsMark = '-- Here go the rows.\n';

/**
 * Reads a file, and the schema of a PostgreSQL database that `garden copy` filled from it. `about` is the first line of each text.
 * Needs pg_dump, of the server's release or a later one.
 */
export function dump(file: string, postgresUrl: string, about: string): FrozenTexts {
  const connection = new Database(file, { readonly: true }).defaultSafeIntegers(true);
  const objects = connection
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { type: string; name: string; sql: string }[];
  const isTable = ({ type }: { type: string }) => type === 'table';
  const tables = objects.filter(isTable);
  const pragmas = ['page_size', 'journal_mode', 'application_id'].map(
    (name) => `PRAGMA ${name} = ${connection.pragma(name, { simple: true })};\n`,
  );
  const statements = (some: typeof objects) => some.map(({ sql }) => `${sql};\n`).join('');
  const sqlite = [`-- ${about}\n`, ...pragmas, statements(tables), rowsMark];
  sqlite.push(statements(objects.filter((one) => !isTable(one))));
  const rows = tables.map(({ name }) => insertOf(name, connection.prepare(`SELECT * FROM ${name}`).all() as Row[]));
  connection.close();
  const section = (name: string) => schemaOf(postgresUrl, name);
  const postgres = [`-- ${about}\n`, section('pre-data'), rowsMark, section('post-data')];
  return { sqlite: sqlite.join(''), postgres: postgres.join(''), rows: [`-- ${about}\n`, ...rows].join('') };
}

/** There is no pg_dump, or one that is older than the server. */
export class UnfitProgram extends Error {}

type Row = Record<string, unknown>;

function insertOf(table: string, rows: readonly Row[]): string {
  const [first] = rows;
  if (!first) return '';
  const lines = rows.map((row) => `(${Object.values(row).map(literal)})`);
  return `INSERT INTO ${table} (${Object.keys(first)}) VALUES\n${lines.join(',\n')};\n`;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'bigint' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** The text of pg_dump for a schema, without comments and without settings that servers of another release do not know. */
function schemaOf(postgresUrl: string, section: string): string {
  const args = ['--schema-only', '--no-owner', '--no-privileges', `--section=${section}`, postgresUrl];
  const { stdout: text, stderr, error, status } = spawnSync('pg_dump', args, { encoding: 'utf8' });
  const isUnfit = error !== undefined || stderr.includes('server version mismatch');
  if (isUnfit)
    throw new UnfitProgram('install pg_dump of the release that the PostgreSQL server has, or of a later one');
  if (status !== 0) throw new Error(stderr);
  return text.replaceAll(/^(?:--.*|SET .*|SELECT pg_catalog\.set_config.*|\\.*|)\n/gm, '');
}
