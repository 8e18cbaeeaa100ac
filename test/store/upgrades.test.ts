/** Upgrades: a database of any schema that was ever released is brought to the newest with every row, and no released migration changes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { newestVersion, schemaVersion } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import { gardenHere } from '../support/commands.ts';
import { serve, temporaryFile } from '../support/garden.ts';
import { currentMigrations, fixturePath, fixtureVersions, releasedMigrations } from './released/released.ts';

type Rows = Map<string, Record<string, unknown>[]>;

function rowsIn(path: string): Rows {
  const connection = new Database(path, { readonly: true }).defaultSafeIntegers(true);
  const tables = connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all() as string[];
  const rows = tables.map((name) => [name, connection.prepare(`SELECT * FROM ${name}`).all()] as const);
  connection.close();
  return new Map(rows) as Rows;
}

/** Every row of before is there, with every value that it had; there may be more columns, rows and tables. */
function assertKept(before: Rows, after: Rows): number {
  let count = 0;
  for (const [table, rows] of before) {
    const found = after.get(table) ?? [];
    for (const row of rows) {
      const columns = Object.keys(row);
      const isThere = found.some((other) => columns.every((column) => other[column] === row[column]));
      assert.ok(isThere, `${table} lost ${Object.values(row).join(', ')}`);
      count++;
    }
  }
  return count;
}

test('there is a fixture of every released schema', () => {
  assert.deepEqual(
    fixtureVersions(),
    releasedMigrations().map(({ version }) => version),
  );
  assert.ok(fixtureVersions().length > 0);
});

for (const version of fixtureVersions()) {
  test(`a database of schema ${version} is brought to schema ${newestVersion} and keeps every row`, async (t) => {
    const databaseUrl = await temporaryFile(t);
    const path = databaseUrl.slice('sqlite:'.length);
    const made = new Database(path);
    made.exec(readFileSync(fixturePath(version), 'utf8'));
    made.close();
    const before = rowsIn(path);
    assert.ok(
      [...before.values()].every((rows) => rows.length > 0),
      'the fixture has rows in every table',
    );
    const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 1000, checks: true });
    assert.equal(await schemaVersion(store.reader), newestVersion);
    await store.close();
    assert.ok(assertKept(before, rowsIn(path)) > 40);
    const checking = new Database(path);
    assert.deepEqual(checking.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(checking.pragma('foreign_key_check'), []);
    checking.close();
    const { stdout } = await gardenHere(['export', 'problems', '-'], { databaseUrl });
    assert.match(stdout, /"id":-9223372036854775808,"title":"“Quoted”, with\\nlines"/);
    const server = await serve(t, { databaseUrl });
    assert.equal(await server.stop(), 0);
  });
}

test('a row that an upgrade lost or changed is found', () => {
  const rows = (id: bigint, name: string): Rows => new Map([['plants', [{ id, name }]]]);
  assert.equal(assertKept(rows(1n, 'a'), rows(1n, 'a')), 1);
  assert.throws(() => assertKept(rows(1n, 'a'), rows(1n, 'b')), /plants lost 1, a/);
  assert.throws(() => assertKept(rows(1n, 'a'), new Map()), /plants lost/);
});

test('a released migration is as it was when it was released; a change needs a new one', async () => {
  const released = releasedMigrations();
  const current = await currentMigrations();
  assert.equal(current.length, newestVersion, 'a file for each migration in the list');
  assert.deepEqual(current.slice(0, released.length), released);
});
