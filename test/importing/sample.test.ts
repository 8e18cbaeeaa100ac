/** The sample in a garden: its times count from the day it comes, and it takes nobody's place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  loadSample,
  removeSample,
  restoreSample,
  sampleRemovedAt,
  sampleUsername,
} from '../../src/importing/sample.ts';
import { createMember } from '../../src/practice/members.ts';
import { deleteMember, findMemberByName } from '../../src/store/members.ts';
import { deleteProblem, findProblemsByKeys } from '../../src/store/problems.ts';
import { setSetting } from '../../src/store/settings.ts';
import type { Db } from '../../src/store/tables.ts';
import { openGarden } from './support.ts';

/** A Wednesday, in the ninth week of the calendar that the sample counts from. */
const now = Date.parse('2026-03-04T12:00:00.000Z');
/** The values of each row, in the order in which they were selected. */
const linesOf = (rows: readonly object[]) => rows.map((row) => Object.values(row).join(' '));
const revisionsOf = (db: Db) => db.selectFrom('revisions').selectAll().orderBy('scope').execute();

test('the times of the sample are days before its coming, its rounds at five, its contests of the weeks to come', async (t) => {
  const { store } = await openGarden(t);
  const loaded = await loadSample(store, now);
  assert.deepEqual(loaded, {
    problems: 329,
    members: 14,
    statuses: 167,
    bookmarks: 12,
    plants: 6,
    member: sampleUsername,
  });
  const db = store.reader;
  const sent = await db
    .selectFrom('solves')
    .innerJoin('handles', 'handles.id', 'handle_id')
    .where('handles.name', '=', 'demo~sample')
    .where('key', '=', '1294C')
    .select(['submission_id', 'verdict', 'verdict_class', 'submitted_at', 'contest', 'participation'])
    .orderBy('submission_id')
    .execute();
  // 161.9 days before, with four minutes between two.
  assert.deepEqual(linesOf(sent), [
    '1294C-0 WRONG_ANSWER tried 2025-09-23T14:16:00.000Z 1294 practice',
    '1294C-1 WRONG_ANSWER tried 2025-09-23T14:20:00.000Z 1294 practice',
    '1294C-2 OK solved 2025-09-23T14:24:00.000Z 1294 practice',
  ]);
  const rounds = await db.selectFrom('rounds').select(['name', 'starts_at', 'ends_at', 'is_shown']).execute();
  assert.deepEqual(linesOf(rounds), [
    'Club round 11 2026-02-23T17:00:00.000Z 2026-02-23T19:00:00.000Z 0',
    'Club round 12 2026-03-06T17:00:00.000Z 2026-03-06T18:30:00.000Z 0',
  ]);
  const points = await db
    .selectFrom('round_problems')
    .select(['round_id', 'points'])
    .orderBy('round_id')
    .orderBy('position')
    .execute();
  const expected = [...Array(6).fill('1 1'), ...[100, 200, 300, 400, 500].map((one) => `2 ${one}`)];
  assert.deepEqual(linesOf(points), expected);
  const due = await db.selectFrom('group_lists').select(['due_at', 'given_at']).orderBy('due_at').execute();
  assert.deepEqual(linesOf(due), [
    '2026-02-28T23:59:00.000Z 2026-02-18T12:00:00.000Z',
    '2026-03-05T23:59:00.000Z 2026-02-26T12:00:00.000Z',
    '2026-03-06T23:59:00.000Z 2026-02-26T12:00:00.000Z',
  ]);
  const [timer] = await db.selectFrom('timers').select(['started_at', 'stopped_at']).orderBy('id').execute();
  assert.deepEqual(timer, { started_at: '2025-05-03T02:11:00.000Z', stopped_at: '2025-05-03T02:24:00.000Z' });
  const handles = await db.selectFrom('handles').select(['created_at', 'imported_at']).distinct().execute();
  assert.deepEqual(handles, [{ created_at: '2026-03-03T12:00:00.000Z', imported_at: '2026-03-03T12:00:00.000Z' }]);
});

test('its groups, boards, season and proofs are of the people that it names', async (t) => {
  const { store } = await openGarden(t);
  await loadSample(store, now);
  const db = store.reader;
  const people = await db
    .selectFrom('group_members')
    .innerJoin('members', 'members.id', 'user_id')
    .select(['group_id', 'username', 'group_members.role', 'on_board', 'in_season'])
    .orderBy('group_id')
    .orderBy('user_id')
    .execute();
  const named = (one: (row: (typeof people)[number]) => boolean) =>
    people.filter(one).map(({ group_id, username }) => `${group_id} ${username}`);
  assert.deepEqual(
    named(({ role }) => role === 'coach'),
    ['1 demo', '2 vera'],
  );
  assert.deepEqual(
    named(({ on_board }) => on_board === 1n),
    'demo ana ben dmitri elif goran hana kavya'.split(' ').map((name) => `1 ${name}`),
  );
  assert.deepEqual(
    named(({ group_id, in_season }) => group_id === 1n && in_season === null),
    ['1 farid', '1 liam'],
  );
  assert.deepEqual(
    named(({ group_id, in_season }) => group_id === 2n && in_season !== null),
    [],
  );
  const boards = await db.selectFrom('groups').select(['name', 'has_board']).orderBy('id').execute();
  assert.deepEqual(linesOf(boards), ['Thursday club 1', 'Evening group 0']);
  const counted = await db.selectFrom('season_contests').select(['kind', 'item_id']).orderBy('item_id').execute();
  assert.equal(counted.filter(({ kind }) => kind === 'contest').length, 8);
  assert.deepEqual(linesOf(counted.filter(({ kind }) => kind === 'round')), ['round 1', 'round 2']);
  const taken = await db
    .selectFrom('round_people')
    .select((eb) => ['round_id', eb.fn.countAll<bigint>().as('count')])
    .groupBy('round_id')
    .orderBy('round_id')
    .execute();
  assert.deepEqual(linesOf(taken), ['1 13', '2 7']);
  const proofs = await db
    .selectFrom('handle_proofs')
    .innerJoin('handles', 'handles.id', 'handle_id')
    .select('handles.name')
    .orderBy('handles.name')
    .execute();
  assert.deepEqual(linesOf(proofs), ['ana~sample', 'elif~sample']);
});

