/** A member's inbox: a secret address that only adds, from every form that tools send, with limits, and an undo for each arrival. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { jobsHost } from '../../src/jobs/host.ts';
import { addAllWaiting } from '../../src/jobs/waiting-problems.ts';
import { makeInbox } from '../../src/practice/inbox.ts';
import { makeList } from '../../src/practice/lists.ts';
import { enter, openBrowser, openPage } from '../support/browser.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { csrfOf } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { type Reply, send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { ownMs } from '../support/processes.ts';
import { needsData, readReal, realPath } from '../support/real-data.ts';
import { until } from '../support/waiting.ts';

const page = '/authentication/account/inbox/';
const watermelon = {
  id: 1,
  source: 'codeforces',
  source_key: '4A',
  title: 'Watermelon',
  tags: ['math'],
  url: 'https://codeforces.com/problemset/problem/4/A',
};
const club = {
  id: 2,
  source: 'our-club',
  source_key: 'p1',
  title: 'Pond',
  url: 'https://club.example/p/1',
  tags: [],
};

async function world(t: TestContext, env: Readonly<Record<string, string>> = {}) {
  const databaseUrl = await temporaryDatabase(t);
  await withStore(databaseUrl, async () => {
    await importRows(databaseUrl, 'problems', [watermelon, club]);
    await membersNamed(databaseUrl, 'ada', 'bob');
  });
  const { url } = await serveHere(t, { databaseUrl, env });
  const ada = await browserOf(url, 'ada');
  await ada.open(page);
  const made = await ada.submit({ name: 'address', value: 'make' });
  const whole = textOf(made, '[data-secret]');
  const address = new URL(whole).pathname;
  const post = (body: string | Uint8Array, type?: string, to = address) =>
    send(url, to, { method: 'POST', body, headers: type === undefined ? {} : { 'Content-Type': type } });
  const json = (value: unknown) => post(JSON.stringify(value), 'application/json');
  const rows = (query: string) => rowsOf(databaseUrl, query);
  const freshMinute = () => tamper(databaseUrl, 'UPDATE inboxes SET requests = 0');
  return { databaseUrl, url, ada, whole, address, post, json, rows, freshMinute };
}

function answerOf(reply: Reply): Record<string, unknown> {
  assert.equal(reply.status, 200, reply.text);
  return JSON.parse(reply.text);
}

const counts = (reply: Reply) => {
  const { added, known, lost } = answerOf(reply);
  return [added, known, lost];
};

/** The problems of a list by their titles, in order. */
const inList = async (rows: (query: string) => Promise<Record<string, unknown>[]>, name: string) =>
  (
    await rows(
      `SELECT problems.title FROM list_items INNER JOIN problems ON problems.id = problem_id
       INNER JOIN lists ON lists.id = list_id WHERE lists.name = '${name}' ORDER BY list_items.position`,
    )
  ).map(({ title }) => title);

test('the address is shown once, works until it is renewed or turned off, and is then like any other path', async (t) => {
  const { url, ada, whole, address, post, rows } = await world(t);
  assert.match(whole, /^http:\/\/localhost:\d+\/inbox\/[\w-]{43}\/$/);
  const later = await ada.open(page);
  assert.equal(later.document.querySelector('[data-secret]'), null);
  assert.equal(textOf(later, '[data-inbox]'), `${whole.slice(0, whole.indexOf('/inbox/') + 12)}…`);
  assert.equal(
    [...later.text.matchAll(/Make a new address to copy the whole command\./g)].length,
    2,
    'a command that would not run says so',
  );
  const secret = address.split('/')[2] ?? '';
  assert.doesNotMatch(later.text, new RegExp(secret));
  assert.doesNotMatch(JSON.stringify(await rows('SELECT beginning, secret_digest FROM inboxes')), new RegExp(secret));
  assert.deepEqual(counts(await post('https://codeforces.com/problemset/problem/4/A', 'text/plain')), [0, 1, 0]);
  assert.equal((await post('x', 'text/plain', address.slice(0, -1))).status, 200);

  const same = ({ status, text, headers }: Reply) => [
    status,
    text.replaceAll(/[\w-]{43}|[\w-]{36}/g, ''),
    Object.keys(headers).sort(),
  ];
  const without = (text: string, path: string) => text.replaceAll(path, '/PATH/');
  const asNothing = async (path: string, method: string) => {
    const [one, other] = await Promise.all(
      [path, `/no/${secret}/`].map(async (target) => {
        const reply = await send(url, target, { method, ...(method === 'POST' && { body: 'x' }) });
        return same({ ...reply, text: without(reply.text, target) });
      }),
    );
    assert.equal(one?.[0], 404, `${method} ${path}`);
    assert.deepEqual(one, other);
  };
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) await asNothing(address, method);
  await asNothing(`/inbox/${'x'.repeat(43)}/`, 'POST');
  await asNothing('/inbox/short/', 'POST');
  await asNothing(`${address}more/`, 'POST');

  const renewed = await ada.submit({ name: 'address', value: 'make' });
  const second = new URL(textOf(renewed, '[data-secret]')).pathname;
  await asNothing(address, 'POST');
  assert.equal((await post('x', 'text/plain', second)).status, 200);
  const ended = await ada.submit({ name: 'address', value: 'end' });
  assert.match(textOf(ended, '[role=status]'), /no longer works/);
  await asNothing(second, 'POST');
});

