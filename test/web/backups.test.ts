/** The page of backups, by its forms: one is made, kept, downloaded and written down; where none can be made, it says why. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gardenHere } from '../support/commands.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { type Browser, browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';

const path = '/authentication/staff/backups/';

async function worldOf(t: TestContext, folder?: string) {
  const databaseUrl = await temporaryDatabase(t);
  const backups = folder ?? join(await temporaryFolder(t), 'backups');
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await memberWithPassword(databaseUrl, 'ada');
  const { url, stderr } = await serveHere(t, { databaseUrl, env: { BACKUP_DIR: backups, BACKUP_EVERY: '36h' } });
  const staff = await browserOf(url, 'root');
  let told = 0;
  /** The rows of the log of staff since the last call. */
  const deeds = async () => {
    const rows = await rowsOf(databaseUrl, 'SELECT what FROM staff_log ORDER BY id');
    const all = rows.map(({ what }) => String(what));
    const news = all.slice(told);
    told = all.length;
    return news;
  };
  return { databaseUrl, backups, url, stderr, staff, deeds };
}

const listedIn = (page: Page) =>
  page.document.querySelectorAll('[data-backup]').map((row) => row.getAttribute('data-backup') ?? '');

async function make(staff: Browser, count: number): Promise<Page> {
  await staff.open(path);
  let page = await staff.submit({ name: 'make' });
  const isThere = async () => {
    const isOver = () => listedIn(page).length >= count && page.document.querySelector('[name=make]') !== null;
    if (!isOver()) page = await staff.open(path);
    return isOver();
  };
  await until('a backup in the list', isThere);
  return page;
}

const startOf = (name: string) => name.replace(/^garden-(.{13})(..)(..)Z.*/, '$1:$2:$3Z');
const markIn = (name: string) => name.slice(-'-01234567.db.gz'.length, -'.db.gz'.length);

