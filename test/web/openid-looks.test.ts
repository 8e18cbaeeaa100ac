/** Signing in elsewhere in a real Chromium: axe finds nothing, nothing scrolls sideways, and the policy lets people there and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveProvider } from '../../src/store/openid.ts';
import { startOpenId } from '../replay/openid.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, usualPassword } from '../support/forms.ts';
import { temporaryDatabase, withStore } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';

const door = '/authentication/sign-in/';
const ways = '/authentication/account/ways/';
const places = '/authentication/staff/providers/';

test('signing in elsewhere in a browser, for a member and for staff', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada', { role: 'staff' });
  const school = await startOpenId(t, 'RS256');
  school.person = { sub: 'pupil-1', email: 'ada.of.a.rather.long.name@students.school-of-many-trees.test' };
  const provider = {
    issuer: school.url,
    client_id: school.client.id,
    client_secret: school.client.secret,
    claim: '',
    wanted: '',
    makes_members: 0n,
    name_claim: 'preferred_username',
    changed_at: '2026-01-02T03:04:05.678Z',
  };
  await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      await saveProvider(tx, { ...provider, key: 'school', name: 'your school', admits: 'joined' });
      const club = { key: 'club', name: 'the Wednesday club of many, many trees', admits: 'domain' } as const;
      await saveProvider(tx, { ...provider, ...club, wanted: 'club.example', makes_members: 1n });
      await saveProvider(tx, { ...provider, key: 'codeforces', name: 'Codeforces', admits: 'everyone' });
    }),
  );
  const server = await serveHere(t, { databaseUrl, env: { PRIVATE_PLACES: school.url } });
  // The place sends people back to BASE_URL, where the cookies must be.
  const url = server.url.replace('127.0.0.1', 'localhost');
  const { page, strays, complaints, look } = await openPage(browser, url);
  await page.goto(`${url}${door}?then=${ways}`);
  await look('signing in with three places');
  await page.getByRole('button', { name: 'Sign in with your school' }).click();
  await page.waitForSelector('.notice:has-text("is not linked to a member")');
  await look('nobody who may enter');

  await page.goto(`${url}${door}?then=${ways}`);
  await page.fill('[name=username]', 'ada');
  await page.fill('[name=password]', usualPassword);
  await page.click('button.primary');
  await page.waitForURL(`${url}${ways}`);
  await page.getByRole('button', { name: 'Link your school' }).click();
  await page.waitForURL(`${url}${ways}?done=joined`);
  await look('ways to sign in');
  await page.click('[data-way=school] button.danger');
  await page.waitForURL(`${url}${ways}?done=removed`);
  await page.getByRole('button', { name: 'Link your school' }).click();
  await page.waitForURL(`${url}${ways}?done=joined`);
  await page.goto(`${url}${door}?then=/dashboard/`);
  await page.getByRole('button', { name: 'Sign in with your school' }).click();
  await page.waitForURL(`${url}/dashboard/`);

  await page.goto(url + places);
  await look('places');
  await page.click('[data-provider=club] a');
  await page.waitForSelector('[name=domain]');
  await look('a place');
  await page.goto(`${url}${places}new/`);
  await page.fill('[name=key]', 'School!');
  await page.fill('[name=issuer]', 'https://127.0.0.1/');
  for (const name of ['name', 'client_id', 'client_secret']) await page.fill(`[name=${name}]`, name);
  await page.click('[name=act][value=save]');
  await page.waitForSelector('#key-fault');
  await look('a place with what is wrong');
  assert.ok(strays.every((stray) => new URL(stray).origin === school.url));
  assert.deepEqual(
    complaints.filter((text) => !/status of (?:422|429)/.test(text)),
    [],
  );
});