test('each form that tools send becomes a problem of the list, once', async (t) => {
  const { databaseUrl, url, ada, post, json, rows, freshMinute } = await world(t);
  const link = 'https://toph.co/p/copycat';
  assert.deepEqual(counts(await json({ url: link, title: 'Copycat\u202e\0' })), [1, 0, 0]);
  assert.deepEqual(counts(await json({ url: link })), [0, 1, 0]);
  assert.deepEqual(counts(await post(link)), [0, 1, 0]);
  assert.deepEqual(counts(await post(`${link} https://club.example/p/1 https://x.example/`, 'text/plain')), [0, 2, 1]);
  assert.deepEqual(counts(await json([link, { url: 'https://vjudge.net/problem/CodeForces-4A' }])), [0, 2, 0]);
  const contest = 'https://codeforces.com/contest/1300';
  const problems = ['B', 'A'].map((one) => ({ url: `${contest}/problem/${one}`, name: `Pond ${one}`, context: {} }));
  const asked = { status: 'ok', messages: [], result: { url: contest, name: 'Round 618', problems } };
  assert.deepEqual(counts(await json(asked)), [2, 0, 0]);
  assert.deepEqual(counts(await json(asked)), [0, 2, 0]);
  assert.deepEqual(await inList(rows, 'Round 618'), ['Pond B', 'Pond A']);
  for (const one of [{ url: contest, name: 'R' }, { result: { url: contest, name: 'R' } }, contest])
    assert.deepEqual(counts(await json(one)), [0, 0, 1]);
  const start = { url: 'https://codeforces.com/contest/1301/problem/0', name: 'B2. Pond' };
  assert.deepEqual(counts(await json(start)), [1, 0, 0]);
  assert.deepEqual(await rows(`SELECT source FROM problems WHERE source_key = '1301B2'`), [{ source: 'codeforces' }]);
  assert.deepEqual(counts(await json({ ...start, name: 'Pond' })), [0, 0, 1]);
  const named = await ada.open(page);
  assert.match(
    textOf(named, '.received li'),
    /^“https:\/\/codeforces\.com\/contest\/1301\/problem\/0”This is the start of a round, not a problem\./,
  );
  assert.deepEqual(counts(await post('x'.repeat(101), 'text/plain')), [0, 0, 1]);
  const [cut] = await rows('SELECT unmatched_text FROM arrivals ORDER BY id DESC LIMIT 1');
  assert.equal(cut?.unmatched_text, `${'x'.repeat(99)}…`);
  assert.deepEqual(counts(await json({ url: 'javascript:alert(1)' })), [0, 0, 1]);
  assert.deepEqual((await inList(rows, 'Inbox')).slice(0, 3), ['Copycat', 'Pond', 'Watermelon']);
  const [one] = await rows(`SELECT id FROM problems WHERE title = 'Copycat'`);
  const see = answerOf(await post(`Copycat Toph\n${link}`, 'text/plain'))['see'];
  await post('_https://club.example/p/60_', 'text/plain');
  assert.equal((await rows(`SELECT title FROM problems WHERE source_key = 'p/60'`))[0]?.['title'], '60');
  assert.equal(see, `${url.replace('127.0.0.1', 'localhost')}/problem_list/problem/${one?.['id']}/`);
  await freshMinute();

  await t.test('what is malformed is refused with a sentence, and adds nothing', async () => {
    const before = await rows('SELECT count(*) AS n FROM problems');
    const uncallable = { toString: 1, valueOf: 1 };
    const oddBatch = JSON.stringify({ url: 'javascript:alert(1)', batch: { id: 'b', size: uncallable } });
    const broken = await post('{"url":', 'application/json');
    assert.deepEqual([broken.status, /not JSON/.test(JSON.parse(broken.text).message)], [400, true]);
    const large = await post('x'.repeat(1024 * 1024 + 1), 'text/plain');
    assert.equal(large.status, 413);
    const odd = ['{"__proto__":{"url":"https://toph.co/p/z"}}', '[null,[],[[]],{}]', oddBatch];
    for (const body of odd) assert.ok([200, 400].includes((await post(body, 'application/json')).status));
    assert.deepEqual(await rows('SELECT count(*) AS n FROM problems'), before);
  });

  await t.test('hostile titles and texts are shown as text', async () => {
    const title = '<script>alert(1)</script>\u202egnp';
    await json({ url: 'https://toph.co/p/evil', title, list: '<b>\u2028x</b>' });
    await post('<img src=x onerror=alert(1)>', 'text/plain');
    const shown = await ada.open(page);
    assert.equal(shown.document.querySelector('main script, main img, main [onerror]'), null);
    assert.match(textOf(shown, '#received ~ ul, .received'), /<img src=x/);
  });
  assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM arrivals')).length > 10, true);
});

