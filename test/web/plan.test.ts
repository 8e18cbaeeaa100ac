/**
 * Plans to a date on pages, in the calendar and in messages. Of an assignment, coaches see how many are on course, from five
 * members on, and nothing of one member; nobody else sees a plan that is not theirs.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../src/durations.ts';
import { assignList } from '../../src/practice/assignments.ts';
import { dateOf, daysOf, defaultDayRule } from '../../src/practice/days.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { plant, uproot } from '../../src/practice/planting.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { insertTimer } from '../../src/store/timers.ts';
import { openGarden } from '../importing/support.ts';
import { crawl } from '../support/crawl.ts';
import { attributesOf } from '../support/elements.ts';
import { textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const inDays = (n: number) => new Date(Date.now() + n * dayMs);
const untimed = {
  pauses: '[]',
  outcome: 'solved',
  solved_at: null,
  grade: null,
  change_id: null,
  undone_at: null,
} as const;
const pupils = ['bob', 'cy', 'dee', 'eve', 'flo'] as const;

test('a goal and an assignment say what is to do today; of the others, a coach sees a count from five on', async (t) => {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', ...pupils, 'zoe');
  await importRows(
    databaseUrl,
    'problems',
    ponds(20, (n) => ({ rating: n > 10 ? 1300 : 1200 })),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const items = [1n, 2n, 3n, 4n].map((problem) => ({ problem }));
  const { group, list } = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    for (const name of pupils.slice(1)) {
      const row = { role: 'member', joined_at: inDays(-9).toISOString(), on_board: 0n } as const;
      await insertGroupMember(tx, { group_id: group, user_id: ids[name], ...row });
    }
    const list = await makeList(tx, { ownerId: ids.ada, name: 'Ponds', content: [{ name: '', items }] });
    await assignList(tx, { groupId: group, coachId: ids.ada, listId: list }, inDays(2).toISOString());
    // Cy usually solves four a day, and Dee is done.
    const at = inDays(-3).toISOString();
    const solves = [11n, 12n, 13n, 14n].map((problem_id) => ({ user_id: ids.cy, problem_id, at, tries: 0n }));
    await tx.insertInto('first_solves').values(solves).execute();
    await setStatus(tx, { memberId: ids.dee, problemIds: [1n, 2n, 3n, 4n], status: 'complete' });
    return { group, list };
  });
  const table = `/dashboard/groups/${group}/assignments/${list}/`;
  const ada = await browserOf(url, 'ada');
  assert.doesNotMatch(textOf(await ada.open(table), 'main'), /on course/);
  await store.write((tx) => joinGroup(tx, group, ids.bob));
  assert.match(textOf(await ada.open(`${table}?coaches=true`), '.sub'), /2 of 5 on course/);

  const [bob, cy, zoe] = [await browserOf(url, 'bob'), await browserOf(url, 'cy'), await browserOf(url, 'zoe')];
  for (const page of [await bob.open(table), await bob.open('/dashboard/')]) {
    assert.match(textOf(page, '[data-plan]'), /^2 today · 4 left · 2 a day until /);
    assert.match(textOf(page, 'main'), /Change the days or ask a coach for a later date/);
    assert.doesNotMatch(textOf(page, 'main'), /\d of \d on course/);
  }
  assert.match(textOf(await cy.open(table), '[data-plan]'), /on course to finish on/);
  const time = (minutes: number) => ({
    started_at: inDays(-9).toISOString(),
    stopped_at: inDays(minutes / 1440 - 9).toISOString(),
  });
  const timed = (problem_id: bigint) =>
    store.write((tx) => insertTimer(tx, { ...untimed, ...time(30), user_id: ids.bob, problem_id }));
  for (const problem of [11n, 12n, 13n, 14n]) await timed(problem);
  assert.equal((await bob.open('/problem_list/problem/1/')).document.querySelector('[data-time]'), null);
  await timed(15n);
  assert.equal(textOf(await bob.open('/problem_list/problem/1/'), '[data-time]'), 'About 30 min for you');
  assert.match(textOf(await bob.open(table), '[data-plan]'), /^2 today \(about 60 min\) · 4 left/);
  assert.equal((await zoe.open(table)).status, 404);
  const { pages } = await crawl(ada);
  assert.ok(pages.has(table));
  for (const [path, text] of [...pages, ['csv', (await ada.open(`${table}csv/`)).text] as const])
    assert.ok(!/on course to|a day until|data-plan/.test(text), path);

  const goal = { name: 'All ponds', tag: null, list: { id: list, name: 'Ponds' }, target: 4n };
  const by_date = dateOf(daysOf(defaultDayRule).at(Date.now()));
  const id = await store.write((tx) => plant(tx, ids.bob, { ...goal, by_date: '2999-12-31' }, new Date()));
  assert.match(
    textOf(await bob.open(`/plants/at/${id}/`), '[data-plan]'),
    /^1 today \(about 30 min\) · 4 left · on course to finish on /,
  );
  assert.match(
    textOf(await bob.submit({ name: 'target' }, { target: '41', by_date }), '[data-plan]'),
    /^41 today · 41 left · 41 a day until /,
  );
  const goalOfBand = { ...goal, list: undefined, source: 'codeforces', rating_min: 1200n, rating_max: 1200n };
  for (const [target, text] of [
    [11n, /^11 today \(about 330 min\) · 11 left/],
    [10n, /^10 today · 10 left/],
  ] as const) {
    const other = await store.write((tx) => plant(tx, ids.bob, { ...goalOfBand, target, by_date }, new Date()));
    assert.match(textOf(await bob.open(`/plants/at/${other}/`), '[data-plan]'), text);
    await uproot(store, ids.bob, other);
  }
  const planned = [`/plants/at/${id}/`, `/problem_list/lists/${list}/`];
  for (const path of planned)
    assert.match(textOf(await bob.open(path), 'main'), /41 left · .*Change the date or the days\./, path);
  assert.match(textOf(await bob.open('/dashboard/'), '.panel:has(a[href*="/plants/at/"]) [data-plan]'), /41 left/);
  assert.equal((await ada.open(planned[0] ?? '')).status, 404);
  assert.doesNotMatch((await ada.open(planned[1] ?? '')).text, /data-plan/);

  await bob.open('/authentication/account/reminders/');
  const shared = await bob.submit({ name: 'share', value: 'calendar' });
  const { pathname } = new URL(textOf(shared, '[data-calendar]'));
  const goalEvents = async () => (await bob.open(pathname)).text.match(/UID:goal-[\s\S]*?END:VEVENT/g) ?? [];
  const [event = '', ...more] = await goalEvents();
  assert.equal(more.length, 0);
  assert.match(event, /DTSTART;VALUE=DATE:\d+\r\n[\s\S]*SUMMARY:All ponds\r\n[\s\S]*DESCRIPTION:\d+ today · 41 left/);
  const secondsAgo = (Date.now() - Date.UTC(2026, 0)) / 1000 - Number(/SEQUENCE:(\d+)/.exec(event)?.[1]);
  assert.ok(secondsAgo < 100, `the goal was changed just now, not ${secondsAgo} seconds ago`);

  await store.write((tx) => setStatus(tx, { memberId: ids.bob, problemIds: [1n], status: 'complete' }));
  const goalPage = await bob.open(planned[0] ?? '');
  assert.match(textOf(goalPage, '[data-plan]'), /^40 today · 40 left/);
  assert.equal(textOf(await bob.submit({ name: 'target' }, { target: '1', by_date }), '[data-plan]'), 'done');
  assert.deepEqual(await goalEvents(), []);
  assert.doesNotMatch(textOf(await bob.open('/dashboard/'), 'main'), /\bdone\b/);

  for (const [n, text] of [
    [2, /^3 today · 10 left/],
    [-2, /^10 left, the date is over$/],
  ] as const) {
    const until = dateOf(daysOf(defaultDayRule).at(Date.now()) + n);
    const dated = { ...goalOfBand, target: 11n, by_date: until };
    const other = await store.write((tx) => plant(tx, ids.bob, dated, new Date()));
    assert.match(textOf(await bob.open(`/plants/at/${other}/`), '[data-plan]'), text);
  }

  const given = { groupId: group, coachId: ids.ada, listId: list };
  await store.write((tx) => assignList(tx, given, inDays(9).toISOString()));
  const late = await ada.open(`${table}?coaches=true`);
  assert.match(textOf(late, '.sub'), /5 of 5 on course/, 'who solved nothing for weeks reads the same on their page');
  assert.match(textOf(await bob.open(table), '[data-plan]'), /on course to finish/);

  await bob.open('/authentication/account/days/');
  const saved = await bob.submit({ name: 'practice_3' }, { practice_3: 'true', practice_7: 'true' });
  assert.deepEqual(attributesOf(saved, '[name^="practice_"][checked]', 'name'), ['practice_3', 'practice_7']);
});
