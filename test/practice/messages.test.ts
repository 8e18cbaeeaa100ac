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
import { plant } from '../../src/practice/planting.ts';
import { setLanguage, setReviewsADay, setWeekGoal, writeDayRule } from '../../src/practice/preferences.ts';
import { messageFor, nextQuarterHour, occasionsAt, parseOccasion } from '../../src/practice/reminders.ts';
import { addSeasonContests, makeSeason, setInSeason } from '../../src/practice/seasons.ts';
import { saveListing } from '../../src/practice/upcoming.ts';
import { upsertFirstSolves } from '../../src/store/activity.ts';
import { putGroupList } from '../../src/store/assignments.ts';
import { cancelledPhase } from '../../src/store/contests.ts';
import { insertGroupMember, setArchivedAt, updateGroupMember } from '../../src/store/groups.ts';
import { insertSolves } from '../../src/store/solves.ts';
import type { WebhooksTable } from '../../src/store/webhooks.ts';
import { languageOf } from '../../src/words/catalogue.ts';
import { openGarden } from '../importing/support.ts';
import { ponds } from '../support/ponds.ts';
import { addContest, addPerson, dayMs, hourMs, iso, openClub, solve, usualSeason } from '../support/seasons.ts';

const baseUrl = 'https://garden.test';
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
const hook = {
  group_id: null,
  user_id: null,
  made_at: '2026-01-01T00:00:00.000Z',
  sends_weeks: 1n,
  sends_dues: 1n,
  sends_contests: 1n,
} as unknown as WebhooksTable;

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

