/**
 * Upgrades: today's program opens a database of any schema that was ever released, on both stores. Every row is kept, the pages show
 * it, the operations answer, and a second start changes nothing. No released migration changes. Downgrades: a database of a newer
 * release is refused with what to do, and what it says works.
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { operations } from '../../src/contract/operations.ts';
import type { Dialect } from '../../src/store/engine.ts';
import { newestVersion } from '../../src/store/migrate.ts';
import { seasons } from '../../src/store/migrations/0031-seasons.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { crawl, routePaths } from '../support/crawl.ts';
import { allThatIsKept, pathOf, postgresDatabase, rowsOf, tamper } from '../support/databases.ts';
import { type Browser, browser, signIn, usualPassword } from '../support/forms.ts';
import { memberWithToken, serve, temporaryFile, temporaryFolder } from '../support/garden.ts';
import { client, exactJson } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { UnfitProgram } from './released/dump.ts';
import { freeze } from './released/freezing.ts';
import {
  betweenFolder,
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
  const tables = await rowsOf(
    databaseUrl,
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const names = tables.map(({ table_name }) => String(table_name));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await rowsOf(databaseUrl, `SELECT * FROM ${name}`)] as const)),
  );
}

/** Tables of facts that are counted when they are read since schema 17. */
const goneTables = ['activity', 'completions', 'problem_counts', 'solved_days'];
/** Revisions that nobody reads since then. */
const goneScopes = /^(?:days|lists|pages|plants)\b/;

