/** Archives by the browser: a member takes everything out of one garden and into another, and nobody else is touched by it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { archiveLimits, partFile } from '../../src/importing/archive.ts';
import { another, idOf, lived } from '../importing/lived-garden.ts';
import type { Garden } from '../importing/support.ts';
import { rowsOf } from '../support/databases.ts';
import { type Browser, memberWithPassword, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { figuresOf, finished, imported, ownUploads, staffImports, uploaded } from '../support/uploads.ts';
import { readZip, type ZipEntry, zipFile, zipOf } from '../support/zips.ts';

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
  const link = page.document.querySelector('.button.primary[download]')?.getAttribute('href') ?? '';
  const { bytes, status } = await browser.ask(link);
  assert.equal(status, 200);
  return bytes;
}

const archiveFile = (bytes: Uint8Array) => ({ name: 'practice-garden.zip', bytes });

const changed = (archive: Buffer, change: Readonly<Record<string, (text: string) => string>>) =>
  zipOf(new Map([...readZip(archive)].map(([name, text]) => [name, change[name]?.(text) ?? text])));

async function ofOthers({ store }: Garden, owner: bigint): Promise<string[][]> {
  const tables: Readonly<Record<string, string>> = {
    members: 'id',
    statuses: 'user_id',
    bookmarks: 'user_id',
    plants: 'user_id',
    handles: 'user_id',
    changes: 'user_id',
    member_settings: 'user_id',
    tokens: 'user_id',
    problems: '-1',
    problem_keys: '-1',
  };
  const found = async (query: string) => (await sql.raw<object>(query).execute(store.reader)).rows;
  const all = Object.entries(tables).map(([name, column]) =>
    found(`SELECT * FROM ${name} WHERE ${column} != ${owner}`),
  );
  const solves = found(`SELECT solves.* FROM solves JOIN handles ON handles.id = handle_id WHERE user_id != ${owner}`);
  return (await Promise.all([...all, solves])).map((rows) =>
    rows.map((row) => Object.values(row).map(String).join('|')).toSorted(),
  );
}

type Case = readonly [what: string, bytes: Uint8Array, said: RegExp];

function noArchives(): Case[] {
  const records: ZipEntry = { name: 'records.ndjson', text: '{"username":"bob"}\n' };
  const blank = deflateRawSync(Buffer.alloc(4 * 1024 * 1024, '\n'));
  const large = archiveLimits.inflatedBytes + 1;
  return [
    [
      'a bomb that says how large it is',
      zipFile([records, { name: 'plants.ndjson', text: '', packed: Buffer.alloc(600_000), size: large }]),
      /larger than 512 MiB unpacked/,
    ],
    [
      'a bomb that says it is small',
      zipFile([records, { name: 'plants.ndjson', text: '\n', packed: blank }]),
      /too many bytes in the stream/,
    ],
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
    const [owner, before] = [await idOf(there, 'bob'), await there.everything()];
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
      if (!name.endsWith('.ndjson') || ['plants', 'problems', 'solutions'].some((part) => name === `${part}.ndjson`))
        continue;
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
    const owner = await idOf(there, 'ada');
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
    const owner = await idOf(there, 'bob');
    const before = await ofOthers(there, owner);
    const toEve = (text: string) => text.replaceAll('"username":"bob"', '"username":"eve"');
    const parts = [...readZip(archive).keys()].filter((name) => name.endsWith('.ndjson'));
    const cases: readonly Case[] = [
      [
        'of somebody who is here',
        changed(archive, Object.fromEntries(parts.map((name) => [name, toEve]))),
        /archive of eve\. All of it goes to bob/,
      ],
      [
        'of nobody, who is staff',
        zipOf(new Map([['records.ndjson', '{"username":"mallory","role":"staff"}']])),
        /archive of mallory\. All of it goes to bob/,
      ],
      [
        'of a name that none can have',
        zipOf(new Map([['records.ndjson', '{"username":"\u202eeve <b>"}']])),
        /archive of eve <b>\. All of it goes to bob/,
      ],
      ...parts.map(
        (name) =>
          [
            `with a row of eve in ${name}`,
            changed(archive, { [name]: (text) => text + toEve(text.split('\n')[0] ?? '') }),
            /"eve"/,
          ] as const,
      ),
      [
        'with an id',
        zipOf(new Map([['records.ndjson', '{"id":1,"username":"bob"}']])),
        /records\.ndjson has no valid row/,
      ],
      ...noArchives(),
    ];
    let everything = await there.everything();
    for (const [what, bytes, said] of cases) {
      const page = await uploaded(bob, ownUploads, { file: archiveFile(bytes) });
      assert.match(textOf(page, 'main'), said, what);
      assert.doesNotMatch(page.text, /[\u202a-\u202e\u2066-\u2069]/);
      assert.deepEqual(await ofOthers(there, owner), before, what);
      const state = page.document.querySelector('[data-state]')?.getAttribute('data-state');
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
    assert.deepEqual(
      (await rowsOf(there.databaseUrl, `SELECT username FROM members WHERE role = 'staff'`)).map(
        ({ username }) => username,
      ),
      ['root'],
    );
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
