/**
 * A page that the browser has is confirmed without being made again, and never once anything that it shows is different; and a
 * page takes few statements, whatever it shows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBookmarks, setNote, setStatus } from '../../src/practice/marks.ts';
import { changeRecord } from '../../src/practice/members.ts';
import { saveView, setSwitch } from '../../src/practice/preferences.ts';
import { undo } from '../../src/practice/undo.ts';
import { deleteHandle } from '../../src/store/handles.ts';
import { findMembersByIds } from '../../src/store/members.ts';
import type { Db } from '../../src/store/tables.ts';
import { memberWithPassword } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { countStatements } from '../support/statements.ts';

const list = '/problem_list/';
const pages = [
  list,
  `${list}?status=unsolved&q=pond&order=-rating`,
  `${list}problem/1/`,
  `${list}bulk/?tag=dp`,
  `${list}views/`,
  '/dashboard/history/',
  `${list}contests/?source=codeforces`,
  '/dashboard/review/',
];
const problems = Array.from({ length: 30 }, (_, place) => ({
  id: place + 1,
  source: 'codeforces',
  source_key: `${1400 + place}B`,
  title: `Pond ${place}`,
  rating: 800 + place * 40,
  tags: place % 2 === 0 ? ['dp'] : [],
}));

async function world(t: Parameters<typeof temporaryDatabase>[0]) {
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  const { url } = await serveHere(t, { databaseUrl });
  /** As another process does it. */
  const change = (work: (tx: Db) => Promise<unknown>) => withStore(databaseUrl, (store) => store.write(work));
  return { databaseUrl, url, ada, change, browser: await browserOf(url, 'ada') };
}

test('a page is confirmed until anything that it shows is different', async (t) => {
  const { databaseUrl, ada, change, browser } = await world(t);
  const tags = new Map<string, string>();
  const look = async (path: string) => {
    const { status, headers } = await browser.ask(path, {
      headers: { 'If-None-Match': tags.get(path) ?? '"none"', 'Accept-Encoding': 'gzip' },
    });
    if (status === 200) tags.set(path, headers.etag ?? '');
    assert.equal(headers['cache-control'], 'private, no-cache', path);
    assert.ok(headers.etag, path);
    return status;
  };
  const seen = async () => Promise.all(pages.map(look));
  const all = (status: number) => pages.map(() => status);
  assert.deepEqual(await seen(), all(200));
  assert.deepEqual(await seen(), all(304));
  let marked: bigint | undefined;
  const changes: [what: string, work: () => Promise<unknown>][] = [
    [
      'a status',
      () =>
        change(async (tx) => {
          ({ batch: marked } = await setStatus(tx, { memberId: ada, problemIds: [1n], status: 'complete' }));
        }),
    ],
    [
      'how it was solved',
      () =>
        change((tx) => setStatus(tx, { memberId: ada, problemIds: [1n], status: 'complete', how: 'hint' })),
    ],
    ['a star', () => change((tx) => setBookmarks(tx, ada, [2n], true))],
    ['a note', () => change((tx) => setNote(tx, ada, 1n, 'Sort first.'))],
    ['a switch', () => change((tx) => setSwitch(tx, ada, 'hidesRatings', true))],
    ['a view', () => change((tx) => saveView(tx, ada, { name: 'DP', query: '?tag=dp' }))],
    ['a title', () => importRows(databaseUrl, 'problems', [{ id: 3, title: 'Lake' }])],
    [
      'a name',
      () =>
        change(async (tx) => {
          const [row] = await findMembersByIds(tx, [ada]);
          assert(row);
          return changeRecord(tx, ada, { ...row, first_name: 'Augusta' }, row.updated_at);
        }),
    ],
    ['a handle', () => change((tx) => deleteHandle(tx, 1n))],
  ];
  for (const [what, work] of changes) {
    await work();
    assert.deepEqual(await seen(), all(200), `after ${what}`);
    assert.deepEqual(await seen(), all(304), `again after ${what}`);
  }
  assert(marked);
  const last = marked;
  await assert.rejects(
    change((tx) => undo(tx, ada, last)),
    'a later change stands on it',
  );
  assert.deepEqual(await seen(), all(304));
});

