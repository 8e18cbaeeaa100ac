/** The pages of teams: a coach makes one, its people agree, leave and say what they wrote, and who sees what. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { archiveGroup, makeGroup } from '../../src/practice/groups.ts';
import { agreeToTeam, makeTeam } from '../../src/practice/teams.ts';
import { insertGroupMember } from '../../src/store/groups.ts';
import { insertHandle, listHandlesAtJudge } from '../../src/store/handles.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { findVisibleRound } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { type Browser, textOf } from '../support/forms.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { membersNamed } from '../support/members.ts';
import { addContest, dayMs, iso, solve } from '../support/seasons.ts';

const longAgo = '2026-01-01T00:00:00.000Z';
const began = Math.floor(Date.now() / 1000) * 1000 - 9 * dayMs;
const today = iso(Date.now()).slice(0, 10);

/** Ada coaches Bob, Mia, Dan and Cy; Eve is in no group. Bob, Mia and Dan took a virtual contest in one team of the judge. */
async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'mia', 'dan', 'cy', 'eve');
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    const other = await makeGroup(tx, ids.eve, { name: 'Others', zone: 'UTC' });
    const { problemIds } = await addContest(tx, { key: '2000', title: 'Codeforces Round 7 (Div. 2)', problems: 3 });
    for (const name of ['bob', 'mia', 'dan', 'cy'] as const) {
      const user_id = ids[name];
      await insertGroupMember(tx, { group_id: group, user_id, role: 'member', joined_at: longAgo, on_board: 0n });
      const handle = { user_id, source: 'codeforces', name: `${name}_cf`, created_at: longAgo };
      const { id: handle_id } = await insertHandle(tx, handle);
      const row = { handle_id, contest: '2000', participation: 'virtual', virtual_began_at: iso(began) } as const;
      const sent = (at: number, verdict_class: 'solved' | 'tried') =>
        solve({
          ...row,
          problem_id: problemIds[at] ?? null,
          key: `2000${'ABC'[at]}`,
          submission_id: `t${at}`,
          verdict_class,
          submitted_at: iso(began + 600_000 * (at + 1)),
          is_team: 1n,
          judge_team: '77',
        });
      if (name !== 'cy') await insertSolves(tx, [sent(0, 'solved'), sent(1, 'solved'), sent(2, 'tried')]);
    }
    return { group, other };
  });
  const { url } = await serveHere(t, { databaseUrl });
  const firstDay = iso(began - 30 * dayMs).slice(0, 10);
  const trees = async (...agreed: ('bob' | 'mia' | 'dan')[]) => {
    const plan = { name: 'Trees', firstDay, userIds: [ids.bob, ids.mia, ids.dan] };
    const team_id = await makeTeam(store, { groupId: made.group, coachId: ids.ada }, plan);
    for (const name of agreed) await agreeToTeam(store, { group_id: made.group, team_id, user_id: ids[name] });
    return `/dashboard/groups/${made.group}/teams/${team_id}/`;
  };
  const visitor = (name: keyof typeof ids) => browserOf(url, name);
  return { store, ids, ...made, path: `/dashboard/groups/${made.group}/`, trees, visitor, firstDay };
}

async function post(one: Browser, path: string, values: Readonly<Record<string, string>>) {
  await one.open('/dashboard/groups/');
  const token = one.page().document.querySelector('[name=_csrf]')?.getAttribute('value') ?? '';
  return one.post(path, { _csrf: token, ...values });
}

const linesOf = (one: Browser, selector: string) =>
  one
    .page()
    .document.querySelectorAll(selector)
    .map((element) => element.textContent.replaceAll(/\s+/g, ' ').trim());

