/** Backups that the server makes by itself: when they are due, as many as are kept, and told of where they fail. */
import assert from 'node:assert/strict';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { backupPlan } from '../../src/jobs/backups.ts';
import { jobsHost } from '../../src/jobs/host.ts';
import { takeLease } from '../../src/jobs/lease.ts';
import { endLease } from '../../src/store/leases.ts';
import { setSetting } from '../../src/store/settings.ts';
import { doctorLine, gardenHere, gardenJson } from '../support/commands.ts';
import { tamper } from '../support/databases.ts';
import {
  memberWithToken,
  serve,
  temporaryDatabase,
  temporaryFile,
  temporaryFolder,
  withStore,
} from '../support/garden.ts';
import { send } from '../support/http.ts';
import { serveHere } from '../support/in-process.ts';
import { hurryProcessesUnder } from '../support/processes.ts';
import { until } from '../support/waiting.ts';

const namesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.gz')).sort();

/** Makes the backups of a database as its server does, until the test ends; one is kept, and one is made every hour. */
async function keepBackups(t: TestContext, databaseUrl: string, backupDir: string): Promise<void> {
  const config = readConfig({ databaseUrl, backupDir, backupEvery: '1h', backupKeep: '1', sync: 'off' });
  const plan = await withStore(databaseUrl, ({ reader }) => backupPlan(config, reader));
  const jobs = jobsHost(config, pino({ level: 'silent' }));
  t.after(jobs.stop);
  jobs.keep(plan);
}

/** A garden with one backup in a folder. */
async function backedUp(t: TestContext, database = temporaryDatabase) {
  const [databaseUrl, folder] = [await database(t), await temporaryFolder(t)];
  await memberWithToken(databaseUrl, 'ada');
  await gardenJson(['backup', '--backup-dir', folder], { databaseUrl });
  return { databaseUrl, folder };
}

async function untilAnother(folder: string): Promise<void> {
  await until('another backup', async () => {
    hurryProcessesUnder(process.pid);
    return (await namesIn(folder)).length === 2;
  });
}