test('backups by the page of staff', async (t) => {
  const { databaseUrl, backups, url, staff, deeds } = await worldOf(t);

  await t.test('members and strangers find no page of backups, and begin none', async () => {
    const ada = await browserOf(url, 'ada');
    const stranger = browser(url);
    for (const fields of [{ make: 'now' }, { download: 'garden-2026-01-01T000000Z.db.gz' }]) {
      assert.equal((await ada.post(path, fields)).status, 404);
      assert.equal((await stranger.post(path, fields)).hops.length > 0 || stranger.page().status === 403, true);
    }
    assert.equal((await ada.open(path)).status, 404);
    assert.deepEqual(await readdir(backups).catch(() => []), []);
    assert.deepEqual(await deeds(), []);
  });

  await t.test('of many who press the button at once one begins a backup', async () => {
    const empty = await staff.open(path);
    assert.match(textOf(empty, 'main'), /No backups yet/);
    assert.match(textOf(empty, 'main'), /every member’s data/);
    assert.match(textOf(empty, 'pre'), /^garden restore --verify FILE\.db\.gz garden restore FILE\.db\.gz$/);
    const { fields, path: target } = staff.filled({ name: 'make' });
    const ask = () =>
      staff.ask(target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: String(fields),
      });
    const asked = Promise.all([ask(), ask(), ask()]);
    const endsAt = async () => Number((await rowsOf(databaseUrl, 'SELECT ends_at FROM leases'))[0]?.['ends_at']);
    const isLong = async () => (await endsAt()) > Date.now() + 60_000;
    await until('a lease that outlasts a slow start of the process of jobs', isLong);
    const statuses = (await asked).map(({ status }) => status).sort();
    const made = async () => (await readdir(backups).catch(() => [])).filter((name) => name.endsWith('.gz'));
    await until('a backup', async () => (await made()).length > 0);
    assert.equal((await made()).length, 1, String(statuses));
    assert.deepEqual(statuses, [303, 409, 409]);
    assert.deepEqual(await deeds(), ['backup-begun'], 'a press that was refused is no deed');
    const leases = () => rowsOf(databaseUrl, 'SELECT name FROM leases');
    await until('nobody makes a backup any more', async () => (await leases()).length === 0);
  });

  await t.test('a backup is downloaded as it is, and each download is written down', async () => {
    const [name = ''] = listedIn(await staff.open(path));
    const reply = await staff.submit({ name: 'download', value: name });
    assert.equal(reply.status, 200);
    assert.deepEqual(reply.bytes, await readFile(join(backups, name)));
    assert.equal(reply.headers['content-disposition'], `attachment; filename="${name}"`);
    assert.equal(reply.headers['content-type'], 'application/gzip');
    assert.equal(reply.headers['content-length'], String(reply.bytes.length));
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.deepEqual(await deeds(), ['backup-downloaded']);
    const log = await staff.open('/authentication/staff/log/');
    assert.match(textOf(log, 'main time'), / UTC$/);
    assert.match(textOf(log, '[data-deed=backup-downloaded]'), /root ?downloaded a backup \(all members’ data\)/);
  });

  await t.test('no name but one of the list is downloaded, and none is written down', async () => {
    const [name = ''] = listedIn(await staff.open(path));
    const [link, folder, foreign] = [
      `garden-2026-02-02T000000Z${markIn(name)}.db.gz`,
      `garden-2026-03-03T000000Z${markIn(name)}.db.gz`,
      'garden-2026-04-04T000000Z-fedcba98.db.gz',
    ] as const;
    await writeFile(join(backups, '..', 'secret.txt'), 'secret');
    await writeFile(join(backups, foreign), 'secret');
    await symlink(join(backups, '..', 'secret.txt'), join(backups, link));
    await mkdir(join(backups, folder));
    const names = [
      ...['', '.', '..', '../secret.txt', '..\\secret.txt', '/etc/passwd', `./${name}`, `${name}/`, `${name}\0`],
      ...[`${name}.sha256`, name.toUpperCase(), 'garden-2026-01-01T000000Z.db.gz', `${backups}/${name}`],
      ...[link, folder, foreign, 'x'.repeat(100)],
    ];
    for (const asked of names) {
      await staff.open(path);
      const { fields, path: target } = staff.filled({ name: 'download', value: name });
      fields.set('download', asked);
      const reply = await staff.post(target, fields);
      assert.equal(reply.status, 404, JSON.stringify(asked));
      assert.ok(!reply.text.includes('secret\n') && !reply.headers['content-disposition'], asked);
    }
    assert.equal((await staff.ask(`${path}${name}/`)).status, 404);
    assert.deepEqual(listedIn(await staff.open(path)), [name], 'links and folders are no backups');
    assert.deepEqual(await deeds(), []);
    for (const one of [foreign, link, folder]) await rm(join(backups, one), { recursive: true });
  });

  await t.test(
    'one backup is made at a time, whoever makes it; one whose maker was killed is in nobody’s way',
    async () => {
      await staff.open(path);
      const before = await readdir(backups);
      const endsAt = (seconds: number) => Date.now() + seconds * 1000;
      await tamper(
        databaseUrl,
        `INSERT INTO leases VALUES ('backup', '2026-03-03T03:03:03.003Z another', ${endsAt(600)})`,
      );
      const refused = await staff.submit({ name: 'make' });
      assert.equal(refused.status, 409);
      assert.match(textOf(refused, '.notice'), /A backup is already running/);
      assert.match(textOf(refused, '[data-state=under-way]'), /running since 3 Mar 2026, 03:03.*Refresh/);
      assert.equal(refused.document.querySelector('[name=make]'), null);
      const command = await gardenHere(['backup', '--backup-dir', backups], { databaseUrl });
      assert.equal(command.code, 1);
      assert.match(command.stderr, /Another backup is in progress; wait until it is done/);
      assert.deepEqual(await deeds(), []);
      const holders = async () => (await rowsOf(databaseUrl, 'SELECT holder FROM leases')).map(({ holder }) => holder);
      assert.deepEqual(await holders(), ['2026-03-03T03:03:03.003Z another'], 'the lease stays');
      assert.deepEqual(await readdir(backups), before);

      await tamper(databaseUrl, `UPDATE leases SET ends_at = ${endsAt(-1)}`);
      await make(staff, 1);
      assert.deepEqual(await deeds(), ['backup-begun']);
      assert.deepEqual(await holders(), []);
    },
  );

  await t.test('a backup is made by a button, and is one that garden restore takes', async () => {
    const page = await staff.open(path);
    const made = listedIn(page);
    const [name = ''] = made;
    assert.match(name, /^garden-\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{8}\.db\.gz$/);
    const [next] = page.document.querySelectorAll('[data-schedule] time').map((time) => time.getAttribute('datetime'));
    assert.match(
      textOf(page, '[data-schedule]'),
      /^Automatic: every 36 hours; the newest 7 backups are kept\. Next one: /,
    );
    assert.equal(Date.parse(next ?? ''), Date.parse(startOf(name)) + 36 * 3_600_000);
    assert.match(textOf(page, `[data-backup="${name}"]`), /kB ?Manual ?garden-/);
    assert.deepEqual((await readdir(backups)).sort(), made.flatMap((one) => [one, `${one}.sha256`]).sort());
    const { code, stderr } = await gardenHere(['restore', '--verify', join(backups, name)], { databaseUrl });
    assert.equal(code, 0, stderr);

    const scheduled = `garden-2026-01-01T000000Z${markIn(name)}-scheduled.db.gz`;
    await copyFile(join(backups, name), join(backups, scheduled));
    await copyFile(join(backups, name), join(backups, 'garden-2026-02-01T000000Z-fedcba98.db.gz'));
    const both = await staff.open(path);
    assert.deepEqual(listedIn(both), [...made, scheduled]);
    assert.match(textOf(both, `[data-backup="${scheduled}"]`), /^1 Jan 2026, 00:00.*Scheduled/);
    await staff.open('/language/');
    await staff.submit({ within: '.languages', name: 'language', value: 'es' });
    const large = 'garden-2026-01-02T000000Z-fedcba98.db.gz'.replace('-fedcba98', markIn(name));
    await writeFile(join(backups, large), Buffer.alloc(1_540_000));
    assert.match(textOf(await staff.open(path), `[data-backup="${large}"]`), /1,5 MB/);
  });
});