test('a text arrives in the encoding that it names, or is refused, and nothing of it is stored with lost characters', async (t) => {
  const { ada, post, json, rows } = await world(t);
  const latin = (text: string) => Buffer.from(text, 'latin1');
  const form = 'application/x-www-form-urlencoded';
  for (const [body, type, title] of [
    [latin('{"url":"https://toph.co/p/3","title":"\x92\x72"}'), 'application/json;charset="Shift_JIS"', '池'],
    ['title=%C5%BD%C3%A1ba+100%&url=https%3A%2F%2Ftoph.co%2Fp%2F5', form, 'Žába 100%'],
    [JSON.stringify({ url: 'https://toph.co/p/lily-pad', title: 'L\ufffdly' }), 'application/json', 'Lily pad'],
  ] as const) {
    const reply = await post(body, type);
    assert.deepEqual(counts(reply), [1, 0, 0], type);
    assert.equal((await rows('SELECT title FROM problems ORDER BY id DESC LIMIT 1'))[0]?.['title'], title, type);
  }
  const before = await rows('SELECT count(*) AS n FROM arrivals');
  const refused = await post(latin('\x8e\xe1ba https://toph.co/p/9'), 'text/plain');
  assert.equal(refused.status, 400);
  assert.match(JSON.parse(refused.text).message, /not UTF-8, and nothing was added: send it as UTF-8, or name/);
  assert.deepEqual(await rows('SELECT count(*) AS n FROM arrivals'), before);
  await ada.open('/problem_list/new/?url=https%3A%2F%2Ftoph.co%2Fp%2Fbull-frog&title=Fr%8Esche');
  await ada.submit({ within: 'main form[method=post]', name: 'title' });
  await json({ url: 'https://toph.co/p/frog', title: '\ufffd' });
  assert.deepEqual(await rows(`SELECT id FROM problems WHERE title LIKE '%\ufffd%'`), []);
});

