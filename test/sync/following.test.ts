/**
 * Lists that follow an address: additions come in once and are marked as new, removals are shown and not done, a failure is said with
 * its time, and no address leads into the server's own network.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { jobsHost } from '../../src/jobs/host.ts';
import { fetchFollows, runListFollows } from '../../src/jobs/list-follows.ts';
import { saveLimits } from '../../src/practice/added-problems.ts';
import { startFollowing } from '../../src/practice/list-follows.ts';
import { makeList } from '../../src/practice/lists.ts';
import type { Store } from '../../src/store/store.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from '../importing/support.ts';
import { rowsOf, testStore } from '../support/databases.ts';
import { memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { ponds } from '../support/ponds.ts';
import { startReceiver } from '../support/receiver.ts';
import { until } from '../support/waiting.ts';

const dayMs = 86_400_000;
const link = (n: number) => `https://codeforces.com/contest/${n}/problem/A`;
const problems = ponds(10, (place) => ({ url: link(place + 1) }));
const listOf = (...sections: [string, ...(number | string)[]][]) =>
  JSON.stringify({
    format: 'practice-list/1',
    licence: 'CC0-1.0',
    sections: sections.map(([name, ...all]) => ({
      name,
      problems: all.map((one) => ({ url: typeof one === 'number' ? link(one) : one, memo: 'from there', year: 2026 })),
    })),
  });
const titlesIn = ({ document }: Page) =>
  document
    .querySelectorAll('tr[data-problem] .c-title')
    .map((one) => `${one.querySelector('a')?.textContent}${one.querySelector('.tag') ? ' new' : ''}`);

test('a list follows an address', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', problems);
  const ownerId = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'bob');
  const id = await makeList(store, {
    ownerId,
    name: 'Mine',
    content: [{ name: 'One', items: [{ problem: 9n }] }],
  });
  const receiver = await startReceiver(t);
  const env = { PRIVATE_PLACES: receiver.url };
  const { url } = await serveHere(t, { databaseUrl, env });
  const ada = await browserOf(url, 'ada');
  const own = `/problem_list/lists/${id}/`;
  const address = `${receiver.url}/list.json`;
  const privateOrigins = new Set([receiver.url]);
  const options = { privateOrigins, judgeUrls: undefined, answerMs: 60_000 };
  const hangs = () => {};
  const versionsIn = (db: Db) => db.selectFrom('lists').select('version').execute();
  /** Lists change only while no other writer works, whose changes would get another author. */
  const inTurns: Store = Object.assign({}, store, {
    writeConcurrently: <T>(work: (tx: Db) => Promise<T>) =>
      store.writeConcurrently(async (tx) => {
        const before = await versionsIn(tx);
        const result = await work(tx);
        assert.deepEqual(await versionsIn(tx), before);
        return result;
      }),
  });
  let now = Date.now();
  const look = async (say: number | ((response: ServerResponse) => void)) => {
    receiver.say.push(say);
    now += 1000;
    await store.write((tx) => tx.updateTable('list_follows').set({ due_at: 0n }).execute());
    // Only an address that hangs is to be given up early, on a busy machine too.
    await fetchFollows(inTurns, say === hangs ? { ...options, answerMs: 1000 } : options, now);
    return ada.open(own);
  };
  const answer = (body: string, etag?: string) => (response: ServerResponse) =>
    response.writeHead(200, etag ? { ETag: etag } : {}).end(body);

  await t.test('an address is taken that is one, and none inside', async () => {
    for (const wrong of [
      'javascript:alert(1)',
      'ftp://a.example/',
      'https://a:b@c.example/',
      'http://127.0.0.1:1/',
      'http://[::1]/',
      'http://localhost/',
      `https://a.example/${'x'.repeat(2000)}`,
      'x',
    ]) {
      await ada.open(`${own}follow/`);
      const page = await ada.submit({ name: 'url' }, { url: wrong });
      assert.equal(page.status, 422, wrong);
      assert.ok(textOf(page, '.fault'), wrong);
    }
    const bob = await browserOf(url, 'bob');
    assert.equal((await bob.open(`${own}follow/`)).status, 404);
    await ada.open(`${own}follow/`);
    const page = await ada.submit({ name: 'url' }, { url: address });
    assert.equal(page.path, own);
    assert.match(textOf(page, '#follow') + page.text, /It will be checked soon/);
  });

  await t.test('its problems come in, into sections of their names, and missing ones are added', async () => {
    const missing = 'https://www.spoj.com/problems/PRIME1/';
    const page = await look(answer(listOf(['One', 1, 9], ['Two', 2, missing]), '"a"'));
    assert.deepEqual(titlesIn(page), ['Pond 9', 'Pond 1', 'Pond 2']);
    assert.match(page.text, /1 problem is not on this server yet/);
    assert.equal(textOf(page, '#p1 .memo'), 'from there');
    const added = await ada.submit({ name: 'do', value: 'add' });
    assert.deepEqual(titlesIn(added), ['Pond 9', 'Pond 1', 'Pond 2', 'PRIME1']);
    assert.doesNotMatch(added.text, /not on this server yet/);
    const file = JSON.parse((await ada.ask(`${own}json/`)).text);
    assert.equal(file.licence, 'CC0-1.0', 'what the file says else is kept');
    const years = file.sections.map((one: { problems: { year?: number }[] }) => one.problems.map(({ year }) => year));
    assert.deepEqual(years, [
      [undefined, 2026],
      [2026, 2026],
    ]);
  });

  await t.test('what is as before is asked with its entity tag', async () => {
    const page = await look(304);
    assert.equal(receiver.got.at(-1)?.headers['if-none-match'], '"a"');
    assert.equal(titlesIn(page).length, 4);
    const [row] = await rowsOf(databaseUrl, 'SELECT due_at, fault FROM list_follows');
    assert.equal(row?.['fault'], null);
    assert.equal(Number(row?.['due_at']), now + dayMs, 'once a day');
    const asked = receiver.got.length;
    await fetchFollows(store, options, now + dayMs - 1);
    assert.equal(receiver.got.length, asked);
  });

  await t.test('additions are marked as new for a week, and removals are shown and not done', async () => {
    const page = await look(answer(listOf(['Two', 2, 4], ['Three', 5]), '"b"'));
    assert.deepEqual(titlesIn(page), ['Pond 9', 'Pond 1', 'Pond 2', 'PRIME1', 'Pond 4 new', 'Pond 5 new']);
    assert.match(page.text, /3 problems are no longer in the list at this link/);
    await ada.open(`${own}edit/`);
    await ada.submit({ within: '.list-edit' }, { remove: ['4', '1'] });
    const again = await look(answer(listOf(['Two', 2, 4], ['Three', 5])));
    assert.deepEqual(titlesIn(again), ['Pond 9', 'Pond 2', 'PRIME1', 'Pond 5 new'], 'it does not come back');
    await store.write((tx) => tx.updateTable('followed_items').set({ came_at: '2026-01-01T00:00:00.000Z' }).execute());
    assert.ok(!titlesIn(await ada.open(own)).some((one) => one.endsWith('new')));
  });

  await t.test('a failure is said with its time, and changes nothing', async () => {
    const faults: [number | ((response: ServerResponse) => void), RegExp][] = [
      [500, /status 500/],
      [304, /status 304/],
      [(response) => response.writeHead(302, { Location: '/other' }).end(), /another link/],
      [answer('x'.repeat(3 * 1024 * 1024)), /more than 2 MiB/],
      [answer('<h1>nothing</h1>'), /no problem links/],
      [answer(listOf(['One', 2, 3]).slice(0, -30)), /incomplete or damaged/],
      [answer('a.bc/1 '.repeat(10_001)), /too many links/],
      [(response) => response.end(Buffer.from(`é ${link(6)}`, 'latin1')), /not in UTF-8 and names no other encoding/],
      [hangs, /did not answer in time/],
      [(response) => response.destroy(), /could not be reached/],
    ];
    for (const [say, wanted] of testStore === 'sqlite' ? faults : faults.slice(0, 3)) {
      const page = await look(say);
      assert.match(page.text, wanted);
      assert.match(page.text, /The check on <time[^>]*>[^<]+<\/time> failed/);
      assert.equal(titlesIn(page).length, 4);
    }
    const asked = receiver.got.length;
    await store.write((tx) => tx.updateTable('list_follows').set({ due_at: 0n }).execute());
    await fetchFollows(store, { ...options, privateOrigins: new Set() }, now);
    assert.equal(receiver.got.length, asked, 'the operator does not allow it any more');
    assert.match((await ada.open(own)).text, /own network/);
    await look(answer(`# Any text\n\n${link(2)} and ${link(7)}`));
    assert.equal(titlesIn(await ada.open(own)).at(-1), 'Pond 7 new');
    const czech = Buffer.from(`\x8e\xe1by ${link(2)} and ${link(7)}`, 'latin1');
    const page = await look((response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=windows-1250' }).end(czech),
    );
    assert.doesNotMatch(page.text, /The check on .* failed/);
  });

  await t.test('a store that cannot be read is no fault of the address, which is asked again', async () => {
    const rename = (from: string, to: string) =>
      store.write(async (tx) => {
        await sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`).execute(tx);
      });
    const seen = answer(listOf(['Two', 2, 4]));
    const broken = look((response) => {
      rename('problem_keys', 'mislaid').then(() => seen(response));
    });
    await assert.rejects(broken, /problem_keys/);
    await rename('mislaid', 'problem_keys');
    assert.doesNotMatch((await ada.open(own)).text, /The check on .* failed/);
    await look(answer(`${link(2)} and ${link(7)}`));
    assert.equal(titlesIn(await ada.open(own)).length, 5);
  });

  await t.test('following stops, and the list stays', async () => {
    await ada.open(`${own}follow/`);
    const page = await ada.submit({ name: 'do', value: 'stop' });
    assert.ok(page.document.querySelector('[name=url]'));
    const asked = receiver.got.length;
    await fetchFollows(store, options, now + 2 * dayMs);
    assert.equal(receiver.got.length, asked);
    assert.equal(titlesIn(await ada.open(own)).length, 5);
    assert.deepEqual(await rowsOf(databaseUrl, 'SELECT 1 FROM followed_items'), []);
  });

  await t.test('the process of jobs asks by itself', async () => {
    receiver.say.push(answer(listOf(['One', 8])));
    await ada.open(`${own}follow/`);
    await ada.submit({ name: 'url' }, { url: address });
    const stopping = new AbortController();
    const lead = { holder: 'test', signal: stopping.signal, log: () => {}, pollMs: 20 };
    const done = runListFollows(store, { ...options, ...lead });
    await until('the problem', async () => titlesIn(await ada.open(own)).length === 6).finally(() => stopping.abort());
    await done;
    assert.equal(titlesIn(await ada.open(own)).length, 6);
  });

  await t.test('missing problems beyond the limit stay missing, with the limit that it was', async () => {
    const links = ['ADDREV', 'TEST'].map((key) => `https://www.spoj.com/problems/${key}/`).join(' ');
    // One was added above.
    const set = (perDay: number) => store.write((tx) => saveLimits(tx, { member: { perDay }, staff: {} }));
    await set(2);
    const looked = await look(answer(`${link(2)} ${links}`));
    const why = /; 1 more is left out\. The limit is 2 in 24 hours: add the rest tomorrow\./;
    assert.match(textOf(looked, '[aria-labelledby=follow]'), why);
    const added = await ada.submit({ name: 'do', value: 'add' });
    assert.match(
      added.text,
      /1 problem is not on this server yet.*You can’t add any more problems now; 1 more is left out/s,
    );
    const refused = await ada.submit({ name: 'do', value: 'add' });
    assert.equal(refused.status, 422);
    assert.match(
      textOf(refused, '.notice'),
      /You can add 0 more now, and this would be 1\. The limit is 2 in 24 hours/,
    );
  });
});

test('a server asks for a list where nobody has a handle, a feed or a webhook', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  await importRows(databaseUrl, 'problems', problems);
  const ownerId = await memberWithPassword(databaseUrl, 'ada');
  const receiver = await startReceiver(t);
  receiver.say.push((response) => response.end(listOf(['One', 1])));
  const id = await makeList(store, { ownerId, name: 'Mine', content: [] });
  await startFollowing(store, { id, owner_id: ownerId }, `${receiver.url}/list.json`);
  const jobs = jobsHost(readConfig({ databaseUrl, privatePlaces: receiver.url }), pino({ level: 'silent' }));
  t.after(jobs.stop);
  jobs.keep(undefined);
  const items = () => rowsOf(databaseUrl, 'SELECT problem_id FROM list_items');
  await until('the problem', async () => (await items()).length === 1);
});
