/** Imports by upload, by forms over plain HTTP: what staff and members upload, the look at it first, and what stands in the garden after. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../support/databases.ts';
import { realBytes } from '../support/files.ts';
import {
  type Browser,
  type Filling,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
} from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const staffImports = '/authentication/staff/imports/';

async function worldOf(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const root = await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const grace = await memberWithPassword(databaseUrl, 'grace');
  const server = await serveHere(t, { databaseUrl });
  t.after(() => process.stderr.write(server.stderr()));
  const { url } = server;
  return { url, databaseUrl, ids: { root, ada, grace }, staff: await signIn(url, 'root') };
}

/** Reloads the page until its run is over. */
async function finished(browser: Browser): Promise<Page> {
  for (;;) {
    const page = browser.page();
    const state = page.document.querySelector('[data-state]')?.getAttribute('data-state') ?? '';
    assert.equal(page.status, 200, textOf(page, 'main'));
    if (!['to-check', 'checking', 'to-import', 'importing'].includes(state)) return page;
    assert.match(String(page.headers['refresh']), /^\d+$/);
    await sleep(50);
    await browser.open(page.path);
  }
}

async function uploaded(browser: Browser, path: string, filling: Filling): Promise<Page> {
  await browser.open(path);
  const page = await browser.submit({ name: 'file' }, filling);
  assert.equal(page.hops[0]?.status, 303, textOf(page, 'main'));
  return finished(browser);
}

async function imported(browser: Browser): Promise<Page> {
  await browser.submit({ name: 'act', value: 'import' });
  return finished(browser);
}

const figuresOf = (page: Page) =>
  Object.fromEntries(
    page.document
      .querySelectorAll('[data-figure]')
      .map((one) => [
        one.getAttribute('data-figure'),
        Number(one.querySelector('dd')?.textContent.replaceAll(',', '')),
      ]),
  );

const count = async (databaseUrl: string, from: string) =>
  Number((await rowsOf(databaseUrl, `SELECT count(*) AS n FROM ${from}`))[0]?.['n']);

test('staff upload the real catalogue: a look first, then the same file for real, then nothing changes', async (t) => {
  const bytes = await realBytes(t, 'codeforces/problemset.problems.2026-08.json');
  if (!bytes) return;
  const { staff, databaseUrl } = await worldOf(t);
  const file = { name: 'problemset.problems.json', bytes };
  const looked = await uploaded(staff, staffImports, { file });
  assert.match(textOf(looked, '.notice'), /Nothing is changed yet/);
  assert.deepEqual(figuresOf(looked), { read: 11363, new: 11363, changed: 0, kept: 0, unmatched: 0, bad: 0 });
  assert.equal(await count(databaseUrl, 'problems'), 0);
  const done = await imported(staff);
  assert.match(textOf(done, '.notice'), /Imported\./);
  assert.equal(await count(databaseUrl, 'problems'), 11363);
  const [deed] = await rowsOf(databaseUrl, 'SELECT what FROM staff_log');
  assert.equal(deed?.['what'], 'file-imported');
  const again = await uploaded(staff, staffImports, { file });
  assert.match(textOf(again, '.notice'), /all of it is here already/);
});
