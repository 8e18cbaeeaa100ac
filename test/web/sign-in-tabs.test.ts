/** Signing in as people do it, in a real Chromium: in two tabs, at two gardens of one host, and at a shared computer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { startOpenId } from '../replay/openid.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { tamper } from '../support/databases.ts';
import { browser, memberWithPassword, usualPassword } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { serveHere } from '../support/in-process.ts';
import { freePort } from '../support/ports.ts';

const door = '/authentication/sign-in/';

async function world(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const chromium = await openBrowser(t);
  if (!chromium) return undefined;
  const databaseUrl = await temporaryDatabase(t);
  for (const name of ['ada', 'bob']) await memberWithPassword(databaseUrl, name);
  const served = await serveHere(t, { databaseUrl, env });
  // A provider sends the browser back to BASE_URL.
  const url = served.url.replace('127.0.0.1', 'localhost');
  const { page } = await openPage(chromium, url);
  return { chromium, databaseUrl, url, page, tab: () => page.context().newPage() };
}

async function worldWithSchool(t: TestContext) {
  const school = await startOpenId(t, 'RS256');
  const here = await world(t, { PRIVATE_PLACES: school.url });
  if (!here) return undefined;
  const { id, secret } = school.client;
  await tamper(
    here.databaseUrl,
    `INSERT INTO openid_providers (key, name, issuer, client_id, client_secret, admits, claim, wanted, makes_members,
       name_claim, changed_at)
     VALUES ('school', 'School', '${school.url}', '${id}', '${secret}', 'everyone', '', '', 1, 'name', '2026-01-01')`,
  );
  return { ...here, school };
}

const nameOn = async (page: Page) => (await page.locator('.menu-title span').textContent()) ?? '';

async function sign(page: Page, username: string, path: string): Promise<void> {
  await page.fill('[name=username]', username);
  await page.fill('[name=password]', usualPassword);
  await page.click('button.primary');
  await page.waitForURL(`**${path}`);
}

async function save(page: Page): Promise<void> {
  await page.click('main button.primary');
  await page.locator('.notice[data-kind="good"]').waitFor();
}

const pressSchool = (page: Page) => page.click('form[action$="/openid/school/"] button', { noWaitAfter: true });

test('two tabs with the sign-in page: who is signed in goes on, somebody else signs in', async (t) => {
  const here = await world(t);
  if (!here) return;
  const { url, page, tab } = here;
  const [second, third] = [await tab(), await tab()];
  for (const one of [second, third]) await one.goto(`${url}${door}?then=/dashboard/history/`);
  await enter(page, url, 'ada', '/authentication/account/');
  await sign(second, 'ADA', '/dashboard/history/');
  await page.fill('[name=first_name]', 'Ada');
  await save(page);
  assert.equal(await page.locator('[name=first_name]').inputValue(), 'Ada', 'the first tab is still signed in');
  await sign(third, 'bob', '/dashboard/history/');
  assert.match(await nameOn(third), /bob/);
});

test('two tabs at a provider both arrive, and Back leads on', async (t) => {
  const here = await worldWithSchool(t);
  if (!here) return;
  const { url, page, tab } = here;
  const second = await tab();
  const visits: Route[] = [];
  for (const one of [page, second]) {
    await one.route('**/oauth/authorize*', (route) => visits.push(route));
    await one.goto(`${url}${door}?then=/authentication/account/`);
    const leaving = one.waitForRequest('**/oauth/authorize*');
    await pressSchool(one);
    await leaving;
  }
  const answer = page.waitForRequest('**/openid/school/?*');
  for (const [nth, one] of [page, second].entries()) {
    await visits[nth]?.continue();
    await one.waitForURL('**/authentication/account/');
  }
  await page.fill('[name=first_name]', 'Ada');
  await save(page);
  assert.equal(await page.locator('[name=first_name]').inputValue(), 'Ada');
  await second.goto((await answer).url());
  assert.equal(new URL(second.url()).pathname, '/dashboard/');
});

test('two gardens on one host leave each other’s sessions, and a session from before lasts', async (t) => {
  const here = await world(t);
  if (!here) return;
  const { url, page, databaseUrl } = here;
  const other = await serveHere(t, { databaseUrl });
  await enter(page, url, 'ada');
  const session = (await page.context().cookies()).find(({ name }) => name.startsWith('session-'));
  await enter(page, other.url.replace('127.0.0.1', 'localhost'), 'bob');
  await page.goto(`${url}/dashboard/`);
  assert.match(await nameOn(page), /ada/);
  await page.context().clearCookies();
  await page.context().addCookies([{ name: 'session', value: session?.value ?? '', url }]);
  await tamper(databaseUrl, "UPDATE sessions SET seen_at = '2026-01-01T00:00:00.000Z'");
  await page.goto(`${url}/dashboard/`);
  assert.match(await nameOn(page), /ada/);
  assert.equal((await page.context().cookies()).filter(({ name }) => /^session-/.test(name)).length, 1);
});

test('at a shared computer the next pupil is not the one before', async (t) => {
  const here = await worldWithSchool(t);
  if (!here) return;
  const { url, page, school } = here;
  school.isShared = true;
  const signInAs = async (name: string) => {
    school.person = { sub: name, name };
    await page.goto(url + door);
    await pressSchool(page);
    await page.waitForURL('**/dashboard/');
    assert.match(await nameOn(page), new RegExp(name));
    await page.locator('form[action$="/sign-out/"]').evaluate((form: { submit(): void }) => form.submit());
    await page.waitForURL(url + door);
  };
  await signInAs('carol');
  await signInAs('dora');
  school.prompts = ['none', 'login'];
  await signInAs('erin');
  assert.deepEqual(
    school.asked.map((asked) => asked.get('prompt')),
    [null, 'select_account', 'login'],
  );
  await page.click('main p.small a[href$="?sign-out"]');
  await page.waitForURL(`${school.url}/oauth/logout?client_id=*`);
  assert.equal(school.seat, undefined);
  // One that knows no choosing refuses once.
  school.prompts = ['none'];
  await page.goto(url + door);
  await pressSchool(page);
  await page.locator('.notice').waitFor();
  await signInAs('fred');
});

