/**
 * Contests to come: the page with its two weeks by the member's clock, the judges that they show, the line on Today, the lists that
 * staff switch on, and the events of the secret calendar.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { writeDayRule } from '../../src/practice/preferences.ts';
import { makeSeason } from '../../src/practice/seasons.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { findContestsByKeys } from '../../src/store/contests.ts';
import { insertRound } from '../../src/store/rounds.ts';
import { openGarden } from '../importing/support.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { checkedCalendar } from '../support/calendars.ts';
import { rowsOf } from '../support/databases.ts';
import { attributeOf, csrfOf, textsOf } from '../support/elements.ts';
import { memberWithPassword, type Page, textOf } from '../support/forms.ts';
import { importRows } from '../support/garden.ts';
import { send } from '../support/http.ts';
import { browserOf, browsersOf, serveHere } from '../support/in-process.ts';
import { joinGroup } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { startReceiver } from '../support/receiver.ts';
import { dayMs as day, hourMs as hour, iso, usualSeason } from '../support/seasons.ts';

const upcoming = '/problem_list/contests/upcoming/';
const staffPath = '/authentication/staff/contests/';
const reminders = '/authentication/account/reminders/';

interface Contest {
  source: string;
  key: string;
  title: string;
  at: number;
  minutes?: number;
  url?: string;
}

async function world(t: TestContext) {
  const { databaseUrl, store } = await openGarden(t);
  const ada = await memberWithPassword(databaseUrl, 'ada');
  await memberWithPassword(databaseUrl, 'sue', { role: 'staff' });
  await importRows(databaseUrl, 'problems', ponds(3));
  await store.write((tx) => addHandle(tx, ada, 'codeforces', 'ada_cf'));
  const receiver = await startReceiver(t);
  const { url } = await serveHere(t, { databaseUrl, env: { PRIVATE_PLACES: receiver.url, SYNC: 'off' } });
  /** Sets the contests that this feed lists from now on. */
  const list = (feed: string, now: number, contests: readonly Contest[]) => {
    const listed = contests.map(({ at, minutes = 120, ...rest }) => {
      return { url: null, ...rest, starts_at: iso(at), duration_s: BigInt(minutes * 60) };
    });
    return saveListing(store, feed, { contests: listed, isComplete: true }, now);
  };
  return { databaseUrl, store, url, ada, receiver, list };
}

const slots = ({ document }: Page) =>
  document.querySelectorAll('[data-contest].slot-row').map((row) => {
    const texts = row.querySelectorAll('time, .slot-time > span, abbr, .slot-what > :last-child > *, .slot-in');
    return texts.map((one) => one.textContent.replace(/\s+/g, ' ').trim()).join(' | ');
  });

