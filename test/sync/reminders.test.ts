/**
 * Reminders: each occasion makes one message, by the clocks of the group or the member, signed, tried again where the receiver
 * fails, sent by one process of all, and never into one's own network. It names nobody who did not choose to be named.
 */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { planReminders, runReminders } from '../../src/jobs/reminders.ts';
import { isWebhookAddress, sendReminders } from '../../src/jobs/webhooks.ts';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setNote } from '../../src/practice/marks.ts';
import { createMember } from '../../src/practice/members.ts';
import { setWeekStart, writeDayRule } from '../../src/practice/preferences.ts';
import { nextQuarterHour, occasionsAt } from '../../src/practice/reminders.ts';
import { sendTest } from '../../src/practice/webhooks.ts';
import { upsertFirstSolves } from '../../src/store/activity.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { deleteGroup, insertGroupMember } from '../../src/store/groups.ts';
import { deleteMember } from '../../src/store/members.ts';
import { openStore } from '../../src/store/open.ts';
import { insertReviews } from '../../src/store/reviews.ts';
import { freshSync, saveSync } from '../../src/store/syncs.ts';
import { findWebhookOf, insertWebhook, type WebhookOwner } from '../../src/store/webhooks.ts';
import { read } from '../house/support.ts';
import { onceOnly, rowsOf, tamper } from '../support/databases.ts';
import { importRows, serve, temporaryDatabase } from '../support/garden.ts';
import { longAgo } from '../support/members.ts';
import { ponds } from '../support/ponds.ts';
import { opened, type Say, startReceiver } from '../support/receiver.ts';
import { until } from '../support/waiting.ts';

const minuteMs = 60_000;
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const monday = '2026-11-23';
const baseUrl = 'https://garden.test';

async function world(t: TestContext) {
  const databaseUrl = await temporaryDatabase(t);
  const store = await openStore(databaseUrl, { create: true, lockTimeoutMs: 5_000 });
  t.after(() => store.close());
  const names = ['ada', 'bob', 'cy', 'dan', 'eve', 'fay'] as const;
  const ids = {} as Record<(typeof names)[number], bigint>;
  for (const name of names) ids[name] = (await store.write((tx) => createMember(tx, { username: name }))).id;
  await importRows(databaseUrl, 'problems', ponds(40));
  const made = await store.write(async (tx) => {
    const group = await makeGroup(tx, ids.ada, { name: 'Wednesday club', zone: 'Asia/Kolkata' });
    for (const name of names.slice(1)) {
      const row = { group_id: group, user_id: ids[name], role: 'member', joined_at: longAgo } as const;
      await insertGroupMember(tx, { ...row, on_board: name === 'bob' ? 1n : 0n });
    }
    const items = [1n, 2n].map((problem) => ({ problem }));
    const list = await makeList(tx, { ownerId: ids.ada, name: 'Trees II', content: [{ name: '', items }] });
    return { group, list };
  });
  const receiver = await startReceiver(t);
  const sending = { language: 'en', baseUrl, privateOrigins: new Set([receiver.url]), answerMs: 60_000 } as const;
  const hook = (owner: WebhookOwner, sends_weeks = 1n, path = '/hooks?a=b') =>
    store.write((tx) =>
      insertWebhook(tx, {
        group_id: null,
        user_id: null,
        url: receiver.url + path,
        secret,
        sends_weeks,
        sends_dues: 1n,
        sends_contests: 0n,
        made_at: longAgo,
        plans_at: 0n,
        made_by: ids.ada,
        ...owner,
      }),
    );
  const at = async (moment: string | number, answerMs: number = sending.answerMs) => {
    const now = typeof moment === 'number' ? moment : Date.parse(moment);
    await planReminders(store, now);
    await sendReminders(store, { ...sending, answerMs }, now);
  };
  let solved = 3n;
  const practised = (user_id: bigint, date: string, first_solves: bigint) =>
    store.write(async (tx) => {
      const at = `${date}T12:00:00.000Z`;
      for (let n = 0n; n < first_solves; n++)
        await upsertFirstSolves(tx, [{ user_id, problem_id: ++solved, at, tries: 0n }]);
      const review = { user_id, problem_id: solved, grade: 'good', made_at: at, undone_at: null } as const;
      await insertReviews(tx, [review, review]);
    });
  const give = (due_at: string) =>
    store.write((tx) => putGroupList(tx, { group_id: made.group, list_id: made.list, due_at, given_at: longAgo }));
  /** One more, so that five besides the coach are not on the board. */
  const addGus = () =>
    store.write(async (tx) => {
      const { id: user_id } = await createMember(tx, { username: 'gus' });
      const row = { group_id: made.group, user_id, joined_at: longAgo } as const;
      await insertGroupMember(tx, { ...row, role: 'member', on_board: 0n });
    });
  const solve = (user_id: bigint, problem_id: bigint) =>
    store.write((tx) =>
      tx
        .insertInto('statuses')
        .values({
          user_id,
          problem_id,
          self_status: 'complete',
          self_at: longAgo,
          judge_status: null,
          judge_at: null,
          earlier_status: null,
          earlier_at: null,
          how: null,
        })
        .execute(),
    );
  const log = () =>
    rowsOf(databaseUrl, 'SELECT occasion, state, tries, answer, next_at FROM webhook_deliveries ORDER BY id');
  const messages = () => receiver.got.map((one) => opened(one, secret));
  return {
    databaseUrl,
    store,
    ids,
    ...made,
    receiver,
    sending,
    hook,
    addGus,
    at,
    practised,
    give,
    solve,
    log,
    messages,
  };
}

