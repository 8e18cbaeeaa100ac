/** Many rows by few statements: each row has its own values, those that all share and those that are null, whatever their number. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { insertMany, insertMissing, preparedForMany, upsertInto } from '../../src/store/bulk.ts';
import { type Engine, registerEngine } from '../../src/store/engine.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import type { Db } from '../../src/store/tables.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';

const id = (n: number) => BigInt(n + 1);
const shared = { title: "It's «ours» ?", source: 'pond', tags: '["dp"]', aliases: '[]' };
const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };

/** An engine that writes down the parameters of each statement, and whether its placeholders count them in order. */
function dryEngine(canShareValues: boolean) {
  const ran: unknown[][] = [];
  const run = ({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) => {
    ran.push([...parameters]);
    assert.deepEqual(
      sql.match(/\$\d+/g),
      parameters.map((_, n) => `$${n + 1}`),
    );
    return { rows: [] };
  };
  const engine = { dialect: 'postgres', canShareValues, placeholder: (n: number) => `$${n}`, run };
  const adapter = registerEngine(new PostgresAdapter(), engine as unknown as Engine);
  const dialect = {
    createAdapter: () => adapter,
    createDriver: () => new DummyDriver(),
    createIntrospector: (db: Db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return { db: new Kysely({ dialect }) as Db, ran };
}

test('many rows, values and scopes are few statements, and what all rows share is bound once', async () => {
  const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ host: `h${n}`, next_at: 7n }));
  const cases: [canShare: boolean, count: number, values: number[]][] = [
    [true, 99, [40, 40, 40, 40, 8, 8, 8, 8, 2, 2, 2]],
    [true, 100, [101]],
    [false, 100, [200]],
    [true, 1249, [501, 501, 101, 101, 21, 21, 5, 5, 2]],
  ];
  for (const [canShare, count, values] of cases) {
    const { db, ran } = dryEngine(canShare);
    await insertMany(db, 'request_slots', rowsOf(count));
    assert.deepEqual(
      [ran.map(({ length }) => length), ran.at(-1)?.at(-1)],
      [values, canShare && count > 99 ? `h${count - 1}` : 7n],
    );
  }
  const { db, ran } = dryEngine(true);
  await insertMany(db, 'request_slots', Array(100).fill({ host: 'h', next_at: 7n }));
  assert.equal(ran.pop()?.length, 200, 'a list of values needs a column');

  const hosts = rowsOf(101).map(({ host }) => host);
  const many = preparedForMany((tx, some: readonly string[]) =>
    tx.selectFrom('request_slots').selectAll().where('host', 'in', some),
  );
  await many(db, hosts);
  await many(db, hosts.slice(0, 1));
  await many(db, hosts.slice(0, 2));
  assert.deepEqual(ran.splice(0), [
    hosts.slice(0, 100),
    Array(100).fill('h100'),
    ['h0'],
    ['h0', ...Array(99).fill('h1')],
  ]);

  const scopes = hosts.map((_, n) => `solves:${BigInt(n)}` as const);
  const sorted = scopes.toSorted();
  await bumpRevisions(db, [...scopes, ...scopes]);
  assert.deepEqual(ran, [sorted.slice(0, 100), sorted.slice(100)]);
});

test('rows that share values, differ in all, or have nulls are stored as they are', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    for (const count of [0, 1, 99, 100, 101, 624, 1007]) {
      const rows = Array.from({ length: count }, (_, n) => ({
        id: id(n),
        source_key: `${n}A`,
        rating: n % 5 === 0 ? null : BigInt(n),
        url: null,
        editorial_url: count % 2 ? null : 'https://pond.test/',
        video_url: null,
        search_text: 'same',
        is_sample: 0n,
        is_gym: 0n,
        ...shared,
        ...times,
      }));
      const inserted = await store.write((tx) => insertMany(tx, 'problems', rows));
      assert.equal(inserted, BigInt(count));
      assert.deepEqual(await store.reader.selectFrom('problems').selectAll().orderBy('id').execute(), rows);
      await store.write((tx) => tx.deleteFrom('problems').execute());
    }
  });
});

test('rows that are there already are changed, also where all new ones share a value', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const count = (host: string, next_at: bigint) => ({ host, next_at });
    const upsert = upsertInto('request_slots', (insert) =>
      insert.onConflict((conflict) =>
        conflict
          .column('host')
          .doUpdateSet(({ ref }) => ({ next_at: ref('excluded.next_at') }))
          .whereRef('request_slots.next_at', '<>', 'excluded.next_at' as 'next_at'),
      ),
    );
    const add = (rows: readonly ReturnType<typeof count>[]) => store.write((tx) => upsert(tx, rows));
    const names = Array.from({ length: 150 }, (_, n) => `t${n}`);
    assert.equal(await add(names.map((name) => count(name, 7n))), 150n);
    assert.equal(await add(names.map((name, n) => count(name, n < 10 ? 8n : 7n))), 10n);
    assert.equal(await add(names.map((name) => count(name, 7n))), 10n);
    const stored = await store.reader.selectFrom('request_slots').selectAll().execute();
    assert.deepEqual(new Set(stored.map((row) => row.next_at)), new Set([7n]));
    assert.equal(stored.length, 150);
  });
});

test('what becomes of rows that are there already depends on the function, not on the table alone', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const overwrite = upsertInto('request_slots', (insert) =>
        insert.onConflict((conflict) =>
          conflict.column('host').doUpdateSet(({ ref }) => ({ next_at: ref('excluded.next_at') })),
        ),
      );
      const count = (next_at: bigint) => [{ host: 'a', next_at }];
      const stored = async () => (await tx.selectFrom('request_slots').selectAll().execute())[0]?.next_at;
      assert.deepEqual([await insertMany(tx, 'request_slots', count(1n)), await stored()], [1n, 1n]);
      assert.deepEqual([await insertMissing(tx, 'request_slots', count(2n)), await stored()], [0n, 1n]);
      assert.deepEqual([await overwrite(tx, count(3n)), await stored()], [1n, 3n]);
      assert.deepEqual([await insertMissing(tx, 'request_slots', count(4n)), await stored()], [0n, 3n]);
    }),
  );
});

test('what becomes of rows that are there already depends on no value', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async (store) => {
    const reset = upsertInto('request_slots', (insert) =>
      insert.onConflict((conflict) => conflict.column('host').doUpdateSet({ next_at: 0n })),
    );
    const call = store.write((tx) => reset(tx, [{ host: 'a', next_at: 1n }]));
    await assert.rejects(call, /a value stands in/);
  });
});
