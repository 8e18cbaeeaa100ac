/**
 * A club's first day, by the real program and without script: from the printed address to an archive in another garden, with
 * the files that judges really publish.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { loadSample } from '../../src/importing/sample.ts';
import { catalogueDatabase } from '../support/catalogues.ts';
import { routeOf, routePaths } from '../support/crawl.ts';
import { attributesOf } from '../support/elements.ts';
import {
  type Browser,
  browser,
  type ChosenFile,
  memberWithPassword,
  type Page,
  parseHtml,
  textOf,
} from '../support/forms.ts';
import { serve, temporaryDatabase, withStore } from '../support/garden.ts';
import { type Client, client } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { needsData, readReal } from '../support/real-data.ts';
import { imported, ownUploads, staffImports, uploaded } from '../support/uploads.ts';
import { until } from '../support/waiting.ts';

const account = '/authentication/account/';
const files = {
  catalogue: 'codeforces/problemset.problems.2026-08.json',
  twins: 'codeforces/shared-problems.2026-08.json',
  submissions: 'codeforces/user.status.gbuenoandrade-1557.json',
};

const secretOf = (username: string) => ({ username, password: `${username.length} herons at the mill` });

async function openedGarden(t: TestContext, databaseUrl: string) {
  const server = await serve(t, { databaseUrl });
  const printed = /(\/authentication\/setup\/\?key=[\w-]+)/;
  await until('the printed address', () => printed.test(server.stdout()));
  const staff = browser(server.url);
  await staff.open(printed.exec(server.stdout())?.[1] ?? '');
  await staff.submit({ name: 'password' }, secretOf('root'));
  return { url: server.url, staff };
}

async function invited(url: string, staff: Browser, name: string): Promise<Browser> {
  await staff.open('/authentication/staff/invitations/');
  const page = await staff.submit({ name: 'role' });
  const member = browser(url);
  await member.open(new URL(textOf(page, '[data-secret]')).pathname);
  const joined = await member.submit({ name: 'password' }, secretOf(name));
  assert.equal(joined.status, 200, textOf(joined, 'main'));
  return member;
}

/** Uploads a file, looks at what it would change, and imports it. */
async function upload(who: Browser, path: string, file: ChosenFile): Promise<void> {
  const looked = await uploaded(who, path, { file });
  assert.match(textOf(looked, '.notice'), /Nothing has been imported yet/, textOf(looked, 'main'));
  await imported(who);
}

async function wordOf(api: Client, id: string) {
  const { status, text } = await api(`/problem_list/api/status/${id}/`);
  assert.equal(status, 200);
  return JSON.parse(text) as { status: string; origin: string };
}

const rowsIn = (page: Page) => attributesOf(page, 'tr[data-problem]', 'data-problem');

