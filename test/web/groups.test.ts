/**
 * Groups: a coach makes one and hands out addresses; members join, see exactly what a coach sees of them, and leave. Who is not
 * in a group cannot tell it from none, staff neither.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeEntryLink } from '../../src/auth/entry.ts';
import { setSignUpOpen } from '../../src/practice/joining.ts';
import { disableMember, removeMember } from '../../src/practice/members.ts';
import { findMemberByName } from '../../src/store/members.ts';
import type { Store } from '../../src/store/store.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { attributesOf, csrfOf, valueIn } from '../support/elements.ts';
import {
  type Browser,
  browser,
  memberWithPassword,
  type Page,
  signIn,
  textOf,
  usualPassword,
} from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { browserOf, serveHere } from '../support/in-process.ts';
import { joinGroup, membersNamed } from '../support/members.ts';

const groups = '/dashboard/groups/';

async function world(t: TestContext, ...names: string[]) {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, ...names);
  await memberWithPassword(databaseUrl, 'root', { role: 'staff' });
  const { url } = await serveHere(t, { databaseUrl });
  const rowsOf = (name: 'groups' | 'group_members' | 'group_links') =>
    store.reader.selectFrom(name).selectAll().execute();
  return { databaseUrl, ids, url, store, rowsOf };
}

async function makeGroup(coach: Browser, name = 'Wednesday club', zone = 'Asia/Kolkata'): Promise<string> {
  await coach.open(groups);
  const page = await coach.submit({ name: 'zone' }, { name, zone });
  assert.match(page.path, /^\/dashboard\/groups\/\d+\/\?done=made$/);
  return page.path.split('?', 1)[0] ?? '';
}

test('a link to join ends with the right of its maker, and lists name who made it', async (t) => {
  const { url, ids, store } = await world(t, 'ada', 'bob', 'eve', 'dan');
  const [ada, bob, eve, root] = [
    await browserOf(url, 'ada'),
    await browserOf(url, 'bob'),
    await browserOf(url, 'eve'),
    await signIn(url, 'root'),
  ];
  const group = await makeGroup(ada);
  const first = await makeLink(ada, group);
  for (const one of [bob, eve]) await join(one, first);
  for (const name of ['bob', 'eve'] as const) {
    await ada.open(group);
    await ada.submit({ name: 'coach', value: String(ids[name]) });
  }
  const shown = async () => textOf(await ada.open(`${group}settings/`), '[aria-labelledby=links] ul');
  const dan = await browserOf(url, 'dan');
  const openLink = async (maker: Browser) => {
    const link = await makeLink(maker, group);
    assert.equal((await dan.open(link)).status, 200);
    return link;
  };
  const assertGone = async (link: string, why: string) => {
    assert.equal((await dan.submit({ within: 'main form' })).status, 404, why);
    assert.equal(await status(browser(url), link), 404, why);
  };
  const ofBob = await openLink(bob);
  assert.match(await shown(), /by bob.*by ada/);
  await ada.open(group);
  await ada.submit({ name: 'member', value: String(ids['bob']) });
  await assertGone(ofBob, 'no longer a coach');
  assert.doesNotMatch(await shown(), /by bob/);
  const ofEve = await openLink(eve);
  await root.open(`/authentication/staff/members/${ids['eve']}/`);
  await root.submit({ name: 'act', value: 'disable' });
  await assertGone(ofEve, 'disabled');
  await root.open(`/authentication/staff/members/${ids['eve']}/`);
  await root.submit({ name: 'act', value: 'enable' });
  assert.equal(await status(browser(url), ofEve), 200, 'she may make it again');
  await dan.open(ofEve);
  await store.write((tx) => removeMember(tx, 'eve'));
  await assertGone(ofEve, 'deleted');
  assert.equal(await status(browser(url), first), 200);
});

async function makeLink(coach: Browser, group: string, uses = '30', expires = '7d'): Promise<string> {
  await coach.open(`${group}settings/`);
  const page = await coach.submit({ name: 'uses' }, { uses, expires });
  const address = textOf(page, '[data-secret]');
  assert.match(address, /\/authentication\/join\/[\w-]{43}\/$/);
  return new URL(address).pathname;
}

async function join(one: Browser, link: string): Promise<Page> {
  await one.open(link);
  return one.submit({ within: 'main form' });
}

const status = async (one: Browser, path: string) => (await one.ask(path)).status;
const peopleIn = ({ document }: Page) =>
  document.querySelectorAll('[data-person]').map((one) => {
    one.querySelector('a[href*="/rounds/duel/"]')?.remove();
    return one.textContent.replace(/\s+/g, ' ').trim();
  });

test('a group is made, joined by an address, and left', async (t) => {
  const { databaseUrl, ids, url, store, rowsOf } = await world(t, 'ada', 'bob', 'eve');
  await importRows(databaseUrl, 'records', [
    { username: 'bob', first_name: 'Bruno', last_name: 'Tavares', city: 'Porto' },
  ]);
  const [ada, bob, eve] = [await browserOf(url, 'ada'), await browserOf(url, 'bob'), await browserOf(url, 'eve')];
  const root = await browserOf(url, 'root');
  let group = '';
  let link = '';

  await t.test('whoever makes it is its coach; wrong fields are refused with a sentence each', async () => {
    assert.match(textOf(await ada.open(groups), '.empty'), /You are in no group/);
    const page = await ada.submit({ name: 'zone' }, { name: ' ', zone: 'Mars/Olympus' });
    assert.equal(page.status, 422);
    assert.match(textOf(page, '#name-fault'), /Enter a group name/);
    assert.match(textOf(page, '#zone-fault'), /Unknown time zone/);
    group = await makeGroup(ada);
    const [own, ...others] = await rowsOf('group_members');
    assert.deepEqual([own?.user_id, own?.role, others], [ids['ada'], 'coach', []]);
  });

  await t.test('the address says what a coach sees, and lets a member in once', async () => {
    link = await makeLink(ada, group, '2');
    const page = await bob.open(link);
    assert.match(textOf(page, 'h1'), /Join Wednesday club/);
    assert.match(
      textOf(page, 'main'),
      /Coaches of the group see ?your username and the name in your profile.*Nobody in the group sees ?your notes/,
    );
    const joined = await bob.submit({ within: 'main form' });
    assert.equal(joined.path, `${group}?done=joined`);
    assert.match(textOf(await bob.open(link), 'main'), /You are already in this group/);
    assert.equal((await rowsOf('group_links'))[0]?.uses_left, 1n, 'joining twice takes one use');
    assert.deepEqual(peopleIn(joined), ['adaCoach', 'bob'], 'members see usernames');
    const [, line = ''] = peopleIn(await ada.open(group));
    assert.match(line, /^Bruno Tavares bob ?since /, 'coaches see names');
    assert.ok(!(await ada.open(group)).text.includes('Porto'));
  });

  await t.test('people outside a group, administrators too, see it as one that does not exist', async () => {
    const none = groups.replace('groups/', 'groups/99/');
    for (const one of [eve, root])
      for (const end of ['', 'seen/', 'settings/'])
        for (const method of ['GET', 'POST']) {
          const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
          const asked = { method, ...(method === 'POST' && { body: '', headers }) };
          const [theirs, absent] = [await one.ask(group + end, asked), await one.ask(none + end, asked)];
          assert.equal(theirs.status, absent.status);
          assert.ok(!theirs.text.includes('Wednesday club'), theirs.text);
          if (method === 'GET') assert.equal(theirs.status, 404);
        }
    assert.equal(await status(bob, `${group}settings/`), 404, 'a member does not see what a coach sets');
    assert.ok(!(await eve.open(groups)).text.includes('Wednesday club'));
  });

  await t.test('a member cannot do what a coach does', async () => {
    const _csrf = csrfOf(await bob.open(group));
    for (const [name, whom] of [
      ['remove', 'ada'],
      ['member', 'ada'],
      ['coach', 'bob'],
    ] as const)
      assert.equal((await bob.post(group, { _csrf, [name]: String(ids[whom]) })).status, 404, name);
    assert.equal((await bob.post(`${group}settings/`, { _csrf, confirm: 'Wednesday club' })).status, 404);
    assert.equal((await rowsOf('group_members')).length, 2);
  });

  await t.test('a revoked, used up or expired address leads nowhere at once', async () => {
    const other = await makeLink(ada, group);
    assert.equal(await status(eve, other), 200);
    await ada.open(`${group}settings/`);
    await ada.submit({ name: 'revoke' });
    assert.equal(await status(eve, other), 404);
    const stranger = browser(url);
    assert.equal(await status(stranger, other), 404);
    const once = await makeLink(ada, group, '1');
    await join(eve, once);
    assert.equal(await status(stranger, once), 404, 'used up');
    await store.write((tx) => tx.updateTable('group_links').set({ expires_at: '2020-01-01T00:00:00.000Z' }).execute());
    assert.equal(await status(stranger, link), 404, 'expired');
  });

  await t.test('a group keeps a coach: the last one cannot go while others are in it', async () => {
    const alone = await ada.open(group);
    assert.match(textOf(alone, '[aria-labelledby=leave]'), /You are the only coach\. Make somebody else a coach/);
    assert.equal(alone.document.querySelector('[name=leave]'), null);
    const fields = { _csrf: csrfOf(alone), leave: 'yes' };
    const refused = await ada.post(group, fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /a group needs a coach/);
    await ada.open(group);
    assert.equal((await ada.submit({ name: 'coach', value: String(ids['bob']) })).path, `${group}?done=role`);
    assert.equal(await status(bob, `${group}settings/`), 200);
    await store.write((tx) => disableMember(tx, 'bob', true));
    const beside = await ada.open(group);
    assert.match(textOf(beside, '[aria-labelledby=leave]'), /Make somebody else a coach/, 'a disabled coach is none');
    assert.equal((await ada.post(group, fields)).status, 422);
    await store.write((tx) => disableMember(tx, 'bob', false));
    await ada.open(group);
    assert.equal((await ada.submit({ name: 'leave' })).path, `${groups}?done=left`);
    assert.equal(await status(ada, group), 404);
    const old = await makeLink(bob, group, '9');
    await bob.open(group);
    await bob.submit({ name: 'coach', value: String(ids['eve']) });
    await eve.open(group);
    const gone = await eve.submit({ name: 'remove', value: String(ids['eve']) });
    assert.equal(gone.path, `${groups}?done=left`, 'whoever takes themselves out ends no links');
    await join(eve, old);
    const people = await bob.open(group);
    const asked = people.document.querySelector(`button[name=remove][value="${ids['eve']}"]`)?.closest('details');
    assert.match(asked?.textContent ?? '', /can join again only with a new link/, 'one press removes nobody');
    for (const name of ['coach', 'member'])
      assert.ok(people.document.querySelector(`button[name=${name}]`)?.closest('details.sure'), name);
    assert.equal((await bob.submit({ name: 'remove', value: String(ids['eve']) })).path, `${group}?done=removed`);
    assert.equal(await status(eve, group), 404);
    assert.match((await join(eve, old)).text, /A coach removed you from this group/);
    await join(ada, old);
    const own = await ada.open(group);
    assert.match(own.document.querySelector('button[name=leave]')?.closest('details')?.text ?? '', /need a new link/);
    await ada.submit({ name: 'leave' });
  });

  await t.test('name and zone change, unless another tab did', async () => {
    await bob.open(`${group}settings/`);
    const second = await browserOf(url, 'bob');
    await second.open(`${group}settings/`);
    assert.equal((await bob.submit({ name: 'zone' }, { name: 'Friday club' })).path, `${group}settings/?done=saved`);
    const overtaken = await second.submit({ name: 'zone' }, { zone: 'UTC' });
    assert.equal(overtaken.status, 422);
    assert.match(textOf(overtaken, '.notice'), /somebody else changed it to “Friday club”/);
    assert.equal((await second.submit({ name: 'zone' })).path, `${group}settings/?done=saved`);
  });

  await t.test('it is deleted by its name, and goes with its last member', async () => {
    await bob.open(`${group}settings/`);
    assert.equal((await bob.submit({ name: 'confirm' }, { confirm: 'wrong' })).status, 422);
    const [{ name = '' } = {}] = await rowsOf('groups');
    await bob.open(`${group}settings/`);
    assert.equal((await bob.submit({ name: 'confirm' }, { confirm: name })).path, `${groups}?done=deleted`);
    for (const table of ['groups', 'group_members', 'group_links'] as const) assert.deepEqual(await rowsOf(table), []);
    await makeGroup(eve, 'Alone');
    await makeLink(eve, await makeGroup(eve, 'With others'));
    const [, both] = await rowsOf('groups');
    await store.write((tx) => joinGroup(tx, both?.id ?? 0n, ids['ada'] ?? 0n));
    await store.write((tx) => removeMember(tx, 'eve'));
    const names = (await rowsOf('groups')).map((one) => one.name);
    const people = (await rowsOf('group_members')).map(({ user_id }) => user_id);
    assert.deepEqual([names, people], [['With others'], [ids['ada']]]);
    assert.match(textOf(await ada.open(`${groups}${both?.id}/`), '.sub'), /no coach/);
  });
});

const how = (value: 'new' | 'sign-in') => ({ name: 'how', value });

test('people join in the same step as they sign in or make an account', async (t) => {
  const { url, store } = await world(t, 'ada', 'bob');
  const ada = await browserOf(url, 'ada');
  const group = await makeGroup(ada, '<b>Club</b> \u202e');
  const link = await makeLink(ada, group);
  const open = async (way: string) => {
    const one = browser(url);
    const page = await one.open(link);
    if (page.document.querySelector(`main a[href$="?how=${way}"]`)) await one.open(`${link}?how=${way}`);
    assert.equal(valueIn(one.page(), 'how'), way);
    assert.ok(!page.text.includes('<b>Club'));
    return one;
  };

  const bob = await open('sign-in');
  const wrong = await bob.submit(how('sign-in'), { username: 'bob', password: 'no such password' });
  assert.equal(wrong.status, 422);
  assert.match(textOf(wrong, '.notice'), /Wrong username or password/);
  const joined = await bob.submit(how('sign-in'), { username: 'bob', password: usualPassword });
  assert.equal(joined.path, `${group}?done=joined`);

  const names = { password: usualPassword };
  const closed = await open('new');
  const refused = await closed.submit(how('new'), { username: 'cy', ...names, invitation: 'x' });
  assert.equal(refused.status, 422);
  assert.match(textOf(refused, '#invitation-fault'), /Ask an administrator for a new one/);
  const key = await store.write((tx) =>
    makeEntryLink(tx, { kind: 'invitation', role: 'member', uses: 1, lifetimeMs: 1e7 }),
  );
  const invitation = `${url}/authentication/invitation/${key}/`;
  const invited = await closed.submit(how('new'), { username: 'cy', ...names, invitation });
  assert.equal(invited.path, `${group}?done=joined`);

  await store.write((tx) => setSignUpOpen(tx, true));
  const free = await open('new');
  const short = await free.submit(how('new'), { username: 'bob', ...names });
  assert.match(textOf(short, '#username-fault'), /is taken/);
  const made = await free.submit(how('new'), { username: 'dan', ...names });
  assert.equal(made.path, `${group}?done=joined`);
  assert.deepEqual(peopleIn(made), ['adaCoach', 'bob', 'cy', 'dan']);

  await ada.open(`${group}settings/`);
  await ada.submit({ name: 'revoke' });
  const late = await free.post(link, { how: 'new', username: 'fay', ...names });
  assert.ok([403, 404].includes(late.status));
  assert.equal(await findMemberByName(store.reader, 'fay'), undefined);
});

async function zonesIn({ reader }: Store): Promise<string[]> {
  const rows = await reader.selectFrom('member_settings').selectAll().where('name', '=', 'time_zone').execute();
  return rows.map(({ value }) => value);
}

test('one link of a coach makes the accounts of a class, where administrators allow it', async (t) => {
  const { url, ids, store, rowsOf } = await world(t, 'ada');
  const root = await signIn(url, 'root');
  const ada = await browserOf(url, 'ada');
  const [ofRoot, ofAda] = [await makeGroup(root, 'Class 9b'), await makeGroup(ada, 'Club')];
  const [rootLink, adaLink] = [await makeLink(root, ofRoot, '3'), await makeLink(ada, ofAda, '30')];
  const names = { password: usualPassword };
  const take = async (link: string, username: string, time_zone = 'UTC') => {
    const one = browser(url);
    const page = await one.open(`${link}?how=new`);
    assert.match(textOf(page, '.card'), /Invitation from (root|ada).*at any time/s);
    return one.submit(how('new'), { username, ...names, time_zone });
  };
  const invitationOf = async (link: string) =>
    (await browser(url).open(`${link}?how=new`)).document.querySelector('[name=invitation]');

  assert.equal(await invitationOf(rootLink), null, 'an administrator who coaches');
  assert.notEqual(await invitationOf(adaLink), null, 'a coach without the right');
  const made = await take(rootLink, 'bob', 'Europe/Kiev');
  assert.equal(made.path, `${ofRoot}?done=joined`);
  assert.equal((await take(rootLink, 'bob')).status, 422, 'a name that is taken');
  assert.match(textOf(await take(rootLink, 'cy', 'Mars/Olympus'), '#time_zone-fault'), /Unknown time zone/);
  assert.deepEqual(await zonesIn(store), ['Europe/Kyiv']);

  const settings = '/authentication/staff/settings/';
  const allow = async (account_makers: string) => {
    await root.open(settings);
    const page = await root.submit({ name: 'account_makers' }, { account_makers });
    assert.equal(page.path, `${settings}?done=saved`);
    const [selected] = attributesOf(page, '[name=account_makers] [selected]', 'value');
    assert.equal(selected, account_makers);
  };
  await allow('coaches');
  assert.equal((await take(adaLink, 'dan')).path, `${ofAda}?done=joined`);
  await allow('nobody');
  assert.notEqual(await invitationOf(rootLink), null);
  await allow('administrators');

  await take(rootLink, 'eve');
  const racers = await Promise.all(
    ['fay', 'gus', 'hal'].map(async (username) => {
      const one = browser(url);
      await one.open(rootLink);
      return one.submit(how('new'), { username, ...names });
    }),
  );
  assert.equal(racers.filter(({ path }) => path === `${ofRoot}?done=joined`).length, 1);
  const members = await store.reader.selectFrom('members').select('role').execute();
  assert.equal(members.length, 6, 'root, ada, bob, dan, eve and one racer');
  assert.equal(members.filter(({ role }) => role === 'staff').length, 1);
  assert.equal((await rowsOf('group_members')).filter(({ user_id }) => user_id !== ids['ada']).length, 5);
});

test('a new account and a new group get the time zone of the browser, by its present name', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, store } = await world(t, 'ada');
  const root = await signIn(url, 'root');
  const link = await makeLink(root, await makeGroup(root));
  const { page, complaints, strays, look } = await openPage(chromium, url, { timezoneId: 'Asia/Calcutta' });
  const there = () => page.evaluate(() => new Date().toTimeString().slice(0, 5));
  const before = await there();
  await page.goto(url + link);
  assert.equal(await page.inputValue('[name="time_zone"]'), 'Asia/Kolkata');
  const time = page.locator('[data-zone-time]');
  // A minute may begin while the page loads.
  assert.ok([before, await there()].includes((await time.innerText()).slice(-5)), 'the time there');
  await page.fill('[name="time_zone"]', 'Mars/Olympus');
  assert.equal(await time.innerText(), '–');
  await page.fill('[name="time_zone"]', 'UTC');
  const utc = await time.innerText();
  await page.fill('[name="time_zone"]', 'Asia/Kolkata');
  const served = await page.request.get(url + link);
  assert.match(await served.text(), new RegExp(`<b data-zone-time>${utc.split(' ')[0]} \\d\\d:\\d\\d</b>`));
  await look();
  const form = page.locator('form:has([value="new"])');
  await form.locator('[name="username"]').fill('noor');
  await form.locator('[name="password"]').fill('short');
  await form.locator('[name="time_zone"]').fill('Asia/Tokyo');
  await form.locator('button.primary').click();
  assert.equal(await form.locator('[name="time_zone"]').inputValue(), 'Asia/Tokyo', 'what was typed stays');
  await form.locator('[name="time_zone"]').fill('Asia/Kolkata');
  await form.locator('[name="password"]').fill(usualPassword);
  await form.locator('button.primary').click();
  await page.waitForURL(/done=joined/);
  assert.deepEqual(await zonesIn(store), ['Asia/Kolkata']);

  const ada = await browserOf(url, 'ada');
  await page.context().addCookies([{ name: 'session', value: ada.cookies.get('session') ?? '', url }]);
  await page.goto(url + groups);
  assert.equal(await page.inputValue('[name="zone"]'), 'Asia/Kolkata');
  assert.equal(valueIn(await browser(url).open(link), 'time_zone'), 'UTC');
  assert.deepEqual([complaints, strays], [[], []]);
});
