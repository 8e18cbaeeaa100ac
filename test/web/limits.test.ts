/**
 * The number of things of each noun that a member may have is the same by the website's forms and uploads as by files, archives
 * and the command line, through which test/importing/limits.test.ts walks the same table. Members who have more, from before
 * there were limits, have bounded pages.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../src/auth/sessions.ts';
import { createMember } from '../../src/practice/members.ts';
import { findMemberByName } from '../../src/store/members.ts';
import { gardenPath, newListPath, newPlantPath } from '../../src/web/paths.ts';
import { key, limits, long, many } from '../importing/limits-of-members.ts';
import { openGarden } from '../importing/support.ts';
import { type Filling, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { figuresOf, ownUploads, uploaded } from '../support/uploads.ts';

const account = '/authentication/account/';
const planting = `${newPlantPath}?tag=dp`;
const views = '/problem_list/views/?status=complete';

/** A garden with these members; each test takes a member of their own for each case. */
async function world(t: Parameters<typeof temporaryDatabase>[0], ...names: readonly string[]) {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      for (const username of names) await createMember(tx, { username });
    }),
  );
  await importRows(databaseUrl, 'problems', [{ ...key, title: 'Theatre Square', rating: 1000, tags: ['dp'] }]);
  const { url } = await serveHere(t, { databaseUrl });
  return { databaseUrl, enter: (name: string) => browserOf(url, name) };
}
const rowsOf = (username: string, rows: readonly object[]) => rows.map((row) => ({ username, ...row }));

test('every limit holds for an upload of a member', async (t) => {
  const { databaseUrl, enter } = await world(t, ...limits.keys().map((n) => `m${n}`));
  for (const [n, [kind, fits, beyond, why]] of limits.entries()) {
    const username = `m${n}`;
    const handle = { username, source: 'codeforces', name: 'ada_cf' };
    if (kind === 'submissions') await importRows(databaseUrl, 'handles', [handle]);
    if (fits.length > 0) await importRows(databaseUrl, kind as 'plants', rowsOf(username, fits) as never);
    const bytes = JSON.stringify({ username, ...beyond });
    const file = { name: `${kind}.ndjson`, bytes };
    const page = await uploaded(await enter(username), ownUploads, { file, what: kind });
    assert.equal(figuresOf(page)['bad'], 1, `${kind}: ${why}`);
    assert.match(textOf(page, 'main'), why, kind);
  }
});

const forms: readonly [fits: string, page: string, filling: Filling, why: RegExp][] = [
  ['handles', `${account}handles/`, { handle: 'one_more' }, /up to 50 handles/],
  ['', `${account}handles/`, { handle: long(25) }, /handle at Codeforces/],
  ['plants', planting, { name: 'one more' }, /up to 200 plants/],
  ['', planting, { name: long(201) }, /200 characters/],
  ['', planting, { name: 'far', target: '', own_target: '1000001' }, /1,?000,?000/],
  ['lists', newListPath, { name: 'one more' }, /up to 200 lists/],
  ['preferences', views, { name: 'one more' }, /20/],
  ['', views, { name: long(41) }, /40 characters/],
];

test('every limit that a form can reach holds for the form', async (t) => {
  const { databaseUrl, enter } = await world(t, ...forms.keys().map((n) => `m${n}`));
  for (const [n, [fits, path, filling, why]] of forms.entries()) {
    const [kind, rows] = limits.find(([name]) => name === fits) ?? [];
    if (kind && rows) await importRows(databaseUrl, kind as 'plants', rowsOf(`m${n}`, rows) as never);
    const member = await enter(`m${n}`);
    await member.open(path);
    const [name = ''] = Object.keys(filling);
    const refused = await member.submit({ name }, filling);
    assert.equal(refused.status, 422, `${path} ${name}`);
    assert.match(textOf(refused, 'main'), why, `${path} ${name}`);
  }
});

test('pages of a member with thousands of rows from before the limits are bounded, and lead to all rows', async (t) => {
  const { databaseUrl, enter } = await world(t, 'ada');
  const ada = await enter('ada');
  const wide = 'w'.repeat(5_000);
  await importRows(
    databaseUrl,
    'plants',
    rowsOf(
      'ada',
      many(1_000, (n) => ({ name: `p${n} ${wide}`, target: 1 })),
    ),
  );
  const { store } = await openGarden(t, databaseUrl);
  await store.write(async (tx) => {
    const { id = 0n } = (await findMemberByName(tx, 'ada')) ?? {};
    for (let n = 0; n < 450; n++)
      await openSession(tx, id, { browser: `b${n}`, network: '127.0.0.1', device: undefined });
  });
  for (const [path, rows, pages] of [
    [gardenPath, '[data-plant]', 5],
    [`${account}sessions/`, '[data-session]', 3],
  ] as const) {
    const seen = new Set<string>();
    let count = 0;
    for (let next: string | undefined = path; next !== undefined; count++) {
      const { document, text, status } = await ada.open(next);
      assert.equal(status, 200);
      const found = document.querySelectorAll(`main ${rows}`);
      assert.ok(found.length > 0 && found.length <= 400, `${next}: ${found.length} rows`);
      assert.ok(text.length < 1_500_000, `${next}: ${text.length} characters`);
      for (const one of found) seen.add(one.outerHTML.slice(0, 60));
      next = document.querySelector('main a[href*="from="]')?.getAttribute('href');
    }
    assert.equal(count, pages, path);
    const { document } = await ada.open(`${path}?from=2000`);
    assert.ok(document.querySelectorAll(`main ${rows}`).length > 100, 'an address beyond the end shows the first rows');
    assert.ok(seen.size > 450, `${path}: ${seen.size} rows`);
  }
});
