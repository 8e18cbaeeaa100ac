/**
 * The pages of reminders: a webhook with a secret that is shown once, its tests and its log, for the coaches of a group and for a
 * member; and the calendar at a secret address, read by a parser of its own, gone at once when it is revoked.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { planReminders } from '../../src/jobs/reminders.ts';
import { sendReminders } from '../../src/jobs/webhooks.ts';
import { daysOf } from '../../src/practice/days.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setNote } from '../../src/practice/marks.ts';
import { writeDayRule } from '../../src/practice/preferences.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { deleteGroupMember } from '../../src/store/groups.ts';
import { deleteMember } from '../../src/store/members.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { checkedCalendar } from '../support/calendars.ts';
import { rowsOf, tamper } from '../support/databases.ts';
import { steadyDays } from '../support/days.ts';
import { blocksOf } from '../support/documents.ts';
import { textsOf } from '../support/elements.ts';
import { type Browser, memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, browsersOf, serveHere } from '../support/in-process.ts';
import { faultsOfLook } from '../support/looks.ts';
import { joinGroup, longAgo, membersNamed } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { opened, startReceiver } from '../support/receiver.ts';
import { readZip } from '../support/zips.ts';

const reminders = '/authentication/account/reminders/';
const [code] = blocksOf('docs/reminders.md').filter(({ language }) => language === 'js');
const { isFromGarden } = await import(`data:text/javascript,${encodeURIComponent(code?.text ?? '')}`);
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
/** A text that no line of a calendar, no field and no page may take for its own. */
const hostile = `Trees, II; \\ "x"\u2028END:VEVENT ü\u202e<script>alert(1)</script> ${'ä'.repeat(3000)}`;

async function world(t: TestContext, name = 'Trees II') {
  const { databaseUrl, store } = await openGarden(t);
  const ids = await membersNamed(databaseUrl, 'ada', 'bob', 'eve');
  await importRows(databaseUrl, 'problems', ponds(3));
  const receiver = await startReceiver(t);
  const env = { PRIVATE_PLACES: receiver.url, BASE_URL: 'http://garden.test' };
  const [{ url }, other] = [await serveHere(t, { databaseUrl, env }), await serveHere(t, { databaseUrl, env })];
  const due = inDays(3);
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Wednesday club', zone: 'Asia/Kolkata' });
    await joinGroup(tx, group, ids.bob);
    const items = [1n, 2n].map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ids.ada, name: 'x', content: [{ name: '', items }] });
    await tx.updateTable('lists').set({ name }).execute();
    await putGroupList(tx, { group_id: group, list_id: list, due_at: due, given_at: longAgo });
    return { group, list };
  });
  const deliver = () =>
    sendReminders(store, { language: 'en', baseUrl: url, privateOrigins: new Set([receiver.url]) }, Date.now() + 1000);
  return { databaseUrl, store, ids, receiver, url, other, due, ...made, deliver };
}

const save = { name: 'webhook', value: 'save' };
const tryIt = { name: 'webhook', value: 'test' };
const remove = { name: 'webhook', value: 'remove' };
const settings = (group: bigint) => `/dashboard/groups/${group}/settings/`;
const log = (page: Page) => textsOf(page, '[data-delivery]');

