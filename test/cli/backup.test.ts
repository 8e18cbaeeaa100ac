/** A backup is one state of everything, is never half there, and is proven by restoring it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { openGarden } from '../importing/support.ts';
import { releasedFolder, thaw } from '../store/released/released.ts';
import { commandLine, doctorLine, gardenHere, gardenJson, newCommandLine } from '../support/commands.ts';
import { filesOnly, onceOnly, pathOf, tamper } from '../support/databases.ts';
import {
  garden,
  importPlants,
  importProblems,
  memberWithToken,
  serve,
  temporaryDatabase,
  temporaryFile,
  temporaryFolder,
} from '../support/garden.ts';
import { send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';

const plantCount = 300;

async function filled(t: TestContext): Promise<{ databaseUrl: string; token: string }> {
  const databaseUrl = await temporaryDatabase(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  await importProblems(databaseUrl, 50, () => ({ tags: ['dp', 'müsli'] }));
  await importPlants(databaseUrl, plantCount);
  return { databaseUrl, token };
}

async function backUp(databaseUrl: string, file: string) {
  return gardenJson<{ file: string; rows: number; sha256: string }>(['backup', file], { databaseUrl });
}

async function foreignDatabase(folder: string): Promise<Buffer> {
  const path = join(folder, 'foreign');
  new Database(path).exec('CREATE TABLE notes (id)').close();
  return readFile(path);
}

async function backedUp(t: TestContext) {
  const { databaseUrl } = await filled(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, 'garden.db.gz');
  await backUp(databaseUrl, file);
  return { databaseUrl, cli: commandLine(databaseUrl), folder, file };
}

test('a backup brings everything back, on the same store and on a new file, tokens included', async (t) => {
  const { databaseUrl, token } = await filled(t);
  const file = join(await temporaryFolder(t), 'b', 'garden.db.gz');
  const made = await backUp(databaseUrl, file);
  assert.equal(made.file, file);
  assert.ok(made.rows > plantCount);
  assert.equal(await readFile(`${file}.sha256`, 'utf8'), `${made.sha256}  garden.db.gz\n`);
  for (const target of [await temporaryDatabase(t), await temporaryFile(t)]) {
    const isNew = target.startsWith('sqlite:') && !existsSync(pathOf(target));
    const run = await gardenHere(['restore', file], { databaseUrl: target });
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /^Restored 1 member, 50 problems and 1 working token\.$/m);
    assert.equal(run.stderr.includes(`Created the database ${pathOf(target)}.`), isNew);
    const [here, there] = [await openGarden(t, databaseUrl), await openGarden(t, target)];
    assert.equal(await there.everything(), await here.everything());
    const { url } = await serveHere(t, { databaseUrl: target });
    assert.equal((await send(url, '/plants/1', { method: 'DELETE', token })).status, 204);
  }
});

test('a backup made while plants are deleted has one state: all that were gone before it began, none after', async (t) => {
  const { databaseUrl, token } = await filled(t);
  const { url } = await serveHere(t, { databaseUrl });
  const file = join(await temporaryFolder(t), 'garden.db.gz');
  let deleted = 0;
  let isOver = false;
  const deleting = (async () => {
    while (!isOver && deleted < plantCount) {
      const { status } = await send(url, `/plants/${deleted + 1}`, { method: 'DELETE', token });
      assert.equal(status, 204);
      deleted++;
    }
  })();
  while (deleted < 10) await new Promise((resolve) => setTimeout(resolve, 5));
  const before = deleted;
  await backUp(databaseUrl, file);
  const after = deleted + 1;
  isOver = true;
  await deleting;
  const target = commandLine(await temporaryFile(t));
  await target.run(['restore', file]);
  const kept = await target.json<{ id: number }[]>('plant list ada');
  const gone = plantCount - kept.length;
  assert.ok(gone >= before && gone <= after, `${before} <= ${gone} <= ${after}`);
  // In the order they were deleted: a mixture of two states would have a gap.
  assert.deepEqual(
    kept.map(({ id }) => id),
    Array.from({ length: kept.length }, (_, place) => gone + place + 1),
  );
});

test('--verify says what a backup holds and changes nothing', { skip: onceOnly }, async (t) => {
  const { file } = await backedUp(t);
  const target = await temporaryFile(t);
  const found = await gardenJson(['restore', '--verify', file], { databaseUrl: target });
  assert.deepEqual(found, { file, members: 1, problems: 50, tokens: 1 });
  assert.equal(existsSync(pathOf(target)), false);
});

test('a backup that was damaged, cut short or is none is refused, and nothing changes', async (t) => {
  const { folder, file } = await backedUp(t);
  const bytes = await readFile(file);
  const damaged = Buffer.from(bytes);
  damaged.writeUInt8(damaged.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  const cases: [string, Buffer, RegExp][] = [
    ['damaged', damaged, /cannot be unpacked|is not sound|is damaged/],
    ['short', bytes.subarray(0, bytes.length >> 1), /cannot be unpacked/],
    ['plain', Buffer.from('no backup at all'), /plain\.db\.gz cannot be unpacked/],
    ['empty', Buffer.alloc(0), /empty\.db\.gz (?:is no backup of|cannot be unpacked)/],
    ['text', gzipSync('hello'), /text\.db\.gz is no backup of Practice Garden; use a file that garden backup/],
    ['foreign', gzipSync(await foreignDatabase(folder)), /foreign\.db\.gz is no backup of Practice Garden/],
    [
      'unpacked',
      gunzipSync(bytes),
      /unpacked\.db\.gz is a database and no backup; a server opens it with DATABASE_URL/,
    ],
    ['pages', gzipSync(gunzipSync(bytes).fill(1, 8192)), /pages\.db\.gz is damaged \(/],
  ];
  const target = await newCommandLine(t);
  await target.run('member create grace');
  for (const [name, content, sentence] of cases) {
    const bad = join(folder, `${name}.db.gz`);
    await writeFile(bad, content);
    const run = await target.run(['restore', bad]);
    assert.notEqual(run.code, 0, name);
    assert.match(run.stderr, sentence);
    assert.doesNotMatch(run.stderr, /garden-\w{6}/, 'the folder of the unpacked file');
    await writeFile(`${bad}.sha256`, await readFile(`${file}.sha256`));
    assert.match((await target.run(['restore', bad])).stderr, /does not match its checksum/);
  }
  const absent = await target.run(['restore', join(folder, 'absent.db.gz')]);
  assert.deepEqual([absent.code, /There is no file/.test(absent.stderr)], [3, true]);
  assert.match((await target.run('member list')).stdout, /grace/);
});

test('a backup of a newer schema or of before schema 1 is refused; one that has all of schema 1 is not', {
  skip: onceOnly,
}, async (t) => {
  const first = "UPDATE schema_migrations SET name = 'foundation' WHERE version = 1";
  const cases: [number, string, number, RegExp][] = [
    [99, 'SELECT 1', 4, /The database has schema version 99, this program knows/],
    [34, first, 4, /The database is from before schema 1 \(it has 34 of the 35 steps to it\).* bin\/garden restore/],
    [35, first, 0, /The backup is valid/],
  ];
  for (const [version, statement, code, sentence] of cases) {
    const databaseUrl = await temporaryFile(t);
    await thaw(databaseUrl, releasedFolder, 1);
    const path = pathOf(databaseUrl);
    const last = `INSERT INTO schema_migrations VALUES (${version}, 'later', '2030-01-01T00:00:00.000Z')`;
    await tamper(databaseUrl, statement, last, 'PRAGMA journal_mode = DELETE');
    await writeFile(`${path}.gz`, gzipSync(await readFile(path)));
    const run = await gardenHere(['restore', '--verify', `${path}.gz`], { databaseUrl });
    assert.equal(run.code, code);
    assert.match(run.stderr, sentence);
  }
});

test('a file that a server holds is not replaced; once it stopped it is, and the old one is kept', {
  skip: filesOnly,
}, async (t) => {
  const { databaseUrl, cli, file } = await backedUp(t);
  const path = pathOf(databaseUrl);
  await memberWithToken(databaseUrl, 'grace');
  const server = await serve(t, { databaseUrl });
  const refused = await cli.run(['restore', file]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /is open in another process; stop its servers/);
  assert.match((await cli.run('member list')).stdout, /grace/);
  const copy = (name: string) => cli.run(['copy', databaseUrl, `sqlite:${join(path, '..', name)}`]);
  assert.match((await copy('live.db')).stderr, /is open in another process, and what that writes from now on/);
  await server.stop();
  assert.doesNotMatch((await copy('at-rest.db')).stderr, /another process/);
  const { kept } = await cli.json<{ kept: string }>(['restore', file]);
  assert.doesNotMatch((await cli.run('member list')).stdout, /grace/);
  const old = await gardenHere('member list', { databaseUrl: `sqlite:${kept}` });
  assert.match(old.stdout, /grace/);
  const left = (await readdir(join(path, '..'))).filter((name) => name.includes('restoring'));
  assert.deepEqual(left, []);
});

test('a database that is damaged beyond reading is replaced all the same', { skip: filesOnly }, async (t) => {
  const { databaseUrl, cli, file } = await backedUp(t);
  await writeFile(pathOf(databaseUrl), 'overwritten by accident');
  assert.equal((await cli.run(['restore', file])).code, 0);
  assert.match((await cli.run('member list')).stdout, /ada/);
});

test('a log that a damaged or removed database left behind changes nothing in the restored one', {
  skip: filesOnly,
}, async (t) => {
  const { databaseUrl, cli, folder, file } = await backedUp(t);
  const path = pathOf(databaseUrl);
  const log = join(folder, 'log');
  const database = new Database(path);
  database.exec("UPDATE members SET username = 'mallory'; UPDATE problems SET title = 'later'");
  await copyFile(`${path}-wal`, log);
  database.close();
  const damaged = (await readFile(path)).fill(0, 8192);
  for (const isThere of [true, false]) {
    if (isThere) await writeFile(path, damaged);
    else await rm(path);
    await copyFile(log, `${path}-wal`);
    const { kept } = await cli.json<{ kept?: string | null }>(['restore', file]);
    assert.match((await cli.run('member list')).stdout, /ada/);
    assert.equal(typeof kept === 'string', isThere);
    if (kept) assert.deepEqual(await readFile(`${kept}-wal`), await readFile(log), 'it is kept with its file');
  }
});

test('a server whose database is not empty is not written over', {
  skip: filesOnly === false ? 'about a database server' : false,
}, async (t) => {
  const { cli, file } = await backedUp(t);
  const run = await cli.run(['restore', file]);
  assert.equal(run.code, 1);
  assert.match(run.stderr, /is not empty/);
});

test('without a path backups get a name with the time and the mark of their database; --keep removes the oldest of these alone', async (t) => {
  const { databaseUrl } = await filled(t);
  const cwd = await temporaryFolder(t);
  const folder = databaseUrl.startsWith('sqlite:')
    ? join(pathOf(databaseUrl), '..', 'backups')
    : join(cwd, 'data', 'backups');
  const backup = async (...args: string[]) => {
    const { code, stdout, stderr } = await garden(['backup', '--json', ...args], { databaseUrl, cwd });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as { file: string; removed: string[] };
  };
  const { file } = await backup();
  assert.match(file, /\/backups\/garden-\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{8}\.db\.gz$/);
  const mark = file.slice(-'01234567.db.gz'.length, -'.db.gz'.length);
  const foreign = ['garden-2020-01-01T000000Z-fedcba98.db.gz', 'garden-2020-01-01T000000Z.db.gz', 'holiday.db.gz'];
  const own = ['2020', '2021'].map((year) => `garden-${year}-01-01T000000Z-${mark}.db.gz`);
  const names = [...own, ...foreign];
  for (const name of names) await writeFile(join(folder, name), '');
  await writeFile(join(folder, `${names[0]}.sha256`), '');
  const { removed } = await backup('--keep', '2');
  assert.ok(removed.includes(names[0] ?? ''));
  const left = await readdir(folder);
  assert.equal(left.filter((name) => name.endsWith(`-${mark}.db.gz`)).length, 2);
  assert.ok(!left.includes(`${names[0]}.sha256`));
  for (const name of foreign) assert.ok(left.includes(name), name);
  for (const keep of ['0', '-1', '1.5', 'all']) {
    assert.equal((await gardenHere(`backup --keep ${keep}`, { databaseUrl })).code, 2, keep);
  }
});

test('a backup that cannot be written says so and leaves nothing', { skip: onceOnly }, async (t) => {
  const { databaseUrl } = await filled(t);
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'file'), '');
  const run = await gardenHere(['backup', join(folder, 'file', 'garden.db.gz')], { databaseUrl });
  assert.equal(run.code, 1);
  assert.equal(run.stderr, `garden: ${join(folder, 'file')} is not a folder; choose another place.\n`);
  assert.deepEqual(await readdir(folder), ['file']);
  const backups = async () => `${await doctorLine('backups', { databaseUrl })}`;
  assert.equal(await backups(), 'undefined', 'the first day of a garden');
  await tamper(databaseUrl, "UPDATE members SET created_at = '2026-01-01T00:00:00.000Z'");
  assert.match(await backups(), /^warning {2}backups {3}There is no backup in \S+, and none is scheduled; set BACKUP/);
  await gardenHere('backup', { databaseUrl });
  assert.match(await backups(), /^good {5}backups {3}the newest in \S+ is from 20\S+; none is scheduled/);
  await rm(join(pathOf(databaseUrl), '..', 'backups'), { recursive: true });
  await writeFile(join(pathOf(databaseUrl), '..', 'backups'), '');
  assert.match(await backups(), /^bad {6}backups {3}No backup can be made: \S+ is not a folder; set BACKUP_DIR\.$/);
  const { stderr } = await garden(['backup', join(folder, 'b.gz')], {
    databaseUrl,
    env: { TMPDIR: join(folder, 'no') },
  });
  assert.match(stderr, /^garden: The temporary folder \S+ cannot be written \(ENOENT\); set TMPDIR to another one\.$/m);
});