test('the week of a group comes on Monday at nine by its clocks, once, and names only who is on the board', async (t) => {
  const { store, ids, group, hook, addGus, at, practised, give, messages, receiver } = await world(t);
  await addGus();
  await hook({ group_id: group });
  await practised(ids.bob, '2026-11-16', 2n);
  await practised(ids.bob, '2026-11-22', 3n);
  await practised(ids.cy, '2026-11-20', 9n);
  await practised(ids.dan, '2026-11-15', 4n);
  await store.write((tx) => setNote(tx, ids.bob, 1n, 'secret note'));
  await give('2026-11-27T14:30:00.000Z');
  await at(`${monday}T03:29:00.000Z`);
  assert.equal(receiver.got.length, 0);
  for (const time of ['03:30', '03:31', '03:45', '09:00']) await at(`${monday}T${time}:00.000Z`);
  await at('2026-11-24T03:30:00.000Z');
  const [message, ...more] = messages();
  assert.deepEqual(more, []);
  assert.equal(
    message?.text,
    `Wednesday club, week of 16 November: 2 people practised. New problems solved, by people on the leaderboard: bob 5. Due in the next 7 days: Trees II (Friday 27 November at 20:00). ${baseUrl}/dashboard/groups/${group}/`,
  );
  assert.equal(message?.content, message?.text);
  const { body, headers } = receiver.got[0] ?? assert.fail();
  assert.doesNotMatch(body, /\bcy\b|\bdan\b|\bada\b|secret note/);
  assert.equal(headers['webhook-timestamp'], String(Date.parse(`${monday}T03:30:00.000Z`) / 1000));
});