test('a webhook is made, tested, changed and removed, by a coach and by a member', async (t) => {
  const { databaseUrl, receiver, url, group, ids, store, deliver } = await world(t);
  const { ada, bob, eve } = await browsersOf(url, 'ada', 'bob', 'eve');
  for (const [who, path, other] of [
    [ada, settings(group), 'ofGroup'],
    [bob, reminders, 'ofMember'],
  ] as const)
    await t.test(other, async () => {
      await who.open(path);
      for (const [address, fault] of [
        ['', /https address/],
        ['https://127.0.0.1/x', /https address/],
        [`https://example.org/${'x'.repeat(10_000)}`, /1,000 characters|1000/],
      ] as const) {
        const wrong = await who.submit(save, { url: address });
        assert.equal(wrong.status, 422, address);
        assert.match(textOf(wrong, '#url-fault'), fault, address);
      }
      const none = await who.submit(save, { url: `${receiver.url}/a`, weeks: false, dues: false });
      assert.match(textOf(none, '#what-fault'), /at least one/);
      const made = await who.submit(save, { url: `${receiver.url}/a`, weeks: true, dues: true });
      const secret = textOf(made, '[data-secret]');
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.equal(made.headers['cache-control'], 'no-store');
      const again = await who.open(path);
      assert.ok(!again.text.includes(secret), 'it is shown once');
      assert.equal(again.text.includes(`${receiver.url}/a`), who === bob, 'coaches of a group see the host alone');
      assert.ok(again.text.includes(new URL(receiver.url).host));
      const unticked = await who.submit(save, { weeks: false, dues: false });
      assert.equal(unticked.text.includes(`${receiver.url}/a`), who === bob);

      const asked = await who.submit(tryIt);
      assert.equal(asked.headers['refresh'], '4');
      assert.match(log(asked)[0] ?? '', /^A test just now ?Sending soon\.$/);
      receiver.say = [500];
      await deliver();
      assert.match(
        log(await who.open(path))[0] ?? '',
        /The receiver answered 500\. 1 try so far; next try (within a minute|in \d+ min)\./,
      );
      await tamper(databaseUrl, "UPDATE webhook_deliveries SET next_at = 0 WHERE state = 'waiting'");
      await deliver();
      assert.match(log(await who.open(path))[0] ?? '', /Delivered\.$/);
      const got = receiver.got.at(-1);
      const message = opened(got as never, secret);
      assert.deepEqual(
        [got?.body, 'other'].map((body) => isFromGarden(got?.headers, body, secret)),
        [true, false],
      );
      assert.equal(message.type, 'test');

      const renewed = await who.submit({ name: 'webhook', value: 'renew' });
      const next = textOf(renewed, '[data-secret]');
      assert.notEqual(next, secret);
      await who.submit(tryIt);
      await deliver();
      opened(receiver.got.at(-1) as never, next);

      // A second tab that showed an older form changes nothing.
      await who.open(path);
      const stale = who.filled(save, { dues: false });
      await who.submit(save, { weeks: false });
      const late = await who.post(path, stale.fields);
      assert.equal(late.status, 422);
      assert.match(textOf(late, '[role="alert"]'), /changed in another tab/);

      await who.submitAt(path, save, { url: `${receiver.url}/b\0\t\r\n\u202eä` });
      const sent = [{ url: `${receiver.url}/b%00%E2%80%AE%C3%A4` }];
      assert.deepEqual(await rowsOf(databaseUrl, 'SELECT url FROM webhooks'), sent, 'kept as it is sent');
      const gone = await who.submitAt(path, remove);
      assert.match(textOf(gone, '#webhook ~ *, [role="status"]'), /Webhook deleted/);
      assert.deepEqual(await rowsOf(databaseUrl, 'SELECT * FROM webhook_deliveries'), []);
    });

  await t.test('staff see whose it is and how it goes, no path and no secret, and switch it off', async () => {
    await memberWithPassword(databaseUrl, 'sue', { role: 'staff' });
    const sue = await browserOf(url, 'sue');
    const made = await bob.submitAt(reminders, save, { url: `${receiver.url}/hidden-path` });
    const secret = textOf(made, '[data-secret]');
    await bob.submit(tryIt);
    receiver.say = [500];
    await deliver();
    const got = receiver.got.length;
    const path = '/authentication/staff/webhooks/';
    const page = await sue.open(path);
    assert.match(textOf(page, '[data-webhook]'), /^bob\S* ?http:\/\/\S+ ?The receiver answered 500\. 1 try so far/);
    assert.ok(textOf(page, '[data-webhook]').includes(receiver.url));
    for (const own of ['hidden-path', secret]) assert.ok(!page.text.includes(own), own);
    const last = page.document.querySelectorAll('[data-webhook]').at(-1)?.getAttribute('data-webhook');
    assert.equal((await sue.open(`${path}?after=${last}`)).path, path, 'after the last is no empty list');
    await sue.submit({ name: 'off' });
    assert.match(textOf(sue.page(), '[role="status"]'), /Webhook turned off/);
    await tamper(databaseUrl, 'UPDATE webhook_deliveries SET next_at = 0 WHERE next_at IS NOT NULL');
    await deliver();
    assert.equal(receiver.got.length, got, 'nothing waits any more');
    assert.match(textOf(await bob.open(reminders), '[data-kind="warn"]'), /An administrator turned this webhook off/);
    const refused = await bob.submit(tryIt);
    assert.equal(refused.status, 422);
    const kept = await bob.submitAt(reminders, remove);
    assert.equal(kept.status, 422, 'one that was made again would be on');
    assert.match(textOf(kept, '[data-kind="bad"]'), /An administrator turned this webhook off/);
    await planReminders(store, Date.now());
    const [line, ...others] = log(await bob.open(reminders));
    assert.deepEqual(others, [], 'nothing new is planned');
    assert.match(line ?? '', /Not sent: the webhook was off/);
    const going = await bob.open('/authentication/account/delete/');
    assert.match(textOf(going, '.goes'), /1 webhook with its log/);
    assert.match(textOf(going, 'main'), /Problems that you added stay for everyone\./);
    await sue.submitAt(path, { name: 'on' });
    await bob.submitAt(reminders, tryIt);
    await deliver();
    assert.equal(receiver.got.length, got + 1);
    const deeds = await rowsOf(databaseUrl, 'SELECT what FROM staff_log ORDER BY id');
    assert.deepEqual(deeds, [{ what: 'webhook-off' }, { what: 'webhook-on' }]);
    await bob.submitAt(reminders, remove);
  });

  await t.test('who is no coach can neither see nor change it', async () => {
    await ada.open(settings(group));
    const form = ada.filled(save, { url: `${receiver.url}/a` });
    for (const one of [bob, eve]) {
      assert.equal((await one.ask(settings(group))).status, 404);
      await one.open(reminders);
      const own = one.filled(save, { url: `${receiver.url}/a` });
      assert.equal((await one.post(settings(group), own.fields)).status, 404);
    }
    await ada.post(settings(group), form.fields);
    await store.write((tx) => deleteGroupMember(tx, group, ids.bob));
    assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM webhooks')).length, 1);
    await store.write((tx) => deleteGroupMember(tx, group, ids.ada));
    assert.deepEqual(await rowsOf(databaseUrl, 'SELECT id FROM webhooks'), []);
  });
});

