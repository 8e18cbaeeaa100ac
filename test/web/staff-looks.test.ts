/** The pages of staff, of the demo garden's way out and of the open sign-up, in Chromium: axe finds nothing, nothing scrolls sideways, the policy holds. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openBrowser, openPage } from '../support/browser.ts';
import { onceOnly, tamper } from '../support/databases.ts';
import { memberWithPassword, signIn } from '../support/forms.ts';
import { importPlants, temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const base = '/authentication/staff/';
const looks = [
  { name: 'wide', viewport: { width: 1440, height: 1000 }, colorScheme: 'light' },
  { name: 'narrow', viewport: { width: 320, height: 700 }, colorScheme: 'dark' },
] as const;

interface Found {
  violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

test('the pages of staff as they look', { skip: onceOnly }, async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'a-name-of-exactly-sixty-four-characters-that-breaks-nowhere-here');
  await importPlants(databaseUrl, 3);
  await tamper(databaseUrl, `UPDATE members SET is_disabled = 1 WHERE username LIKE 'a-name%'`);
  const { url } = await serveHere(t, { databaseUrl });
  const staff = await signIn(url, 'root');
  await staff.open(`${base}invitations/`);
  await staff.submit({ name: 'role' }, { uses: '30' });
  await staff.open(`${base}settings/`);
  await staff.submit({ name: 'sign_up' });
  await staff.open(`${base}backups/`);
  await staff.submit({ name: 'make' });
  const session = staff.cookies.get('session') ?? '';
  const paths = [
    '',
    'members/',
    `members/${ada}/`,
    'invitations/',
    'settings/',
    'plants/',
    'backups/',
    'health/',
    'log/',
  ];
  const found: unknown[] = [];
  for (const { name, viewport, colorScheme } of looks) {
    const { page, strays, complaints } = await openPage(browser, url, {
      viewport,
      colorScheme,
    });
    await page.context().addCookies([{ name: 'session', value: session, url }]);
    const look = async (what: string) => {
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      if (wide !== viewport.width) found.push([what, name, `scrolls sideways: ${wide}`]);
      await page.evaluate(axe);
      const { violations } = (await page.evaluate('axe.run()')) as Found;
      for (const { id, nodes } of violations)
        found.push([what, name, id, nodes[0]?.html, nodes[0]?.failureSummary]);
      const folder = process.env['PICTURES'];
      const file = what.replace(/\W+/g, '-');
      if (folder) await page.screenshot({ path: `${folder}/${file}-${name}.png`, fullPage: true });
    };
    for (const path of paths) {
      await page.goto(`${url}${base}${path}`);
      await look(`staff/${path}`);
    }
    await page.goto(`${url}${base}members/`);
    await page.fill('.form input[name=username]', `new-${name}`);
    await page.click('.form button');
    await page.waitForSelector('[data-secret]');
    await look('staff made');
    await page.goto(`${url}${base}members/${ada}/`);
    await page.fill('input[name=confirm]', 'somebody');
    await page.click('button[value=delete]');
    await page.waitForSelector('#confirm-fault');
    await look('staff refused');
    await page.context().clearCookies();
    await page.goto(`${url}/authentication/join/`);
    await look('join');
    assert.deepEqual(strays, []);
    assert.deepEqual(
      complaints.filter((line) => !/status of 422/.test(line)),
      [],
    );
  }
  assert.deepEqual(found, []);
});
