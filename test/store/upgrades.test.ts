/**
 * Upgrades: today's program opens a database of any schema that was ever released, on both stores. Every row is kept, the pages show
 * it, the operations answer, and a second start changes nothing. No released migration changes. A later program, which has one
 * migration more, brings such a database up to date. One of a newer release or of before schema 1 is refused with what to do.
 */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { operations } from '../../src/contract/operations.ts';
import { derive } from '../../src/practice/derivation.ts';
import { restoreProblem } from '../../src/practice/merging.ts';
import { newestVersion, pendingMigrations } from '../../src/store/migrate.ts';
import { snapshotToJson } from '../../src/store/removed-problems.ts';
import { findStatuses } from '../../src/store/statuses.ts';
import { commandLine, gardenHere, gardenJson } from '../support/commands.ts';
import { crawl, routePaths } from '../support/crawl.ts';
import { allThatIsKept, pathOf, postgresDatabase, rowsOf, tablesOf, tamper } from '../support/databases.ts';
import { type Browser, browser, signIn, usualPassword } from '../support/forms.ts';
import { garden, memberWithToken, root, serve, temporaryFile, temporaryFolder, withStore } from '../support/garden.ts';
import { client, exactJson } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { withClient } from '../support/postgres-server.ts';
import { UnfitProgram } from './released/dump.ts';
import { freeze } from './released/freezing.ts';
import {
  currentMigrations,
  frozenToken,
  frozenVersions,
  releasedFolder,
  releasedMigrations,
  thaw,
} from './released/released.ts';

type Row = Record<string, unknown>;
type Rows = Map<string, Row[]>;

async function rowsIn(databaseUrl: string): Promise<Rows> {
  if (databaseUrl.startsWith('sqlite:')) {
    const connection = new Database(pathOf(databaseUrl), { readonly: true }).defaultSafeIntegers(true);
    const tables = connection
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all() as string[];
    const rows = tables.map((name) => [name, connection.prepare(`SELECT * FROM ${name}`).all() as Row[]] as const);
    connection.close();
    return new Map(rows);
  }
  const tables = await tablesOf(databaseUrl);
  return withClient(databaseUrl, async (client) => {
    const rows: Rows = new Map();
    for (const name of tables) rows.set(name, (await client.query(`SELECT * FROM ${name}`)).rows);
    return rows;
  });
}

/** What a later schema calls a table or a column of an earlier one. */
const renamedTables: Readonly<Record<string, string>> = { judge_gates: 'request_slots' };
const renamedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  arrivals: { way: 'channel', lost: 'unmatched', lost_text: 'unmatched_text' },
  handle_proofs: { way: 'method' },
  handles: { brought_at: 'imported_at' },
  solves: { way: 'origin' },
  statuses: { overtaken_status: 'earlier_status', overtaken_at: 'earlier_at', listed_by: 'solved_list_source' },
};

/** Every row of before is there, with every value that it had; there may be more columns, rows and tables. */
function assertKept(before: Rows, after: Rows): number {
  let count = 0;
  for (const [table, rows] of before) {
    const columns = Object.keys(rows[0] ?? {});
    const names = renamedColumns[table] ?? {};
    const valuesOf = (row: Row) =>
      columns
        .map((column) => row[Object.hasOwn(row, column) ? column : (names[column] ?? column)])
        .map((value) => (value === null ? 'NULL' : `'${value}'`))
        .join(', ');
    const found = new Set((after.get(table) ?? after.get(renamedTables[table] ?? ''))?.map(valuesOf));
    for (const row of rows) {
      assert.ok(found.has(valuesOf(row)), `${table} lost ${valuesOf(row)}`);
      count++;
    }
  }
  return count;
}

/** Names that the pages of a member show: of what is theirs, and for staff of everyone. */
function namesFor(username: string, rows: Rows): string[] {
  const all = (table: string) => rows.get(table) ?? [];
  const { id, role } = all('members').find((row) => row['username'] === username) ?? {};
  const own = (table: string, owner = 'user_id') => all(table).filter((row) => row[owner] === id);
  const groups = own('group_members').map((row) => row['group_id']);
  const named = [
    ...[...own('plants'), ...own('handles'), ...own('lists', 'owner_id')],
    ...all('groups').filter((row) => groups.includes(row['id'])),
  ];
  const members = role === 'staff' ? all('members') : [];
  return [...named.map((row) => `${row['name']}`), ...members.map((row) => `${row['username']}`)];
}

