/** Picking for a group: problems near its level that nobody in it tried, or nobody solved, shuffled by the address, made into a list. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { disableMember } from '../../src/practice/members.ts';
import { pickProblems } from '../../src/practice/pick.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { openGarden } from '../importing/support.ts';
import { attributesOf } from '../support/elements.ts';
import { type Page, remarksIn, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const found = (page: Page) => attributesOf(page, '[data-problem]', 'data-problem').map(Number);

const idsFrom = (first: number, length: number) => Array.from({ length }, (_, n) => BigInt(first + n));

/** Ada’s group of five others, beside somebody outside, and so many problems, each ten points harder than the one before. */
async function club(t: TestContext, problems: number) {
  const { databaseUrl, store } = await openGarden(t);
  const { ada, outside, ...others } = await membersNamed(
    databaseUrl,
    'ada',
    'outside',
    'bob',
    'cy',
    'dan',
    'eve',
    'fay',
  );
  const more = (n: number) => ({ rating: 1000 + 10 * n, tags: n % 2 === 0 ? ['dp'] : ['trees'] });
  await importRows(databaseUrl, 'problems', ponds(problems, more));
  const group = await makeGroup(store, ada, { name: 'Club', zone: 'UTC' });
  const row = { group_id: group, role: 'member', on_board: 0n, joined_at: new Date().toISOString() } as const;
  await store.write(async (tx) => {
    for (const user_id of Object.values(others)) await insertGroupMember(tx, { ...row, user_id });
  });
  const mark = (memberId: bigint, status: 'complete' | 'practicing', problemIds: bigint[]) =>
    setStatus(store, { memberId, problemIds, status });
  const { url } = await serveHere(t, { databaseUrl });
  return { store, url, group, ids: { ada, outside, ...others }, others: Object.values(others), mark };
}

test('problems are picked for a group', async (t) => {
  const { store, url, group, ids, others, mark } = await club(t, 100);
  for (const id of others) await mark(id, 'complete', idsFrom(41, 10));
  await mark(ids.bob, 'practicing', idsFrom(51, 10));
  await mark(ids.outside, 'complete', idsFrom(61, 10));
  const [coach, member] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const path = `/dashboard/groups/${group}/pick/`;
  assert.equal((await member.ask(path)).status, 404);
  const page = await coach.open(path);
  assert.match(textOf(page, '[name=source] option'), /^Codeforces: 1445$/);
  const around = found(page).every((id) => id > 35 && id <= 40);
  assert.ok(around, 'the rest of the range around the level is tried');
  const band = '?source=codeforces&rating_min=1400&rating_max=1690';
  const all = async (query: string) => found(await coach.open(path + band + query));
  const untried = await all('');
  assert.ok(
    untried.every((id) => id > 60 && id <= 70),
    untried.join(),
  );
  const range = { source: 'codeforces', from: 1400, to: 1690, tag: undefined };
  const pick = { band: range, nobody: 'tried', count: 10 } as const;
  for (let seed = 0n; seed < 6n; seed++) {
    const picked = await pickProblems(store.reader, group, { ...pick, seed });
    assert.equal(picked.length, 10, 'none of them is left out');
  }
  assert.ok((await all('&nobody=solved')).every((id) => id > 50 && id <= 70));
  assert.ok((await all('&tag=dp')).every((id) => id % 2 === 1));
  assert.deepEqual(await all('&seed=5'), await all('&seed=5'), 'the address says the order');
  assert.notDeepEqual(await all('&seed=5'), await all('&seed=6'));
  for (const odd of ['&seed=x', '&tag=%00', '&rating_min=99999&rating_max=0', '&source=nobody', "&tag='--"])
    assert.equal((await coach.ask(path + band + odd)).status, 200, odd);
  const odd = await coach.open(`${path}?rating_min=abc&rating_max=10&nobody=x`);
  assert.deepEqual(remarksIn(odd), [
    'Ignored rating_min=abc: enter a whole number from 0 to 99,999.',
    'Ignored nobody=x: use one of tried, solved.',
    'No results: 1345 is above 10. Enter the lower rating first.',
  ]);
  const shown = await all('&seed=7');
  const made = await coach.submit({ name: 'name' }, { name: 'Friday' });
  assert.match(made.path, /\/give\/\?list=\d+$/);
  const given = await coach.submit({ name: 'list' });
  assert.match(given.path, /\?done=given$/);
  assert.deepEqual(found(given), shown);
});

test('fewer than five people besides the coach have no figures', async (t) => {
  const { store, url, group, ids, mark } = await club(t, 30);
  for (const id of [ids.ada, ids.bob, ids.cy, ids.dan, ids.eve]) await mark(id, 'complete', idsFrom(1, 5));
  const coach = await browserOf(url, 'ada');
  const path = `/dashboard/groups/${group}/pick/?source=codeforces&rating_min=0&rating_max=9999`;
  const before = await coach.open(path);
  assert.match(textOf(before, 'main'), /works once five people besides you have a level.*create a list yourself/);
  assert.ok(before.document.querySelector('main .empty a[href="/problem_list/lists/new/"]'));
  assert.doesNotMatch(textOf(before, 'main'), /1,\d{3}|Pond/);
  assert.deepEqual(found(before), []);
  await mark(ids.fay, 'complete', idsFrom(1, 5));
  const after = await coach.open(path);
  assert.match(textOf(after, '[name=source] option'), /: 1020$/);
  assert.match(textOf(after, 'main'), /median level of 5 people in the group besides you/);
  assert.equal(found(after).length, 10);
  const pickOf = async () =>
    (await coach.open(`/dashboard/groups/${group}/`)).document.querySelector('a[href$="/pick/"]');
  assert.ok(await pickOf());
  const disable = (isDisabled: boolean) => store.write((tx) => disableMember(tx, 'fay', isDisabled));
  await disable(true);
  assert.equal(await pickOf(), null, 'somebody who is disabled is none of the five');
  assert.deepEqual(found(await coach.open(path)), []);
  await disable(false);
  await coach.open(`/dashboard/groups/${group}/`);
  await coach.submit({ name: 'remove', value: String(ids.fay) });
  assert.equal(await pickOf(), null, 'four besides the coach can have no level');
});