test('a batch of Competitive Companion becomes one list, in any order, sent twice, with one missing', async (t) => {
  const { ada, json, rows, freshMinute } = await world(t);
  const part = (letter: string, id: string, size = 3) => ({
    name: `${letter}. Problem ${letter}`,
    group: 'Codeforces - Codeforces Round 900 - Div. 2',
    url: `https://codeforces.com/contest/1900/problem/${letter}`,
    tests: [{ input: '1', output: '2' }],
    batch: { id, size },
  });
  const name = 'Codeforces Round 900 - Div. 2';
  const whole = ['Problem A', 'Problem B', 'Problem C'];
  for (const letter of ['C', 'A']) assert.deepEqual(counts(await json(part(letter, 'one'))), [1, 0, 0]);
  assert.deepEqual(await inList(rows, name), ['Problem A', 'Problem C']);
  assert.deepEqual(counts(await json(part('B', 'one'))), [1, 0, 0]);
  assert.deepEqual(await inList(rows, name), whole);
  for (const letter of ['B', 'C', 'A']) assert.deepEqual(counts(await json(part(letter, 'one'))), [0, 1, 0]);
  for (const letter of ['B', 'A']) assert.deepEqual(counts(await json(part(letter, 'two'))), [0, 1, 0]);
  assert.deepEqual(await inList(rows, name), whole);
  assert.equal((await rows('SELECT id FROM lists')).length, 1);
  assert.equal((await rows('SELECT id FROM arrivals')).length, 2);

  const first = await ada.open(page);
  assert.match(
    textOf(first, '[data-arrival="1"]'),
    /Codeforces Round 900 - Div\. 2 3 problems.*New list.*3 new.*Companion/s,
  );
  await ada.submit({ within: '[data-arrival="1"]', name: 'undo' });
  assert.deepEqual(await rows('SELECT id FROM lists'), []);
  assert.deepEqual(await rows(`SELECT id FROM problems WHERE source_key LIKE '1900%'`), []);

  await freshMinute();
  // After an undo, late parts are an arrival of their own; and parts that come at once make one list.
  const parts = ['D', 'B', 'A', 'C'].map((letter) => json(part(letter, 'three', 4)));
  for (const reply of await Promise.all(parts)) assert.deepEqual(counts(reply), [1, 0, 0]);
  assert.deepEqual(await inList(rows, name), [...whole, 'Problem D']);
  assert.deepEqual(counts(await json(['C', 'A', 'B', 'D'].map((letter) => part(letter, 'three', 4)))), [0, 4, 0]);
  assert.deepEqual(counts(await json(part('E', 'alone', 1))), [1, 0, 0]);
  for (const letter of ['A', 'B'])
    assert.deepEqual(counts(await json(part(letter, 'four\0', 2))), [0, 1, 0], 'signs that no store takes');
  assert.deepEqual(await inList(rows, 'Inbox'), ['Problem E']);
});

test('a status moves only forwards, a note grows, and Undo takes exactly that back', async (t) => {
  const { ada, json, rows } = await world(t);
  const url = watermelon.url;
  const mark = async () => (await rows('SELECT self_status, how FROM statuses'))[0];
  const note = async () => (await rows('SELECT note FROM bookmarks'))[0]?.['note'];
  await json({ url, status: 'trying', note: 'first', minutes: '28' });
  assert.deepEqual(await mark(), { self_status: 'practicing', how: null });
  await json({ url, status: 'reading', note: 'first' });
  assert.deepEqual(await mark(), { self_status: 'practicing', how: null });
  assert.equal(await note(), 'first');
  await json({ url, status: 'Solved', how: 'editorial', note: 'second\r\nline\u0007', list: 'Trees' });
  assert.deepEqual(await mark(), { self_status: 'complete', how: 'editorial' });
  assert.equal(await note(), 'first\n\nsecond\nline');
  await json({ url, status: 'ignored' });
  await json({ url, status: 'complete', how: 'alone' });
  assert.deepEqual(await mark(), { self_status: 'complete', how: 'editorial' });
  assert.deepEqual(await inList(rows, 'Trees'), ['Watermelon']);

  const shown = await ada.open(page);
  assert.match(textOf(shown, '[data-arrival="1"]'), /Already here.*status updated, note added, 28 min/s);
  assert.equal(shown.document.querySelector('[data-arrival="2"] [name=undo]'), null);
  const early = await ada.submit({ within: '[data-arrival="1"]', name: 'undo' });
  assert.equal(early.status, 409);
  assert.match(textOf(early, '[role=alert]'), /changed/);
  assert.deepEqual(await inList(rows, 'Inbox'), ['Watermelon']);
  const undone = await ada.submit({ within: '[data-arrival="3"]', name: 'undo' });
  assert.match(textOf(undone, '[data-arrival="3"]'), /Undone/);
  assert.deepEqual(await mark(), { self_status: 'practicing', how: null });
  assert.equal(await note(), 'first');
  assert.deepEqual(await rows(`SELECT id FROM lists WHERE name = 'Trees'`), []);
  await ada.submit({ within: '[data-arrival="1"]', name: 'undo' });
  assert.deepEqual([await mark(), await note(), await inList(rows, 'Inbox')], [undefined, undefined, []]);
  assert.equal((await rows(`SELECT id FROM problems WHERE source_key = '4A'`)).length, 1);
  await ada.open('/problem_list/problem/2/');
  await ada.submit({ name: 'bookmark' });
  for (const [path, areByInbox] of [
    ['/dashboard/history/', [false, true, true, true, true]],
    ['/problem_list/problem/1/', [true, true, true, true]],
  ] as const) {
    const changes = (await ada.open(path)).document.querySelectorAll('[data-change] p');
    const found = changes.map((one) => /\sby the inbox\s/.test(one.textContent));
    assert.deepEqual(found, areByInbox, path);
  }
});