test('the contests to come are of this week and the eight after it, each with its number', async (t) => {
  const { store } = await openGarden(t);
  await loadSample(store, now);
  const shown = await store.reader
    .selectFrom('upcoming_contests')
    .select(['title', 'starts_at', 'duration_s'])
    .orderBy('starts_at')
    .orderBy('title')
    .execute();
  const of = (pattern: RegExp) =>
    shown
      .filter(({ title }) => pattern.test(title))
      .map(({ title, starts_at, duration_s }) => `${title} ${starts_at.slice(0, 16)} ${duration_s / 60n}`);
  const two = of(/^Codeforces Round \d+ \(Div. 2\)$/);
  assert.deepEqual(
    [two.length, two[0], two[1], two.at(-1)],
    [
      17,
      'Codeforces Round 1097 (Div. 2) 2026-03-07T14:35 120',
      'Codeforces Round 1098 (Div. 2) 2026-03-10T14:35 120',
      'Codeforces Round 1113 (Div. 2) 2026-05-02T14:35 120',
    ],
  );
  assert.deepEqual(of(/Div. 1 \+/), [
    'Codeforces Round 1203 (Div. 1 + Div. 2) 2026-03-09T14:35 135',
    'Codeforces Round 1204 (Div. 1 + Div. 2) 2026-03-30T14:35 135',
    'Codeforces Round 1205 (Div. 1 + Div. 2) 2026-04-20T14:35 135',
  ]);
});

test('stored rows and people stay as they are, and nothing was sent after today', async (t) => {
  const garden = await openGarden(t);
  const early = Date.parse('2026-01-25T15:00:00.000Z');
  const old = { id: 1, source: 'codeforces', source_key: '4A', title: 'My own melon' };
  await garden.import('problems', [old]);
  await garden.store.write((tx) => createMember(tx, { username: 'vera' }));
  const loaded = await loadSample(garden.store, early);
  assert.deepEqual([loaded.problems, loaded.members], [328, 13]);
  const db = garden.store.reader;
  const vera = await findMemberByName(db, 'vera');
  assert.equal(vera?.is_sample, 0n);
  const groups = await db.selectFrom('groups').select('name').execute();
  assert.deepEqual(groups, [{ name: 'Thursday club' }]);
  const [problem] = (await garden.rows('problems')).filter(({ source_key }) => source_key === '4A');
  assert.equal(problem?.['title'], 'My own melon');
  const last = await db
    .selectFrom('solves')
    .select((eb) => eb.fn.max('submitted_at').as('at'))
    .executeTakeFirstOrThrow();
  assert.ok(last.at <= new Date(early).toISOString(), last.at);
  const before = [await garden.everything(), await revisionsOf(db)];
  assert.equal((await loadSample(garden.store, early)).problems, 0);
  assert.deepEqual([await garden.everything(), await revisionsOf(db)], before);
  // A problem that was taken out comes back, though the people are there.
  await garden.store.write(async (tx) => {
    for (const one of await findProblemsByKeys(tx, 'codeforces', ['339A'])) await deleteProblem(tx, one);
  });
  assert.equal((await loadSample(garden.store, early)).problems, 1);
  assert.notDeepEqual(await revisionsOf(db), before[1]);
});

test('what was removed comes back for a day, and leaves the contests that others use', async (t) => {
  const garden = await openGarden(t);
  const { store } = garden;
  await loadSample(store);
  assert.deepEqual(await store.write(removeSample), { members: 14, problems: 329 });
  const counts = async () => {
    const tables = ['members', 'problems', 'contests', 'upcoming_contests', 'groups'] as const;
    return Promise.all(
      tables.map(async (table) => {
        const { count } = await store.reader
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<bigint>().as('count'))
          .executeTakeFirstOrThrow();
        return Number(count);
      }),
    );
  };
  assert.deepEqual(await counts(), [0, 0, 0, 0, 0]);
  const hourMs = 3_600_000;
  const removed = (hours: number) =>
    store.write((tx) => setSetting(tx, 'sample_removed_at', new Date(Date.now() - hours * hourMs).toISOString()));
  await removed(24.01);
  assert.equal(await sampleRemovedAt(store.reader), undefined);
  await assert.rejects(store.write(restoreSample));
  await removed(23.99);
  await store.write(restoreSample);
  const [members, problems] = await counts();
  assert.deepEqual([members, problems], [14, 329]);
  assert.equal(await sampleRemovedAt(store.reader), undefined);
  await store.write(async (tx) => deleteMember(tx, (await findMemberByName(tx, 'liam'))?.id ?? 0n));
  await garden.import('records', [{ username: 'vera' }]);
  const used = { source: 'codeforces', source_key: '2185A' };
  await garden.import('bookmarks', [{ ...used, username: 'vera' }]);
  assert.deepEqual(await store.write(removeSample), { members: 13, problems: 328 });
  const left = await store.reader.selectFrom('contests').select(['source', 'key']).execute();
  assert.deepEqual(left, [{ source: 'codeforces', key: '2185' }]);
});
