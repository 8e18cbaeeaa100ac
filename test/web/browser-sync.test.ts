/**
 * The member's own browser asks the judge, in a real Chromium beside a replayed judge of another origin: its page alone may
 * speak to that judge, what it brings is the member's and marked so, and each fault has its sentence.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { syncHandle } from '../../src/jobs/sync-runs.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { findHandle } from '../../src/store/handles.ts';
import { codeforcesNamed, openGarden, type Sent, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { csrfOf, hrefsOf } from '../support/elements.ts';
import { type Browser, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { askReplay, replayOf } from '../sync/support.ts';

const handles = '/authentication/account/handles/';

const many = rowsOf(
  'ada_cf',
  Array.from({ length: 600 }, (_, n) => [`${1 + (n % 3)}A`, 'OK', 10_000 - n]),
);

function rowsOf(handle: string, sent: Sent[]): unknown[] {
  return (submissionsOf(handle, ...sent) as { result: unknown[] }).result;
}

async function world(t: TestContext, { isOverridden = true } = {}) {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada', 'bob');
  const garden = await openGarden(t, databaseUrl);
  await garden.import('codeforces-problems', codeforcesNamed('Pond', '1A', '2A', '3A'));
  const replay = await replayOf(t, { codeforces: replayCodeforces({ status: { ada_cf: [...many] } }) });
  const env: Record<string, string> = isOverridden ? { JUDGE_URLS: `codeforces=${replay.url}/codeforces` } : {};
  const { url } = await serveHere(t, { databaseUrl, env });
  const { id } = await addHandle(garden.store, ada, 'codeforces', 'ada_cf');
  const solves = () => garden.store.reader.selectFrom('solves').selectAll().execute();
  return { url, id, garden, replay, solves, path: `${handles}${id}/browser/` };
}

test('one page alone may speak to the judge; without script it shows the way by file', async (t) => {
  const { url, path, id } = await world(t, { isOverridden: false });
  const ada = await browserOf(url, 'ada');
  const page = await ada.open(path);
  const policyOf = (one: typeof page) =>
    /connect-src ([^;]*);/.exec(String(one.headers['content-security-policy']))?.[1];
  assert.equal(policyOf(page), "'self' https://codeforces.com");
  for (const other of [handles, `${handles}${id}/`, '/dashboard/', '/problem_list/'])
    assert.equal(policyOf(await ada.open(other)), "'self'", other);
  const [address, upload = ''] = hrefsOf(page, '.steps a');
  assert.equal(address, 'https://codeforces.com/api/user.status?handle=ada_cf');
  assert.match(textOf(page, 'noscript'), /^This needs JavaScript/);
  assert.ok(page.document.querySelector('[data-asks][hidden]'), 'there is no button that does nothing');
  const form = await ada.open(upload);
  assert.equal(form.document.querySelector('option[selected]')?.getAttribute('value'), 'codeforces-submissions');
});

/** What the script of the page sends of an answer of the judge. */
async function bring(as: Browser, to: string, bytes: string, from = '1', brought = '0') {
  const _csrf = csrfOf(await as.open(handles));
  return as.upload(to, [...Object.entries({ _csrf, from, brought }), ['file', { name: 'answer.json', bytes }]]);
}

const answer = (rows: readonly unknown[]) => JSON.stringify({ status: 'OK', result: rows });

test('an answer is kept for the member of the handle alone, whatever is sent', async (t) => {
  const { url, path, id, solves } = await world(t);
  const ada = await browserOf(url, 'ada');
  const bob = await browserOf(url, 'bob');
  const theirs = await bring(bob, path, answer(many.slice(0, 9)));
  const none = await bring(bob, `${handles}99/browser/`, answer(many.slice(0, 9)));
  assert.deepEqual([theirs.status, none.status], [404, 404]);
  assert.equal((await bob.open(path)).status, 404);
  assert.deepEqual(await solves(), []);

  for (const [bytes, why] of [
    ['{"status":"FAILED","comment":"Call limit exceeded"}', /Call limit exceeded/],
    ['<!DOCTYPE html><title>Just a moment</title>', /not imported, and nothing else changed/],
    ['{"status":"OK","result":[{"id":1', /not imported, and nothing else changed/],
    ['', /not imported, and nothing else changed/],
    [' '.repeat(600 * 1024), /larger than 512 KiB/],
  ] as const) {
    const refused = await bring(ada, path, bytes);
    assert.equal(refused.status, 422, bytes.slice(0, 40));
    assert.match(textOf(refused, '.notice'), why);
  }
  assert.deepEqual(await solves(), []);

  const others = rowsOf('somebody_else', [['3A', 'OK', 5]]);
  const renamed = await bring(ada, path, answer(others));
  assert.match(textOf(renamed, '.notice'), /submitted by somebody_else, not by ada_cf; if the name changed, rename/);
  const first = await bring(ada, path, answer([...many.slice(0, 9), ...others]), '-7');
  assert.doesNotMatch(textOf(first, '.notice'), /Done/);
  const done = await bring(ada, path, answer([]), '11', '3');
  assert.match(textOf(done, '.notice'), /^Done: 10 rows read, 3 new problems\.$/);
  const kept = await solves();
  assert.deepEqual([kept.length, new Set(kept.map(({ origin }) => origin))], [9, new Set(['browser'])]);
  assert.ok(kept.every(({ handle_id }) => handle_id === id));
  const problem = await ada.open('/problem_list/problem/1/');
  assert.match(textOf(problem, '[data-origin="browser"]'), /^imported by your browser$/);
});

