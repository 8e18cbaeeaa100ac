/** A coach pastes a class list, corrects it, prints the slips, and sees who has joined. Nobody else sees the list. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { archiveGroup, makeGroup, removeGroup, setLeaderboard } from '../../src/practice/groups.ts';
import { setAccountCreators } from '../../src/practice/joining.ts';
import { makeList } from '../../src/practice/lists.ts';
import { addSeasonContests, makeSeason } from '../../src/practice/seasons.ts';
import { makeTeam } from '../../src/practice/teams.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { insertExpectedPerson, insertGroupMember, tickExpected, updateGroupMember } from '../../src/store/groups.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { csrfOf, valueIn } from '../support/elements.ts';
import { browser, type Page, textOf } from '../support/forms.ts';
import { importRows, memberWithToken } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { overflow } from '../support/looks.ts';
import { joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { addContest, usualSeason } from '../support/seasons.ts';

async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'cy', 'eve');
  const { url } = await serveHere(t, { databaseUrl });
  const group = await makeGroup(store, ids.ada, { name: 'Thursday club', zone: 'UTC' });
  await makeGroup(store, ids.cy, { name: 'Another club', zone: 'UTC' });
  const bob = { group_id: group, user_id: ids.bob, role: 'member', joined_at: longAgo, on_board: 0n } as const;
  await store.write((tx) => insertGroupMember(tx, bob));
  const path = `/dashboard/groups/${group}/`;
  return { databaseUrl, url, store, ids, group, path, people: `${path}people/`, list: `${path}people/expected/` };
}

const linksIn = (page: Page) =>
  page.document.querySelectorAll('[data-secret]').map((one) => new URL(one.textContent.trim()).pathname);
const rowsIn = (page: Page) =>
  page.document.querySelectorAll('[data-expected]').map((row) => {
    const cells = row.querySelectorAll('td').slice(0, 3);
    return cells.map((cell) => cell.textContent.replaceAll(/\s+/g, ' ').trim()).join(' | ');
  });
const people =
  'Vorname;Name;Matrikel;Mail\nMila;Andersson;22-01;m@x.org\nTom;O’Neill;22-02;\nIda;Lund;22-02;\n;;22-03;\n';

test('a class list is pasted, corrected and printed, and three people join by their slips', async (t) => {
  const { url, store, people: path, list, ids, group } = await world(t);
  const ada = await browserOf(url, 'ada');
  await ada.open(path.replace('people/', ''));
  assert.ok(ada.page().document.querySelector('.sub [href="/docs/coaches/"]'), 'help for coaches');
  await ada.open(path);
  await ada.open(list);
  const check = await ada.submit({ name: 'people' }, { people });
  assert.match(textOf(check, 'main'), /Vorname \(Given name\), Name \(Family name\), Matrikel \(Student number\)/);
  assert.match(textOf(check, 'main'), /Ignored columns: Mail/);
  const local =
    /Links made here lead to http:\/\/localhost:\d+ and open only on the server’s computer\. Ask an administrator/;
  assert.match(textOf(check, 'main'), local);
  const faults = check.document.querySelectorAll('.correction').map((one) => {
    const wrong = one.querySelector('[aria-invalid]');
    return `${one.querySelector('.fault')?.textContent.trim()} ${wrong?.getAttribute('name')}`;
  });
  assert.deepEqual(faults, ['Same student number as line 3, Tom O’Neill. student_number', 'The name is missing. name']);
  const { fields: corrected } = ada.filled({ within: '.checked-list' });
  for (const field of ['add', 'student_number']) corrected.delete(field);
  for (const number of ['22-04', '22-03']) corrected.append('student_number', number);
  const still = await ada.post(list, corrected);
  assert.equal(still.document.querySelectorAll('.correction').length, 1);
  assert.equal(still.document.querySelectorAll('[data-line]').length, 3);
  assert.doesNotMatch(textOf(still, 'main'), /Columns found|No column names/);
  const slips = await ada.submit({ name: 'add' }, { leave_out: '5' });
  assert.match(textOf(slips, 'main'), local);
  assert.match(textOf(slips, 'main'), /3 slips made.*Mila Andersson.*Join Thursday club.*Works once, until/s);
  assert.equal(slips.document.querySelectorAll('.slips.eight .qr').length, 3);
  assert.equal(slips.headers['cache-control'], 'no-store');
  assert.equal(slips.document.querySelector('.correction'), null, 'who was left out is not asked for again');
  const [mila = '', tom = '', ida = ''] = linksIn(slips);
  assert.match(mila, /^\/authentication\/join\/[\w-]{43}\/$/);

  const visitor = browser(url);
  const asked = await visitor.open(mila);
  assert.match(textOf(asked, 'main'), /This link is for Mila Andersson\..*student number in the group becomes 22-01/s);
  assert.equal(valueIn(asked, 'how'), 'sign-in', 'no account by a coach’s link');
  await store.write((tx) => setAccountCreators(tx, 'coaches'));
  await visitor.open(mila);
  const fields = { username: 'mila', password: 'a long enough sentence', time_zone: 'UTC' };
  assert.equal((await visitor.submit({ within: 'main form' }, fields)).path, `/dashboard/groups/${group}/?done=joined`);
  assert.equal(valueIn(await visitor.open(`/dashboard/groups/${group}/seen/`), 'number'), '22-01');
  const there = `/dashboard/groups/${group}/`;
  assert.equal((await visitor.open(mila)).path, there, 'the slip still leads its owner to the group');
  const second = await browser(url).open(mila);
  assert.equal(second.status, 404);
  assert.match(textOf(second, 'main'), /has been used/);

  const bob = await browserOf(url, 'bob');
  assert.match(textOf(await bob.open(tom), 'main'), /already in this group.*I’m Tom O’Neill/s);
  assert.equal((await bob.submit({ within: 'main form' })).path, `/dashboard/groups/${group}/?done=saved`);
  assert.doesNotMatch(textOf(await ada.open(ida), 'main'), /I’m Ida/, 'a coach is nobody of the list');
  assert.deepEqual(rowsIn(await ada.open(path)).slice(0, 2), [
    'Mila Andersson | 22-01 | mila',
    'Tom O’Neill | 22-02 | bob',
  ]);
  assert.match(textOf(ada.page(), 'main'), /2 of 3 joined/);

  assert.match(textOf(ada.page(), 'main'), /A new slip has no username/);
  const anew = await ada.submit({ name: 'renew', value: 'all' });
  const [ida2 = ''] = linksIn(anew);
  assert.equal((await visitor.open(ida)).status, 404);
  assert.match(textOf(await visitor.open(ida2), 'main'), /already in this group/);
  await ada.open(path);
  await ada.submit({ name: 'forget' });
  assert.equal(ada.page().path, `${path}?done=saved`);
  assert.equal(rowsIn(ada.page()).length, 2);

  await ada.open(list);
  const one = await ada.submit({ within: '[aria-labelledby=one]' }, { name: 'Ana', student_number: '' });
  const [ana = ''] = linksIn(one);
  await ada.open(list);
  const again = await ada.submit({ within: '[aria-labelledby=one]' }, { name: 'Ana', student_number: '' });
  assert.equal(again.status, 422);
  assert.match(textOf(again, 'main'), /This person is on the list.*nothing to do.*Already on the list/s);
  await ada.open(list);
  const crowd = Array.from({ length: 200 }, (_, at) => `A${at}x`);
  await ada.submit({ name: 'people' }, { people: ['name', ...crowd].join('\n') });
  const tooMany = await ada.submit({ name: 'add' });
  assert.deepEqual([tooMany.status, textOf(tooMany, '.fault').includes('at most 200 people')], [422, true]);
  const coach = { groupId: group, coachId: ids.ada };
  await archiveGroup(store, coach, true);
  assert.match(textOf(await browser(url).open(ana), 'main'), /This group is archived/);
  assert.equal((await ada.open(list)).path, `/dashboard/groups/${group}/`);
  assert.equal((await ada.open(path)).document.querySelector('[data-expected] button'), null);
  await removeGroup(store, coach);
  assert.equal((await browser(url).open(ana)).status, 404);
});

test('coaches of the group alone see and change its class list', async (t) => {
  const { url, databaseUrl, people: path, list, path: group } = await world(t);
  const ada = await browserOf(url, 'ada');
  await ada.open(list);
  await ada.submit({ name: 'people' }, { people: 'name,student_number\nMila Andersson,22-0177\n' });
  const [link = ''] = linksIn(await ada.submit({ name: 'add' }));
  for (const name of ['bob', 'cy', 'eve']) {
    const one = await browserOf(url, name);
    const _csrf = csrfOf(await one.open('/dashboard/groups/'));
    for (const at of [path, list]) assert.equal((await one.open(at)).status, 404, `${name} ${at}`);
    const people = 'Zed';
    for (const fields of [{ renew: 'all' }, { renew: '1' }, { forget: '1' }, { people, add: 'true' }, { people }]) {
      const reply = await one.post(list, { _csrf, ...fields });
      assert.equal(reply.status, 404, `${name} ${JSON.stringify(fields)}`);
      assert.ok(!reply.text.includes('Mila'));
    }
    if (name === 'bob')
      for (const end of ['', 'seen/', 'assignments/', 'rounds/'])
        assert.doesNotMatch((await one.open(group + end)).text, /Mila Andersson|22-0177/, end);
  }
  const own = await ada.post(`/dashboard/groups/2/people/expected/`, { _csrf: '', forget: '1' });
  assert.notEqual(own.status, 303, 'in a group of another coach');
  assert.equal(rowsIn(await ada.open(path)).length, 1);
  const wrong = { _csrf: csrfOf(ada.page()), renew: 'x' };
  assert.equal((await ada.post(list, wrong)).status, 400, 'which is nobody, not everybody');
  assert.equal((await browser(url).open(link)).status, 200);
  assert.equal((await ada.post(list, { _csrf: '', renew: 'all' })).status, 403);
  const visitor = browser(url);
  assert.doesNotMatch((await visitor.open(list)).text, /Mila/);
  for (const scopes of [undefined, ['practice:read', 'practice:mark']]) {
    const { token } = await memberWithToken(databaseUrl, 'ada', scopes && { scopes });
    const headers = { Accept: '*/*' };
    for (const at of [path, list, `${path}2/`])
      assert.equal((await send(url, at, { token, headers })).status, 303, `${token.slice(0, 4)} opens no page`);
  }
});

