/** The places of the website: the same five for everyone, what can be added, the account's menu, and their keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { memberWithPassword, type Page } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { overflow, violations } from '../support/looks.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const linksIn = ({ document }: Page, selector: string) =>
  document.querySelectorAll(`${selector} a`).map((one) => [one.textContent.trim(), one.getAttribute('href')] as const);
const namesIn = (page: Page, selector: string) => linksIn(page, selector).map(([name]) => name);
const places = ['Today', 'Problems', 'Contests', 'Groups', 'Progress'];

test('everyone has the same five places; Add and the account menu have what their roles may', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada, bob } = await membersNamed(databaseUrl, 'ada', 'bob', 'cy');
  await memberWithPassword(databaseUrl, 'yara', { role: 'staff' });
  const make = (name: string) =>
    withStore(databaseUrl, (store) => store.write((tx) => makeGroup(tx, ada, { name, zone: 'UTC' })));
  const { url } = await serveHere(t, { databaseUrl });
  for (const name of ['ada', 'bob', 'yara']) {
    const page = await (await browserOf(url, name)).open('/dashboard/');
    assert.deepEqual([namesIn(page, '.top-nav'), namesIn(page, '.thumb')], [places, places], name);
  }
  const coach = await browserOf(url, 'ada');
  const add = ['Problem from a link', 'List', 'Round', 'Plant', 'Import your history'];
  const before = await coach.open('/dashboard/');
  assert.deepEqual(namesIn(before, '.add-menu'), add);
  const group = await make('Wednesday club');
  await withStore(databaseUrl, (store) => store.write((tx) => joinGroup(tx, group, bob)));
  const groupOf = (page: Page) => linksIn(page, '.top-nav').find(([name]) => name === 'Groups')?.[1];
  const first = await coach.open('/dashboard/');
  assert.deepEqual(namesIn(first, '.add-menu'), add.toSpliced(3, 0, 'Assignment'));
  assert.equal(groupOf(first), `/dashboard/groups/${group}/`, 'the only group opens at once');
  for (const [, href] of [...linksIn(first, '.add-menu'), ...linksIn(first, '.account')])
    assert.equal((await coach.open(href ?? '')).status, 200, href);
  const pupil = await (await browserOf(url, 'bob')).open('/dashboard/');
  assert.deepEqual(
    [namesIn(pupil, '.add-menu'), groupOf(pupil)],
    [add, `/dashboard/groups/${group}/`],
    'Assignment is for coaches',
  );
  await make('Friday club');
  const second = await coach.open('/dashboard/');
  const assignment = linksIn(second, '.add-menu').find(([name]) => name === 'Assignment')?.[1];
  assert.deepEqual([groupOf(second), assignment], ['/dashboard/groups/', '/dashboard/groups/']);
  assert.equal(groupOf(await (await browserOf(url, 'cy')).open('/dashboard/')), '/dashboard/groups/');
  const account = ['Settings', 'Judge handles', 'Inbox', 'History and undo'];
  assert.deepEqual(namesIn(second, '.account'), account);
  const staff = await (await browserOf(url, 'yara')).open('/dashboard/');
  assert.deepEqual(namesIn(staff, '.account'), [...account, 'Administration']);
});

test('Problems and Progress have tabs, and old addresses keep working', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await membersNamed(databaseUrl, 'ada');
  await importRows(databaseUrl, 'problems', ponds(3));
  const { url } = await serveHere(t, { databaseUrl });
  const ada = await browserOf(url, 'ada');
  const tabs = {
    Problems: [
      ['All problems', '/problem_list/'],
      ['Lists', '/problem_list/lists/'],
      ['Unfinished', '/problem_list/?status=tried'],
      ['Starred', '/problem_list/?bookmarked=true'],
      ['Review', '/dashboard/review/'],
    ],
    Progress: [
      ['Overview', '/dashboard/progress/'],
      ['Garden', '/plants/'],
      ['Ratings', '/dashboard/progress/ratings/'],
      ['Time', '/dashboard/progress/time/'],
      ['Activity', '/dashboard/submissions/'],
    ],
  };
  for (const [place, some] of Object.entries(tabs))
    for (const [name, path = ''] of some) {
      const page = await ada.open(path);
      const current = page.document.querySelectorAll('.top-nav [aria-current]').map((one) => one.textContent);
      assert.deepEqual(current, [place], path);
      assert.equal(page.document.querySelector('.tabs [aria-current]')?.textContent.replace(/\d+$/, ''), name);
      const bare = linksIn(page, '.tabs').map(([text, href]) => [text.replace(/\d+$/, ''), href]);
      assert.deepEqual(bare.slice(0, some.length), some, path);
    }
  for (const path of ['days', 'history', 'upsolve', 'bookmarks', 'review', 'groups'])
    assert.equal((await ada.open(`/dashboard/${path}/`)).status, 200, path);
});

test('places, search and Add in a browser, narrow and wide', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'ada', { role: 'staff' });
  await importRows(databaseUrl, 'problems', ponds(3));
  const { url } = await serveHere(t, { databaseUrl });
  const { page, complaints } = await openPage(browser, url, { viewport: { width: 1440, height: 900 } });
  const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.name');
  await enter(page, url, 'ada');
  await page.keyboard.press('a');
  assert.equal(await page.isVisible('.add-menu .menu-panel'), true);
  assert.equal(String(await focused()).trim(), 'Problem from a link');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  assert.equal(await focused(), 'q');
  await page.click('.account summary');
  assert.deepEqual(await violations(page), []);
  await page.click('.account [popovertarget]');
  assert.equal(await page.isVisible('#keys'), true);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${url}/dashboard/groups/`);
  const boxes = await page.locator('.thumb a').evaluateAll((all) =>
    all.map((one) => {
      const { width, height, right } = one.getBoundingClientRect();
      return width >= 44 && height >= 44 && right <= 320 && one.scrollWidth <= one.clientWidth;
    }),
  );
  assert.deepEqual(
    boxes,
    places.map(() => true),
  );
  for (const menu of ['.add-menu', '.account']) {
    await page.click(`${menu} > summary`);
    const panel = await page.locator(`${menu} > .menu-panel`).boundingBox();
    assert.ok(panel && panel.x >= 0 && panel.x + panel.width <= 320 && panel.y + panel.height <= 584, menu);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await violations(page), []);
  }
  await page.keyboard.press('Escape');
  await page.click('.to-search');
  await page.waitForURL('**/problem_list/#find');
  assert.equal(await focused(), 'q');
  assert.deepEqual(complaints, []);
});