describe('backups that are made by themselves', { concurrency: 2 }, () => {
  test('of two processes one makes a backup at a time, each is whole, and the newest are kept', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    await memberWithToken(databaseUrl, 'ada');
    const folder = join(await temporaryFolder(t), 'backups');
    const env = { BACKUP_EVERY: '1s', BACKUP_KEEP: '1', BACKUP_DIR: folder, WORKERS: '2' };
    const server = await serve(t, { databaseUrl, env });
    const seen = new Set<string>();
    const isThree = async () => {
      // A backup runs at the lowest priority, and would wait for every other test here.
      hurryProcessesUnder(server.child.pid);
      for (const name of await namesIn(folder).catch(() => [])) seen.add(name);
      return seen.size >= 3;
    };
    await until('three backups', isThree, { timeoutMs: 240_000, everyMs: 100 });
    assert.equal(await server.stop(), 0);
    assert.equal(server.stderr(), '');
    const left = await readdir(folder);
    assert.ok(!left.some((name) => name.endsWith('.partial')), String(left));
    const kept = await namesIn(folder);
    assert.ok(kept.length === 1 || kept.length === 2, String(kept));
    for (const name of kept) {
      const { code, stderr } = await gardenHere(['restore', '--verify', join(folder, name)], { databaseUrl });
      assert.equal(code, 0, stderr);
    }
  });

  test('none is made before the newest is as old as was asked for', async (t) => {
    const { databaseUrl, folder } = await backedUp(t);
    const before = await namesIn(folder);
    assert.equal(before.length, 1);
    await keepBackups(t, databaseUrl, folder);
    const { url } = await serveHere(t, { databaseUrl, env: { BACKUP_EVERY: '1h', BACKUP_DIR: folder } });
    await sleep(2_000);
    assert.deepEqual(await namesIn(folder), before);
    const { checks } = JSON.parse((await send(url, '/readyz')).text);
    assert.deepEqual(checks.at(-1), { check: 'backups', result: 'good' });
  });

  test('a backup of a clock that was ahead holds back none, and has none removed', async (t) => {
    const { databaseUrl, folder } = await backedUp(t);
    const [made = ''] = await namesIn(folder);
    const ahead = made.replace(/garden-\d{4}/, 'garden-2099');
    await rename(join(folder, made), join(folder, ahead));
    await keepBackups(t, databaseUrl, folder);
    await untilAnother(folder);
    await sleep(1_000);
    const names = await namesIn(folder);
    assert.deepEqual([names.length, names.at(-1)], [2, ahead], String(names));
  });

  test('a copy of the database on another store makes its own in the same folder, and leaves those of the first', async (t) => {
    const { databaseUrl, folder } = await backedUp(t, temporaryFile);
    const copyUrl = await temporaryDatabase(t);
    const env = { BACKUP_EVERY: '1h', BACKUP_KEEP: '1', BACKUP_DIR: folder };
    const upload = `INSERT INTO uploads SELECT 1, id, 'staff', 'a', '{}', 1, 'importing', NULL, '', '', '9' FROM members`;
    const ofFirst = await namesIn(folder);
    await gardenJson(['copy', databaseUrl, copyUrl]);
    const told = (of: string) => doctorLine('backups', { databaseUrl: of, env });
    const none = (why: string) => `warning  backups   There is no backup yet; ${why}.`;
    assert.equal(await told(copyUrl), none('the next one is due, and a running server makes it soon'));
    for (const [lease, why] of Object.entries({ uploads: 'waits for an import', backup: 'is being made' })) {
      await withStore(copyUrl, (store) => takeLease(store, lease, 'somebody', 600_000));
      assert.equal(await told(copyUrl), none(`the next one ${why}`));
      await withStore(copyUrl, (store) => store.write((tx) => endLease(tx, lease, 'somebody')));
    }
    // A large import runs without its lease, which it cannot renew meanwhile.
    await tamper(copyUrl, upload);
    assert.equal(await told(copyUrl), none('the next one waits for an import'));
    await tamper(copyUrl, 'DELETE FROM uploads');
    const failure = JSON.stringify({ at: new Date().toISOString(), why: 'unknown' });
    await withStore(copyUrl, (store) => store.write((tx) => setSetting(tx, 'backup_failure', failure)));
    assert.equal(await told(copyUrl), none('the last try failed, and the log says why'));
    await keepBackups(t, copyUrl, folder);
    await untilAnother(folder);
    assert.ok((await namesIn(folder)).includes(ofFirst[0] ?? ''), 'BACKUP_KEEP=1 counts its own alone');
    for (const url of [databaseUrl, copyUrl]) assert.match(`${await told(url)}`, /^good /);
  });

  test('one that fails is an error in the log and a warning to who watches, and the server goes on', async (t) => {
    const databaseUrl = await temporaryDatabase(t);
    const blocked = join(await temporaryFolder(t), 'file');
    await writeFile(blocked, '');
    const env = { BACKUP_EVERY: '1h', BACKUP_DIR: join(blocked, 'backups') };
    const server = await serve(t, { databaseUrl, env });
    await until('the error', async () =>
      /"level":50.*the scheduled backup failed: .*is not a folder/.test(server.stderr()),
    );
    const why = `No backup can be made: ${env.BACKUP_DIR}: ${blocked} is not a folder; set BACKUP_DIR.`;
    assert.ok(server.stderr().includes(why), 'the start says it');
    const { status, text } = await send(server.url, '/readyz');
    const reason = 'The backup folder cannot be read.';
    assert.deepEqual([status, JSON.parse(text).checks.at(-1)], [200, { check: 'backups', result: 'warning', reason }]);
    assert.equal(await server.stop(), 0);
  });
});
