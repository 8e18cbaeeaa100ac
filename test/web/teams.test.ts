/** The pages of teams: a coach makes one, its people agree, leave and say what they wrote, and who sees what. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { archiveGroup, makeGroup } from '../../src/practice/groups.ts';
import { agreeToTeam, makeTeam } from '../../src/practice/teams.ts';
import { insertHandle, listHandlesAtJudge } from '../../src/store/handles.ts';
import { upsertRatings } from '../../src/store/ratings.ts';
import { findVisibleRound } from '../../src/store/rounds.ts';
import { insertSolves } from '../../src/store/solves.ts';
import { openGarden } from '../importing/support.ts';
import { attributeOf, attributesOf, csrfOf, textsOf, valueIn } from '../support/elements.ts';
import { type Browser, textOf } from '../support/forms.ts';
import { browsersOf, serveHere } from '../support/in-process.ts';
import { joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { addContest, dayMs, iso, solve } from '../support/seasons.ts';

const trio = ['bob', 'mia', 'dan'] as const;
const names = ['ada', ...trio, 'cy', 'eve'] as const;
const began = Math.floor(Date.now() / 1000) * 1000 - 9 * dayMs;
const today = iso(Date.now()).slice(0, 10);

/** Ada coaches Bob, Mia, Dan and Cy; Eve is in no group. Bob, Mia and Dan took a virtual contest in one team of the judge. */
async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, ...names);
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Club', zone: 'UTC' });
    const other = await makeGroup(tx, ids.eve, { name: 'Others', zone: 'UTC' });
    const { problemIds } = await addContest(tx, { key: '2000', title: 'Codeforces Round 7 (Div. 2)', problems: 3 });
    for (const name of [...trio, 'cy'] as const) {
      const user_id = ids[name];
      await joinGroup(tx, group, user_id);
      const handle = { user_id, source: 'codeforces', name: `${name}_cf`, created_at: longAgo };
      const { id: handle_id } = await insertHandle(tx, handle);
      const times = { participation: 'virtual', virtual_began_at: iso(began) } as const;
      const row = { handle_id, contest: '2000', ...times, is_team: 1n, judge_team: '77' };
      const sent = problemIds.map((problem_id, at) => {
        const own = { problem_id, key: `2000${'ABC'[at]}`, submission_id: `t${at}` };
        const submitted_at = iso(began + 600_000 * (at + 1));
        return solve({ ...row, ...own, submitted_at, verdict_class: at < 2 ? 'solved' : 'tried' });
      });
      if (name !== 'cy') await insertSolves(tx, sent);
    }
    return { group, other };
  });
  const { url } = await serveHere(t, { databaseUrl });
  const firstDay = iso(began - 30 * dayMs).slice(0, 10);
  const trees = async (...agreed: (typeof trio)[number][]) => {
    const plan = { name: 'Trees', firstDay, userIds: trio.map((name) => ids[name]) };
    const team_id = await makeTeam(store, { groupId: made.group, coachId: ids.ada }, plan);
    for (const name of agreed) await agreeToTeam(store, { group_id: made.group, team_id, user_id: ids[name] });
    return `/dashboard/groups/${made.group}/teams/${team_id}/`;
  };
  const browsers = await browsersOf(url, ...names);
  return { store, ids, ...made, path: `/dashboard/groups/${made.group}/`, trees, firstDay, ...browsers };
}

const post = async (one: Browser, path: string, values: Readonly<Record<string, string>>) =>
  one.post(path, { _csrf: csrfOf(await one.open('/dashboard/groups/')), ...values });

const linesOf = (one: Browser, selector: string) => textsOf(one.page(), selector);

const wrote = { wrote: 'yes', source: 'codeforces', key: '2000A' };
/** What coaches alone may send: that the one leaves, and another comes. */
const changes = (leaving: bigint, coming: bigint): Readonly<Record<string, string>>[] => [
  { delete: 'yes' },
  { end: String(leaving), last: today },
  { person: String(coming), first: today },
  { name: 'Mine' },
];

test('a coach makes a team, its people agree, and its page shows what they did together', async (t) => {
  const { path, ids, firstDay, ada, bob, mia, dan } = await world(t);
  await ada.open(`${path}teams/`);
  const make = { within: '.form', name: 'name' };
  const refused = await ada.submit(make, { name: 'Trees', person: [String(ids.bob), '', ''], first: firstDay });
  assert.deepEqual([refused.status, textOf(refused, '.notice p')], [422, 'A team has 2 or 3 people; choose them.']);
  assert.equal(valueIn(refused, 'name'), 'Trees', 'what was typed stays');
  const page = await ada.submit(make, { person: [String(ids.bob), String(ids.mia), ''], first: firstDay });
  assert.match(textOf(page, '[data-person]'), /bob\s+has not agreed yet/);
  const team = page.path.split('?')[0] ?? '';
  assert.match(team, /teams\/1\/$/);
  const asking = async () => attributesOf(await bob.open('/dashboard/'), '[data-asked] a', 'href');
  assert.deepEqual(await asking(), [team]);
  await bob.open(team);
  assert.match(textOf(bob.page(), 'main'), /Join this team\?.*everybody in this group sees/s);
  await bob.submit({ name: 'agree' });
  assert.deepEqual(await asking(), []);
  await bob.open(team);
  assert.deepEqual(linesOf(bob, '.team-contest'), []);
  await mia.submitAt(team, { name: 'agree' });
  assert.match(linesOf(mia, '.team-contest summary').join(), /^CF ?Round 7 \(Div. 2\).*2 of 3 solved$/);
  assert.match(linesOf(mia, '[data-problem]').join(), /Pond 2000C.*1 wrong$/);
  assert.match(linesOf(mia, '[aria-labelledby=wrote]').join(), /bob 0mia 02 problems not marked.$/);
  await bob.submitAt(team, { within: '[data-key="codeforces 2000A"]', name: 'wrote' });
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
  await ada.submitAt(team, { within: '.team-acts', name: 'person' }, { person: String(ids.dan), first: today });
  assert.match(linesOf(ada, '[data-person]').join(), /dan has not agreed yet/);
  assert.doesNotMatch(linesOf(ada, '.team-acts [name=person]').join(), /dan/, 'who is in it is not added again');
  const decline = async () => {
    return dan.submitAt(team, { name: 'leave' });
  };
  assert.match(textOf(await decline(), '.notice'), /You are not in this team\. A coach can ask you again/);
  assert.ok(!linesOf(dan, '[data-person], #ask').join().includes('dan'));
  await ada.submitAt(team, { within: `[data-person="${ids.dan}"]`, name: 'person' });
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
  const { path, other, trees, ids, eve } = await world(t);
  const team = await trees('bob', 'mia');
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
  for (const values of [{ agree: 'yes' }, { leave: 'all' }, ...changes(ids.bob, ids.eve), wrote])
    for (const to of [team, swapped])
      assert.equal((await post(eve, to, values)).status, 404, `${to} ${Object.keys(values)}`);
  assert.equal((await post(eve, `${path}teams/`, { name: 'x' })).status, 404);
});

