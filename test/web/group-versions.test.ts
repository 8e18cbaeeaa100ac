/** The pages of a group are confirmed without being made again, until anything is different that somebody in it did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setDayRule } from '../../src/practice/activity.ts';
import { giveList } from '../../src/practice/group-lists.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addToList, makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { changeRecord, disableMember } from '../../src/practice/members.ts';
import { showPageTo } from '../../src/practice/public-pages.ts';
import { dueForReview, review } from '../../src/practice/reviews.ts';
import { setOnBoard } from '../../src/store/boards.ts';
import { putGroupList } from '../../src/store/group-lists.ts';
import { deleteGroupMember, insertGroupMember, setBoard, updateGroup } from '../../src/store/groups.ts';
import { findMembersByIds } from '../../src/store/members.ts';
import type { Db } from '../../src/store/tables.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';

const minuteMs = 60_000;
const problems = Array.from({ length: 12 }, (_, place) => ({
  ...{ id: place + 1, source: 'codeforces', source_key: `${1400 + place}B`, title: `Pond ${place}` },
  rating: 1200 + place * 10,
}));

/** Ada coaches Bob in a group with a board and a list. Bob solved something forty days ago. */
async function world(t: Parameters<typeof temporaryDatabase>[0] & { mock: { timers: Timers } }) {
  // At the begin of a quarter of an hour, which does not go by itself.
  const now = Math.floor(Date.now() / (15 * minuteMs)) * 15 * minuteMs;
  t.mock.timers.enable({ apis: ['Date'], now: now - 40 * 1440 * minuteMs });
  const databaseUrl = await temporaryDatabase(t);
  await importRows(databaseUrl, 'problems', problems);
  const { ada, bob } = await membersNamed(databaseUrl, 'ada', 'bob');
  const change = <T>(work: (tx: Db) => Promise<T>) => withStore(databaseUrl, (store) => store.write(work));
  const ids = await change(async (tx) => {
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'Asia/Kolkata' });
    await setBoard(tx, group, true);
    await insertGroupMember(tx, {
      ...{ group_id: group, user_id: bob, role: 'member', on_board: 1n },
      joined_at: new Date().toISOString(),
    });
    const content = [{ name: '', items: [{ problemId: 1n }, { problemId: 2n }] }];
    const list = await makeList(tx, { ownerId: ada, name: 'Two', content });
    await giveList(tx, { groupId: group, coachId: ada, listId: list }, null);
    for (const problemId of [1n, 2n, 3n, 4n])
      await setStatus(tx, { memberId: bob, problemIds: [problemId], status: 'complete' });
    return { ada, bob, group, list };
  });
  t.mock.timers.setTime(now);
  const { url } = await serveHere(t, { databaseUrl });
  return { databaseUrl, change, ...ids, browser: await browserOf(url, 'ada') };
}

interface Timers {
  enable(options: { apis: ['Date']; now: number }): void;
  setTime(now: number): void;
}

test('the pages of a group are confirmed until anybody in it does something', async (t) => {
  const { databaseUrl, change, ada, bob, group, list, browser } = await world(t);
  const base = `/dashboard/groups/${group}/`;
  const [table, board, pick] = [`${base}lists/${list}/`, `${base}board/`, `${base}pick/`];
  const people = [base, `${base}seen/`, '/dashboard/groups/'];
  const all = [table, board, pick, ...people];
  const tags = new Map<string, string>();
  /** Which of the pages are not what they were. */
  const different = async () => {
    const paths: string[] = [];
    for (const path of all) {
      const held = { 'If-None-Match': tags.get(path) ?? '"none"' };
      const { status, headers } = await browser.ask(path, { headers: held });
      assert.ok(status === 200 || status === 304, `${path}: ${status}`);
      if (status === 200) paths.push(path);
      tags.set(path, headers.etag ?? '');
    }
    return paths;
  };
  assert.deepEqual(await different(), all);
  assert.deepEqual(await different(), []);

  const deeds = [table, board, pick];
  const bobsName = async (tx: Db) => {
    const [row] = await findMembersByIds(tx, [bob]);
    assert(row);
    return changeRecord(tx, bob, { ...row, first_name: 'Robert' }, row.updated_at);
  };
  const bobsReview = async (tx: Db) => {
    const { problems: due } = await dueForReview(tx, bob, new Date());
    const [first] = due;
    assert(first);
    return review(tx, bob, first.problem_id, 'good', first.version, new Date());
  };
  const given = { group_id: group, list_id: list, given_at: new Date().toISOString() };
  const changes: [what: string, pages: readonly string[], work: (tx: Db) => Promise<unknown>][] = [
    ['a status', deeds, (tx) => setStatus(tx, { memberId: bob, problemIds: [1n], status: 'practicing' })],
    ['a review', deeds, bobsReview],
    ['another zone', deeds, (tx) => setDayRule(tx, bob, { zone: 'Asia/Tokyo', startHour: 4 })],
    ['a name', all, bobsName],
    ['a public page', all, (tx) => showPageTo(tx, bob, 'members')],
    ['off the board', all, (tx) => setOnBoard(tx, group, bob, false)],
    ['the name of the group', all, (tx) => updateGroup(tx, group, { name: 'Circle', zone: 'UTC' })],
    ['when it is due', all, (tx) => putGroupList(tx, { ...given, due_at: given.given_at })],
    ['a problem more', all, (tx) => addToList(tx, { id: list, ownerId: ada }, [3n])],
    ['who is shut out', all, (tx) => disableMember(tx, 'bob', true)],
    ['who left', all, (tx) => deleteGroupMember(tx, group, bob)],
  ];
  for (const [what, pages, work] of changes) {
    await change(work);
    assert.deepEqual(await different(), pages, `after ${what}`);
    assert.deepEqual(await different(), [], `again after ${what}`);
  }
  await importRows(databaseUrl, 'problems', [{ id: 3, title: 'Lake' }]);
  assert.deepEqual(await different(), deeds, 'after a title');
  await change((tx) => setBoard(tx, group, false));
  assert.equal(
    (await browser.ask(board, { headers: { 'If-None-Match': tags.get(board) ?? '' } })).status,
    404,
  );
});

test('Today shows what was given as late from the moment on at which it is due', async (t) => {
  const { change, group, list, browser } = await world(t);
  const now = Date.now();
  const due_at = new Date(now + 10 * minuteMs).toISOString();
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
  await change((tx) => updateGroup(tx, group, { name: 'Circle', zone: 'UTC' }));
  assert.match((await after(11 * minuteMs)).text, /Circle/);
});

test('a table is right to the minute, and a board to the day of everybody', async (t) => {
  const { group, list, browser } = await world(t);
  const paths = [`/dashboard/groups/${group}/lists/${list}/`, `/dashboard/groups/${group}/board/`];
  const held = await Promise.all(paths.map(async (path) => (await browser.ask(path)).headers.etag ?? ''));
  const now = Date.now();
  const after = async (ms: number) => {
    t.mock.timers.setTime(now + ms);
    const asked = paths.map((path, at) =>
      browser.ask(path, { headers: { 'If-None-Match': held[at] ?? '' } }),
    );
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  assert.deepEqual(await after(minuteMs - 1), [304, 304]);
  assert.deepEqual(await after(minuteMs), [200, 304]);
  assert.deepEqual(await after(15 * minuteMs - 1), [200, 304]);
  assert.deepEqual(await after(15 * minuteMs), [200, 200]);
});