test('two weeks by the clock of the member, in the week in which clocks change', async (t) => {
  // Clocks in Berlin go back on Sunday, 25 October 2026.
  const now = Date.parse('2026-10-23T10:15:00Z');
  t.mock.timers.enable({ apis: ['Date'], now });
  const { url, store, ada, list } = await world(t);
  await store.write((tx) => writeDayRule(tx, ada, { zone: 'Europe/Berlin', startHour: 4 }));
  const at = (text: string) => Date.parse(text);
  const cf = 'https://codeforces.com/contests/1';
  await list('codeforces', now, [
    { source: 'codeforces', key: '1', title: 'Codeforces Round 1 (Div. 2)', at: at('2026-10-23T14:35:00Z'), url: cf },
    { source: 'codeforces', key: '2', title: 'Codeforces Round 2 (Div. 1 + Div. 2)', at: at('2026-10-26T14:35:00Z') },
    { source: 'codeforces', key: '3', title: 'Too far', at: at('2026-11-06T14:35:00Z') },
    { source: 'codeforces', key: '5', title: 'Running', at: now - hour },
  ]);
  const abc = { source: 'atcoder', key: 'abc1', title: 'AtCoder Beginner Contest 1' };
  await list('clist', now, [
    { source: 'leetcode', key: 'w', title: 'Weekly <b>', at: at('2026-10-25T02:30:00Z'), minutes: 90 },
    { ...abc, at: at('2026-10-26T15:00:00Z'), minutes: 100 },
    { source: 'leetcode', key: 'b', title: 'After', at: at('2026-10-26T16:35:00Z'), minutes: 30 },
    { source: 'club.example', key: 'x', title: 'Ten days', at: at('2026-10-24T08:00:00Z'), minutes: 14_400 },
  ]);
  const who = await browserOf(url, 'ada');
  const page = await who.open(upcoming);
  assert.equal(page.status, 200);
  assert.equal(textOf(page, '.next-contest .figure-side .figure'), '4 h 20 min');
  assert.match(textOf(page, '.next-contest .figure-side'), /Today 16:35–18:35/);
  assert.match(textOf(page, '.next-what'), /Codeforces Round 1 \(Div\. 2\).*2 ?h ?rated below 2100/s);
  assert.equal(attributeOf(page, '.next-contest .button', 'href'), cf);
  assert.deepEqual(slots(page), [
    '11:15–13:15 | 2 h | CF | Running | running',
    '16:35–18:35 | 2 h | CF | Codeforces Round 1 (Div. 2) | rated below 2100 | in 4 h 20 min',
    '10:00 | 10 days | Ten days | club.example | in 21 h 45 min',
    '03:30–05:00 | 1 h 30 min | LC | Weekly <b> | in 2 days',
    '15:35–17:35 | 2 h | CF | Codeforces Round 2 (Div. 1 + Div. 2) | rated for everyone | in 3 days',
    '16:00–17:40 | 1 h 40 min | AC | AtCoder Beginner Contest 1 | rated below 2000 | overlaps Codeforces Round 2 (Div. 1 + Div. 2) | in 3 days',
    '17:35–18:05 | 30 min | LC | After | overlaps AtCoder Beginner Contest 1 | in 3 days',
  ]);
  const heads = textsOf(page, '.agenda-day h3');
  assert.deepEqual(
    heads.map((one) =>
      one
        .split(/(?=\d)/)[0]
        ?.replace(/(Friday|Saturday) $/, '')
        .trim(),
    ),
    ['Today', 'Tomorrow', 'Sunday', 'Monday'],
  );
  assert.equal(attributeOf(page, '.two-weeks', 'aria-hidden'), 'true');
  assert.deepEqual(
    textsOf(page, '.two-weeks a title').map((one) => one.slice(0, 5)),
    ['11:15', '16:35', '03:30', '15:35', '16:00', '17:35'],
    'what lasts for days is in the list alone',
  );
  const next = textOf(await who.open('/dashboard/'), '.next-line');
  assert.equal(next, 'Next: CF Codeforces Round 1 (Div. 2) in 4 h 20 min');
});

