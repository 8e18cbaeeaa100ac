/** Backups and imports are made one after another: a backup that waits is one backup, and its lease is kept meanwhile. */
import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { onceOnly, rowsOf, tamper } from '../support/databases.ts';
import { memberWithPassword, signIn, textOf } from '../support/forms.ts';
import { serve, temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { holdTurn, staffImports } from '../support/uploads.ts';
import { until } from '../support/waiting.ts';
import { backups } from './backups.ts';

const patience = { timeoutMs: 120_000 };
const file = { name: 'problems.csv', bytes: 'source,source_key,title\nmade,1,One\n' };

test('a scheduled backup that waits for a long import is made once after it', { skip: onceOnly }, async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const folder = await temporaryFolder(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  /** The moments at which backups were begun, by their names, in whole seconds: several of one second have one name. */
  const made: number[] = [];
  const watching = watch(folder, (_event, name) => {
    const [, day, hour, minute, second] = /^garden-([\d-]+)T(\d\d)(\d\d)(\d\d)Z.*\.gz$/.exec(name ?? '') ?? [];
    if (day !== undefined) made.push(Date.parse(`${day}T${hour}:${minute}:${second}Z`));
  });
  t.after(() => watching.close());
  const server = await serve(t, { databaseUrl, env: { BACKUP_EVERY: '4s', BACKUP_DIR: folder } });
  await until('the first backup', () => made.length === 1, patience);
  await holdTurn(databaseUrl, async () => {
    const staff = await signIn(server.url, 'root');
    await staff.open(staffImports);
    await staff.submit({ name: 'file' }, { file });
    await sleep(9_000);
  });
  const before = made.length;
  await until('two more backups', () => made.length >= before + 2, patience);
  assert.equal(await server.stop(), 0);
  assert.equal(server.stderr(), '');
  // Two that had both waited would follow each other at once.
  for (const [place, moment] of made.entries())
    if (place > 0) assert.ok(moment - (made[place - 1] ?? 0) >= 4_000, String(made));
});

test('a backup that staff asked for keeps its lease while it waits for an import', async (t) => {
  const { databaseUrl, staff, open, make, files, count } = await backups(t);
  await holdTurn(databaseUrl, async () => {
    await staff.open(staffImports);
    await staff.submit({ name: 'file' }, { file });
    await open();
    await make();
    await tamper(databaseUrl, "UPDATE leases SET ends_at = 0 WHERE name = 'backup'");
    const isKept = async () =>
      Number((await rowsOf(databaseUrl, "SELECT ends_at FROM leases WHERE name = 'backup'"))[0]?.['ends_at']) > 0;
    await until('the lease is kept', isKept);
    assert.match(textOf(await open(), '[data-state=under-way]'), /running since/);
    assert.deepEqual(await files(), []);
  });
  await until('the backup', async () => (await count()) > 0, patience);
});