/** Addresses with the id 1 for every id, of which a garden has only some; and of forms alone. */
const guessed = new Set(routePaths.map((path) => path.replace(/:\w+/g, '1')));
const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const plain = (html: string) => html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (one) => entities[one] ?? one);

/** Opens every page that the member can reach; answers how many. */
async function assertPages(one: Browser, names: readonly string[]): Promise<number> {
  const ask: Browser['ask'] = async (path, ...rest) => {
    const reply = await one.ask(path, ...rest);
    const usual = guessed.has(path) ? [200, 303, 308, 404, 405] : [200, 303];
    assert.ok(usual.includes(reply.status), `${path}: ${reply.status}`);
    return reply;
  };
  const { pages } = await crawl({ ...one, ask }, { withIdAtMost: 1, isBrief: true });
  const shown = [...pages.values()].map(plain).join('\n');
  for (const name of names) assert.ok(shown.includes(name), `no page shows ${name}`);
  return pages.size;
}

/** Asks each of the nine operations for what was there. */
async function assertOperations(url: string, token: string, rows: Rows): Promise<void> {
  const ask = client(url, token);
  const read = async (path: string, query: string) => {
    const reply = await ask(`${path}?${query}`);
    assert.equal(reply.status, 200, path);
    return { total: reply.headers['x-total-count'], said: exactJson(reply.text) };
  };
  const tables = [
    [operations.listRecords, 'members', ''],
    [operations.listProblems, 'problems', ''],
    [operations.listBookmarks, 'bookmarks', 'user'],
    [operations.listProblemStatuses, 'statuses', 'user'],
  ] as const;
  for (const [{ path }, table, user] of tables) {
    const { total, said } = await read(path, `count=true&limit=1${user && '&user=all'}`);
    // A bookmark without a star is a note, which the operations do not answer.
    const shown = rows.get(table)?.filter(({ is_starred }) => `${is_starred}` !== '0');
    assert.equal(total, `${shown?.length}`, path);
    const [first] = said as Row[];
    assert.deepEqual((await read(`${path}${first?.['id']}/`, user && `user=${first?.['user']}`)).said, first);
  }
  const [plant] = rows.get('plants') ?? [];
  assert.equal((await ask(`/plants/${plant?.['id']}`, { method: 'DELETE' })).status, 204);
}

/** Somebody of staff, a coach, and somebody who is neither, as far as there are some. */
function visitorsIn(rows: Rows): Row[] {
  const members = rows.get('members') ?? [];
  const coaches = rows.get('group_members')?.filter(({ role }) => role === 'coach') ?? [];
  const isCoach = ({ id }: Row) => coaches.some(({ user_id }) => user_id === id);
  const [staff, others] = [true, false].map((isStaff) => members.filter(({ role }) => (role === 'staff') === isStaff));
  const plain = others?.find((one) => !isCoach(one));
  return [staff?.[0], others?.find(isCoach), plain].filter((one) => one !== undefined);
}

const stores = { sqlite: temporaryFile, postgres: (t: TestContext) => postgresDatabase(t, { isBare: true }) };
const frozen = frozenVersions(releasedFolder).flatMap((version) =>
  Object.entries(stores).map(([store, make]) => ({ version, store, make })),
);

