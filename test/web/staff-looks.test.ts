/**
 * The pages of staff in Chromium with what looks.test.ts has not: a name of 64 characters, a backup, a log, a member that was just made, a
 * deletion that was refused, the open sign-up.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, openPage } from '../support/browser.ts';
import { tamper } from '../support/databases.ts';
import { memberWithPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';

const base = '/authentication/staff/';
const longName = 'a-name-of-exactly-sixty-four-characters-that-breaks-nowhere-here';

test('the pages of staff as they look', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  await memberWithPassword(databaseUrl, 'ada');
  const long = await memberWithPassword(databaseUrl, longName);
  await tamper(databaseUrl, `UPDATE members SET is_disabled = 1 WHERE username = '${longName}'`);
  const { url } = await serveHere(t, { databaseUrl });
  const staff = await browserOf(url, 'root');
  await staff.submitAt(`${base}invitations/`, { name: 'role' }, { uses: '30' });
  await staff.submitAt(`${base}backups/`, { name: 'make' });
  await staff.submitAt(`${base}settings/`, { name: 'sign_up' });
  const { page, strays, complaints, look } = await openPage(browser, url, { cookies: staff.cookies });
  for (const path of ['invitations/', 'backups/', 'log/', `members/${long}/`, 'members/']) {
    await page.goto(`${url}${base}${path}`);
    await look(path);
  }
  await page.fill('.form input[name=username]', 'new');
  await page.click('.form button');
  await page.waitForSelector('[data-secret]');
  await look('a member that was made');
  await page.goto(`${url}${base}members/${long}/`);
  await page.fill('input[name=confirm]', 'somebody');
  await page.click('button[value=delete]');
  await page.waitForSelector('#confirm-fault');
  await look('a deletion that was refused');
  await page.context().clearCookies();
  await page.goto(`${url}/authentication/join/`);
  await look('the open sign-up');
  assert.deepEqual([strays, complaints], [[], []]);
});
