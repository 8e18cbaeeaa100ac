/**
 * A page that the browser has is confirmed without its body while its bytes are the same, and never once anything that it shows
 * is different. The anti-forgery tokens of its forms, which no two answers share, count for nothing.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setDayRule } from '../../src/practice/activity.ts';
import { assignList } from '../../src/practice/assignments.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { addToList, makeList } from '../../src/practice/lists.ts';
import { setBookmarks, setNote, setStatus } from '../../src/practice/marks.ts';
import { changeRecord, disableMember } from '../../src/practice/members.ts';
import { plant, removeAnyPlant } from '../../src/practice/planting.ts';
import { saveView, setSwitch } from '../../src/practice/preferences.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { answerReview, dueForReview } from '../../src/practice/reviews.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { deleteGroupMember, insertGroupMember, setBoard, setOnBoard, updateGroup } from '../../src/store/groups.ts';
import { deleteHandle } from '../../src/store/handles.ts';
import { findMembersByIds } from '../../src/store/members.ts';
import type { Db } from '../../src/store/tables.ts';
import { crawl } from '../support/crawl.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import type { Reply } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const minuteMs = 60_000;
const problems = ponds(12, (place) => ({ rating: 1200 + place * 10, tags: place % 2 === 0 ? ['dp'] : [] }));

async function world(t: TestContext) {
  const now = Math.floor(Date.now() / (15 * minuteMs)) * 15 * minuteMs;
  t.mock.timers.enable({ apis: ['Date'], now: now - 40 * 1440 * minuteMs });
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  const { ada, bob } = await membersNamed(databaseUrl, 'ada', 'bob');
  const change = <T>(work: (tx: Db) => Promise<T>) => withStore(databaseUrl, (store) => store.write(work));
  const ids = await change(async (tx) => {
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'Asia/Kolkata' });
    await setBoard(tx, group, true);
    const joined_at = new Date().toISOString();
    await insertGroupMember(tx, { group_id: group, user_id: bob, role: 'member', on_board: 1n, joined_at });
    const content = [{ name: '', items: [{ problem: 1n }, { problem: 2n }] }];
    const list = await makeList(tx, { ownerId: ada, name: 'Two', content });
    await assignList(tx, { groupId: group, coachId: ada, listId: list }, null);
    await setStatus(tx, { memberId: ada, problemIds: [3n], status: 'complete' });
    for (const problemId of [1n, 2n, 3n, 4n])
      await setStatus(tx, { memberId: bob, problemIds: [problemId], status: 'complete' });
    const goal = await plant(tx, ada, { name: 'Goal', tag: 'dp', target: 9n }, new Date());
    const { id: handle } = await addHandle(tx, ada, 'codeforces', 'Ada');
    return { ada, bob, group, list, handle, goal };
  });
  t.mock.timers.setTime(now);
  const { url } = await serveHere(t, { databaseUrl });
  return { databaseUrl, url, change, ...ids, browser: await browserOf(url, 'ada') };
}

const withoutTokens = (text: string) => text.replaceAll(/[\w-]{16}\.[\w-]{43}/g, 'TOKEN');

test('every page that a member can reach is confirmed while nothing changes', async (t) => {
  const { browser } = await world(t);
  const headersOf = new Map<string, Reply['headers']>();
  const ask: typeof browser.ask = async (path, asked) => {
    const reply = await browser.ask(path, asked);
    headersOf.set(path, reply.headers);
    return reply;
  };
  const { pages } = await crawl({ ...browser, ask }, { withIdAtMost: 2 });
  assert.ok(pages.size > 60, `${pages.size} pages`);
  let confirmed = 0;
  for (const path of pages.keys()) {
    const { etag, 'cache-control': caching, 'content-disposition': file } = headersOf.get(path) ?? {};
    if (caching === 'no-store' || file !== undefined) continue;
    assert.equal(caching, 'private, no-cache', path);
    const again = await browser.ask(path, { headers: { 'If-None-Match': etag ?? '' } });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], path);
    assert.equal(again.headers['cache-control'], caching);
    confirmed++;
  }
  assert.ok(confirmed > 50, `${confirmed} pages`);
});

test('a page is confirmed if and only if what it shows is the same', async (t) => {
  const { databaseUrl, change, ada, bob, group, list, handle, goal, browser } = await world(t);
  const base = `/dashboard/groups/${group}/`;
  const problem = '/problem_list/problem/3/';
  const [problemList, today, garden] = ['/problem_list/', '/dashboard/', '/plants/'];
  const [table, board] = [`${base}assignments/${list}/`, `${base}board/`];
  const [lists, progress, contests] = ['lists/', '/dashboard/progress/', 'contests/?source=codeforces'];
  const others = [`${problemList}views/`, '/dashboard/history/', `${base}pick/`, `${base}seen/`];
  const more = [`${problemList}${lists}`, `${problemList}${contests}`, progress, '/dashboard/review/'];
  const all = [problemList, problem, today, garden, base, table, board, '/dashboard/groups/', ...more, ...others];
  const known = new Map<string, { etag: string; text: string }>();
  const different = async () => {
    const paths: string[] = [];
    for (const path of all) {
      const before = known.get(path);
      const first = await browser.ask(path, { headers: { 'If-None-Match': before?.etag ?? '"none"' } });
      const { headers, text: now } = first.status === 200 ? first : await browser.ask(path);
      assert.equal(first.status, withoutTokens(now) === before?.text ? 304 : 200, path);
      if (first.status === 200) paths.push(path);
      else assert.equal(first.text, '');
      known.set(path, { etag: headers.etag ?? '', text: withoutTokens(now) });
    }
    return paths;
  };
  assert.deepEqual(await different(), all);
  assert.deepEqual(await different(), []);

  const own = { memberId: ada, problemIds: [3n] };
  const name = async (tx: Db, id: bigint, first_name: string) => {
    const [row] = await findMembersByIds(tx, [id]);
    assert(row);
    return changeRecord(tx, id, { ...row, first_name }, row.updated_at);
  };
  const reviewed = async (tx: Db) => {
    const { problems: due } = await dueForReview(tx, ada, new Date());
    const [first] = due;
    assert(first);
    return answerReview(tx, ada, { problemId: first.problem_id, answer: 'good', version: first.version }, new Date());
  };
  const given = { group_id: group, list_id: list, given_at: new Date().toISOString() };
  const shown = `${problemList}views/`;
  const changes: [what: string, pages: readonly string[], work: (tx: Db) => Promise<unknown>][] = [
    ['how it was solved', [problem], (tx) => setStatus(tx, { ...own, status: 'complete', how: 'hint' })],
    ['a review', [today, '/dashboard/review/'], reviewed],
    ['a status', [problemList, problem, today, garden], (tx) => setStatus(tx, { ...own, status: 'reading' })],
    ['a star', [problemList], (tx) => setBookmarks(tx, ada, [2n], true)],
    ['a note', [problem], (tx) => setNote(tx, ada, 3n, 'Sort first.')],
    ['a switch', [problemList], (tx) => setSwitch(tx, ada, 'hidesRatings', true)],
    ['a view', [problemList, shown], (tx) => saveView(tx, ada, { name: 'DP', query: '?tag=dp' })],
    ['a handle', [today], (tx) => deleteHandle(tx, handle)],
    ['a plant', [today, garden], (tx) => removeAnyPlant(tx, goal)],
    ['own name', [today], (tx) => name(tx, ada, 'Augusta')],
    ['a status of another', [table], (tx) => setStatus(tx, { memberId: bob, problemIds: [1n], status: 'reading' })],
    ['the days of another', [], (tx) => setDayRule(tx, bob, { zone: 'Asia/Tokyo', startHour: 4 })],
    ['a name of another', [base, table], (tx) => name(tx, bob, 'Robert')],
    ['a public page', [base], (tx) => showPageTo(tx, bob, 'members')],
    ['off the board', [board], (tx) => setOnBoard(tx, group, bob, false)],
    [
      'the name of the group',
      [base, table, board],
      (tx) => updateGroup(tx, group, { name: 'Circle', zone: 'UTC', language: null }),
    ],
    ['when it is due', [table], (tx) => putGroupList(tx, { ...given, due_at: given.given_at })],
    ['a problem more', [table], (tx) => addToList(tx, ada, { id: list }, { ids: [3n] })],
    ['who is shut out', [base], (tx) => disableMember(tx, 'bob', true)],
    ['who left', [base], (tx) => deleteGroupMember(tx, group, bob)],
  ];
  for (const [what, pages, work] of changes) {
    await change(work);
    const changed = await different();
    for (const page of pages) assert.ok(changed.includes(page), `${page} after ${what}`);
  }
  await importRows(databaseUrl, 'problems', [{ id: 3, title: 'Lake' }]);
  const changed = await different();
  for (const page of [problemList, table]) assert.ok(changed.includes(page), `${page} after a title`);
  await change((tx) => setBoard(tx, group, false));
  const held = { 'If-None-Match': known.get(board)?.etag ?? '' };
  assert.equal((await browser.ask(board, { headers: held })).status, 404);
});

test('the tag of a page is another one for another session, and any tag at all brings no page that is not there', async (t) => {
  const { url, browser } = await world(t);
  const list = '/problem_list/';
  const { headers } = await browser.ask(list);
  assert.match(headers.etag ?? '', /^W\/"/);
  const held = { headers: { 'If-None-Match': headers.etag ?? '' } };
  const any = { headers: { 'If-None-Match': '*' } };
  assert.equal((await browser.ask(`${list}problem/999/`, any)).status, 404);
  assert.equal((await browser.ask(`${list}problem/999/`, held)).status, 404);
  assert.equal((await browser.ask(list, any)).status, 304);
  for (const tag of ['"other"', headers.etag ?? ''])
    assert.equal((await browser.ask(list, { headers: { 'If-Match': tag } })).status, 412, 'it is weak');
  const other = await browserOf(url, 'ada');
  assert.equal((await other.ask(list, held)).status, 200, 'its forms are signed with another secret');
  await browser.open(list);
  await browser.submit({ within: 'form[action$="/sign-out/"]' });
  assert.equal((await browser.ask(list, held)).status, 303);
});

test('Today shows what was given as late from the moment on at which it is due', async (t) => {
  const { change, url, bob, group, list } = await world(t);
  const browser = await browserOf(url, 'bob');
  const now = Date.now();
  const due_at = new Date(now + 10 * minuteMs).toISOString();
  await change((tx) => setStatus(tx, { memberId: bob, problemIds: [1n], status: 'not_started' }));
  await change((tx) => putGroupList(tx, { group_id: group, list_id: list, given_at: due_at, due_at }));
  const before = await browser.ask('/dashboard/');
  const after = async (ms: number) => {
    t.mock.timers.setTime(now + ms);
    return browser.ask('/dashboard/', { headers: { 'If-None-Match': before.headers.etag ?? '' } });
  };
  assert.doesNotMatch(before.text, /class="late"/);
  assert.equal((await after(10 * minuteMs - 1)).status, 304);
  const late = await after(10 * minuteMs);
  assert.equal(late.status, 200);
  assert.match(late.text, /class="late"/);
  await change((tx) => updateGroup(tx, group, { name: 'Circle', zone: 'UTC', language: null }));
  assert.match((await after(11 * minuteMs)).text, /Circle/);
});

test('a table is right to the minute', async (t) => {
  const { group, list, browser } = await world(t);
  const path = `/dashboard/groups/${group}/assignments/${list}/`;
  const held = { headers: { 'If-None-Match': (await browser.ask(path)).headers.etag ?? '' } };
  const now = Date.now();
  const after = async (ms: number) => {
    t.mock.timers.setTime(now + ms);
    return (await browser.ask(path, held)).status;
  };
  assert.equal(await after(minuteMs - 1), 304);
  assert.equal(await after(minuteMs), 200);
});