test('code is kept as it was sent, within the limits, and Undo takes it back', async (t) => {
  const { databaseUrl, ada, post, json, rows } = await world(t, { ADDED_PER_DAY: '1' });
  const sent = { url: watermelon.url, file: 'a.cpp', code: 'int a;\r\n\tint ü;\n' };
  const kept = async () =>
    (await rows('SELECT file, code, problem_id FROM solutions ORDER BY id')).map(({ file, code, problem_id }) => {
      return [file, Buffer.from(String(code), 'base64').toString(), Number(problem_id)];
    });
  assert.deepEqual(counts(await json(sent)), [0, 1, 0]);
  const form = String(new URLSearchParams(sent));
  assert.deepEqual(counts(await post(form, 'application/x-www-form-urlencoded')), [0, 1, 0]);
  assert.deepEqual(await kept(), [['a.cpp', sent.code, 1]]);
  for (let n = 1; n < 10; n++) await json({ ...sent, code: `${n}` });
  const full = await json({ ...sent, code: 'more' });
  assert.deepEqual([full.status, (await kept()).length], [400, 10]);
  await ada.open(page);
  assert.doesNotMatch(textOf(ada.page(), '[data-arrival="2"]'), /code added/);
  assert.match(textOf(ada.page(), '[data-arrival="1"]'), /code added/);
  await ada.submit({ within: '[data-arrival="1"]', name: 'undo' });
  assert.equal((await kept()).length, 9);
  await json(['a', 'b'].map((key) => ({ ...sent, url: `https://toph.co/p/${key}` })));
  assert.equal((await kept()).length, 10, 'the second problem waits with its code');
  await tamper(databaseUrl, `UPDATE added_problems SET added_at = '2026-01-01T00:00:00.000Z'`);
  await withStore(databaseUrl, (store) => addAllWaiting(store, { perDay: 1, total: 2000 }));
  assert.deepEqual((await kept()).at(-1)?.slice(0, 2), ['a.cpp', sent.code]);
  assert.equal((await kept()).length, 11);
});

test('an undo keeps what somebody uses by now, and nobody undoes what another member received', async (t) => {
  const { databaseUrl, url, ada, json, rows } = await world(t);
  const bob = await browserOf(url, 'bob');
  await json([{ url: 'https://toph.co/p/kept' }, { url: 'https://toph.co/p/gone' }]);
  const [kept] = await rows(`SELECT id FROM problems WHERE source_key LIKE '%kept%'`);
  await tamper(
    databaseUrl,
    `INSERT INTO bookmarks (user_id, problem_id, note, created_at, updated_at)
     SELECT id, ${kept?.['id']}, NULL, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z' FROM members WHERE username = 'bob'`,
  );
  await ada.open(page);
  const undo = { within: '[data-arrival="1"]', name: 'undo' };
  const own = await bob.open(page);
  const token = csrfOf(own);
  const foreign = await bob.post(page, { _csrf: token, undo: '1' });
  assert.equal(foreign.status, 404);
  await ada.submit(undo);
  const left = await rows(`SELECT url FROM problems WHERE url LIKE 'https://toph.co/%'`);
  assert.deepEqual(left, [{ url: 'https://toph.co/p/kept' }]);
});

