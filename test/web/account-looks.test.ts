/** The pages of the account in a real Chromium: axe finds nothing, nothing scrolls sideways, with long names and with faults too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeToken, revokeToken } from '../../src/auth/tokens.ts';
import { allScopes } from '../../src/contract/operations.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, signIn, usualPassword } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const account = '/authentication/account/';
const dayMs = 86_400_000;

test('the account in a browser', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  const id = await memberWithPassword(databaseUrl, 'ada');
  await importRows(databaseUrl, 'records', [{ username: 'ada', first_name: 'Ada', last_name: 'Pereira' }]);
  await withStore(databaseUrl, async (store) => {
    for (const [name, scopes, days] of [
      ['nightly copy', ['records:read', 'bookmarks:read', 'problems:read', 'status:read'], 365],
      ['Discord bot of the club', ['status:read'], 5],
      ['x'.repeat(100), allScopes, 90],
      ['gone', allScopes, 90],
    ] as const) {
      const made = await makeToken(store, { userId: id, name, scopes, lifetimeMs: days * dayMs });
      if (name === 'gone') await revokeToken(store, made.id);
    }
  });
  const { url } = await serveHere(t, { databaseUrl });
  await signIn(url, 'ada', usualPassword, { headers: { 'User-Agent': 'curl/8.5.0' } });
  const { page, strays, complaints, look } = await openPage(browser, url);
  await enter(page, url, 'ada', account);
  assert.equal(new URL(page.url()).pathname, account);

  await t.test('a token that was just made', async () => {
    await page.goto(`${url}${account}tokens/`);
    await page.fill('[name=name]', 'my editor');
    await page.click('button.primary');
    assert.match(await page.locator('[data-secret]').innerText(), /^pgt_/);
    await page.click('.former summary');
    await look('tokens');
    await page.reload();
    assert.equal(await page.locator('[data-secret]').count(), 0);
  });

  await t.test('forms with faults', async () => {
    await page.goto(`${url}${account}tokens/`);
    await page.fill('[name=name]', ' ');
    for (const scope of ['problems:read', 'status:read']) await page.uncheck(`[value="${scope}"]`);
    await page.click('button.primary');
    assert.match(await page.locator('#scope-fault').innerText(), /at least one/);
    await look('tokens-fault');
    await page.goto(`${url}${account}delete/`);
    await page.fill('[name=username]', 'bob');
    await page.fill('[name=password]', usualPassword);
    await page.click('button.danger');
    assert.match(await page.locator('#username-fault').innerText(), /not your username/);
    await look('delete-fault');
    await page.goto(url + account);
    await page.fill('[name=username]', 'two words');
    await page.click('button.primary');
    assert.match(await page.locator('#username-fault').innerText(), /without spaces/);
    await look('profile-fault');
  });

  await t.test('nothing left the origin, broke the policy or failed', () => {
    assert.deepEqual([strays, complaints], [[], []]);
  });
});