test('a group and a member are told what is theirs, of others no count below five, and nobody what is done, over or switched off', async (t) => {
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
  const [ada = 0n, bob = 0n, cy = 0n] = ids;
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
  await store.write((tx) => disableMember(tx, 'fay', true));
  assert.deepEqual(await say(ofGroup, due), {
    type: 'group.due',
    text: `Club: Trees is due ${when}. ${url}`,
    data: { group: club, due: facts, members: 4, done: null },
  });
  await store.write((tx) => disableMember(tx, 'fay', false));
  for (const one of [ofBob, ofGroup]) {
    assert.equal(await say(one, due, { now: Date.parse(dueAt) }), undefined, 'it is over');
    assert.ok(await say(one, due, { now: Date.parse(dueAt) - 1 }));
    assert.equal(await say(one, { ...due, listId: 99n }), undefined);
    assert.equal(await say({ ...one, sends_dues: 0n }, due), undefined);
    assert.equal(await say({ ...one, sends_weeks: 0n }, week), undefined);
    const later = { now: Date.parse(dueAt) + 1 };
    assert.equal(await say(one, week, later), undefined, 'nothing was done and nothing is due');
    const test = await say({ ...one, sends_weeks: 0n, sends_dues: 0n }, { kind: 'test' });
    assert.match(test?.text ?? '', /^This is a test/);
  }
  assert.equal(await say(ofBob, { ...due, groupId: 99n }), undefined);
  const day = lastWeek + 7;
  const nine = day * dayMs + 9 * hourMs;
  const startOf = (hour: number) => iso(day * dayMs + hour * hourMs + 1);
  const listed = (...contests: [hour: number, source?: string][]) => {
    const rows = contests.map(([hour, source = 'codeforces']) => ({
      source,
      key: String(hour),
      title: `Round ${hour}`,
      url: null,
      starts_at: startOf(hour),
      duration_s: 7200n,
    }));
    return saveListing(store, 'clist', { isComplete: true, contests: rows }, day * dayMs);
  };
  await listed([9], [10], [11, 'leetcode'], [33]);
  const contests: Occasion = { kind: 'contests', day };
  const ofDay = await say(ofGroup, contests, { now: nine });
  assert.equal(
    ofDay?.text,
    'Club: 2 contests today. Round 9 (CODEFORCES), Monday 23 November at 09:00; ' +
      `Round 10 (CODEFORCES), Monday 23 November at 10:00. ${baseUrl}/problem_list/contests/upcoming/`,
  );
  assert.equal(await say(ofGroup, { kind: 'contests', day: day - 1 }), undefined, 'that morning is over');
  assert.equal(await say({ ...ofGroup, sends_contests: 0n }, contests), undefined);
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
  const titlesAt = async (now: number) => {
    const { data } = (await say(ofGroup, contests, { now })) ?? assert.fail();
    return (data['contests'] as { title: string }[]).map(({ title }) => title);
  };
  assert.deepEqual(await titlesAt(nine + 1), ['Round 10'], 'the other has begun');
  const [oneWeek, oneDue, oneDay] = ['week 2026-11-16', `due ${group} ${list} ${dueAt}`, 'contests 2026-11-23'];
  for (const [webhook, moment, ...expected] of [
    [ofGroup, '22T09:00'],
    [ofGroup, '23T00:00'],
    [ofGroup, '23T08:59:59.999'],
    [ofGroup, '23T09:00', oneWeek, oneDue, oneDay],
    [ofBob, '23T09:00', oneWeek, oneDue],
    [{ ...ofGroup, sends_weeks: 0n }, '23T09:00', oneDue, oneDay],
    [{ ...ofGroup, sends_dues: 0n }, '23T09:00', oneWeek, oneDay],
    [{ ...ofGroup, sends_contests: 0n }, '23T23:59', oneWeek, oneDue],
    [{ ...ofGroup, sends_contests: 0n }, '24T00:00', oneWeek],
    [ofGroup, '24T09:00', oneWeek, 'contests 2026-11-24'],
    [ofGroup, '26T08:59', oneWeek],
    [{ ...ofGroup, made_at: '2026-11-22T23:59:59.999Z' }, '26T08:59', oneWeek],
    [{ ...ofGroup, made_at: '2026-11-23T00:00:00.000Z' }, '26T08:59'],
    [ofGroup, '26T09:00'],
  ] as const)
    assert.deepEqual(
      await occasionsAt(store.reader, webhook, Date.parse(`2026-11-${moment}Z`)),
      expected,
      `${webhook.made_at} ${moment}`,
    );
  const ofKolkata = async (time: string) => {
    await store.write((tx) => tx.updateTable('groups').set({ zone: 'Asia/Kolkata' }).execute());
    return occasionsAt(store.reader, ofGroup, Date.parse(`2026-11-23T${time}Z`));
  };
  assert.deepEqual([await ofKolkata('03:29'), await ofKolkata('03:30')], [[], [oneWeek, oneDue, oneDay]]);
  await store.write((tx) => tx.updateTable('groups').set({ zone: 'UTC' }).execute());
  await listed([12]);
  assert.deepEqual(await titlesAt(nine), ['Round 12'], 'those before are cancelled');

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
  await store.write(async (tx) => {
    await setWeekGoal(tx, cy, 0);
    await setStatus(tx, { memberId: cy, problemIds: [20n], status: 'complete', at: '2026-11-17T12:00:00.000Z' });
    for (const [name, target, by_date] of [
      ['Done', 1n, '2026-12-05'],
      ['Over', 15n, '2026-11-20'],
      ['Ponds', 15n, '2026-12-05'],
    ] as const)
      await plant(tx, cy, { name, tag: null, target, by_date }, new Date(0));
  });
  const saturday = { now: (lastWeek + 5.75) * dayMs };
  const weekOfCy = await say({ ...hook, user_id: cy }, week, saturday);
  assert.equal(
    weekOfCy?.text,
    'Your week of 16 November: 2 new problems solved, 0 reviews, on 2 days. Due for review: 1. ' +
      `${dues} Ponds: 1 today · 14 left · on course to finish on 4 December. ${baseUrl}/dashboard/`,
  );
  assert.deepEqual([weekOfCy?.data['streak'], weekOfCy?.data['reviews_due']], [1, 1]);
  await setReviewsADay(store, cy, 0);
  assert.equal((await say({ ...hook, user_id: cy }, week, saturday))?.data['reviews_due'], 0, 'reviews are off');
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
  const join = (username: string, on_board: bigint) =>
    store.write(async (tx) => {
      const { id: user_id } = await createMember(tx, { username });
      await insertGroupMember(tx, { group_id: group, user_id, role: 'member', joined_at: dueAt, on_board });
      return user_id;
    });
  await join('gus', 0n);
  const ofSeven = await say(ofGroup, week, {
    listStale: async (all) => [all.length, 6, 5].map((people) => ({ judge: 'A', since: dueAt, people })),
  });
  const since = { judge: 'A', since: dueAt };
  assert.deepEqual(
    [ofSeven?.data['practised'], ofSeven?.data['stale']],
    [2, [{ ...since, people: 7 }, { ...since, people: 6 }, since]],
    'five besides the coach are not on the board',
  );
  await store.write((tx) => disableMember(tx, 'fay', true));
  const withoutFay = await say(ofGroup, week, {
    listStale: async (all) => all.map((id) => ({ judge: `${id}`, since: dueAt })),
  });
  assert.deepEqual(
    [withoutFay?.data['practised'], withoutFay?.data['stale']],
    [null, [{ judge: `${bob}`, since: dueAt }]],
  );
  await store.write((tx) => disableMember(tx, 'fay', false));
  await store.write((tx) => updateGroupMember(tx, group, ada, { on_board: 1n }));
  // The third problem of p5 was solved on the Monday after.
  for (let n = 9; n >= 0; n--) await practised(await join(`p${n}`, 1n), ...(n === 5 ? [10n, 11n, 12n] : [10n]));
  assert.match(
    (await say(ofGroup, week))?.text ?? '',
    /: 12 people practised\. .*: bob 2, p5 2, p0 1, p1 1, p2 1, p3 1, p4 1, p6 1, p7 1, p8 1\. Due/,
  );
  assert.match(
    (await say(ofGroup, { kind: 'week', first: lastWeek - 7 }))?.text ?? '',
    /^Club, week of 9 November\. Due/,
  );
  const listStale = async () => Array(40).fill({ judge: 'x'.repeat(60), since: dueAt });
  assert.equal((await say(ofBob, week, { listStale }))?.text.length, 1900);
  await store.write((tx) => setStatus(tx, { memberId: bob, problemIds: [2n], status: 'complete' }));
  assert.equal(await say(ofBob, due), undefined, 'it is done');
  assert.doesNotMatch((await say(ofBob, week))?.text ?? '', /Due in/);
  assert.deepEqual(await occasionsAt(store.reader, ofBob, monday), ['week 2026-11-16']);
  await store.write((tx) => writeDayRule(tx, bob, { zone: 'UTC', startHour: 11 }));
  assert.deepEqual(await occasionsAt(store.reader, ofBob, monday), [], 'the Sunday has not ended');
  assert.match((await say(ofGroup, due))?.text ?? '', / 1 of 16 /);
  await store.write((tx) => disableMember(tx, 'bob', true));
  await store.write((tx) => setArchivedAt(tx, group, dueAt));
  assert.deepEqual([await say(ofBob, { kind: 'test' }), await say(ofGroup, { kind: 'test' })], [undefined, undefined]);
});