for (const { version, store, make } of frozen)
  test(`a database of schema ${version} on ${store} keeps every row, and all pages and operations answer`, async (t) => {
    const databaseUrl = await make(t);
    const cli = commandLine(databaseUrl);
    await thaw(databaseUrl, releasedFolder, version);
    const before = await rowsIn(databaseUrl);
    const isOldFile = store === 'sqlite' && version < newestVersion;
    if (isOldFile) {
      const folder = await temporaryFolder(t);
      const { rows } = await cli.json<{ rows: number }>(['backup', '--backup-dir', folder]);
      assert.equal(rows, [...before.values()].flat().length);
      assert.deepEqual(await rowsOfBackup(t, folder), before);
      const other = await temporaryFile(t);
      await memberWithToken(other, 'eve');
      const env = { BACKUP_DIR: '/dev/null/x' };
      const reason = '/dev/null/x: /dev/null is not a folder;';
      for (const args of [['migrate'], ['copy', other, databaseUrl]]) {
        const { stderr } = await cli.run(args, { env });
        assert.match(stderr, new RegExp(`^Before the update .* \\(BACKUP_DIR\\)\\.\ngarden: ${reason} choose another`));
      }
      const { code, stderr: plan } = await cli.run('migrate --dry-run', { env });
      assert.deepEqual([code, plan], [1, `garden: No backup can be made: ${reason} set BACKUP_DIR.\n`]);
      assert.deepEqual(await rowsIn(databaseUrl), before);
    }
    const migrated = await cli.json<{ from: number; steps: unknown[] }>('migrate');
    assert.deepEqual([migrated.from, migrated.steps.length], [version, newestVersion - version]);
    const backups = join(dirname(pathOf(databaseUrl)), 'backups');
    if (isOldFile) assert.deepEqual(await rowsOfBackup(t, backups), before);
    assert.ok(assertKept(before, await rowsIn(databaseUrl)) > 40);
    const { url, stderr, end } = await serveHere(t, { databaseUrl });
    // Pages are the same on both stores (pages-on-both-stores.test.ts), and what is of today's schema is not upgraded: one visitor is enough.
    for (const visitor of visitorsIn(before).slice(0, isOldFile ? undefined : 1)) {
      const username = `${visitor['username']}`;
      const one = await (visitor['password_hash'] ? signIn(url, username) : browserOf(url, username));
      assert.ok((await assertPages(one, namesFor(username, before))) > 30);
    }
    await assertOperations(url, frozenToken(releasedFolder, version), before);
    assert.equal(stderr(), '');
    await end({ quietMs: 0, acceptMs: 0, keepIdleMs: 0, settleMs: 1_000, drainMs: 1_000 });
    const between = await rowsIn(databaseUrl);
    const doctor = await cli.run('doctor --port 0');
    assert.equal(doctor.code, 0, doctor.stdout);
    const second = await serveHere(t, { databaseUrl });
    assert.equal((await browser(second.url).ask('/authentication/sign-in/')).status, 200);
    assert.deepEqual(await rowsIn(databaseUrl), between);
    await deriveEverything(databaseUrl);
    assert.deepEqual(await rowsIn(databaseUrl), between, 'what the earlier program computed is what this one computes');
  });

/** A backup of a file that an older release made, as that release would read it; there is only one in the folder. */
async function rowsOfBackup(t: TestContext, folder: string): Promise<Rows> {
  const [name = '', ...more] = (await readdir(folder)).filter((one) => one.endsWith('.db.gz'));
  assert.deepEqual(more, []);
  const copy = await temporaryFile(t);
  await writeFile(pathOf(copy), gunzipSync(await readFile(join(folder, name))));
  return rowsIn(copy);
}

const emptyTables = ['bookmarks', 'changes', 'list_items', 'solved_counts', 'added_problems'];

/** A problem that staff removed, as a program of schema 1 stored it. */
function removedBySchema1(id: bigint, source_key: string, merged: readonly object[] = []) {
  const at = new Date().toISOString();
  const named = { id, source: 'codeforces', source_key, title: `Problem ${source_key}` };
  const lists = { url: null, rating: null, tags: '[]', aliases: '[]', editorial_url: null, video_url: null };
  const problem = { ...named, ...lists, search_text: '', is_sample: 0n, created_at: at, updated_at: at, is_gym: 0n };
  const judged = { self_status: null, self_at: null, judge_status: 'complete', judge_at: null, how: null };
  const earlier = { overtaken_status: 'attempted', overtaken_at: at, listed_by: 'vjudge' };
  const rows = {
    statuses: [{ user_id: 1n, problem_id: id, ...judged, ...earlier }],
    ...Object.fromEntries(emptyTables.map((table) => [table, []])),
  };
  const before = snapshotToJson({ dropped: { problem, rows, submissions: [], merged }, said: [] });
  return { ...named, merged_into: null, before, removed_at: at };
}

