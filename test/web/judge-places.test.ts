/** Which site is asked of those that run a judge's program: staff set it, and links, uploads and the schedule follow. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeLease } from '../../src/jobs/lease.ts';
import { syncLease } from '../../src/jobs/schedule.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { listJudgeAddresses } from '../../src/practice/judge-addresses.ts';
import { freshFeed, type LiveFeed, saveLiveFeed } from '../../src/store/live-feeds.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { openGarden } from '../importing/support.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { rowsOf } from '../support/databases.ts';
import { totalIn } from '../support/elements.ts';
import { type Browser, memberWithPassword, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { figuresOf, imported, staffImports, uploaded } from '../support/uploads.ts';

const judges = '/authentication/staff/judges/';
const club = 'https://judge.club.example';
const pond = JSON.stringify({
  data: { objects: [{ code: 'pond', name: 'The pond', types: ['Water'], group: 'Club', points: 3 }] },
});

const save = (staff: Browser, address: string) => staff.submit({ name: 'place', value: 'dmoj' }, { address });

test('staff set the site; its links are found, its files get its addresses, and syncs begin anew', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  const garden = await openGarden(t, databaseUrl);
  await garden.store.write(async (tx) => {
    const { id } = await addHandle(tx, ada, 'dmoj', 'ada');
    await saveSync(tx, freshSync({ source: 'dmoj', task: 'submissions', handle_id: id }));
    await saveSync(tx, freshSync({ source: 'atcoder', task: 'problems', handle_id: null }));
  });
  const { url } = await serveHere(t, { databaseUrl, env: { SYNC: 'off' } });
  const [staff, member] = [await browserOf(url, 'grace'), await browserOf(url, 'ada')];
  const first = await staff.open(judges);
  assert.match(textOf(first, '[data-place=dmoj] p'), /^Synced from https:\/\/dmoj\.ca$/);
  assert.equal(first.document.querySelectorAll('[data-place]').length, 1, 'the others have one site');
  for (const [address, why] of [
    ['http://127.0.0.1:8090/dmoj', /is inside the server’s own network/],
    ['javascript:alert(1)', /Enter an address that starts with https/],
  ] as const) {
    await staff.open(judges);
    const refused = await save(staff, address);
    assert.equal(refused.status, 422, address);
    assert.match(textOf(refused, '#address-fault'), why);
  }
  assert.equal((await listJudgeAddresses(garden.store.reader, undefined)).size, 0);
  await staff.open(judges);
  const { fields } = staff.filled({ name: 'place', value: 'dmoj' });
  assert.equal((await member.post(judges, fields)).status, 404);

  assert.equal(textOf(await save(staff, club), '.notice'), 'Saved.', 'nobody syncs');
  await takeLease(garden.store, syncLease, 'another server', 600_000);
  await staff.open(judges);
  const saved = await save(staff, `${club}/?#`);
  assert.match(textOf(saved, '.notice'), /^Saved\. The site’s problems will be imported/);
  assert.match(textOf(saved, '[data-place=dmoj] p'), /^Synced from https:\/\/judge\.club\.example instead of/);
  assert.deepEqual(await rowsOf(databaseUrl, 'SELECT source FROM syncs'), [{ source: 'atcoder' }]);
  const places = await listJudgeAddresses(garden.store.reader, undefined);
  assert.deepEqual(places.get('dmoj'), { url: club, mayBePrivate: false });

  await uploaded(staff, staffImports, { what: 'dmoj-problems', file: { name: 'problems.json', bytes: pond } });
  assert.equal(figuresOf(await imported(staff))['new'], 1);
  assert.deepEqual(
    (await garden.rows('problems')).map(({ url: address }) => address),
    [`${club}/problem/pond`],
  );
  const search = (q: string) => member.open(`/problem_list/?q=${encodeURIComponent(q)}`);
  assert.match((await search(`${club}/problem/pond`)).path, /^\/problem_list\/problem\/\d+\/$/);
  assert.equal(totalIn(await search('https://dmoj.ca/problem/pond')), 0);

  assert.ok(textOf(await staff.open(judges), '[data-file=dmoj-problems]').includes(`From ${club}/api/`));
  const back = await staff.submit({ name: 'own_place', value: 'dmoj' });
  assert.match(textOf(back, '[data-place=dmoj] p'), /^Synced from https:\/\/dmoj\.ca$/);
  assert.match((await search('https://dmoj.ca/problem/pond')).path, /^\/problem_list\/problem\/\d+\/$/);
  const deeds = await rowsOf(databaseUrl, "SELECT what FROM staff_log WHERE what LIKE 'judge%' ORDER BY id");
  const set = { what: 'judge-place-set dmoj' };
  assert.deepEqual(deeds, [set, set, { what: 'judge-place-own dmoj' }]);
});

test('the operator’s setting counts more, and may be private', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  const env = { JUDGE_URLS: 'dmoj=http://127.0.0.1:9/club' };
  const { url } = await serveHere(t, { databaseUrl, env });
  const staff = await browserOf(url, 'grace');
  const page = await staff.open(judges);
  assert.match(
    textOf(page, '[data-place=dmoj]'),
    /^Synced from http:\/\/127\.0\.0\.1:9\/club, set by the server’s operator/,
  );
  assert.equal(page.document.querySelector('[name=place]'), null);
});

test('the judges with the form open in a real Chromium', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const databaseUrl = await temporaryDatabase(t);
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  const { url } = await serveHere(t, { databaseUrl });
  const { page, look } = await openPage(chromium, url);
  await enter(page, url, 'grace', judges);
  await page.click('[data-place=dmoj] summary');
  await page.fill('[name=address]', 'http://10.0.0.1');
  await page.click('[name=place]');
  await page.waitForSelector('#address-fault');
  await look();
});

test('staff see what is live and switch a feed off', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  await takeLease(store, 'sync', 'one', 600_000);
  const { url } = await serveHere(t, { databaseUrl });
  const staff = await browserOf(url, 'grace');
  const now = Date.now();
  const good = { ...freshFeed, onlineAt: now, goodAt: now, newestAt: now - 20_000, delays: { 22: 9, 43: 1 } };
  const line = async (change: Partial<LiveFeed>) => {
    await store.write((tx) => saveLiveFeed(tx, 'codeforces', { ...good, ...change }));
    return textOf(await staff.open(judges), '[data-live=codeforces] p');
  };
  assert.match(
    await line({}),
    /^Codeforces is live: last row .*; today half the solves within 22 s, 95 of 100 within 43 s\.$/,
  );
  assert.match(await line({ delays: {}, gaps: 2 }), /^Codeforces is live: last row [^;]*; 2 gaps today\.$/);
  const refused = { failures: 3, failedAt: now, missed: 300 };
  assert.match(
    await line(refused),
    /is not live: its feed has not answered since .*; people online are checked about every 10 minutes/,
  );
  assert.equal(await line({ newestAt: 0 }), 'Codeforces is not live yet: its feed has not answered.');
  assert.match(await line({ gapFrom: now, missed: 1 }), /is live with a gap since .*: 1 list of people online is read/);
  assert.match(await line({ onlineAt: 0 }), /^Codeforces is resting: nobody is online\.$/);
  assert.match(await line({ isSlowed: true, bytes: 240e6, limit: 250e6 }), /^Codeforces is slowed: 240 of 250 MB\.$/);
  await staff.submit({ name: 'live', value: 'codeforces' });
  assert.match(
    textOf(await staff.open(judges), '[data-live=codeforces]'),
    /is not live: it is turned off\.\s*Turn live on/,
  );
  await staff.submit({ name: 'live', value: 'codeforces' });
  assert.match(textOf(await staff.open(judges), '[data-live=codeforces]'), /Turn live off/);
});