test('a coach makes a team, its people agree, and its page shows what they did together', async (t) => {
  const { path, ids, visitor, firstDay } = await world(t);
  const [ada, bob, mia] = await Promise.all((['ada', 'bob', 'mia'] as const).map(visitor));
  assert.ok(ada && bob && mia);
  await ada.open(`${path}teams/`);
  const make = { within: '.form', name: 'name' };
  const refused = await ada.submit(make, { name: 'Trees', person: [String(ids.bob), '', ''], first: firstDay });
  assert.deepEqual([refused.status, textOf(refused, '.notice p')], [422, 'A team has 2 or 3 people; choose them.']);
  assert.equal(refused.document.querySelector('[name=name]')?.getAttribute('value'), 'Trees', 'what was typed stays');
  const page = await ada.submit(make, { person: [String(ids.bob), String(ids.mia), ''], first: firstDay });
  assert.match(textOf(page, '[data-person]'), /bob\s+has not agreed yet/);
  const team = page.path.split('?')[0] ?? '';
  assert.match(team, /teams\/1\/$/);
  const asking = async () =>
    (await bob.open('/dashboard/')).document.querySelectorAll('[data-asked] a').map((one) => one.getAttribute('href'));
  assert.deepEqual(await asking(), [team]);
  await bob.open(team);
  assert.match(textOf(bob.page(), 'main'), /Join this team\?.*everybody in this group sees/s);
  await bob.submit({ name: 'agree' });
  assert.deepEqual(await asking(), []);
  await bob.open(team);
  assert.deepEqual(linesOf(bob, '.team-contest'), []);
  await mia.open(team);
  await mia.submit({ name: 'agree' });
  assert.match(linesOf(mia, '.team-contest summary').join(), /^CF ?Round 7 \(Div. 2\).*2 of 3 solved$/);
  assert.match(linesOf(mia, '[data-problem]').join(), /Pond 2000C.*1 wrong$/);
  assert.match(linesOf(mia, '[aria-labelledby=wrote]').join(), /bob 0mia 02 problems not marked.$/);
  await bob.open(team);
  await bob.submit({ within: '[data-key="codeforces 2000A"]', name: 'wrote' });
  assert.deepEqual(linesOf(bob, '[data-key]'), [
    'A Pond 2000A 0:10bob I didn’t write it: Pond 2000A',
    'B Pond 2000B 0:20I wrote it: Pond 2000B',
    'C Pond 2000C– 1 wrong',
  ]);
  await mia.open(team);
  assert.match(linesOf(mia, '[aria-labelledby=wrote]').join(), /bob 1mia 01 problem not marked/);
  await bob.submit({ within: '[data-key="codeforces 2000A"]', name: 'wrote' });
  assert.ok(!linesOf(bob, '[data-key]').join().includes('bob'), 'it can be undone');
  await mia.submit({ within: '.team-acts', name: 'name' }, { name: 'Two Trees' });
  assert.equal(textOf(mia.page(), 'h1'), 'Two Trees');
  await mia.submit({ name: 'leave', value: 'yes' });
  assert.match(linesOf(mia, '[data-person]').join(), /mia.*– \d/);
  assert.equal(mia.page().document.querySelector('[name=leave][value=yes]'), null, 'who left leaves once');
  assert.equal(linesOf(mia, '.team-contest').length, 1, 'who leaves stays in the contests of that time');
  await mia.submit({ name: 'leave', value: 'all' });
  assert.deepEqual(linesOf(mia, '[data-person]').length, 1);
  assert.equal(linesOf(mia, '.team-contest').length, 0);
  await ada.open(team);
  await ada.submit({ within: '.team-acts', name: 'person' }, { person: String(ids.dan), first: today });
  assert.match(linesOf(ada, '[data-person]').join(), /dan has not agreed yet/);
  assert.doesNotMatch(linesOf(ada, '.team-acts [name=person]').join(), /dan/, 'who is in it is not added again');
  const dan = await visitor('dan');
  const decline = async () => {
    await dan.open(team);
    return dan.submit({ name: 'leave' });
  };
  assert.match(textOf(await decline(), '.notice'), /You are not in this team\. A coach can ask you again/);
  assert.ok(!linesOf(dan, '[data-person], #ask').join().includes('dan'));
  await ada.open(team);
  await ada.submit({ within: `[data-person="${ids.dan}"]`, name: 'person' });
  assert.match(linesOf(ada, '[data-person]').join(), /dan has not agreed yet/, 'asked again');
  await decline();
  await ada.open(team);
  assert.match(linesOf(ada, '[data-person]').join(), /dan declined.*– Ask again: dan\s*Remove: dan/);
  assert.match(linesOf(ada, '.team-acts [name=person]').join(), /dan/, 'who declined can be asked again');
  await ada.submit({ within: `[data-person="${ids.dan}"]`, name: 'end' });
  assert.equal(linesOf(ada, '[data-person]').length, 1, 'who had not agreed was never in it');
  await ada.submit({ name: 'delete' });
  assert.equal((await bob.open(team)).status, 404);
});

