/** The database file: where it may stand, that it is made whole or not at all, looked at without a trace, and that its log stays small. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { newestVersion } from '../../src/store/migrate.ts';
import { openStore, openStoreToRead, walWarning } from '../../src/store/open.ts';
import { maintainLog } from '../../src/store/sqlite/checkpoints.ts';
import { nameOfType, refuseNetwork, remoteFileSystem } from '../../src/store/sqlite/files.ts';
import { gardenHere, gardenJson } from '../support/commands.ts';
import { pathOf, tamper } from '../support/databases.ts';
import {
  garden,
  importProblems,
  memberWithToken,
  root,
  serve,
  temporaryFile,
  temporaryFolder,
} from '../support/garden.ts';
import { client } from '../support/http.ts';
import { nobody } from '../support/nobody.ts';
import { until } from '../support/waiting.ts';
import { releasedFolder, thaw } from './released/released.ts';

const mebibyte = 1024 * 1024;
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function filled(t: TestContext): Promise<{ databaseUrl: string; path: string }> {
  const databaseUrl = await temporaryFile(t);
  await importProblems(databaseUrl, 100);
  return { databaseUrl, path: pathOf(databaseUrl) };
}

test('network file systems are refused with the reason, doubtful and local ones are not', () => {
  const refuse = (number: number) => refuseNetwork('/mnt/share/garden.db', nameOfType(number));
  for (const number of [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0xff534d42 | 0]) {
    assert.throws(() => refuse(number), { code: 'databaseUnavailable' });
  }
  // FUSE (sshfs, but also disks of containers), 9p (virtual machines).
  assert.deepEqual([0x65735546, 0x01021997].map(nameOfType), ['FUSE', '9p']);
  for (const number of [0x65735546, 0x01021997]) refuse(number);
  const local = [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010];
  assert.deepEqual(new Set(local.map(nameOfType)), new Set([undefined]));
  assert.throws(
    () => refuse(0x6969),
    /garden\.db is on a network file system \(NFS\).*move it to a local disk, or use a database server/,
  );
});

test('a file that does not exist yet is where its nearest folder is', async (t) => {
  const folder = await temporaryFolder(t);
  assert.equal(remoteFileSystem(join(folder, 'not', 'there', 'yet.db')), remoteFileSystem(folder));
});

test('several who make one database at once all use the same one, and nothing else is left', async (t) => {
  const databaseUrl = await temporaryFile(t);
  const names = Array.from({ length: 3 }, (_, n) => `member${n}`);
  const runs = await Promise.all(names.map((name) => garden(['member', 'create', name], { databaseUrl })));
  assert.deepEqual(
    runs.map(({ code }) => code),
    names.map(() => 0),
    runs.map(({ stderr }) => stderr).join(''),
  );
  const members = await gardenJson<{ username: string }[]>('member list', { databaseUrl });
  assert.deepEqual(members.map(({ username }) => username).sort(), names);
  assert.deepEqual(await readdir(dirname(pathOf(databaseUrl))), ['garden.db']);
});

test('the log of a database that was removed goes into no new one', async (t) => {
  const { databaseUrl, path } = await filled(t);
  const database = new Database(path);
  database.exec("UPDATE problems SET title = 'later'");
  copyFileSync(`${path}-wal`, `${path}-kept`);
  database.close();
  rmSync(path);
  renameSync(`${path}-kept`, `${path}-wal`);
  const options = { create: true, lockTimeoutMs: 100 };
  await assert.rejects(openStore(databaseUrl, options), {
    code: 'databaseUnavailable',
    message: /no database at .*garden\.db, but .*garden\.db-wal has the last changes .* move .* away to begin anew\.$/,
  });
  renameSync(`${path}-wal`, `${path}-kept`);
  await (await openStore(databaseUrl, options)).close();
});

test('doctor only looks: an older database stays as it is, and the message says how to bring it up to date', async (t) => {
  const { databaseUrl, path } = await filled(t);
  await tamper(databaseUrl, 'DELETE FROM schema_migrations');
  const before = readFileSync(path);
  const { code, stdout } = await gardenHere('doctor --json --port 0', { databaseUrl });
  const findings = JSON.parse(stdout) as { check: string; result: string; detail: string }[];
  const found = findings.find(({ check }) => check === 'database');
  assert.deepEqual([code, found?.result], [0, 'warning']);
  assert.match(found?.detail ?? '', /schema version 0, this program needs \d+\); run garden migrate/);
  assert.ok(readFileSync(path).equals(before));
  assert.deepEqual(await readdir(dirname(path)), [basename(path)]);
});

test('a dry run of an import does not bring an older database up to date', async (t) => {
  const { databaseUrl, path } = await filled(t);
  await tamper(databaseUrl, 'DELETE FROM schema_migrations');
  const before = readFileSync(path);
  const input = '{"title":"x","source":"here","source_key":"k"}\n';
  const { code, stderr } = await gardenHere('import problems - --format ndjson --dry-run', { databaseUrl, input });
  assert.equal(code, 4);
  assert.match(stderr, /schema version 0, this program needs \d+\); run garden migrate/);
  assert.ok(readFileSync(path).equals(before));
});

test('what was opened to be read refuses to write, and is the same file afterwards', async (t) => {
  const { databaseUrl, path } = await filled(t);
  const before = readFileSync(path);
  const store = await openStoreToRead(databaseUrl, { lockTimeoutMs: 100 });
  await assert.rejects(store.reader.deleteFrom('problems').execute(), { code: 'databaseReadOnly' });
  await store.close();
  assert.ok(readFileSync(path).equals(before));
});

test('the start that updates an older file says so', async (t) => {
  const databaseUrl = await temporaryFile(t);
  await thaw(databaseUrl, releasedFolder, 1);
  const sentences: string[] = [];
  const notify = (_level: string, sentence: string) => sentences.push(sentence);
  for (const create of [false, true])
    await (await openStore(databaseUrl, { create, lockTimeoutMs: 1000, notify })).close();
  assert.match(sentences.join(), new RegExp(`^[^,]+ was updated from schema 1 to ${newestVersion}$`));
});

test('a file that this user may only read is not served, and is read', {
  skip: process.platform === 'win32',
}, async (t) => {
  const asNobody = await nobody(t);
  if (!asNobody) return t.skip('this user cannot run the program without the right to write everywhere');
  const { databaseUrl, path } = await filled(t);
  await chmod(dirname(path), 0o777);
  await chmod(path, 0o444);
  const closed = join(dirname(path), 'closed');
  await mkdir(closed, { mode: 0 });
  const env = { BACKUP_EVERY: '24h', BACKUP_DIR: '/usr/backups' };
  const asked = [
    ['serve', '--port', '0'],
    ['export', 'problems'],
    ['doctor', '--port', '0'],
    ['backup', join(closed, 'b.db.gz')],
  ];
  const runs = await Promise.all(asked.map((args) => asNobody(args, { env, databaseUrl })));
  assert.equal(runs.map(({ code }) => code).join(), '4,0,1,1');
  assert.match(runs[0]?.stderr ?? '', /^garden: The database .* cannot be written; give this user/);
  assert.match(
    runs[2]?.stdout ?? '',
    /^bad {6}backups .* \/usr cannot be written \(E(?:ACCES|ROFS)\); .* or set BACKUP_DIR\.$/m,
  );
  assert.match(
    runs[3]?.stderr ?? '',
    /closed cannot be written \(EACCES\); make it writable or choose another place\.$/m,
  );
});

test('a snapshot keeps its state while others write, and keeps no client from reading', async (t) => {
  const { databaseUrl } = await filled(t);
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 1000 });
  t.after(() => store.close());
  const count = async (db: typeof store.reader) => (await db.selectFrom('problems').select('id').execute()).length;
  const counts = await store.snapshot(async (db) => {
    const first = await count(db);
    await store.write((tx) => tx.deleteFrom('problems').where('id', '<=', 40n).execute());
    return [first, await count(db), await count(store.reader)];
  });
  assert.deepEqual(counts, [100, 100, 60]);
});

test('an export is one state, however slowly it is read', async (t) => {
  const databaseUrl = await temporaryFile(t);
  await importProblems(databaseUrl, 5_000, (n) => ({ title: `Problem ${n}`.padEnd(200, '.') }));
  const args = [join(root, 'bin', 'garden'), 'export', 'problems', '-', '--format', 'ndjson'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'readable');
  await tamper(databaseUrl, 'DELETE FROM problems');
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += chunk;
  assert.equal(text.trimEnd().split('\n').length, 5_000);
});

test('a database in the mode of another journal is brought back to the log', async (t) => {
  const { databaseUrl, path } = await filled(t);
  await tamper(databaseUrl, 'PRAGMA journal_mode = DELETE');
  const store = await openStore(databaseUrl, { create: false, lockTimeoutMs: 1000 });
  await store.close();
  const connection = new Database(path);
  assert.equal(connection.pragma('journal_mode', { simple: true }), 'wal');
  connection.close();
});

/** Writes so many bytes in transactions of half a MiB, or in one; what is the same as before would not be written at all. */
function writeMuch(connection: Database.Database, bytes: number): void {
  const insert = connection.prepare('INSERT OR REPLACE INTO settings VALUES (?, ?)');
  for (let written = 0; written < bytes; written += mebibyte / 2) {
    const text = randomBytes(mebibyte / 4).toString('hex');
    insert.run(connection.inTransaction ? `filler ${written}` : 'filler', text);
  }
}