test('JSON of a hundred thousand levels is refused in words, and as text it is one line that names nothing', async (t) => {
  const { post } = await world(t);
  for (const [start, end] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `[${start.repeat(100_000)}1${end.repeat(100_000)}]`;
    const refused = await post(deep, 'application/json');
    assert.deepEqual([refused.status, /nothing was added/.test(refused.text)], [400, true], refused.text);
    assert.deepEqual(counts(await post(deep, 'text/plain')), [0, 0, 1]);
  }
});

test('a form of hundreds of thousands of fields is a text, and holds nobody up', async (t) => {
  const { post } = await world(t);
  const times: number[] = [];
  for (let tries = 0; tries < 3 && !times.some((ms) => ms < 1500); tries++) {
    const text = `url=https://toph.co/p/1&${'a&'.repeat(500_000)}`;
    const sending = async () => assert.equal((await post(text, 'application/x-www-form-urlencoded')).status, 200);
    times.push(await ownMs(sending));
  }
  assert.ok(Math.min(...times) < 1500, `${times.map(Math.round)} ms`);
});

test('limits: problems a day, requests a minute, arrivals that are kept', async (t) => {
  const { databaseUrl, ada, json, post, rows, freshMinute } = await world(t, { ADDED_PER_DAY: '2' });
  const links = [1, 2, 3].map((at) => `https://toph.co/p/${at}`);
  assert.deepEqual(counts(await json([...links, watermelon.url])), [2, 1, 0]);
  assert.match(textOf(await ada.open(page), '[data-arrival="1"]'), /2 new, 1 problem is waiting/);
  await freshMinute();
  // All of these are in one minute of the clock.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const statuses: number[] = [];
  for (let at = 0; at < 62; at++)
    statuses.push((await (at % 2 === 0 ? post('hello', 'text/plain') : post('{', 'application/json'))).status);
  assert.deepEqual(statuses, [...Array(30).fill([200, 400]).flat(), 429, 429]);
  const refused = await post('hello', 'text/plain');
  assert.match(refused.text, /60 requests a minute/);
  assert.ok(refused.headers['retry-after']);
  await tamper(
    databaseUrl,
    `INSERT INTO arrivals (id, user_id, channel, makes_list, unmatched, over_limit, arrived_at)
     SELECT 1000 + problems.id * 1000 + n.id + more.id * 10000, members.id, 'text', 0, 1, 0, '2026-01-01T00:00:00.000Z' FROM members, problems,
       (SELECT id FROM arrivals) AS n, (SELECT id FROM arrivals WHERE id < 5) AS more WHERE username = 'ada'`,
    'UPDATE inboxes SET requests = 0',
  );
  await post('hello', 'text/plain');
  const [{ n } = { n: 0 }] = await rows('SELECT count(*) AS n FROM arrivals');
  assert.equal(Number(n), 201, 'the newest, and one of which a problem waits');
  assert.equal((await rows('SELECT id FROM arrivals WHERE waiting IS NOT NULL')).length, 1);
});

