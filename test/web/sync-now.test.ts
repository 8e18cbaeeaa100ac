/** Syncing by a button, beside a replayed judge: a member for one handle, staff for a judge's catalogue, each for their own alone. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runSyncSchedule } from '../../src/jobs/schedule.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { codeforcesNamed, openGarden, type Sent, submissionsOf } from '../importing/support.ts';
import { replayCodeforces } from '../replay/codeforces.ts';
import { startReplay } from '../replay/replay.ts';
import { textsOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { temporaryDatabase } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { until } from '../support/waiting.ts';

const handles = '/authentication/account/handles/';
const judges = '/authentication/staff/judges/';

const rowsOf = (...sent: Sent[]) => (submissionsOf('ada_cf', ...sent) as { result: unknown[] }).result;

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  await memberWithPassword(databaseUrl, 'grace', { role: 'staff' });
  const garden = await openGarden(t, databaseUrl);
  const problems = codeforcesNamed('Pond', '1A', '2A', '3A');
  await garden.import('codeforces-problems', problems);
  const status: Record<string, unknown[]> = { ada_cf: rowsOf(['2A', 'OK', 20], ['1A', 'WRONG_ANSWER', 10]) };
  const { result } = problems as { result: unknown };
  const replay = await startReplay({ codeforces: replayCodeforces({ status, problems: result, contests: [] }) });
  t.after(() => replay.close());
  const { url } = await serveHere(t, { databaseUrl });
  const { id } = await garden.store.write((tx) => addHandle(tx, ada, 'codeforces', 'ada_cf'));
  const beginSyncing = () => {
    const stopping = new AbortController();
    const over = runSyncSchedule(garden.store, {
      holder: 'test',
      signal: stopping.signal,
      pollMs: 20,
      log: () => {},
      judgeUrls: new Map([['codeforces', `${replay.url}/codeforces`]]),
      pace: { intervalMs: 0, retryMs: 5, retries: 0 },
    });
    t.after(() => {
      stopping.abort();
      return over;
    });
  };
  return { url, id, garden, replay, status, beginSyncing };
}

async function untilQuiet(browser: Browser, first: Page): Promise<Page> {
  let page = first;
  await until('a page that no longer loads itself anew', async () => {
    if (page.headers['refresh'] !== undefined) page = await browser.open(page.path);
    return page.headers['refresh'] === undefined;
  });
  return page;
}

const healthOf = (page: Page, id: bigint) => textOf(page, `[data-handle="${id}"] .health`);
const figures = (page: Page, id: bigint) =>
  ['submissions', 'solved', 'tried'].map((name) => textOf(page, `[data-handle="${id}"] [data-figure="${name}"]`));

test('a new handle waits for its turn, and a button asks again at once and waits until it ran', async (t) => {
  const { url, id, status, beginSyncing, garden } = await world(t);
  // All of it is “just now”.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const ada = await browserOf(url, 'ada');
  const fresh = await ada.open(handles);
  assert.match(healthOf(fresh, id), /^We’ll sync with Codeforces soon\./);
  assert.equal(fresh.headers['refresh'], undefined, 'what is typed into the form below is not lost');
  const waiting = await ada.submit({ name: 'sync', value: String(id) });
  assert.equal(waiting.headers['refresh'], '3');
  assert.match(healthOf(waiting, id), /This page refreshes automatically\.$/);
  beginSyncing();
  const first = await untilQuiet(ada, waiting);
  assert.match(
    healthOf(first, id),
    /^In sync\. Last sync just now, next sync in \d+ hours\. The last sync changed 2 problems\./,
  );
  assert.deepEqual(figures(first, id), ['2', '1', '1']);

  // It is due in a day; who presses too soon after a run does not ask the judge again.
  status['ada_cf']?.unshift(...rowsOf(['1A', 'OK', 30]));
  const tooSoon = await ada.submit({ name: 'sync', value: String(id) });
  assert.equal(tooSoon.headers['refresh'], undefined);
  const { store } = garden;
  await store.write((tx) => tx.updateTable('syncs').set({ tried_at: '2026-01-01T00:00:00.000Z' }).execute());
  const again = await untilQuiet(ada, await ada.submit({ name: 'sync', value: String(id) }));
  assert.match(healthOf(again, id), /The last sync changed 1 problem\./);
  assert.deepEqual(figures(again, id), ['3', '2', '0']);
  const problem = await ada.open('/problem_list/problem/1/');
  assert.deepEqual(textsOf(problem, '[data-origin]'), ['imported by sync', 'imported by sync']);
});

test('a judge that is left alone after a fault is asked when somebody wants it, and its fault is told', async (t) => {
  const { url, id, replay, beginSyncing, garden } = await world(t);
  replay.fail('codeforces', ...Array.from({ length: 9 }, () => ({ kind: 'page', status: 403 }) as const));
  beginSyncing();
  const ada = await browserOf(url, 'ada');
  const refused = () => garden.store.reader.selectFrom('syncs').where('fault', 'is not', null).select('name');
  await until('all are refused', async () => (await refused().execute()).length === 5);
  const asked = replay.log.length;
  await garden.store.write(async (tx) => {
    await tx.deleteFrom('syncs').execute();
    for (const [task, handle_id] of [
      ['problems', null],
      ['contests', null],
      ['renames', null],
      ['submissions', id],
      ['ratings', id],
    ] as const)
      await saveSync(tx, { ...freshSync({ source: 'codeforces', task, handle_id }), due_at: BigInt(Date.now() + 9e6) });
  });
  assert.equal(replay.log.length, asked);
  await untilQuiet(ada, await ada.submitAt(handles, { name: 'sync', value: String(id) }));
  await until('ratings are asked for too', () => replay.log.length >= asked + 2);
  const since = replay.log.slice(asked).map(({ path }) => path.split('?')[0]);
  assert.deepEqual(since, ['/user.status', '/user.rating']);
  assert.match(
    healthOf(await ada.open(handles), id),
    /^Codeforces has blocked this server since \d\d:\d\d\. It only lets people/,
  );
});

test('nobody has another’s handle asked for, and only staff a catalogue', async (t) => {
  const { url, id, garden, beginSyncing } = await world(t);
  const bob = await browserOf(url, 'bob');
  await bob.open(handles);
  const { fields } = bob.filled({ name: 'handle' }, { handle: 'x' });
  const rows = () => garden.store.reader.selectFrom('syncs').selectAll().execute();
  const core = (page: Page) => [page.status, textOf(page, 'main').replace(/Request .*/, '')];
  fields.set('sync', String(id));
  const theirs = await bob.post(handles, fields);
  fields.set('sync', '99');
  assert.deepEqual(core(theirs), core(await bob.post(handles, fields)));
  assert.equal(theirs.status, 404);
  fields.set('sync', 'x');
  assert.equal((await bob.post(handles, fields)).status, 400);
  fields.set('source', 'codeforces');
  assert.equal((await bob.post(judges, fields)).status, 404);
  assert.deepEqual(await rows(), []);

  beginSyncing();
  const grace = await browserOf(url, 'grace');
  await until('all are synced', async () => (await rows()).filter(({ good_at }) => good_at !== null).length === 5);
  await garden.store.write((tx) => tx.updateTable('syncs').set({ tried_at: '2026-01-01T00:00:00.000Z' }).execute());
  const page = await grace.open(judges);
  assert.match(textOf(page, '[data-sync="codeforces"]'), /^In sync\. .*1 linked handle, none failing\./);
  const after = await untilQuiet(grace, await grace.submit({ name: 'source', value: 'codeforces' }));
  const deed = textOf(await grace.open('/authentication/staff/log/'), '[data-deed=judge-asked]');
  assert.match(deed, /started a sync with a judge\s*Codeforces$/);
  assert.match(textOf(after, '[data-sync="codeforces"]'), /^In sync\. Last sync just now/);
  assert.match(textOf(page, 'section[aria-labelledby="atcoder"]'), /^AtCoder \(.*No member .* handle at AtCoder, so/);
});
