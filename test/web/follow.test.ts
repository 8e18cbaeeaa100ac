/** Pages that follow what happens while they are open, in a real browser, and what they may learn. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { noLimits } from '../../src/practice/added-problems.ts';
import { joinGroup, makeGroup, makeGroupLink } from '../../src/practice/groups.ts';
import { makeRound } from '../../src/practice/rounds.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { contestGarden, type Sent } from '../support/contests-taken.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';

const pollMs = 15_000;
const now = Math.floor(Date.now() / 1000);
const practice = (key: string, verdict: string, secondsAgo: number): Sent => {
  return [key, verdict, now - secondsAgo, 'PRACTICE'];
};

const roundNow = () => {
  const startsAt = new Date().toISOString();
  return { name: 'Round', rule: 'icpc', startsAt, minutes: 60, freezeMinutes: 0, points: [] } as const;
};

async function world(t: TestContext) {
  const { garden, send, sendAs } = await contestGarden(t, now - 20 * 86_400);
  const { url } = await serveHere(t, { databaseUrl: garden.databaseUrl });
  const rows = await garden.rows('problems');
  const idOf = (key: string) => BigInt(rows.find(({ source_key }) => source_key === key)?.['id'] as number);
  return { garden, send, sendAs, url, idOf };
}

async function open(t: TestContext, url: string, path: string) {
  const browser = await openBrowser(t);
  if (!browser) return undefined;
  const { cookies } = await browserOf(url, 'ada');
  const watched = await openPage(browser, url, { cookies, viewport: { width: 1200, height: 600 } });
  const { page } = watched;
  await page.clock.install();
  const polls: string[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/dashboard/follow/')) polls.push(request.url());
  });
  await page.goto(url + path);
  await until('it asks once', () => polls.length >= 1);
  const poll = async () => {
    const before = polls.length;
    await page.clock.runFor(pollMs);
    await until('it asks again', () => polls.length > before);
  };
  return { ...watched, poll, polls };
}

const shows = (page: Page, selector: string, text: RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();

test('the page of a problem shows a submission as it comes, says a solve, and takes it back', async (t) => {
  const { send, url, idOf } = await world(t);
  await send('ada_cf', practice('9C', 'OK', 7200));
  const opened = await open(t, url, `/problem_list/problem/${idOf('9D')}/`);
  if (!opened) return;
  const { page, poll, complaints } = opened;
  await poll();
  assert.equal(await page.locator('.undo').count(), 0, 'what was solved before is no news');
  await send('ada_cf', practice('9D', 'WRONG_ANSWER', 60));
  await page.fill('#note-text', 'half a thought');
  await poll();
  await page.locator('[data-status="practicing"]').waitFor();
  assert.equal(await page.inputValue('#note-text'), 'half a thought');
  await send('ada_cf', practice('9D', 'OK', 30));
  await poll();
  await shows(page, '.undo[role="status"] p', /Solved just now: 9 3/);
  await page.locator('[data-status="complete"]').waitFor();
  assert.equal(await page.inputValue('#note-text'), 'half a thought');
  assert.equal(await page.evaluate('document.activeElement.id'), 'note-text');
  await page.click('.undo-main');
  await page.waitForURL(/changed=/);
  await page.locator('[data-status="practicing"]').waitFor();
  assert.deepEqual(complaints, []);
});

test('nothing moves under a pointer: the page waits until it has left', async (t) => {
  const { send, url, idOf } = await world(t);
  const opened = await open(t, url, `/problem_list/problem/${idOf('9D')}/`);
  if (!opened) return;
  const { page, poll } = opened;
  const panel = page.locator('[data-problem] .panel').first();
  const before = await panel.innerText();
  const box = await panel.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 20);
  await send('ada_cf', practice('9D', 'OK', 30));
  await poll();
  await shows(page, '.undo', /Solved just now/);
  await poll();
  assert.equal(await panel.innerText(), before);
  await page.mouse.move(1, 1);
  await poll();
  await until('it shows the solve', async () => (await panel.innerText()) !== before);
});

test('a failing page is asked less often, one of another version is loaded once nothing is typed, a menu stays', async (t) => {
  const { send, url, idOf } = await world(t);
  await send('ada_cf', practice('9C', 'OK', 7200));
  const path = `/problem_list/problem/${idOf('9D')}/`;
  const opened = await open(t, url, path);
  if (!opened) return;
  const { page, poll, polls } = opened;
  const loads: string[] = [];
  let answer = 'fails' as 'fails' | 'is newer' | 'is the same';
  await page.route(`**${path}`, async (route) => {
    if (route.request().resourceType() !== 'xhr' || answer === 'is the same') return route.continue();
    loads.push(answer);
    if (answer === 'fails') return route.fulfill({ status: 503 });
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('src="/', 'src="/other/') });
  });
  await send('ada_cf', practice('9D', 'WRONG_ANSWER', 60));
  await poll();
  const count = polls.length;
  await page.clock.runFor(pollMs);
  await page.evaluate('new Promise(requestAnimationFrame)');
  assert.deepEqual([polls.length, loads], [count, ['fails']]);
  answer = 'is newer';
  await page.fill('#note-text', 'half a thought');
  await poll();
  await until('it asks for the page', () => loads.length === 2);
  await page.evaluate('globalThis.isBefore = true');
  await page.fill('#note-text', '');
  await page.evaluate("one('#keys-off').click()");
  await page.evaluate('document.activeElement.blur()');
  const asked = polls.length;
  await poll();
  await until('it is loaded', async () => !(await page.evaluate('globalThis.isBefore').catch(() => true)));
  await until('the loaded page asks once', () => polls.length > asked + 1);
  answer = 'is the same';
  await page.locator('[data-status="practicing"]').waitFor();
  await page.evaluate("document.querySelector('main .menu').open = true");
  await page.mouse.move(1, 1);
  await send('ada_cf', practice('9D', 'OK', 30));
  await poll();
  await shows(page, '.undo', /Solved just now/);
  assert.equal(await page.locator('main .menu[open]').count(), 1);
});

test('several solves are one sentence, an import of old ones none, and an ended session stops the questions', async (t) => {
  const { garden, send, url } = await world(t);
  await send('ada_cf', practice('8A', 'OK', 9000));
  const opened = await open(t, url, '/dashboard/');
  if (!opened) return;
  const { page, poll, polls } = opened;
  await send('ada_cf', practice('8B', 'OK', 3700));
  await poll();
  await poll();
  assert.equal(await page.locator('.undo').count(), 0);
  await send('ada_cf', practice('9A', 'OK', 50), practice('9B', 'OK', 40));
  await poll();
  await shows(page, '.undo', /Solved just now: 2 problems/);
  assert.equal(await page.locator('.undo-main').count(), 0);
  await garden.store.write((tx) => tx.deleteFrom('sessions').execute());
  await poll();
  const count = polls.length;
  await page.clock.runFor(10 * pollMs);
  assert.equal(polls.length, count);
});

test('while a round runs, its problems open here and at their judge, also on a phone and before anybody joins', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { garden, url, idOf } = await world(t);
  const choice = { problems: [idOf('9D')], limits: noLimits, groupId: undefined };
  const roundId = await makeRound(garden.store, 2n, roundNow(), choice);
  const { cookies } = await browserOf(url, 'bob');
  const { page, look } = await openPage(browser, url, { cookies });
  await page.goto(`${url}/dashboard/rounds/${roundId}/`);
  const links = page.getByRole('region', { name: 'Problems' }).getByRole('link');
  const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  assert.deepEqual(addresses, [
    `/problem_list/problem/${idOf('9D')}/`,
    'https://codeforces.com/problemset/problem/9/D',
  ]);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.locator('.standings thead a').waitFor();
  assert.equal(await links.count(), 0, 'the head of the table has them');
  await look();
  await page.setViewportSize({ width: 320, height: 640 });
  assert.equal(await links.last().getAttribute('href'), addresses[1]);
  await links.first().click();
  await page.waitForURL(`**${addresses[0]}`);
});

test('a tag changes with what its page shows, and tells nothing about rounds and groups of others', async (t) => {
  const { garden, sendAs, url, idOf } = await world(t);
  const { store } = garden;
  const groupId = await makeGroup(store, 2n, { name: 'Club', zone: 'UTC' });
  const secret = await makeGroupLink(store, { groupId, coachId: 2n }, { uses: 9, lifetimeMs: 9e6, madeBy: 2n });
  await joinGroup(store, 3n, secret);
  const choice = { problems: [idOf('9D')], limits: noLimits, groupId };
  const roundId = await makeRound(store, 2n, roundNow(), choice);
  const tagOf = async (name: string, query: string) => {
    const { status, document } = await (await browserOf(url, name)).open(`/dashboard/follow/?${query}`);
    return status === 200 ? document.querySelector('body')?.getAttribute('data-tag') : status;
  };
  for (const query of [`round=${roundId}`, `group=${groupId}`, 'round=99', 'group=99'])
    assert.equal(await tagOf('dora', query), 404, query);
  const tags = async () => [await tagOf('bob', ''), await tagOf('bob', `group=${groupId}`)];
  const before = await tags();
  await sendAs('dora', 'dora_cf', practice('9D', 'OK', 30));
  assert.deepEqual(await tags(), before, 'somebody else');
  await sendAs('cleo', 'cleo_cf', practice('9D', 'WRONG_ANSWER', 30));
  const [own, group] = await tags();
  assert.equal(own, before[0]);
  assert.notEqual(group, before[1]);
});