for (const [store, make] of Object.entries(stores))
  test(`what staff removed from a database of schema 1 on ${store} comes back after the upgrade`, async (t) => {
    const databaseUrl = await make(t);
    await thaw(databaseUrl, releasedFolder, 1);
    const [inner, outer] = [900_001n, 900_002n];
    const row = removedBySchema1(outer, '9002B', [{ ...removedBySchema1(inner, '9001A'), merged_into: outer }]);
    const values = Object.values(row).map((value) => (value === null ? 'NULL' : `'${value}'`));
    await tamper(databaseUrl, `INSERT INTO removed_problems (${Object.keys(row)}) VALUES (${values})`);
    await gardenJson('migrate', { databaseUrl });
    await withStore(databaseUrl, async (program) => {
      for (const id of [outer, inner]) {
        await restoreProblem(program, id);
        const [status] = await findStatuses(program.reader, 1n, [id]);
        const { earlier_status, solved_list_source, judge_status } = status ?? {};
        assert.deepEqual([judge_status, earlier_status, solved_list_source], ['complete', 'attempted', 'vjudge']);
      }
    });
  });

async function deriveEverything(databaseUrl: string): Promise<void> {
  await withStore(databaseUrl, async (store) => {
    const problems = await store.reader.selectFrom('problems').select('id').execute();
    const ids = problems.map(({ id }) => id);
    for (const { id } of await store.reader.selectFrom('members').select('id').execute())
      await store.write((tx) => derive(tx, id, ids));
  });
}

async function thawNewest(databaseUrl: string): Promise<void> {
  await thaw(databaseUrl, releasedFolder, frozenVersions(releasedFolder).at(-1) ?? 0);
  await gardenJson('migrate', { databaseUrl });
}

/** Today's program with one migration more, in a folder of its own; answers how to run it. */
async function laterProgram(t: TestContext) {
  const folder = await temporaryFolder(t);
  for (const name of ['src', 'bin', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['docs', 'node_modules']) await symlink(join(root, name), join(folder, name));
  const path = join(folder, 'src', 'store', 'migrate.ts');
  const text = await readFile(path, 'utf8');
  const added = text
    .replace(/(?=import type \{ Db \})/, "import { mottos } from './migrations/9999-mottos.ts';\n")
    .replace(/(?<=const migrations: readonly Migration\[\] = \[[^\]]*)(?=\];)/, ', mottos');
  assert.equal(added.match(/mottos/g)?.length, 3);
  await writeFile(path, added);
  await writeFile(join(folder, 'src', 'store', 'migrations', '9999-mottos.ts'), mottos);
  return { launcher: join(folder, 'bin', 'garden'), env: { NODE_COMPILE_CACHE: join(folder, 'cache') } };
}

const mottos = `import { onBothEngines } from '../engine.ts';
export const mottos = { name: 'mottos', why: 'Members have a motto.', ...onBothEngines(\`
  ALTER TABLE members ADD COLUMN motto TEXT;
  UPDATE members SET motto = 'Grow; ' || username;
  CREATE TABLE mottos (id INTEGER PRIMARY KEY, motto TEXT NOT NULL) STRICT;
  INSERT INTO mottos (id, motto) SELECT id, motto FROM members;
\`) };
`;

test("a later program with one migration more brings a database up to date, and today's refuses it then", async (t) => {
  const program = await laterProgram(t);
  const version = newestVersion + 1;
  for (const [store, make] of Object.entries(stores)) {
    const databaseUrl = await make(t);
    await thawNewest(databaseUrl);
    const before = await rowsIn(databaseUrl);
    const later = { databaseUrl, ...program };
    // A server brings a file up to date by itself. On PostgreSQL several processes may do so at once.
    if (store === 'sqlite') {
      const { stdout } = await garden(['migrate', '--dry-run', '--json'], later);
      const steps = [{ version, name: 'mottos', why: 'Members have a motto.' }];
      assert.partialDeepStrictEqual(JSON.parse(stdout), { from: newestVersion, to: version, steps });
      assert.deepEqual(await rowsIn(databaseUrl), before);
      const server = await serve(t, later);
      assert.equal(await server.stop(), 0);
      assert.match(server.stderr(), /^Before the update of the schema, a backup is written to /m);
    } else for (const run of await Promise.all([1, 2].map(() => garden(['migrate'], later)))) assert.equal(run.code, 0);
    const after = await rowsIn(databaseUrl);
    assert.equal(after.get('schema_migrations')?.length, version);
    assert.ok(assertKept(before, after) > 40);
    const members = before.get('members')?.map(({ username }) => `Grow; ${username}`);
    assert.deepEqual(
      after
        .get('mottos')
        ?.map(({ motto }) => motto)
        .sort(),
      members?.sort(),
    );
    const today = await gardenHere('member list', { databaseUrl });
    assert.equal(today.code, 4);
    assert.match(today.stderr, new RegExp(`has schema version ${version}, this program knows ${newestVersion};`));
  }
});

