/** Uploads by their forms: a file is sent, looked at and imported. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { uploadLease } from '../../src/jobs/uploads.ts';
import { rowsOf, tamper } from './databases.ts';
import { attributeOf } from './elements.ts';
import { type Browser, type Filling, type Page, textOf } from './forms.ts';
import { until } from './waiting.ts';

export const staffImports = '/authentication/staff/imports/';
export const ownUploads = '/authentication/account/data/upload/';

export async function finished(browser: Browser): Promise<Page> {
  for (;;) {
    const page = browser.page();
    const state = attributeOf(page, '[data-state]', 'data-state') ?? '';
    assert.equal(page.status, 200, textOf(page, 'main'));
    if (!['to-check', 'checking', 'to-import', 'importing'].includes(state)) return page;
    assert.match(String(page.headers['refresh']), /^\d+$/);
    await sleep(100);
    await browser.open(page.path);
  }
}

export async function uploaded(browser: Browser, path: string, filling: Filling): Promise<Page> {
  const page = await browser.submitAt(path, { name: 'file' }, filling);
  assert.equal(page.hops[0]?.status, 303, textOf(page, 'main'));
  return finished(browser);
}

export async function imported(browser: Browser): Promise<Page> {
  await browser.submit({ name: 'act', value: 'import' });
  return finished(browser);
}

export const figuresOf = (page: Page) =>
  Object.fromEntries(
    page.document
      .querySelectorAll('[data-figure]')
      .map((one) => [
        one.getAttribute('data-figure'),
        Number(one.querySelector('dd')?.textContent.replaceAll(',', '')),
      ]),
  );

export async function holdTurn(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const endsAt = Date.now() + 600_000;
  // A run that has just ended may still hold the lease.
  await until(
    'the turn is free',
    async () => (await rowsOf(databaseUrl, `SELECT name FROM leases WHERE name = '${uploadLease}'`)).length === 0,
  );
  await tamper(databaseUrl, `INSERT INTO leases VALUES ('${uploadLease}', 'another', ${endsAt})`);
  await work();
  await tamper(databaseUrl, `DELETE FROM leases WHERE name = '${uploadLease}'`);
}
