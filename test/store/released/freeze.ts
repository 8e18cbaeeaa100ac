/**
 * Run once at a release that has a new migration: npm run freeze:schema. Writes the newest schema with rows in every table
 * as schema-<version>.sql, and the digests of all migrations. What is there already is never written again.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { newestVersion } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/open.ts';
import { deletePlant } from '../../../src/store/plants.ts';
import { importRows, memberWithToken } from '../../support/garden.ts';
import { currentMigrations, digestsPath, fixturePath } from './released.ts';

const path = fixturePath(newestVersion);
if (existsSync(path)) {
  process.stderr.write(`schema ${newestVersion} was released already; ${path} stays as it is\n`);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), 'garden-freeze-'));
try {
  const file = join(folder, 'garden.db');
  await fill(`sqlite:${file}`);
  writeFileSync(path, dump(file));
  writeFileSync(digestsPath, `${JSON.stringify(await currentMigrations(), null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}

async function fill(databaseUrl: string): Promise<void> {
  await memberWithToken(databaseUrl, 'ada', { role: 'staff' });
  await memberWithToken(databaseUrl, 'Bën', { scopes: ['plants:delete'] });
  await importRows(databaseUrl, 'records', [
    { username: 'ada', first_name: 'Ada', last_name: "O'Hara; --", city: '東京', email: 'ada@example.org' },
  ]);
  const ids = [-(2n ** 63n), -1n, 1n, 2n ** 53n + 1n, 2n ** 63n - 2n];
  await importRows(
    databaseUrl,
    'problems',
    ids.map((id, n) => ({
      id,
      title: ['“Quoted”, with\nlines', 'Ünïcödé 🌱', "it's", 'plain', 'NULL'][n],
      source: 'here',
      source_key: `k${n}`,
      tags: n % 2 ? ['dp', 'müsli'] : [],
      ...(n === 1 && { rating: 1900, url: 'https://example.org/1', aliases: ['k1b'] }),
    })),
  );
  const own = ids.map((id, n) => ({ username: n % 2 ? 'ada' : 'Bën', problem: id }));
  const statuses = ['reading', 'practicing', 'complete', 'skipped', 'not_started'];
  await importRows(
    databaseUrl,
    'statuses',
    own.map((row, n) => ({ ...row, status: statuses[n] })),
  );
  await importRows(
    databaseUrl,
    'bookmarks',
    own.map((row, n) => ({ ...row, note: n ? `note ${n}` : null })),
  );
  await importRows(
    databaseUrl,
    'plants',
    ids.map((id, n) => ({ id, username: 'ada', name: `plant ${n}`, tag: n ? 'dp' : null, target: n + 1 })),
  );
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 1000 });
  const [credentials = 0n] = await store.revisions(['credentials']);
  await deletePlant(store, 2n ** 53n + 1n, undefined, credentials);
  await store.close();
}

function dump(file: string): string {
  const connection = new Database(file, { readonly: true }).defaultSafeIntegers(true);
  const pragma = (name: string) => String(connection.pragma(name, { simple: true }));
  const lines = [
    `-- Schema ${newestVersion} as it was released, with rows. Written by npm run freeze:schema; never changed.`,
    ...['page_size', 'journal_mode', 'application_id'].map((name) => `PRAGMA ${name} = ${pragma(name)};`),
  ];
  const objects = connection
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as { type: string; name: string; sql: string }[];
  lines.push(...objects.map(({ sql }) => `${sql};`));
  for (const { name } of objects.filter(({ type }) => type === 'table')) {
    const rows = connection.prepare(`SELECT * FROM ${name}`).all() as Record<string, unknown>[];
    if (rows.length === 0) throw new Error(`${name} has no rows`);
    for (const row of rows) {
      const columns = Object.keys(row);
      lines.push(`INSERT INTO ${name} (${columns}) VALUES (${columns.map((column) => literal(row[column]))});`);
    }
  }
  connection.close();
  return `${lines.join('\n')}\n`;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  return typeof value === 'bigint' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}