/** Statements that number a database of schema 1 as the 35 migrations did that stood in its place before. */
const oldNumbers = (count: number) => {
  const rows = Array.from(
    { length: count },
    (_, at) => `(${at + 1}, '${at === 0 ? 'foundation' : `step-${at + 1}`}', '')`,
  );
  return ['DELETE FROM schema_migrations', `INSERT INTO schema_migrations VALUES ${rows}`];
};

for (const [store, make] of Object.entries(stores))
  test(`a database on ${store} that all migrations of before schema 1 made is opened, and gets the number 1`, async (t) => {
    const databaseUrl = await make(t);
    await thaw(databaseUrl, releasedFolder, 1);
    const constraints = "SELECT conname FROM pg_constraint WHERE conrelid = 'statuses'::regclass ORDER BY 1";
    const named = async () => (store === 'sqlite' ? [] : rowsOf(databaseUrl, constraints));
    const names = await named();
    const renamed = names.map(
      ({ conname }) => `RENAME CONSTRAINT ${conname} TO ${`${conname}`.replace('_', '_anew_')}`,
    );
    await tamper(databaseUrl, ...oldNumbers(35), ...renamed.map((one) => `ALTER TABLE statuses ${one}`));
    const before = await rowsIn(databaseUrl);
    const doctor = await gardenHere('doctor --port 0', { databaseUrl });
    assert.match(
      doctor.stdout,
      /database .* has an older schema \(schema version 1, this program needs \d+\); run garden migrate/,
    );
    assert.deepEqual(await rowsIn(databaseUrl), before, 'a reading command changes nothing');
    const runs = await Promise.all([garden(['migrate'], { databaseUrl }), gardenHere('migrate', { databaseUrl })]);
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0],
    );
    const after = await rowsIn(databaseUrl);
    const numbers = after.get('schema_migrations')?.map(({ version, name }) => `${version} ${name}`);
    assert.deepEqual(numbers?.slice(0, 1), ['1 schema']);
    assert.equal(numbers?.length, newestVersion);
    before.delete('schema_migrations');
    assert.ok(assertKept(before, after) > 40);
    assert.deepEqual(await named(), names);
  });

test("today's schema can be frozen when it is released, and is the same again on both stores", async (t) => {
  const folder = await temporaryFolder(t);
  try {
    await freeze(t, folder);
  } catch (error) {
    if (error instanceof UnfitProgram) return t.skip(error.message);
    throw error;
  }
  const made: Rows[] = [];
  for (const make of Object.values(stores)) {
    const databaseUrl = await make(t);
    await thaw(databaseUrl, folder, newestVersion);
    made.push(await rowsIn(databaseUrl));
    assert.equal((await gardenHere('doctor --port 0', { databaseUrl })).code, 0);
  }
  const [one, other] = made;
  assert.ok(one && other);
  assert.equal(assertKept(one, other), assertKept(other, one));
});

test('a row that an upgrade lost or changed is found', () => {
  const rows = (id: bigint, name: string): Rows => new Map([['plants', [{ id, name }]]]);
  assert.equal(assertKept(rows(1n, 'a'), rows(1n, 'a')), 1);
  assert.throws(() => assertKept(rows(1n, 'a'), rows(1n, 'b')), /plants lost '1', 'a'/);
  assert.throws(() => assertKept(rows(1n, 'a'), new Map()), /plants lost/);
});

test('the newest released schema is frozen, and a released migration is as it was; a change needs a new one', async () => {
  const released = releasedMigrations();
  assert.equal(frozenVersions(releasedFolder).at(-1), released.length);
  const current = await currentMigrations();
  const listed = pendingMigrations(0).map(({ version, name }) => ({ version, name }));
  assert.deepEqual(
    current.map(({ version, name }) => ({ version, name })),
    listed,
    'a file with the number of each migration in the list',
  );
  assert.deepEqual(current.slice(0, released.length), released);
});

