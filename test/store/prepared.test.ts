/** Prepared statements: each value goes where its name stands, whatever their order, and a statement whose SQL depends on a value is refused. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { insertMany, preparedForMany } from '../../src/store/bulk.ts';
import { perShape, prepared, preparedChange } from '../../src/store/prepared.ts';
import { listRows, updateRow, updateRows, upsertRow } from '../../src/store/rows.ts';
import type { Db } from '../../src/store/tables.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';

const gates = [
  { host: 'a', next_at: 1n },
  { host: 'b', next_at: 2n },
  { host: 'c', next_at: 3n },
];

/** A database with three rows of a table that has two columns. */
async function withGates(t: TestContext, work: (db: Db) => Promise<void>, rows = gates): Promise<void> {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      await insertMany(tx, 'request_slots', rows);
      await work(tx);
    }),
  );
}

const hosts = (rows: readonly { host: string }[]) => rows.map(({ host }) => host).join();

const between = prepared((db, { from, to }: { from: bigint; to: bigint }) =>
  db.selectFrom('request_slots').selectAll().where('next_at', '<=', to).where('next_at', '>=', from).orderBy('host'),
);

test('values go by name, in whatever order they are written and the SQL has them', (t) =>
  withGates(t, async (db) => {
    assert.equal(hosts(await between(db, { from: 2n, to: 3n })), 'b,c');
    assert.equal(hosts(await between(db, { to: 2n, from: 1n })), 'a,b');
    assert.equal(hosts(await between(db, { from: 3n, to: 1n })), '');
  }));

test('a statement is built at its first call, and the same for all databases of an engine', async (t) => {
  let builds = 0;
  const find = prepared((db, { host }: { host: string }) => {
    builds++;
    return db.selectFrom('request_slots').selectAll().where('host', '=', host);
  });
  await withGates(t, async (db) => {
    assert.deepEqual(await find(db, { host: 'b' }), [{ host: 'b', next_at: 2n }]);
  });
  const first = builds;
  await withGates(
    t,
    async (db) => {
      assert.deepEqual(await find(db, { host: 'b' }), [{ host: 'b', next_at: 7n }]);
      assert.deepEqual(await find(db, { host: 'a' }), []);
    },
    [{ host: 'b', next_at: 7n }],
  );
  assert.equal(builds, first);
});

test('a value that stands twice, and constants beside the values, get their places', (t) =>
  withGates(t, async (db) => {
    const find = prepared((tx, { one, least }: { one: string; least: bigint }) =>
      tx
        .selectFrom('request_slots')
        .select(['host', sql<string>`CAST(${'!'} || ${one} AS text)`.as('mark')])
        .where('next_at', '<', 100n)
        .where('next_at', '>=', least)
        .where('host', 'not in', ['c', 'd'])
        .where((eb) => eb.or([eb('host', '=', one), eb('next_at', '=', least)]))
        .orderBy('host')
        .limit(5),
    );
    assert.deepEqual(await find(db, { one: 'b', least: 1n }), [
      { host: 'a', mark: '!b' },
      { host: 'b', mark: '!b' },
    ]);
    assert.deepEqual(await find(db, { least: 2n, one: 'a' }), [{ host: 'b', mark: '!a' }]);
  }));

test('two statements with the same names and values are two', (t) =>
  withGates(t, async (db) => {
    const below = prepared((tx, { at }: { at: bigint }) =>
      tx.selectFrom('request_slots').selectAll().where('next_at', '<', at),
    );
    const above = prepared((tx, { at }: { at: bigint }) =>
      tx.selectFrom('request_slots').selectAll().where('next_at', '>', at),
    );
    assert.equal(hosts(await below(db, { at: 2n })), 'a');
    assert.equal(hosts(await above(db, { at: 2n })), 'c');
  }));

test('null, text that is JSON, and a statement without parameters', (t) =>
  withGates(t, async (db) => {
    const choose = prepared((tx, { host, list }: { host: string | null; list: string }) =>
      tx
        .selectFrom('request_slots')
        .select(['host', sql<string>`CAST(${list} AS text)`.as('list')])
        .where('host', '=', sql<string>`coalesce(CAST(${host} AS text), 'a')`),
    );
    const list = '["a\'b", "?", "$1"]';
    assert.deepEqual(await choose(db, { host: null, list }), [{ host: 'a', list }]);
    assert.deepEqual(await choose(db, { host: 'c', list: 'null' }), [{ host: 'c', list: 'null' }]);
    const all = prepared((tx) => tx.selectFrom('request_slots').selectAll().orderBy('host'));
    assert.equal(hosts(await all(db)), 'a,b,c');
  }));

test('a change says whether there was any', (t) =>
  withGates(t, async (db) => {
    const move = preparedChange((tx, { host, to }: { host: string; to: bigint }) =>
      tx.updateTable('request_slots').set({ next_at: to }).where('host', '=', host),
    );
    assert.equal(await move(db, { host: 'b', to: 9n }), true);
    assert.equal(await move(db, { to: 9n, host: 'nowhere' }), false);
    assert.equal(hosts(await between(db, { from: 9n, to: 9n })), 'b');
  }));