test('people outside the group see its teams as ones that do not exist, in every way in', async (t) => {
  const { path, other, trees, visitor, ids } = await world(t);
  const team = await trees('bob', 'mia');
  const eve = await visitor('eve');
  const missing = (await eve.open(`${path}teams/999/`)).text;
  const swapped = team.replace(/groups\/\d+/, `groups/${other}`);
  const nothing = await eve.open(`/dashboard/groups/${other}/teams/999/`);
  for (const [one, like] of [
    [team, missing],
    [`${path}teams/`, missing],
    [swapped, nothing.text],
  ] as const) {
    const answer = await eve.open(one);
    assert.equal(answer.status, 404, one);
    const plain = (text: string) => text.replaceAll(/\/dashboard\/[^"& ]*|[0-9a-f-]{20,}/g, '');
    assert.equal(plain(answer.text), plain(like), one);
  }
  for (const values of [
    { agree: 'yes' },
    { leave: 'all' },
    { delete: 'yes' },
    { end: String(ids.bob), last: today },
    { person: String(ids.eve), first: today },
    { name: 'Mine' },
    { wrote: 'yes', source: 'codeforces', key: '2000A' },
  ])
    for (const to of [team, swapped])
      assert.equal((await post(eve, to, values)).status, 404, `${to} ${Object.keys(values)}`);
  assert.equal((await post(eve, `${path}teams/`, { name: 'x' })).status, 404);
});

test('members see who agreed alone, and only coaches change who is in a team', async (t) => {
  const { path, trees, visitor, ids } = await world(t);
  const team = await trees();
  const [cy, dan, ada, bob] = await Promise.all((['cy', 'dan', 'ada', 'bob'] as const).map(visitor));
  assert.ok(cy && dan && ada && bob);
  assert.equal((await cy.open(team)).document.querySelector('[aria-labelledby=members]'), null, 'nobody is shown');
  assert.ok(!(await ada.open(team)).text.includes('people/next/'), 'there is nobody to look for');
  await ada.open(`${path}teams/`);
  const taken = { name: 'Two', person: [String(ids.cy), String(ids.bob), ''], first: today };
  assert.match(textOf(await ada.submit({ name: 'name' }, taken), '.notice'), /bob is in the team Trees on that day/);
  await bob.open(team);
  await bob.submit({ name: 'agree' });
  for (const [at, selector] of [
    [path, '[data-team]'],
    [`${path}teams/`, 'main'],
    [team, 'main'],
  ] as const) {
    const seen = textOf(await cy.open(at), selector);
    assert.ok(seen.includes('bob') && !/mia|dan|Round 7/.test(seen), `${at}: ${seen}`);
  }
  assert.match(textOf(await dan.open(team), 'main'), /dan\s+has not agreed yet/);
  assert.ok(!textOf(dan.page(), 'main').includes('mia'));
  await dan.submit({ name: 'agree' });
  assert.match(textOf(await cy.open(team), '[aria-labelledby=contests]'), /Round 7/);
  for (const values of [
    { delete: 'yes' },
    { end: String(ids.bob), last: today },
    { person: String(ids.cy), first: today },
    { name: 'Mine' },
  ])
    assert.equal((await post(cy, team, values)).status, 404, Object.keys(values).join());
  assert.equal((await post(cy, team, { agree: 'yes' })).status, 404);
  assert.equal((await post(cy, team, { leave: 'all' })).status, 404);
  assert.equal((await post(cy, `${path}teams/`, { name: 'x' })).status, 404);
  const own = { wrote: 'yes', source: 'codeforces', key: '2000A' };
  for (const one of [cy, ada]) assert.equal((await post(one, team, own)).status, 404);
  assert.equal((await post(dan, team, { ...own, key: '2000C' })).status, 404, 'not solved');
  await ada.open(team);
  assert.equal(textOf(ada.page(), 'h1'), 'Trees');
  const next = ada.page().document.querySelector('a[href*="people/next/"]')?.getAttribute('href');
  assert.match(
    next ?? '',
    new RegExp(`\\?(?:person=\\d+&)*person=${ids.bob}\\b`),
    'a coach looks for its next contest',
  );
  assert.ok(!cy.page().text.includes('people/next/'));
  assert.equal(linesOf(ada, '[data-person]').length, 3, 'nothing was changed');
});

test('a group without teams says so to coaches alone, and an archived one changes no team', async (t) => {
  const { path, trees, visitor, store, group } = await world(t);
  const [ada, bob] = await Promise.all((['ada', 'bob'] as const).map(visitor));
  assert.ok(ada && bob);
  assert.match(textOf(await ada.open(path), '[aria-labelledby=teams]'), /Two or three people/);
  assert.equal((await bob.open(path)).document.querySelector('[aria-labelledby=teams]'), null);
  const team = await trees('bob');
  await store.write((tx) => tx.updateTable('groups').set({ archived_at: longAgo }).where('id', '=', group).execute());
  for (const one of [ada, bob]) {
    const { document } = await one.open(team);
    assert.equal(document.querySelector('[name=end], [name=wrote], [name=person], .team-acts [name=name]'), null);
  }
  const dan = await visitor('dan');
  assert.equal((await dan.open('/dashboard/')).document.querySelector('[data-asked]'), null);
  const asked = (await dan.open(team)).document.querySelectorAll('[aria-labelledby=ask] button');
  assert.deepEqual(
    asked.map((one) => one.getAttribute('name')),
    ['leave'],
  );
  assert.equal((await post(bob, team, { name: 'Mine' })).status, 422);
  assert.equal((await post(dan, team, { agree: 'yes' })).status, 422);
  assert.equal((await post(ada, team, { delete: 'yes' })).status, 422);
  assert.equal((await post(bob, team, { wrote: 'yes', source: 'codeforces', key: '2000A' })).status, 422);
  assert.equal((await ada.open(`${path}teams/`)).document.querySelector('[name=person]'), null);
  await bob.open(team);
  await bob.submit({ name: 'leave', value: 'all' });
  assert.equal(linesOf(bob, '[data-person]').length, 0, 'leaving is always possible');
});

test('only a team and coaches see what it could take next, and nothing of who has not agreed counts', async (t) => {
  const { ids, trees, visitor, store, group } = await world(t);
  await store.write(async (tx) => {
    const old = await addContest(tx, { key: '1900', starts_at: longAgo });
    await addContest(tx, { key: '1901', starts_at: longAgo, problems: 3 });
    await addContest(tx, { key: '1902', starts_at: longAgo, problems: 8 });
    await addContest(tx, { key: '104001', title: 'Lake Cup', starts_at: longAgo, is_gym: 1n, difficulty: 3n });
    for (const [nth, name] of (['bob', 'mia', 'dan'] as const).entries()) {
      const [{ id: handle_id } = { id: 0n }] = await listHandlesAtJudge(tx, ids[name], 'codeforces');
      const rated = { contest: '1', title: '', place: null, rated_at: longAgo };
      await upsertRatings(tx, [{ ...rated, handle_id, rating: BigInt(1000 + 300 * nth) }]);
      if (name === 'dan')
        await insertSolves(tx, [solve({ handle_id, contest: old.key, submitted_at: longAgo, verdict_class: 'tried' })]);
    }
  });
  const team = await trees('bob');
  const [ada, bob, cy, dan] = await Promise.all((['ada', 'bob', 'cy', 'dan'] as const).map(visitor));
  assert.ok(ada && bob && cy && dan);
  const next = async (one: Browser) => {
    await one.open(team);
    return linesOf(one, '[data-contest]').map((line) => line.replace(/Make a round.*/, ''));
  };
  const agree = (name: 'mia' | 'dan') =>
    agreeToTeam(store, { group_id: group, team_id: BigInt(/(\d+).$/.exec(team)?.[1] ?? 0), user_id: ids[name] });
  for (const one of [ada, bob]) assert.deepEqual(await next(one), [], 'one person is no team');
  await agree('mia');
  const both = [
    'CF Codeforces Round 19012 h 3 of 3 rated 800–1500',
    'CF Codeforces Round 19002 h 3 of 6 rated 800–1500',
    'CF Lake Cup2 h difficulty 3 of 5',
  ];
  for (const one of [ada, bob]) assert.deepEqual(await next(one), both);
  for (const one of [cy, dan]) {
    await one.open(team);
    assert.equal(one.page().document.querySelector('[aria-labelledby=next]'), null);
  }
  assert.equal(bob.page().document.querySelectorAll('[data-contest] .primary').length, 4, 'one, and one in each form');
  const made = await bob.submit(
    { within: '[data-contest]:nth-child(2)', name: 'date' },
    { date: '2027-01-09', time: '10:00' },
  );
  const id = BigInt(/rounds\/(\d+)\/\?done=made/.exec(made.path)?.[1] ?? 0);
  const round = await findVisibleRound(store.reader, id, ids.bob);
  assert.deepEqual(
    [round?.group, round?.teams_day, round?.starts_at],
    ['Club', '2027-01-09', '2027-01-09T10:00:00.000Z'],
  );
  await agree('dan');
  assert.match((await next(dan)).join(), /1901.*1902.*Lake Cup/, 'Dan sent something to 1900');
  await archiveGroup(store, { groupId: group, coachId: ids.ada }, true);
  assert.deepEqual(await next(ada), []);
});