/** Every row of before is there, with every value that it had; there may be more columns, rows and tables. */
function assertKept(before: Rows, after: Rows): number {
  let count = 0;
  for (const [table, rows] of before) {
    if (goneTables.includes(table)) continue;
    const columns = Object.keys(rows[0] ?? {});
    const said = (row: Row) => columns.map((column) => (row[column] === null ? 'NULL' : `'${row[column]}'`)).join(', ');
    const found = new Set(after.get(table)?.map(said));
    for (const row of rows) {
      if (table === 'revisions' && goneScopes.test(`${row['scope']}`)) continue;
      assert.ok(found.has(said(row)), `${table} lost ${said(row)}`);
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
    const usual = guessed.has(path) ? [200, 303, 404, 405] : [200, 303];
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
    assert.equal(total, `${rows.get(table)?.length}`, path);
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
const frozen = [releasedFolder, betweenFolder].flatMap((folder) =>
  frozenVersions(folder).flatMap((version) =>
    Object.entries(stores).map(([store, make]) => ({ folder, version, store, make })),
  ),
);

for (const { folder, version, store, make } of frozen)
  test(`a database of schema ${version} on ${store} keeps every row, and all pages and operations answer`, async (t) => {
    const databaseUrl = await make(t);
    await thaw(databaseUrl, folder, version);
    const before = await rowsIn(databaseUrl);
    const migrated = await gardenJson<{ from: number; steps: unknown[] }>(['migrate'], { databaseUrl });
    assert.deepEqual([migrated.from, migrated.steps.length], [version, newestVersion - version]);
    assert.ok(assertKept(before, await rowsIn(databaseUrl)) > 40);
    const { url, stderr, end } = await serveHere(t, { databaseUrl });
    // Pages are the same on both stores (pages-on-both-stores.test.ts), so that one visitor is enough on PostgreSQL.
    for (const visitor of visitorsIn(before).slice(0, store === 'sqlite' ? undefined : 1)) {
      const username = `${visitor['username']}`;
      const one = await (visitor['password_hash'] ? signIn(url, username) : browserOf(url, username));
      assert.ok((await assertPages(one, namesFor(username, before))) > 30);
    }
    const token = frozenToken(folder, version) ?? (await memberWithToken(databaseUrl, 'ada')).token;
    await assertOperations(url, token, before);
    assert.equal(stderr(), '');
    await end({ quietMs: 0, acceptMs: 0, spareMs: 0, settleMs: 1_000, drainMs: 1_000 });
    const between = await rowsIn(databaseUrl);
    const doctor = await gardenHere(['doctor', '--port', '0'], { databaseUrl });
    assert.equal(doctor.code, 0, doctor.stdout);
    const second = await serveHere(t, { databaseUrl });
    assert.equal((await browser(second.url).ask('/authentication/sign-in/')).status, 200);
    assert.deepEqual(await rowsIn(databaseUrl), between);
  });

for (const [store, make] of Object.entries(stores))
  test(`a database of a clone on ${store} that has had migrations in another order gets those that are missing`, async (t) => {
    const databaseUrl = await make(t);
    await thaw(databaseUrl, betweenFolder, 15);
    await tamper(
      databaseUrl,
      seasons[store as Dialect],
      `INSERT INTO schema_migrations VALUES (16, '${seasons.name}', '')`,
    );
    const { steps } = await gardenJson<{ steps: { name: string }[] }>(['migrate'], { databaseUrl });
    assert.equal(steps.length, newestVersion - 16);
    assert.equal((await gardenHere(['doctor', '--port', '0'], { databaseUrl })).code, 0);
    assert.equal((await rowsIn(databaseUrl)).get('schema_migrations')?.length, newestVersion);
  });

test('a file of the first release is brought up to date by garden serve itself', async (t) => {
  const databaseUrl = await temporaryFile(t);
  await thaw(databaseUrl, releasedFolder, 1);
  const before = await rowsIn(databaseUrl);
  const server = await serve(t, { databaseUrl });
  assert.equal(await server.stop(), 0);
  assert.ok(assertKept(before, await rowsIn(databaseUrl)) > 40);
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
    assert.equal((await gardenHere(['doctor', '--port', '0'], { databaseUrl })).code, 0);
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
  assert.equal(current.length, newestVersion, 'a file for each migration in the list');
  assert.deepEqual(current.slice(0, released.length), released);
});

const refusal =
  /^garden: The database has schema version 99, this program knows \d+; start the newer release, or restore a backup made before the upgrade \(on PostgreSQL: into an empty database\)\.\n$/;

/** Calls of every verb that opens the database. */
function callsOf(other: string, folder: string): string[][] {
  const calls = [
    ...['serve --port 0', 'serve --sample --workers 2 --port 0', 'import problems -', 'export problems', 'sync'],
    ...['member create bob', 'member list', 'member rename ada eva', 'member password ada', 'member invite'],
    ...['member disable ada', 'member enable ada', 'member delete ada --yes', 'token create ada --name new'],
    ...['token list', 'token revoke 1', 'handle add ada codeforces ada', 'handle list', 'handle remove 1'],
    ...['plant add ada --name new', 'plant list', 'plant remove 1', 'sample load', 'sample remove --yes'],
    ...['migrate', 'migrate --dry-run', `backup ${join(folder, 'new.db.gz')}`],
    ...[`copy DATABASE ${other}`, `copy ${other} DATABASE`],
  ];
  return calls.map((call) => call.split(' '));
}

test('every command that opens a database is among those that refuse a newer one', async () => {
  const { stdout } = await gardenHere(['--help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const called = new Set(callsOf('', '').map(([name]) => name));
  const others = commands.filter((name) => !called.has(name));
  assert.deepEqual(others, ['restore', 'config', 'openapi', 'words', 'doctor', 'help']);
});

for (const [store, make] of Object.entries(stores))
  test(`a database of a newer release on ${store} is refused by every command with what to do, and left alone`, async (t) => {
    const [databaseUrl, other, folder] = [await make(t), await temporaryFile(t), await temporaryFolder(t)];
    await thaw(databaseUrl, betweenFolder, 15);
    await gardenJson(['migrate'], { databaseUrl });
    await memberWithToken(other, 'eve');
    const old = join(await temporaryFolder(t), 'old.db.gz');
    await gardenJson(['backup', old], { databaseUrl });
    await tamper(databaseUrl, "INSERT INTO schema_migrations VALUES (99, 'later', '2030-01-01T00:00:00.000Z')");
    const before = await Promise.all([allThatIsKept(databaseUrl), rowsIn(other)]);
    for (const args of callsOf(other, folder)) {
      const input = args[1] === 'password' ? usualPassword : '[]';
      const given = args.map((arg) => (arg === 'DATABASE' ? databaseUrl : arg));
      const { code, stdout, stderr } = await gardenHere(given, { databaseUrl, input });
      assert.deepEqual([code, stdout], [4, ''], args.join(' '));
      assert.match(stderr, refusal, args.join(' '));
    }
    const doctor = await gardenHere(['doctor', '--port', '0'], { databaseUrl });
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /^bad {6}database {2}The database has schema version 99, .* restore a backup/m);
    assert.deepEqual(await Promise.all([allThatIsKept(databaseUrl), rowsIn(other)]), before);
    assert.deepEqual(await readdir(folder), []);
    const place = store === 'sqlite' ? databaseUrl : await make(t);
    const restored = await gardenHere(['restore', old], { databaseUrl: place });
    assert.deepEqual([restored.code, restored.stdout], [0, 'Restored 4 members, 234 problems and 1 working token.\n']);
    assert.equal((await gardenHere(['doctor', '--port', '0'], { databaseUrl: place })).code, 0);
  });