test('a webhook of a group ends with the coach who saved it last, until another coach saves it', async (t) => {
  const { databaseUrl, store, ids, receiver, url, group, deliver } = await world(t);
  await tamper(
    databaseUrl,
    `UPDATE group_members SET role = 'coach' WHERE user_id = ${ids.bob}`,
    `UPDATE members SET role = 'staff' WHERE id = ${ids.eve}`,
  );
  const { ada, bob, eve } = await browsersOf(url, 'ada', 'bob', 'eve');
  const panel = async () => textOf(await ada.open(settings(group)), '[aria-labelledby=webhook]');
  await bob.submitAt(settings(group), save, { url: `${receiver.url}/a` });
  await bob.submitAt(settings(group), tryIt);
  const setRole = (role: string) => `UPDATE group_members SET role = '${role}' WHERE user_id = ${ids.bob}`;
  const setDisabled = (value: number) => `UPDATE members SET is_disabled = ${value} WHERE id = ${ids.bob}`;
  for (const [end, again] of [
    [setRole('member'), setRole('coach')],
    [setDisabled(1), setDisabled(0)],
  ] as const) {
    assert.doesNotMatch(await panel(), /no longer coaches/);
    await tamper(databaseUrl, end);
    assert.match(await panel(), /no longer coaches the group, so nothing is sent/);
    assert.match((await eve.open('/authentication/staff/webhooks/')).text, /Stopped: no coach has saved it/);
    await tamper(databaseUrl, 'UPDATE webhooks SET plans_at = 0');
    await planReminders(store, Date.parse('2099-01-05T12:00:00Z'));
    assert.equal((await rowsOf(databaseUrl, 'SELECT id FROM webhook_deliveries')).length, 1, 'plans nothing');
    const refused = await ada.submitAt(settings(group), tryIt);
    assert.match(textOf(refused, '[aria-labelledby=webhook]'), /save it again first/);
    await tamper(databaseUrl, again);
  }
  await tamper(databaseUrl, setRole('member'));
  await deliver();
  assert.deepEqual(receiver.got, [], 'nor is sent what waited');

  await ada.submitAt(settings(group), save);
  assert.doesNotMatch(await panel(), /no longer coaches/);
  await ada.submit(tryIt);
  await deliver();
  assert.equal(receiver.got.length, 1);

  await tamper(databaseUrl, setRole('coach'));
  await bob.submitAt(settings(group), save);
  await store.write((tx) => deleteMember(tx, ids.bob));
  assert.match(await panel(), /no longer coaches/, 'deleted');
});

