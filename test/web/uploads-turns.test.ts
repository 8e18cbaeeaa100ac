/** The uploads of one member keep nobody else waiting for long: bad files are given up, staff come first, and room is shared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setRole } from '../../src/practice/members.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { textOf } from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { finished, holdTurn, ownUploads, staffImports, uploaded } from '../support/uploads.ts';
import { zipOf } from '../support/zips.ts';

test('uploads of one member and those of others', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'bob', 'grace');
  await withStore(databaseUrl, (store) => store.write((tx) => setRole(tx, 'grace', 'staff')));
  const { url } = await serveHere(t, { databaseUrl });
  const member = await browserOf(url, 'ada');
  const file = (name: string, count = 1) => ({
    file: { name: 'plants.csv', bytes: `name,target\n${`${name},3\n`.repeat(count)}` },
  });

  await t.test('an archive of millions of bad rows is given up after a thousand', async () => {
    const rows = new Map([
      ['records.ndjson', '{"username":"ada"}\n'],
      ['statuses.ndjson', '1\n'.repeat(3_000_000)],
    ]);
    const page = await uploaded(member, ownUploads, { file: { name: 'a.zip', bytes: zipOf(rows) } });
    assert.match(textOf(page, 'main'), /More than 1000 rows are not valid/);
  });

  await t.test('staff come first', async () => {
    const staff = await browserOf(url, 'grace');
    const ended: string[] = [];
    const waiting: Promise<void>[] = [];
    await holdTurn(databaseUrl, async () => {
      for (const [one, path, name] of [
        [member, ownUploads, 'ada'],
        [staff, staffImports, 'grace'],
      ] as const) {
        const page = await one.submitAt(path, { name: 'file' }, file(name));
        assert.equal(page.hops[0]?.status, 303, textOf(page, 'main'));
        waiting.push(finished(one).then(() => void ended.push(name)));
      }
    });
    await Promise.all(waiting);
    const starts = await rowsOf(databaseUrl, 'SELECT room, started_at FROM uploads WHERE started_at IS NOT NULL');
    const startOf = (room: string) =>
      starts
        .filter((one) => one['room'] === room)
        .map((one) => String(one['started_at']))
        .sort()
        .at(-1) ?? '';
    assert(startOf('staff') < startOf('member'), JSON.stringify(starts));
    assert.equal(ended.length, 2);
  });

  await t.test('the files of one member have the room of one; the oldest gives way', async () => {
    const before = await rowsOf(databaseUrl, `SELECT id FROM uploads WHERE user_id = ${ada} AND bytes > 0`);
    assert.equal(before.length, 1);
    await tamper(databaseUrl, `UPDATE uploads SET bytes = ${64 * 1024 * 1024} WHERE user_id = ${ada} AND bytes > 0`);
    await uploaded(member, ownUploads, file('next'));
    const after = await rowsOf(databaseUrl, `SELECT id FROM uploads WHERE user_id = ${ada} AND bytes > 0`);
    assert.equal(after.length, 1);
    assert.notEqual(after[0]?.['id'], before[0]?.['id']);
  });
});
