/**
 * Today: it is where one comes in; it says how fresh everything is, offers three problems a judge with the reason in figures and
 * the way to more like them, and each of the latest changes can be undone there.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addHandle } from '../../src/practice/handles.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { setSwitch } from '../../src/practice/preferences.ts';
import { freshSync, type SyncsTable, saveSync } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { attributesOf, hrefOf } from '../support/elements.ts';
import { type Page, textOf, usualPassword } from '../support/forms.ts';
import { importRows, temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const today = '/dashboard/';
const hourMs = 3_600_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const ratings = Array.from({ length: 60 }, (_, n) => 1000 + 20 * n);

async function world(t: TestContext, env: Record<string, string> = {}) {
  const databaseUrl = await temporaryDatabase(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob');
  await importRows(
    databaseUrl,
    'problems',
    ponds(ratings.length, (n) => ({
      rating: ratings[n],
      url: `https://codeforces.com/problemset/problem/${n + 1}/A`,
    })),
  );
  const garden = await openGarden(t, databaseUrl);
  const { url } = await serveHere(t, { databaseUrl, env });
  const mark = (memberId: bigint, status: 'complete' | 'practicing', ...problemIds: bigint[]) =>
    setStatus(garden.store, { memberId, problemIds, status });
  const link = (source: string, name: string) =>
    garden.store.write(async (tx) => (await addHandle(tx, ids.ada, source, name)).id);
  const note = (source: string, handle_id: bigint, state: Partial<SyncsTable>) =>
    garden.store.write((tx) => saveSync(tx, { ...freshSync({ source, task: 'submissions', handle_id }), ...state }));
  return { url, ids, garden, mark, link, note };
}

const kindsIn = (page: Page, which = '') => attributesOf(page, `[data-next] [data-kind]${which}`, 'data-kind');

test('signing in leads to Today, which stands first; it says one step to those who have nothing yet', async (t) => {
  const { url } = await world(t);
  const ada = await browserOf(url, 'ada');
  await ada.open('/authentication/sign-in/');
  const page = await ada.submit({ name: 'password' }, { username: 'ada', password: usualPassword });
  assert.equal(page.path, today);
  assert.equal((await ada.open('/')).path, today);
  const [first] = page.document.querySelectorAll('.top-nav a');
  assert.deepEqual([first?.textContent, first?.getAttribute('aria-current')], ['Today', 'page']);
  assert.match(textOf(page, '.empty'), /^Nothing solved yet/);
  assert.equal(hrefOf(page, '.empty a.primary'), '/authentication/account/handles/');
  assert.equal(page.document.querySelector('[data-sync]'), null, 'nothing is synced');
});

test('three problems a judge, never one that was touched, with the reason and the filter they come from', async (t) => {
  const { url, ids, mark } = await world(t);
  await mark(ids.ada, 'complete', ...Array.from({ length: 12 }, (_, n) => BigInt(2 * n + 1)));
  await mark(ids.ada, 'practicing', ...Array.from({ length: 12 }, (_, n) => BigInt(2 * n + 27)));
  const ada = await browserOf(url, 'ada');
  const page = await ada.open(today);
  assert.deepEqual(kindsIn(page), ['like', 'up', 'stretch']);
  assert.match(textOf(page, '[data-next="codeforces"] .panel-head'), /^Suggested for today at Codeforces/);
  for (const one of page.document.querySelectorAll('[data-kind]')) {
    assert.doesNotMatch(one.textContent, /%|tried|In a contest/, 'without contests no chance is said');
    assert.match(one.querySelector('.actions > a')?.textContent ?? '', /^Open: .* on Codeforces$/);
    assert.match(one.querySelector('.menu-panel')?.textContent ?? '', /^More like this.*Not interested/);
    const kind = one.getAttribute('data-kind') ?? '';
    const list = await ada.open(hrefOf(page, `[data-kind="${kind}"] .menu-panel a`));
    assert.match(list.path, /^\/problem_list\/\?source=codeforces&rating_min=\d+&rating_max=\d+&status=not_started$/);
    const rows = attributesOf(list, 'tr[data-problem]', 'data-problem');
    assert.ok(rows.includes(one.getAttribute('data-problem') ?? ''), `${kind} is one of its list`);
    await ada.open(today);
  }
  const up = '[data-kind="up"]';
  const after = await ada.submit({ within: up, name: 'status', value: 'skipped' });
  assert.match(after.path, /^\/dashboard\/\?changed=/);
  assert.notDeepEqual(attributesOf(after, up, 'data-problem'), attributesOf(page, up, 'data-problem'));
  assert.match(textOf(after, '.undo p'), /not started → skipped/);
  const undone = await ada.submit({ within: '.undo', name: 'undo' });
  assert.match(textOf(undone, '.undo[role=status] p'), /^Undone: .*not started → skipped/);
  await ada.submit({ within: up, value: 'start' });
  const others = kindsIn(await ada.open(today), ':has([value=start])');
  assert.deepEqual(others, ['like', 'stretch'], 'what a timer runs for');
  const bob = await browserOf(url, 'bob');
  assert.deepEqual(kindsIn(await bob.open(today)), []);
});

test('before five solved problems of one judge, Today says how many of them there are', async (t) => {
  const { url, ids, mark } = await world(t);
  await mark(ids.ada, 'complete', 1n, 2n);
  await mark(ids.ada, 'practicing', 3n, 4n, 5n, 6n);
  const ada = await browserOf(url, 'ada');
  const page = await ada.open(today);
  assert.match(textOf(page, '[data-next]'), /five rated problems of one judge.*day\. ?2 of 5 ?Import your history/);
  assert.equal(page.document.querySelectorAll('[data-next] .odds-bar .on').length, 2);
  assert.equal(page.document.querySelectorAll('[data-next] .odds-bar i').length, 5);
  await mark(ids.ada, 'complete', ...ratings.map((_, at) => BigInt(at + 1)));
  assert.equal((await ada.open(today)).document.querySelector('[data-next]'), null);
});

test('who hides difficulties sees none in what comes next', async (t) => {
  const { url, ids, mark, garden } = await world(t);
  await mark(ids.ada, 'complete', 1n, 3n, 5n, 7n, 9n, 11n);
  const ada = await browserOf(url, 'ada');
  await setSwitch(garden.store, ids.ada, 'hidesRatings', true);
  const panel = (await ada.open(today)).document.querySelector('[data-next]');
  assert.ok(panel?.querySelector('.facts .reveal'));
  assert.doesNotMatch(panel?.textContent ?? '', /(?:at|rated|–)\s?1\d{3}/);
});

test('the latest changes stand there by day, and are undone there', async (t) => {
  const { url, ids, mark } = await world(t);
  for (let n = 1n; n <= 8n; n++) await mark(ids.ada, 'complete', n);
  const ada = await browserOf(url, 'ada');
  const page = await ada.open(today);
  const changes = page.document.querySelectorAll('[data-change]');
  assert.equal(changes.length, 6);
  assert.match(changes[0]?.textContent ?? '', /Pond 8/);
  const undone = await ada.submit({ within: '[data-change]', name: 'undo' });
  assert.match(undone.path, /^\/dashboard\/\?changed=\d+$/);
  assert.equal(undone.document.querySelectorAll('[data-change][data-undone]').length, 1);
  assert.match(textOf(await ada.open('/problem_list/'), '.sub'), / problems from 1 judge, 7 solved$/);
});

type SyncState = readonly [name: string, state: Partial<SyncsTable>, head: RegExp, rest: RegExp];

const syncStates = (): SyncState[] => [
  [
    'fine',
    { due_at: BigInt(Date.now() + 49 * hourMs), good_at: ago(12 * 60_000), news: 3n },
    /^Synced 12 min ago\.$/,
    /In sync\. Last sync 12 min ago, next sync in 2 days\. The last sync changed 3 problems\.$/,
  ],
  [
    'late',
    { due_at: 0n, good_at: ago(50 * hourMs) },
    /^Late: no sync since 2 days ago\.$/,
    /Nothing is lost: the next sync/,
  ],
  [
    'waiting',
    { due_at: 0n, good_at: ago(hourMs) },
    /^We’ll sync with Codeforces soon\.$/,
    /^We’ll sync with Codeforces soon/,
  ],
  ...(
    [
      ['refused', /^Codeforces has blocked this server since /, /import your submissions yourself\. Nothing is lost/],
      ['down', /^Codeforces has not answered since /, /Next sync in 60 min\. Nothing is lost/],
      ['busy', /^Codeforces has been busy since /, /too many requests/],
      [
        'unknown handle',
        /^Codeforces has no user with this name\.$/,
        /If it changed, rename the handle: everything imported stays/,
      ],
      ['odd answer', /^Codeforces has sent unexpected answers since /, /Nothing is imported from them/],
    ] as const
  ).map(
    ([fault, head, rest]): SyncState => [
      fault,
      {
        due_at: BigInt(Date.now() + hourMs),
        good_at: ago(5 * hourMs),
        fault,
        fault_text: 'As said.',
        fault_since: ago(3 * hourMs),
        failures: 2n,
      },
      head,
      rest,
    ],
  ),
];

test('the sync line names each state in a sentence, and says what follows', async (t) => {
  // The minutes that it names are of one moment.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { url, link, note } = await world(t);
  const id = await link('codeforces', 'ada_cf');
  const ada = await browserOf(url, 'ada');
  for (const [name, state, head, rest] of syncStates()) {
    await note('codeforces', id, state);
    const page = await ada.open(today);
    assert.match(textOf(page, '[data-sync] summary'), head, name);
    assert.match(textOf(page, '[data-sync] .health'), rest, name);
    const handles = await ada.open('/authentication/account/handles/');
    assert.match(textOf(handles, `[data-handle="${id}"] .health`), rest, `${name} on the page of handles`);
  }
  await note('codeforces', await link('codeforces', 'ada_two'), syncStates()[0]?.[1] ?? {});
  const page = await ada.open(today);
  assert.match(textOf(page, '[data-sync] summary'), /^Codeforces has sent unexpected answers/);
  assert.equal(page.document.querySelectorAll('[data-sync] .health').length, 2);
  const ofList = await link('luogu', '7');
  await note('luogu', ofList, syncStates().find(([name]) => name === 'refused')?.[1] ?? {});
  const handles = await ada.open('/authentication/account/handles/');
  assert.match(
    textOf(handles, `[data-handle="${ofList}"] .health`),
    /^Luogu has blocked this server .* paste it under Import your history \(menu Add\)\. Nothing is lost/,
  );
});

test('data of a judge that is old is told with its age, and a server that does not sync says so', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { url, garden, link, note } = await world(t, { SYNC: 'off' });
  const ada = await browserOf(url, 'ada');
  const id = await link('atcoder', 'ada_ac');
  const state = { due_at: BigInt(Date.now() + hourMs), good_at: ago(hourMs) };
  await note('atcoder', id, state);
  const lines = async () => {
    const page = await ada.open(today);
    return `${textOf(page, '[data-sync] summary')} ${textOf(page, '[data-sync] .health')}`;
  };
  assert.match(await lines(), /^Synced 60 min ago\. In sync\. Last sync 60 min ago, next sync when garden sync runs\./);
  await note('atcoder', id, { ...state, due_at: BigInt(Date.now() - hourMs) });
  assert.match(await lines(), /Last sync 60 min ago, next sync when garden sync runs/);
  const fault = { fault: 'down', fault_text: 'As said.', fault_since: ago(hourMs), failures: 1n } as const;
  await note('atcoder', id, { ...state, ...fault });
  assert.match(
    await lines(),
    /^AtCoder Problems has not answered since .* Next sync when garden sync runs\..* Last successful sync: 60 min ago\./,
  );
  await note('atcoder', id, { ...state, good_at: ago(40 * hourMs) });
  assert.match(await lines(), /^Sync with AtCoder Problems is off\..* Last successful sync: 40 hours ago\./);
  await note('atcoder', id, { ...state, good_at: null });
  assert.match(await lines(), /^Sync with AtCoder Problems is off\./);
  await note('atcoder', id, state);
  const handles = await ada.open('/authentication/account/handles/');
  assert.equal(handles.document.querySelector('[name="sync"]'), null, 'nothing is offered that would not happen');
  await garden.store.write(async (tx) => {
    await tx
      .insertInto('leases')
      .values({ name: 'sync', holder: 'another', ends_at: BigInt(Date.now() + hourMs) })
      .execute();
    await saveSync(tx, {
      ...freshSync({ source: 'atcoder', task: 'age', handle_id: null }),
      ...state,
      judge_at: ago(9.2 * hourMs),
    });
  });
  const page = await ada.open(today);
  assert.match(textOf(page, '[data-sync] summary'), /^AtCoder Problems is 9 hours behind\.$/);
  assert.match(textOf(page, '[data-sync] .health'), /Nothing is lost: later submissions are imported once it has them/);
});

test('Today in a real Chromium: axe finds nothing and nothing scrolls sideways, also with the menu of handles open', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url, ids, mark, link, note } = await world(t);
  for (let n = 1n; n <= 8n; n++) await mark(ids.ada, n % 2n === 0n ? 'complete' : 'practicing', n);
  const longest = await link('codeforces', 'x'.repeat(24));
  await note('codeforces', longest, syncStates()[3]?.[1] ?? {});
  await note('codeforces', await link('codeforces', 'ada_two'), syncStates()[0]?.[1] ?? {});
  await link('cses', 'y'.repeat(100));
  const { page, strays, complaints, look } = await openPage(browser, url);
  for (const name of ['ada', 'bob']) {
    await page.context().clearCookies();
    await enter(page, url, name);
    await look(name);
  }
  await page.context().clearCookies();
  await enter(page, url, 'ada');
  await page.locator('.sync > summary').focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.sync[open] .health');
  await look('the menu');
  assert.deepEqual([strays, complaints], [[], []]);
});