test('the log stays small under writes without end; a reader that holds an old state is reported, and the log shrinks when it ends', {
  timeout: 300_000,
}, async (t) => {
  const { path } = await filled(t);
  const told: string[] = [];
  const writer = new Database(path);
  writer.pragma('wal_autocheckpoint = 0');
  const pinning = new Database(path, { readonly: true });
  const sizes = { everyMs: 20, fromBytes: mebibyte, alarmBytes: 20 * mebibyte };
  const end = maintainLog(path, (sentence) => told.push(sentence), sizes);
  t.after(() => [writer, pinning].map((connection) => connection.close()));
  for (let round = 0; round < 10; round++) {
    writeMuch(writer, 4 * mebibyte);
    await until('the log is small', () => sizeOf(`${path}-wal`) < 16 * mebibyte);
  }
  assert.deepEqual(told, []);

  pinning.exec('BEGIN');
  pinning.prepare('SELECT count(*) FROM problems').get();
  for (let round = 0; round < 10; round++) writeMuch(writer, 4 * mebibyte);
  while (told.length === 0) await sleep(20);
  assert.match(told[0] ?? '', /garden\.db-wal has \d+ MiB that cannot be written .* some process still reads/);
  writeMuch(writer, 30 * mebibyte);
  assert.match(walWarning(`sqlite:${path}`) ?? '', /garden\.db-wal has \d+ MiB; unless a large import/);
  pinning.exec('COMMIT');
  while (told.length === 1 || sizeOf(`${path}-wal`) > 0) await sleep(20);
  assert.match(told[1] ?? '', /all is well again/);
  assert.equal(told.length, 2);
  assert.equal(walWarning(`sqlite:${path}`), undefined);
  await end();
});