test('a member chooses judges, and sees what was moved and cancelled', async (t) => {
  const { url, list, databaseUrl, store } = await world(t);
  const now = Date.now();
  const who = await browserOf(url, 'ada');
  const empty = await who.open(upcoming);
  assert.match(textOf(empty, '.empty'), /No upcoming contests known.*Link a Codeforces handle/s);
  const round = { source: 'codeforces', key: '1', title: 'Round 1', at: now + day };
  const weekly = { source: 'leetcode', key: 'w', title: 'Weekly', at: now + 2 * day };
  await list('clist', now, [round, weekly]);
  const hidden = await who.submitAt(upcoming, { name: 'hide', value: 'codeforces' });
  assert.deepEqual(slots(hidden).length, 1);
  assert.match(slots(hidden)[0] ?? '', /Weekly/);
  assert.doesNotMatch(textOf(await who.open('/dashboard/'), 'main'), /Next: /);
  const none = await who.submitAt(upcoming, { name: 'hide', value: 'leetcode' });
  assert.match(textOf(none, '.empty'), /from the judges you chose/);
  await store.write((tx) => tx.deleteFrom('upcoming_contests').execute());
  const unknown = await who.open(upcoming);
  assert.match(textOf(unknown, '.empty'), /^No upcoming contests known/, 'no judge that they turn on has one');
  await list('clist', now, [round, weekly]);
  await who.submit({ name: 'show', value: 'codeforces' });
  const settings = await rowsOf(databaseUrl, "SELECT value FROM member_settings WHERE name = 'hidden_contests'");
  assert.deepEqual(settings, [{ value: '["leetcode"]' }]);
  await list('clist', now, [{ ...weekly }]);
  const gone = await who.open(upcoming);
  assert.match(slots(gone)[0] ?? '', /Round 1 \| cancelled$/);
  assert.equal(gone.document.querySelector('.next-contest'), null, 'what is cancelled is not next');
  assert.match(textOf(gone, '#agenda, [aria-labelledby=agenda]'), /^Next two weeks0 contests/, 'nor counted');
  assert.match(textOf(gone, '.judge-switches'), /Codeforces0/);
});

const eventsIn = (text: string) =>
  checkedCalendar(text)
    .getAllSubcomponents('vevent')
    .map((one) => {
      const said = (name: string) => one.getFirstPropertyValue(name)?.toString() ?? '';
      const alarms = one.getAllSubcomponents('valarm').map((alarm) => String(alarm.getFirstPropertyValue('trigger')));
      const times = { start: said('dtstart'), end: said('dtend'), alarms };
      return {
        uid: said('uid'),
        summary: said('summary'),
        sequence: said('sequence'),
        status: said('status'),
        ...times,
      };
    });

test('the calendar has contests by choice, with the same events when they are moved or cancelled', async (t) => {
  const { url, list } = await world(t);
  const who = await browserOf(url, 'ada');
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const title = `Round; 1, \\ “x” ${'ä'.repeat(200)}\u202e`;
  const round = { source: 'codeforces', key: '1', title, at: now + day };
  // Nobody says how long it lasts.
  const weekly = { source: 'leetcode', key: 'w', title: 'Weekly', at: now + 2 * day, minutes: 0 };
  await list('clist', now, [round, weekly]);
  const made = await who.submitAt(upcoming, { name: 'share', value: 'calendar' });
  assert.equal(made.headers['cache-control'], 'no-store');
  const path = new URL(textOf(made, '[data-calendar]')).pathname;
  const read = async () => eventsIn((await send(url, path)).text);
  assert.deepEqual(await read(), [], 'nobody asked for them');
  await who.submit({ name: 'calendar', value: 'save' }, { contests: true, alarm: '30' });
  const [first, second, ...more] = await read();
  assert.equal(more.length, 0);
  const utc = (at: number) => iso(at).replace('.000', '');
  assert.deepEqual(
    [first?.start, first?.end, first?.alarms, first?.sequence],
    [utc(now + day), utc(now + day + 2 * hour), ['-PT30M'], '0'],
  );
  assert.match(first?.summary ?? '', /^Round; 1, \\ “x” ä+.* \(Codeforces\)$/);
  assert.deepEqual([second?.summary, second?.end], ['Weekly (LeetCode)', '']);
  await list('clist', now, [{ ...round, at: now + day + hour }]);
  const [moved, gone] = await read();
  assert.deepEqual([moved?.uid, moved?.sequence, moved?.start], [first?.uid, '1', utc(now + day + hour)]);
  assert.deepEqual([gone?.uid, gone?.sequence, gone?.status, gone?.alarms], [second?.uid, '1', 'CANCELLED', []]);
  await who.submitAt(upcoming, { name: 'hide', value: 'codeforces' });
  assert.equal((await read()).map(({ uid }) => uid).join(), second?.uid, 'what the page hides');
  const page = await who.open(reminders);
  assert.equal(attributeOf(page, '[name=alarm] option[selected]', 'value'), '30');
  await who.submit({ name: 'calendar', value: 'save' }, { contests: false });
  assert.deepEqual(await read(), []);
});