test('what one member does leaves the pages of another as they are', async (t) => {
  const { databaseUrl, url, change, browser } = await world(t);
  const bob = await memberWithPassword(databaseUrl, 'bob');
  const bobs = await browserOf(url, 'bob');
  const first = await browser.ask(list);
  const held = { headers: { 'If-None-Match': first.headers.etag ?? '' } };
  await change((tx) => setStatus(tx, { memberId: bob, problemIds: [1n], status: 'complete' }));
  assert.equal((await browser.ask(list, held)).status, 304);
  const theirs = await bobs.ask(list, held);
  assert.equal(theirs.status, 200);
  assert.notEqual(theirs.headers.etag, first.headers.etag);
});

test('a session that ended, a page that is not there and any tag at all are no reason for 304', async (t) => {
  const { url, browser } = await world(t);
  const { headers } = await browser.ask(list);
  const held = { headers: { 'If-None-Match': headers.etag ?? '' } };
  const any = { headers: { 'If-None-Match': '*' } };
  assert.equal((await browser.ask(`${list}problem/999/`, any)).status, 404);
  assert.equal((await browser.ask(`${list}problem/999/`, held)).status, 404);
  assert.equal((await browser.ask(list, any)).status, 304);
  assert.equal((await browser.ask(list, { headers: { 'If-Match': '"other"' } })).status, 412);
  const other = await browserOf(url, 'ada');
  assert.equal((await other.ask(list, held)).status, 200, 'its forms are signed with another secret');
  await browser.open(list);
  await browser.submit({ within: 'form[action$="/sign-out/"]' });
  assert.equal((await browser.ask(list, held)).status, 303);
});

/** On SQLite one more looks whether another process has committed. */
const most: readonly (readonly [path: string, statements: number])[] = [
  [list, 16],
  [`${list}?status=unsolved&q=pond&tag=dp&rating_min=900`, 18],
  [`${list}problem/1/`, 11],
  [`${list}bulk/?tag=dp`, 8],
  ['/dashboard/history/', 3],
  [`${list}contests/?source=codeforces`, 3],
  ['/dashboard/review/', 10],
  ['/dashboard/', 20],
  // Six of them open the connection of the snapshot.
  ['/dashboard/progress/', 11],
  ['/authentication/account/', 2],
  ['/authentication/account/tokens/', 2],
  ['/authentication/account/sessions/', 2],
  ['/authentication/account/password/', 2],
];

test('a page takes few statements, and one that is confirmed takes those of the session and of what changed', async (t) => {
  const { change, ada, browser } = await world(t);
  await change((tx) => setStatus(tx, { memberId: ada, problemIds: [1n, 2n], status: 'complete' }));
  // More views than are counted.
  for (let place = 0; place < 20; place++)
    await change((tx) => saveView(tx, ada, { name: `View ${place}`, query: `?status=reading&q=${place}` }));
  for (const [path] of most) await browser.ask(path);
  const statements = countStatements(t);
  const taken = async (path: string, headers: Record<string, string> = {}) => {
    const before = statements();
    const reply = await browser.ask(path, { headers });
    return { ...reply, count: statements() - before };
  };
  for (const [path, atMost] of most) {
    const { status, headers, count } = await taken(path);
    assert.equal(status, 200, path);
    t.diagnostic(`${path}: ${count} statements`);
    assert.ok(count >= 1 && count <= atMost, `${path}: ${count} statements`);
    if (!pages.includes(path)) continue;
    const held = await taken(path, { 'If-None-Match': headers.etag ?? '' });
    assert.equal(held.status, 304, path);
    assert.ok(held.count <= 2, `${path} not modified: ${held.count} statements`);
  }
});