test('a server checkpoints a large log by itself, and leaves none when it stops', {
  timeout: 300_000,
}, async (t) => {
  const { databaseUrl, path } = await filled(t);
  const { token } = await memberWithToken(databaseUrl, 'ada');
  const server = await serve(t, { databaseUrl, env: { WORKERS: '2' } });
  const writer = new Database(path);
  writer.pragma('wal_autocheckpoint = 0');
  writer.exec('BEGIN');
  writeMuch(writer, 20 * mebibyte);
  writer.exec('COMMIT');
  assert.ok(sizeOf(`${path}-wal`) > 16 * mebibyte);
  while (sizeOf(`${path}-wal`) > 0) await sleep(50);
  writer.close();
  assert.equal((await client(server.url, token)('/problem_list/api/problems/7/')).status, 200);
  assert.equal(await server.stop(), 0, server.stderr());
  assert.equal(existsSync(`${path}-wal`), false);
  assert.equal(server.stderr(), '');
});

test('the SQLite that is installed has the fix without which its log can lose commits (3.51.3)', () => {
  const connection = new Database(':memory:');
  const version = String(connection.prepare('SELECT sqlite_version()').pluck().get());
  connection.close();
  assert.ok(version.localeCompare('3.51.3', 'en', { numeric: true }) >= 0, version);
});

test('a damaged file refuses to start with the reason and what to do; without the check it would have', async (t) => {
  const { databaseUrl, path } = await filled(t);
  const bytes = readFileSync(path);
  for (const page of [5, 6, 7, 8, 9, 10]) bytes.fill(0xaa, page * 8192, page * 8192 + 4096);
  writeFileSync(path, bytes);
  const options = { create: false, lockTimeoutMs: 100 };
  await assert.rejects(openStore(databaseUrl, { ...options, checksIntegrity: true }), {
    code: 'databaseCorrupt',
    message: /garden\.db is damaged \(.+\); keep a copy of it .* newest backup with garden restore\.$/,
  });
  const { code, stdout, stderr } = await garden(['serve', '--port', '0'], { databaseUrl });
  assert.deepEqual([code, stdout], [4, '']);
  assert.match(stderr, /^garden: .*garden\.db is damaged \(.+\); keep a copy .* garden restore\.\n$/);
  assert.ok(readFileSync(path).equals(bytes));
});