test('the browser asks answer by answer, and faults are told', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, path, replay, solves } = await world(t);
  const { page, strays, complaints, look } = await openPage(chromium, url);
  await enter(page, url, 'ada', path);
  await page.waitForSelector('[data-asks]:not([hidden])');
  await look();
  const start = page.getByRole('button', { name: 'Start import' });
  const hurry = () => page.locator('[data-asks]').evaluate((form) => form.setAttribute('data-interval', '10'));

  await hurry();
  replay.fail('codeforces', ...Array.from({ length: 4 }, () => ({ kind: 'page', status: 403 }) as const));
  await start.click();
  await page.waitForSelector('[data-says="unreachable"]:not([hidden])');
  await look();
  assert.equal((await solves()).length, 0);
  assert.equal(replay.log.length, 4);

  // Busy once, then cut off once: both are asked again.
  replay.fail('codeforces', { kind: 'call limit' }, { kind: 'truncated' });
  await start.click();
  await page.waitForSelector('.notice[data-kind="good"]');
  assert.match(await page.locator('.notice[data-kind="good"]').innerText(), /^Done: 600 rows read, 3 new problems/);
  const kept = await solves();
  assert.deepEqual([kept.length, new Set(kept.map(({ origin }) => origin))], [600, new Set(['browser'])]);
  const asked = replay.log.map(({ path: one }) => new URL(one, url).searchParams.get('from'));
  assert.deepEqual(asked.slice(4), ['1', '1', '1', '241', '481', '601']);

  // A cache that answers the same whatever row is asked for is asked no further.
  const cached = answer(many.slice(0, 2));
  const headers = { 'Access-Control-Allow-Origin': '*' };
  const same = { kind: 'answer', status: 200, body: cached, headers } as const;
  await hurry();
  replay.fail('codeforces', same, same);
  await start.click();
  await page.waitForSelector('.notice[data-kind="good"]:has-text("Done: 2 rows")');

  await hurry();
  replay.fail('codeforces', ...Array.from({ length: 9 }, () => ({ kind: 'call limit' }) as const));
  await start.click();
  await page.waitForSelector('.notice[data-kind="bad"] b:has-text("not imported")');
  assert.match(await page.locator('.notice', { hasText: 'not imported' }).innerText(), /Call limit exceeded/);
  assert.equal((await solves()).length, 600);

  const judge = new URL(replay.url).origin;
  assert.deepEqual([...new Set(strays.map((one) => new URL(one).origin))], [judge]);
  const unasked = complaints.filter((text) => !/status of 4(?:03|22)|status of 503|CORS|ERR_FAILED/.test(text));
  assert.deepEqual(unasked, []);
});

test('what the server asks itself counts as its own, also after the browser and a file', async (t) => {
  const { garden, url, path, id, solves, replay } = await world(t);
  const ada = await browserOf(url, 'ada');
  const file = { status: 'OK', result: many.slice(0, 2) };
  await garden.import('codeforces-submissions', file, { member: 'ada', handle: 'ada_cf' });
  await bring(ada, path, answer(many.slice(0, 4)));
  const ways = async () => (await solves()).map(({ origin }) => origin).toSorted();
  assert.deepEqual(await ways(), ['browser', 'browser', 'file', 'file']);
  const exported = await garden.everything();
  assert.equal(exported.match(/"origin":"browser"/g)?.length, 2);
  const handle = await findHandle(garden.store.reader, id);
  assert.ok(handle);
  await syncHandle(garden.store, handle, askReplay(garden.store, 'codeforces', replay));
  assert.deepEqual(new Set(await ways()), new Set(['server']));
  assert.equal((await ways()).length, 600);
  await garden.import('codeforces-submissions', file, { member: 'ada', handle: 'ada_cf' });
  assert.deepEqual(new Set(await ways()), new Set(['server']));
});