test('the season of a group names who is on the board, and counts the others where that tells of nobody', async (t) => {
  const { store, group, coach } = await openClub(t, 'UTC');
  const first = lastWeek * dayMs;
  await store.write(async (tx) => {
    await makeSeason(tx, coach, usualSeason);
    const handles: bigint[] = [];
    for (const name of ['bob', 'cy', 'dan', 'eve', 'fay']) handles.push((await addPerson(tx, group, name)).handle);
    for (const [key, at, phase = null] of [
      ['1', first - 1],
      ['2', first],
      ['3', first + 7 * dayMs - 1, cancelledPhase],
      ['4', first + 7 * dayMs],
      ['5', first + 14 * dayMs - 1],
      ['6', first + 14 * dayMs],
    ] as const) {
      const contest = await addContest(tx, { key, starts_at: iso(at), phase });
      await addSeasonContests(tx, coach, [{ kind: 'contest', item_id: contest.id }]);
      if (key !== '2') continue;
      const live = { contest: key, participation: 'contest', submitted_at: iso(at + 60_000) } as const;
      const sent = handles.flatMap((handle_id, place) =>
        contest.problemIds.slice(0, 4 - place).map((problem_id) => solve({ ...live, handle_id, problem_id })),
      );
      await insertSolves(tx, sent);
    }
  });
  const webhook = { ...hook, group_id: group };
  const textOf = async (...names: string[]) => {
    const members = store.reader.selectFrom('members').select('id').where('username', 'in', names);
    await store.write(async (tx) => {
      await tx.updateTable('group_members').set({ on_board: 0n }).execute();
      await tx.updateTable('group_members').set({ on_board: 1n }).where('user_id', 'in', members).execute();
    });
    return ofWeek(lastWeek);
  };
  const ofWeek = async (day: number) =>
    (await messageFor(store.reader, webhook, { kind: 'season', first: day }, context))?.text;
  const url = `${baseUrl}/dashboard/groups/${group}/season/`;
  const begin = 'Club, Autumn season: 3 of 5 contests done.';
  const [round4, round5] = ['4 (Monday 23 November at 00:00)', '5 (Sunday 29 November at 23:59)'];
  const next = `This week: Codeforces Round ${round4}, Codeforces Round ${round5}.`;
  const most = 'Most points, of people on the leaderboard:';
  assert.equal(await textOf(''), `${begin} Last week: Codeforces Round 2 (4 people live). ${next} ${url}`);
  assert.equal(
    await textOf('bob', 'cy', 'fay'),
    `${begin} Last week: Codeforces Round 2 (2 live, of people on the leaderboard). ${next} ${most} bob 4, cy 3. ${url}`,
  );
  assert.equal(
    await textOf('ada', 'bob', 'cy', 'dan', 'eve', 'fay'),
    `${begin} Last week: Codeforces Round 2 (4 people live). ${next} ${most} bob 4, cy 3, dan 2. ${url}`,
  );
  const thisWeek = 'This week: Codeforces Round 2 (Monday 16 November at 00:00).';
  const leaders = `${most} bob 4, cy 3, dan 2. ${url}`;
  for (const [weeks, said] of [
    [-3, undefined],
    [-2, `${begin} This week: Codeforces Round 1 (Sunday 15 November at 23:59). ${leaders}`],
    [-1, `${begin} Last week: Codeforces Round 1 (0 people live). ${thisWeek} ${leaders}`],
    [2, `${begin} Last week: Codeforces Round 6 (0 people live). ${leaders}`],
    [3, undefined],
  ] as const)
    assert.equal(await ofWeek(lastWeek + 7 * weeks), said, `${weeks}`);
  for (const [first_day, last_day, ...more] of [
    ['2026-11-29', '2026-12-15', 'season 2026-11-16'],
    ['2026-11-30', '2026-12-15'],
    ['2026-09-01', '2026-11-15'],
    ['2026-09-01', '2026-11-16', 'season 2026-11-16'],
  ] as const) {
    await store.write((tx) => tx.updateTable('seasons').set({ first_day, last_day }).execute());
    assert.deepEqual(await occasionsAt(store.reader, webhook, monday), ['week 2026-11-16', ...more]);
  }
  assert.doesNotMatch((await ofWeek(lastWeek)) ?? '', /This week/, 'the season has ended');
  await setInSeason(store, group, 6n, false);
  assert.match((await textOf('')) ?? '', /\. Last week: Codeforces Round 2\. https/, 'four are too few to be counted');
  for (const id of [2n, 3n, 4n, 5n]) await setInSeason(store, group, id, false);
  assert.match((await textOf('')) ?? '', /Round 2 \(0 people live\)\. https/);
});
