/** What messages to webhooks say, word by word, and to whom they say nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGroup } from '../../src/practice/groups.ts';
import { addHandle } from '../../src/practice/handles.ts';
import { makeList } from '../../src/practice/lists.ts';
import { setStatus } from '../../src/practice/marks.ts';
import { createMember, disableMember } from '../../src/practice/members.ts';
import {
  chatSafe,
  chosenLanguage,
  dayText,
  duesText,
  exactMoment,
  joinWithCommas,
  type MessageContext,
  momentText,
  type Occasion,
  type Recipient,
  staleText,
  weekAhead,
  weekSpan,
} from '../../src/practice/messages.ts';
import { setLanguage } from '../../src/practice/preferences.ts';
import { messageFor, nextQuarterHour, occasionsAt, parseOccasion } from '../../src/practice/reminders.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { upsertFirstSolves } from '../../src/store/activity.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { insertGroupMember, setArchivedAt } from '../../src/store/groups.ts';
import type { WebhooksTable } from '../../src/store/webhooks.ts';
import { languageOf } from '../../src/words/catalogue.ts';
import { openGarden } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';

const baseUrl = 'https://garden.test';
const dayMs = 86_400_000;
const monday = Date.parse('2026-11-23T10:00:00.000Z');
const lastWeek = Date.parse('2026-11-16') / dayMs;
const context: MessageContext = {
  baseUrl,
  now: monday,
  judgeName: (source) => source.toUpperCase(),
  listStale: async () => [],
  pointsOf: () => 0,
  defaultLanguage: 'en',
};

test('days, moments and names are those of the reader, and names neither mention, link nor turn the text', () => {
  const reader = (tag: string, zone = 'Asia/Kolkata') =>
    ({ ...context, dayRule: { zone, startHour: 4 }, language: languageOf([tag]) }) as unknown as Recipient;
  const en = reader('en');
  assert.equal(momentText('2026-11-25T20:05:00.000Z', en), 'Thursday 26 November at 01:35');
  const today = lastWeek + 7;
  assert.deepEqual([dayText(today - 300, en), dayText(today - 301, en)], ['27 January', '26 January 2026']);
  const stale = [
    { judge: 'A', since: '2026-11-19T22:29:59.000Z' },
    { judge: 'B', since: '2026-11-19T22:30:00.000Z', people: 2 },
  ];
  assert.equal(
    staleText(stale, en),
    'Submissions from A may be missing since 19 November. Submissions from B may be missing since 20 November (2 people).',
  );
  assert.deepEqual(
    ['en', 'ja'].map((tag) => joinWithCommas(reader(tag), ['a', 'b'])),
    ['a, b', 'a、b'],
  );
  assert.equal(dayText(today - 301, reader('ja')), '2026年1月26日');
  assert.equal(duesText([], en), '');
  assert.equal(
    duesText([{ name: '@all', due_at: '2026-11-25T20:05:00.000Z' }], en),
    'Due in the next 7 days: @\u200ball (Thursday 26 November at 01:35).',
  );
  for (const [name, safe] of [
    ['@everyone\r\n<!channel> \u202eabc', '@\u200beveryone !channel abc'],
    ['see https://evil.test', 'see https:/\u200b/evil.test'],
    ['`a`\u2028b  c\ud800', 'a b c'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['😀'.repeat(61), `${'😀'.repeat(59)}…`],
  ] as const)
    assert.equal(chatSafe(name), safe);
  assert.deepEqual(
    ['ja', '', null, 'xx'].map((tag) => chosenLanguage(tag, { ...context, defaultLanguage: 'es' }).tag),
    ['ja', 'es', 'es', 'en'],
  );
  assert.deepEqual(weekSpan(lastWeek), { from: '2026-11-16', to: '2026-11-22' });
  assert.deepEqual(weekAhead(monday), { from: '2026-11-23T10:00:00.000Z', until: '2026-11-30T10:00:00.000Z' });
  assert.deepEqual(exactMoment('x'), { from: 'x', until: 'x~' });
  assert.deepEqual(
    [nextQuarterHour(0), nextQuarterHour(899_999), nextQuarterHour(900_000)],
    [900_000n, 900_000n, 1_800_000n],
  );
  const due = { kind: 'due', groupId: 1n, listId: 2n, dueAt: 'x' };
  for (const [text, occasion] of [
    ['week 2026-11-16', { kind: 'week', first: lastWeek }],
    ['season 2026-11-16', { kind: 'season', first: lastWeek }],
    ['contests 2026-11-16', { kind: 'contests', day: lastWeek }],
    ['due 1 2 x', due],
    ['week x', { kind: 'test' }],
    ['contests x', { kind: 'test' }],
    ['test 2026-11-16', { kind: 'test' }],
  ] as const)
    assert.deepEqual(parseOccasion(text), occasion, text);
});

test('a group and a member are told what is theirs, and nobody what is done, over or switched off', async (t) => {
  const { store, import: bring } = await openGarden(t);
  await bring('problems', ponds(40));
  const dueAt = '2026-11-24T12:00:00.000Z';
  const ids: bigint[] = [];
  const { group, list } = await store.write(async (tx) => {
    for (const username of ['ada', 'bob', 'cy', 'dan', 'eve', 'fay'])
      ids.push((await createMember(tx, { username })).id);
    const [ada = 0n, bob = 0n, ...others] = ids;
    const group = await makeGroup(tx, ada, { name: 'Club', zone: 'UTC' });
    for (const user_id of [bob, ...others])
      await insertGroupMember(tx, {
        group_id: group,
        user_id,
        role: 'member',
        joined_at: dueAt,
        on_board: user_id === bob ? 1n : 0n,
      });
    const items = [{ problem: 1n }, { problem: 2n }];
    const list = await makeList(tx, { ownerId: ada, name: 'Trees', content: [{ name: '', items }] });
    await putGroupList(tx, { group_id: group, list_id: list, due_at: dueAt, given_at: dueAt });
    await setStatus(tx, { memberId: bob, problemIds: [1n], status: 'complete' });
    await addHandle(tx, bob, 'codeforces', 'bob');
    return { group, list };
  });
  const [, bob = 0n, cy = 0n] = ids;
  const hook = {
    group_id: null,
    user_id: null,
    made_at: '2026-01-01T00:00:00.000Z',
    sends_weeks: 1n,
    sends_dues: 1n,
    sends_contests: 1n,
  } as unknown as WebhooksTable;
  const ofGroup = { ...hook, group_id: group };
  const ofBob = { ...hook, user_id: bob };
  const say = (webhook: WebhooksTable, occasion: Occasion, more: Partial<MessageContext> = {}) =>
    messageFor(store.reader, webhook, occasion, { ...context, ...more });
  const due: Occasion = { kind: 'due', groupId: group, listId: list, dueAt };
  const week: Occasion = { kind: 'week', first: lastWeek };
  const club = { id: String(group), name: 'Club' };
  const url = `${baseUrl}/dashboard/groups/${group}/assignments/${list}/`;
  const facts = { list: String(list), name: 'Trees', due_at: dueAt, url };
  const when = 'Tuesday 24 November at 12:00';

  assert.deepEqual(await say(ofBob, due), {
    type: 'member.due',
    text: `Trees (Club) is due ${when}: you have solved 1 of 2. ${url}`,
    data: { group: club, due: facts, problems: 2, solved: 1 },
  });
  assert.deepEqual(await say(ofGroup, due), {
    type: 'group.due',
    text: `Club: Trees is due ${when}. 0 of 5 members have solved all problems. ${url}`,
    data: { group: club, due: facts, members: 5, done: 0 },
  });
  for (const one of [ofBob, ofGroup]) {
    assert.equal(await say(one, due, { now: Date.parse(dueAt) }), undefined, 'it is over');
    assert.ok(await say(one, due, { now: Date.parse(dueAt) - 1 }));
    assert.equal(await say(one, { ...due, listId: 99n }), undefined);
    assert.equal(await say({ ...one, sends_dues: 0n }, due), undefined);
    assert.equal(await say({ ...one, sends_weeks: 0n }, week), undefined);
    assert.match(
      (await say({ ...one, sends_weeks: 0n, sends_dues: 0n }, { kind: 'test' }))?.text ?? '',
      /^This is a test/,
    );
  }
  assert.equal(await say(ofBob, { ...due, groupId: 99n }), undefined);
  const day = lastWeek + 7;
  const startOf = (hour: number) => new Date(day * dayMs + hour * 3_600_000 + 1).toISOString();
  await saveListing(
    store,
    'clist',
    {
      isComplete: true,
      contests: [9, 10, 33].map((hour) => ({
        source: 'codeforces',
        key: String(hour),
        title: `Round ${hour}`,
        url: null,
        starts_at: startOf(hour),
        duration_s: 7200n,
      })),
    },
    monday,
  );
  const ofDay = await say(ofGroup, { kind: 'contests', day }, { now: day * dayMs + 9 * 3_600_000 });
  assert.equal(
    ofDay?.text,
    'Club: 2 contests today. Round 9 (CODEFORCES), Monday 23 November at 09:00; ' +
      `Round 10 (CODEFORCES), Monday 23 November at 10:00. ${baseUrl}/problem_list/contests/upcoming/`,
  );
  assert.equal(await say(ofGroup, { kind: 'contests', day: day - 1 }), undefined, 'that morning is over');
  assert.equal(await say({ ...ofGroup, sends_contests: 0n }, { kind: 'contests', day }), undefined);
  assert.deepEqual(ofDay?.data, {
    group: club,
    contests: [9, 10].map((hour) => ({
      judge: 'codeforces',
      title: `Round ${hour}`,
      url: null,
      starts_at: startOf(hour),
      duration_s: 7200,
    })),
  });
  assert.deepEqual(await occasionsAt(store.reader, ofGroup, monday), [
    'week 2026-11-16',
    `due ${group} ${list} ${dueAt}`,
    'contests 2026-11-23',
  ]);
  assert.deepEqual(await occasionsAt(store.reader, ofBob, monday), [
    'week 2026-11-16',
    `due ${group} ${list} ${dueAt}`,
  ]);

  const practised = async (user_id: bigint, ...problems: bigint[]) => {
    const at = (n: number) => new Date((lastWeek + 5.5 + n) * dayMs).toISOString();
    await store.write((tx) =>
      upsertFirstSolves(
        tx,
        problems.map((problem_id, n) => ({ user_id, problem_id, at: at(n), tries: 0n })),
      ),
    );
  };
  const memberWeek = { week: weekSpan(lastWeek), days: 0, first_solves: 0, goal: 10, reviews: 0, streak: 0 };
  const dues = `Due in the next 7 days: Trees (${when}).`;
  assert.deepEqual(await say(ofBob, week), {
    type: 'member.week',
    text: `${dues} ${baseUrl}/dashboard/`,
    data: { ...memberWeek, reviews_due: 0, stale: [], due: [facts] },
  });
  await practised(bob, 10n, 11n);
  await practised(cy, 12n);
  await setLanguage(store, bob, 'ja');
  assert.match((await say(ofBob, week))?.text ?? '', /^11月16日の週の記録: [^。]+。ストリーク: 2日。今[^。]+。 https/);
  await setLanguage(store, bob, 'en');
  const stale = async (people: readonly bigint[]) => [{ judge: 'A', since: dueAt, people: people.length }];
  assert.equal(
    (await say(ofBob, week, { listStale: stale }))?.text,
    'Your week of 16 November: 2 new problems solved (goal: 10), 0 reviews, on 2 days. ' +
      `Submissions from A may be missing since 24 November. Streak: 2 days. ${dues} ${baseUrl}/dashboard/`,
  );
  const groupWeek = await say(ofGroup, week, { listStale: stale });
  assert.deepEqual(groupWeek, {
    type: 'group.week',
    text:
      'Club, week of 16 November. New problems solved, by people on the leaderboard: bob 2. ' +
      `Submissions from A may be missing since 24 November. ${dues} ${baseUrl}/dashboard/groups/${group}/`,
    data: {
      group: club,
      week: weekSpan(lastWeek),
      practised: null,
      board: [{ username: 'bob', first_solves: 2 }],
      stale: [{ judge: 'A', since: dueAt }],
      due: [facts],
    },
  });
  await store.write(async (tx) => {
    const { id: user_id } = await createMember(tx, { username: 'gus' });
    await insertGroupMember(tx, { group_id: group, user_id, role: 'member', joined_at: dueAt, on_board: 0n });
  });
  const ofSeven = await say(ofGroup, week, { listStale: stale });
  assert.deepEqual(
    [ofSeven?.data['practised'], ofSeven?.data['stale']],
    [2, [{ judge: 'A', since: dueAt, people: 7 }]],
    'five besides the coach are not on the board',
  );
  await store.write((tx) => setStatus(tx, { memberId: bob, problemIds: [2n], status: 'complete' }));
  assert.equal(await say(ofBob, due), undefined, 'it is done');
  assert.deepEqual(await occasionsAt(store.reader, ofBob, monday), ['week 2026-11-16']);
  assert.match((await say(ofGroup, due))?.text ?? '', / 1 of 6 /);
  await store.write((tx) => disableMember(tx, 'bob', true));
  await store.write((tx) => setArchivedAt(tx, group, dueAt));
  assert.deepEqual([await say(ofBob, { kind: 'test' }), await say(ofGroup, { kind: 'test' })], [undefined, undefined]);
});
