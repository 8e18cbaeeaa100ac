/** Imports by upload and the processes of a server: any worker shows the page and others are answered meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdPlants, rowsOf, tamper, testStore } from '../support/databases.ts';
import { type Browser, memberWithPassword, signIn, textOf } from '../support/forms.ts';
import { serve, temporaryDatabase } from '../support/garden.ts';
import { until } from '../support/waiting.ts';

const imports = '/authentication/staff/imports/';
const rowCount = 8_000;
const rows = Array.from({ length: rowCount }, (_, place) => `made,${place},Problem ${place},"[""dp"",""graphs""]"`);
const file = { name: 'problems.csv', bytes: `source,source_key,title,tags\n${rows.join('\n')}\n` };

const stateOf = (browser: Browser) =>
  browser.page().document.querySelector('[data-state]')?.getAttribute('data-state') ?? '';

async function untilState(browser: Browser, state: string): Promise<void> {
  const isSo = async () => {
    if (stateOf(browser) === state) return true;
    await sleep(100);
    await browser.open(browser.page().path);
    return false;
  };
  await until(`the upload is ${state}`, isSo, { timeoutMs: 120_000 });
}

async function upload(browser: Browser): Promise<void> {
  await browser.open(imports);
  await browser.submit({ name: 'file' }, { file });
  await untilState(browser, 'checked');
}

const problemsIn = async (databaseUrl: string) =>
  Number((await rowsOf(databaseUrl, 'SELECT count(*) AS n FROM problems'))[0]?.['n']);

test('8,000 rows are imported by two workers while others read and write', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serve(t, { databaseUrl, env: { WORKERS: '2' } });
  const [staff, ada] = [await signIn(url, 'root'), await signIn(url, 'ada')];
  await upload(staff);
  assert.equal(await problemsIn(databaseUrl), 0);
  await staff.submit({ name: 'act', value: 'import' });
  const seen = new Set<string>();
  const isImported = async () => {
    await staff.open(staff.page().path);
    const state = stateOf(staff);
    assert.ok(['to-import', 'importing', 'imported'].includes(state), state);
    seen.add(state);
    return state === 'imported';
  };
  const readAndWrite = async () => {
    for (let written = 0; !seen.has('imported'); written++) {
      const page = await ada.open('/authentication/account/');
      assert.equal(page.status, 200);
      const saved = await ada.submit({ name: 'first_name' }, { first_name: `Ada ${written}` });
      // Writers take turns. On a machine that is slow or busy the turn of the import may be longer than they wait.
      assert.ok([200, 503].includes(saved.status), textOf(saved, 'main'));
      if (saved.status === 503)
        assert.match(textOf(saved, 'main'), /The server is busy or restarting|An import is running/);
    }
  };
  // The program lets an import take ten minutes.
  const importing = until('the upload is imported', isImported, { timeoutMs: 600_000, everyMs: 0 });
  await Promise.all([importing, readAndWrite()]);
  assert.ok(seen.has('importing'), 'others were answered during the import');
  assert.equal(await problemsIn(databaseUrl), rowCount);
  if (testStore === 'postgres') return;
  await ada.open('/authentication/account/');
  await tamper(databaseUrl, "UPDATE uploads SET state = 'importing'");
  const release = await holdPlants(databaseUrl);
  const busy = await ada.submit({ name: 'first_name' }, { first_name: 'Ada' });
  await release();
  assert.equal(busy.status, 503);
  assert.match(textOf(busy, 'main'), /An import is running, and nothing was changed/);
});