test('what is beyond the limit of a day waits with all that was sent of it, and is added later, in order and once', async (t) => {
  const { databaseUrl, ada, json, rows } = await world(t, { ADDED_PER_DAY: '2' });
  const toph = (key: string) => `https://toph.co/p/${key}`;
  const dayPasses = () => tamper(databaseUrl, `UPDATE added_problems SET added_at = '2026-01-01T00:00:00.000Z'`);
  const addWaiting = () => withStore(databaseUrl, (store) => addAllWaiting(store, { perDay: 2, total: 2000 }));
  const nextDay = () => dayPasses().then(addWaiting);
  const added = async () =>
    (await rows(`SELECT url FROM problems WHERE source = 'toph' ORDER BY id`)).map((row) => row['url']);
  const sent = [
    ...['a', 'b', 'c'].map((key) => ({ url: toph(key), list: 'Trees' })),
    { url: toph('d'), title: 'Dam', list: 'Trees', status: 'solved', how: 'hint', note: 'build it', minutes: 7 },
  ];
  const { waiting, limit } = answerOf(await json(sent));
  assert.deepEqual([waiting, limit], [2, 'day']);
  assert.deepEqual(await added(), [toph('a'), toph('b')]);
  const batch = { id: 'late', size: 2 };
  for (const letter of ['f', 'e', 'f'])
    assert.equal(
      answerOf(await json({ url: toph(letter), name: `${letter}. Eel`, group: 'Toph - Eels', batch }))['waiting'],
      1,
    );
  const shown = await ada.open(page);
  assert.match(
    textOf(shown, '.notice'),
    /limit is 2 added problems in 24 hours\. What is waiting is added automatically/,
  );
  assert.match(textOf(shown, '[data-arrival="1"]'), /2 new, 2 problems are waiting/);
  assert.match(textOf(shown, '[data-kind=waiting]'), /^f\. Eel2 problems are waiting/);
  await addWaiting();
  assert.equal((await added()).length, 2, 'not before its time');

  await tamper(databaseUrl, `UPDATE arrivals SET arrived_at = '2026-03-04T05:06:07.000Z'`);
  await dayPasses();
  assert.equal(answerOf(await json({ url: toph('z') }))['waiting'], 1, 'what came first is added first');
  await nextDay();
  assert.deepEqual(await inList(rows, 'Trees'), ['a', 'b', 'c', 'Dam']);
  const marks = await rows('SELECT self_status, self_at, how FROM statuses');
  assert.deepEqual(marks, [{ self_status: 'complete', self_at: '2026-03-04T05:06:07.000Z', how: 'hint' }]);
  assert.equal((await rows('SELECT note FROM bookmarks'))[0]?.['note'], 'build it');
  assert.match(textOf(await ada.open(page), '[data-arrival="1"]'), /4 problems.*4 new, status updated/s);
  await nextDay();
  assert.deepEqual(await added(), ['a', 'b', 'c', 'd', 'f', 'e'].map(toph));
  assert.deepEqual(await inList(rows, 'Eels'), ['e. Eel', 'f. Eel']);

  // An undo takes along what waits.
  const last = (await rows('SELECT id FROM arrivals WHERE waiting IS NOT NULL')).map(({ id }) => Number(id));
  assert.equal(last.length, 1);
  await ada.open(page);
  await ada.submit({ within: `[data-arrival="${last[0]}"]`, name: 'undo' });
  await nextDay();
  assert.equal((await added()).length, 6);
  await ada.submit({ within: '[data-arrival="1"]', name: 'undo' });
  assert.deepEqual(await added(), [toph('f'), toph('e')]);
  assert.equal((await ada.open(page)).document.querySelector('.notice'), null);
});

test('the process of jobs adds what waits by itself, and what waits is no more than an inbox can hold', async (t) => {
  const { databaseUrl, json, post, rows } = await world(t, { ADDED_PER_MEMBER: '1' });
  await json({ url: 'https://toph.co/p/first' });
  const note = 'n'.repeat(60_000);
  const large = Array.from({ length: 10 }, (_, at) => ({ url: `https://toph.co/p/${at}`, note }));
  const { waiting, lost, limit } = answerOf(await json(large));
  assert.deepEqual([waiting, lost, limit], [8, 2, 'total']);
  assert.equal(counts(await post('https://toph.co/p/late', 'text/plain'))[2], 0, 'there is room for short ones');
  const config = readConfig({ databaseUrl, addedPerMember: '4', sync: 'off' });
  const jobs = jobsHost(config, pino({ level: 'silent' }));
  jobs.keep(undefined);
  t.after(() => jobs.stop());
  await until('there are four', async () => (await rows(`SELECT id FROM problems WHERE source = 'toph'`)).length === 4);
  await jobs.stop();
  assert.equal((await rows('SELECT note FROM bookmarks')).length, 3);
  await tamper(databaseUrl, `DELETE FROM members WHERE username = 'ada'`);
  assert.deepEqual(await rows('SELECT id FROM arrivals'), []);
});

