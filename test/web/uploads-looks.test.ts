/** The pages of uploads and of the judges in a real Chromium: axe finds nothing, nothing scrolls sideways, and a person gets from the form to the garden. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, signIn } from '../support/forms.ts';
import { temporaryDatabase, temporaryFolder } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { holdTurn } from '../support/uploads.ts';

const imports = '/authentication/staff/imports/';

test('uploads in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await memberWithPassword(databaseUrl, 'grace');
  const { url } = await serveHere(t, { databaseUrl });
  const staff = await signIn(url, 'root');
  const { page, strays, complaints, look } = await openPage(browser, url, { cookies: staff.cookies });
  const folder = await temporaryFolder(t);
  const choose = async (name: string, content: string) => {
    const path = join(folder, name);
    await writeFile(path, content);
    await page.setInputFiles('input[type=file]', path);
    await page.click('button.primary');
  };
  const rows = Array.from({ length: 1200 }, (_, place) => `made,${place},Problem ${place}`);
  const bad = Array.from({ length: 12 }, () => 'made,,A problem without a key');
  const long = `${'a-very-long-name-'.repeat(8)}.csv`;

  await page.goto(`${url}${imports}`);
  await choose('notes.txt', 'Dear diary');
  await page.waitForSelector('#what-fault');
  await look('upload-refused');
  await choose(long, ['source,source_key,title', ...rows, ...bad].join('\n'));
  await page.waitForSelector('[data-state=checked]');
  await look('upload-checked');
  await page.click('button[value=import-valid]');
  await page.waitForSelector('[data-state=imported]');
  await look('upload-imported');
  await page.goto(`${url}${imports}`);
  await choose('page.html', '[{"epoch_second":1,"problem_id":"a","id":1,"result":"AC","user_id":"x","contest_id":"a"}');
  await page.waitForSelector('#member-fault, .fault');
  await page.goto(`${url}${imports}`);
  await look('upload-form');
  await page.goto(`${url}/authentication/staff/judges/`);
  await look('judges');
  await page.goto(`${url}/authentication/account/data/`);
  await page.click('main a[href$="data/upload/"]');
  await look('own-form');
  await holdTurn(databaseUrl, async () => {
    await choose('plants.csv', 'name,target\nDP,3\n');
    await page.waitForSelector('[data-state=to-check]');
    // Held still, so that all of it can be looked at; the page that is there loads itself again at any moment.
    const address = page.url();
    await page.goto('about:blank');
    await page.route('**/data/upload/*/', async (route) => {
      const answer = await route.fetch();
      const { refresh, ...headers } = answer.headers();
      assert.match(refresh ?? '', /^\d+$/);
      await route.fulfill({ response: answer, headers });
    });
    await page.goto(address);
    await look('own-waiting');
    await page.unrouteAll();
  });
  await page.goto(page.url());
  await page.waitForSelector('[data-state=checked]');
  await look('own-checked');
  assert.deepEqual([strays, complaints], [[], []]);
});