/** Calls of every verb that opens the database. */
function callsOf(other: string, folder: string): string[][] {
  const calls = [
    ...['import problems -', 'export problems', 'sync'],
    ...['member create bob', 'member list', 'member rename ada eva', 'member password ada', 'member invite'],
    ...['member disable ada', 'member enable ada', 'member delete ada --yes', 'token create ada --name new'],
    ...['token list', 'token revoke 1', 'handle add ada codeforces ada', 'handle list', 'handle remove 1'],
    ...['plant add ada --name new', 'plant list', 'plant remove 1', 'sample load', 'sample remove --yes'],
    ...['migrate', 'migrate --dry-run', `backup ${join(folder, 'new.db.gz')}`],
    ...[`copy DATABASE ${other}`, `copy ${other} DATABASE`],
    // A server that is not refused never ends, so the other commands come first.
    ...['serve --port 0', 'serve --sample --workers 2 --port 0'],
  ];
  return calls.map((call) => call.split(' '));
}

test('every command that opens a database is among those that refuse a newer one', async () => {
  const { stdout } = await gardenHere('--help');
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const called = new Set(callsOf('', '').map(([name]) => name));
  const others = commands.filter((name) => !called.has(name));
  assert.deepEqual(others, ['restore', 'config', 'openapi', 'words', 'doctor', 'help']);
});

/** The refusal is in one place. One of each way to the database would notice if it were not on this store, or for this schema. */
const fewCalls = /^(?:export|member create|token list|migrate|backup|copy|serve --port 0)/;

interface Foreign {
  what: string;
  statements: string[];
  sentence: string;
}

const foreign: Foreign[] = [
  {
    what: 'of a newer release',
    statements: ["INSERT INTO schema_migrations VALUES (99, 'later', '2030-01-01T00:00:00.000Z')"],
    sentence: `The database has schema version 99, this program knows ${newestVersion}; start the newer release, or restore a backup made before the upgrade (on PostgreSQL: into an empty database).`,
  },
  {
    what: 'of before schema 1',
    statements: oldNumbers(34),
    sentence:
      'The database is from before schema 1 (it has 34 of the 35 steps to it), and only commit 6cfdfbe505d2 updates it: run git checkout 6cfdfbe505d2, npm ci and bin/garden migrate (for a backup, bin/garden restore), then use this program again.',
  },
];

for (const [store, make] of Object.entries(stores))
  for (const [at, { what, statements, sentence }] of foreign.entries()) {
    const isWhole = store === 'sqlite' && at === 0;
    const by = isWhole ? 'every command' : 'one command of each kind';
    test(`a database ${what} on ${store} is refused by ${by} with what to do, and left alone`, async (t) => {
      const [databaseUrl, other, folder] = [await make(t), await temporaryFile(t), await temporaryFolder(t)];
      const cli = commandLine(databaseUrl);
      await thawNewest(databaseUrl);
      await memberWithToken(other, 'eve');
      const old = join(await temporaryFolder(t), 'old.db.gz');
      const isRestored = at === 0;
      if (isRestored) await cli.json(['backup', old]);
      await tamper(databaseUrl, ...statements);
      const before = await Promise.all([allThatIsKept(databaseUrl), rowsIn(other)]);
      for (const args of callsOf(other, folder)) {
        if (!isWhole && !fewCalls.test(args.join(' '))) continue;
        const input = args[1] === 'password' ? usualPassword : '[]';
        const given = args.map((arg) => (arg === 'DATABASE' ? databaseUrl : arg));
        const run = await cli.run(given, { input });
        assert.deepEqual(run, { code: 4, stdout: '', stderr: `garden: ${sentence}\n` }, args.join(' '));
      }
      const doctor = await cli.run('doctor --port 0');
      assert.equal(doctor.code, 1);
      assert.ok(doctor.stdout.includes(`\nbad      database  ${sentence}\n`), doctor.stdout);
      assert.deepEqual(await Promise.all([allThatIsKept(databaseUrl), rowsIn(other)]), before);
      assert.deepEqual(await readdir(folder), []);
      if (!isRestored) return;
      const place = store === 'sqlite' ? databaseUrl : await make(t);
      const restored = await gardenHere(['restore', old], { databaseUrl: place });
      assert.deepEqual(
        [restored.code, restored.stdout],
        [0, 'Restored 7 members, 92 problems and 4 working tokens.\n'],
      );
      assert.equal((await gardenHere('doctor --port 0', { databaseUrl: place })).code, 0);
    });
  }
