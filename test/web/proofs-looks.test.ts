/** Proving a handle in a real Chromium: axe finds nothing, nothing scrolls sideways, and the policy lets people to the judge and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHandle, renameOneHandle } from '../../src/practice/handles.ts';
import { codeforces, identity, openGarden } from '../importing/support.ts';
import { startOpenId } from '../replay/openid.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { tamper } from '../support/databases.ts';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const handles = '/authentication/account/handles/';

test('proofs in a browser, for a member and for staff', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const id = await memberWithPassword(databaseUrl, 'ada', { role: 'staff' });
  const garden = await openGarden(t, databaseUrl);
  const name = 'A problem whose name is long enough to need another line on a narrow screen';
  await garden.import('codeforces-problems', codeforces({ ...identity('4A'), name, rating: 800 }));
  await garden.store.write(async (tx) => {
    await renameOneHandle(tx, await addHandle(tx, id, 'codeforces', 'tourist_old'), 'tourist');
    await addHandle(tx, id, 'codeforces', 'handle_of_24_characters_');
    await addHandle(tx, id, 'atcoder', 'ada');
  });
  const openId = await startOpenId(t);
  openId.person.handle = 'tourist';
  const env = { JUDGE_URLS: `codeforces-openid=${openId.url}` };
  const server = await serveHere(t, { databaseUrl, env });
  // The judge sends people back to BASE_URL, where the cookies must be.
  const url = server.url.replace('127.0.0.1', 'localhost');
  const { page, strays, complaints, look } = await openPage(browser, url);
  await enter(page, url, 'ada', '/authentication/staff/providers/codeforces/');
  await page.fill('[name=client_id]', openId.client.id);
  await page.fill('[name=client_secret]', openId.client.secret);
  await page.click('[name=act][value=save]');
  await page.waitForSelector('[data-provider=codeforces]');
  await look('places to sign in');

  await page.goto(url + handles);
  await page.click('[data-handle="2"] [data-proof=none] a');
  await look('before a proof');
  await page.click('[name=act][value=begin]');
  await page.waitForSelector('[data-task]');
  await look('a proof');
  // To look at the page may have taken more than the ten seconds that a check has to wait for.
  await tamper(databaseUrl, "UPDATE proof_tasks SET asked_at = '2100-01-01T00:00:00.000Z'");
  await page.click('[name=act][value=check]');
  await page.waitForSelector('.notice:has-text("Not checked")');
  await look('a check too soon');

  await page.goto(url + handles);
  await page.getByRole('button', { name: 'Verify with Codeforces' }).click();
  await page.waitForSelector('[data-away]');
  await look('on the way to the judge');
  assert.deepEqual(strays, []);
  await page.click('[data-away]');
  await page.waitForURL(`${url}${handles}?done=proved`);
  assert.match(await page.locator('[data-proof=openid]').innerText(), /^Verified\s+by signing in there on/);
  assert.match(await page.locator('[data-renamed]').innerText(), /^tourist_old is now tourist \(since/);
  await look('handles with a proof');
  await page.goto(`${url}/authentication/staff/members/${id}/`);
  await look('a member for staff');
  assert.ok(strays.every((stray) => new URL(stray).origin === openId.url));
  const unasked = complaints.filter((text) => !/status of (?:422|429)/.test(text));
  assert.deepEqual(unasked, []);
});