test('text that was sent after the session ended comes back after signing in, to the same person alone', async (t) => {
  const here = await world(t);
  if (!here) return;
  const { url, page, databaseUrl } = here;
  const path = '/authentication/account/';
  const name = page.locator('[name=first_name]');
  const loseText = async () => {
    await name.fill('Ada, whose text is long');
    await tamper(databaseUrl, 'DELETE FROM sessions');
    await page.click('main button.primary');
    await page.waitForURL(`**${door}?then=*`);
  };
  await enter(page, url, 'ada', path);
  await loseText();
  await sign(page, 'ada', path);
  assert.equal(await name.inputValue(), 'Ada, whose text is long');
  assert.match((await page.locator('.notice').textContent()) ?? '', /^Your session had ended, so nothing was saved\./);
  await page.reload();
  assert.equal(await name.inputValue(), '', 'once');
  await loseText();
  await sign(page, 'bob', path);
  assert.equal(await name.inputValue(), '');
  assert.equal(await page.evaluate(() => sessionStorage.getItem('garden-unsent')), null);
});

test('behind a proxy whose session ended, a form is not dead and its text comes back', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada');
  const port = await freePort();
  const own = await serveHere(t, {
    databaseUrl,
    env: { BASE_URL: `http://localhost:${port}`, TRUST_HEADER: 'Remote-User', TRUSTED_PROXIES: '127.0.0.1' },
  });
  let [isSignedIn, asksItself] = [true, false];
  const portal = createServer((_, response) => {
    isSignedIn = true;
    response.writeHead(302, { Location: `http://localhost:${port}/authentication/account/` }).end();
  });
  const proxy = createServer((request, response) => {
    const { port: at } = portal.address() as AddressInfo;
    // oauth2-proxy shows a page of its own, which leads there.
    if (!isSignedIn && asksItself) return response.writeHead(403).end(`<a href="http://127.0.0.1:${at}/">Sign in</a>`);
    if (!isSignedIn) return response.writeHead(302, { Location: `http://127.0.0.1:${at}/` }).end();
    const { method = '', url = '', headers } = request;
    const onward = forward(own.url + url, { method, headers: { ...headers, 'Remote-User': 'ada' } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(onward);
  });
  for (const [server, on] of [
    [portal, 0],
    [proxy, port],
  ] as const) {
    server.listen(on);
    await once(server, 'listening');
    t.after(() => server.close().closeAllConnections());
  }
  const { page } = await openPage(chromium, `http://localhost:${port}`);
  await page.goto(`http://localhost:${port}/authentication/account/`);
  const name = page.locator('[name=first_name]');
  for (asksItself of [false, true]) {
    await name.fill(`Ada ${asksItself}`);
    isSignedIn = false;
    await page.click('main button.primary', { noWaitAfter: true });
    if (asksItself) await page.click('text=Sign in');
    await page.locator('.notice').waitFor();
    assert.equal(await name.inputValue(), `Ada ${asksItself}`);
  }
  await save(page);
  assert.equal(await name.inputValue(), 'Ada true', 'saved');
  assert.equal(await page.locator('.notice:has-text("session")').count(), 0);
});

test('a member whom somebody else made gets the zone of the browser at the first sign-in, and reads so', async (t) => {
  const here = await worldWithSchool(t);
  if (!here) return;
  const { url, chromium, databaseUrl, school } = here;
  school.person = { sub: 'carol', name: 'carol' };
  await tamper(
    databaseUrl,
    "INSERT INTO member_settings (user_id, name, value) SELECT id, 'time_zone', 'UTC' FROM members WHERE username = 'bob'",
  );
  for (const name of ['ada', 'bob', 'carol']) {
    const { page, complaints } = await openPage(chromium, url, { timezoneId: 'Asia/Kolkata' });
    await page.goto(url + door);
    if (name === 'carol') await pressSchool(page);
    else await enter(page, url, name, '/');
    await page.waitForURL('**/dashboard/');
    const notices = page.locator('.notice:has-text("Times are in Asia/Kolkata")');
    assert.equal(await notices.count(), name === 'bob' ? 0 : 1, name);
    await page.goto(`${url}/authentication/account/days/`);
    assert.equal(await notices.count(), 0, 'said once');
    assert.equal(await page.inputValue('[name=time_zone]'), name === 'bob' ? 'UTC' : 'Asia/Kolkata', name);
    assert.deepEqual(complaints, []);
  }
});

test('a class that mistypes its names and passwords keeps nobody out who types the right one', async (t) => {
  const here = await world(t);
  if (!here) return;
  const pupil = browser(here.url);
  await pupil.open(door);
  const mistype = (username: string) => pupil.submit({ name: 'password' }, { username, password: 'mistyped' });
  assert.equal((await mistype('pupil')).status, 422);
  // This stands for 120 mistyped names, each of which would cost a hash.
  await tamper(here.databaseUrl, 'UPDATE attempts SET tries = 120');
  assert.equal((await mistype('one-more')).status, 429);
  await enter(here.page, here.url, 'ada');
  assert.match((await nameOn(here.page)) ?? '', /ada/);
});