test('members see who agreed alone, and only coaches change who is in a team', async (t) => {
  const { path, trees, ids, cy, dan, ada, bob } = await world(t);
  const team = await trees();
  assert.equal((await cy.open(team)).document.querySelector('[aria-labelledby=members]'), null, 'nobody is shown');
  assert.ok(!(await ada.open(team)).text.includes('people/next/'), 'there is nobody to look for');
  await ada.open(`${path}teams/`);
  const taken = { name: 'Two', person: [String(ids.cy), String(ids.bob), ''], first: today };
  assert.match(textOf(await ada.submit({ name: 'name' }, taken), '.notice'), /bob is in the team Trees on that day/);
  await bob.submitAt(team, { name: 'agree' });
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
  for (const values of [{ agree: 'yes' }, { leave: 'all' }, ...changes(ids.bob, ids.cy), wrote])
    assert.equal((await post(cy, team, values)).status, 404, Object.keys(values).join());
  assert.equal((await post(cy, `${path}teams/`, { name: 'x' })).status, 404);
  assert.equal((await post(ada, team, wrote)).status, 404);
  assert.equal((await post(dan, team, { ...wrote, key: '2000C' })).status, 404, 'not solved');
  await ada.open(team);
  assert.equal(textOf(ada.page(), 'h1'), 'Trees');
  const next = attributeOf(ada.page(), 'a[href*="people/next/"]', 'href');
  const withBob = new RegExp(`\\?(?:person=\\d+&)*person=${ids.bob}\\b`);
  assert.match(next ?? '', withBob, 'a coach looks for its next contest');
  assert.ok(!cy.page().text.includes('people/next/'));
  assert.equal(linesOf(ada, '[data-person]').length, 3, 'nothing was changed');
});

test('a group without teams says so to coaches alone, and an archived one changes no team', async (t) => {
  const { path, trees, store, group, ada, bob, dan } = await world(t);
  assert.match(textOf(await ada.open(path), '[aria-labelledby=teams]'), /Two or three people/);
  assert.equal((await bob.open(path)).document.querySelector('[aria-labelledby=teams]'), null);
  const team = await trees('bob');
  await store.write((tx) => tx.updateTable('groups').set({ archived_at: longAgo }).where('id', '=', group).execute());
  for (const one of [ada, bob]) {
    const { document } = await one.open(team);
    assert.equal(document.querySelector('[name=end], [name=wrote], [name=person], .team-acts [name=name]'), null);
  }
  assert.equal((await dan.open('/dashboard/')).document.querySelector('[data-asked]'), null);
  assert.deepEqual(attributesOf(await dan.open(team), '[aria-labelledby=ask] button', 'name'), ['leave']);
  for (const [one, values] of [
    [bob, { name: 'Mine' }],
    [dan, { agree: 'yes' }],
    [ada, { delete: 'yes' }],
    [bob, wrote],
  ] as const)
    assert.equal((await post(one, team, values)).status, 422, Object.keys(values).join());
  assert.equal((await ada.open(`${path}teams/`)).document.querySelector('[name=person]'), null);
  await bob.submitAt(team, { name: 'leave', value: 'all' });
  assert.equal(linesOf(bob, '[data-person]').length, 0, 'leaving is always possible');
});

test('only a team and coaches see what it could take next, and nothing of who has not agreed counts', async (t) => {
  const { ids, trees, store, group, ada, bob, cy, dan } = await world(t);
  await store.write(async (tx) => {
    const old = await addContest(tx, { key: '1900', starts_at: longAgo });
    await addContest(tx, { key: '1901', starts_at: longAgo, problems: 3 });
    await addContest(tx, { key: '1902', starts_at: longAgo, problems: 8 });
    await addContest(tx, { key: '104001', title: 'Lake Cup', starts_at: longAgo, is_gym: 1n, difficulty: 3n });
    for (const [nth, name] of trio.entries()) {
      const [{ id: handle_id } = { id: 0n }] = await listHandlesAtJudge(tx, ids[name], 'codeforces');
      const rated = { contest: '1', title: '', place: null, rated_at: longAgo };
      await upsertRatings(tx, [{ ...rated, handle_id, rating: BigInt(1000 + 300 * nth) }]);
      if (name === 'dan')
        await insertSolves(tx, [solve({ handle_id, contest: old.key, submitted_at: longAgo, verdict_class: 'tried' })]);
    }
  });
  const team = await trees('bob');
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