test('where no backup can be made, the page says why in words without paths, and nothing is changed', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'file');
  await writeFile(file, 'no folder');
  const { staff, deeds, stderr } = await worldOf(t, join(file, 'backups'));
  const page = await staff.open(path);
  const reason = /^No backup can be made because its folder can’t be created or written\./;
  assert.match(textOf(page, '.notice'), reason);
  const { fields } = staff.filled({ name: 'make' });
  fields.delete('make');
  const lost = await staff.post(path, { ...Object.fromEntries(fields), download: 'garden-2026-01-01T000000Z.db.gz' });
  assert.deepEqual([lost.status, reason.test(textOf(lost, '.notice'))], [503, true]);
  await staff.open(path);
  const refused = await staff.submit({ name: 'make' });
  assert.deepEqual([refused.status, reason.test(textOf(refused, '.notice'))], [503, true]);
  assert.match(stderr(), /No backup can be made: \S+ \S+ is not a folder; set BACKUP_DIR/);
  assert.ok(!refused.text.includes(folder));
  assert.equal(await readFile(file, 'utf8'), 'no folder');
  assert.deepEqual(await deeds(), [], 'a press that was refused is no deed');
  await rm(file);
  await make(staff, 1);
  const now = await staff.open(path);
  assert.deepEqual([listedIn(now).length, now.document.querySelector('.notice')], [1, null]);
});