test('coaches read the names of their class list on each page, with the usernames of two alike, and nobody else does', async (t) => {
  const { databaseUrl, url, store, ids, group, path } = await world(t);
  await importRows(databaseUrl, 'records', [{ username: 'bob', first_name: 'Ben', last_name: 'Okafor' }]);
  const coach = { groupId: group, coachId: ids.ada };
  await store.write(async (tx) => {
    await joinGroup(tx, group, ids.cy, { on_board: 1n });
    await setLeaderboard(tx, coach, true);
    for (const id of [ids.bob, ids.cy]) {
      const expected = { group_id: group, name: 'Mila Andersson', student_number: null };
      await tickExpected(tx, { ...expected, id: await insertExpectedPerson(tx, expected) }, id);
      await updateGroupMember(tx, group, id, { in_season: 1n, on_board: 1n });
    }
    const contest = await addContest(tx, { key: '2000', starts_at: longAgo, problems: 2 });
    const items = contest.problemIds.map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ids.ada, name: 'Ponds', content: [{ name: '', items }] });
    const due_at = new Date(Date.now() + 60_000).toISOString();
    await putGroupList(tx, { group_id: group, list_id: list, given_at: longAgo, due_at });
    await makeSeason(tx, coach, { ...usualSeason, first_day: '2025-12-01' });
    await addSeasonContests(tx, coach, [{ kind: 'contest', item_id: contest.id }]);
    await makeTeam(tx, coach, { name: 'Ducks', firstDay: '2026-01-02', userIds: [ids.bob, ids.cy] });
  });
  const ends =
    ' assignments/1/ assignments/1/csv/ board/ people/ people/2/ people/csv/ people/next/ season/ season/csv/';
  const paths = `${ends} seasons/1/people/2/ teams/ teams/1/`.split(' ').map((end) => path + end);
  const [ada, bob] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  for (const at of ['/dashboard/', ...paths]) {
    const page = await ada.open(at);
    assert.match(at.endsWith('csv/') ? page.text : textOf(page, 'main'), /Mila Andersson\W*bob/, at);
    assert.doesNotMatch(page.text, /Okafor/, `${at} has no name of a profile`);
    assert.doesNotMatch((await bob.open(at)).text, /Mila/, at);
  }
  await ada.open(`${path}assignments/1/sheet/`);
  await ada.submit({ name: 'file' }, { file: { name: 'a.csv', bytes: 'Name;Mark\nMila Andersson;\n' } });
  const check = await ada.submit({ name: 'points' }, { who: '0', mark: '1', points: '10' });
  assert.match(textOf(check, '.trouble'), /Two people here match\. Who is it\?.*Mila Andersson \(bob\)/s);
  const file = await ada.submit({ name: 'who.1' }, { 'who.1': String(ids.bob) });
  assert.equal(file.text, 'Name;Mark\nMila Andersson;0\n');
});

test('a class list as it looks, and eight slips on a sheet', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, people: path, list } = await world(t);
  const ada = await browserOf(url, 'ada');
  const { page, look } = await openPage(chromium, url, {
    cookies: ada.cookies,
    viewport: { width: 320, height: 900 },
  });
  const looksRight = async (step: string) => {
    await look(step);
    assert.equal(await overflow(page), 0, step);
  };
  await page.goto(url + list);
  await looksRight('list');
  const { height = 0 } = (await page.locator('[name=people]').boundingBox()) ?? {};
  assert.ok(height > 6 * 20, 'room for a few rows');
  const rows = Array.from({ length: 17 }, (_, at) => `Given Family${at},22-${at}`);
  await page.fill('[name=people]', ['name,student number', ...rows, ',7', 'Given Family0,22-0'].join('\n'));
  await page.click('form:has([name=people]) button');
  await page.locator('.correction').first().waitFor();
  await looksRight('check');
  await page.click('[name=add]');
  await page.locator('.slip').last().waitFor();
  await looksRight('slips');
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g);
  assert.equal(sheets?.length, 3);
  await page.goto(url + path);
  await looksRight('people');
});