test('a list makes a statement for each length, and many values are asked for in parts', (t) => {
  const rows = Array.from({ length: 250 }, (_, n) => ({ host: `h${n}`, next_at: BigInt(n) }));
  return withGates(
    t,
    async (db) => {
      const among = prepared((tx, { names, least }: { names: readonly string[]; least: bigint }) =>
        tx
          .selectFrom('request_slots')
          .selectAll()
          .where('next_at', '>=', least)
          .where('host', 'in', names)
          .orderBy('next_at'),
      );
      assert.equal(hosts(await among(db, { names: ['h3', 'h1'], least: 0n })), 'h1,h3');
      assert.equal(hosts(await among(db, { least: 2n, names: ['h5', 'h3', 'h1'] })), 'h3,h5');
      assert.equal(hosts(await among(db, { least: 5n, names: ['h5'] })), 'h5');
      assert.equal(hosts(await among(db, { names: ['h9', 'h5'], least: 6n })), 'h9');

      const many = preparedForMany((tx, names: readonly string[], { least }: { least: bigint }) =>
        tx.selectFrom('request_slots').selectAll().where('host', 'in', names).where('next_at', '>=', least),
      );
      for (const count of [0, 1, 2, 100, 101, 250]) {
        const names = rows.slice(0, count).map(({ host }) => host);
        const found = await many(db, names, { least: 1n });
        assert.equal(found.length, Math.max(0, count - 1));
      }
    },
    rows,
  );
});

test('a statement whose SQL depends on a value is refused at its first call', (t) =>
  withGates(t, async (db) => {
    const from = (tx: Db) => tx.selectFrom('request_slots').selectAll();
    const refused = async (call: Promise<unknown>, message: RegExp) => {
      await assert.rejects(call, (error: Error) => message.test(error.message));
    };
    type Least = { least: bigint | null };
    const branch = prepared((tx, { least }: Least) =>
      least === null ? from(tx) : from(tx).where('next_at', '>=', least),
    );
    await refused(branch(db, { least: 1n }), /values change the statement/);
    const truth = prepared((tx, { least }: Least) =>
      from(tx)
        .where('next_at', '=', least)
        .limit(least ? 1 : 2),
    );
    await refused(truth(db, { least: 1n }), /values change the statement/);
    const equal = prepared((tx, { host }: { host: string }) =>
      host === 'a' ? from(tx).where('host', '=', host) : from(tx).where('host', '<>', host),
    );
    await refused(equal(db, { host: 'a' }), /values change the statement/);
    const whole = prepared((tx, { names }: { names: readonly string[] }) =>
      from(tx).where('host', '=', sql<string>`ANY(${names})`),
    );
    await refused(whole(db, { names: ['a'] }), /names is not in/);
    const written = prepared((tx, { host }: { host: string }) => from(tx).where('host', '=', sql.lit(host)));
    await refused(written(db, { host: 'a' }), /Symbol/);
    const changed = prepared((tx, { host }: { host: string }) => from(tx).where('host', '=', `${host}!`));
    await refused(changed(db, { host: 'a' }), /Symbol/);
    const folded = prepared((tx, { host }: { host: string }) => from(tx).where('host', '=', host.toLowerCase()));
    await refused(folded(db, { host: 'a' }), /not a function/);
    const unused = prepared((tx, _: { host: string }) => from(tx));
    await refused(unused(db, { host: 'a' }), /host is not in/);
    const forgotten = { from: 1n } as { from: bigint; to: bigint };
    await refused(between(db, forgotten), /no value of to/);
  }));

test('the compiler knows the names and types of the values', () => {
  const calls = (db: Db) => [
    // @ts-expect-error a name is missing
    between(db, { from: 1n }),
    // @ts-expect-error a name is misspelt
    between(db, { from: 1n, too: 1n }),
    // @ts-expect-error a value has another type
    between(db, { from: 1n, to: '1' }),
    // @ts-expect-error there are no values
    between(db),
    // @ts-expect-error a value may be missing
    prepared((tx, { at }: { at?: bigint }) => tx.selectFrom('request_slots').where('next_at', '=', at ?? 0n)),
    // @ts-expect-error a boolean is no value
    prepared((tx, { all }: { all: boolean }) => tx.selectFrom('request_slots').limit(all ? 1 : 2)),
  ];
  assert.equal(typeof calls, 'function');
});

test('shapes that differ are made apart, and each once', () => {
  const made: string[] = [];
  const of = perShape((table: string, columns: string) => made.push(`${table} ${columns}`));
  assert.deepEqual([of('a', 'b'), of('a', 'c'), of('a', 'b'), of('ab', '')], [1, 2, 1, 3]);
  assert.deepEqual(made, ['a b', 'a c', 'ab ']);
});

test('rows that are named by some columns get the values of those columns, and of no others', (t) =>
  withGates(t, async (db) => {
    const all = () => listRows(db, 'request_slots', {}, 'host');
    assert.deepEqual(await listRows(db, 'request_slots', { host: 'b', next_at: 2n }), [gates[1]]);
    assert.deepEqual(await listRows(db, 'request_slots', { next_at: 3n, host: 'c' }), [gates[2]]);
    assert.equal(await updateRows(db, 'request_slots', { next_at: 2n }, { next_at: 5n }), true);
    assert.equal(await updateRows(db, 'request_slots', { next_at: 2n }, { next_at: 5n }), false);
    await updateRow(db, 'request_slots', ['host'], { next_at: 6n, host: 'c' });
    await upsertRow(db, 'request_slots', ['host'], { next_at: 7n, host: 'a' });
    await upsertRow(db, 'request_slots', ['host'], { host: 'd', next_at: 8n });
    assert.deepEqual(
      (await all()).map(({ host, next_at }) => `${host}${next_at}`),
      ['a7', 'b5', 'c6', 'd8'],
    );
  }));