/** With offsets of parts of an hour, and clocks that change by half an hour, at midnight, or against the seasons. */
const oddZones = [
  ...['Africa/Cairo', 'Africa/Casablanca', 'America/Havana', 'America/St_Johns', 'Asia/Beirut', 'Asia/Kathmandu'],
  ...['Australia/Lord_Howe', 'Europe/Dublin', 'Pacific/Chatham', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'],
];

test('at every moment, in any zone, a group is told what a calendar and a clock on its wall say', {
  skip: onceOnly,
}, async (t) => {
  const { store, group, list, hook, give } = await world(t);
  await hook({ group_id: group });
  const webhook = (await findWebhookOf(store.reader, { group_id: group })) ?? assert.fail();
  const time = fc.oneof(fc.constantFrom(0, 8 * 60 + 59, 9 * 60, 23 * 60 + 59), fc.nat(24 * 60 - 1));
  const zones = fc.constantFrom(...oddZones);
  const plans = fc.tuple(zones, fc.nat(700), time, fc.integer({ min: -1, max: 3 }), time, fc.nat(5), fc.boolean());
  await fc.assert(
    fc.asyncProperty(plans, async ([zone, day, minute, dueDays, dueMinute, madeDays, isAtMidnight]) => {
      const on = (date: Temporal.PlainDate, minutes: number) =>
        date.toZonedDateTime({
          timeZone: zone,
          plainTime: new Temporal.PlainTime(Math.floor(minutes / 60), minutes % 60),
        });
      const now = on(new Temporal.PlainDate(2026, 1, 1).add({ days: day }), minute);
      const due = on(now.toPlainDate().add({ days: dueDays }), dueMinute);
      const made = now.toPlainDate().subtract({ days: madeDays }).toZonedDateTime(zone).epochMilliseconds;
      const made_at = new Date(made - (isAtMidnight ? 0 : 1)).toISOString();
      const dueAt = new Date(due.epochMilliseconds).toISOString();
      await store.write((tx) => tx.updateTable('groups').set({ zone }).where('id', '=', group).execute());
      await give(dueAt);

      const expected: string[] = [];
      const isMorning = now.hour >= 9;
      const morning = now.toPlainDate().subtract({ days: isMorning ? 0 : 1 });
      const week = morning.subtract({ days: morning.dayOfWeek - 1 });
      if (morning.dayOfWeek <= 3 && Date.parse(made_at) < week.toZonedDateTime(zone).epochMilliseconds)
        expected.push(`week ${week.subtract({ days: 7 })}`);
      if (isMorning && due.toPlainDate().equals(now.toPlainDate().add({ days: 1 })))
        expected.push(`due ${group} ${list} ${dueAt}`);
      assert.deepEqual(await occasionsAt(store.reader, { ...webhook, made_at }, now.epochMilliseconds), expected);
      // Mornings and midnights are looked at as soon as they come.
      const next = Number(nextQuarterHour(now.epochMilliseconds)) - now.epochMilliseconds;
      assert.ok(next > 0 && next <= 15 * minuteMs && (now.minute + next / minuteMs) % 15 === 0);
    }),
    { numRuns: 200, endOnFailure: true },
  );
});

test('what is due tomorrow is said once a moment: to the group with figures, to a member while it is not done', async (t) => {
  const { databaseUrl, store, ids, group, list, hook, sending, at, give, solve, messages, log } = await world(t);
  await hook({ group_id: group }, 0n);
  await hook({ user_id: ids.bob }, 0n);
  await hook({ user_id: ids.cy }, 0n);
  await store.write((tx) => writeDayRule(tx, ids.bob, { zone: 'America/Los_Angeles', startHour: 4 }));
  await solve(ids.cy, 1n);
  await solve(ids.cy, 2n);
  await solve(ids.bob, 1n);
  // Thursday in Kolkata and UTC, and still Wednesday evening in Los Angeles.
  await give('2026-11-26T02:00:00.000Z');
  for (const time of ['24T17:00', '24T18:00', '25T03:29', '25T03:31', '25T09:00', '25T16:59'])
    await at(`2026-11-${time}:00.000Z`);
  assert.deepEqual(
    messages().map(({ type, text }) => [type, text.replace(/ https:.*/, '')]),
    [
      ['member.due', 'Trees II (Wednesday club) is due Wednesday 25 November at 18:00: you have solved 1 of 2.'],
      [
        'group.due',
        'Wednesday club: Trees II is due Thursday 26 November at 07:30. 1 of 5 members have solved all problems.',
      ],
    ],
  );
  await give('2026-11-28T12:00:00.000Z');
  await planReminders(store, Date.parse('2026-11-27T04:00:00.000Z'));
  await store.write((tx) => tx.deleteFrom('group_lists').where('list_id', '=', list).execute());
  await at('2026-11-27T04:00:10.000Z');
  assert.equal(messages().length, 2);
  assert.deepEqual(
    (await log()).map(({ state }) => state),
    ['sent', 'sent', 'spared'],
  );
  await give('2026-11-28T12:00:00.000Z');
  await tamper(databaseUrl, "UPDATE webhook_deliveries SET state = 'waiting', next_at = 0 WHERE state = 'spared'");
  await tamper(databaseUrl, 'UPDATE webhooks SET sends_weeks = 1, sends_dues = 0');
  await sendReminders(store, sending, Date.parse('2026-11-27T04:30:00.000Z'));
  assert.equal(messages().length, 2);
  assert.equal((await log()).at(-1)?.['state'], 'spared');
  await sendTest(store, { group_id: group }, ids.ada, Date.parse('2026-11-27T05:00:00.000Z'));
  await store.write((tx) => deleteMember(tx, ids.ada));
  await at('2026-11-27T05:00:00.000Z');
  assert.deepEqual([(await log()).at(-1)?.['state'], (await log()).at(-1)?.['answer']], ['spared', 'off']);
});

test('the week of a member is their own, by their days and clocks', async (t) => {
  const { store, ids, hook, at, practised, messages } = await world(t);
  await store.write((tx) => writeDayRule(tx, ids.bob, { zone: 'America/New_York', startHour: 4 }));
  await hook({ user_id: ids.bob });
  await practised(ids.bob, '2026-11-17', 2n);
  await practised(ids.bob, '2026-11-18', 1n);
  await at(`${monday}T13:59:00.000Z`);
  assert.equal(messages().length, 0);
  await at('2026-11-25T15:00:00.000Z');
  assert.match(
    messages()[0]?.text ?? '',
    /^Your week of 16 November: 3 new problems solved \(goal: 10\), 4 reviews, on 2 days\. https/,
  );
  await at('2026-11-30T14:30:00.000Z');
  assert.equal(messages().length, 1);
  await store.write((tx) => setWeekStart(tx, ids.bob, 'sunday'));
  await practised(ids.bob, '2026-12-05', 1n);
  await at('2026-12-06T13:59:00.000Z');
  assert.equal(messages().length, 1);
  await at('2026-12-06T14:01:00.000Z');
  assert.deepEqual(messages()[1]?.data['week'], { from: '2026-11-29', to: '2026-12-05' });
  await practised(ids.bob, '2026-12-07', 1n);
  await store.write((tx) => tx.updateTable('members').set({ is_disabled: 1n }).where('id', '=', ids.bob).execute());
  await at('2026-12-13T15:00:00.000Z');
  assert.equal(messages().length, 2, 'a member who is shut out gets nothing');
});

test('a week of which submissions may be missing says so, with the day up to which they are here', async (t) => {
  const { store, ids, group, hook, addGus, at, practised, messages } = await world(t);
  await addGus();
  await hook({ group_id: group });
  await hook({ user_id: ids.bob });
  await practised(ids.bob, '2026-11-18', 1n);
  const synced = async (user_id: bigint, source: string, good_at: string, imported_at: string | null = null) =>
    store.write(async (tx) => {
      const { id } = await addHandle(tx, user_id, source, `name${user_id}`);
      await tx.updateTable('handles').set({ imported_at }).where('id', '=', id).execute();
      await saveSync(tx, { ...freshSync({ source, task: 'submissions', handle_id: id }), good_at });
    });
  await synced(ids.bob, 'codeforces', '2026-11-19T12:00:00.000Z');
  await synced(ids.cy, 'codeforces', '2026-11-18T12:00:00.000Z');
  await synced(ids.dan, 'codeforces', '2026-01-01T12:00:00.000Z', '2026-11-22T12:00:00.000Z');
  await synced(ids.bob, 'dmoj', '2026-11-22T12:00:00.000Z');
  await synced(ids.cy, 'atcoder', '2026-11-23T02:00:00.000Z');
  await store.write((tx) =>
    saveSync(tx, {
      ...freshSync({ source: 'atcoder', task: 'age', handle_id: null }),
      good_at: '2026-11-23T02:00:00.000Z',
      judge_at: '2026-11-20T02:00:00.000Z',
    }),
  );
  await at(`${monday}T10:00:00.000Z`);
  const [ofGroup, ofBob] = messages().toSorted((a, b) => (a.type < b.type ? -1 : 1));
  assert.match(
    ofGroup?.text ?? '',
    /missing since 20 November\. Submissions from Codeforces may be missing since 18 November\./,
  );
  assert.deepEqual(ofGroup?.data['stale'], [
    { judge: 'AtCoder', since: '2026-11-20T02:00:00.000Z' },
    { judge: 'Codeforces', since: '2026-11-18T12:00:00.000Z' },
  ]);
  assert.match(ofBob?.text ?? '', / Submissions from Codeforces may be missing since 19 November\. http/);
  assert.deepEqual(ofBob?.data['stale'], [{ judge: 'Codeforces', since: '2026-11-19T12:00:00.000Z' }]);
});

test('ntfy takes the text of a message by the address of the recipe', async (t) => {
  const { group, ids, hook, addGus, at, practised, receiver, log } = await world(t);
  await addGus();
  const [, query = ''] = /^https:\/\/ntfy\.sh\/TOPIC(\S+)$/m.exec(read('docs/recipes.md')) ?? [];
  assert.ok(isWebhookAddress(`https://ntfy.sh/TOPIC${query}`, new Set()));
  await hook({ group_id: group }, 1n, `/garden-7d1f${query}`);
  await practised(ids.bob, '2026-11-22', 3n);
  // The page docs.ntfy.sh says under Message templating: a JSON body fills the templates of the title and the message.
  receiver.say.push((response) => {
    const { path, body } = receiver.got[0] ?? assert.fail();
    const asked = new URL(path, receiver.url);
    const fields = JSON.parse(body) as Record<string, unknown>;
    const fill = (name: string) =>
      asked.searchParams.get(name)?.replaceAll(/\{\{\.(\w+)\}\}/g, (_, field) => String(fields[field]));
    const shown = { event: 'message', topic: asked.pathname.slice(1), title: fill('t'), message: fill('m') };
    response.writeHead(asked.searchParams.get('tpl') === '1' ? 200 : 400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(shown));
    assert.deepEqual([shown.topic, shown.title], ['garden-7d1f', 'Practice Garden']);
    assert.match(String(shown.message), /^Wednesday club, week of .+ bob 3\./);
  });
  await at(`${monday}T05:00:00.000Z`);
  assert.equal((await log())[0]?.['answer'], '200');
});

test('what fails is tried again, more and more rarely, with the same id, until it is given up', async (t) => {
  const { store, ids, hook, receiver, sending, at, log, messages } = await world(t);
  const owner = { user_id: ids.bob };
  await hook(owner, 0n);
  let now = Date.parse('2026-11-26T01:00:00.000Z');
  const begin = () => store.write((tx) => sendTest(tx, owner, ids.bob, now));
  const elsewhere = await startReceiver(t);
  const redirect: Say = (response) => response.writeHead(307, { Location: elsewhere.url }).end();
  const hangs: Say = () => {};
  const breaksOff: Say = (response) => response.destroy();
  receiver.say = [500, redirect, hangs, breaksOff, 404, 204];
  await begin();
  const seen: unknown[] = [];
  const luck = t.mock.method(Math, 'random', () => 1);
  for (const minutes of [1, 5, 30, 120, 480, undefined]) {
    // Only a receiver that hangs is to be given up early, on a busy machine too.
    await at(now, receiver.say[0] === hangs ? 200 : undefined);
    const [row] = await log();
    seen.push([row?.['state'], row?.['answer']]);
    if (minutes === undefined) break;
    assert.equal(Number(row?.['next_at']) - now, 1.25 * minutes * minuteMs, 'up to a quarter later');
    const before = receiver.got.length;
    await at(Number(row?.['next_at']) - 1);
    assert.equal(receiver.got.length, before, 'not before its turn');
    now = Number(row?.['next_at']);
  }
  assert.deepEqual(seen, [
    ['waiting', '500'],
    ['waiting', 'redirect'],
    ['waiting', 'timeout'],
    ['waiting', 'unreachable'],
    ['waiting', '404'],
    ['sent', '204'],
  ]);
  assert.equal(elsewhere.got.length, 0, 'a redirect is not followed');
  assert.equal(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.equal(messages().length, 6, 'each try is signed');

  receiver.got.length = 0;
  receiver.say = Array(20).fill(503);
  await begin();
  for (let tries = 0; tries < 8; tries += 1) {
    now += 24 * 60 * minuteMs;
    await at(now);
  }
  const given = (await log()).at(-1);
  assert.deepEqual([given?.['state'], Number(given?.['tries']), given?.['next_at']], ['failed', 6, null]);
  assert.equal(receiver.got.length, 6);
  luck.mock.restore();

  // Servers were killed in all of its tries.
  await store.write((tx) => tx.updateTable('webhook_deliveries').set({ state: 'waiting', next_at: 0n }).execute());
  await at(now);
  const interrupted = (await log()).at(-1);
  assert.deepEqual([interrupted?.['state'], interrupted?.['answer']], ['failed', 'interrupted']);
  assert.equal(receiver.got.length, 6);

  receiver.say = [410];
  await begin();
  await at(now);
  assert.equal((await log()).at(-1)?.['state'], 'failed', '410 ends it at once');

  for (const url of [
    receiver.url.replace('127.0.0.1', 'localhost'),
    receiver.url.replace('http:', 'https:'),
    receiver.url.replace('http://127.0.0.1', 'https://localhost'),
    'https://[::1]/',
    'https://2130706433/',
    'https://no-such-host.invalid/',
    `https://${hostname()}/`,
  ])
    assert.equal(isWebhookAddress(url, sending.privateOrigins), /no-such/.test(url) || url.includes(hostname()), url);
  const before = receiver.got.length;
  for (const [url, answer] of [
    [receiver.url.replace('127.0.0.1', 'localhost'), 'not-https'],
    [receiver.url.replace('http://127.0.0.1', 'https://localhost'), 'private'],
    ['https://127.0.0.1/', 'private'],
    ['https://0x7f000001/', 'private'],
    ['https://[::ffff:127.0.0.1]/', 'private'],
    [`https://${hostname()}/`, 'unknown-host'],
    ['https://no-such-host.invalid/', 'unknown-host'],
  ] as const) {
    await store.write((tx) => tx.updateTable('webhooks').set({ url }).execute());
    await begin();
    await at(now);
    assert.equal((await log()).at(-1)?.['answer'], answer, url);
  }
  assert.equal(receiver.got.length, before, 'nothing was sent inside');
});

test('of several processes one sends, and each message once', async (t) => {
  const { databaseUrl, store, ids, hook, receiver, sending, log } = await world(t);
  const owner = { user_id: ids.bob };
  // These loops go by the clock of the machine, and on a Monday a week would have its message too.
  await hook(owner, 0n);
  for (let n = 0; n < 5; n += 1) await store.write((tx) => sendTest(tx, owner, ids.bob));
  const other = await openStore(databaseUrl, { create: false, lockTimeoutMs: 5_000 });
  const stopping = new AbortController();
  t.after(() => stopping.abort());
  const lead = { signal: stopping.signal, log: () => {}, pollMs: 10 };
  const loops = [store, other, store].map((one, n) =>
    runReminders(one, { ...sending, ...lead, holder: `process ${n}` }),
  );
  await Promise.all([store, other].map((one) => sendReminders(one, sending, Date.now())));
  await until('all are sent', async () => (await log()).every(({ state }) => state === 'sent'));
  stopping.abort();
  await Promise.all(loops);
  await sendReminders(other, sending, Date.now());
  await other.close();
  assert.equal(receiver.got.length, 5);
  assert.equal(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size, 5);
});

test('a process that was held up for long changes nothing that another has done since', async (t) => {
  const { store, ids, hook, receiver, sending, at, log } = await world(t);
  const owner = { user_id: ids.bob };
  await hook(owner);
  const now = Date.parse('2026-11-26T01:00:00.000Z');
  await store.write((tx) => sendTest(tx, owner, ids.bob, now));
  let release = () => {};
  receiver.say = [(response) => (release = () => response.writeHead(500).end()), 204];
  const heldUp = sendReminders(store, { ...sending, answerMs: 120_000 }, now);
  await until('it came', () => receiver.got.length === 1);
  await at(now + 2 * minuteMs);
  assert.equal(receiver.got.length, 2);
  release();
  await heldUp;
  const [row] = await log();
  assert.deepEqual([row?.['state'], row?.['answer'], Number(row?.['tries'])], ['sent', '204', 2]);
});

test('the log goes back 60 days, also where there is nothing to say any more', async (t) => {
  const { databaseUrl, store, ids, hook, log } = await world(t);
  const owner = { user_id: ids.bob };
  await hook(owner, 0n);
  const now = Date.parse('2026-11-26T01:00:00.000Z');
  for (const days of [90, 61, 59])
    await store.write((tx) => sendTest(tx, owner, ids.bob, now - days * 24 * 60 * minuteMs));
  await tamper(
    databaseUrl,
    "UPDATE webhook_deliveries SET state = 'sent', next_at = NULL WHERE id <> (SELECT min(id) FROM webhook_deliveries)",
  );
  await planReminders(store, now);
  assert.deepEqual(
    (await log()).map(({ state }) => state),
    ['waiting', 'sent'],
    'what still waits stays',
  );
});

test('a server that is killed in the middle loses nothing', { skip: onceOnly }, async (t) => {
  const { databaseUrl, store, ids, hook, receiver, log, messages } = await world(t);
  const owner = { user_id: ids.bob };
  await hook(owner);
  await store.write((tx) => sendTest(tx, owner, ids.bob));
  const held: Say = () => {};
  receiver.say = [held];
  const env = { PRIVATE_PLACES: receiver.url, BASE_URL: baseUrl };
  // Its thread begins after the server, and looks for work every few seconds.
  const patience = { timeoutMs: 120_000 };
  const first = await serve(t, { databaseUrl, env });
  await until('it came', () => receiver.got.length === 1, patience);
  first.child.kill('SIGKILL');
  await until('it is gone', () => first.child.signalCode !== null);
  const [row] = await log();
  assert.deepEqual([row?.['state'], Number(row?.['tries'])], ['waiting', 1]);
  await tamper(databaseUrl, 'UPDATE webhook_deliveries SET next_at = 0', "DELETE FROM leases WHERE name = 'reminders'");
  await serve(t, { databaseUrl, env });
  await until('it is taken', async () => (await log())[0]?.['state'] === 'sent', patience);
  const [one, again] = receiver.got;
  assert.equal(one?.headers['webhook-id'], again?.headers['webhook-id']);
  assert.match(messages()[1]?.text ?? '', /a test .* https:\/\/garden\.test\//);
});

test('nothing is left of a webhook with its group or member', async (t) => {
  const { databaseUrl, store, ids, group, hook } = await world(t);
  await hook({ group_id: group });
  await hook({ user_id: ids.bob });
  await store.write((tx) => sendTest(tx, { group_id: group }, ids.ada));
  await store.write((tx) => sendTest(tx, { user_id: ids.bob }, ids.bob));
  await store.write((tx) => deleteGroup(tx, group));
  assert.equal(await findWebhookOf(store.reader, { group_id: group }), undefined);
  await store.write((tx) => deleteMember(tx, ids.bob));
  for (const table of ['webhooks', 'webhook_deliveries'])
    assert.deepEqual(await rowsOf(databaseUrl, `SELECT * FROM ${table}`), [], table);
});
