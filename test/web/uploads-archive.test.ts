/** Archives by the browser: a member takes everything out of one garden and into another, and nobody else is touched by it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { archiveLimits, partFile } from '../../src/importing/archive.ts';
import { another, lived } from '../importing/lived-garden.ts';
import type { Garden } from '../importing/support.ts';
import { rowsOf } from '../support/databases.ts';
import { attributeOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { idOf } from '../support/members.ts';
import { figuresOf, finished, imported, ownUploads, staffImports, uploaded } from '../support/uploads.ts';
import { readZip, zipFile, zipOf } from '../support/zips.ts';

const data = '/authentication/account/data/';

async function served(t: TestContext, garden: Garden) {
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  return { ...garden, url };
}

async function memberOf({ databaseUrl, url }: { databaseUrl: string; url: string }, name: string) {
  await memberWithPassword(databaseUrl, name);
  return browserOf(url, name);
}

async function taken(browser: Browser): Promise<Buffer> {
  const page = await browser.open(data);
  const link = attributeOf(page, '.button.primary[download]', 'href') ?? '';
  const { bytes, status } = await browser.ask(link);
  assert.equal(status, 200);
  return bytes;
}

const archiveFile = (bytes: Uint8Array) => ({ name: 'practice-garden.zip', bytes });

const changed = (archive: Buffer, change: Readonly<Record<string, (text: string) => string>>) =>
  zipOf(new Map([...readZip(archive)].map(([name, text]) => [name, change[name]?.(text) ?? text])));

async function ofOthers({ store }: Garden, owner: bigint): Promise<string[][]> {
  const own = ['statuses', 'bookmarks', 'plants', 'handles', 'changes', 'member_settings', 'tokens'];
  const queries = [
    ...own.map((name) => `SELECT * FROM ${name} WHERE user_id != ${owner}`),
    `SELECT * FROM members WHERE id != ${owner}`,
    'SELECT * FROM problems',
    'SELECT * FROM problem_keys',
    `SELECT solves.* FROM solves JOIN handles ON handles.id = handle_id WHERE user_id != ${owner}`,
  ];
  const found = queries.map(async (query) => (await sql.raw<object>(query).execute(store.reader)).rows);
  return (await Promise.all(found)).map((rows) =>
    rows.map((row) => Object.values(row).map(String).join('|')).toSorted(),
  );
}

type Case = readonly [what: string, bytes: Uint8Array, said: RegExp];

function noArchives(): Case[] {
  const bomb = (text: string, packed: Buffer, more: object = {}) =>
    zipFile([
      { name: 'records.ndjson', text: '{"username":"bob"}\n' },
      { name: 'plants.ndjson', text, packed, ...more },
    ]);
  const large = bomb('', Buffer.alloc(600_000), { size: archiveLimits.inflatedBytes + 1 });
  const blank = bomb('\n', deflateRawSync(Buffer.alloc(4 * 1024 * 1024, '\n')));
  return [
    ['a bomb that says how large it is', large, /larger than 512 MiB unpacked/],
    ['a bomb that says it is small', blank, /too many bytes in the stream/],
    ['of a judge', zipOf(new Map([['problems.json', '[]']])), /unknown file .*problems\.json/],
  ];
}

test('archives of members of one garden, in others', async (t) => {
  const here = await served(t, await lived(t));
  const archives = {
    bob: await taken(await memberOf(here, 'bob')),
    ada: await taken(await memberOf(here, 'ada')),
  };

  await t.test('everything goes out of one garden and into another by two buttons, byte for byte', async (t) => {
    const there = await served(t, await another(t));
    const archive = archives.bob;
    const bob = await memberOf(there, 'bob');
    const [owner, before] = [await idOf(there.store, 'bob'), await there.everything()];
    const others = await ofOthers(there, owner);
    const looked = await uploaded(bob, data, { file: archiveFile(archive) });
    assert.match(textOf(looked, 'h2'), /Archive of a member’s data/);
    assert.match(textOf(looked, '.notice'), /Nothing has been imported yet/);
    assert.deepEqual(figuresOf(looked), { read: 42, new: 36, changed: 1, kept: 5, unmatched: 0, bad: 0 });
    assert.match(textOf(looked, 'main'), /Judge handles: 1 added\./);
    assert.equal(await there.everything(), before);
    assert.match(textOf(await imported(bob), '.notice'), /Imported/);
    assert.deepEqual(await taken(bob), archive);
    assert.deepEqual(await ofOthers(there, owner), others);
    const again = await uploaded(bob, data, { file: archiveFile(archive) });
    assert.match(textOf(again, '.notice'), /everything is already here/);
    for (const [name, bytes] of readZip(archive)) {
      if (!name.endsWith('.ndjson') || /^(plants|problems|solutions)\./.test(name)) continue;
      const page = await uploaded(bob, ownUploads, { file: { name, bytes } });
      assert.match(textOf(page, '.notice'), /everything is already here/, name);
    }
    const statuses = readZip(archive).get('statuses.ndjson') ?? '';
    const bytes = Buffer.from(statuses.replace('"source_key":"', '"source_key":"none'));
    const unknown = await uploaded(bob, ownUploads, { file: { name: 'statuses.ndjson', bytes } });
    assert.deepEqual([figuresOf(unknown)['kept'], figuresOf(unknown)['bad']], [2, 1]);
    assert.match(textOf(unknown, '.notice'), /^No changes: the rows that are not here yet can’t be imported now\.$/);
  });

  await t.test('a member stays what they are, and who they are, whatever their archive says', async (t) => {
    const there = await served(t, await another(t));
    const archive = archives.ada;
    assert.match(readZip(archive).get(partFile('records')) ?? '', /"role":"staff"/);
    const ada = await memberOf(there, 'ADA');
    const owner = await idOf(there.store, 'ada');
    const looked = await uploaded(ada, data, { file: archiveFile(archive) });
    assert.match(textOf(looked, 'main'), /The role of ADA stays as it is here; only administrators can change it\./);
    await imported(ada);
    const [row] = await rowsOf(there.databaseUrl, `SELECT * FROM members WHERE id = ${owner}`);
    assert.deepEqual([row?.['username'], row?.['role'], row?.['first_name']], ['ADA', 'member', 'Ada 🌱']);
    assert.equal((await ada.open(staffImports)).status, 404);
    const mine = readZip(await taken(ada));
    for (const [name, text] of readZip(archive)) {
      const expected = text.replaceAll(/"(username|list_owner)":"ada"/g, '"$1":"ADA"');
      assert.equal(mine.get(name), expected.replace('"role":"staff"', '"role":"member"'), name);
    }
  });

  await t.test('no archive of a member changes a row of anybody else', async (t) => {
    const there = await served(t, await another(t));
    const archive = archives.bob;
    const bob = await memberOf(there, 'bob');
    await memberWithPassword(there.databaseUrl, 'root', { role: 'staff' });
    const owner = await idOf(there.store, 'bob');
    const before = await ofOthers(there, owner);
    const toEve = (text: string) => text.replaceAll('"username":"bob"', '"username":"eve"');
    const parts = [...readZip(archive).keys()].filter((name) => name.endsWith('.ndjson'));
    const allOfEve = changed(archive, Object.fromEntries(parts.map((name) => [name, toEve])));
    const withEve = (name: string): Case => {
      const mixed = changed(archive, { [name]: (text) => text + toEve(text.split('\n')[0] ?? '') });
      return [`with a row of eve in ${name}`, mixed, /"eve"/];
    };
    const recordOf = (row: string) => zipOf(new Map([['records.ndjson', row]]));
    const staff = recordOf('{"username":"mallory","role":"staff"}');
    const odd = recordOf('{"username":"\u202eeve <b>"}');
    const cases: readonly Case[] = [
      ['of somebody who is here', allOfEve, /archive of eve\. All of it goes to bob/],
      ['of nobody, who is staff', staff, /archive of mallory\. All of it goes to bob/],
      ['of a name that none can have', odd, /archive of eve <b>\. All of it goes to bob/],
      ...parts.map(withEve),
      ['with an id', recordOf('{"id":1,"username":"bob"}'), /records\.ndjson has no valid row/],
      ...noArchives(),
    ];
    let everything = await there.everything();
    for (const [what, bytes, said] of cases) {
      const page = await uploaded(bob, ownUploads, { file: archiveFile(bytes) });
      assert.match(textOf(page, 'main'), said, what);
      assert.doesNotMatch(page.text, /[\u202a-\u202e\u2066-\u2069]/);
      assert.deepEqual(await ofOthers(there, owner), before, what);
      const state = attributeOf(page, '[data-state]', 'data-state');
      if (state === 'refused') {
        assert.equal(page.document.querySelector('form[action*=upload]'), null);
        assert.equal(await there.everything(), everything, what);
        continue;
      }
      const { fields } = bob.filled({ name: 'act', value: 'discard' });
      fields.set('act', 'import-valid');
      await bob.post(page.path, fields);
      const done = await finished(bob);
      const isOfOther = page.document.querySelector('[name=other_name][required]') !== null;
      assert.equal(/, but your username here is bob\. If it is yours/.test(textOf(done, 'main')), isOfOther, what);
      assert.deepEqual(await ofOthers(there, owner), before, what);
      everything = await there.everything();
    }
    await uploaded(bob, ownUploads, { file: archiveFile(archives.ada) });
    await bob.submit({ name: 'act', value: 'import' }, { other_name: true });
    assert.match(textOf(await finished(bob), '.notice'), /Imported/);
    assert.deepEqual(await ofOthers(there, owner), before);
    const all = await rowsOf(there.databaseUrl, `SELECT username FROM members WHERE role = 'staff'`);
    assert.deepEqual(all, [{ username: 'root' }]);
  });

  await t.test('staff bring in the archive of a member as the command line does', async (t) => {
    const there = await served(t, await another(t));
    const archive = archives.ada;
    await memberWithPassword(there.databaseUrl, 'root', { role: 'staff' });
    const staff = await browserOf(there.url, 'root');
    const named = await uploaded(staff, staffImports, { file: archiveFile(archive), member: 'eve' });
    assert.match(textOf(named, 'main'), /archive of ada\. All of it goes to eve/);
    assert.equal(named.document.querySelector('[name=other_name]'), null);
    await uploaded(staff, staffImports, { file: archiveFile(archive) });
    const done = await imported(staff);
    assert.match(textOf(done, 'main'), /This archive makes ada an administrator \(staff\)\./);
    const byCommand = await another(t);
    await byCommand.import('archive', archive, { trustsIds: false });
    assert.deepEqual(await taken(await memberOf(there, 'ada')), archive);
    const rows = async (garden: Garden) => (await garden.rows('statuses')).length;
    assert.equal(await rows(there), await rows(byCommand));
    const log = await staff.open('/authentication/staff/log/');
    assert.match(textOf(log, '[data-deed=file-imported]'), /a file\s*Archive of a member’s data, \d+ added/);
  });
});