test('a club’s first day, from the printed address to an archive in another garden', needsData, async (t) => {
  const { url, staff } = await openedGarden(t, await temporaryDatabase(t));
  const ada = await invited(url, staff, 'ada');
  const brought = async (name: string) => ({ name: name.split('/')[1] ?? '', bytes: await readReal(name) });
  for (const name of [files.catalogue, files.twins]) await upload(staff, staffImports, await brought(name));
  await upload(ada, ownUploads, await brought(files.submissions));

  // A filter is an address, which shows the same rows in a second browser.
  await ada.open('/problem_list/');
  const found = await ada.open('/problem_list/?rating_min=1400&rating_max=1700&status=tried');
  const rows = rowsIn(found);
  assert.ok(rows.length > 0 && rows.length < 12, `${rows.length} tried, not solved`);
  const second = browser(url);
  const asked = await second.open(found.path);
  assert.match(asked.path, /^\/authentication\/sign-in\//);
  const there = await second.submit({ name: 'password' }, secretOf('ada'));
  assert.equal(there.path, found.path, 'signing in leads on to the copied address');
  assert.deepEqual(rowsIn(there), rows);

  // Two tabs: the second one is told instead of overwriting.
  await ada.open(`${account}tokens/`);
  const made = await ada.submit({ name: 'name' }, { name: 'my bot', scope: ['status:read'] });
  const api = client(url, textOf(made, '[data-secret]'));
  const [id = ''] = rows;
  const row = { within: `[data-problem="${id}"]`, name: 'status' };
  assert.equal((await wordOf(api, id)).status, 'practicing');
  await ada.open(found.path);
  const marked = await ada.submit({ ...row, value: 'complete' });
  const word = await wordOf(api, id);
  assert.deepEqual([word.status, word.origin], ['complete', 'self']);
  const told = await second.submit({ ...row, value: 'skipped' });
  assert.equal(told.status, 409);
  assert.match(textOf(told, '[role="alert"]'), /another tab.*now Solved.*“Skipped” was not saved/);
  assert.equal((await wordOf(api, id)).status, 'complete');
  assert.ok(marked.document.querySelector('.undo'), 'the change can be undone where it was made');
  await ada.open('/dashboard/history/');
  await ada.submit({ within: '[data-change]', name: 'undo' });
  const after = await wordOf(api, id);
  assert.deepEqual([after.status, after.origin], ['practicing', 'judge']);

  const taken = await ada.ask(`${account}data/archive/`);
  assert.equal(taken.status, 200);
  const other = await openedGarden(t, await catalogueDatabase(t, 'folded'));
  const elsewhere = await invited(other.url, other.staff, 'ada');
  await upload(elsewhere, ownUploads, { name: 'ada.zip', bytes: taken.bytes });
  const again = await elsewhere.ask(`${account}data/archive/`);
  assert.ok(Buffer.from(again.bytes).equals(Buffer.from(taken.bytes)), 'the archive is the same to the byte');
});

/** The ways on that a page offers besides its tabs and crumbs: the addresses of links, and the buttons of forms. */
function waysOn({ document }: Page): { links: string[]; buttons: number } {
  const main = parseHtml(document.querySelector('main')?.outerHTML ?? '');
  for (const one of main.querySelectorAll('nav, .crumbs, .tabs, .rooms')) one.remove();
  const hrefs = main.querySelectorAll('a[href]').map((one) => one.getAttribute('href') ?? '');
  const links = hrefs.map((href) => href.replace(/#.*/, '')).filter((href) => /^\/(?!\/)/.test(href));
  return { links: [...new Set(links)], buttons: main.querySelectorAll('form[method="post"] button').length };
}

/** Opens all pages of the table that this person has, and one link of each kind; answers those from which nothing leads on. */
async function deadEnds(one: Browser, paths: readonly string[]): Promise<string[]> {
  const ends: string[] = [];
  const tried = new Set<string>();
  for (const path of paths) {
    const page = await one.open(path);
    const isShown = page.status === 200 && page.hops.length === 0;
    if (!isShown || !page.headers['content-type']?.startsWith('text/html')) continue;
    const { links, buttons } = waysOn(page);
    if (links.length + buttons === 0) ends.push(path);
    for (const empty of page.document.querySelectorAll('.empty')) {
      const hasWay = empty.querySelector('a, button') !== null || buttons > 0;
      if (!hasWay || !empty.querySelector('p')?.textContent) ends.push(`${path}: ${empty.textContent}`);
    }
    for (const link of links) {
      const kind = `${routeOf(link) ?? link} ${[...new URLSearchParams(link.split('?')[1]).keys()]}`;
      if (tried.has(kind)) continue;
      tried.add(kind);
      const there = await one.open(link);
      if (there.status !== 200) ends.push(`${path} leads to ${link}, which answers ${there.status}`);
    }
  }
  return ends;
}

test('no page of somebody who has nothing yet ends in nothing', async (t) => {
  // Nothing is to be done about a server that is well, and nobody looks at what open pages ask.
  const ended = ['/authentication/staff/health/', '/dashboard/follow/'];
  const paths = routePaths.filter((path) => !path.includes(':') && !ended.includes(path));
  for (const hasSample of [false, true]) {
    const databaseUrl = await temporaryDatabase(t);
    if (hasSample) await withStore(databaseUrl, (store) => loadSample(store));
    await memberWithPassword(databaseUrl, 'newbie');
    await memberWithPassword(databaseUrl, 'chief', { role: 'staff' });
    const { url } = await serveHere(t, { databaseUrl });
    for (const name of ['newbie', 'chief']) {
      const ends = await deadEnds(await browserOf(url, name), paths);
      assert.deepEqual(ends, [], `${name} in a garden with${hasSample ? '' : 'out'} problems`);
    }
    if (hasSample) continue;
    const coach = await browserOf(url, 'newbie');
    await coach.open('/dashboard/groups/');
    const group = await coach.submit({ within: 'main', name: 'name' }, { name: 'New club' });
    await coach.open('/problem_list/lists/new/');
    const made = await coach.submit({ name: 'text' }, { name: 'Empty' });
    const rooms = ['', 'settings/', 'seen/', 'season/', 'season/new/', 'pick/', 'rounds/', 'give/'];
    const root = /^\/dashboard\/groups\/\d+\//.exec(group.path)?.[0] ?? '';
    assert.deepEqual(await deadEnds(coach, [...rooms.map((room) => root + room), made.path]), [], 'a new group');
  }
});
