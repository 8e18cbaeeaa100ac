/** Which store the tests run on (TEST_STORE, sqlite by default), and new databases on the server of this run. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import pg from 'pg';
import { migrateStore } from '../../src/store/open.ts';
import { execute, type PostgresServer, startServer } from './postgres-server.ts';

export const testStore = process.env['TEST_STORE'] === 'postgres' ? 'postgres' : 'sqlite';

export const filesOnly: string | false = testStore === 'sqlite' ? false : 'about the file of the embedded store';

export const onceOnly: string | false =
  testStore === 'sqlite' ? false : 'the same on every store, and done in the run on SQLite';

interface Databases {
  url: string;
  template: string;
}

let databases: Promise<Databases> | undefined;

function currentDatabases(): Promise<Databases> {
  const { TEST_DATABASE_URL: url, TEST_TEMPLATE: template } = process.env;
  if (url && template) databases ??= Promise.resolve({ url: withoutDatabase(url), template });
  databases ??= (async () => {
    const { end, ...made } = await setUpDatabases();
    process.once('beforeExit', end);
    return made;
  })();
  return databases;
}

export async function makeEmptyFile(): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'garden-empty-')), 'garden.db');
  await migrateStore(`sqlite:${path}`, { create: true, lockTimeoutMs: 30_000 }, false);
  await forgetInstance(`sqlite:${path}`);
  return path;
}

export async function setUpDatabases(): Promise<Databases & { end(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL'];
  let server: PostgresServer | undefined;
  if (!given) server = await startServer();
  const url = given ? withoutDatabase(given) : (server?.url ?? '');
  const template = newName();
  await execute(`${url}/postgres`, `CREATE DATABASE ${template}`);
  await migrateStore(`${url}/${template}`, { create: true, lockTimeoutMs: 30_000 }, false);
  await forgetInstance(`${url}/${template}`);
  const end = async () => {
    await execute(`${url}/postgres`, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server?.stop();
  };
  return { url, template, end };
}

export async function postgresDatabase(
  t: Pick<TestContext, 'after'>,
  { isBare = false, template, encoding }: { isBare?: boolean; template?: string; encoding?: string } = {},
): Promise<string> {
  const { url, template: empty } = await currentDatabases();
  const name = newName();
  const encoded = encoding ? ` ENCODING ${encoding} LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0` : '';
  const likeness = isBare ? encoded : ` TEMPLATE ${template ?? empty} STRATEGY FILE_COPY`;
  await onServer(url, `CREATE DATABASE ${name}${likeness}`);
  const databaseUrl = `${url}/${name}`;
  looks.set(databaseUrl, undefined);
  t.after(async () => {
    const pool = looks.get(databaseUrl);
    looks.delete(databaseUrl);
    await pool?.end();
    await onServer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return databaseUrl;
}

/** One connection to each database for `rowsOf`: a new one takes 15 ms, and a test that waits for a row looks 50 times a second. */
const looks = new Map<string, pg.Pool | undefined>();

function lookInto(databaseUrl: string): pg.Pool {
  const known = looks.get(databaseUrl);
  if (known) return known;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, idleTimeoutMillis: 1000, allowExitOnIdle: true });
  // Some tests end all connections.
  pool.on('error', () => {});
  looks.set(databaseUrl, pool);
  return pool;
}

let server: pg.Pool | undefined;

async function onServer(url: string, statement: string): Promise<void> {
  if (!server) {
    server = new pg.Pool({
      connectionString: `${url}/postgres`,
      allowExitOnIdle: true,
      idleTimeoutMillis: 0,
    });
    server.on('error', () => {});
  }
  await server.query(statement);
}

export async function tamper(databaseUrl: string, ...statements: string[]): Promise<void> {
  if (!databaseUrl.startsWith('sqlite:')) {
    await execute(databaseUrl, ...statements);
    return;
  }
  const connection = new Database(pathOf(databaseUrl));
  for (const statement of statements) connection.exec(statement);
  connection.close();
}

/** So that each copy gets an instance of its own. */
export const forgetInstance = (databaseUrl: string) =>
  tamper(databaseUrl, "DELETE FROM settings WHERE name = 'instance'");

export async function rowsOf(databaseUrl: string, query: string): Promise<Record<string, unknown>[]> {
  if (looks.has(databaseUrl)) return (await lookInto(databaseUrl).query(query)).rows;
  if (!databaseUrl.startsWith('sqlite:')) return execute(databaseUrl, query);
  const connection = new Database(pathOf(databaseUrl));
  const rows = connection.prepare(query).all() as Record<string, unknown>[];
  connection.close();
  return rows;
}

export async function assertSound(databaseUrl: string): Promise<void> {
  assert.deepEqual(await rowsOf(databaseUrl, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual(await rowsOf(databaseUrl, 'PRAGMA foreign_key_check'), []);
}

export async function holdPlants(databaseUrl: string): Promise<() => Promise<void>> {
  if (databaseUrl.startsWith('sqlite:')) {
    const connection = new Database(pathOf(databaseUrl)).exec('BEGIN IMMEDIATE');
    return async () => {
      connection.exec('COMMIT').close();
    };
  }
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT id FROM plants FOR UPDATE');
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}

/** The tables of a database of PostgreSQL, by their names. */
export async function tablesOf(databaseUrl: string): Promise<string[]> {
  const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1";
  return (await execute(databaseUrl, tables)).map(({ table_name }) => String(table_name));
}

export async function allThatIsKept(databaseUrl: string): Promise<string[]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const folder = dirname(pathOf(databaseUrl));
    const names = await readdir(folder);
    return Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  }
  const rows = (await tablesOf(databaseUrl)).map((table) => `SELECT t::text FROM ${table} t`);
  return (await execute(databaseUrl, rows.join(' UNION ALL '))).map(({ t }) => String(t));
}

export function pathOf(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length);
}

function newName(): string {
  return `garden_test_${randomBytes(6).toString('hex')}`;
}

function withoutDatabase(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?]*).*$/, '$1');
}