async function share(who: Browser): Promise<string> {
  const page = await who.submitAt(reminders, { name: 'share', value: 'calendar' });
  return new URL(textOf(page, '[data-calendar]')).pathname;
}

test('the calendar of what is due, at an address that is gone at once', async (t) => {
  const { databaseUrl, url, other, due, group, list, ids, store } = await world(t, hostile);
  const { bob, eve } = await browsersOf(url, 'bob', 'eve');
  const path = await share(bob);
  const emptyPath = await share(eve);
  await store.write((tx) => setNote(tx, ids.bob, 1n, 'secret note'));
  const see = (at = url, headers: Record<string, string> = {}, what = path) => send(at, what, { headers });
  const seen = await see();
  assert.equal(seen.status, 200);
  assert.equal(seen.headers['content-type'], 'text/calendar; charset=utf-8');
  assert.equal(seen.headers['set-cookie'], undefined);
  assert.match(String(seen.headers['content-security-policy']), /sandbox/);
  const calendar = checkedCalendar(seen.text);
  assert.equal(calendar.getFirstPropertyValue('version'), '2.0');
  const events = calendar.getAllSubcomponents('vevent');
  assert.equal(events.length, 1, 'a title ends no event');
  const [event] = events;
  assert.ok(event);
  const summary = String(event.getFirstPropertyValue('summary'));
  assert.ok(summary.startsWith('Trees, II; \\ "x" END:VEVENT ü <script>alert(1)</script> ääää'), summary.slice(0, 80));
  assert.ok(summary.length <= 500);
  assert.equal(event.getFirstPropertyValue('dtstart')?.toString(), `${due.slice(0, 19)}Z`);
  assert.match(String(event.getFirstPropertyValue('description')), /^0 of 2 problems solved\.\n\d today · 2 left · /);
  assert.match(
    String(event.getFirstPropertyValue('url')),
    new RegExp(`/dashboard/groups/${group}/assignments/${list}/$`),
  );
  assert.equal(event.getFirstSubcomponent('valarm')?.getFirstPropertyValue('trigger')?.toString(), '-P1D');
  assert.doesNotMatch(seen.text, /secret note/);
  const etag = String(seen.headers.etag);
  assert.equal((await see(url, { 'If-None-Match': etag })).status, 304);
  assert.equal((await see(other.url, { 'If-None-Match': etag })).status, 304, 'another process agrees');
  assert.equal(checkedCalendar((await see(url, {}, emptyPath)).text).getAllSubcomponents('vevent').length, 0);

  await t.test('a moment that moves is the same event, and reviews are days with counts alone', async () => {
    const later = inDays(5);
    const movedAt = new Date(Date.parse(inDays(0)) + 60_000).toISOString();
    await store.write((tx) => putGroupList(tx, { group_id: group, list_id: list, due_at: later, given_at: movedAt }));
    const [moved] = checkedCalendar((await see(other.url)).text).getAllSubcomponents('vevent');
    assert.equal(moved?.getFirstPropertyValue('uid'), event.getFirstPropertyValue('uid'));
    assert.equal(moved?.getFirstPropertyValue('dtstart')?.toString(), `${later.slice(0, 19)}Z`);
    for (const name of ['sequence', 'dtstamp'])
      assert.ok(String(moved?.getFirstPropertyValue(name)) > String(event.getFirstPropertyValue(name)), name);
    const rule = steadyDays();
    await store.write((tx) => writeDayRule(tx, ids.bob, rule));
    const today = daysOf(rule).at(Date.now());
    await tamper(
      databaseUrl,
      ...[today - 7, today + 2, today + 2, today + 90].map(
        (day, n) =>
          `INSERT INTO review_cards (user_id, problem_id, begun_day, first_grade, due_day, turn) SELECT ${ids.bob}, ${n + 1}, ${day - 3}, 'good', ${day}, 1 WHERE ${n} < 3`,
      ),
    );
    await bob.submitAt(reminders, { name: 'calendar', value: 'save' }, { reviews: true });
    const days = checkedCalendar((await see()).text)
      .getAllSubcomponents('vevent')
      .map((one) => [one.getFirstPropertyValue('dtstart')?.toString(), one.getFirstPropertyValue('summary')]);
    const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
    assert.deepEqual(days.slice(1), [
      [dateOf(today), '1 review due'],
      [dateOf(today + 2), '2 reviews due'],
    ]);
  });

  await t.test('revoked, left, shut out: it shows nothing any more in any process', async () => {
    const never = await see(url, {}, `/dashboard/calendar/${'A'.repeat(32)}.ics`);
    await store.write((tx) => deleteGroupMember(tx, group, ids.bob));
    assert.ok(!(await see(other.url)).text.includes('Trees'));
    await bob.submitAt(reminders, { name: 'revoke', value: 'calendar' });
    for (const at of [url, other.url]) {
      const gone = await see(at);
      assert.equal(gone.status, 404);
      assert.equal(gone.text.replace(path, ''), never.text.replace(/\/dashboard[^"\\]*ics/, ''));
    }
    const page = await eve.submitAt('/authentication/account/sharing/', { name: 'share', value: 'garden' });
    const picture = new URL(textOf(page, '.copyable')).pathname;
    const secretIn = (of: string) => /([\w-]{32})\.\w+$/.exec(of)?.[1];
    assert.equal((await send(url, `/dashboard/calendar/${secretIn(picture)}.ics`)).status, 404);
    assert.equal((await send(url, `/plants/picture/${secretIn(emptyPath)}.svg`)).status, 404);
    await tamper(databaseUrl, `UPDATE members SET is_disabled = 1 WHERE id = ${ids.eve}`);
    assert.equal((await send(other.url, emptyPath)).status, 404);
  });
});

test('no archive contains a secret', async (t) => {
  const { url, receiver } = await world(t);
  const bob = await browserOf(url, 'bob');
  const path = await share(bob);
  const made = await bob.submitAt(reminders, save, { url: `${receiver.url}/private-hook` });
  const secret = textOf(made, '[data-secret]');
  const archive = await bob.ask('/authentication/account/data/archive/');
  assert.equal(archive.status, 200);
  const files = [...readZip(archive.bytes).values()].join('\n');
  for (const one of [secret, path.slice(-36, -4), 'private-hook'])
    assert.ok(!files.includes(one), 'nothing of it travels');
});

test('the pages of reminders look right', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, group, receiver, deliver } = await world(t, hostile.replace(/\u2028/, ' '));
  const ada = await browserOf(url, 'ada');
  const { page } = await openPage(chromium, url, { cookies: ada.cookies });
  const look = async (path: string) => {
    await page.goto(url + path);
    assert.deepEqual(await faultsOfLook(page), [], path);
  };
  await look(reminders);
  await share(ada);
  for (const path of [reminders, settings(group)]) {
    await ada.submitAt(path, save, { url: `${receiver.url}/${'long'.repeat(100)}` });
    receiver.say = [500];
    await ada.submit(tryIt);
    await deliver();
    await ada.submit(tryIt);
    await deliver();
    await look(path);
  }
});

test('an archived group sends nothing and takes nothing new, stays readable, and comes back', async (t) => {
  const { store, receiver, url, group, list, ids, deliver } = await world(t);
  const { ada, bob, eve } = await browsersOf(url, 'ada', 'bob', 'eve');
  const path = `/dashboard/groups/${group}/`;
  const calendar = await share(bob);
  const dues = async () => checkedCalendar((await bob.ask(calendar)).text).getAllSubcomponents('vevent').length;
  const today = async () => (await bob.open('/dashboard/')).text.includes('Trees II');
  await store.write((tx) => makeGroup(tx, ids.bob, { name: 'Zebras', zone: 'UTC' }));
  const linked = await ada.submitAt(settings(group), { name: 'uses' }, { uses: '3' });
  const link = new URL(textOf(linked, '[data-secret]')).pathname;
  await ada.submitAt(settings(group), save, { url: `${receiver.url}/a` });
  await ada.submitAt(settings(group), tryIt);
  assert.deepEqual([await dues(), await today()], [1, true]);
  await eve.open(link);
  const late = await browserOf(url, 'ada');
  await late.submitAt(`/dashboard/groups/${group}/season/new/`, { name: 'name' }, { name: 'Autumn' });
  await late.open(`${path}give/`);

  await ada.open(settings(group));
  assert.match(
    textOf(ada.page(), '[aria-labelledby=archive]'),
    /Not over yet: 0 rounds and 1 assignment not due yet\./,
  );
  const archived = await ada.submit({ name: 'archived', value: 'true' });
  assert.match(archived.text, /Group archived\..*can be read, sends nothing.*its join links are paused/s);
  for (const action of ['give/', 'pick/', 'settings/#links'])
    assert.equal(archived.document.querySelector(`main a[href$="${action}"]`), null, action);
  await deliver();
  assert.deepEqual([receiver.got.length, await dues(), await today()], [0, 0, false]);
  const listed = (await bob.open('/dashboard/groups/')).document.querySelectorAll('[data-group]');
  assert.equal(listed.at(-1)?.getAttribute('data-group'), String(group), 'below Zebras');
  assert.match(listed.at(-1)?.textContent ?? '', /Archived/);
  assert.equal((await bob.open(`${path}assignments/${list}/`)).status, 200);
  const refused = /This group is archived\. Ask a coach/;
  assert.match((await eve.submit({ within: 'main form' })).text, refused);
  assert.match((await eve.open(link)).text, refused);
  assert.match((await late.submit({ name: 'list' }, { list: String(list) })).text, refused);
  const changes = ['give/', 'pick/', 'season/new/', 'season/settings/', 'season/add/'];
  for (const end of [...changes, `assignments/${list}/settings/`])
    assert.equal((await ada.open(path + end)).path, path, end);
  const readable = ['', 'assignments/', 'rounds/', 'season/', 'people/', 'settings/', 'teams/'];
  for (const end of [...readable, `assignments/${list}/`]) {
    const forms = (await ada.open(path + end)).document.querySelectorAll('main form[method=post]');
    const names = forms.map((one) => one.querySelector('input:not([type=hidden]), button[name]')?.getAttribute('name'));
    assert.deepEqual(
      names.filter((name) => !['archived', 'leave', 'confirm'].includes(name ?? '')),
      [],
      end,
    );
    const offered = 'main :is(a[href*="settings/"]:not(.tabs a), a[href$="teams/"]:not(.crumbs a), a[href*="/new/"])';
    assert.equal(ada.page().document.querySelector(offered), null, end);
  }
  assert.equal((await bob.open(path)).document.querySelector('[name=archived]'), null);

  await ada.submitAt(path, { name: 'archived', value: 'false' });
  assert.match((await eve.submitAt(link, { within: 'main form' })).text, /You joined the group/);
  assert.deepEqual([await dues(), await today()], [1, true]);
});