test('posts of 21 judges, as their parsers made them, become problems with their titles', needsData, async (t) => {
  const { json, rows, freshMinute } = await world(t, { ADDED_PER_DAY: '500' });
  const folder = 'reach/competitive-companion';
  const files = (await readdir(realPath(folder))).filter((name) => /\.(?:problem|contest)\./.test(name));
  assert.equal(files.length, 29);
  for (const file of files) {
    const { result } = JSON.parse(await readReal(`${folder}/${file}`)) as { result: unknown };
    const all = [result]
      .flat()
      .map((one) => ({ ...(one as object), batch: { id: file, size: [result].flat().length } }));
    await freshMinute();
    const [added, known, lost] = counts(await json(all));
    assert.deepEqual([Number(added) + Number(known), lost], [all.length, 0], file);
  }
  const titles = (await rows('SELECT title FROM problems')).map(({ title }) => title);
  for (const title of [
    'String Task',
    'Many Balls',
    'Questions',
    'Increasing Array',
    'A + B Problem',
    'Exciting Menus',
    'Out of Sorts',
    'A jugar 2048',
  ])
    assert.ok(titles.includes(title), `${title} of ${titles.join(', ')}`);
});

test('a full list is followed by another', async (t) => {
  const { databaseUrl, json, rows } = await world(t);
  await importRows(
    databaseUrl,
    'problems',
    ponds(999, (place) => ({ id: place + 100, source_key: `${place}Z` })),
  );
  const [{ id: ownerId } = {}] = await rows(`SELECT id FROM members WHERE username = 'ada'`);
  const items = Array.from({ length: 999 }, (_, place) => ({ problem: BigInt(place + 100) }));
  const content = [{ name: '', items }];
  await withStore(databaseUrl, (store) =>
    makeList(store, { ownerId: BigInt(String(ownerId)), name: 'Inbox', content }),
  );
  assert.deepEqual(counts(await json({ url: watermelon.url })), [0, 1, 0]);
  assert.deepEqual(counts(await json({ url: 'https://toph.co/p/x' })), [1, 0, 0]);
  assert.equal((await inList(rows, 'Inbox')).length, 1000);
  assert.deepEqual((await inList(rows, 'Inbox 2')).length, 1);
});

test('below a base path the address and what it answers are there, and a member who is shut out has none', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada } = await membersNamed(databaseUrl, 'ada');
  const secret = await withStore(databaseUrl, (store) => makeInbox(store, ada));
  const { url } = await serveHere(t, { databaseUrl, env: { BASE_URL: 'https://club.example/garden' } });
  const ask = (path: string) =>
    send(url, path, { method: 'POST', body: 'https://toph.co/p/x and https://toph.co/p/y' });
  assert.equal((await ask(`/inbox/${secret}/`)).status, 404);
  const answer = answerOf(await ask(`/garden/inbox/${secret}/`));
  assert.match(String(answer['see']), /^https:\/\/club\.example\/garden\/problem_list\/lists\/\d+\/$/);
  await tamper(databaseUrl, 'UPDATE members SET is_disabled = 1');
  assert.equal((await ask(`/garden/inbox/${secret}/`)).status, 404);
});

test('the bookmark button leads from any page to the form, with link and title', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const { url } = await world(t);
  const title = `1 + 1 & "two" ' ü <b>`;
  const judge = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`);
  }).listen(0, '127.0.0.1');
  t.after(() => judge.close());
  await once(judge, 'listening');
  const at = `http://127.0.0.1:${(judge.address() as AddressInfo).port}/problem?id=7&lang='en'#top`;
  const own = url.replace('127.0.0.1', 'localhost');
  const { page: tab, complaints } = await openPage(browser, own);
  await enter(tab, own, 'ada', page);
  const href = (await tab.getAttribute('.bookmarklet', 'href')) ?? '';
  assert.match(
    href,
    /^javascript:location='http:\/\/localhost:\d+\/problem_list\/new\/\?url='\+encodeURIComponent\(location\)/,
  );
  // The page that shows it runs no script of it, not even by a click.
  await tab.click('.bookmarklet');
  assert.equal(new URL(tab.url()).pathname, page);
  assert.ok(
    complaints.every((text) => /Content Security Policy/.test(text)),
    String(complaints),
  );
  await tab.goto(at);
  await tab.evaluate(href.slice('javascript:'.length));
  await tab.waitForURL(/problem_list\/new/);
  assert.equal(await tab.inputValue('[name=url]'), new URL(at).href);
  assert.equal(await tab.inputValue('[name=title]'), title);
});