test('staff switch lists on and off, with a key that is never shown, and add calendars', async (t) => {
  const { url, databaseUrl, receiver } = await world(t);
  const { sue, ada } = await browsersOf(url, 'sue', 'ada');
  assert.equal((await ada.ask(staffPath)).status, 404);
  assert.match(textOf(await sue.open(staffPath), '[data-feed=codeforces]'), /Included with sync/);
  const feeds = async () =>
    (await rowsOf(databaseUrl, "SELECT name FROM settings WHERE name LIKE 'contest_feed_%'")).map(({ name }) =>
      String(name).replace('contest_feed_', ''),
    );
  assert.deepEqual(await feeds(), [], 'none is on at first');
  await sue.submit({ name: 'on', value: 'leetcode' });
  assert.match(textOf(sue.page(), '[data-feed=leetcode]'), /Sync is turned off on this server/);
  const clist = { within: '[data-feed=clist] .form' };
  for (const wrong of ['', 'x', 'ada:short', 'ada:0123456789abcdef; x']) {
    const refused = await sue.submitAt(staffPath, clist, { key: wrong });
    assert.equal(refused.status, 422, wrong);
    assert.match(textOf(refused, '#key-fault'), /a colon and the key/);
  }
  const saved = await sue.submitAt(staffPath, clist, { key: 'ada:0123456789abcdef' });
  assert.ok(!saved.text.includes('0123456789abcdef" value') && !/value="ada:/.test(saved.text), 'not shown');
  const form = { within: '#calendars ~ .form, [aria-labelledby=calendars] .form' };
  for (const [title, address, fault] of [
    ['', 'https://club.example/a.ics', '#title-fault'],
    ['Club', 'javascript:alert(1)', '#address-fault'],
    ['Club', 'https://a:b@club.example/', '#address-fault'],
    ['Club', 'http://127.0.0.1/x.ics', '#address-fault'],
    ['Club', 'webcal://localhost/x.ics', '#address-fault'],
    ['Club', `https://club.example/${'x'.repeat(600)}`, '#address-fault'],
  ] as const) {
    const refused = await sue.submitAt(staffPath, form, { title, address });
    assert.equal(refused.status, 422, address);
    assert.ok(textOf(refused, fault), address);
  }
  for (let n = 1; n <= 10; n++)
    await sue.submitAt(staffPath, form, { title: `Club ${n}`, address: `${receiver.url}/${n}.ics` });
  assert.equal((await feeds()).filter((one) => one.startsWith('calendar-')).length, 10);
  const full = await sue.open(staffPath);
  assert.equal(full.document.querySelector('[name=address]'), null, 'no more than ten');
  await sue.submit({ name: 'off', value: 'calendar-3' });
  await sue.submit({ name: 'off', value: 'clist' });
  assert.doesNotMatch((await feeds()).join(' '), /clist|calendar-3\b/);
  const deeds = new Set((await rowsOf(databaseUrl, 'SELECT what FROM staff_log')).map((row) => row['what']));
  assert.deepEqual([...deeds].toSorted(), ['contest-feed-off', 'contest-feed-on']);
});

test('the pages of contests to come look right', async (t) => {
  const chromium = await openBrowser(t);
  if (!chromium) return;
  const { url, list } = await world(t);
  const now = Date.now();
  const long = 'Contest of the very long name that nobody would ever print on one line '.repeat(3);
  const all = Array.from({ length: 30 }, (_, n) => ({
    source: ['codeforces', 'atcoder', `host-${n}.example.org`][n % 3] as string,
    key: String(n),
    title: n % 4 ? `Round ${n}` : `${long}${'x'.repeat(80)}`,
    at: now + (n - 1) * 9 * hour,
  }));
  await list('clist', now, all);
  await list('clist', now, all.slice(1));
  const ada = await browserOf(url, 'ada');
  const { page, look } = await openPage(chromium, url, { cookies: ada.cookies });
  await page.goto(url + upcoming);
  await look();
  await ada.submitAt(upcoming, { name: 'share', value: 'calendar' });
  await page.goto(url + upcoming);
  await look();
});

test('a coach puts contests to come and rounds into a season; members read that they are in it', async (t) => {
  const { url, store, ada, list, databaseUrl } = await world(t);
  const bob = await memberWithPassword(databaseUrl, 'bob');
  const now = Date.now();
  const round = { source: 'codeforces', key: '901', title: 'Codeforces Round 901 (Div. 2)', at: now + 2 * day };
  await list('codeforces', now, [round]);
  await list('clist', now, [
    { source: 'leetcode', key: 'w', title: 'Weekly 9', at: now + 3 * day },
    { source: 'codechef', key: 'START1', title: 'Starters 1', at: now + 4 * day },
  ]);
  const group = await store.write(async (tx) => {
    const id = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
    await joinGroup(tx, id, bob, { in_season: 1n });
    const whose = { made_by: ada, group_id: id, secret: null, is_shown: 0n, updated_at: iso(now) };
    const times = { starts_at: iso(round.at + hour), ends_at: iso(round.at + 3 * hour), freeze_minutes: 0n };
    await insertRound(tx, { ...whose, ...times, name: 'Club round 7', rule: 'icpc' });
    return id;
  });
  const [coach, member] = [await browserOf(url, 'ada'), await browserOf(url, 'bob')];
  assert.equal((await coach.open(upcoming)).document.querySelector('.slot-season'), null, 'there is no season');
  const days = { first_day: iso(now - day).slice(0, 10), last_day: iso(now + 30 * day).slice(0, 10) };
  await makeSeason(store, { groupId: group, coachId: ada }, { ...usualSeason, ...days });
  const buttons = ({ document }: Page) =>
    document.querySelectorAll('.slot-row').map((row) => textOf({ document: row }, '.slot-season'));
  const page = await coach.open(upcoming);
  const titles = ['Codeforces Round 901 (Div. 2)', 'Club round 7', 'Weekly 9'];
  const offered = [...titles.map((title) => `Add to season ${title}`), ''];
  assert.deepEqual(buttons(page), offered, 'nobody tells the problems of CodeChef');
  assert.match(textOf(page, '[data-contest="codeforces 901"]'), /overlaps Club round 7/);
  assert.match(textOf(await member.open(upcoming), '#r1'), /Club round 7.*Club, you can join/);
  const after = await coach.submitAt(upcoming, { name: 'in' });
  assert.match(textOf(after, '[data-contest="codeforces 901"]'), /In season/);
  await coach.submit({ name: 'in' });
  assert.deepEqual(buttons(await member.open(upcoming)), ['In season', 'In season', '', '']);
  assert.equal((await member.open(upcoming)).document.querySelectorAll('.two-weeks .own').length, 2);
  const rows = await store.reader.selectFrom('contests').selectAll().where('key', '=', '901').execute();
  assert.deepEqual(
    rows.map(({ source, title, starts_at }) => [source, title, starts_at]),
    [['codeforces', round.title, iso(round.at)]],
  );
  assert.match(textOf(await coach.open(`/dashboard/groups/${group}/season/add/`), '#held, main'), /Round 901/);
  await coach.submitAt(upcoming, { name: 'out' });
  assert.equal((await store.reader.selectFrom('season_contests').selectAll().execute()).length, 1);
  const _csrf = csrfOf(await member.open(upcoming));
  assert.equal((await member.post(upcoming, { _csrf, in: `round 1 ${group}` })).status, 404, 'he is no coach');
  await list('codeforces', now, [{ ...round, at: round.at + hour }]);
  const [held] = await findContestsByKeys(store.reader, 'codeforces', ['901']);
  assert.equal(held?.starts_at, iso(round.at + hour), 'the contest of the season is moved too');
});
