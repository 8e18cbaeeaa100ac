/** Picking for a group: problems near its level that nobody in it tried, or nobody solved, shuffled by the address, made into a list. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { disableMember } from '../../src/practice/members.ts';
import { pickProblems } from '../../src/practice/pick.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { type Page, remarksIn, textOf } from '../support/forms.ts';
import { importRows, temporaryDatabase, withStore } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';

const found = ({ document }: Page) =>
  document.querySelectorAll('[data-problem]').map((one) => Number(one.getAttribute('data-problem')));

const names = ['bob', 'cy', 'dan', 'eve', 'fay'] as const;

test('problems are picked for a group', async (t) => {
  const databaseUrl = await temporaryDatabase(t);
  const { ada, outside, ...others } = await membersNamed(databaseUrl, 'ada', 'outside', ...names);
  const { bob } = others;
  await importRows(
    databaseUrl,
    'problems',
    ponds(100, (n) => ({ rating: 1000 + 10 * n, tags: n % 2 === 0 ? ['dp'] : ['trees'] })),
  );
  const group = await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const id = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
      const joined_at = new Date().toISOString();
      for (const user_id of Object.values(others))
        await insertGroupMember(tx, { group_id: id, user_id, role: 'member', on_board: 0n, joined_at });
      const from = (first: number) => Array.from({ length: 10 }, (_, n) => BigInt(first + n));
      for (const memberId of Object.values(others))
        await setStatus(tx, { memberId, problemIds: from(41), status: 'complete' });
      await setStatus(tx, { memberId: bob, problemIds: from(51), status: 'practicing' });
      await setStatus(tx, { memberId: outside, problemIds: from(61), status: 'complete' });
      return id;
    }),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const [coach, member] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  const path = `/dashboard/groups/${group}/pick/`;
  assert.equal((await member.ask(path)).status, 404);
  const page = await coach.open(path);
  assert.match(textOf(page, '[name=source] option'), /^Codeforces: 1445$/);
  assert.ok(
    found(page).every((id) => id > 35 && id <= 40),
    'the rest of the range around the level is tried',
  );
  const band = '?source=codeforces&rating_min=1400&rating_max=1690';
  const all = async (query: string) => found(await coach.open(path + band + query));
  const untried = await all('');
  assert.ok(
    untried.every((id) => id > 60 && id <= 70),
    untried.join(),
  );
  const pick = {
    band: { source: 'codeforces', from: 1400, to: 1690, tag: undefined },
    nobody: 'tried',
    count: 10,
  } as const;
  for (let seed = 0n; seed < 6n; seed++) {
    const picked = await withStore(databaseUrl, ({ reader }) => pickProblems(reader, group, { ...pick, seed }));
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
  const databaseUrl = await temporaryDatabase(t);
  const { ada, ...others } = await membersNamed(databaseUrl, 'ada', ...names);
  await importRows(
    databaseUrl,
    'problems',
    ponds(30, (n) => ({ rating: 1000 + 10 * n })),
  );
  const { group, solve } = await withStore(databaseUrl, (store) =>
    store.write(async (tx) => {
      const id = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
      const joined_at = new Date().toISOString();
      for (const user_id of Object.values(others))
        await insertGroupMember(tx, { group_id: id, user_id, role: 'member', on_board: 0n, joined_at });
      const problemIds = [1n, 2n, 3n, 4n, 5n];
      for (const memberId of [ada, others.bob, others.cy, others.dan, others.eve])
        await setStatus(tx, { memberId, problemIds, status: 'complete' });
      const solve = () =>
        withStore(databaseUrl, (again) =>
          again.write((one) => setStatus(one, { memberId: others.fay, problemIds, status: 'complete' })),
        );
      return { group: id, solve };
    }),
  );
  const { url } = await serveHere(t, { databaseUrl });
  const coach = await browserOf(url, 'ada');
  const path = `/dashboard/groups/${group}/pick/?source=codeforces&rating_min=0&rating_max=9999`;
  const before = await coach.open(path);
  assert.match(textOf(before, 'main'), /works once five people besides you have a level.*create a list yourself/);
  assert.ok(before.document.querySelector('main .empty a[href="/problem_list/lists/new/"]'));
  assert.doesNotMatch(textOf(before, 'main'), /1,\d{3}|Pond/);
  assert.deepEqual(found(before), []);
  await solve();
  const after = await coach.open(path);
  assert.match(textOf(after, '[name=source] option'), /: 1020$/);
  assert.match(textOf(after, 'main'), /median level of 5 people in the group besides you/);
  assert.equal(found(after).length, 10);
  const pickOf = async () =>
    (await coach.open(`/dashboard/groups/${group}/`)).document.querySelector('a[href$="/pick/"]');
  assert.ok(await pickOf());
  const disable = (isDisabled: boolean) =>
    withStore(databaseUrl, (again) => again.write((one) => disableMember(one, 'fay', isDisabled)));
  await disable(true);
  assert.equal(await pickOf(), null, 'somebody who is disabled is none of the five');
  assert.deepEqual(found(await coach.open(path)), []);
  await disable(false);
  await coach.open(`/dashboard/groups/${group}/`);
  await coach.submit({ name: 'remove', value: String(others.fay) });
  assert.equal(await pickOf(), null, 'four besides the coach can have no level');
});
