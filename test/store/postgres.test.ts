/** PostgreSQL from the command line: migrating, every verb, addresses and passwords, and what is said where it cannot be reached. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import pg from 'pg';
import { newestVersion } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import { readAddress } from '../../src/store/postgres/pool.ts';
import { bumpRevisions } from '../../src/store/revisions.ts';
import { commandLine, gardenHere, gardenJson } from '../support/commands.ts';
import { postgresDatabase, tablesOf } from '../support/databases.ts';
import { garden, serve, temporaryDatabase, temporaryFile, temporaryFolder } from '../support/garden.ts';
import { listenOn } from '../support/ports.ts';
import { execute } from '../support/postgres-server.ts';

interface MigrationReport {
  database: string;
  from: number;
  to: number;
  steps: { version: number; name: string }[];
  dry_run: boolean;
}

describe('PostgreSQL', { concurrency: 2 }, () => {
  test('a database without the schema is refused by every verb, with what to do, and left alone', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true });
    for (const command of ['serve --port 0', 'member create ada', 'export problems', 'sample load']) {
      const { code, stdout, stderr } = await gardenHere(command, { databaseUrl });
      assert.deepEqual([code, stdout], [4, ''], command);
      assert.match(
        stderr,
        /^garden: The database postgres:.* has no tables of the garden yet \(schema version 0, this program needs \d+\); run garden migrate .*\.\n$/,
      );
    }
    const doctor = await gardenHere('doctor --port 0', { databaseUrl });
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /^bad {6}database .*run garden migrate/m);
    assert.deepEqual(await tablesOf(databaseUrl), []);
  });

  test('garden migrate says what it would do, does it once, and then has nothing to do', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true });
    const cli = commandLine(databaseUrl);
    const dry = await cli.run('migrate --dry-run');
    assert.equal(dry.code, 0);
    assert.match(dry.stdout, /^1 schema: All tables of the garden\.$/m);
    assert.match(dry.stderr, /^Would update .* from schema 0 to \d+\. Dry run: nothing was changed\.\n$/);
    assert.deepEqual(await tablesOf(databaseUrl), []);
    const done = await cli.json<MigrationReport>('migrate');
    assert.deepEqual([done.from, done.to, done.steps.length, done.dry_run], [0, newestVersion, newestVersion, false]);
    assert.equal((await tablesOf(databaseUrl)).length, 86);
    const again = await cli.run('migrate');
    assert.deepEqual([again.code, again.stdout], [0, '']);
    assert.match(again.stderr, /already has schema \d+; nothing to do\.\n$/);
    const file = commandLine(await temporaryFile(t));
    const onFile = await file.json<MigrationReport>('migrate --dry-run');
    assert.deepEqual([onFile.from, onFile.steps.length], [0, newestVersion]);
    assert.equal((await file.json<MigrationReport>('migrate')).steps.length, newestVersion);
    assert.equal((await file.json<MigrationReport>('migrate --dry-run')).from, newestVersion);
  });

  test('a database that is not encoded in UTF8 gets no tables', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true, encoding: 'SQL_ASCII' });
    const file = await temporaryDatabase(t);
    for (const command of ['migrate --dry-run', 'migrate', `copy ${file} ${databaseUrl}`]) {
      const { code, stderr } = await gardenHere(command, { databaseUrl });
      assert.equal(code, 4, command);
      assert.match(stderr, /its encoding is SQL_ASCII, not UTF8; create another one with createdb --encoding=UTF8 /);
    }
    assert.deepEqual(await tablesOf(databaseUrl), []);
  });

  test('many that migrate at once apply each step once', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true });
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => gardenJson<MigrationReport>('migrate', { databaseUrl })),
    );
    const applied = runs.flatMap(({ steps }) => steps.map(({ version }) => version));
    assert.deepEqual(
      applied.sort((one, other) => one - other),
      Array.from({ length: newestVersion }, (_, n) => n + 1),
    );
    const rows = await execute(databaseUrl, 'SELECT version::int FROM schema_migrations');
    assert.equal(rows.length, newestVersion);
    assert.equal((await execute(databaseUrl, 'SELECT name FROM settings')).length, 2);
  });

  test('serve --sample, which is npm start, sets an empty database up by itself', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true });
    const server = await serve(t, { databaseUrl, args: ['--sample'] });
    assert.equal((await fetch(`${server.url}/problem_list/api/problems/`)).status, 401);
    assert.equal(await server.stop(), 0);
    assert.match(server.stdout(), /API token of the demo account \(shown only now\): pgt_/);
    const doctor = await gardenHere('doctor --port 0', { databaseUrl });
    assert.equal(doctor.code, 0);
    assert.match(
      doctor.stdout,
      /^good {5}database .*: PostgreSQL [\d.]+.*, schema \d+ of \d+, 14 members, \d+ problems, 1 working token$/m,
    );
    assert.doesNotMatch(doctor.stdout, /disk/);
  });

  test('serve --sample leaves a database with other tables in it alone', async (t) => {
    const databaseUrl = await postgresDatabase(t, { isBare: true });
    await execute(databaseUrl, 'CREATE TABLE theirs (id int)');
    const { code, stderr } = await garden(['serve', '--sample', '--port', '0'], { databaseUrl });
    assert.equal(code, 4);
    assert.match(stderr, /run garden migrate/);
    assert.deepEqual(await tablesOf(databaseUrl), ['theirs']);
  });

  test('a server that is unreachable, missing or unwilling is reported in one sentence, without the password', async (t) => {
    const databaseUrl = await postgresDatabase(t);
    const mute = await listenOn(t, createServer());
    const cases: [url: string, code: number, says: RegExp][] = [
      ['postgres://ada:s3cret@127.0.0.1:1/garden', 4, /ada@127\.0\.0\.1:1\/garden cannot be reached \(ECONNREFUSED\)/],
      [`postgres://ada:s3cret@127.0.0.1:${mute}/garden`, 4, /cannot be reached \(it does not answer\)/],
      [
        'postgres://ada:s3cret@nowhere.invalid/garden',
        4,
        /nowhere\.invalid\/garden cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)/,
      ],
      [
        databaseUrl.replace(/garden_test_\w+/, 'none').replace('postgres@', 'postgres:s3cret@'),
        4,
        /There is no database at postgres:.*createdb/,
      ],
      [
        'postgres://ada:s3cret@127.0.0.1/garden?sslmode=prefer',
        2,
        /sslmode=prefer; it must be one of disable, require/,
      ],
      ['postgres://ada:s3cret@127.0.0.1/garden?pool=3', 2, /parameter "pool"; there are host, port/],
      [
        'postgres://ada:s3c/ret@127.0.0.1/garden',
        2,
        /DATABASE_URL is "postgres:\/\/ada:\*\*\*@127\.0\.0\.1\/garden", .*percent/,
      ],
      ['postgres://a/b:s3cret@h/g', 2, /"postgres:\/\/a:\*\*\*@h\/g"/],
      ['postgre://h/g?password=s3c&x', 2, /"postgre:\/\/h\/g\?password=\*\*\*", which names no database/],
    ];
    for (const [url, code, says] of cases) {
      const run = await gardenHere('member list', { databaseUrl: url });
      assert.deepEqual([run.code, run.stdout], [code, ''], run.stderr);
      assert.match(run.stderr, says);
      assert.match(run.stderr, /^garden: [^\n]+\.\n$/);
      assert.doesNotMatch(run.stderr, /s3c/);
    }
  });

  test('addresses are read as libpq reads them', async (t) => {
    const file = `${await temporaryFolder(t)}/none.pem`;
    const read = (url: string) => {
      const { settings, name } = readAddress(url);
      const { host, port, user, password, database } = settings;
      return [`${host} ${port}`, user, password, database, name];
    };
    assert.deepEqual(read('postgres://ada:p%40ss@db.example:6432/my%20garden'), [
      ...['db.example 6432', 'ada', 'p@ss', 'my garden', 'postgres://ada@db.example:6432/my%20garden'],
    ]);
    assert.deepEqual(read('postgresql://ada:a+b@[::1]:2/g?application_name=a+b'), [
      ...['::1 2', 'ada', 'a+b', 'g', 'postgres://ada@[::1]:2/g'],
    ]);
    assert.deepEqual(read('postgres:///g?host=/run/postgresql&user=ada&password=x'), [
      ...['/run/postgresql 5432', 'ada', 'x', 'g', 'postgres://ada@%2Frun%2Fpostgresql/g'],
    ]);
    assert.deepEqual(read('postgres://ada@%2Frun%2Fpostgresql?dbname=h'), [
      ...['/run/postgresql 5432', 'ada', undefined, 'h', 'postgres://ada@%2Frun%2Fpostgresql/h'],
    ]);
    assert.deepEqual(read('postgres://ada:a@b:c@h')[2], 'a@b:c');
    const tls = (query: string) => readAddress(`postgres://h/g?${query}`).settings.ssl;
    assert.equal(tls(''), false);
    assert.deepEqual(tls('sslmode=require'), { rejectUnauthorized: false });
    assert.deepEqual(tls('sslmode=verify-full&sslrootcert=system'), { rejectUnauthorized: true });
    assert.throws(() => tls(`sslmode=verify-ca&sslrootcert=${file}`), /none\.pem, .* cannot be read \(ENOENT\)/);
    for (const bad of [
      'postgres://h:0/g',
      'postgres://h/g?port=x',
      'postgres://h/g?ssl=true',
      'postgres://h/g?sslmode=verify-ca',
      'postgres://h/g?sslmode=require&sslrootcert=system',
      'postgres://ada:1#2@h/g',
      'postgres://%zz@h/g',
    ]) {
      assert.throws(() => readAddress(bad), { code: 'invalidValue' }, bad);
    }
    for (const several of ['postgres://a,b/g', 'postgres://a:1,b:2/g', 'postgres:///g?host=a,b'])
      assert.throws(() => readAddress(several), {
        code: 'invalidValue',
        message: /several hosts; give the address of the primary/,
      });
  });

  test('a text that its indexes cannot hold is a bad row, with a sentence that says so', async (t) => {
    const databaseUrl = await postgresDatabase(t);
    const key = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('');
    const input = JSON.stringify([{ title: 'One', source: 'cses', source_key: key }]);
    const { code, stderr } = await gardenHere('import problems -', { databaseUrl, input });
    assert.equal(code, 3);
    assert.match(
      stderr,
      /^garden: A key or a tag is too long for an index of the database; keep them below 2,600 bytes\.\n$/,
    );
  });

  test('the revisions that many requests of one turn need are read by one statement', async (t) => {
    const store = await openStore(await postgresDatabase(t), { create: false, lockTimeoutMs: 1_000 });
    t.after(store.close);
    const read = () =>
      Promise.all(Array.from({ length: 20 }, (_, member) => store.revisions([`records:${BigInt(member)}`])));
    const statements = t.mock.method(pg.Client.prototype, 'query');
    const asked = () => statements.mock.calls.filter((call) => /revisions/.test(inspect(call.arguments[0])));
    assert.deepEqual(await read(), Array(20).fill([0n]));
    assert.equal(asked().length, 1);
    await store.write((tx) => bumpRevisions(tx, ['records:7']));
    const after = await read();
    assert.deepEqual(after[7], [1n]);
    assert.deepEqual(after[8], [0n]);
  });

  test('reads see what was written before, and nothing of a write that failed', async (t) => {
    const store = await openStore(await postgresDatabase(t), { create: false, lockTimeoutMs: 500 });
    t.after(() => store.close());
    const tables = await store.reader.selectFrom('members').selectAll().execute();
    assert.deepEqual(tables, []);
    const failing = store.write(async (tx) => {
      await tx.insertInto('deleted_plants').values({ id: 1n }).execute();
      throw new Error('on purpose');
    });
    await assert.rejects(failing, /on purpose/);
    await store.write((tx) =>
      tx
        .insertInto('deleted_plants')
        .values({ id: 2n ** 63n - 1n })
        .execute(),
    );
    assert.deepEqual(await store.reader.selectFrom('deleted_plants').select('id').execute(), [{ id: 2n ** 63n - 1n }]);
    const swallowing = store.write(async (tx) => {
      await tx.insertInto('deleted_plants').values({ id: 2n }).execute();
      await tx
        .insertInto('deleted_plants')
        .values({ id: 2n })
        .execute()
        .catch(() => {});
    });
    await assert.rejects(swallowing, /rolled back/);
    assert.equal((await store.reader.selectFrom('deleted_plants').select('id').execute()).length, 1);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = store.write(async (tx) => {
      await tx.selectFrom('deleted_plants').select('id').execute();
      held.resolve();
      await released.promise;
    });
    await held.promise;
    await assert.rejects(
      store.write(async () => {}),
      { code: 'databaseBusy' },
    );
    released.resolve();
    await holding;
  });
});
