/**
 * Bringing what CSES shows to its member alone, beside a replayed CSES: the member confirms in the browser, one run follows, the
 * handle is proved, and the token is kept nowhere.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { addHandle } from '../../src/practice/handles.ts';
import { openGarden } from '../importing/support.ts';
import { type CsesRows, replayCses } from '../replay/cses.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { hrefOf, valueIn } from '../support/elements.ts';
import { type Browser, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { childrenOf } from '../support/processes.ts';
import { until } from '../support/waiting.ts';
import { replayOf } from '../sync/support.ts';

const handles = '/authentication/account/handles/';
const tasks = ['1068', '1083'].map((id) => ({ category: 'Introductory Problems', id, name: `Task ${id}` }));
const sent = { 1068: [{ id: 1, outcome_status: 'pass', time: '2026-01-02T12:00:00Z' } as const] };

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada: adaId } = await membersNamed(databaseUrl, 'ada', 'bob');
  const garden = await openGarden(t, databaseUrl);
  const rows: CsesRows = { tasks, members: { ada: { ...sent }, eve: {} } };
  const cses = { ...replayCses(rows) };
  const replay = await replayOf(t, { cses: (...request) => cses.answer(...request) });
  Object.assign(cses, replayCses(rows, `${replay.url}/cses`));
  const { url } = await serveHere(t, { databaseUrl, env: { JUDGE_URLS: `cses=${replay.url}/cses` } });
  const { id } = await addHandle(garden.store, adaId, 'cses', 'Ada');
  return { databaseUrl, garden, rows, cses, replay, url, adaId, path: `${handles}${id}/confirm/` };
}

const press = (browser: Browser, act: 'begin' | 'bring', filling = {}) =>
  browser.submit({ name: 'act', value: act }, filling);
const said = (page: Page) => textOf(page, '.notice');
const tokenIn = (page: Page) => valueIn(page, 'token') ?? '';

test('a member confirms at CSES, one run brings what is new, and nothing keeps the token', async (t) => {
  const { databaseUrl, garden, rows, cses, replay, url, path } = await world(t);
  const ada = await browserOf(url, 'ada');
  const list = await ada.open(handles);
  assert.match(textOf(list, '.health'), /CSES shows your submissions only to you: confirm access in your browser/);
  assert.match(textOf(list, '[data-proof=none]'), /Verify/);
  await ada.open(path);
  const asked = await press(ada, 'begin');
  assert.equal(asked.status, 200);
  const away = hrefOf(asked, '[data-away]');
  assert.ok(away.startsWith(`${replay.url}/cses/confirm?token=`), away);
  assert.match(String(asked.headers['cache-control']), /no-store/);
  const token = tokenIn(asked);

  const early = await press(ada, 'bring');
  assert.equal(early.status, 422);
  assert.match(said(early), /^Not confirmed yet\. CSES has not received your confirmation/);
  assert.equal(tokenIn(early), token, 'the same token goes on');
  cses.confirm(token, 'eve');
  const other = await press(ada, 'bring');
  assert.equal(other.status, 422);
  assert.match(said(other), /^Nothing was imported\. eve confirmed at CSES, but the handle here is Ada\./);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT method FROM handle_proofs'), []);

  cses.confirm(token, 'ada');
  const begun = await press(ada, 'bring');
  assert.equal(begun.hops[0]?.status, 303);
  assert.match(said(begun), /^Confirmed\. Importing new submissions/);
  assert.equal(begun.headers['refresh'], '3');
  const done = await finished(ada, path);
  assert.match(said(done), /^Last import .*: 1 problem changed\.$/);
  const [status] = await garden.rows('statuses');
  assert.equal(status?.['status'], 'complete');
  const after = await ada.open(handles);
  assert.match(textOf(after, '[data-proof=confirmation]'), /^Verified by confirming it there on/);
  const tables = ['syncs', 'leases', 'request_slots', 'handles', 'handle_proofs', 'sessions', 'solves'];
  for (const table of tables) {
    const text = JSON.stringify(await rowsOf(databaseUrl, `SELECT * FROM ${table}`), (_, value) => String(value));
    assert.ok(!text.includes(token), table);
  }
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT name FROM leases'), []);

  // The permission may end midway; what CSES says of it never stands in the page.
  rows.members['ada'] = { ...sent, 1083: [{ id: 2, outcome_status: 'fail', time: '2026-01-03T12:00:00Z' }] };
  await ada.open(path);
  const again = tokenIn(await press(ada, 'begin'));
  cses.confirm(again, 'ada');
  replay.fail('cses', { kind: 'none' }, { kind: 'none' }, { kind: 'page', status: 403 });
  await press(ada, 'bring');
  const broken = await finished(ada, path);
  assert.match(
    said(broken),
    /^The last import \(.*\) was interrupted\. Everything imported before that is kept; confirm again/,
  );
  assert.equal(broken.text.includes(again), false);
});

async function finished(browser: Browser, path: string): Promise<Page> {
  let page = await browser.open(path);
  await until('the run', async () => {
    page = await browser.open(path);
    return page.document.querySelector('[data-run="on"]') === null;
  });
  return page;
}

test('a run whose process died is said, be it the first one or one after a good one', {
  skip: process.platform === 'linux' ? false : 'looks for processes in /proc',
}, async (t) => {
  const { databaseUrl, cses, replay, url, path } = await world(t);
  const ada = await browserOf(url, 'ada');
  const bring = async () => {
    await ada.open(path);
    const token = tokenIn(await press(ada, 'begin'));
    cses.confirm(token, 'ada');
    await press(ada, 'bring');
  };
  const bringAndDie = async () => {
    replay.fail('cses', { kind: 'none' }, { kind: 'none' }, { kind: 'stalled', ms: 30_000 });
    const asked = replay.log.length;
    await bring();
    await until('the run', () => replay.log.length === asked + 3);
    const isOfJobs = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/jobs/process.ts');
    process.kill(childrenOf(process.pid).find(isOfJobs) ?? 0, 'SIGKILL');
    await tamper(databaseUrl, 'UPDATE leases SET ends_at = 0');
    return said(await finished(ada, path));
  };
  assert.match(await bringAndDie(), /^The last import from CSES was interrupted/);
  await bring();
  assert.match(said(await finished(ada, path)), /^Last import .*: 1 problem changed\.$/);
  assert.match(await bringAndDie(), /^The last import from CSES was interrupted/);
});

test('the page is of the member alone, takes its own addresses alone, and says when CSES does not answer', async (t) => {
  const { garden, replay, url, adaId, path } = await world(t);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  await ada.open(path);
  const own = ada.filled({ name: 'act', value: 'begin' }).fields;
  await bob.open(handles);
  const theirs = bob.filled({ name: 'handle' }).fields;
  theirs.set('act', 'begin');
  for (const place of [path, `${handles}99/confirm/`]) {
    assert.equal((await bob.open(place)).status, 404);
    assert.equal((await bob.post(place, theirs)).status, 404);
  }
  const cf = await addHandle(garden.store, adaId, 'codeforces', 'ada');
  assert.equal((await ada.open(`${handles}${cf.id}/confirm/`)).status, 404);
  assert.equal(replay.log.length, 0);

  for (const [name, value] of [
    ['address', 'javascript:alert(1)'],
    ['address', 'https://evil.example/'],
    ['token', 'two words'],
  ] as const) {
    const fields = { act: 'bring', token: 'x', address: `${replay.url}/cses/confirm`, [name]: value };
    const refused = await ada.post(path, { ...Object.fromEntries(own), ...fields });
    assert.equal(refused.status, 422, value);
    assert.equal(refused.document.querySelector('[data-away]'), null, value);
  }
  assert.equal(replay.log.length, 0);
  await ada.open(path);
  replay.fail('cses', { kind: 'page', status: 403 });
  const refused = await press(ada, 'begin');
  assert.equal(refused.status, 502);
  assert.match(said(refused), /^CSES /);
});

test('confirming in a real Chromium', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, path, replay } = await world(t);
  const { page, complaints, look } = await openPage(chromium, url);
  await enter(page, url, 'ada', path);
  await page.waitForSelector('[value=begin]');
  await look('before');
  await page.click('[value=begin]');
  await page.waitForSelector('[data-away]');
  await look('the address');
  const opened = page.context().waitForEvent('page');
  await page.click('[data-away]');
  const judge = await opened;
  await judge.waitForLoadState();
  assert.ok(judge.url().startsWith(`${replay.url}/cses/confirm`));
  assert.match(await judge.locator('body').innerText(), /Confirmed/);
  await judge.close();
  await page.click('[value=bring]');
  await page.waitForSelector('[data-run=on]');
  await page.waitForSelector('[data-run=good]');
  await look('after');
  assert.deepEqual(complaints, []);
});
